//! From a click to the end of the form: one answer at a time, the spinner in the button that was pressed, a refusal in
//! words. On success nothing changes here: the form goes when the server says that the request is over, so that every
//! tab shows the same truth.

use crate::app::live::{Connection, Live, use_live};
use crate::app::ui::button::Spinner;
use crate::model::{Answer, Code, Digest, Refusal, RequestId, Response, SessionId};
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::time::Duration;

/// A card that has just appeared takes no answer: the click or key was meant for what was there before.
const FRESH: Duration = Duration::from_millis(400);

/// Set by an answer given here: the next card in the same queue may take the focus.
#[derive(Clone, Copy)]
pub struct AnsweredHere(pub RwSignal<bool>);

#[derive(Clone, Copy)]
pub struct Answering {
    live: Live,
    session_id: SessionId,
    request_id: RequestId,
    digest: StoredValue<Option<Digest>>,
    fresh: RwSignal<bool>,
    /// The button that was pressed.
    sending: RwSignal<Option<&'static str>>,
    accepted: RwSignal<bool>,
    refusal: RwSignal<Option<String>>,
    answered_here: Option<AnsweredHere>,
}

impl Answering {
    pub fn new(session_id: SessionId, request_id: RequestId, digest: Option<Digest>) -> Self {
        let fresh = RwSignal::new(true);
        Effect::new(move |_| {
            // from the moment it is drawn: on a busy machine, or in a hidden tab, that is later
            request_animation_frame(move || {
                set_timeout(
                    move || {
                        let _ = fresh.try_set(false);
                    },
                    FRESH,
                );
            });
        });
        Self {
            live: use_live(),
            session_id,
            request_id,
            digest: StoredValue::new(digest),
            fresh,
            sending: RwSignal::new(None),
            accepted: RwSignal::new(false),
            refusal: RwSignal::new(None),
            answered_here: use_context(),
        }
    }

    pub fn is_fresh(self) -> bool {
        self.fresh.get()
    }

    /// No answer can be given now: the card is fresh, or one is on its way.
    pub fn is_closed(self) -> bool {
        self.fresh.get() || self.sending.get().is_some()
    }

    pub fn send(self, button: &'static str, response: Response) {
        let closed = untrack(move || self.is_closed());
        if closed {
            return;
        }
        self.sending.set(Some(button));
        self.refusal.set(None);
        self.live.forget_notice();
        if let Some(AnsweredHere(flag)) = self.answered_here {
            flag.set(true);
        }
        let answer = Answer {
            session_id: self.session_id,
            request_id: self.request_id,
            digest: self.digest.get_value(),
            response,
        };
        spawn_local(async move {
            match self.live.answer(answer).await {
                Ok(()) => {
                    let _ = self.accepted.try_set(true);
                }
                // the request is over and this card about to go: the words must outlive it
                Err(Refusal {
                    code: Code::AlreadyResolved | Code::Withdrawn | Code::UnknownRequest,
                    message,
                }) => {
                    let _ = self.sending.try_set(None);
                    self.live.tell_refused(self.request_id, message);
                }
                Err(refusal) => {
                    let _ = self.sending.try_set(None);
                    let _ = self.refusal.try_set(Some(refusal.message));
                }
            }
        });
    }
}

/// What the server said, where the person looks.
#[component]
pub fn AnswerStatus(answering: Answering) -> impl IntoView {
    let connection = use_live().connection();
    let waits_for_connection =
        move || answering.accepted.get() && connection.get() != Connection::Live;
    view! {
        <Show when=move || answering.refusal.get().is_some()>
            <p class="refusal" role="alert">
                {move || answering.refusal.get()}
            </p>
        </Show>
        <Show when=waits_for_connection>
            <p class="why" role="status">
                "Your answer was taken. This page catches up when the connection is back."
            </p>
        </Show>
    }
}

/// A button that answers.
#[component]
pub fn AnswerButton(
    answering: Answering,
    /// Tells the buttons of one card apart: the spinner appears in the one that was pressed.
    name: &'static str,
    class: &'static str,
    #[prop(optional, into)] disabled: Signal<bool>,
    /// What pressing it does beyond what its words say.
    #[prop(optional)]
    effect: Option<&'static str>,
    on_press: Callback<()>,
    children: Children,
) -> impl IntoView {
    let busy = Signal::derive(move || answering.sending.get() == Some(name));
    view! {
        <button
            type="button"
            class=class
            class:busy=move || busy.get()
            title=effect
            aria-description=effect
            disabled=move || answering.is_closed() || disabled.get()
            aria-busy=move || busy.get().then_some("true")
            on:click=move |_| on_press.run(())
        >
            <Spinner visible=busy />
            {children()}
        </button>
    }
}
