//! What a conversation holds besides words: files of a person, pictures of a tool, lists, subagents, and what happened
//! long ago.
#![cfg(feature = "ssr")]

#[path = "../support/mod.rs"]
mod support;

mod earlier;
mod files;
mod limits;
mod pictures;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

/// A whole picture, one grey pixel.
pub const GIF: &[u8] = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x80\x80\x80\x00\x00\x00!\xf9\x04\x00\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;";

pub fn file(name: &str, media_type: &str, content: &[u8]) -> Value {
    json!({"name": name, "media_type": media_type, "data": STANDARD.encode(content)})
}
