//! What the browser shows: the document, the frame around every page, and the pages. Rendered on the server first,
//! then taken over in the browser. Components hold no rule about what is allowed; those are in [`crate::desk`].

pub mod archived_page;
pub mod attachments;
pub mod attention;
pub mod batch;
mod coming_to_life;
pub mod draft;
pub mod frame;
pub mod history_page;
pub mod inbox_page;
pub mod live;
pub mod login_page;
pub mod markdown;
pub mod message_input;
pub mod new_session;
pub mod on_demand;
pub mod pending;
pub mod plain_page;
mod put_away;
pub mod refused_send;
pub mod session_page;
pub mod sidebar;
pub mod transcript;
pub mod ui;

use crate::api::first_picture;
use crate::model::Boot;
use coming_to_life::{LoadProgram, LoadSecondPiece, TakeOver};
use frame::Frame;
use inbox_page::InboxPage;
use leptos::nonce::use_nonce;
use leptos::prelude::*;
use leptos_meta::{MetaTags, Title, provide_meta_context};
use leptos_router::components::{FlatRoutes, Route, Router};
use leptos_router::hooks::use_location;
use leptos_router::location::RequestUrl;
use leptos_router::{SsrMode, path};
use live::Live;
use login_page::LoginPage;
use on_demand::{OnDemand, Part};

/// The document around the app.
pub fn shell(options: LeptosOptions) -> impl IntoView {
    // the inbox answers without a script, too, on a page of its own
    let address = use_context::<RequestUrl>().and_then(|address| address.parse().ok());
    let path = address.map_or_else(String::new, |address| address.path().to_owned());
    let (is_inbox, is_login) = (path == "/", path == login_page::PATH);
    let style = format!("/{}/{}.css", options.site_pkg_dir, options.output_name);
    view! {
        <!DOCTYPE html>
        <html lang="en">
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
                <meta name="color-scheme" content="light dark" />
                {(!is_login)
                    .then(|| {
                        view! {
                            <LoadProgram options=options.clone() />
                            <LoadSecondPiece options=options.clone() path />
                        }
                    })}
                <script nonce=use_nonce()>{sidebar::BEFORE_FIRST_PAINT}</script>
                <link rel="stylesheet" id="leptos" href=style />
                <link rel="icon" type="image/svg+xml" href="/favicon.svg" />
                <AutoReload options />
                {(!is_login).then(|| view! { <TakeOver /> })}
                <MetaTags />
                {is_inbox
                    .then(|| {
                        view! {
                            <noscript>
                                <meta http-equiv="refresh" content="0; url=/plain" />
                            </noscript>
                        }
                    })}
            </head>
            <body>
                <App />
            </body>
        </html>
    }
}

#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    view! {
        <Router>
            <Pages />
        </Router>
    }
}

/// The pages, and around all but the login the frame with everything that is live. Whoever is not logged in gets
/// no first picture and opens no socket. The login is left by a whole new page, so looking once is enough.
#[component]
fn Pages() -> impl IntoView {
    mark_as_hydrated();
    if use_location().pathname.get_untracked() == login_page::PATH {
        return view! { <Routes /> }.into_any();
    }
    // before anything is built: the way to the server takes as long as taking the page over
    let mut opened = (!is_server()).then(live::socket::open).flatten();
    let boot: Boot = SharedValue::new(first_picture::boot).into_inner();
    let live = Live::new(boot);
    provide_context(live);
    provide_context(attachments::Trays::default());
    Effect::new(move |_| live::socket::start(live, opened.take()));
    let title = move |page: String| {
        let page = in_title(page);
        match live.waiting().read().len() {
            0 => format!("{page} · Countersign"),
            waiting => format!("({waiting}) {page} · Countersign"),
        }
    };
    view! {
        <Title formatter=title />
        <Frame>
            <Routes />
        </Frame>
    }
    .into_any()
}

/// leptos_meta writes the title into the document as it is, and an agent may have named the session: what would end the
/// element must not. In the browser a title is only ever text.
fn in_title(words: String) -> String {
    if !is_server() {
        return words;
    }
    words
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[component]
fn Routes() -> impl IntoView {
    // Async: whole pages, also for a browser that runs no script
    view! {
        <FlatRoutes fallback=NotFound>
            <Route path=path!("/") view=InboxPage ssr=SsrMode::Async />
            <Route path=path!("/session/:id") view=|| view! { <OnDemand part=Part::SessionPage /> } ssr=SsrMode::Async />
            <Route path=path!("/archived") view=|| view! { <OnDemand part=Part::ArchivedPage /> } ssr=SsrMode::Async />
            <Route path=path!("/history") view=|| view! { <OnDemand part=Part::HistoryPage /> } ssr=SsrMode::Async />
            <Route path=path!("/login") view=LoginPage ssr=SsrMode::Async />
        </FlatRoutes>
    }
}

#[component]
fn NotFound() -> impl IntoView {
    first_picture::not_found();
    view! {
        <Title text="Not found" />
        <main class="main" id="content">
            <div class="empty">
                <ui::icon::Logo />
                <h1>"There is no such page"</h1>
                <p>"The address may be mistyped, or the session was removed."</p>
                <a class="button primary" href="/">"Back to the inbox"</a>
            </div>
        </main>
    }
}

/// A sign for scripts and tests: from here on the page answers.
fn mark_as_hydrated() {
    Effect::new(|_| {
        if let Some(root) = document().document_element() {
            let _ = root.set_attribute("data-hydrated", "true");
        }
    });
}
