//! The small menu beside the theme: a sound and how loud, notifications of the desktop. The browser is asked for its
//! permission when the person switches them on, and not before.

use super::preferences::Preferences;
use crate::app::ui::icon::Bell;
use crate::app::ui::show::Show;
use leptos::html;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsValue;
use leptos::wasm_bindgen::closure::Closure;
use web_sys::{Notification, NotificationPermission};

#[component]
pub fn AttentionSwitches(preferences: Preferences) -> impl IntoView {
    let menu = NodeRef::<html::Details>::new();
    let refused = RwSignal::new(false);
    let chosen = Memo::new(move |_| preferences.chosen());
    let close_on_escape = move |event: web_sys::KeyboardEvent| {
        if event.key() == "Escape"
            && let Some(menu) = menu.get_untracked()
        {
            event.stop_propagation();
            let _ = menu.remove_attribute("open");
        }
    };
    let sound = move |event| {
        let on = event_target_checked(&event);
        preferences.choose(|chosen| chosen.sound = on);
        preferences.ring();
    };
    let volume = move |event| {
        let volume = event_target_value(&event).parse().unwrap_or(0);
        preferences.choose(|chosen| chosen.volume = volume);
        preferences.ring();
    };
    let notifications = move |event| {
        let on = event_target_checked(&event);
        refused.set(false);
        preferences.choose(|chosen| chosen.notifications = on);
        if on {
            ask_the_browser(preferences, refused);
        }
    };
    view! {
        <details class="menu attention" node_ref=menu on:keydown=close_on_escape>
            <summary class="icon-button" aria-label="Attention" title="How you are called when something waits">
                <Bell />
            </summary>
            <div class="menu-body">
                <label class="choice">
                    <input
                        type="checkbox"
                        class="switch"
                        prop:checked=move || chosen.get().sound
                        on:change=sound
                    />
                    "Sound"
                </label>
                <label class="choice">
                    <span>"Volume"</span>
                    <input
                        type="range"
                        min="5"
                        max="100"
                        step="5"
                        disabled=move || !chosen.get().sound
                        prop:value=move || chosen.get().volume.to_string()
                        on:change=volume
                    />
                </label>
                <label class="choice">
                    <input
                        type="checkbox"
                        class="switch"
                        prop:checked=move || chosen.get().notifications
                        on:change=notifications
                    />
                    "Desktop notifications"
                </label>
                <Show when=move || refused.get()>
                    <p class="refusal" role="alert">
                        "The browser does not allow notifications here. Allow them for this site in its settings, and switch them on again."
                    </p>
                </Show>
            </div>
        </details>
    }
}

fn ask_the_browser(preferences: Preferences, refused: RwSignal<bool>) {
    let done = move || {
        if Notification::permission() != NotificationPermission::Granted {
            preferences.choose(|chosen| chosen.notifications = false);
            let _ = refused.try_set(true);
        }
    };
    match Notification::request_permission() {
        Ok(asked) => {
            let answered = Closure::once(move |_: JsValue| done());
            let _ = asked.then(&answered);
            answered.forget();
        }
        Err(_) => done(),
    }
}
