//! What goes on right now, in words, when nothing is being written.

use crate::model::conversation::Partial;
use crate::model::{ProcessInfo, ProcessState};
use leptos::prelude::*;

#[component]
pub fn Working(
    process: Memo<Option<ProcessInfo>>,
    partial: Signal<Option<Partial>>,
) -> impl IntoView {
    let words = Memo::new(move |_| {
        let is_writing = partial.read().is_some();
        process
            .read()
            .as_ref()
            .and_then(|info| words(info, is_writing))
    });
    view! {
        <Show when=move || words.read().is_some()>
            <p class="working">
                <span class="pulse" aria-hidden="true"></span>
                {move || words.get()}
            </p>
        </Show>
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
        let retrying = info(ProcessState::AssistantTurn, Some("Trying again in 5 s"));
        assert_eq!(
            words(&retrying, true).as_deref(),
            Some("Trying again in 5 s")
        );
        assert_eq!(words(&info(ProcessState::UserTurn, None), false), None);
        assert_eq!(words(&info(ProcessState::Dead, None), false), None);
    }
}
