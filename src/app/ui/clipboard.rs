//! The clipboard, where a browser offers it: on this machine, and elsewhere only over HTTPS.

use js_sys::{Function, Reflect};
use leptos::prelude::window;
use web_sys::wasm_bindgen::JsCast;

/// None where it is not offered.
pub fn give(text: &str) -> Option<()> {
    let clipboard = Reflect::get(&window().navigator(), &"clipboard".into()).ok()?;
    let write = Reflect::get(&clipboard, &"writeText".into()).ok()?;
    let write: Function = write.dyn_into().ok()?;
    write.call1(&clipboard, &text.into()).ok().map(drop)
}
