//! The conversation as it went: one line or block for each thing that happened, the text that is being written, and
//! what goes on. It stays at the newest line for a reader who is there, and never moves for one who is not.

pub mod answered;
mod background;
mod earlier;
mod elapsed;
mod files;
mod go_back;
mod item;
mod long_text;
mod notice;
pub mod outcome;
mod own_command;
mod partial;
mod rewound;
mod said;
pub mod so_far;
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

use crate::app::live::{ConversationView, Line, use_live};
use crate::app::message_input::SentHere;
use crate::app::ui::icon;
use crate::app::ui::show::Show;
use crate::model::conversation::{Body, ToolItem};
use crate::model::{ProcessState, SessionId, ToolUseId};
use earlier::Earlier;
pub use go_back::GoingBack;
use item::TranscriptItem;
use leptos::prelude::*;
use own_command::OwnCommandRuns;
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
    /// The line of the oldest call that waits for a person: those after it have not begun. Of subagents none counts.
    waits_at: Memo<Option<u64>>,
    /// The agent knows no message before this line.
    cleared_at: Memo<u64>,
    /// Calls whose subagents wait for a person.
    asked_for: Memo<Vec<ToolUseId>>,
    /// Counts up when something in the middle of a line has grown.
    grown: RwSignal<u32>,
    /// Paths beneath it are shown short.
    directory: StoredValue<Option<String>>,
    conversation: ConversationView,
}

impl Around {
    /// A subagent is asked about by itself, so its call is never held up.
    fn is_behind(self, tool: &ToolItem, seq: u64) -> bool {
        let begins_an_agent = matches!(tool.tool_name.as_str(), "Agent" | "Task");
        tool.request.is_none()
            && tool.agent.is_none()
            && !begins_an_agent
            && self.waits_at.get().is_some_and(|waits| waits < seq)
    }
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
    let waits_at = Memo::new(move |_| {
        let process = process.read();
        let waiting = process.as_ref()?.pending_requests.iter();
        let calls: Vec<ToolUseId> = waiting
            .filter(|request| request.agent.is_none())
            .filter_map(|request| request.tool_use_id.clone())
            .collect();
        if calls.is_empty() {
            return None;
        }
        items.with(|lines| {
            let is_it = |line: &&Line| match &line.item.read_untracked().body {
                Body::Tool(tool) => tool
                    .tool_use_id
                    .as_ref()
                    .is_some_and(|id| calls.contains(id)),
                _ => false,
            };
            lines.iter().find(is_it).map(|line| line.seq)
        })
    });
    let cleared_at = Memo::new(move |_| {
        let lines = items.read();
        let is_it = |line: &&Line| matches!(line.item.read_untracked().body, Body::Cleared);
        lines.iter().rev().find(is_it).map_or(0, |line| line.seq)
    });
    let asked_for = Memo::new(move |_| {
        let process = process.read();
        let waiting = process.iter().flat_map(|process| &process.pending_requests);
        let agents = waiting.filter_map(|request| request.agent.as_ref());
        agents.filter_map(|agent| agent.call.clone()).collect()
    });
    let grown = RwSignal::new(0);
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
        waits_at,
        cleared_at,
        asked_for,
        grown,
        directory: StoredValue::new(directory),
        conversation,
    });

    // what was thought of before the agent went on must not open by itself later
    if let Some(GoingBack(going_back)) = use_context() {
        Effect::new(move |_| {
            if is_at_work.get() {
                going_back.set(None);
            }
        });
    }
    let stick = Stick::new();
    stick.hold();
    // whoever writes wants to see it, wherever they were reading
    if let Some(SentHere(sent)) = use_context() {
        Effect::new(move |before: Option<u32>| {
            let now = sent.get();
            if before.is_some_and(|before| before != now) {
                stick.to_the_end();
            }
            now
        });
    }
    stick.follow(move || {
        partial.track();
        process.track();
        grown.track();
        // the newest lines are those that still change
        items.with(|items| {
            for line in items.iter().rev().take(8) {
                line.item.track();
            }
        });
    });
    let (lines, queued) = (conversation.lines(None), conversation.queued());
    let own_command = Memo::new(move |_| process.read().as_ref()?.own_command.clone());
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
                    {move || {
                        own_command
                            .get()
                            .map(|command| view! { <OwnCommandRuns session_id command /> })
                    }}
                    <Working process partial items />
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
