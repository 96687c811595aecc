//! A command: all of it, wrapped, with the agent's own words about it beneath and marked as such. Once the server has
//! looked into it, it stands in rows, each with what is dangerous about it in words.

mod rows;

use super::generic::extras;
use crate::app::ui::untrusted::{Untrusted, Words, shown};
use crate::model::ToolInput;
use crate::model::insight::command::{CommandInsight, Mark, Parsed, PieceKind, Severity};
use leptos::prelude::*;
use rows::{Row, Shown};

pub fn view(input: &ToolInput) -> AnyView {
    let text = input.text("command").unwrap_or_default().to_owned();
    with_words(input, command(text).into_any())
}

/// `None` if the insight is one of another text.
pub fn understood(input: &ToolInput, insight: &CommandInsight) -> Option<AnyView> {
    let rows = rows::rows(input.text("command")?, insight)?;
    let rows: Vec<_> = rows.iter().enumerate().map(row).collect();
    let code = view! {
        {counted(&insight.marks)}
        <div class="code segments">{rows}</div>
        {unparsed(&insight.parsed)}
    };
    Some(with_words(input, code.into_any()))
}

fn with_words(input: &ToolInput, code: AnyView) -> AnyView {
    let words = input.text("description").map(|words| {
        view! {
            <p class="agent-words">
                <Words text=words />
            </p>
        }
    });
    view! {
        {code}
        {words}
        {extras(input, &["command", "description"])}
    }
    .into_any()
}

pub fn command(text: String) -> impl IntoView {
    view! {
        <div class="code">
            <div class="seg">
                <span class="op" aria-hidden="true">
                    "$"
                </span>
                <pre class="command">
                    <Untrusted text />
                </pre>
            </div>
        </div>
    }
}

fn row((number, row): (usize, &Row)) -> AnyView {
    let severity = match row.marks.first().map(|mark| mark.severity) {
        Some(Severity::Danger) => " danger",
        Some(Severity::Caution) => " caution",
        None => "",
    };
    let inside = match row.depth {
        0 => "",
        1 => " inside",
        2 => " inside deeper",
        _ => " inside deepest",
    };
    let class = format!("seg{severity}{inside}");
    let lead = match number {
        0 => view! { <span class="op" aria-hidden="true">"$"</span> }.into_any(),
        _ => view! { <span class="op theirs">{shown(row.lead)}</span> }.into_any(),
    };
    let pieces: Vec<_> = row.pieces.iter().map(piece).collect();
    let marks: Vec<_> = row.marks.iter().map(|mark| sentence(mark)).collect();
    view! {
        <div class=class>
            {lead} <pre class="command">
                <bdi dir="ltr" class="untrusted">
                    {pieces}
                </bdi>
            </pre> {(!marks.is_empty()).then(|| view! { <ul class="marks">{marks}</ul> })}
        </div>
    }
    .into_any()
}

fn piece(piece: &Shown) -> AnyView {
    let class = match piece.kind {
        PieceKind::Plain | PieceKind::Argument => "",
        PieceKind::Program => "tok-program",
        PieceKind::Option => "tok-mark",
        PieceKind::String | PieceKind::HereDocument => "tok-text",
        PieceKind::Variable | PieceKind::Assignment => "tok-number",
        PieceKind::Operator | PieceKind::Redirection | PieceKind::Keyword => "tok-keyword",
        PieceKind::Comment => "tok-comment",
    };
    let text = shown(piece.text);
    if class.is_empty() && piece.marked.is_none() {
        return text.into_any();
    }
    let marked = piece.marked.is_some();
    view! { <span class=class class:earned=marked>{text}</span> }.into_any()
}

fn sentence(mark: &Mark) -> AnyView {
    let (class, word) = match mark.severity {
        Severity::Danger => ("danger", "Danger: "),
        Severity::Caution => ("caution", "Caution: "),
    };
    view! {
        <li class=class>
            <span class="visually-hidden">{word}</span>
            <Untrusted text=mark.sentence.clone() />
        </li>
    }
    .into_any()
}

/// A long command scrolls inside its block: how much there is to find is said above it.
fn counted(marks: &[Mark]) -> Option<AnyView> {
    let dangers = marks
        .iter()
        .filter(|mark| mark.severity == Severity::Danger)
        .count();
    let words = match (dangers, marks.len()) {
        (_, 0 | 1) => return None,
        (0, all) => format!("{all} things to look at"),
        (1, all) => format!("{all} things to look at, one of them dangerous"),
        (dangers, all) if dangers == all => {
            format!("{all} things to look at, all of them dangerous")
        }
        (dangers, all) => format!("{all} things to look at, {dangers} of them dangerous"),
    };
    let class = if dangers > 0 {
        "marks-count danger"
    } else {
        "marks-count"
    };
    Some(view! { <p class=class>{words}</p> }.into_any())
}

fn unparsed(parsed: &Parsed) -> Option<AnyView> {
    let Parsed::No { why, .. } = parsed else {
        return None;
    };
    let why = why.trim_end_matches('.').to_owned();
    Some(
        view! {
            <p class="finding">
                "This command does not parse: " <Untrusted text=why />
                ". Read it with care; there may be more to it than is marked."
            </p>
        }
        .into_any(),
    )
}
