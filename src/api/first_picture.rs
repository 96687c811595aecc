//! What a page is first drawn from. On the server the real state, read at once; in the browser it comes with the HTML
//! (see `SharedValue`), and a page opened later starts empty and is filled by the socket.

use crate::model::{Boot, Event, HistoryFilter, HistoryPage, SessionId, SessionSummary};

#[cfg(feature = "ssr")]
pub fn boot() -> Boot {
    crate::server::hub()
        .map(|hub| hub.boot())
        .unwrap_or_default()
}

#[cfg(not(feature = "ssr"))]
pub fn boot() -> Boot {
    Boot::default()
}

/// Whether the page at this path shows something that is in the second piece of the program, if there are two.
#[cfg(feature = "ssr")]
pub fn needs_the_second_piece(path: &str) -> bool {
    use crate::app::on_demand;
    let shows_a_part = match path {
        "/" => crate::server::hub().is_ok_and(|hub| hub.anything_waits()),
        page => on_demand::is_a_part(page),
    };
    shows_a_part && crate::server::assets::has(on_demand::FILE)
}

#[cfg(not(feature = "ssr"))]
pub fn needs_the_second_piece(_path: &str) -> bool {
    false
}

/// The newest page of a session's events.
#[cfg(feature = "ssr")]
pub fn newest_events(session_id: SessionId) -> Vec<Event> {
    crate::server::hub()
        .map(|hub| hub.newest_events(session_id))
        .unwrap_or_default()
}

#[cfg(not(feature = "ssr"))]
pub fn newest_events(_session_id: SessionId) -> Vec<Event> {
    Vec::new()
}

/// The archived sessions. None in the browser, which asks for them.
#[cfg(feature = "ssr")]
pub fn archived() -> Option<Vec<SessionSummary>> {
    let hub = crate::server::hub();
    Some(hub.map(|hub| hub.archived()).unwrap_or_default())
}

#[cfg(not(feature = "ssr"))]
pub fn archived() -> Option<Vec<SessionSummary>> {
    None
}

/// That one of them; none when it is not archived.
pub fn of_archive(id: SessionId) -> Option<Vec<SessionSummary>> {
    let mut found = archived()?;
    found.retain(|session| session.session_id == id);
    Some(found)
}

/// A page of the history. None in the browser, which asks for it.
#[cfg(feature = "ssr")]
pub fn history(filter: &HistoryFilter) -> Option<HistoryPage> {
    let hub = crate::server::hub();
    Some(hub.map(|hub| hub.history_now(filter)).unwrap_or_default())
}

#[cfg(not(feature = "ssr"))]
pub fn history(_filter: &HistoryFilter) -> Option<HistoryPage> {
    None
}

/// The page that is being made is to have the status 404.
#[cfg(feature = "ssr")]
pub fn not_found() {
    if let Some(response) = leptos::prelude::use_context::<leptos_axum::ResponseOptions>() {
        response.set_status(axum::http::StatusCode::NOT_FOUND);
    }
}

#[cfg(not(feature = "ssr"))]
pub fn not_found() {}
