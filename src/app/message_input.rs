//! Writing to the agent. Enter sends, Shift+Enter begins a new line; the text is kept until the server has it. A
//! message to an agent at work is queued, one to an ended process resumes it: both are said before sending.

mod commands;

use crate::api;
use crate::app::draft::{self, Draft};
use crate::app::live::use_live;
use crate::app::refused_send::RefusedSend;
use crate::app::ui::button::Spinner;
use crate::app::ui::icon;
use crate::model::{MessageId, ProcessState, Refusal, SessionId};
use commands::{CommandList, Commands, Key, LIST};
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;

#[component]
pub fn MessageInput(session_id: SessionId) -> impl IntoView {
    let live = use_live();
    let process = live.process(session_id);
    let state = Memo::new(move |_| process.read().as_ref().map(|process| process.state));
    let draft = Draft::of_message(session_id);
    let area = NodeRef::<html::Textarea>::new();
    let sending = RwSignal::new(false);
    let refusal = RwSignal::new(None::<Refusal>);
    let commands = Commands::new(draft.text, live.capabilities(session_id));
    // the same text sent again is the same message: the agent must not get it twice
    let attempt = StoredValue::new(None::<(String, MessageId)>);

    // whatever was typed before the page came to life
    Effect::new(move |done: Option<()>| {
        let Some(area) = area.get() else { return };
        let typed = area.value();
        if done.is_none() && !typed.is_empty() && draft.text.get_untracked().is_empty() {
            draft.text.set(typed);
        }
    });

    // a message that was taken back, if nothing else has been begun meanwhile
    Effect::new(move |_| {
        if let Some(text) = live.take_back(session_id)
            && draft.trimmed().is_none()
        {
            draft.text.set(text);
        }
    });

    let send = move |anyway: bool| {
        let Some(text) = draft.trimmed().filter(|_| !sending.get_untracked()) else {
            return;
        };
        let message_id = match attempt.get_value() {
            Some((before, id)) if before == text => id,
            _ => MessageId::random(),
        };
        attempt.set_value(Some((text.clone(), message_id)));
        sending.set(true);
        refusal.set(None);
        let place = draft.place();
        spawn_local(async move {
            let sent =
                api::send_message(session_id, text.clone(), Some(message_id), Some(anyway)).await;
            let _ = sending.try_set(false);
            match sent {
                Ok(()) => {
                    let _ = attempt.try_set_value(None);
                    // what was typed meanwhile is a new message
                    if draft.trimmed().is_none_or(|now| now == text) {
                        draft.forget();
                    }
                    // the agent may have asked at once: then a request stands here by now
                    draft::forget_sent(&place, &text);
                }
                Err(words) => {
                    let _ = refusal.try_set(Some(words));
                }
            }
        });
    };
    let on_keydown = move |event: web_sys::KeyboardEvent| {
        if !event.is_composing() && commands.press(&event.key()) == Key::Taken {
            event.prevent_default();
        } else if crate::app::pending::is_plain_enter(&event) {
            event.prevent_default();
            send(false);
        }
    };
    view! {
        <CommandList commands />
        <form
            class="composer"
            on:submit=move |event| {
                event.prevent_default();
                send(false);
            }
        >
            <textarea
                node_ref=area
                rows="1"
                aria-label="Message"
                placeholder=move || placeholder(state.get())
                prop:value=move || draft.text.get()
                on:input=move |event| draft.text.set(event_target_value(&event))
                on:keydown=on_keydown
                on:focus=move |_| commands.focus(true)
                on:blur=move |_| commands.focus(false)
                aria-autocomplete="list"
                aria-controls=move || commands.is_open().then_some(LIST)
                aria-activedescendant=move || commands.active()
            ></textarea>
            <button
                type="submit"
                class="primary send"
                aria-label="Send"
                title="Send (Enter)"
                class:busy=move || sending.get()
                disabled=move || sending.get() || draft.is_empty()
            >
                <Spinner visible=sending />
                <span hidden=move || sending.get()>
                    <icon::Send />
                </span>
            </button>
        </form>
        <RefusedSend
            session_id
            text=Callback::new(move |()| draft.trimmed().unwrap_or_default())
            refusal
            on_anyway=Callback::new(move |()| send(true))
        />
        <p class="composer-hint">{move || hint(state.get())}</p>
    }
}

fn placeholder(state: Option<ProcessState>) -> &'static str {
    match state {
        None | Some(ProcessState::Dead) => "Send a message to resume this session",
        Some(ProcessState::AssistantTurn) => "Add something for the agent",
        Some(ProcessState::Starting | ProcessState::UserTurn) => "Message the agent",
    }
}

fn hint(state: Option<ProcessState>) -> &'static str {
    match state {
        None | Some(ProcessState::Dead) => {
            "The process has ended; sending starts it again where it was."
        }
        Some(ProcessState::Starting | ProcessState::AssistantTurn) => {
            "The agent is at work: the message is queued and taken when it is ready."
        }
        Some(ProcessState::UserTurn) => "Enter sends · Shift+Enter begins a new line",
    }
}
