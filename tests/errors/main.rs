//! What goes wrong is said in a sentence, with the right code, and stops nothing else.
#![cfg(feature = "ssr")]

#[path = "../support/mod.rs"]
mod support;

mod frames;
mod requests;
mod starting;
