//! How a page that the server drew comes to life in the browser. leptos has a component for it, whose one script waits until
//! the whole page is read and styled before it begins to load the program; these two begin with the first line of the page,
//! and take it over when it is read.

use leptos::nonce::use_nonce;
use leptos::prelude::*;

/// First of all in the head: loads the program while the page is still being read. It must stand before the style sheet,
/// which holds up every script after it.
#[component]
pub fn LoadProgram(options: LeptosOptions) -> impl IntoView {
    let program = format!("/{}/{}", options.site_pkg_dir, options.output_name);
    let (script, module) = (format!("{program}.js"), format!("{program}.wasm"));
    // compiled while it comes, and while the script around it comes
    let load = format!(
        "globalThis.program = (async () => {{ \
         const module = WebAssembly.compileStreaming(fetch({module:?})); \
         const program = await import({script:?}); \
         await program.default({{ module_or_path: await module }}); \
         return program; }})();"
    );
    view! { <script nonce=use_nonce()>{load}</script> }
}

/// Takes the page over. A module: it runs when the page is read and its styles are there.
#[component]
pub fn TakeOver() -> impl IntoView {
    view! {
        <script type="module" nonce=use_nonce()>
            "program.then((program) => program.hydrate());"
        </script>
    }
}
