//! The edge: agents over stdio, the store on disk, the hub that owns changing state, HTTP and the socket.

pub mod agent;
pub mod assets;
pub mod attached;
mod attachment_route;
pub mod auth;
mod changes;
pub mod clock;
pub mod command_line;
mod connections;
pub mod control;
mod conversation_export;
pub mod guard;
mod history_export;
pub mod hub;
pub mod insight;
mod plain_inbox;
mod project_files;
mod router;
pub mod run;
pub mod settings;
mod shell_command;
pub mod store;
mod stream;
pub mod system_words;
mod terminal;

use crate::model::{Code, Refusal};
use hub::Hub;
use leptos::prelude::use_context;

/// The hub, for server functions and for pages drawn on the server.
pub fn hub() -> Result<Hub, Refusal> {
    use_context::<Hub>()
        .ok_or_else(|| Refusal::new(Code::Internal, "The server is not ready. Try again."))
}
