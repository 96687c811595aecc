//! The login: a plain form, drawn on the server. The program is not loaded for it: whoever opens the printed link is
//! through at once, and loads it with the page that follows. Nothing of the app is shown.

use super::ui::icon::Logo;
use crate::model::LoginFailure;
use leptos::nonce::use_nonce;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

pub const PATH: &str = "/login";

/// The printed link carries the code in its fragment, which never reaches a log. It is taken out of the address bar and the
/// history, and posted as if it had been typed.
const REDEEM: &str = r##"
const { hash, pathname, search } = location;
const code = hash.startsWith("#code=") ? hash.slice("#code=".length) : "";
if (code) {
  history.replaceState(null, "", pathname + search);
  const form = document.querySelector("form.login-card");
  form.elements.code.value = code;
  form.querySelector("button").disabled = true;
  form.querySelector(".spinner").hidden = false;
  form.submit();
}
"##;

#[component]
pub fn LoginPage() -> impl IntoView {
    let query = use_query_map();
    // whatever else the address says is nothing of ours
    let error = move || {
        let word = query.read().get("error")?;
        LoginFailure::from_word(&word).map(LoginFailure::sentence)
    };
    view! {
        <Title text="Log in · Countersign" />
        <main class="login">
            <form class="login-card" method="post" action=PATH>
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
                    />
                </div>
                <button type="submit" class="primary">
                    <span class="spinner" aria-hidden="true" hidden></span>
                    "Log in"
                </button>
                <p class="hint">
                    "The link is in the terminal where the server runs. Each works once. For a new one, run "
                    <code>"countersign login-link"</code> " on that machine, or start the server again."
                </p>
            </form>
        </main>
        <script type="module" nonce=use_nonce()>
            {REDEEM}
        </script>
    }
}
