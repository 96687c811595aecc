//! Several requests answered at once: after a table that lists exactly what will run. Each is answered by itself, with the
//! fingerprint of what the table showed, so one that changed or was answered elsewhere is refused and the others are not.

mod dialog;

pub use dialog::BatchDialog;

use crate::app::live::Waiting;
use crate::app::pending::payload::has_odd_characters;
use crate::model::{PendingRequest, RequestId, RequestType};
use leptos::prelude::*;

/// The one dialog for it, opened from anywhere.
#[derive(Clone, Copy, Default)]
pub struct Batch {
    listed: RwSignal<Option<Listed>>,
}

#[derive(Clone, PartialEq)]
struct Listed {
    /// Why these, in words.
    why: String,
    /// The rules that cover them, if that is why. Then they may be allowed or left, for nobody asked to deny them.
    rules: Vec<String>,
    requests: Vec<Waiting>,
}

impl Batch {
    pub fn is_open(self) -> Signal<bool> {
        Signal::derive(move || self.listed.read().is_some())
    }

    pub fn open(self, why: String, requests: Vec<Waiting>) {
        self.list(why, Vec::new(), requests);
    }

    /// What rules that were just remembered would have allowed.
    pub fn offer_covered(self, rules: Vec<String>, requests: Vec<Waiting>) {
        let why = match rules.len() {
            0 | 1 => "The rule covers these, too",
            _ => "The rules cover these, too",
        };
        self.list(why.to_owned(), rules, requests);
    }

    fn list(self, why: String, rules: Vec<String>, requests: Vec<Waiting>) {
        self.listed.set(Some(Listed {
            why,
            rules,
            requests,
        }));
    }

    pub fn close(self) {
        self.listed.set(None);
    }
}

/// May be answered together with others of its kind. What wants a close look is answered by itself.
pub fn can_be_listed(request: &PendingRequest) -> bool {
    request.request_type == RequestType::ToolApproval
        && !request.grounds.default_to_no
        && !request.grounds.requires_user_interaction
        && !has_odd_characters(&request.tool_input)
}

/// Those who are picked in the inbox.
#[derive(Clone, Copy, Default)]
pub struct Selection {
    picked: RwSignal<Vec<RequestId>>,
}

impl Selection {
    pub fn has(self, id: RequestId) -> bool {
        self.picked.read().contains(&id)
    }

    pub fn pick(self, id: RequestId, on: bool) {
        self.picked.update(|picked| {
            picked.retain(|other| *other != id);
            if on {
                picked.push(id);
            }
        });
    }

    /// All that may be answered together with what is picked.
    pub fn all_alike(self, waiting: &[Waiting]) -> Vec<RequestId> {
        let alike = waiting
            .iter()
            .filter(|one| self.may_join(waiting, &one.request));
        alike.map(|one| one.request.request_id).collect()
    }

    pub fn pick_all(self, all: Vec<RequestId>) {
        self.picked.set(all);
    }

    pub fn clear(self) {
        self.picked.set(Vec::new());
    }

    /// Those that still wait, in the order of the inbox.
    pub fn still_waiting(self, waiting: &[Waiting]) -> Vec<Waiting> {
        let picked = self.picked.read();
        let is_picked = |one: &&Waiting| picked.contains(&one.request.request_id);
        waiting.iter().filter(is_picked).cloned().collect()
    }

    /// Only what is of the same kind is answered at once: commands with commands, files with files.
    pub fn may_join(self, waiting: &[Waiting], request: &PendingRequest) -> bool {
        let picked = self.still_waiting(waiting);
        can_be_listed(request)
            && picked
                .first()
                .is_none_or(|first| first.request.tool_name == request.tool_name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::samples;
    use crate::model::{ProjectId, SessionId};

    fn waiting(tool_name: &str, input: serde_json::Value) -> Waiting {
        let mut request = samples::plain_request();
        request.request_id = RequestId::random();
        request.tool_name = tool_name.to_owned();
        request.tool_input = serde_json::from_value(input).expect("an input");
        Waiting {
            session_id: SessionId::random(),
            project_id: ProjectId::from("/code/api"),
            title: "A title".to_owned(),
            request,
            position: 1,
            of: 1,
        }
    }

    #[test]
    fn only_the_same_kind_joins_and_what_is_gone_is_forgotten() {
        Owner::new().with(|| {
            let all = [
                waiting("Bash", serde_json::json!({"command": "ls"})),
                waiting("Bash", serde_json::json!({"command": "pwd"})),
                waiting("Write", serde_json::json!({"file_path": "/code/api/a"})),
            ];
            let selection = Selection::default();
            let joins = |index: usize| selection.may_join(&all, &all[index].request);
            assert!(joins(0) && joins(2), "anything may be the first");
            selection.pick(all[1].request.request_id, true);
            assert!(joins(0) && !joins(2));
            let alike = [all[0].request.request_id, all[1].request.request_id];
            assert_eq!(selection.all_alike(&all), alike);
            assert_eq!(selection.still_waiting(&all).len(), 1);
            assert!(selection.still_waiting(&all[2..]).is_empty());
            assert!(
                selection.may_join(&all[2..], &all[2].request),
                "a new beginning"
            );
            selection.pick(all[1].request.request_id, false);
            assert!(joins(2));
        });
    }

    #[test]
    fn what_wants_a_close_look_is_answered_by_itself() {
        let plain = waiting("Bash", serde_json::json!({"command": "ls"})).request;
        assert!(can_be_listed(&plain));
        let hidden = waiting("Bash", serde_json::json!({"command": "l\u{200b}s"})).request;
        assert!(!can_be_listed(&hidden));
        let mut careful = plain.clone();
        careful.grounds.default_to_no = true;
        assert!(!can_be_listed(&careful));
        let mut question = plain.clone();
        question.request_type = RequestType::AskUserQuestion;
        assert!(!can_be_listed(&question));
    }
}
