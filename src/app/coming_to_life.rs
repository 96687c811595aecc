//! How a page that the server drew comes to life in the browser. leptos has a component for it, whose one script waits until
//! the whole page is read and styled before it begins to load the program; these two begin with the first line of the page,
//! and take it over when it is read.

use super::on_demand;
use crate::api::first_picture;
use leptos::html;
use leptos::nonce::use_nonce;
use leptos::prelude::*;

/// First of all in the head: loads the program while the page is still being read. It must stand before the style sheet,
/// which holds up every script after it.
#[component]
pub fn LoadProgram(options: LeptosOptions) -> impl IntoView {
    let program = format!("/{}/{}", options.site_pkg_dir, options.output_name);
    let (script, module) = (format!("{program}.js"), format!("{program}.wasm"));
    // compiled while it comes, and while the script around it comes; a button that is pressed too early is remembered
    let load = format!(
        "addEventListener(\"click\", (event) => {{ \
         if (document.documentElement.dataset.hydrated) return; \
         globalThis.pressedEarly = {{ button: event.target.closest(\"button[type=button]:enabled\"), at: performance.now() }}; \
         }}, true); \
         globalThis.program = (async () => {{ \
         const module = WebAssembly.compileStreaming(fetch({module:?})); \
         const program = await import({script:?}); \
         await program.default({{ module_or_path: await module }}); \
         return program; }})();"
    );
    view! { <script nonce=use_nonce()>{load}</script> }
}

/// Where a part is drawn, its piece of the program is on its way together with the first one, not after it.
#[component]
pub fn LoadSecondPiece(options: LeptosOptions, path: String) -> impl IntoView {
    if !first_picture::needs_the_second_piece(&path) {
        return None;
    }
    let piece = format!("/{}/{}", options.site_pkg_dir, on_demand::FILE);
    let link = html::link().rel("preload").attr("as", "fetch");
    Some(link.crossorigin("anonymous").href(piece))
}

/// A press is meant for what one saw: after a while it is not done any more.
const TAKE_OVER: &str = "
const { hydrate } = await program;
await hydrate();
const { button, at } = globalThis.pressedEarly ?? {};
if (performance.now() - at < 8000) button?.click();
";

/// Takes the page over. A module: it runs when the page is read and its styles are there.
#[component]
pub fn TakeOver() -> impl IntoView {
    view! {
        <script type="module" nonce=use_nonce()>
            {TAKE_OVER}
        </script>
    }
}
