//! In the dialog: what the agent of the chosen project will be able to do. An agent that runs there has said it; else the one
//! that started last, which will hardly differ, but may have other commands of its own.

use crate::api;
use crate::app::live::use_live;
use crate::model::slash::Own;
use crate::model::{Capabilities, ProcessState, ProjectId, SessionId, SessionSummary, slash};
use leptos::prelude::*;
use leptos::task::spawn_local;

#[derive(Clone, Copy)]
pub struct Commands {
    pub known: RwSignal<Capabilities>,
    /// Why a message would not be understood, or a model not be found: said once, for whoever sends it again means it.
    pub doubt: Callback<(String, String), Option<String>>,
}

pub fn learn(is_open: RwSignal<bool>, chosen: Memo<Option<ProjectId>>) -> Commands {
    let live = use_live();
    let known = RwSignal::new(Capabilities::default());
    let is_certain = StoredValue::new(false);
    let doubted = StoredValue::new(None);
    Effect::new(move |_| {
        let project = chosen.get();
        is_certain.set_value(false);
        if !is_open.get() {
            return;
        }
        let one_there = live
            .sessions()
            .with_untracked(|sessions| has_said(sessions, project.as_ref()?));
        spawn_local(async move {
            let found = api::get_capabilities(one_there).await;
            if let Ok(found) = found
                && chosen.try_get_untracked() == Some(project)
            {
                let _ = known.try_set(found);
                let _ = is_certain.try_set_value(one_there.is_some());
            }
        });
    });
    let doubt = Callback::new(move |(text, model): (String, String)| {
        if doubted.with_value(|doubted| doubted.as_ref() == Some(&(text.clone(), model.clone()))) {
            return None;
        }
        let known = known.read_untracked();
        let of_the_text = || match is_for_a_session(&text, &known) {
            Some(words) => Some(words),
            None if is_certain.get_value() => slash::doubt(&text, &known),
            None => None,
        };
        let words = no_such_model(&model, &known).or_else(of_the_text)?;
        doubted.set_value(Some((text, model)));
        Some(words)
    });
    Commands { known, doubt }
}

fn no_such_model(model: &str, known: &Capabilities) -> Option<String> {
    let named = Some(model).filter(|model| !model.is_empty());
    let words = known.no_such_model(named?)?;
    Some(format!(
        "{words} Start the session once more to ask for it all the same."
    ))
}

/// What is done in a session without the agent needs one.
fn is_for_a_session(text: &str, known: &Capabilities) -> Option<String> {
    let what = match slash::own(text, known) {
        Some(Own::Plans(what)) if what.is_empty() => "/plan wants to know what is to be planned.",
        Some(Own::Plans(_) | Own::ChoosesModel(_) | Own::ChoosesEffort(_) | Own::TakesUp) => {
            return None;
        }
        Some(_) => "This is answered in a session: begin one with a message, and ask there.",
        None if text.len() > 1 && text.starts_with('!') => {
            "A command of your own runs in a session: begin one with a message, and run it there."
        }
        None => return None,
    };
    Some(format!("{what} {}", slash::ONCE_MORE))
}

/// A session of this project whose agent runs and has greeted.
fn has_said(sessions: &[SessionSummary], project: &ProjectId) -> Option<SessionId> {
    let mut here = sessions
        .iter()
        .filter(|session| session.project_id == *project);
    let said = here.find(|session| {
        let process = session.process.as_ref();
        process.is_some_and(|process| process.is_alive() && process.state != ProcessState::Starting)
    });
    said.map(|session| session.session_id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;

    #[test]
    fn a_model_that_the_agent_does_not_list_is_told_before_a_session_begins() {
        let listed = Capabilities {
            models: vec![Model {
                value: "opus".to_owned(),
                ..Model::default()
            }],
            ..Capabilities::default()
        };
        let words = no_such_model("opsu", &listed).expect("not listed");
        assert!(
            words.contains("it has opus.") && words.contains("once more"),
            "{words}"
        );
        for fine in ["", "opus", "claude-opus-9"] {
            assert_eq!(no_such_model(fine, &listed), None, "{fine}");
        }
    }

    #[test]
    fn what_needs_a_session_is_told_before_it_is_sent_as_words() {
        let known = Capabilities::default();
        let told = |text: &str| is_for_a_session(text, &known);
        for text in ["/permissions", "/diff", "/plan", "!pwd"] {
            let words = told(text).expect(text);
            assert!(words.ends_with("as it is."), "{words}");
        }
        for text in [
            "/plan the garden",
            "/resume",
            "/model opus",
            "/init",
            "!",
            "Hello!",
        ] {
            assert_eq!(told(text), None, "{text}");
        }
    }
}
