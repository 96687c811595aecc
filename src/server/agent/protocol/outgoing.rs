//! Lines to the agent. Each is one JSON object; a malformed one would end it, so they are made here only.

use super::{Awaited, Done, Protocol, content};
use crate::model::{MessageId, PermissionMode};
use crate::server::attached::Attached;
use serde_json::{Value, json};
use tokio::sync::oneshot;

pub const INITIALIZE: &str = "countersign-initialize";

/// The greeting; its answer is the sign that the agent is ready.
pub fn initialize() -> String {
    control(
        INITIALIZE,
        &json!({"subtype": "initialize", "hooks": null, "forwardSubagentText": true}),
    )
}

pub fn user_message(message_id: MessageId, text: &str, files: &[Attached]) -> String {
    json!({
        "type": "user",
        "message": {"role": "user", "content": content::message_content(text, files)},
        "parent_tool_use_id": null,
        "session_id": "",
        "uuid": message_id,
    })
    .to_string()
}

pub fn refuse(cli_id: &str, subtype: &str) -> String {
    json!({
        "type": "control_response",
        "response": {
            "subtype": "error",
            "request_id": cli_id,
            "error": format!("Countersign does not know the request \"{subtype}\""),
            "error_code": "unsupported_request",
        },
    })
    .to_string()
}

impl Protocol {
    /// Ends the turn; what is queued is taken up next.
    pub fn interrupt(&mut self) -> String {
        self.interrupt_with(&json!({"subtype": "interrupt"}))
    }

    /// Ends the turn, and nothing new begins.
    pub fn interrupt_for_good(&mut self) -> String {
        self.interrupt_with(&json!({"subtype": "interrupt", "cancel_queued": true}))
    }

    fn interrupt_with(&mut self, request: &Value) -> String {
        let id = self.next_request();
        self.awaited.insert(id.clone(), Awaited::Interrupt);
        control(&id, request)
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
            &json!({"subtype": "cancel_async_message", "message_uuid": message_id}),
        );
        self.awaited.insert(id, Awaited::Cancel(message_id, done));
        line
    }

    fn next_request(&mut self) -> String {
        self.next_id += 1;
        format!("countersign-{}", self.next_id)
    }
}

fn control(id: &str, request: &Value) -> String {
    json!({"type": "control_request", "request_id": id, "request": request}).to_string()
}
