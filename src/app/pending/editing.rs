//! Changing what will be used before allowing it, in the editor that fits: a command, a file's content, or JSON.
//! What is sent is what is on screen: a closed editor sends the input as it was asked.

use super::card::focus;
use crate::app::draft::Draft;
use crate::app::ui::show::Show;
use crate::model::{PendingRequest, ToolInput};
use leptos::html;
use leptos::prelude::*;

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
            "NotebookEdit" => ("new_source", "Edited cell"),
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

    /// What the editor of this request begins with.
    pub fn original_of(request: &PendingRequest) -> String {
        let editor = Editor::fitting(&request.tool_name, &request.tool_input);
        editor.original(&request.tool_input)
    }

    /// Opens with what was typed before, or with the original; closing keeps the text.
    pub fn toggle(self) {
        let open = !self.is_open.get_untracked();
        if open && self.draft.text.with_untracked(String::is_empty) {
            self.draft.text.set(self.original());
        }
        self.is_open.set(open);
    }

    /// The changed input, and the text that changes it.
    pub fn changed(self) -> Option<(ToolInput, String)> {
        let input = self.result.get().ok().flatten()?;
        Some((input, self.draft.text.get()))
    }

    pub fn text(self) -> String {
        self.draft.text.get_untracked()
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
pub fn EditBox(
    editing: Editing,
    card: NodeRef<html::Form>,
    /// Ctrl+Enter: the answer that the button gives.
    on_send: Callback<()>,
) -> impl IntoView {
    let area = NodeRef::<html::Textarea>::new();
    Effect::new(move |_| {
        if let Some(area) = area.get() {
            let _ = area.focus();
        }
    });
    let trouble = move || editing.result.get().err();
    let is_json = editing.editor == Editor::Json;
    let on_keydown = move |event: web_sys::KeyboardEvent| {
        if event.key() == "Escape" {
            event.stop_propagation();
            editing.is_open.set(false);
            focus(card);
        } else if event.key() == "Enter" && (event.ctrl_key() || event.meta_key()) {
            event.prevent_default();
            event.stop_propagation();
            if !event.repeat() {
                on_send.run(());
            }
        }
    };
    view! {
        <span class="edit-label" aria-hidden="true">{editing.editor.label()}</span>
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
            on:keydown=on_keydown
        ></textarea>
        {move || trouble().map(|words| view! { <p class="refusal">{words}</p> })}
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

    #[test]
    fn a_page_to_fetch_is_edited_with_what_is_asked_about_it() {
        let fetch = input(r#"{"url":"https://a.example","prompt":"Sum it up"}"#);
        let editor = Editor::fitting("WebFetch", &fetch);
        assert_eq!(editor, Editor::Json);
        assert!(editor.original(&fetch).contains("Sum it up"));
        let search = input(r#"{"query":"a","allowed_domains":[]}"#);
        assert_eq!(Editor::fitting("WebSearch", &search), Editor::Json);
    }
}
