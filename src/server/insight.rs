//! Finds out what a request would do, before a person answers it.

pub mod command;
pub mod file;
