//! Lines to the agent. Each is one JSON object; a malformed one would end it, so they are made here only.

use super::{Awaited, CliId, Protocol, content, list, word};
use crate::model::{MessageId, PermissionMode, ToolUseId};
use crate::server::agent::process::Done;
use crate::server::attached::Attached;
use serde_json::{Value, json};
use tokio::sync::oneshot;

pub const INITIALIZE: &str = "countersign-initialize";

/// The greeting; its answer is the sign that the agent is ready. Since we can stop a task by itself, the end of a turn does
/// not end what works in the background.
pub fn initialize() -> String {
    control(
        INITIALIZE,
        &json!({
            "subtype": "initialize",
            "hooks": null,
            "forwardSubagentText": true,
            "perTaskStopAffordance": true,
        }),
    )
}

pub fn refuse(cli_id: &CliId, subtype: &str) -> String {
    let error = format!("Countersign does not know the request \"{subtype}\"");
    failed(cli_id, &error, "unsupported_request")
}

/// The answer to a request that nothing was done about.
pub fn failed(cli_id: &CliId, error: &str, code: &str) -> String {
    json!({
        "type": "control_response",
        "response": {
            "subtype": "error",
            "request_id": cli_id,
            "error": error,
            "error_code": code,
        },
    })
    .to_string()
}

impl Protocol {
    pub fn user_message(&mut self, id: MessageId, text: &str, files: &[Attached]) -> String {
        self.note_effort_asked_for(id, text);
        json!({
            "type": "user",
            "message": {"role": "user", "content": content::message_content(text, files)},
            "parent_tool_use_id": null,
            "session_id": "",
            "uuid": self.names.name(id),
        })
        .to_string()
    }

    /// Ends the turn, and nothing that is queued begins: who stops it wants to say something else. When the turn is over
    /// and only what it left in the background is at work, that is what is to be stopped.
    pub fn interrupt(&mut self) -> Vec<String> {
        let id = self.next_request();
        self.awaited.insert(id.clone(), Awaited::Interrupt);
        let mut lines = vec![control(
            &id,
            &json!({"subtype": "interrupt", "cancel_queued": true}),
        )];
        if self.turn_is_over {
            let tasks = list(&self.background).iter();
            let tasks: Vec<String> = tasks.map(|task| word(task, "task_id").to_owned()).collect();
            for task in tasks {
                let id = self.next_request();
                lines.push(control(&id, &stop(&task)));
            }
        }
        lines
    }

    /// Nothing depends on the answer: an older one may not know how to.
    pub fn rename(&mut self, title: &str) -> String {
        let id = self.next_request();
        control(
            &id,
            &json!({"subtype": "rename_session", "title": title, "source": "host"}),
        )
    }

    /// Ends what this call began and what goes on in the background.
    pub fn stop_task(&mut self, call: &ToolUseId, done: Done) -> Option<String> {
        let Some(task) = self.subagent_of_call.get(&call.0).cloned() else {
            let _ = done.send(Err("it has ended already".to_owned()));
            return None;
        };
        let id = self.next_request();
        let line = control(&id, &stop(&task));
        self.awaited.insert(id, Awaited::Task(done));
        Some(line)
    }

    /// The turn goes on without the result of this call, which runs on.
    pub fn move_to_background(&mut self, call: &ToolUseId, done: Done) -> String {
        let id = self.next_request();
        let line = control(
            &id,
            &json!({"subtype": "background_tasks", "tool_use_id": call.0}),
        );
        self.awaited.insert(id, Awaited::Task(done));
        line
    }

    pub fn set_mode(&mut self, mode: PermissionMode, done: Done) -> String {
        let id = self.next_request();
        let line = control(
            &id,
            &json!({"subtype": "set_permission_mode", "mode": mode.word()}),
        );
        self.awaited.insert(id, Awaited::Mode(mode, done));
        line
    }

    /// Without a name it goes back to its own choice.
    pub fn set_model(&mut self, model: Option<String>, done: Done) -> String {
        let id = self.next_request();
        let line = control(&id, &json!({"subtype": "set_model", "model": model}));
        self.awaited.insert(id, Awaited::Model(done));
        line
    }

    pub fn cancel_message(
        &mut self,
        message_id: MessageId,
        done: oneshot::Sender<Result<bool, String>>,
    ) -> String {
        let id = self.next_request();
        let line = control(
            &id,
            &json!({"subtype": "cancel_async_message", "message_uuid": self.names.agents(message_id)}),
        );
        self.awaited.insert(id, Awaited::Cancel(message_id, done));
        line
    }

    pub(super) fn next_request(&mut self) -> String {
        self.next_id += 1;
        format!("countersign-{}", self.next_id)
    }
}

fn stop(task: &str) -> Value {
    json!({"subtype": "stop_task", "task_id": task})
}

pub(super) fn control(id: &str, request: &Value) -> String {
    json!({"type": "control_request", "request_id": id, "request": request}).to_string()
}
