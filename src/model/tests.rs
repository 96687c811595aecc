//! The wire form of the shared words as golden JSON, and how a conversation is folded. Compiled for the browser, too.

mod attachments;
mod earlier;
mod folding;
mod golden;
mod messages;

use super::samples::{plain_process, plain_request};
use super::*;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use std::fmt::Debug;
use uuid::Uuid;

pub const SESSION: &str = "00000000-0000-0000-0000-000000000001";
pub const REQUEST: &str = "00000000-0000-0000-0000-000000000002";
pub const MESSAGE: &str = "00000000-0000-0000-0000-000000000003";

pub fn session() -> SessionId {
    SessionId(Uuid::from_u128(1))
}

pub fn request() -> RequestId {
    RequestId(Uuid::from_u128(2))
}

pub fn message() -> MessageId {
    MessageId(Uuid::from_u128(3))
}

pub fn input(value: Value) -> ToolInput {
    ToolInput::from_value(value)
}

/// Written exactly so, and read back to the same; a field nobody knows yet changes nothing.
#[track_caller]
pub fn is_written<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, golden: Value) {
    assert_eq!(serde_json::to_value(value).expect("JSON"), golden);
    let text = serde_json::to_string(value).expect("JSON");
    assert_eq!(&serde_json::from_str::<T>(&text).expect("read back"), value);
    if let Value::Object(mut fields) = golden {
        fields.insert("a_field_of_tomorrow".to_owned(), json!({"any": ["thing"]}));
        let newer = serde_json::from_value::<T>(Value::Object(fields));
        assert_eq!(&newer.expect("an unknown field is ignored"), value);
    }
}

pub fn plain_request_json() -> Value {
    json!({
        "request_id": REQUEST, "request_type": "tool_approval", "tool_name": "Bash",
        "tool_input": {"command": "touch x"}, "created_at": 1000.5,
    })
}

pub fn plain_process_json() -> Value {
    json!({
        "session_id": SESSION, "project_id": "/home/ada/api", "state": "user_turn", "started_at": 1000.0,
        "state_changed_at": 1001.25, "waiting_for_user": false, "queued_messages": 0,
    })
}
