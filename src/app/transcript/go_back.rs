//! The way back to before a message: a quiet button beside it, and what to go back with, asked in place.

use super::Around;
use crate::api;
use crate::app::attachments::Trays;
use crate::app::live::use_live;
use crate::app::pending::relative;
use crate::app::ui::untrusted::Untrusted;
use crate::app::ui::{focus, icon, keys};
use crate::model::conversation::Body;
use crate::model::{MessageId, RewindPreview};
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use web_sys::wasm_bindgen::JsCast;

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

/// Below the message that it was asked for at; another one can be chosen, as in a terminal.
#[component]
pub fn GoBack(message_id: MessageId) -> impl IntoView {
    let GoingBack(open) = expect_context();
    let around = expect_context::<Around>();
    let session_id = around.session_id;
    let trays = expect_context::<Trays>();
    let live = use_live();
    let panel = NodeRef::<html::Section>::new();
    let ways = StoredValue::new(around.conversation.ways_back());
    let chosen = RwSignal::new(message_id);
    let preview = RwSignal::new(None::<RewindPreview>);
    let (conversation, files) = (RwSignal::new(true), RwSignal::new(false));
    let end_tasks = RwSignal::new(true);
    let running = Memo::new(move |_| {
        let background = around.background.read();
        let began = around.conversation.began_since(chosen.get(), &background);
        began.len()
    });
    let busy = RwSignal::new(false);
    let refusal = RwSignal::new(None::<String>);
    Effect::new(move |_| {
        let first = panel.get().and_then(|panel| {
            let first = panel.query_selector("select, input").ok()??;
            first.dyn_into::<web_sys::HtmlElement>().ok()
        });
        if let Some(first) = first {
            let _ = first.focus();
        }
    });
    Effect::new(move |_| {
        let before = chosen.get();
        preview.set(None);
        files.set(false);
        refusal.set(None);
        spawn_local(async move {
            let found = api::preview_rewind(session_id, before).await;
            if chosen.try_get_untracked() != Some(before) {
                return;
            }
            match found {
                Ok(found) => drop(preview.try_set(Some(found))),
                Err(words) => drop(refusal.try_set(Some(words.message))),
            }
        });
    });
    // with what it found it is higher, and nobody presses what they do not see
    Effect::new(move |_| {
        preview.track();
        refusal.track();
        request_animation_frame(move || {
            if let Some(panel) = panel.try_get_untracked().flatten() {
                panel.scroll_into_view_with_bool(false);
            }
        });
    });
    let close = move || {
        let _ = open.try_set(None);
        focus::leave_for(COMPOSER);
    };
    let can_go =
        move || !busy.get() && (conversation.get() || files.get()) && preview.read().is_some();
    let go = move || {
        if !untrack(can_go) {
            return;
        }
        busy.set(true);
        refusal.set(None);
        let (conversation, files) = (conversation.get_untracked(), files.get_untracked());
        let (before, end_tasks) = (chosen.get_untracked(), end_tasks.get_untracked());
        let said = ways.with_value(|ways| {
            let way = ways.iter().find(|(id, _)| *id == before);
            way.map(|(_, said)| said.clone())
        });
        spawn_local(async move {
            match api::rewind(session_id, before, conversation, files, Some(end_tasks)).await {
                Ok(()) => {
                    if let Some(Body::Said {
                        text, attachments, ..
                    }) = said
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
    let on_keydown = move |event: web_sys::KeyboardEvent| match event.key().as_str() {
        "Escape" => {
            event.stop_propagation();
            close();
        }
        // a button does what it says
        "Enter" if !keys::is_in(&event, "button") => {
            event.prevent_default();
            if !event.repeat() {
                go();
            }
        }
        _ => {}
    };
    let choice = (ways.with_value(Vec::len) > 1).then(|| view! { <Message ways chosen /> });
    let heading = match choice {
        Some(_) => "Go back to before",
        None => "Go back to before this message",
    };
    view! {
        <section
            node_ref=panel
            class="go-back"
            aria-label="Go back to before this message"
            on:keydown=on_keydown
        >
            <p>{heading}</p>
            {choice}
            <label class="choice">
                <input
                    type="checkbox"
                    prop:checked=move || conversation.get()
                    on:change=move |event| conversation.set(event_target_checked(&event))
                />
                <span>
                    <b>"Conversation"</b>
                    " The agent forgets this message and all after it; the words come back to be changed."
                </span>
            </label>
            <label class="choice" hidden=move || running.get() == 0 || !conversation.get()>
                <input
                    type="checkbox"
                    prop:checked=move || end_tasks.get()
                    on:change=move |event| end_tasks.set(event_target_checked(&event))
                />
                <span>
                    <b>"Background"</b>
                    " "
                    {move || match running.get() {
                        1 => "What began after it and still runs is ended.".to_owned(),
                        count => format!("{count} things that began after it and still run are ended."),
                    }}
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
                    <kbd aria-hidden="true">"Esc"</kbd>
                </button>
                <button
                    type="button"
                    class="primary"
                    disabled=move || !can_go()
                    on:click=move |_| go()
                >
                    "Go back"
                    <kbd aria-hidden="true">"↵"</kbd>
                </button>
            </div>
        </section>
    }
}

/// One's own messages, the newest first.
#[component]
fn Message(
    ways: StoredValue<Vec<(MessageId, Body)>>,
    chosen: RwSignal<MessageId>,
) -> impl IntoView {
    let now = chosen.get_untracked();
    let options = ways.with_value(|ways| {
        let option = |(index, (id, said)): (usize, &(MessageId, Body))| {
            view! { <option value=index.to_string() selected=*id == now>{first_line(said)}</option> }
        };
        ways.iter().enumerate().map(option).collect::<Vec<_>>()
    });
    let choose = move |event| {
        let index = event_target_value(&event).parse::<usize>().ok();
        let id = ways.with_value(|ways| Some(ways.get(index?)?.0));
        if let Some(id) = id {
            chosen.set(id);
        }
    };
    view! {
        <select aria-label="Message" on:change=choose>
            {options}
        </select>
    }
}

/// How a message begins; of one without words, its files.
fn first_line(said: &Body) -> String {
    const LONGEST: usize = 80;
    let Body::Said {
        text, attachments, ..
    } = said
    else {
        return String::new();
    };
    let line = text.trim().lines().next().unwrap_or_default().trim_end();
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None if line.is_empty() => {
            let names: Vec<&str> = attachments.iter().map(|file| file.name.as_str()).collect();
            names.join(", ")
        }
        None => line.to_owned(),
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
        view! { <li><code><Untrusted text=name /></code></li> }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::conversation::Conversation;
    use crate::model::{Entry, Event, UnixTime};

    fn said(text: &str) -> Body {
        let entry = Entry::MessageSent {
            message_id: MessageId::random(),
            text: text.to_owned(),
            queued: false,
            attachments: Vec::new(),
        };
        let at = UnixTime(0.0);
        let conversation = Conversation::from_events(&[Event { seq: 1, at, entry }]);
        conversation.items[0].body.clone()
    }

    #[test]
    fn a_message_is_known_by_how_it_begins() {
        assert_eq!(first_line(&said("\n Mend it \nand more")), "Mend it");
        let long = first_line(&said(&"é".repeat(200)));
        assert_eq!((long.chars().count(), long.ends_with('…')), (81, true));
        assert_eq!(first_line(&said("")), "");
    }
}
