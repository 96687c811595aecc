//! What is around every page: the sidebar (a drawer on a phone), the connection, the dialog for a new session.
//! There is one status and one of every link at a time, whatever the width, so that a screen reader finds each once.

use super::attention::{self, AttentionSwitches};
use super::batch::{Batch, Selection};
use super::inbox_page::Later;
use super::live::{Connection, Live, use_live};
use super::new_session::NewSession;
use super::on_demand::{Arrived, OnceOpened, Part, soon};
use super::put_away::PutAwayLine;
use super::sidebar::{ConnectionStatus, Sidebar, ThemeSwitch};
use super::ui::focus::go_to;
use super::ui::icon::{Close, Inbox, Menu};
use crate::app::ui::show::Show;
use leptos::html;
use leptos::prelude::*;
use leptos::{ev, wasm_bindgen::JsCast};
use leptos_router::components::A;

/// Where the sidebar becomes a drawer; the style sheets say the same.
const NARROW: &str = "(max-width: 760px)";

#[component]
pub fn Frame(children: Children) -> impl IntoView {
    let live = use_live();
    let (new_session, batch) = (NewSession::new(), Batch::default());
    provide_context(new_session);
    provide_context(batch);
    provide_context(Arrived::default());
    provide_context(Selection::default());
    provide_context(Later::of_this_browser());
    forget_the_login_code();
    let preferences = attention::Preferences::of_this_browser();
    attention::attend(live, preferences);
    soon::load(live);
    let open = RwSignal::new(false);
    let narrow = RwSignal::new(false);
    let menu_button = NodeRef::<html::Button>::new();
    let sidebar = NodeRef::<html::Nav>::new();
    let page = NodeRef::<html::Div>::new();

    // closed by a choice: the keyboard goes on in the page
    let has_chosen = StoredValue::new(false);

    follow_width(narrow, open);
    Effect::new(move |was_open: Option<bool>| {
        let is_open = open.get();
        match (was_open, is_open) {
            (Some(false), true) => focus(sidebar.get_untracked()),
            (Some(true), false) if has_chosen.get_value() => focus(page.get_untracked()),
            (Some(true), false) if is_focus_lost(sidebar.get_untracked()) => {
                focus(menu_button.get_untracked());
            }
            _ => {}
        }
        has_chosen.set_value(false);
        is_open
    });
    let close_on_escape = move |event: ev::KeyboardEvent| {
        if event.key() == "Escape" && open.get_untracked() {
            event.prevent_default();
            open.set(false);
        }
    };
    let close_on_choice = move |event: ev::MouseEvent| {
        let chosen = event
            .target()
            .and_then(|target| target.dyn_into::<web_sys::Element>().ok())
            .and_then(|element| element.closest("a, .new-session").ok().flatten());
        if let Some(chosen) = chosen
            && open.get_untracked()
        {
            has_chosen.set_value(chosen.tag_name().eq_ignore_ascii_case("a"));
            open.set(false);
        }
    };

    view! {
        <div class="app" class:drawer-open=move || open.get() on:keydown=close_on_escape>
            <a class="skip" href="#content" rel="external">
                "Skip to the page"
            </a>
            <Show when=move || !live.waiting().read().is_empty()>
                <button
                    type="button"
                    class="skip"
                    on:click=move |_| go_to(".dock form.card, .inbox form.card")
                >
                    "Go to the request"
                </button>
            </Show>
            <header class="topbar">
                <button
                    type="button"
                    class="ghost icon-button"
                    node_ref=menu_button
                    aria-label=move || if open.get() { "Close the menu" } else { "Menu" }
                    aria-expanded=move || open.get().to_string()
                    aria-controls="sidebar"
                    on:click=move |_| open.update(|open| *open = !*open)
                >
                    <Show when=move || open.get() fallback=|| view! { <Menu /> }>
                        <Close />
                    </Show>
                </button>
                <A href="/" exact=true attr:class="topbar-inbox">
                    <Inbox />
                    <InboxLabel live />
                </A>
            </header>
            <nav
                id="sidebar"
                class="sidebar"
                aria-label="Sessions"
                tabindex="-1"
                node_ref=sidebar
                inert=move || narrow.get() && !open.get()
                on:click=close_on_choice
            >
                <Sidebar />
            </nav>
            <footer class="frame-foot">
                <ConnectionStatus />
                <span class="spacer"></span>
                <AttentionSwitches preferences />
                <ThemeSwitch />
            </footer>
            <p class="no-script">
                "Without a script this page shows what was when it was loaded, and cannot answer. "
                <a href="/plain" rel="external">
                    "The plain inbox can."
                </a>
            </p>
            <div class="backdrop" aria-hidden="true" on:click=move |_| open.set(false)></div>
            <div
                id="content"
                class="page"
                tabindex="-1"
                node_ref=page
                inert=move || narrow.get() && open.get()
            >
                {children()}
            </div>
            <p class="visually-hidden" aria-live="polite">
                {move || announcement(live.waiting().read().len())}
            </p>
            <div class="announcements">
                <OutOfReach live />
                <Notice live />
                <PutAwayLine />
            </div>
            <OnceOpened by=new_session.is_open() part=Part::NewSessionDialog />
            <OnceOpened by=batch.is_open() part=Part::BatchDialog />
        </div>
    }
}

/// "Inbox" and how many wait.
#[component]
pub fn InboxLabel(live: Live) -> impl IntoView {
    let count = Memo::new(move |_| live.waiting().read().len());
    view! {
        <span class="title">"Inbox"</span>
        <Show when=move || { count.get() > 0 }>
            <span class="count">
                {move || count.get()} <span class="visually-hidden">" waiting"</span>
            </span>
        </Show>
    }
}

/// What is on screen may not be so any more.
#[component]
fn OutOfReach(live: Live) -> impl IntoView {
    let connection = live.connection();
    view! {
        <div
            class="announcement"
            role="status"
            aria-label="Server"
            hidden=move || connection.get() != Connection::Offline
        >
            <p>
                {move || {
                    (connection.get() == Connection::Offline)
                        .then_some("The server cannot be reached. What you see is from before, and answers do not arrive. It is tried again by itself.")
                }}
            </p>
        </div>
    }
}

/// What is about something that is no longer on screen, such as an answer that came too late.
#[component]
fn Notice(live: Live) -> impl IntoView {
    let words = live.notice();
    view! {
        <div class="announcement" role="alert" hidden=move || words.read().is_none()>
            <p>{move || words.get()}</p>
            <button
                type="button"
                class="ghost icon-button"
                aria-label="Dismiss"
                on:click=move |_| live.forget_notice()
            >
                <Close />
            </button>
        </div>
    }
}

fn announcement(waiting: usize) -> String {
    match waiting {
        0 => String::new(),
        1 => "One request waits for you.".to_owned(),
        more => format!("{more} requests wait for you."),
    }
}

/// The width is known in the browser only; until then the style sheet alone decides.
fn follow_width(narrow: RwSignal<bool>, open: RwSignal<bool>) {
    Effect::new(move |_| {
        let look = move || {
            let is_narrow = window()
                .match_media(NARROW)
                .ok()
                .flatten()
                .is_some_and(|query| query.matches());
            if narrow.try_get_untracked() != Some(is_narrow) {
                let _ = narrow.try_set(is_narrow);
            }
            if !is_narrow && open.try_get_untracked() == Some(true) {
                let _ = open.try_set(false);
            }
        };
        look();
        let listener = window_event_listener(ev::resize, move |_| look());
        on_cleanup(move || listener.remove());
    });
}

/// In the next frame: what is inert or hidden now, and about to be shown, cannot take the focus yet.
fn focus(element: Option<impl JsCast>) {
    let element = element.and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok());
    if let Some(element) = element {
        request_animation_frame(move || {
            let _ = element.focus();
        });
    }
}

/// The focus was in the drawer that closed, or nowhere.
fn is_focus_lost(drawer: Option<impl JsCast>) -> bool {
    let Some(active) = document().active_element() else {
        return true;
    };
    active.tag_name().eq_ignore_ascii_case("body")
        || drawer
            .and_then(|drawer| drawer.dyn_into::<web_sys::Node>().ok())
            .is_some_and(|drawer| drawer.contains(Some(&active)))
}

/// Whoever opens the printed link while logged in: the code must not stay in the address bar.
fn forget_the_login_code() {
    Effect::new(|_| {
        let location = window().location();
        let has_code = location.hash().is_ok_and(|hash| hash.starts_with("#code="));
        if let (true, Ok(path), Ok(history)) = (has_code, location.pathname(), window().history()) {
            let _ = history.replace_state_with_url(
                &web_sys::wasm_bindgen::JsValue::NULL,
                "",
                Some(&path),
            );
        }
    });
}
