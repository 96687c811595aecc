//! The lists an agent keeps while it works: the whole list in each call, or one task in each.

use super::ToolInput;
use super::conversation::{Body, Item, ToolItem};
use serde_json::Value;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Todo {
    /// The agent's name for it, where it has one.
    pub id: Option<String>,
    pub text: String,
    pub state: TodoState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TodoState {
    Open,
    Doing,
    Done,
}

impl TodoState {
    fn from_word(word: &str) -> Self {
        match word {
            "completed" | "done" => TodoState::Done,
            "in_progress" => TodoState::Doing,
            _ => TodoState::Open,
        }
    }
}

pub fn keeps_a_list(tool: &ToolItem) -> bool {
    matches!(
        tool.tool_name.as_str(),
        "TodoWrite" | "TaskCreate" | "TaskUpdate"
    )
}

/// "2 of 3 done", and what is being done.
pub fn words(todos: &[Todo]) -> String {
    let done = todos
        .iter()
        .filter(|todo| todo.state == TodoState::Done)
        .count();
    let doing = todos.iter().find(|todo| todo.state == TodoState::Doing);
    let doing = doing.map_or_else(String::new, |todo| format!(" · {}", todo.text));
    format!("{done} of {} done{doing}", todos.len())
}

/// Gives each call the list as it was after it. Whether one behind `index` has changed.
pub fn count(items: &mut [Item], index: usize) -> bool {
    let mut list: Vec<Todo> = Vec::new();
    let mut changed = false;
    for (at, item) in items.iter_mut().enumerate() {
        let Body::Tool(tool) = &mut item.body else {
            continue;
        };
        // a call that failed changed nothing
        let failed = tool.result.as_ref().is_some_and(|result| result.is_error);
        if !keeps_a_list(tool) {
            continue;
        }
        if !failed {
            take(&mut list, tool);
        }
        if tool.todos != list {
            tool.todos.clone_from(&list);
            changed |= at > index;
        }
    }
    changed
}

fn take(list: &mut Vec<Todo>, tool: &ToolItem) {
    let input = &tool.tool_input;
    match tool.tool_name.as_str() {
        "TodoWrite" => *list = whole_list(input),
        "TaskCreate" => {
            // its number is known when it is made; until then they are counted
            let told = tool.result.as_ref().and_then(|result| number(&result.text));
            let id = told.unwrap_or_else(|| (list.len() + 1).to_string());
            list.push(Todo {
                id: Some(id),
                text: input.text("subject").unwrap_or_default().to_owned(),
                state: TodoState::Open,
            });
        }
        _ => update(list, input),
    }
}

fn whole_list(input: &ToolInput) -> Vec<Todo> {
    let todos = input.0.get("todos").and_then(Value::as_array);
    let text = |todo: &Value, field: &str| todo[field].as_str().unwrap_or_default().to_owned();
    todos
        .into_iter()
        .flatten()
        .map(|todo| Todo {
            id: todo["id"].as_str().map(str::to_owned),
            text: text(todo, "content"),
            state: TodoState::from_word(&text(todo, "status")),
        })
        .collect()
}

fn update(list: &mut Vec<Todo>, input: &ToolInput) {
    let id = match input.0.get("taskId") {
        Some(Value::String(id)) => id.clone(),
        Some(Value::Number(id)) => id.to_string(),
        _ => return,
    };
    if input.text("status") == Some("deleted") {
        list.retain(|todo| todo.id.as_ref() != Some(&id));
        return;
    }
    // made before what is here: shown by its number
    if !list.iter().any(|todo| todo.id.as_ref() == Some(&id)) {
        list.push(Todo {
            text: format!("Task {id}"),
            id: Some(id.clone()),
            state: TodoState::Open,
        });
    }
    for todo in list.iter_mut().filter(|todo| todo.id.as_ref() == Some(&id)) {
        if let Some(word) = input.text("status") {
            todo.state = TodoState::from_word(word);
        }
        if let Some(subject) = input.text("subject") {
            todo.text = subject.to_owned();
        }
    }
}

/// The number after the first `#`.
fn number(text: &str) -> Option<String> {
    let (_, rest) = text.split_once('#')?;
    let end = rest
        .find(|character: char| !character.is_ascii_digit())
        .unwrap_or(rest.len());
    (end > 0).then(|| rest[..end].to_owned())
}
