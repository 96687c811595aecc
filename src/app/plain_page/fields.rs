//! What a plain form asks for. The names of the fields are read by [`crate::server::plain_inbox`]; a form that was
//! refused is shown with everything that was filled in.

use super::entered::Entered;
use crate::app::ui::untrusted::{Untrusted, Words};
use crate::model::{PendingRequest, PermissionMode, Question, RequestType};
use leptos::prelude::*;

/// Each question with its options, and a line for words of one's own. One left empty is skipped where that is ticked.
#[component]
pub fn Questions(request: PendingRequest, entered: Entered) -> impl IntoView {
    let questions = request.tool_input.questions();
    let partly = (questions.len() > 1).then(|| {
        view! {
            <label>
                <input type="checkbox" name="partly" value="yes" checked=entered.has("partly", "yes") />
                " Leave out the questions that have no answer"
            </label>
        }
    });
    let questions: Vec<_> = questions
        .into_iter()
        .enumerate()
        .map(|(index, question)| asked(index, question, &entered))
        .collect();
    view! {
        {questions}
        {partly}
    }
}

fn asked(index: usize, question: Question, entered: &Entered) -> AnyView {
    let (pick, other) = (format!("pick-{index}"), format!("other-{index}"));
    let kind = match question.multi_select {
        true => "checkbox",
        false => "radio",
    };
    // without a script nothing else takes a single choice back
    let none = (!question.multi_select && !question.options.is_empty()).then(|| {
        view! {
            <label class="plain-option">
                <input type="radio" name=pick.clone() value="" checked=entered.has(&pick, "") />
                <span>"None of these"</span>
            </label>
        }
    });
    let options = question
        .options
        .into_iter()
        .map(|option| {
            let is_chosen = entered.has(&pick, &option.label);
            view! {
                <label class="plain-option">
                    <input type=kind name=pick.clone() value=option.label.clone() checked=is_chosen />
                    <span>
                        <b>
                            <Words text=option.label />
                        </b>
                        " "
                        <Words text=option.description />
                        {option
                            .preview
                            .map(|text| view! { <pre class="code"><Untrusted text /></pre> })}
                    </span>
                </label>
            }
        })
        .collect::<Vec<_>>();
    view! {
        <fieldset class="plain-question">
            <legend>
                <Words text=question.question />
            </legend>
            {options}
            {none}
            <label class="field">
                "Other"
                <input type="text" name=other.clone() autocomplete="off" value=entered.written(&other) />
            </label>
        </fieldset>
    }
    .into_any()
}

#[component]
pub fn Actions(kind: RequestType, entered: Entered) -> impl IntoView {
    let (words, answers): (_, &[(&str, &str, &str)]) = match kind {
        RequestType::ToolApproval => (
            Some("Reason, if you deny it"),
            &[
                ("deny", "Deny", "ghost"),
                ("deny_and_stop", "Deny and stop", "ghost"),
                ("allow", "Allow once", "primary"),
            ],
        ),
        RequestType::AskUserQuestion => (
            None,
            // the first one is what Enter in a field means
            &[
                ("answer", "Submit answers", "primary"),
                ("cancel", "Skip and stop", "ghost"),
            ],
        ),
        RequestType::PlanApproval => (
            Some("What to change, if you keep planning"),
            &[
                ("deny", "Keep planning", "ghost"),
                ("allow", "Approve plan", "primary"),
            ],
        ),
    };
    let mode = (kind == RequestType::PlanApproval).then(|| {
        let modes = [
            (PermissionMode::Default, "Ask before edits"),
            (PermissionMode::AcceptEdits, "Accept edits"),
        ];
        view! {
            <label class="field">
                "Then" <select name="mode">
                    {modes
                        .map(|(mode, words)| {
                            let word = mode.word().to_owned();
                            let is_chosen = entered.has("mode", &word);
                            view! {
                                <option value=word selected=is_chosen>
                                    {words}
                                </option>
                            }
                        })
                        .collect_view()}
                </select>
            </label>
        }
    });
    view! {
        <div class="plain-words">
            {mode}
            {words
                .map(|words| {
                    view! {
                        <label class="field">
                            {words}
                            <input
                                type="text"
                                name="message"
                                autocomplete="off"
                                value=entered.written("message")
                            />
                        </label>
                    }
                })}
        </div>
        <div class="actions">
            {answers
                .iter()
                .map(|(value, words, class)| {
                    view! {
                        <button type="submit" name="answer" value=*value class=*class>
                            {*words}
                        </button>
                    }
                })
                .collect::<Vec<_>>()}
        </div>
    }
}
