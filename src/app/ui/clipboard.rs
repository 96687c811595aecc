//! The clipboard, where a browser offers it: on this machine, and elsewhere only over HTTPS.

use js_sys::futures::JsFuture;
use js_sys::{Function, Promise, Reflect};
use leptos::prelude::window;
use web_sys::wasm_bindgen::JsCast;

/// None where it is not offered, and where the browser did not take it: that is told later than it is asked.
pub async fn give(text: &str) -> Option<()> {
    let clipboard = Reflect::get(&window().navigator(), &"clipboard".into()).ok()?;
    let write = Reflect::get(&clipboard, &"writeText".into()).ok()?;
    let write: Function = write.dyn_into().ok()?;
    let taken = write.call1(&clipboard, &text.into()).ok()?;
    let taken: Promise = taken.dyn_into().ok()?;
    JsFuture::from(taken).await.ok().map(drop)
}
