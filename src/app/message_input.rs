//! Writing to the agent. Enter sends, Shift+Enter begins a new line; the text is kept until the server has it. A
//! message to an agent at work is queued, one to an ended process resumes it: both are said before sending.
//!
//! While a request stands in its place it is away, unless someone is typing in it or wants to: then it stays above the
//! request, with the focus and every key. What is sent from there is queued like any message to an agent at work.

pub mod completion;
mod mention;
mod ourselves;
mod recall;

use crate::api;
use crate::app::attachments::{AttachButton, AttachedFiles, Attachments, DropPlace, Trays};
use crate::app::draft::{self, Draft};
use crate::app::live::{Connection, use_live};
use crate::app::refused_send::RefusedSend;
use crate::app::ui::button::Spinner;
use crate::app::ui::show::Show;
use crate::app::ui::{focus, icon, keys, pointer};
use crate::model::slash;
use crate::model::{Capabilities, Code, MessageId, ProcessState, Refusal, SessionId};
use completion::{Completion, CompletionList, FilesOf, Key, LIST};
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::{ev, html};
use ourselves::{Ourselves, Remark, rests};

/// How many messages were sent from this page.
#[derive(Clone, Copy, Default)]
pub struct SentHere(pub RwSignal<u32>);

#[component]
pub fn MessageInput(
    session_id: SessionId,
    /// A request stands in its place.
    #[prop(into)]
    aside: Signal<bool>,
) -> impl IntoView {
    let live = use_live();
    let state = live.of_process(session_id, |process| process.state);
    let draft = Draft::of_message(session_id);
    let tray = expect_context::<Trays>().of(session_id);
    let attachments = Attachments::new(tray, live.attachment_limits());
    let area = NodeRef::<html::Textarea>::new();
    let sending = RwSignal::new(false);
    let refusal = RwSignal::new(None::<Refusal>);
    let files_of = Signal::stored(FilesOf::Session(session_id));
    let known: Signal<Capabilities> = live.capabilities(session_id).into();
    let completion = Completion::new(files_of, draft.text, known, true);
    let remark = RwSignal::new(None::<Remark>);
    let remarked = Memo::new(move |_| {
        let remark = remark.get()?;
        let still = draft.text.with(|text| text.trim() == remark.of);
        still.then_some(remark)
    });
    let said = live.conversation(session_id).items();
    let sent_here = use_context::<SentHere>().unwrap_or_default();
    // one Escape too many must not end an hour's work, or go back before it
    let escape_is_next = RwSignal::new(false);
    let is_typed_in = RwSignal::new(false);
    // the same message sent again is the same message: the agent must not get it twice
    let attempt = StoredValue::new(None::<(String, Vec<u64>, MessageId)>);

    // whatever was typed before the page came to life
    Effect::new(move |done: Option<()>| {
        let Some(area) = area.get() else { return };
        let typed = area.value();
        if done.is_none() && !typed.is_empty() && draft.text.get_untracked().is_empty() {
            draft.text.set(typed);
        }
        if done.is_none() {
            is_typed_in.set(has_focus(&area));
        }
    });
    Effect::new(move |looked: Option<()>| {
        let names = attachments.names();
        match draft::files_before(session_id) {
            Some(before) if looked.is_none() && names.is_empty() => {
                attachments.were_lost(&before);
            }
            _ => {}
        }
        draft::note_files(session_id, &names);
    });
    // what could not be reached can be now
    let connection = live.connection();
    Effect::new(move |_| {
        let was_unreachable = |refusal: &Option<Refusal>| {
            refusal
                .as_ref()
                .is_some_and(|refusal| refusal.code == Code::Unreachable)
        };
        if connection.get() == Connection::Live && refusal.with_untracked(was_unreachable) {
            refusal.set(None);
        }
    });
    // it goes away, and what is above it moves, only when nothing is being pressed there
    let is_pressed = pointer::is_down();
    let is_away = Memo::new(move |was: Option<&bool>| {
        let stays = was == Some(&false) && is_pressed.get();
        aside.get() && !is_typed_in.get() && !stays
    });
    let is_own = Memo::new(move |_| draft.text.with(|text| own_command(text.trim()).is_some()));
    let nothing_to_send = move || draft.is_empty() && attachments.is_empty();

    // a message that was taken back, if nothing else has been begun meanwhile
    Effect::new(move |_| {
        if let Some(text) = live.take_back(session_id)
            && draft.trimmed().is_none()
        {
            draft.text.set(text);
            // what was pressed for it is gone
            focus::go_on(".message-input textarea");
        }
    });

    // it stands in the transcript while it runs, and the input is free for something else
    let run = move |command: String| {
        refusal.set(None);
        let typed = draft.text.get_untracked();
        draft.was_sent(&typed);
        let _ = sent_here.0.try_update(|count| *count += 1);
        spawn_local(async move {
            if let Err(words) = api::run_command(session_id, command).await {
                let _ = refusal.try_set(Some(words));
                live.give_back(session_id, typed);
            }
        });
    };
    let ourselves = Ourselves::new(session_id, state, draft, sending, refusal, remark);
    Effect::new(move |before: Option<(Option<ProcessState>, bool)>| {
        let now = (state.get(), aside.get());
        if before.is_some_and(|before| before != now) {
            ourselves.forget_what_is_over();
        }
        now
    });
    let send = move |anyway: bool| {
        if untrack(move || sending.get() || attachments.is_reading()) {
            return;
        }
        if let Some(command) = draft.trimmed().as_deref().and_then(own_command) {
            return run(command.to_owned());
        }
        let (files, keys) = attachments.outgoing();
        let text = draft.trimmed().unwrap_or_default();
        if text.is_empty() && files.is_empty() {
            return;
        }
        if text == "!" && files.is_empty() {
            return ourselves.say(NO_COMMAND.to_owned());
        }
        let is_doubted =
            remarked.with_untracked(|remark| remark.as_ref().is_some_and(|one| one.is_doubt));
        if !anyway && files.is_empty() {
            let known = known.read_untracked();
            if let Some(words) = slash::doubt(&text, &known).filter(|_| !is_doubted) {
                return remark.set(Some(Remark::doubt(text, words)));
            }
            if let Some(own) = slash::own(&text, &known) {
                return ourselves.answer(own);
            }
        }
        remark.set(None);
        let message_id = match attempt.get_value() {
            Some((before, files, id)) if before == text && files == keys => id,
            _ => MessageId::random(),
        };
        attempt.set_value(Some((text.clone(), keys.clone(), message_id)));
        sending.set(true);
        refusal.set(None);
        let (typed, place) = (draft.text.get_untracked(), draft.place());
        spawn_local(async move {
            let files = (!files.is_empty()).then_some(files);
            let sent = api::send_message(
                session_id,
                text.clone(),
                Some(message_id),
                files,
                Some(anyway),
            )
            .await;
            let _ = sending.try_set(false);
            match sent {
                Ok(()) => {
                    let _ = sent_here.0.try_update(|count| *count += 1);
                    let _ = attempt.try_set_value(None);
                    attachments.forget(&keys);
                    draft.was_sent(&typed);
                    // the page may have been left
                    draft::forget_sent(&place, &text);
                }
                Err(words) => {
                    let _ = refusal.try_set(Some(words));
                }
            }
        });
    };
    let stop = move || {
        spawn_local(async move {
            if let Err(words) = api::interrupt(session_id).await {
                let _ = refusal.try_set(Some(words));
            }
        });
    };
    let runs_own = live.of_process(session_id, |process| process.own_command.is_some());
    let stop_command = move || {
        spawn_local(async move {
            if let Err(words) = api::stop_command(session_id).await {
                let _ = refusal.try_set(Some(words));
            }
        });
    };
    // whoever types where nothing takes it means the message
    Effect::new(move |_| {
        let listener = window_event_listener(ev::keydown, move |event| {
            let is_character = event.key().chars().count() == 1 && event.key() != " ";
            let is_away = aside.try_get_untracked() != Some(false);
            if is_character
                && !is_away
                && keys::is_free(&event)
                && let Some(area) = area.try_get_untracked().flatten()
            {
                let _ = area.focus();
            }
        });
        on_cleanup(move || listener.remove());
    });
    let recalled = move |event: &web_sys::KeyboardEvent, area: &web_sys::HtmlTextAreaElement| {
        let (key, text) = (event.key(), draft.text.get_untracked());
        let is_plain =
            !event.shift_key() && !event.alt_key() && !event.ctrl_key() && !event.meta_key();
        let caret = area.selection_start().ok().flatten().unwrap_or(0) as usize;
        if !is_plain || !recall::leaves_the_text(&text, caret, &key) {
            return None;
        }
        let said = said.with_untracked(|lines| {
            let said = lines
                .iter()
                .filter_map(|line| line.item.read_untracked().said());
            recall::newest_first(said.collect::<Vec<_>>().into_iter())
        });
        recall::recall(&said, &text, &key)
    };
    let on_keydown = move |event: web_sys::KeyboardEvent| {
        let Some(area) = area.get_untracked() else {
            return;
        };
        if event.is_composing() {
            return;
        }
        let (key, was_next) = (event.key(), escape_is_next.get_untracked());
        escape_is_next.set(false);
        if completion.press(&key, &area) == Key::Taken {
            event.prevent_default();
        } else if keys::is_alt(&event, 'm') {
            event.prevent_default();
            // a key that is held is one press
            if !event.repeat() {
                ourselves.next_mode();
            }
        } else if crate::app::pending::is_plain_enter(&event) {
            event.prevent_default();
            match aside.get_untracked() && untrack(nothing_to_send) {
                true => leave(&area, true),
                false => send(false),
            }
        } else if key == "Escape" && aside.get_untracked() {
            event.prevent_default();
            leave(&area, draft.is_empty());
        } else if key == "Escape" && state.get_untracked() == Some(ProcessState::AssistantTurn) {
            event.prevent_default();
            // a key that is held is one press
            match was_next && !event.repeat() {
                true => stop(),
                false => escape_is_next.set(true),
            }
        } else if key == "Escape" && runs_own.get_untracked() == Some(true) {
            event.prevent_default();
            match was_next && !event.repeat() {
                true => stop_command(),
                false => escape_is_next.set(true),
            }
        } else if key == "Escape" && draft.is_empty() && rests(state.get_untracked()) {
            event.prevent_default();
            // as in a terminal
            match was_next && !event.repeat() {
                true => ourselves.go_back(),
                false => escape_is_next.set(true),
            }
        } else if matches!(key.as_str(), "ArrowUp" | "ArrowDown")
            && let Some(text) = recalled(&event, &area)
        {
            event.prevent_default();
            draft.text.set(text);
        }
    };
    let write_meanwhile = move || {
        is_typed_in.set(true);
        // it is shown by then
        request_animation_frame(move || {
            if let Some(area) = area.try_get_untracked().flatten() {
                let _ = area.focus();
            }
        });
    };
    // the window may have lost the focus, and the input will have it again
    let on_blur = move |_| {
        // it loses the focus also because its page is gone
        let Some(area) = area.try_get_untracked() else {
            return;
        };
        is_typed_in.set(area.is_some_and(|area| has_focus(&area)));
        escape_is_next.set(false);
        completion.focus(false);
    };
    let look = move || {
        if let Some(area) = area.try_get_untracked().flatten() {
            completion.look(&area);
        }
    };
    view! {
        <button
            type="button"
            class="ghost small write-meanwhile"
            hidden=move || !is_away.get()
            on:click=move |_| write_meanwhile()
        >
            {move || if draft.is_empty() { "Write a message" } else { "Go on with your draft" }}
        </button>
        <div class="message-input" class:aside=move || aside.get() hidden=move || is_away.get()>
            <CompletionList completion area />
            <DropPlace attachments>
                <AttachedFiles attachments />
                <form
                    class="composer"
                    on:submit=move |event| {
                        event.prevent_default();
                        send(false);
                    }
                >
                    <Show when=move || !aside.get()>
                        <AttachButton attachments />
                    </Show>
                    <textarea
                        node_ref=area
                        rows="1"
                        aria-label=move || if aside.get() { "Draft" } else { "Message" }
                        placeholder=move || placeholder(state.get(), aside.get())
                        prop:value=move || draft.text.get()
                        on:input=move |event| {
                            draft.text.set(event_target_value(&event));
                            look();
                        }
                        on:keydown=on_keydown
                        on:keyup=move |_| look()
                        on:click=move |_| look()
                        on:focus=move |_| {
                            // a dialog that closes gives the focus back, also to a page that is being left
                            let _ = is_typed_in.try_set(true);
                            completion.focus(true);
                        }
                        on:blur=on_blur
                        aria-autocomplete="list"
                        aria-controls=move || completion.is_open().then_some(LIST)
                        aria-activedescendant=move || completion.active()
                    ></textarea>
                    <button
                        type="submit"
                        class="primary send"
                        aria-label=move || if aside.get() { "Queue this message" } else { "Send" }
                        title=move || if aside.get() { "Queue it (Enter)" } else { "Send (Enter)" }
                        class:busy=move || sending.get()
                        disabled=move || {
                            sending.get() || attachments.is_reading() || nothing_to_send()
                        }
                    >
                        <Spinner visible=sending />
                        <span hidden=move || sending.get()>
                            <icon::Send />
                        </span>
                    </button>
                </form>
            </DropPlace>
            <RefusedSend
                session_id
                text=Callback::new(move |()| draft.trimmed().unwrap_or_default())
                refusal
                on_anyway=Callback::new(move |()| send(true))
            />
            <p class="composer-hint">
                {move || is_own.get().then_some(OWN_COMMAND)}
                <span role="status" aria-label="Stopping">
                    {move || escape_is_next.get().then(|| once_more(state.get(), runs_own.get() == Some(true)))}
                </span>
                <span class="doubt" role="status" aria-label="Command">
                    {move || remarked.get().map(|remark| remark.words)}
                </span>
                {move || {
                    let is_said = escape_is_next.get() || is_own.get() || remarked.read().is_some();
                    (!is_said)
                        .then(|| {
                            let (words, keys) = hint(state.get(), aside.get(), draft.is_empty());
                            view! {
                                {words}
                                <span class="for-keys">{keys}</span>
                            }
                        })
                }}
            </p>
        </div>
    }
}

fn has_focus(area: &web_sys::HtmlTextAreaElement) -> bool {
    let active = document().active_element();
    active.is_some_and(|active| area.is_same_node(Some(&active)))
}

/// To the card, if nothing was written; else to nowhere: whoever ends a message with Escape and Enter out of habit must not
/// have allowed something.
fn leave(area: &web_sys::HtmlTextAreaElement, is_empty: bool) {
    if is_empty {
        focus::go_to(".dock form.card");
    } else {
        let _ = area.blur();
    }
}

const NO_COMMAND: &str = "Write a command behind it, as in !git status.";
const OWN_COMMAND: &str = "Enter runs this in the project, as you and without the agent. It reads what came of it with your next message.";

/// What is to be run and not to be said.
fn own_command(text: &str) -> Option<&str> {
    let command = text.strip_prefix('!')?.trim();
    (!command.is_empty()).then_some(command)
}

fn placeholder(state: Option<ProcessState>, aside: bool) -> &'static str {
    match state {
        _ if aside => "A message for after the request below",
        None | Some(ProcessState::Dead) => "Send a message to resume this session",
        Some(ProcessState::AssistantTurn) => "Add something for the agent",
        Some(ProcessState::Starting | ProcessState::UserTurn) => "Message the agent",
    }
}

fn once_more(state: Option<ProcessState>, runs_own: bool) -> &'static str {
    match rests(state) {
        true if runs_own => "Press Esc once more to stop your command.",
        true => "Press Esc once more to go back to before one of your messages.",
        false => "Press Esc once more to stop the agent.",
    }
}

/// The words for everyone, and the keys, for whoever has some.
fn hint(state: Option<ProcessState>, aside: bool, is_empty: bool) -> (&'static str, &'static str) {
    match state {
        _ if aside && is_empty => (
            "A request waits below. What you write here is queued.",
            " Enter or Esc goes to the request.",
        ),
        _ if aside => (
            "A request waits below.",
            " Enter queues this message; Esc leaves it here as a draft.",
        ),
        None | Some(ProcessState::Dead) => (
            "The process has ended; sending starts it again where it was.",
            "",
        ),
        Some(ProcessState::Starting | ProcessState::AssistantTurn) => (
            "The agent is at work and takes the message as soon as it can.",
            " Esc twice stops it.",
        ),
        Some(ProcessState::UserTurn) => (
            "/ commands · @ files · ! your own command",
            " · Enter sends · Shift+Enter begins a line · ↑ what you said · Alt+M next mode",
        ),
    }
}
