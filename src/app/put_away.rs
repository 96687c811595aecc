//! Archiving a session, from wherever it is shown, and what is said then: with the way back.

use super::draft;
use super::live::{Live, PutAway, use_live};
use super::new_session::NewSession;
use super::ui::focus;
use super::ui::icon::Close;
use crate::api;
use crate::model::{Refusal, SessionId};
use leptos::prelude::*;
use leptos::task::spawn_local;

/// The sentence, to which the focus goes.
const SAID: &str = "#put-away";

/// `page`: its page is open and is left for the inbox.
pub async fn archive(
    live: Live,
    dialog: NewSession,
    session_id: SessionId,
    page: bool,
) -> Result<(), Refusal> {
    let title = live.title_now(session_id);
    api::archive_session(session_id).await?;
    if page {
        dialog.start.go("/".to_owned());
    }
    live.archive.say(PutAway {
        words: format!("“{title}” is archived."),
        undo: Some(session_id),
        page,
    });
    focus::leave_for(SAID);
    Ok(())
}

/// For good. There is no way back, so none is offered.
pub async fn delete(live: Live, dialog: NewSession, session_id: SessionId) -> Result<(), Refusal> {
    let title = live.title_now(session_id);
    api::delete_session(session_id).await?;
    draft::forget_message(session_id);
    let is_last = live.archive.count.try_get_untracked() == Some(0);
    dialog
        .start
        .go(if is_last { "/" } else { "/archived" }.to_owned());
    live.archive.say(PutAway {
        words: format!("“{title}” is deleted."),
        undo: None,
        page: false,
    });
    focus::leave_for(SAID);
    Ok(())
}

#[component]
pub fn PutAwayLine() -> impl IntoView {
    let live = use_live();
    let dialog = expect_context::<NewSession>();
    let said = live.archive.said;
    let busy = RwSignal::new(false);
    // somebody else may have brought it back
    let shown = Memo::new(move |_| {
        let said = said.get()?;
        let is_so = said.undo.is_none_or(|id| live.is_archived_now(id));
        is_so.then_some(said)
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
    view! {
        <div class="announcement calm" role="status" aria-label="Archive" hidden=move || shown.read().is_none()>
            <p id="put-away" tabindex="-1">
                {move || shown.get().map(|said| said.words)}
            </p>
            <button
                type="button"
                class="small"
                hidden=move || shown.read().as_ref().is_none_or(|said| said.undo.is_none())
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
