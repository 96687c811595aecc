//! A block of code, and the way to take it along: what is copied is what is on screen, chips and all.

use crate::app::ui::untrusted::Untrusted;
use js_sys::{Function, Reflect};
use leptos::html;
use leptos::prelude::*;
use std::time::Duration;
use web_sys::wasm_bindgen::{JsCast, JsValue};

/// As long as it takes to be seen.
const SAID_FOR: Duration = Duration::from_secs(2);

#[component]
pub fn CodeBlock(language: String, text: String) -> impl IntoView {
    let code = NodeRef::<html::Code>::new();
    let said = RwSignal::new("Copy");
    let copy = move |_| {
        let Some(code) = code.get_untracked() else {
            return;
        };
        said.set(match give_to_the_clipboard(&code) {
            Some(()) => "Copied",
            None => select(&code),
        });
        let again = move || {
            let _ = said.try_set("Copy");
        };
        set_timeout(again, SAID_FOR);
    };
    view! {
        <div class="code-frame">
            <pre class="code-block" data-language=(!language.is_empty()).then_some(language)>
                <code node_ref=code>
                    <Untrusted text />
                </code>
            </pre>
            <button type="button" class="small copy" on:click=copy>
                {said}
            </button>
        </div>
    }
}

/// None where a browser does not offer it: it does on this machine, and elsewhere only over HTTPS.
fn give_to_the_clipboard(code: &web_sys::Element) -> Option<()> {
    let text = code.text_content()?;
    let clipboard = Reflect::get(&window().navigator(), &"clipboard".into()).ok()?;
    let write = Reflect::get(&clipboard, &"writeText".into()).ok()?;
    let write: Function = write.dyn_into().ok()?;
    write.call1(&clipboard, &text.into()).ok().map(drop)
}

/// Then a person copies it with their own keys.
fn select(code: &web_sys::Element) -> &'static str {
    let selected = || {
        let get: Function = Reflect::get(&window(), &"getSelection".into())
            .ok()?
            .dyn_into()
            .ok()?;
        let selection = get.call0(&window()).ok()?;
        let choose = Reflect::get(&selection, &"selectAllChildren".into()).ok()?;
        let choose: Function = choose.dyn_into().ok()?;
        choose.call1(&selection, &JsValue::from(code.clone())).ok()
    };
    match selected() {
        Some(_) => "Selected",
        None => "Copy",
    }
}
