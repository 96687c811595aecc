//! The conversation as it went: one line or block for each thing that happened, the text that is being written, and
//! what goes on. It stays at the newest line for a reader who is there, and never moves for one who is not.

pub mod answered;
mod background;
mod earlier;
mod files;
mod item;
mod long_text;
mod notice;
pub mod outcome;
mod partial;
mod said;
mod stick;
pub mod subagent;
mod text;
mod thought;
mod todos;
mod tool;
mod tool_body;
mod tool_state;
mod turn_end;
mod working;

use crate::app::live::{ConversationView, use_live};
use crate::app::ui::icon;
use crate::model::{ProcessState, SessionId, ToolUseId};
use earlier::Earlier;
use item::TranscriptItem;
use leptos::prelude::*;
use partial::BeingWritten;
use stick::Stick;
use working::Working;

/// What a line needs to know of its session.
#[derive(Clone, Copy)]
struct Around {
    session_id: SessionId,
    /// The agent is at work: a call without a result is still running.
    is_at_work: Signal<bool>,
    /// Calls whose work goes on, although they have a result.
    background: Memo<Vec<ToolUseId>>,
    /// Paths beneath it are shown short.
    directory: StoredValue<Option<String>>,
    conversation: ConversationView,
}

#[component]
pub fn Transcript(session_id: SessionId) -> impl IntoView {
    let live = use_live();
    let process = live.process(session_id);
    let conversation = live.conversation(session_id);
    let items = conversation.items();
    let partial = conversation.partial();
    let is_at_work = Signal::derive(move || {
        let process = process.read();
        process
            .as_ref()
            .is_some_and(|process| process.state == ProcessState::AssistantTurn)
    });
    let background = Memo::new(move |_| {
        let process = process.read();
        let process = process.as_ref();
        process.map_or_else(Vec::new, |process| process.background_calls.clone())
    });
    let directory = live.session(session_id).with_untracked(|session| {
        let session = session.as_ref()?;
        let cwd = session
            .process
            .as_ref()
            .and_then(|process| process.cwd.clone());
        Some(cwd.unwrap_or_else(|| session.project_id.to_string()))
    });
    provide_context(Around {
        session_id,
        is_at_work,
        background,
        directory: StoredValue::new(directory),
        conversation,
    });

    let stick = Stick::new();
    stick.hold();
    stick.follow(move || {
        partial.track();
        process.track();
        // the newest lines are those that still change
        items.with(|items| {
            for line in items.iter().rev().take(8) {
                line.item.track();
            }
        });
    });
    let (lines, queued) = (conversation.lines(None), conversation.queued());
    let is_empty = Memo::new(move |_| items.with(Vec::is_empty));
    view! {
        <div class="transcript">
            <div class="scroll" node_ref=stick.scroller on:scroll=move |_| stick.scrolled()>
                <div class="column">
                    <Earlier session_id stick />
                    <div class="turn" role="log" aria-label="Transcript" tabindex="0">
                        <For each=move || lines.get() key=|line| line.seq let:line>
                            <TranscriptItem item=line.item />
                        </For>
                        <BeingWritten partial />
                        <For each=move || queued.get() key=|line| line.seq let:line>
                            <TranscriptItem item=line.item />
                        </For>
                    </div>
                    <Show when=move || is_empty.get()>
                        <p class="working">"Nothing has been said here yet."</p>
                    </Show>
                    <Working process partial />
                </div>
            </div>
            <Show when=move || !stick.is_at_end.get()>
                <button type="button" class="jump" on:click=move |_| stick.to_the_end()>
                    <icon::ArrowDown />
                    "Jump to latest"
                </button>
            </Show>
        </div>
    }
}
