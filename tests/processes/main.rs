//! The life of an agent's process: started, interrupted, ended, resumed; and never left behind.
#![cfg(feature = "ssr")]

#[path = "../support/mod.rs"]
mod support;

mod about;
mod conversations;
mod ended;
mod limits;
mod modes;
mod own_commands;
mod queued;
mod resumed;
mod started;
mod stopped;
mod timed;
mod unusable;
