//! The way back to before a message: a quiet button beside it, and what to go back with, asked in place.

use super::Around;
use crate::api;
use crate::app::attachments::Trays;
use crate::app::live::use_live;
use crate::app::pending::relative;
use crate::app::ui::{focus, icon};
use crate::model::conversation::{Body, Item};
use crate::model::{MessageId, RewindPreview};
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;

/// The message that a person thinks of going back to.
#[derive(Clone, Copy)]
pub struct GoingBack(pub RwSignal<Option<MessageId>>);

const COMPOSER: &str = ".composer textarea";

/// For a message that the agent knows, while it rests.
#[component]
pub fn GoBackButton(message_id: MessageId) -> impl IntoView {
    let GoingBack(open) = expect_context();
    let is_open = move || open.get() == Some(message_id);
    view! {
        <button
            type="button"
            class="icon-button go-back-to"
            aria-label="Go back to before this message"
            title="Go back to before this message"
            aria-expanded=move || is_open().to_string()
            on:click=move |_| open.set((!is_open()).then_some(message_id))
        >
            <icon::Undo />
        </button>
    }
}

#[component]
pub fn GoBack(item: RwSignal<Item>, message_id: MessageId) -> impl IntoView {
    let GoingBack(open) = expect_context();
    let session_id = expect_context::<Around>().session_id;
    let trays = expect_context::<Trays>();
    let live = use_live();
    let first = NodeRef::<html::Input>::new();
    let preview = RwSignal::new(None::<RewindPreview>);
    let (conversation, files) = (RwSignal::new(true), RwSignal::new(false));
    let busy = RwSignal::new(false);
    let refusal = RwSignal::new(None::<String>);
    Effect::new(move |_| {
        if let Some(first) = first.get() {
            let _ = first.focus();
        }
    });
    Effect::new(move |_| {
        spawn_local(async move {
            match api::preview_rewind(session_id, message_id).await {
                Ok(found) => drop(preview.try_set(Some(found))),
                Err(words) => {
                    let _ = refusal.try_set(Some(words.message));
                }
            }
        });
    });
    let close = move || {
        let _ = open.try_set(None);
        focus::leave_for(COMPOSER);
    };
    let go = move |_| {
        busy.set(true);
        refusal.set(None);
        let (conversation, files) = (conversation.get_untracked(), files.get_untracked());
        let said = item.get_untracked().body;
        spawn_local(async move {
            match api::rewind(session_id, message_id, conversation, files).await {
                Ok(()) => {
                    if let Body::Said {
                        text, attachments, ..
                    } = said
                        && conversation
                    {
                        trays.of(session_id).give_back(&attachments);
                        live.give_back(session_id, text);
                    }
                    close();
                }
                Err(words) => {
                    let _ = refusal.try_set(Some(words.message));
                }
            }
            let _ = busy.try_set(false);
        });
    };
    let nothing_chosen = move || !conversation.get() && !files.get();
    view! {
        <section
            class="go-back"
            aria-label="Go back to before this message"
            on:keydown=move |event| {
                if event.key() == "Escape" {
                    event.stop_propagation();
                    close();
                }
            }
        >
            <p>"Go back to before this message"</p>
            <label class="choice">
                <input
                    type="checkbox"
                    node_ref=first
                    prop:checked=move || conversation.get()
                    on:change=move |event| conversation.set(event_target_checked(&event))
                />
                <span>
                    <b>"Conversation"</b>
                    " The agent forgets this message and all after it; the words come back to be changed."
                </span>
            </label>
            <label class="choice">
                <input
                    type="checkbox"
                    disabled=move || preview.read().as_ref().is_none_or(|found| found.files.is_empty())
                    prop:checked=move || files.get()
                    on:change=move |event| files.set(event_target_checked(&event))
                />
                <span>
                    <b>"Files"</b>
                    " "
                    {move || preview.get().map_or_else(
                        || view! { "Asking which would change…" }.into_any(),
                        |found| view! { <Files found /> }.into_any(),
                    )}
                </span>
            </label>
            {move || refusal.get().map(|words| view! { <p class="refusal" role="alert">{words}</p> })}
            <div class="go-back-actions">
                <button type="button" class="ghost" on:click=move |_| close()>
                    "Cancel"
                </button>
                <button
                    type="button"
                    class="primary"
                    disabled=move || busy.get() || nothing_chosen() || preview.read().is_none()
                    on:click=go
                >
                    "Go back"
                </button>
            </div>
        </section>
    }
}

#[component]
fn Files(found: RewindPreview) -> impl IntoView {
    let directory = expect_context::<Around>().directory;
    let RewindPreview {
        files,
        added,
        removed,
        why_not,
    } = found;
    if let Some(why_not) = why_not {
        return format!("Not possible: {}.", why_not.trim_end_matches('.')).into_any();
    }
    if files.is_empty() {
        return "The agent has written none since.".into_any();
    }
    let names = files.iter().map(|file| {
        let name = directory.with_value(|cwd| relative(file, cwd.as_deref()));
        view! { <li><code>{name}</code></li> }
    });
    let count = match files.len() {
        1 => "1 file as it was then".to_owned(),
        count => format!("{count} files as they were then"),
    };
    view! {
        {count}
        " "
        <span class="stat">
            <span class="p">{format!("+{added}")}</span>
            " "
            <span class="m">{format!("−{removed}")}</span>
        </span>
        <ul>{names.collect_view()}</ul>
        <small>
            "All that was changed in them since is undone, by you or anyone else; a file that the agent made is deleted. What commands made stays."
        </small>
    }
    .into_any()
}
