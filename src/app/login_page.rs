//! The login: a plain form, so that it works without WASM. The printed link carries the code in its fragment, which
//! never reaches a log; here it is taken out of the address bar and posted. Nothing of the app is shown.

use super::ui::icon::Logo;
use leptos::html;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;
use web_sys::wasm_bindgen::JsValue;

#[component]
pub fn LoginPage() -> impl IntoView {
    let query = use_query_map();
    let error = move || query.read().get("error").map(|code| in_words(&code));
    let form = NodeRef::<html::Form>::new();
    let field = NodeRef::<html::Input>::new();
    let is_sent = RwSignal::new(false);
    Effect::new(move |_| {
        let (Some(form), Some(field)) = (form.get(), field.get()) else {
            return;
        };
        if let Some(code) = code_from_address_bar() {
            field.set_value(&code);
            is_sent.set(true);
            let _ = form.submit();
        }
    });
    view! {
        <Title text="Log in · Countersign" />
        <main class="login">
            <form class="login-card" method="post" action="/login" node_ref=form>
                <h1 class="brand">
                    <Logo />
                    "Countersign"
                </h1>
                <p>"Open the link that Countersign printed when it started, or type its code here."</p>
                {move || error().map(|words| view! { <p class="refusal" role="alert">{words}</p> })}
                <div class="field">
                    <label for="login-code">"Login code"</label>
                    <input
                        id="login-code"
                        class="mono"
                        name="code"
                        type="text"
                        required
                        autocomplete="off"
                        autocapitalize="off"
                        spellcheck="false"
                        node_ref=field
                    />
                </div>
                <button type="submit" class="primary" disabled=move || is_sent.get()>
                    <span class="spinner" aria-hidden="true" hidden=move || !is_sent.get()></span>
                    "Log in"
                </button>
                <p class="hint">
                    "The link is in the terminal where the server runs. Each works once. For a new one, run "
                    <code>"countersign login-link"</code> " on that machine, or start the server again."
                </p>
            </form>
        </main>
    }
}

/// Takes the code out of `#code=…`, and the fragment out of the address bar and the history.
fn code_from_address_bar() -> Option<String> {
    let location = window().location();
    let code = code_in(&location.hash().ok()?)?;
    let address = format!("{}{}", location.pathname().ok()?, location.search().ok()?);
    let history = window().history().ok()?;
    let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&address));
    Some(code)
}

fn code_in(fragment: &str) -> Option<String> {
    let code = fragment.strip_prefix("#code=")?;
    (!code.is_empty()).then(|| code.to_owned())
}

fn in_words(code: &str) -> &'static str {
    match code {
        "used" => "This code was used already. Each one works once.",
        "expired" => "This code is too old. Start the server again for a new one.",
        "many" => "Too many attempts. Wait a minute and try again.",
        _ => "This code is not right. Is it copied whole?",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_is_read_from_the_fragment() {
        assert_eq!(code_in("#code=abc-123"), Some("abc-123".to_owned()));
        for fragment in ["", "#", "#code=", "#other=abc", "code=abc"] {
            assert_eq!(code_in(fragment), None);
        }
    }

    #[test]
    fn every_error_has_its_sentence() {
        let sentences = ["used", "expired", "wrong", "many"].map(in_words);
        for (index, sentence) in sentences.iter().enumerate() {
            assert!(sentence.ends_with(['.', '?']));
            assert!(!sentences[..index].contains(sentence));
        }
    }
}
