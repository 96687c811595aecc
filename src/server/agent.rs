//! The programs behind the sessions: finding one, starting it, understanding it. Above this folder nobody knows
//! whether it is Claude Code or the demo agent, nor how its lines look.

mod birth;
pub mod demo;
pub mod elsewhere;
mod granted;
mod launch;
pub mod leftovers;
mod lines;
mod process;
mod program;
mod protocol;
pub mod registry;
pub mod settings_files;
mod settings_text;
pub mod telling;
pub mod text_file;
pub mod tree;
pub mod trust;
mod version;

pub use launch::{Conversation, Launch, passed_on};
pub use process::{Heard, InBackground, Order, TaskEnd, run};
pub use program::{AgentChoice, AgentProgram};
pub use protocol::written::Written;
pub use protocol::{Question, about, rewind, so_far};
