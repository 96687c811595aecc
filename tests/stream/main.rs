//! What flows to clients: the events of a session in order, text while it is written, and a first picture in HTML.
//! A client that does not keep up harms nobody but itself.
#![cfg(feature = "ssr")]

#[path = "../support/mod.rs"]
mod support;

mod behind;
mod flood;
mod pages;
mod partial;
mod watched;
