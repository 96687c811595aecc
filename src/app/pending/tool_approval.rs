//! May this tool be used? Allow once, edit and allow, allow with a note, deny with a reason, deny and stop.

mod noting;

use super::Asked;
use super::answering::{AnswerButton, BackButton};
use super::card::{Card, focus};
use super::edited::{Edited, EditedInsight};
use super::editing::{EditBox, Editing, UnsentEdit};
use super::insight::{Understood, learn, look};
use super::keys::{Place, Pressed};
use super::payload;
use super::reason_box::ReasonBox;
use super::remember::{RememberSwitches, Remembered};
use super::sentence::{Part, asker, wish};
use crate::app::batch::{Batch, can_be_listed};
use crate::app::draft::Draft;
use crate::app::live::use_live;
use crate::app::ui::show::Show;
use crate::app::ui::untrusted::{Untrusted, Words};
use crate::model::{Decision, PendingRequest, Response, ToolDecision};
use leptos::html;
use leptos::prelude::*;
use noting::{Noting, UnsentNote, UnsentReason};

/// Everything the person can change on this card.
#[derive(Clone, Copy)]
struct Choices {
    asked: Asked,
    card: NodeRef<html::Form>,
    editing: Editing,
    edited: Edited,
    /// What was to be allowed before it was seen what it does.
    pressed_early: RwSignal<Option<String>>,
    remembered: Remembered,
    reason: Draft,
    note: Draft,
    open: RwSignal<Open>,
    has_seen_odd: RwSignal<bool>,
    has_odd: Memo<bool>,
    may_allow: Memo<bool>,
    /// A key alone must not allow it.
    default_to_no: bool,
    batch: Batch,
}

/// The box that stands in the place of the buttons.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Nothing,
    Reason,
    Note,
}

impl Choices {
    fn new(asked: Asked, request: &PendingRequest) -> Self {
        let editing = Editing::new(request);
        let edited = Edited::new(asked, request, editing);
        let has_seen_odd = RwSignal::new(false);
        let original_is_odd = payload::has_odd_characters(&request.tool_input);
        let has_odd = Memo::new(move |_| match editing.result.read().as_ref() {
            Ok(Some(edited)) => payload::has_odd_characters(edited),
            _ => original_is_odd,
        });
        let remembered = Remembered::new(asked, request.offered().to_vec());
        Self {
            asked,
            card: NodeRef::new(),
            editing,
            edited,
            pressed_early: RwSignal::new(None),
            remembered,
            reason: Draft::of_request(request.request_id, "reason"),
            note: Draft::of_request(request.request_id, "note"),
            open: RwSignal::new(Open::Nothing),
            has_seen_odd,
            has_odd,
            batch: expect_context(),
            default_to_no: request.grounds.default_to_no,
            may_allow: Memo::new(move |_| {
                editing.result.read().is_ok()
                    && edited.is_current.get()
                    && (!has_odd.get() || has_seen_odd.get())
                    && !remembered.has_trouble()
            }),
        }
    }

    fn allow(self) {
        self.allow_with("allow", None);
    }

    fn allow_with(self, button: &'static str, note: Option<String>) {
        if !self.edited.is_current.get_untracked() {
            let text = untrack(move || self.editing.text());
            self.pressed_early.set(Some(text));
        }
        if !self.may_allow.get_untracked() {
            return;
        }
        let Ok(updated_input) = self.editing.result.get_untracked() else {
            return;
        };
        let decision = ToolDecision {
            decision: Decision::Allow,
            message: None,
            interrupt: false,
            updated_input,
            remember: untrack(move || self.remembered.chosen()),
            note,
        };
        let others = untrack(move || self.remembered.others());
        let others: Vec<_> = others
            .into_iter()
            .filter(|one| can_be_listed(&one.request))
            .collect();
        let rules = untrack(move || self.remembered.rules());
        let batch = self.batch;
        self.asked
            .answering
            .send_and(button, Response::ToolApproval(decision), move || {
                if !others.is_empty() {
                    batch.offer_covered(rules, others);
                }
            });
    }

    fn deny(self, interrupt: bool) {
        let decision = ToolDecision {
            decision: Decision::Deny,
            message: self.reason.trimmed(),
            interrupt,
            updated_input: None,
            remember: Vec::new(),
            note: None,
        };
        let button = if interrupt { "deny and stop" } else { "deny" };
        self.asked
            .answering
            .send(button, Response::ToolApproval(decision));
    }

    /// Closes the box; keys go on working on the card.
    fn close(self) {
        self.open.set(Open::Nothing);
        focus(self.card);
    }

    fn key(self, pressed: &Pressed) -> bool {
        match (pressed.key.as_str(), pressed.place) {
            // letters reach it in the list only: in a session someone may be writing
            ("Enter" | "a", Place::Card) if self.default_to_no => self.open.set(Open::Reason),
            ("Enter" | "a", Place::Card) if self.open.get_untracked() == Open::Nothing => {
                self.allow();
            }
            ("d", Place::Card) => self.open.set(Open::Reason),
            ("y", Place::Card) => self.open.set(Open::Note),
            ("Escape", _) if self.open.get_untracked() == Open::Nothing => {
                self.open.set(Open::Reason);
            }
            ("Escape", _) => self.close(),
            _ => return false,
        }
        true
    }
}

#[component]
pub fn ToolApproval(asked: Asked) -> impl IntoView {
    let request = asked.request.get_value();
    let choices = Choices::new(asked, &request);
    let card = choices.card;
    let editing = choices.editing;
    let (session_id, request_kept) = (asked.session_id, asked.request);
    let found = learn(session_id, request_kept);
    choices.asked.answering.shows(found);
    let request_id = request.request_id;
    asked.answering.on_outdated(move || {
        look(session_id, request_id, found);
        choices.edited.look_again();
    });
    view! {
        <Card asked card on_key=Callback::new(move |pressed: Pressed| choices.key(&pressed))>
            <div class="body">
                <Sentence asked />
                <Show
                    when=move || editing.is_open.get()
                    fallback=move || view! { <Understood session_id request=request_kept found /> }
                >
                    <EditBox
                        editing
                        card
                        on_send=Callback::new(move |()| choices.allow())
                    />
                    <EditedInsight edited=choices.edited found />
                    <PressedEarly choices />
                </Show>
                <UnsentEdit editing />
                <UnsentNote choices />
                <UnsentReason choices />
                <Why request />
                <OddCharacters choices />
                <RememberSwitches
                    remembered=choices.remembered
                    found
                    is_edited=Signal::derive(move || editing.changed().is_some())
                />
            </div>
            {move || match choices.open.get() {
                Open::Nothing => view! { <Actions choices /> }.into_any(),
                Open::Reason => view! { <Denial choices /> }.into_any(),
                Open::Note => view! { <Noting choices /> }.into_any(),
            }}
        </Card>
    }
}

/// What is allowed has been seen: a key that was quicker is said to have done nothing.
#[component]
fn PressedEarly(choices: Choices) -> impl IntoView {
    let is_said = move || {
        choices.edited.is_current.get()
            && choices.pressed_early.read().as_ref() == Some(&choices.editing.text())
    };
    move || is_said().then(|| view! { <p class="why" role="status">{NOT_SENT}</p> })
}

const NOT_SENT: &str =
    "Not sent yet: this is what your version does. Press Ctrl+Enter once more to allow it.";

/// "Claude wants to run a command in api/".
#[component]
fn Sentence(asked: Asked) -> impl IntoView {
    let live = use_live();
    let cwd = live.of_process(asked.session_id, |process| process.cwd.clone());
    let asker = asker(&live.agent());
    // where the process works does not change while it asks
    let cwd = cwd.get_untracked().flatten();
    let parts = asked
        .request
        .with_value(|request| wish(request, cwd.as_deref()));
    let parts: Vec<_> = parts
        .into_iter()
        .map(|part| match part {
            Part::Ours(words) => format!(" {words}").into_any(),
            Part::Theirs(words) => view! {
                " "
                <code>
                    <Untrusted text=words />
                </code>
            }
            .into_any(),
        })
        .collect();
    view! { <h2>{asker} " wants to" {parts}</h2> }
}

/// Why it is asked at all, and the agent's words about the call where its input has none.
#[component]
fn Why(request: PendingRequest) -> impl IntoView {
    let is_shown = is_shown(&request);
    let description = request.description.filter(|_| !is_shown);
    view! {
        {description
            .map(|words| {
                view! {
                    <p class="agent-words">
                        <Words text=words />
                    </p>
                }
            })}
        {request
            .decision_reason
            .map(|reason| {
                view! {
                    <p class="why">"Asked because: " <Untrusted text=reason /></p>
                }
            })}
        {request
            .grounds
            .matched_ask_rule
            .as_ref()
            .map(|rule| {
                let (written, place) = (rule.written(), rule.place().to_owned());
                view! {
                    <p class="why">"Your rule " <code><Untrusted text=written /></code> " in " <Untrusted text=place /> " wants it asked."</p>
                }
            })}
        {request
            .grounds
            .sentences()
            .into_iter()
            .map(|sentence| {
                view! {
                    <p class="why"><Untrusted text=sentence /></p>
                }
            })
            .collect::<Vec<_>>()}
        {request
            .blocked_path
            .map(|path| {
                view! {
                    <p class="why">"Asked about this path: " <code><Untrusted text=path /></code></p>
                }
            })}
    }
}

/// The description says nothing that the payload does not show.
fn is_shown(request: &PendingRequest) -> bool {
    let Some(words) = request.description.as_deref() else {
        return false;
    };
    let argument = payload::main_argument(&request.tool_name, &request.tool_input);
    request.tool_input.text("description") == Some(words)
        || argument.is_some_and(|argument| argument.ends_with(words))
}

#[component]
fn OddCharacters(choices: Choices) -> impl IntoView {
    view! {
        <Show when=move || choices.has_odd.get()>
            <label class="odd">
                <input
                    type="checkbox"
                    prop:checked=move || choices.has_seen_odd.get()
                    on:change=move |event| choices.has_seen_odd.set(event_target_checked(&event))
                />
                "I have seen the hidden characters"
            </label>
        </Show>
    }
}

#[component]
fn Actions(choices: Choices) -> impl IntoView {
    let answering = choices.asked.answering;
    let editing = choices.editing;
    let remembers = Memo::new(move |_| !choices.remembered.chosen().is_empty());
    let is_edited = move || matches!(&*editing.result.read(), Ok(Some(_)));
    let is_listed = choices.asked.is_listed();
    view! {
        <div class="actions">
            <button
                type="button"
                class="ghost"
                disabled=move || answering.is_closed()
                on:click=move |_| choices.open.set(Open::Reason)
            >
                "Deny"
                // in the editor the keys are for writing
                <kbd aria-hidden="true" hidden=move || editing.is_open.get()>
                    "Esc"
                </kbd>
            </button>
            <span class="spacer"></span>
            <button
                type="button"
                aria-expanded=move || editing.is_open.get().to_string()
                disabled=move || answering.is_closed()
                on:click=move |_| editing.toggle()
            >
                "Edit"
            </button>
            <button
                type="button"
                class="yes-but"
                title="Yes, but: allows it and tells the agent something right after"
                disabled=move || answering.is_closed()
                on:click=move |_| choices.open.set(Open::Note)
            >
                "Allow with a note"
                {is_listed
                    .then(|| {
                        view! {
                            <kbd aria-hidden="true" hidden=move || editing.is_open.get()>
                                "Y"
                            </kbd>
                        }
                    })}
            </button>
            <AnswerButton
                answering
                name="allow"
                class="primary"
                effect=Signal::derive(move || {
                    remembers.get().then_some("Also keeps the rules that are switched on above")
                })
                disabled=Signal::derive(move || !choices.may_allow.get())
                on_press=Callback::new(move |()| choices.allow())
            >
                {move || if is_edited() { "Allow once, edited" } else { "Allow once" }}
                {(!choices.default_to_no)
                    .then(|| {
                        view! {
                            <kbd aria-hidden="true">
                                {move || if editing.is_open.get() { "Ctrl ↵" } else { "↵" }}
                            </kbd>
                        }
                    })}
            </AnswerButton>
        </div>
    }
}

#[component]
fn Denial(choices: Choices) -> impl IntoView {
    let answering = choices.asked.answering;
    let is_of_a_subagent = choices
        .asked
        .request
        .with_value(|request| request.agent.is_some());
    let stops = match is_of_a_subagent {
        true => "Denies and stops this subagent. The reason is read with your next message",
        false => "Denies and ends the turn. The reason is read with your next message",
    };
    let close = Callback::new(move |()| choices.close());
    let deny = Callback::new(move |()| choices.deny(false));
    view! {
        <ReasonBox
            label="Reason"
            placeholder="Why not, or what to do instead (the agent reads this)"
            draft=choices.reason
            on_send=deny
            on_close=close
        />
        <div class="actions">
            <BackButton answering on_press=close />
            <span class="spacer"></span>
            <AnswerButton
                answering
                name="deny and stop"
                class="danger"
                effect=Some(stops)
                on_press=Callback::new(move |()| choices.deny(true))
            >
                "Deny and stop"
            </AnswerButton>
            <AnswerButton answering name="deny" class="primary" on_press=deny>
                "Deny"
                <kbd aria-hidden="true">"↵"</kbd>
            </AnswerButton>
        </div>
    }
}
