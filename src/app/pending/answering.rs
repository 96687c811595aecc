//! From a click to the end of the form: one answer at a time, the spinner in the button that was pressed, a refusal in
//! words. On success nothing changes here: the form goes when the server says that the request is over, so that every
//! tab shows the same truth.

use super::clock::countdown;
use super::insight::{self, Found};
use crate::app::live::{Connection, Live, use_live};
use crate::app::ui::button::Spinner;
use crate::app::ui::inert::Inert;
use crate::app::ui::show::Show;
use crate::model::{
    Answer, AnswerId, Code, Digest, PendingRequest, Refusal, RequestId, Response, SessionId,
};
use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;

/// After that whoever answered wonders.
const PATIENCE_MS: u32 = 2500;

/// Set by an answer given here: the next card in the same queue may take the focus.
#[derive(Clone, Copy)]
pub struct AnsweredHere(pub RwSignal<bool>);

/// The cards of a list: when one of them leaves, the others move, and take no answer for a moment.
#[derive(Clone, Copy)]
pub struct Moved(pub Inert);

#[derive(Clone, Copy)]
pub struct Answering {
    live: Live,
    session_id: SessionId,
    request_id: RequestId,
    digest: StoredValue<Option<Digest>>,
    /// What the card shows of the file that would change.
    found: StoredValue<Option<Found>>,
    fresh: Inert,
    moved: Option<Moved>,
    /// The button that was pressed.
    sending: RwSignal<Option<&'static str>>,
    /// That was a while ago.
    takes_long: RwSignal<bool>,
    accepted: RwSignal<bool>,
    refusal: RwSignal<Option<Refusal>>,
    /// Its time is up.
    late: Memo<bool>,
    /// Another client answers this session.
    taken: Memo<bool>,
    answered_here: Option<AnsweredHere>,
}

impl Answering {
    pub fn new(session_id: SessionId, request: &PendingRequest) -> Self {
        let live = use_live();
        let (now, expires_at) = (live.now(), request.expires_at);
        let late = move |_: Option<&bool>| {
            expires_at.is_some_and(|expires_at| countdown(expires_at, now.get()).is_up)
        };
        Self {
            live,
            session_id,
            request_id: request.request_id,
            digest: StoredValue::new(request.digest.clone()),
            found: StoredValue::new(None),
            fresh: Inert::at_first(),
            moved: use_context(),
            sending: RwSignal::new(None),
            takes_long: RwSignal::new(false),
            accepted: RwSignal::new(false),
            refusal: RwSignal::new(None),
            late: Memo::new(late),
            taken: live.is_taken(session_id),
            answered_here: use_context(),
        }
    }

    /// It has just appeared, or moved to where it is.
    pub fn is_fresh(self) -> bool {
        self.fresh.get() || self.moved.is_some_and(|Moved(moved)| moved.get())
    }

    /// No answer can be given now: the card is fresh, one is on its way, it is too late, or another client answers.
    pub fn is_closed(self) -> bool {
        self.is_fresh() || self.sending.get().is_some() || self.late.get() || self.taken.get()
    }

    /// An answer is on its way from here, or was when the card went.
    pub fn is_sending(self) -> bool {
        self.sending.try_with_untracked(Option::is_none) != Some(true)
    }

    /// What was refused is being changed: the words about it are no longer true.
    pub fn forget_refusal(self) {
        if self.refusal.read_untracked().is_some() {
            self.refusal.set(None);
        }
    }

    pub fn shows(self, found: Found) {
        self.found.set_value(Some(found));
    }

    /// What the card shows is no longer so: it is looked at anew, and takes no answer for a moment.
    pub fn on_outdated(self, look_again: impl Fn() + 'static) {
        Effect::new(move |_| {
            let refusal = self.refusal.read();
            let code = refusal.as_ref().map(|refusal| refusal.code);
            if code == Some(Code::ContentChanged) {
                look_again();
                self.fresh.begin();
            }
        });
    }

    pub fn send(self, button: &'static str, response: Response) {
        self.send_and(button, response, || {});
    }

    /// With something that is done once the answer is taken; the card may be gone by then.
    pub fn send_and(self, button: &'static str, response: Response, then: impl FnOnce() + 'static) {
        let closed = untrack(move || self.is_closed());
        if closed {
            return;
        }
        let answer = Answer {
            session_id: self.session_id,
            request_id: self.request_id,
            digest: self.digest.get_value(),
            shown: self.found.get_value().and_then(insight::version),
            answer_id: Some(AnswerId::random()),
            response,
        };
        // on its way first, drawn after: the agent waits for this
        let outcome = self.live.answer(answer);
        self.sending.set(Some(button));
        self.refusal.set(None);
        self.live.forget_notice();
        if let Some(AnsweredHere(answered_here)) = self.answered_here {
            answered_here.set(true);
        }
        self.say_so_if_it_takes_long();
        spawn_local(async move {
            let outcome = outcome.await;
            let _ = self.takes_long.try_set(false);
            match outcome {
                Ok(()) => {
                    let _ = self.accepted.try_set(true);
                    then();
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
                    let _ = self.refusal.try_set(Some(refusal));
                }
            }
        });
    }
}

impl Answering {
    fn say_so_if_it_takes_long(self) {
        self.takes_long.set(false);
        spawn_local(async move {
            TimeoutFuture::new(PATIENCE_MS).await;
            let is_on_its_way = self.sending.try_get_untracked().flatten().is_some();
            if is_on_its_way && self.accepted.try_get_untracked() == Some(false) {
                let _ = self.takes_long.try_set(true);
            }
        });
    }
}

/// What the server said, where the person looks.
#[component]
pub fn AnswerStatus(answering: Answering) -> impl IntoView {
    let live = use_live();
    let connection = live.connection();
    let is_taken = move || {
        let refused = answering.refusal.read();
        answering.taken.get()
            || refused
                .as_ref()
                .is_some_and(|refusal| refusal.code == Code::SessionTaken)
    };
    let take_over = move |_| {
        answering.refusal.set(None);
        live.take_over(answering.session_id);
    };
    let waits_for_connection =
        move || answering.accepted.get() && connection.get() != Connection::Live;
    view! {
        <Show when=move || answering.refusal.get().is_some() && !answering.taken.get()>
            <p class="refusal" role="alert">
                {move || answering.refusal.get().map(|refusal| refusal.message)}
            </p>
        </Show>
        <Show when=is_taken>
            <div class="taken" role="status">
                <span>"This session is answered from another tab or program."</span>
                <button type="button" on:click=take_over>
                    "Take over"
                </button>
            </div>
        </Show>
        <Show when=move || answering.takes_long.get()>
            <p class="why" role="status">
                "Your answer is on its way, but the server has not taken it yet. Whether it did is said here; there is no need to answer again."
            </p>
        </Show>
        <Show when=waits_for_connection>
            <p class="why" role="status">
                "Your answer was taken. This page catches up when the connection is back."
            </p>
        </Show>
    }
}

/// The way back from a box to the buttons of the card.
#[component]
pub fn BackButton(answering: Answering, on_press: Callback<()>) -> impl IntoView {
    view! {
        <button
            type="button"
            class="ghost"
            disabled=move || answering.is_closed()
            on:click=move |_| on_press.run(())
        >
            "Back"
            <kbd aria-hidden="true">"Esc"</kbd>
        </button>
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
    #[prop(optional, into)]
    effect: Signal<Option<&'static str>>,
    on_press: Callback<()>,
    children: Children,
) -> impl IntoView {
    let busy = Signal::derive(move || answering.sending.get() == Some(name));
    view! {
        <button
            type="button"
            class=class
            class:busy=move || busy.get()
            title=move || effect.get()
            aria-description=move || effect.get()
            disabled=move || answering.is_closed() || disabled.get()
            aria-busy=move || busy.get().then_some("true")
            on:click=move |_| on_press.run(())
        >
            <Spinner visible=busy />
            {children()}
        </button>
    }
}
