//! Countersign runs Claude Code sessions from the browser and puts every request they make in front of a person.
//!
//! The map, in the order a request travels:
//! - [`model`]: the words that server and browser share.
//! - [`desk`]: the rules, pure. Who may answer what, once, until when.
//! - `server`: the edge. Agents over stdio, the store, the hub that owns changing state, HTTP and the socket.
//! - [`api`]: the server functions, a few lines each.
//! - [`app`]: what the browser shows, rendered on the server first.
//!
//! `ARCHITECTURE.md` walks one request through these rooms.
#![recursion_limit = "512"]

pub mod api;
pub mod app;
pub mod desk;
pub mod model;
#[cfg(feature = "ssr")]
pub mod server;

#[cfg(feature = "hydrate")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub async fn hydrate() {
    console_error_panic_hook::set_once();
    app::on_demand::load_what_is_shown().await;
    leptos::mount::hydrate_body(app::App);
}
