//! Changing what will be used before allowing it, in the editor that fits: a command, a file's content, or JSON.
//! What is sent is what is on screen: a closed editor sends the input as it was asked.

use super::card::focus;
use super::{Asked, payload};
use crate::api;
use crate::app::draft::Draft;
use crate::model::{Insight, PendingRequest, ToolInput};
use leptos::html;
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Editor {
    /// One text field of the input.
    Text {
        field: &'static str,
        label: &'static str,
    },
    Json,
}

impl Editor {
    pub fn fitting(tool_name: &str, input: &ToolInput) -> Self {
        let (field, label) = match tool_name {
            "Bash" => ("command", "Edited command"),
            "Write" => ("content", "Edited content"),
            "Edit" => ("new_string", "Edited replacement"),
            "WebFetch" => ("url", "Edited address"),
            _ => return Editor::Json,
        };
        match input.text(field) {
            Some(_) => Editor::Text { field, label },
            None => Editor::Json,
        }
    }

    pub fn label(self) -> &'static str {
        match self {
            Editor::Text { label, .. } => label,
            Editor::Json => "Edited input",
        }
    }

    pub fn original(self, input: &ToolInput) -> String {
        match self {
            Editor::Text { field, .. } => input.text(field).unwrap_or_default().to_owned(),
            Editor::Json => input.to_json(),
        }
    }

    /// The input as edited; none when it is the same as before. The error is a sentence.
    pub fn read(self, input: &ToolInput, text: &str) -> Result<Option<ToolInput>, String> {
        let edited = match self {
            Editor::Text { field, .. } => input.with_text(field, text),
            Editor::Json => ToolInput::from_json(text)?,
        };
        Ok((edited != *input).then_some(edited))
    }
}

/// The editor of one card.
#[derive(Clone, Copy)]
pub struct Editing {
    editor: Editor,
    input: StoredValue<ToolInput>,
    pub is_open: RwSignal<bool>,
    draft: Draft,
    /// What would be sent, or why it cannot be.
    pub result: Memo<Result<Option<ToolInput>, String>>,
}

impl Editing {
    pub fn new(request: &PendingRequest) -> Self {
        let editor = Editor::fitting(&request.tool_name, &request.tool_input);
        let input = StoredValue::new(request.tool_input.clone());
        let is_open = RwSignal::new(false);
        let draft = Draft::of_request(request.request_id, "edit");
        let result = Memo::new(move |_| match is_open.get() {
            true => input.with_value(|input| draft.text.with(|text| editor.read(input, text))),
            false => Ok(None),
        });
        Self {
            editor,
            input,
            is_open,
            draft,
            result,
        }
    }

    /// Opens with what was typed before, or with the original; closing keeps the text.
    pub fn toggle(self) {
        let open = !self.is_open.get_untracked();
        if open && self.draft.text.with_untracked(String::is_empty) {
            self.draft.text.set(self.original());
        }
        self.is_open.set(open);
    }

    fn original(self) -> String {
        self.input.with_value(|input| self.editor.original(input))
    }

    /// Something was typed, and closed again.
    pub fn has_unsent_edit(self) -> bool {
        !self.is_open.get()
            && self
                .draft
                .text
                .with(|text| !text.is_empty() && *text != self.original())
    }
}

#[component]
pub fn EditBox(editing: Editing, card: NodeRef<html::Form>) -> impl IntoView {
    let area = NodeRef::<html::Textarea>::new();
    Effect::new(move |_| {
        if let Some(area) = area.get() {
            let _ = area.focus();
        }
    });
    let trouble = move || editing.result.get().err();
    let is_json = editing.editor == Editor::Json;
    view! {
        <textarea
            node_ref=area
            class="edit"
            class:invalid=move || trouble().is_some()
            aria-label=editing.editor.label()
            aria-invalid=move || trouble().map(|_| "true")
            rows=if is_json { 8 } else { 4 }
            spellcheck="false"
            autocapitalize="off"
            autocomplete="off"
            prop:value=move || editing.draft.text.get()
            on:input=move |event| editing.draft.text.set(event_target_value(&event))
            on:keydown=move |event| {
                if event.key() == "Escape" {
                    event.stop_propagation();
                    editing.is_open.set(false);
                    focus(card);
                }
            }
        ></textarea>
        {move || trouble().map(|words| view! { <p class="refusal">{words}</p> })}
    }
}

/// What an edited command would do: whoever edits one must not lose the marks.
#[component]
pub fn EditedMarks(asked: Asked, editing: Editing) -> impl IntoView {
    /// While someone types nothing is asked.
    const PAUSE: Duration = Duration::from_millis(250);
    let request = asked.request.get_value();
    let found = RwSignal::new(None::<(ToolInput, Insight)>);
    let is_command = request.tool_name == "Bash";
    Effect::new(move |asking: Option<Option<TimeoutHandle>>| {
        if let Some(asking) = asking.flatten() {
            asking.clear();
        }
        let edited = editing.result.get().ok().flatten().filter(|_| is_command);
        let Some((command, edited)) =
            edited.and_then(|edited| Some((edited.text("command")?.to_owned(), edited)))
        else {
            found.set(None);
            return None;
        };
        let ask = move || {
            spawn_local(async move {
                let insight =
                    api::get_insight(asked.session_id, request.request_id, Some(command)).await;
                drop(found.try_set(insight.ok().map(|insight| (edited, insight))));
            });
        };
        set_timeout_with_handle(ask, PAUSE).ok()
    });
    move || {
        found.with(|found| {
            let (input, insight) = found.as_ref()?;
            let marks = payload::command::understood(input, insight.command.as_ref()?)?;
            Some(view! {
                <div role="group" aria-label="The edited command">
                    {marks}
                </div>
            })
        })
    }
}

#[component]
pub fn UnsentEdit(editing: Editing) -> impl IntoView {
    view! {
        <Show when=move || editing.has_unsent_edit()>
            <p class="why">"Your unsent edit is kept. Edit shows it again; Allow once uses the original."</p>
        </Show>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(json: &str) -> ToolInput {
        ToolInput::from_json(json).expect("json")
    }

    #[test]
    fn a_command_is_edited_as_text_and_the_other_fields_stay() {
        let before = input(r#"{"command":"rm -rf x","timeout":5}"#);
        let editor = Editor::fitting("Bash", &before);
        assert_eq!(editor.original(&before), "rm -rf x");
        assert_eq!(
            editor.read(&before, "rm x"),
            Ok(Some(input(r#"{"command":"rm x","timeout":5}"#)))
        );
    }

    #[test]
    fn the_same_text_is_no_edit() {
        let before = input(r#"{"command":"ls"}"#);
        assert_eq!(
            Editor::fitting("Bash", &before).read(&before, "ls"),
            Ok(None)
        );
        let other = input(r#"{"a":1}"#);
        let editor = Editor::fitting("Other", &other);
        assert_eq!(editor.read(&other, &editor.original(&other)), Ok(None));
    }

    #[test]
    fn json_that_is_none_is_refused_with_a_sentence() {
        let before = input(r#"{"a":1}"#);
        let editor = Editor::fitting("Other", &before);
        for wrong in ["", "{", "[1]", "\"x\""] {
            let sentence = editor.read(&before, wrong).expect_err(wrong);
            assert!(sentence.ends_with('.'), "{sentence}");
        }
    }

    #[test]
    fn a_known_tool_with_an_unknown_input_is_edited_as_json() {
        assert_eq!(Editor::fitting("Bash", &input("{}")), Editor::Json);
    }
}
