//! What an agent asks, from its line on stdout to the answer on its stdin: one file per kind of thing that can happen.
#![cfg(feature = "ssr")]

#[path = "../support/mod.rs"]
mod support;

mod alone;
mod answered;
mod cut_off;
mod ended;
mod insight;
mod noted;
mod plans;
mod policies;
mod questions;
mod raced;
mod refused;
mod several;
mod steered;
