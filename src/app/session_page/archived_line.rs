//! An archived session says that it is, and what can be done with it. Deleting it is asked twice, in place and in words.

use crate::api;
use crate::app::live::use_live;
use crate::app::new_session::NewSession;
use crate::app::put_away;
use crate::app::ui::focus;
use crate::app::ui::inert::Inert;
use crate::app::ui::show::Show;
use crate::model::{Refusal, SessionId};
use leptos::prelude::*;
use leptos::task::spawn_local;

#[component]
pub fn ArchivedLine(session_id: SessionId, refusal: RwSignal<Option<Refusal>>) -> impl IntoView {
    let live = use_live();
    let dialog = expect_context::<NewSession>();
    let is_sure = RwSignal::new(false);
    let busy = RwSignal::new(false);
    // where "Delete" was is "Delete it" now: the second half of a double click is not meant for it
    let fresh = Inert::not_yet();
    let finish = move |refused: Option<Refusal>| {
        match refused {
            Some(words) => put_away::refuse(live, refusal, words),
            None => drop(refusal.try_set(None)),
        }
        let _ = busy.try_set(false);
    };
    let bring_back = move |_| {
        busy.set(true);
        spawn_local(async move {
            finish(api::bring_back_session(session_id).await.err());
            // this line goes with it
            focus::go_on(focus::TRANSCRIPT);
        });
    };
    let delete = move |_| {
        if fresh.is_now() || busy.get_untracked() {
            return;
        }
        busy.set(true);
        spawn_local(async move {
            finish(put_away::delete(live, dialog, session_id).await.err());
        });
    };
    let what_stays = format!(
        "Delete it for good? Its transcript and what you attached go. What it asked and what you answered stay in the history, and {} keeps its own record of the conversation: it can be taken up again under New session.",
        agent_in_a_sentence(live.agent().name, live.agent().is_demo)
    );
    view! {
        <div class="trouble archived-line">
            <Show
                when=move || is_sure.get()
                fallback=move || {
                    view! {
                        <p>"This session is archived. A message brings it back, too."</p>
                        <button type="button" class="small" disabled=move || busy.get() on:click=bring_back>
                            "Bring it back"
                        </button>
                        <button
                            type="button"
                            class="ghost small"
                            disabled=move || busy.get()
                            on:click=move |_| {
                                is_sure.set(true);
                                fresh.begin();
                                focus::leave_for(".archived-line .keep");
                            }
                        >
                            "Delete"
                        </button>
                    }
                }
            >
                <p>{what_stays.clone()}</p>
                <button
                    type="button"
                    class="ghost small keep"
                    on:click=move |_| {
                        is_sure.set(false);
                        focus::leave_for(".archived-line button");
                    }
                >
                    "Keep it"
                </button>
                <button
                    type="button"
                    class="danger small"
                    aria-disabled=move || fresh.get().to_string()
                    disabled=move || busy.get()
                    on:click=delete
                >
                    "Delete it"
                </button>
            </Show>
        </div>
    }
}

fn agent_in_a_sentence(name: String, is_demo: bool) -> String {
    match is_demo {
        true => "the demo agent".to_owned(),
        false => name,
    }
}
