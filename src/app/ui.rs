//! Small parts that every page uses. None of them knows a session or a request.

pub mod age;
pub mod button;
pub mod clipboard;
pub mod dialog_head;
pub mod direction;
pub mod focus;
pub mod icon;
pub mod inert;
pub mod keys;
pub mod layout;
pub mod pointer;
pub mod show;
pub mod untrusted;

pub use button::SubmitButton;
pub use untrusted::{Untrusted, Words};
