//! Cuts a command into rows where one part follows another, also inside loops and groups, and each row into pieces that look alike. Pure. Nothing is
//! dropped or moved: the pieces of all rows, put together, are the command.

use crate::model::insight::command::{
    Break, CommandInsight, Mark, Piece, PieceKind, Severity, Span,
};

pub struct Row<'a> {
    /// The operator it follows with, and the space around; empty for the first.
    pub lead: &'a str,
    /// How many loops, conditions and groups it begins inside of.
    pub depth: usize,
    pub pieces: Vec<Shown<'a>>,
    /// Worst first.
    pub marks: Vec<&'a Mark>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown<'a> {
    pub text: &'a str,
    pub kind: PieceKind,
    /// A mark was earned by these words.
    pub marked: Option<Severity>,
}

/// `None` if the insight is not one of this command: it is then shown as it is.
pub fn rows<'a>(command: &'a str, insight: &'a CommandInsight) -> Option<Vec<Row<'a>>> {
    if !covers(command, &insight.pieces) {
        return None;
    }
    let leads = leads(command, insight);
    let ends = leads.iter().skip(1).map(|(lead, _)| lead.start);
    let ends: Vec<usize> = ends.chain([command.len()]).collect();
    let spans = leads.iter().zip(ends);
    let mut rows: Vec<(Span, Row)> = spans
        .map(|((lead, depth), end)| {
            let row = Row {
                lead: lead.of(command),
                depth: *depth,
                pieces: pieces(command, insight, Span::new(lead.end, end)),
                marks: Vec::new(),
            };
            (Span::new(lead.start, end), row)
        })
        .collect();
    for mark in &insight.marks {
        let at = mark.words.first().unwrap_or(&mark.segment).start;
        let place = rows.partition_point(|(span, _)| span.start <= at);
        if let Some((_, row)) = rows.get_mut(place.saturating_sub(1)) {
            row.marks.push(mark);
        }
    }
    Some(rows.into_iter().map(|(_, row)| row).collect())
}

fn covers(command: &str, pieces: &[Piece]) -> bool {
    let mut end = 0;
    pieces.iter().all(|piece| {
        let follows = piece.span.start == end && command.get(end..piece.span.end).is_some();
        end = piece.span.end;
        follows
    }) && end == command.len()
}

/// Where rows begin, and how deep inside: the first with the text, the others where the server says. What does not fit
/// the text begins none.
fn leads(command: &str, insight: &CommandInsight) -> Vec<(Span, usize)> {
    let mut leads = vec![(Span::default(), 0)];
    let mut end_of_last = 0;
    for Break { lead, depth } in &insight.breaks {
        let fits = command.get(lead.start..lead.end).is_some();
        if fits && lead.start > end_of_last {
            end_of_last = lead.end;
            leads.push((*lead, *depth));
        }
    }
    leads
}

fn pieces<'a>(command: &'a str, insight: &CommandInsight, row: Span) -> Vec<Shown<'a>> {
    let words: Vec<(Span, Severity)> = insight
        .marks
        .iter()
        .flat_map(|mark| mark.words.iter().map(|span| (*span, mark.severity)))
        .filter(|(span, _)| span.start < row.end && row.start < span.end)
        .collect();
    let mut shown: Vec<Shown> = Vec::new();
    let first = insight
        .pieces
        .partition_point(|piece| piece.span.end <= row.start);
    let here = insight.pieces[first..].iter();
    for piece in here.take_while(|piece| piece.span.start < row.end) {
        let (start, end) = (piece.span.start.max(row.start), piece.span.end.min(row.end));
        let edges = words.iter().flat_map(|(span, _)| [span.start, span.end]);
        let mut cuts: Vec<usize> = edges
            .filter(|at| (start..end).contains(at) && command.is_char_boundary(*at))
            .chain([start, end])
            .collect();
        cuts.sort_unstable();
        for cut in cuts.windows(2).filter(|cut| cut[0] < cut[1]) {
            let span = Span::new(cut[0], cut[1]);
            let covering = words.iter().filter(|(word, _)| word.contains(span));
            shown.push(Shown {
                text: span.of(command),
                kind: piece.kind,
                marked: covering.map(|(_, severity)| *severity).min(),
            });
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::insight::command::MarkKind;

    fn span(command: &str, part: &str) -> Span {
        let start = command.find(part).expect(part);
        Span::new(start, start + part.len())
    }

    fn insight(command: &str, leads: &[&str]) -> CommandInsight {
        let breaks = leads.iter().map(|part| Break {
            lead: span(command, part),
            depth: 0,
        });
        CommandInsight {
            pieces: vec![Piece {
                kind: PieceKind::Plain,
                span: Span::new(0, command.len()),
            }],
            breaks: breaks.collect(),
            ..CommandInsight::default()
        }
    }

    fn put_together(rows: &[Row]) -> Vec<String> {
        rows.iter()
            .map(|row| {
                let text: String = row.pieces.iter().map(|piece| piece.text).collect();
                format!("{}{text}", row.lead)
            })
            .collect()
    }

    #[test]
    fn each_part_has_a_row_that_begins_with_its_operator() {
        let command = "make && (cd x; ls) | tee größe\nrm y & echo z ;";
        let insight = insight(command, &[" && ", "; ", " | ", "\n", " & "]);
        let rows = rows(command, &insight).expect("rows");
        let drawn = put_together(&rows);
        assert_eq!(
            drawn,
            [
                "make",
                " && (cd x",
                "; ls)",
                " | tee größe",
                "\nrm y",
                " & echo z ;"
            ]
        );
        assert_eq!(drawn.concat(), command);
        assert_eq!(rows[3].lead, " | ");
    }

    #[test]
    fn places_that_do_not_fit_begin_no_row_and_lose_nothing() {
        let command = "größe; b && c";
        let mut insight = insight(command, &["; ", " && "]);
        let odd = [(3, 4), (9, 9), (40, 41), (0, 0), (8, 7)];
        insight.breaks.extend(odd.map(|(start, end)| Break {
            lead: Span::new(start, end),
            depth: 9,
        }));
        let rows = rows(command, &insight).expect("rows");
        assert_eq!(put_together(&rows), ["größe", "; b", " && c"]);
    }

    #[test]
    fn a_mark_is_on_the_row_that_earned_it_and_its_words_are_told_apart() {
        let command = "ls && rm -rf build";
        let mut insight = insight(command, &[" && "]);
        insight.marks = vec![Mark {
            kind: MarkKind::DeletesRecursively,
            severity: Severity::Danger,
            sentence: "Deletes recursively: build".to_owned(),
            segment: span(command, "rm -rf build"),
            words: vec![span(command, "-rf")],
        }];
        let rows = rows(command, &insight).expect("rows");
        assert!(rows[0].marks.is_empty());
        assert_eq!(rows[1].marks.len(), 1);
        let marked: Vec<_> = rows[1]
            .pieces
            .iter()
            .map(|piece| (piece.text, piece.marked))
            .collect();
        assert_eq!(
            marked,
            [
                ("rm ", None),
                ("-rf", Some(Severity::Danger)),
                (" build", None)
            ]
        );
    }

    #[test]
    fn an_insight_of_another_text_is_not_used() {
        let other = insight("echo größer", &[]);
        assert!(rows("echo", &other).is_none());
        assert!(rows("echo grßer", &other).is_none());
        assert!(rows("echo größer", &other).is_some());
        assert!(rows("x", &CommandInsight::default()).is_none());
    }
}
