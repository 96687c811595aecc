//! A tool call in one line: how it stands, its name, its main argument, its result, who asked and what was decided.
//! Opening the line shows the whole input and result.

use super::Around;
use super::answered::Answered;
use super::background::{InBackground, TakesLong};
use super::elapsed::{Elapsed, WORTH_IT};
use super::files::Files;
use super::outcome::{self, Tone};
use super::so_far::{Told, WrittenSoFar};
use super::subagent::{Chip, Subagent};
use super::tool_body::ToolBody;
use super::tool_state::{ToolState, change_size, name, result_words};
use crate::api;
use crate::app::live::use_live;
use crate::app::pending::payload::main_argument;
use crate::app::pending::relative;
use crate::app::sidebar::kind_class;
use crate::app::ui::show::Show;
use crate::app::ui::untrusted::Untrusted;
use crate::model::conversation::{Body, Item, ToolItem};
use crate::model::{RequestType, UnixTime, todo};
use leptos::prelude::*;

#[component]
pub fn Tool(item: RwSignal<Item>) -> impl IntoView {
    let tool = Memo::new(move |_| match &item.read().body {
        Body::Tool(tool) => tool.clone(),
        _ => ToolItem::default(),
    });
    let around = expect_context::<Around>();
    let is_in_background = Memo::new(move |_| {
        let tool = tool.read();
        let call = tool.tool_use_id.as_ref();
        call.is_some_and(|call| around.background.read().contains(call))
    });
    let seq = item.read_untracked().seq;
    let state = Memo::new(
        move |_| match ToolState::of(&tool.read(), around.is_at_work.get()) {
            ToolState::Done if is_in_background.get() => ToolState::Running,
            ToolState::Running if around.is_behind(&tool.read(), seq) => ToolState::NotBegun,
            state => state,
        },
    );
    let called_at = item.read_untracked().at;
    let first = tool.get_untracked();
    // as it ran: a person may have edited it
    let argument = Memo::new(move |_| {
        let tool = tool.read();
        let argument = main_argument(&tool.tool_name, tool.effective_input())?;
        Some(
            around
                .directory
                .with_value(|cwd| relative(&argument, cwd.as_deref())),
        )
    });
    let size = Memo::new(move |_| {
        let tool = tool.read();
        change_size(&tool.tool_name, tool.effective_input())
    });
    let newest_list = around.conversation.newest_list();
    let is_newest_list = Memo::new(move |_| newest_list.get() == Some(seq));
    let pictures = Memo::new(move |_| {
        let tool = tool.read();
        let result = tool.result.as_ref();
        result
            .map(|result| result.images.clone())
            .unwrap_or_default()
    });
    // most are never opened: what is inside is drawn when one is
    let was_opened = RwSignal::new(is_newest_list.get_untracked());
    view! {
        <div class=move || format!("call {}", kind(&tool.read()))>
            <details
                class="tool"
                open=move || is_newest_list.get()
                on:toggle=move |_| was_opened.set(true)
            >
                <summary>
                    <Mark state />
                    <b>
                        <Untrusted text=name(&first) />
                    </b>
                    {move || {
                        argument
                            .get()
                            .map(|argument| {
                                view! {
                                    <code>
                                        <Untrusted text=argument />
                                    </code>
                                }
                            })
                    }} {move || size.get().map(|(added, removed)| view! { <Size added removed /> })}
                    {move || {
                        let agent = tool.read().agent.clone();
                        agent.map(|agent| view! { <Chip agent /> })
                    }} <ResultWords tool state called_at /> <Decided tool />
                </summary>
                <Show when=move || was_opened.get()>
                    <ToolBody tool />
                </Show>
            </details>
            <CommandWrites tool state is_in_background called_at />
            <Answered tool />
            {move || view! { <Files files=pictures.get() /> }}
            <Subagent seq call=state />
            <Show
                when=move || is_in_background.get()
                fallback=move || view! { <TakesLong tool state called_at /> }
            >
                <InBackground call=tool.read_untracked().tool_use_id.clone() />
            </Show>
        </div>
    }
}

/// The colour in which it waits.
fn kind(tool: &ToolItem) -> &'static str {
    tool.request
        .as_ref()
        .map(|request| kind_class(request.request_type))
        .unwrap_or_default()
}

#[component]
fn Mark(state: Memo<ToolState>) -> impl IntoView {
    view! {
        <span class=move || state.get().mark().0>
            <span aria-hidden="true">{move || state.get().mark().1}</span>
            <span class="visually-hidden">{move || state.get().mark().2}</span>
        </span>
    }
}

#[component]
fn Size(added: usize, removed: Option<usize>) -> impl IntoView {
    view! {
        <span class="stat">
            <span class="p">{format!("+{added}")}</span>
            {removed.map(|removed| view! { " " <span class="m">{format!("−{removed}")}</span> })}
        </span>
    }
}

/// A refusal is said by the decision; an answer and a plan are shown whole.
#[component]
fn ResultWords(tool: Memo<ToolItem>, state: Memo<ToolState>, called_at: UnixTime) -> impl IntoView {
    let since = Memo::new(move |_| {
        let tool = tool.read();
        let counts = state.get() == ToolState::Running && tool.todos.is_empty();
        counts.then(|| tool.began_at(called_at))
    });
    let words = move || {
        let tool = tool.read();
        let is_call = tool
            .request
            .as_ref()
            .is_none_or(|request| request.request_type == RequestType::ToolApproval);
        match (state.get(), &tool.result) {
            (ToolState::Done | ToolState::Running, _) if !tool.todos.is_empty() => {
                Some(todo::words(&tool.todos))
            }
            (ToolState::Done | ToolState::Failed, Some(result)) if is_call => {
                Some(result_words(result))
            }
            (ToolState::Stopped, Some(result)) if is_call => Some(result_words(result)),
            (ToolState::Waiting, _) => Some("waiting for you".to_owned()),
            (ToolState::NotBegun, _) => Some("not begun".to_owned()),
            _ => None,
        }
    };
    view! {
        <Elapsed since />
        {move || {
            words()
                .map(|words| {
                    view! {
                        <span class="result-words">
                            <Untrusted text=words />
                        </span>
                    }
                })
        }}
    }
}

/// The agent tells what a command writes from some seconds after it began, and of one in the background at once.
#[component]
fn CommandWrites(
    tool: Memo<ToolItem>,
    state: Memo<ToolState>,
    is_in_background: Memo<bool>,
    called_at: UnixTime,
) -> impl IntoView {
    let session_id = expect_context::<Around>().session_id;
    let now = use_live().now();
    let runs = Memo::new(move |_| {
        let tool = tool.read();
        state.get() == ToolState::Running
            && (is_in_background.get() || now.get().since(tool.began_at(called_at)) >= WORTH_IT)
    });
    let call = tool.read_untracked().tool_use_id.clone();
    let is_command = tool.read_untracked().tool_name == "Bash";
    call.filter(|_| is_command).map(|call| {
        let ask = Callback::new(move |()| -> Told {
            Box::pin(api::call_output(session_id, call.clone()))
        });
        move || runs.get().then(|| view! { <WrittenSoFar ask /> })
    })
}

#[component]
fn Decided(tool: Memo<ToolItem>) -> impl IntoView {
    move || {
        let tool = tool.read();
        let kind = tool.request.as_ref()?.request_type;
        let resolution = tool.resolution.as_ref()?;
        let class = match outcome::tone(kind, resolution.outcome) {
            Tone::Good => "outcome",
            Tone::Bad => "outcome bad",
            Tone::Quiet => "outcome quiet",
        };
        let words = outcome::words(kind, resolution);
        Some(view! { <span class=class>{words}</span> })
    }
}
