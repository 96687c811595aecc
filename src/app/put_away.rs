//! Archiving a session, from wherever it is shown, and what is said then: with the way back. It may take seconds, for what
//! runs is ended first: whoever went elsewhere meanwhile stays there.

use super::draft;
use super::live::{Live, PutAway, use_live};
use super::new_session::NewSession;
use super::ui::icon::Close;
use super::ui::{Words, focus};
use crate::api;
use crate::model::{Refusal, SessionId};
use leptos::prelude::*;
use leptos::task::spawn_local;

/// The sentence, to which the focus goes.
const SAID: &str = "#put-away";

/// Where a session is archived from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskedOn {
    /// The menu of its page, which is left for the inbox.
    Page,
    Sidebar,
}

pub async fn archive(
    live: Live,
    dialog: NewSession,
    session_id: SessionId,
    asked_on: AskedOn,
) -> Result<(), Refusal> {
    let title = live.title_now(session_id);
    api::archive_session(session_id).await?;
    let page = asked_on == AskedOn::Page && is_open(session_id);
    if page {
        dialog.start.go("/".to_owned());
    }
    live.archive.say(PutAway {
        title,
        undo: Some(session_id),
        page,
    });
    match asked_on {
        AskedOn::Page if page => focus::leave_from(".session-head .menu", SAID),
        AskedOn::Page => {}
        AskedOn::Sidebar => focus::leave_from(".put-away", SAID),
    }
    Ok(())
}

/// For good. There is no way back, so none is offered.
pub async fn delete(live: Live, dialog: NewSession, session_id: SessionId) -> Result<(), Refusal> {
    let title = live.title_now(session_id);
    // the news of it comes by another way, before the answer or after it
    let is_last = live
        .archive
        .count
        .try_get_untracked()
        .is_none_or(|count| count <= 1);
    api::delete_session(session_id).await?;
    draft::forget_message(session_id);
    let page = is_open(session_id);
    if page {
        let next = if is_last { "/" } else { "/archived" };
        dialog.start.go(next.to_owned());
    }
    live.archive.say(PutAway {
        title,
        undo: None,
        page: false,
    });
    if page {
        focus::leave_from(".archived-line", SAID);
    }
    Ok(())
}

/// Said where it was asked for; wherever one is, when that place is gone.
pub fn refuse(live: Live, place: RwSignal<Option<Refusal>>, words: Refusal) {
    if let Some(unsaid) = place.try_set(Some(words)).flatten() {
        live.tell(unsaid.message);
    }
}

/// Its page is what the person looks at.
fn is_open(session_id: SessionId) -> bool {
    let here = window().location().pathname();
    here.is_ok_and(|here| here == format!("/session/{session_id}"))
}

#[component]
pub fn PutAwayLine() -> impl IntoView {
    let live = use_live();
    let dialog = expect_context::<NewSession>();
    let said = live.archive.said;
    let busy = RwSignal::new(false);
    // somebody else may have brought it back; that it is away may be told later than the answer, or never
    Effect::new(move |seen_away: Option<Option<SessionId>>| {
        let undo = said.read().as_ref().and_then(|said| said.undo);
        let away = undo.filter(|id| live.is_archived_now(*id));
        if undo.is_some() && away.is_none() && seen_away.flatten() == undo {
            live.archive.forget();
        }
        away
    });
    let undo = move |_| {
        let Some((session_id, page)) = said
            .get_untracked()
            .and_then(|said| Some((said.undo?, said.page)))
        else {
            return;
        };
        busy.set(true);
        spawn_local(async move {
            match api::bring_back_session(session_id).await {
                Ok(()) => {
                    live.archive.forget();
                    if page {
                        dialog.start.go(format!("/session/{session_id}"));
                    }
                    focus::go_on("#content");
                }
                Err(refusal) => live.tell(refusal.message),
            }
            let _ = busy.try_set(false);
        });
    };
    let words = move || {
        said.get().map(|PutAway { title, undo, .. }| {
            let end = match undo {
                Some(_) => "” is archived.",
                None => "” is deleted.",
            };
            view! { "“" <Words text=title /> {end} }
        })
    };
    view! {
        <div class="announcement calm" role="status" aria-label="Archive" hidden=move || said.read().is_none()>
            <p id="put-away" tabindex="-1">
                {words}
            </p>
            <button
                type="button"
                class="small"
                hidden=move || said.read().as_ref().is_none_or(|said| said.undo.is_none())
                disabled=move || busy.get()
                on:click=undo
            >
                "Undo"
            </button>
            <button
                type="button"
                class="ghost icon-button"
                aria-label="Dismiss"
                on:click=move |_| live.archive.forget()
            >
                <Close />
            </button>
        </div>
    }
}
