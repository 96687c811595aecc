//! What a plain form asks for. The names of the fields are read by [`crate::server::plain_inbox`].

use crate::app::ui::untrusted::Untrusted;
use crate::model::{PendingRequest, PermissionMode, Question, RequestType};
use leptos::prelude::*;

/// Each question with its options, and a line for words of one's own. One left empty is skipped.
#[component]
pub fn Questions(request: PendingRequest) -> impl IntoView {
    let questions = request.tool_input.questions();
    questions
        .into_iter()
        .enumerate()
        .map(|(index, question)| asked(index, question))
        .collect::<Vec<_>>()
}

fn asked(index: usize, question: Question) -> AnyView {
    let kind = match question.multi_select {
        true => "checkbox",
        false => "radio",
    };
    let options = question
        .options
        .into_iter()
        .map(|option| {
            view! {
                <label class="plain-option">
                    <input type=kind name=format!("pick-{index}") value=option.label.clone() />
                    <span>
                        <b>
                            <Untrusted text=option.label />
                        </b>
                        " "
                        <Untrusted text=option.description />
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
                <Untrusted text=question.question />
            </legend>
            {options}
            <label class="field">
                "Other" <input type="text" name=format!("other-{index}") autocomplete="off" />
            </label>
        </fieldset>
    }
    .into_any()
}

#[component]
pub fn Actions(kind: RequestType) -> impl IntoView {
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
                ("allow", "Approve", "primary"),
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
                            view! { <option value=mode.word().to_owned()>{words}</option> }
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
                            {words} <input type="text" name="message" autocomplete="off" />
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
