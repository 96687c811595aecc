//! The life of an agent's process: started, interrupted, ended, resumed; and never left behind.
#![cfg(feature = "ssr")]

#[path = "../support/mod.rs"]
mod support;

mod about;
mod archived;
mod changed;
mod conversations;
mod effort;
mod ended;
mod flooding;
mod folders;
mod limits;
mod modes;
mod own_commands;
mod queued;
mod resumed;
mod rewound;
mod started;
mod stopped;
mod timed;
mod unheard;
mod unreadable;
mod unusable;
mod written;
