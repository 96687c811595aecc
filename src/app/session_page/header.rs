//! The head of a session: what it is, where it works, how it stands, and what can be done to the process. Trouble is
//! said in words, with what to do.

use super::archived_line::ArchivedLine;
use super::effort_select::EffortSelect;
use super::mode_select::{ModeQuestion, ModeSelect};
use super::model_select::ModelSelect;
use super::more_menu::MoreMenu;
use crate::api;
use crate::app::live::use_live;
use crate::app::sidebar::mark;
use crate::app::ui::button::Spinner;
use crate::app::ui::icon;
use crate::app::ui::show::Show;
use crate::app::ui::untrusted::{Untrusted, Words};
use crate::model::process::size_words;
use crate::model::{Code, PermissionMode, ProcessInfo, ProcessState, Refusal, SessionId};
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_meta::Title;
use std::time::Duration;

#[component]
pub fn SessionHeader(session_id: SessionId) -> impl IntoView {
    let live = use_live();
    let session = live.session(session_id);
    let process = live.process(session_id);
    let title = Memo::new(move |_| {
        let session = session.read();
        session
            .as_ref()
            .map(|session| session.title.clone())
            .unwrap_or_default()
    });
    let place = Memo::new(move |_| {
        let session = session.read();
        let session = session.as_ref()?;
        let cwd = session
            .process
            .as_ref()
            .and_then(|process| process.cwd.clone());
        Some(cwd.unwrap_or_else(|| session.project_id.to_string()))
    });
    let state = Memo::new(move |_| state_words(process.read().as_ref()));
    let used = Memo::new(move |_| {
        let process = process.read();
        used(process.as_ref().filter(|process| process.is_alive())?)
    });
    let is_alive = Memo::new(move |_| process.read().as_ref().is_some_and(ProcessInfo::is_alive));
    // also of one that has ended: the next one begins with what is chosen now
    let is_known = Memo::new(move |_| process.read().is_some());
    let can_stop = Memo::new(move |_| {
        let process = process.read();
        process
            .as_ref()
            .is_some_and(|process| process.state == ProcessState::AssistantTurn)
    });
    let is_archived = live.is_archived(session_id);
    // what a button in this head was refused
    let refusal = RwSignal::new(None::<Refusal>);
    let asks = RwSignal::new(None::<PermissionMode>);
    view! {
        <Title text=move || title.get() />
        <div class="session-head">
            <div class="bar">
                <div class="session-words">
                    <h1>{move || view! { <Words text=title.get() /> }}</h1>
                    <p class="sub">
                        <span class=move || state.get().1 aria-hidden="true"></span>
                        <span class="state">{move || state.get().0}</span>
                        {move || {
                            used.get()
                                .map(|used| {
                                    view! {
                                        <span class="used" class:full=used.is_full title=used.sentences>
                                            {used.percent}
                                            <span class="of-what">{used.of_what}</span>
                                            {(!used.rest.is_empty()).then_some(used.rest)}
                                        </span>
                                    }
                                })
                        }}
                        {move || {
                            place
                                .get()
                                .map(|place| {
                                    let words = place.clone();
                                    view! {
                                        <span class="cwd" title=place>
                                            <Untrusted text=words />
                                        </span>
                                    }
                                })
                        }}
                    </p>
                </div>
                <span class="spacer"></span>
                <Show when=move || is_known.get()>
                    <ModeSelect session_id process refusal asks />
                    <ModelSelect session_id process refusal />
                    <EffortSelect session_id process refusal />
                </Show> <Show when=move || can_stop.get()>
                    <StopButton session_id refusal />
                </Show>
                <MoreMenu session_id is_alive refusal />
            </div>
            <ModeQuestion session_id process refusal asks />
            <Show when=move || is_archived.get() fallback=move || view! { <Trouble process /> }>
                <ArchivedLine session_id refusal />
            </Show>
            <Show when=move || refusal.read().is_some()>
                <p class="refusal" role="alert">
                    {move || refusal.get().map(|refusal| refusal.message)}
                </p>
            </Show>
        </div>
    }
}

/// Stops the turn; the process goes on. It is there as long as the turn: an agent may not react at once, or not at all.
#[component]
fn StopButton(session_id: SessionId, refusal: RwSignal<Option<Refusal>>) -> impl IntoView {
    const PATIENCE: Duration = Duration::from_secs(6);
    let is_stopping = RwSignal::new(false);
    let is_late = StoredValue::new(false);
    let stop = move |_| {
        is_stopping.set(true);
        refusal.set(None);
        spawn_local(async move {
            if let Err(words) = api::interrupt(session_id).await {
                let _ = refusal.try_set(Some(words));
                let _ = is_stopping.try_set(false);
            }
        });
        set_timeout(
            move || {
                if is_stopping.try_get_untracked() == Some(true) {
                    is_late.set_value(true);
                    is_stopping.set(false);
                    refusal.set(Some(Refusal::new(Code::AgentUnavailable, NO_REACTION)));
                }
            },
            PATIENCE,
        );
    };
    on_cleanup(move || {
        // it has stopped after all
        if is_late.try_get_value() == Some(true) {
            let _ = refusal.try_set(None);
        }
    });
    view! {
        <button
            type="button"
            title="Stops the turn; the process goes on and waits for a message"
            disabled=move || is_stopping.get()
            on:click=stop
        >
            <Spinner visible=Signal::derive(move || is_stopping.get()) />
            <Show when=move || !is_stopping.get()>
                <icon::Stop />
            </Show>
            <span class="stop-word">
                {move || if is_stopping.get() { "Stopping…" } else { "Stop" }}
            </span>
        </button>
    }
}

const NO_REACTION: &str =
    "The agent has not stopped yet. Wait, try again, or end its process: More, End process.";

/// Why the process is not what it should be.
#[component]
fn Trouble(process: Memo<Option<ProcessInfo>>) -> impl IntoView {
    let trouble = Memo::new(move |_| process.read().as_ref().and_then(trouble));
    move || {
        trouble.get().map(|trouble| {
            view! {
                <p class="trouble" class:error=trouble.is_error>
                    <Untrusted text=trouble.words />
                    {trouble.can_resume.then_some(" Send a message to resume.")}
                </p>
            }
        })
    }
}

#[derive(Clone, Debug, PartialEq)]
struct TroubleWords {
    words: String,
    is_error: bool,
    can_resume: bool,
}

fn trouble(process: &ProcessInfo) -> Option<TroubleWords> {
    let can_resume = !process.is_alive();
    let (words, is_error) = match (&process.error, &process.kill_reason) {
        (Some(error), _) => (error.clone(), true),
        (None, Some(reason)) if can_resume => (reason.clone(), false),
        _ => return None,
    };
    let words = match words.trim_end().ends_with(['.', '!', '?', '…']) {
        true => words.trim_end().to_owned(),
        false => format!("{}.", words.trim_end()),
    };
    Some(TroubleWords {
        // some say so themselves
        can_resume: can_resume
            && !words.contains("send the message again")
            && !words.contains("Send a message"),
        words,
        is_error,
    })
}

/// How the session stands, and the class of its dot, which is the sidebar's.
fn state_words(process: Option<&ProcessInfo>) -> (&'static str, &'static str) {
    let words = match process {
        None => "not running",
        Some(process) if process.pending_request().is_some() => "waiting for you",
        Some(process) => match process.state {
            ProcessState::Dead if process.error.is_some() => "ended with an error",
            ProcessState::Dead => "ended",
            ProcessState::Starting => "starting",
            ProcessState::AssistantTurn => "working",
            ProcessState::UserTurn if process.turn_failed => "your turn, the last one failed",
            ProcessState::UserTurn => "your turn",
        },
    };
    (words, mark(process).dot)
}

/// What the conversation has used up.
#[derive(Clone, Debug, PartialEq)]
struct Used {
    percent: String,
    /// Said where there is room, and always to who hears the page.
    of_what: &'static str,
    /// Whether it is nearly full, and what it has cost.
    rest: String,
    sentences: String,
    is_full: bool,
}

/// Nothing before it is known. What the process takes is said along with it.
fn used(process: &ProcessInfo) -> Option<Used> {
    let spent = process.spent?;
    let memory = process.memory.map(size_words);
    let memory = memory.map(|memory| format!("The process takes {memory} of memory."));
    let sentences: Vec<String> = spent.sentence().into_iter().chain(memory).collect();
    let brief = spent.brief()?;
    let (percent, of_what, rest) = match brief.split_once(" %") {
        Some((percent, rest)) => (format!("{percent} %"), " context", rest.to_owned()),
        None => (String::new(), "", brief),
    };
    Some(Used {
        percent,
        of_what,
        rest,
        sentences: sentences.join(" "),
        is_full: spent.is_full(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::samples;
    use crate::model::{ProjectId, Spent, UnixTime};

    fn process(state: ProcessState) -> ProcessInfo {
        ProcessInfo {
            session_id: SessionId::random(),
            project_id: ProjectId::from("/a"),
            state,
            started_at: UnixTime(0.0),
            state_changed_at: UnixTime(0.0),
            ..samples::plain_process()
        }
    }

    #[test]
    fn an_ended_process_says_why_and_what_to_do() {
        let mut dead = process(ProcessState::Dead);
        assert_eq!(trouble(&dead), None);
        dead.kill_reason = Some("Idle for 15 minutes".to_owned());
        let said = trouble(&dead).expect("trouble");
        assert_eq!(said.words, "Idle for 15 minutes.");
        assert!(said.can_resume && !said.is_error);
        dead.error = Some("The agent stopped with code 1.".to_owned());
        let said = trouble(&dead).expect("trouble");
        assert_eq!(said.words, "The agent stopped with code 1.");
        assert!(said.is_error);
    }

    #[test]
    fn a_session_stands_in_words() {
        assert_eq!(state_words(None).0, "not running");
        assert_eq!(
            state_words(Some(&process(ProcessState::AssistantTurn))).0,
            "working"
        );
        assert_eq!(
            state_words(Some(&process(ProcessState::UserTurn))).0,
            "your turn"
        );
    }

    #[test]
    fn a_turn_that_failed_is_said_and_seen() {
        let failed = ProcessInfo {
            turn_failed: true,
            ..process(ProcessState::UserTurn)
        };
        let (words, dot) = state_words(Some(&failed));
        assert_eq!(
            (words, dot),
            ("your turn, the last one failed", "dot failed")
        );
    }

    #[test]
    fn the_context_and_the_money_are_shown_as_soon_as_they_are_known() {
        let mut process = samples::plain_process();
        process.memory = Some(300 * 1024 * 1024);
        assert_eq!(used(&process), None, "memory alone is no news");
        let spent = |percent| Spent {
            context_percent: Some(percent),
            cost_usd: Some(1.92),
        };
        process.spent = Some(spent(38));
        let words = |used: &Used| format!("{}{}{}", used.percent, used.of_what, used.rest);
        let known = used(&process).expect("all of it");
        assert_eq!(
            (words(&known), known.is_full),
            ("38 % context · $1.92".to_owned(), false)
        );
        assert!(
            known.sentences.contains("38 % of the context") && known.sentences.contains("300 MB")
        );
        process.spent = Some(spent(83));
        let known = used(&process).expect("all of it");
        assert_eq!(
            (words(&known), known.is_full),
            ("83 % context full · $1.92".to_owned(), true)
        );
        assert!(known.sentences.contains("/compact"), "{}", known.sentences);
    }
}
