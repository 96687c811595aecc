//! A block of code, and the way to take it along: what is copied is what is on screen, chips and all.

use super::comparison;
use crate::app::ui::clipboard;
use crate::app::ui::untrusted::Untrusted;
use js_sys::{Function, Reflect};
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
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
        spawn_local(async move {
            let text = code.text_content().unwrap_or_default();
            let words = match clipboard::give(&text).await {
                Some(()) => "Copied",
                None => select(&code),
            };
            let _ = said.try_set(words);
            let again = move || {
                let _ = said.try_set("Copy");
            };
            set_timeout(again, SAID_FOR);
        });
    };
    let shown = match language.as_str() {
        "diff" | "patch" => compared(&text),
        _ => vec![view! { <Untrusted text /> }.into_any()],
    };
    view! {
        <div class="code-frame">
            <pre class="code-block" data-language=(!language.is_empty()).then_some(language)>
                <code node_ref=code>{shown}</code>
            </pre>
            <button type="button" class="small copy" on:click=copy>
                {said}
            </button>
        </div>
    }
}

/// Lines that were added or taken out look like it.
fn compared(text: &str) -> Vec<AnyView> {
    comparison::runs(text)
        .into_iter()
        .map(|(kind, text)| {
            let class = match kind {
                '+' => "a",
                '-' => "d",
                '@' => "place",
                _ => "",
            };
            view! {
                <span class=class>
                    <Untrusted text />
                </span>
            }
            .into_any()
        })
        .collect()
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
