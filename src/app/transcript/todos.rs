//! The list an agent keeps, as a list with ticks.

use crate::app::ui::untrusted::Words;
use crate::model::conversation::ToolItem;
use crate::model::todo::{Todo, TodoState};
use leptos::prelude::*;

#[component]
pub fn Todos(tool: Memo<ToolItem>) -> impl IntoView {
    let todos = Memo::new(move |_| tool.read().todos.clone());
    view! {
        // after a call that failed there may be none
        <ul class="todos" aria-label="To do" hidden=move || todos.read().is_empty()>
            {move || todos.get().into_iter().map(row).collect_view()}
        </ul>
    }
}

fn row(todo: Todo) -> impl IntoView {
    let (class, sign, word) = match todo.state {
        TodoState::Open => ("todo", "", "open: "),
        TodoState::Doing => ("todo doing", "", "being done: "),
        TodoState::Done => ("todo done", "✓", "done: "),
    };
    view! {
        <li class=class>
            <span class="tick" aria-hidden="true">
                {sign}
            </span>
            <span class="visually-hidden">{word}</span>
            <Words text=todo.text />
        </li>
    }
}
