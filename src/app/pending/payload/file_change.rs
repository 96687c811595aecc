//! A change of a file, line by line: what goes and what comes. Without a look at the disk the line numbers of the file are
//! not known, and none are shown.

mod compared;

use super::diff::{Change, Line, compare, stat};
use super::generic::extras;
use crate::app::ui::icon;
use crate::app::ui::untrusted::Untrusted;
use crate::model::insight::file::FileInsight;
use crate::model::{PendingRequest, SessionId, ToolInput};
use leptos::prelude::*;

/// Beyond this many lines the text is shown in two blocks: as complete, and light enough to scroll.
const MANY_LINES: usize = 2000;

/// So many lines of a long text are shown before it is compared: more than a screen.
const AT_FIRST: usize = 60;

pub fn edit(input: &ToolInput) -> AnyView {
    let old = input.text("old_string").unwrap_or_default();
    let new = input.text("new_string").unwrap_or_default();
    let everywhere = input.flag("replace_all");
    view! {
        {change(path(input), old, new)}
        {everywhere.then(|| view! { <p class="why">"Replaces every occurrence in the file."</p> })}
        {extras(input, &["file_path", "old_string", "new_string", "replace_all"])}
    }
    .into_any()
}

/// The file is replaced, or made, with this content.
pub fn write(input: &ToolInput, field: &str) -> AnyView {
    let content = input.text(field).unwrap_or_default();
    view! {
        {change(path(input), "", content)}
        {extras(input, &["file_path", "notebook_path", field])}
    }
    .into_any()
}

/// The beginning of a long text, as long as it is being compared: drawing all of it would take longer than that.
pub fn beginning(input: &ToolInput, field: &str) -> Option<AnyView> {
    let content = input.text(field)?;
    let lines = content.lines().count();
    if lines <= AT_FIRST {
        return None;
    }
    let first: String = content.split_inclusive('\n').take(AT_FIRST).collect();
    let view = view! {
        {frame(path(input), (lines, 0), blocks("", &first))}
        <p class="why" role="status">
            {format!("{lines} lines; they are being compared with the file on disk …")}
        </p>
    };
    Some(view.into_any())
}

/// Compared with the disk.
pub fn understood(
    session_id: SessionId,
    request: &PendingRequest,
    edited: Option<String>,
    file: FileInsight,
) -> AnyView {
    let mut shown = vec![
        "file_path",
        "notebook_path",
        "content",
        "old_string",
        "new_string",
        "replace_all",
        "edits",
        "new_source",
    ];
    if file.cell.is_some() {
        shown.extend(["cell_type", "edit_mode"]);
    }
    view! {
        {compared::view(session_id, request.request_id, edited, file)}
        {extras(&request.tool_input, &shown)}
    }
    .into_any()
}

fn path(input: &ToolInput) -> String {
    input
        .text("file_path")
        .or_else(|| input.text("notebook_path"))
        .unwrap_or("(no path)")
        .to_owned()
}

fn change(path: String, old: &str, new: &str) -> AnyView {
    let lines = compare(old, new);
    let size = stat(&lines);
    let shown = if lines.len() > MANY_LINES {
        blocks(old, new)
    } else {
        rows(lines)
    };
    frame(path, size, shown)
}

fn frame(path: String, (added, removed): (usize, usize), shown: AnyView) -> AnyView {
    view! {
        <div class="code">
            <div class="file">
                <icon::File />
                <Untrusted text=path />
                <span class="stat">
                    <span class="p">{format!("+{added}")}</span>
                    " "
                    <span class="m">{format!("−{removed}")}</span>
                </span>
            </div>
            {shown}
        </div>
    }
    .into_any()
}

fn rows(lines: Vec<Line>) -> AnyView {
    let rows: Vec<_> = lines
        .into_iter()
        .map(|line| {
            let (class, sign, word) = match line.change {
                Change::Same => ("line", " ", ""),
                Change::Added => ("line a", "+", "added: "),
                Change::Removed => ("line d", "−", "removed: "),
            };
            view! {
                <div class=class>
                    <span class="n" aria-hidden="true">
                        {sign}
                    </span>
                    <span class="t">
                        <span class="visually-hidden">{word}</span>
                        <Untrusted text=line.text />
                    </span>
                </div>
            }
        })
        .collect();
    view! { <div class="diff">{rows}</div> }.into_any()
}

fn blocks(old: &str, new: &str) -> AnyView {
    let block = |class: &'static str, text: &str| {
        (!text.is_empty()).then(|| {
            view! {
                <pre class=class>
                    <Untrusted text=text />
                </pre>
            }
        })
    };
    view! {
        <div class="diff">{block("whole d", old)} {block("whole a", new)}</div>
    }
    .into_any()
}
