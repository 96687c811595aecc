//! A change of a file as the server compared it with the disk: where the file really is, why the tool would refuse, and
//! the change with line numbers, unified or side by side. Rows that were left out are fetched when asked for.

use crate::api;
use crate::app::pending::payload::whereabouts;
use crate::app::ui::icon;
use crate::app::ui::untrusted::{Untrusted, shown};
use crate::model::insight::file::{
    FileInsight, Gap, LineEnd, Note, Piece, Problem, Row, RowKind, side_by_side,
};
use crate::model::{RequestId, SessionId};
use leptos::prelude::*;
use leptos::task::spawn_local;

/// Where left out rows come from, and how rows are drawn.
#[derive(Clone, Copy)]
pub struct Source {
    session_id: SessionId,
    request_id: RequestId,
    /// The text in place of the agent's, if a person changed it.
    edited: StoredValue<Option<String>>,
    version: StoredValue<String>,
    beside: RwSignal<bool>,
    /// It is a change of the file, not two pieces of text that do not fit it: these have no end of their own.
    is_of_the_file: bool,
}

pub fn view(
    session_id: SessionId,
    request_id: RequestId,
    edited: Option<String>,
    file: FileInsight,
) -> AnyView {
    let source = Source {
        session_id,
        request_id,
        edited: StoredValue::new(edited),
        version: StoredValue::new(file.change.version.clone()),
        beside: RwSignal::new(false),
        is_of_the_file: file.problem.is_none(),
    };
    let (added, removed) = (file.change.added, file.change.removed);
    let problem = file.problem.as_ref().map(|problem| problem.sentence());
    let facts = facts(&file);
    // what is there was not read: nobody knows that nothing goes
    let is_known = removed > 0 || !file.notes.contains(&Note::NotCompared);
    let left_out: u32 = file
        .change
        .rows
        .iter()
        .filter_map(|row| row.gap)
        .map(|gap| gap.changed)
        .sum();
    let left_out = (left_out > 0).then(|| {
        let changed = added + removed;
        format!(
            "{} of {changed} changed lines are shown; the others open below.",
            changed.saturating_sub(left_out)
        )
    });
    let rows = StoredValue::new(file.change.rows);
    view! {
        {problem.map(|problem| view! { <p class="finding danger">{problem}</p> })}
        {left_out.map(|words| view! { <p class="why">{words}</p> })}
        <div class="code">
            <div class="file">
                <icon::File />
                {whereabouts::path(file.path)}
                <span class="stat">
                    <span class="p">{format!("+{added}")}</span>
                    " "
                    {is_known.then(|| view! { <span class="m">{format!("−{removed}")}</span> })}
                </span>
                <span class="spacer"></span>
                {(added > 0 && removed > 0)
                    .then(|| {
                        view! {
                            <button
                                type="button"
                                class="ghost small beside-switch"
                                aria-pressed=move || source.beside.get().to_string()
                                on:click=move |_| source.beside.update(|beside| *beside = !*beside)
                            >
                                "Side by side"
                            </button>
                        }
                    })}
            </div>
            <div class="diff" class:beside=move || source.beside.get()>
                {move || rows.with_value(|rows| drawn(source, rows))}
            </div>
        </div>
        {facts
            .into_iter()
            .map(|fact| {
                view! {
                    <p class="why">
                        <Untrusted text=fact />
                    </p>
                }
            })
            .collect::<Vec<_>>()}
    }
    .into_any()
}

fn facts(file: &FileInsight) -> Vec<String> {
    let places = file.places.map(|places| match places {
        1 => "Replaces 1 place in the file.".to_owned(),
        several => format!("Replaces {several} places in the file."),
    });
    // that there is none is the problem, and said
    let is_missing = file.problem == Some(Problem::FileMissing);
    let before = file.before.sentence().filter(|_| !is_missing);
    before
        .into_iter()
        .chain(file.cell.as_ref().map(|cell| cell.sentence()))
        .chain(places)
        .chain(file.notes.iter().map(|note| note.sentence()))
        .collect()
}

fn drawn(source: Source, rows: &[Row]) -> Vec<AnyView> {
    if !source.beside.get() {
        return rows
            .iter()
            .map(|row| line(source, row, Numbers::Both))
            .collect();
    }
    side_by_side(rows)
        .into_iter()
        .map(|(left, right)| match left {
            Some(row) if row.kind == RowKind::Gap => line(source, row, Numbers::Both),
            _ => {
                let side = |row: Option<&Row>, numbers| {
                    row.map(|row| line(source, row, numbers))
                        .unwrap_or_else(|| view! { <div class="line none"></div> }.into_any())
                };
                let is_same = left.is_some_and(|row| row.kind == RowKind::Context);
                let class = if is_same { "pair same" } else { "pair" };
                let (left, right) = (side(left, Numbers::Old), side(right, Numbers::New));
                view! { <div class=class>{left} {right}</div> }.into_any()
            }
        })
        .collect()
}

/// Side by side, each column has the numbers of its own side.
#[derive(Clone, Copy)]
enum Numbers {
    Both,
    Old,
    New,
}

/// One line, or the way to those that are not here.
fn line(source: Source, row: &Row, numbers: Numbers) -> AnyView {
    let (class, sign, word) = match row.kind {
        RowKind::Gap => return gap(source, row.gap.unwrap_or_default()),
        RowKind::Context => ("line numbered", " ", ""),
        RowKind::Added => ("line numbered a", "+", "added: "),
        RowKind::Removed => ("line numbered d", "−", "removed: "),
    };
    let number = |line: Option<u32>| line.map(|line| line.to_string());
    let (first, second) = match numbers {
        Numbers::Both => (Some(row.old_line), row.new_line),
        Numbers::Old => (None, row.old_line),
        Numbers::New => (None, row.new_line),
    };
    let old = first.map(|line| view! { <span class="n old">{number(line)}</span> });
    view! {
        <div class=class>
            {old} <span class="n">{number(second)}</span> <span class="n sign" aria-hidden="true">
                {sign}
            </span> <span class="t">
                <span class="visually-hidden">{word}</span>
                <bdi dir="ltr" class="untrusted">
                    {row.pieces.iter().map(piece).collect::<Vec<_>>()}
                </bdi>
                {end(source, row).map(|words| view! { <span class="line-end">{words}</span> })}
            </span>
        </div>
    }
    .into_any()
}

fn piece(piece: &Piece) -> AnyView {
    let text = shown(&piece.text);
    let names = [
        piece.class.map(|class| class.name()),
        piece.changed.then_some("changed"),
    ];
    match names.into_iter().flatten().collect::<Vec<_>>().join(" ") {
        none if none.is_empty() => text.into_any(),
        names => view! { <span class=names>{text}</span> }.into_any(),
    }
}

/// What the eye cannot see at the end of a line.
fn end(source: Source, row: &Row) -> Option<String> {
    if row.left_out > 0 {
        return Some(format!("… {} more characters", row.left_out));
    }
    match row.end {
        LineEnd::Missing if source.is_of_the_file => Some("no newline at the end".to_owned()),
        LineEnd::CrLf if row.end_changed => Some("ends with CRLF".to_owned()),
        LineEnd::Lf if row.end_changed => Some("ends with LF".to_owned()),
        _ => None,
    }
}

fn gap(source: Source, gap: Gap) -> AnyView {
    let opened = RwSignal::new(None::<Vec<Row>>);
    let refusal = RwSignal::new(None::<String>);
    let open = move |_| {
        spawn_local(async move {
            let Some(version) = source.version.try_get_value() else {
                return;
            };
            let edited = source.edited.try_get_value().flatten();
            let (session_id, request_id) = (source.session_id, source.request_id);
            match api::open_gap(session_id, request_id, version, gap, edited).await {
                Ok(rows) => drop(opened.try_set(Some(rows))),
                Err(refused) => drop(refusal.try_set(Some(refused.message))),
            }
        });
    };
    let words = match gap.changed {
        0 if gap.rows == 1 => "Show 1 unchanged line".to_owned(),
        0 => format!("Show {} unchanged lines", gap.rows),
        all if all == gap.rows => format!("Show more: {all} changed lines are left"),
        changed => format!(
            "Show more: {} lines are left, {changed} of them changed",
            gap.rows
        ),
    };
    let closed = move || {
        view! {
            <button type="button" class="gap" on:click=open>
                {words.clone()}
            </button>
            {move || refusal.get().map(|words| view! { <p class="refusal">{words}</p> })}
        }
        .into_any()
    };
    (move || {
        opened.with(|rows| match rows {
            Some(rows) => drawn(source, rows).into_any(),
            None => closed(),
        })
    })
    .into_any()
}
