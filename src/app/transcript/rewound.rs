//! Where a person went back: what was taken back is folded under this line.

use super::Around;
use super::item::TranscriptItem;
use crate::app::pending::relative;
use crate::app::ui::untrusted::Untrusted;
use crate::model::conversation::{Body, Item};
use leptos::prelude::*;

#[component]
pub fn Rewound(item: RwSignal<Item>) -> impl IntoView {
    let around = expect_context::<Around>();
    let Item { seq, body, .. } = item.get_untracked();
    let Body::Rewound {
        conversation,
        files,
    } = body
    else {
        return ().into_any();
    };
    let lines = around.conversation.lines(Some(seq));
    let has_lines = Memo::new(move |_| !lines.read().is_empty());
    let names = around.directory.with_value(|directory| {
        let names = files.iter();
        let names: Vec<String> = names
            .map(|file| relative(file, directory.as_deref()))
            .collect();
        names.join(", ")
    });
    let put_back = (!files.is_empty()).then(|| {
        view! {
            <p class="turn-end cleared">
                {match files.len() {
                    1 => "1 file is as it was: ".to_owned(),
                    count => format!("{count} files are as they were: "),
                }} <Untrusted text=names />
            </p>
        }
    });
    let taken_back = conversation.then(|| {
        view! {
            <p class="turn-end cleared">"You went back: the agent has forgotten what came after this"</p>
            {move || has_lines.get().then(|| view! { <TakenBack seq /> })}
        }
    });
    view! {
        {taken_back}
        {put_back}
    }
    .into_any()
}

#[component]
fn TakenBack(seq: u64) -> impl IntoView {
    let around = expect_context::<Around>();
    let lines = around.conversation.lines(Some(seq));
    // what still runs must not be hidden: it is stopped there
    let still_runs = Memo::new(move |_| {
        let background = around.background.read();
        lines
            .read()
            .iter()
            .any(|line| match &line.item.read().body {
                Body::Tool(tool) => {
                    let call = tool.tool_use_id.as_ref();
                    call.is_some_and(|call| background.contains(call))
                }
                _ => false,
            })
    });
    // it is not closed over whoever reads, or stops something there
    let is_open = Memo::new(move |was_open| was_open == Some(&true) || still_runs.get());
    let count = move || match lines.read().len() {
        1 => "1 line".to_owned(),
        count => format!("{count} lines"),
    };
    view! {
        <details class="taken-back" open=move || is_open.get()>
            <summary>"Taken back " <span class="steps">{count}</span></summary>
            <div class="turn nested">
                <For each=move || lines.get() key=|line| line.seq let:line>
                    {view! { <TranscriptItem item=line.item /> }.into_any()}
                </For>
            </div>
        </details>
    }
}
