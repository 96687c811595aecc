//! Claude Code itself, driven through the real server. Its model follows a script (`support/messages_api`), its tools
//! are real: what is approved runs, inside the folder of the test.
#![cfg(feature = "ssr")]

#[path = "../support/mod.rs"]
mod support;

mod about;
mod archived;
mod aside;
mod cleared;
mod commands;
mod content;
mod controlled;
mod effort;
mod ended;
mod failed;
mod files;
mod folders;
mod modes;
mod noted;
mod plans;
mod questions;
mod remembered;
mod rewound;
mod several;
mod steered;
mod taken_up;
mod talk;
mod traps;
mod trusted;
mod written;
