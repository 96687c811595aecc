//! What goes on right now, in words, when nothing is being written.

use super::elapsed::Elapsed;
use crate::app::live::{Line, use_live};
use crate::app::ui::show::Show;
use crate::model::conversation::{Body, Partial};
use crate::model::{ProcessInfo, ProcessState, UnixTime};
use leptos::prelude::*;

#[component]
pub fn Working(
    process: Memo<Option<ProcessInfo>>,
    partial: Signal<Option<Partial>>,
    items: Signal<Vec<Line>>,
) -> impl IntoView {
    let words = Memo::new(move |_| {
        let is_writing = partial.read().is_some();
        process
            .read()
            .as_ref()
            .and_then(|info| words(info, is_writing))
    });
    let last_end = Memo::new(move |_| {
        items.with(|lines| {
            let mut backwards = lines.iter().rev().map(|line| line.item.read_untracked());
            let end = backwards.find(|item| matches!(item.body, Body::TurnEnd { .. }));
            end.map(|end| end.at)
        })
    });
    let since = Memo::new(move |_| since(process.read().as_ref()?, last_end.get()));
    view! {
        <Show when=move || words.read().is_some()>
            <p class="working">
                <span class="pulse" aria-hidden="true"></span>
                {move || words.get()} <TriesAgain process /> <Elapsed since />
            </p>
        </Show>
    }
}

/// "in 12 s", until then.
#[component]
fn TriesAgain(process: Memo<Option<ProcessInfo>>) -> impl IntoView {
    let now = use_live().now();
    let at = Memo::new(move |_| process.read().as_ref()?.tries_again_at);
    let left = Memo::new(move |_| at.get().and_then(|at| seconds_left(at, now.get())));
    move || {
        left.get().map(|seconds| {
            view! {
                <span class="elapsed" aria-hidden="true">
                    {format!("in {seconds} s")}
                </span>
            }
        })
    }
}

fn seconds_left(until: UnixTime, now: UnixTime) -> Option<u64> {
    let left = until.since(now).ceil() as u64;
    (left > 0).then_some(left)
}

/// When the turn began that is at work. Of two without a pause between them, the second begins where the first ended.
fn since(info: &ProcessInfo, last_end: Option<UnixTime>) -> Option<UnixTime> {
    let changed = info.state_changed_at;
    match info.state {
        // one number is enough
        _ if info.tries_again_at.is_some() => None,
        ProcessState::Starting => Some(changed),
        ProcessState::AssistantTurn => match last_end {
            Some(end) if end > changed => Some(end),
            _ => Some(changed),
        },
        ProcessState::UserTurn | ProcessState::Dead => None,
    }
}

fn words(info: &ProcessInfo, is_writing: bool) -> Option<String> {
    match info.state {
        ProcessState::Starting => Some("Starting the agent…".to_owned()),
        // the call that waits says so itself
        ProcessState::AssistantTurn if !info.pending_requests.is_empty() => None,
        ProcessState::AssistantTurn => match &info.activity {
            Some(activity) => Some(activity.clone()),
            None if is_writing => None,
            None => Some("Working…".to_owned()),
        },
        // what runs in the background
        ProcessState::UserTurn => info.activity.clone(),
        ProcessState::Dead => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::samples;

    fn info(state: ProcessState, activity: Option<&str>) -> ProcessInfo {
        ProcessInfo {
            state,
            activity: activity.map(str::to_owned),
            ..samples::plain_process()
        }
    }

    #[test]
    fn work_is_said_unless_its_text_is_seen() {
        let at_work = info(ProcessState::AssistantTurn, None);
        assert_eq!(words(&at_work, false).as_deref(), Some("Working…"));
        assert_eq!(words(&at_work, true), None);
        let retrying = info(ProcessState::AssistantTurn, Some("Trying again"));
        assert_eq!(words(&retrying, true).as_deref(), Some("Trying again"));
        assert_eq!(words(&info(ProcessState::UserTurn, None), false), None);
        assert_eq!(words(&info(ProcessState::Dead, None), false), None);
    }

    #[test]
    fn work_is_counted_from_the_beginning_of_its_turn() {
        let at = |seconds: f64| Some(UnixTime(seconds));
        let begun = |state| ProcessInfo {
            state_changed_at: UnixTime(100.0),
            ..info(state, None)
        };
        let at_work = begun(ProcessState::AssistantTurn);
        assert_eq!(since(&at_work, None), at(100.0));
        assert_eq!(since(&at_work, at(90.0)), at(100.0));
        assert_eq!(
            since(&at_work, at(120.0)),
            at(120.0),
            "the next one, at once"
        );
        assert_eq!(since(&begun(ProcessState::Starting), at(120.0)), at(100.0));
        assert_eq!(since(&begun(ProcessState::UserTurn), None), None);
        let retrying = ProcessInfo {
            tries_again_at: at(130.0),
            ..at_work
        };
        assert_eq!(since(&retrying, None), None);
    }

    #[test]
    fn the_seconds_until_the_next_try_count_down_and_then_go() {
        let left = |now: f64| seconds_left(UnixTime(112.0), UnixTime(now));
        assert_eq!([100.0, 111.5].map(left), [Some(12), Some(1)]);
        assert_eq!([112.0, 113.0].map(left), [None, None]);
    }
}
