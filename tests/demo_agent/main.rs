//! The demo agent as a host meets it: a child process, lines of JSON, and files on disk.
//!
//! Every test waits for what it expects to read and fails when it does not come; none waits for a time to pass.
#![cfg(feature = "ssr")]

mod agent;
mod home;
mod lines;

mod at_once;
mod commands;
mod ended;
mod files;
mod interrupted;
mod meanwhile;
mod modes;
mod own_commands;
mod plans;
mod questions;
mod refused;
mod resumed;
mod started;
mod streamed;
mod subagents;
mod tools;
mod transcript;
mod trouble;
