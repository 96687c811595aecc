//! A request in one line: what is wanted, in our words, and what it is about, in the agent's. Pure.

use crate::model::{PendingRequest, RequestType};

/// Ours, never the agent's.
pub fn wish(request: &PendingRequest) -> String {
    match request.request_type {
        RequestType::AskUserQuestion => match request.tool_input.questions().len() {
            0 | 1 => "asks a question".to_owned(),
            more => format!("asks {more} questions"),
        },
        RequestType::PlanApproval => "has a plan".to_owned(),
        RequestType::ToolApproval => match request.tool_name.as_str() {
            "Bash" => "wants to run a command".to_owned(),
            "Edit" | "MultiEdit" | "NotebookEdit" => "wants to edit a file".to_owned(),
            "Write" => "wants to write a file".to_owned(),
            "Read" | "NotebookRead" => "wants to read a file".to_owned(),
            "Glob" | "Grep" | "LS" => "wants to search files".to_owned(),
            "WebFetch" => "wants to fetch a page".to_owned(),
            "WebSearch" => "wants to search the web".to_owned(),
            "Task" | "Agent" => "wants to start a subagent".to_owned(),
            _ => "wants to use a tool".to_owned(),
        },
    }
}

/// The part that tells it from others. The whole is in the form.
pub fn subject(request: &PendingRequest) -> String {
    let input = &request.tool_input;
    let text = match request.request_type {
        RequestType::AskUserQuestion => input
            .questions()
            .first()
            .map(|question| question.question.clone()),
        RequestType::PlanApproval => input.text("plan").map(str::to_owned),
        RequestType::ToolApproval => [
            "command",
            "file_path",
            "notebook_path",
            "path",
            "url",
            "query",
            "pattern",
            "prompt",
        ]
        .iter()
        .find_map(|field| input.text(field))
        .map(str::to_owned),
    };
    first_line(&text.unwrap_or_else(|| request.tool_name.clone()))
}

fn first_line(text: &str) -> String {
    let line = text.lines().find(|line| !line.trim().is_empty());
    line.unwrap_or_default()
        .trim_start_matches(['#', ' '])
        .to_owned()
}
