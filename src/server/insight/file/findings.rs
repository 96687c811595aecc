//! Does in memory what the tool would do, and knows both texts. If the tool would fail, or if the file was not read, the
//! request stands alone: what it says goes, and what it says comes.

use super::compare::{Compared, in_words};
use super::draw::Drawing;
use super::highlight::language_of;
use super::on_disk::on_disk;
use super::request::{Asked, CellEdit, Request};
use super::select::Part;
use super::{Limits, Workspace, edit, notebook, text};
use crate::model::ToolInput;
use crate::model::insight::file::{Before, Cell, FilePath, LineEnds, Note, Problem, Row};
use sha2::{Digest, Sha256};
use std::time::Instant;

/// In a version, between what the change is and how it is drawn.
const BETWEEN: char = '-';

/// Of a version: what the change is.
pub fn content_of(version: &str) -> &str {
    version
        .split_once(BETWEEN)
        .map_or(version, |(content, _)| content)
}

/// All that has to be known before two texts are compared.
pub struct Findings {
    pub path: FilePath,
    pub before: Before,
    pub problem: Option<Problem>,
    pub notes: Vec<Note>,
    pub places: Option<u32>,
    pub cell: Option<Cell>,
    old: String,
    new: String,
    language: Option<String>,
    /// The two texts are those of the file, or of the cell.
    is_compared: bool,
}

impl Findings {
    pub fn compared(&self, limits: &Limits) -> Compared<'_> {
        Compared::new(
            &self.old,
            &self.new,
            Instant::now() + limits.time_to_compare,
        )
    }

    /// Names the change: what it is, and how it is drawn.
    pub fn version(&self, compared: &Compared) -> String {
        format!("{}{BETWEEN}{}", self.content(), compared.version())
    }

    /// What the change is. Where the path leads and what is there count as much as the texts: what is outside the project is
    /// not read, and a new file in it has no text before, either.
    pub fn content(&self) -> String {
        let place = format!("{:?} {:?}", self.path, self.before);
        let mut hash = Sha256::new();
        for part in [&place, &self.old, &self.new] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part.as_bytes());
        }
        in_words(&hash.finalize())
    }

    pub fn draw(&self, compared: &Compared, parts: &[Part], limits: &Limits) -> Vec<Row> {
        let drawing = Drawing {
            compared,
            language: self.language.as_deref(),
            limits,
            deadline: Instant::now() + limits.time_to_draw,
            has_numbers: self.is_compared,
        };
        drawing.rows(parts)
    }
}

pub fn find(
    workspace: Workspace,
    tool: &str,
    input: &ToolInput,
    limits: &Limits,
) -> Option<Findings> {
    let request = Request::read(tool, input)?;
    let (path, on_disk) = on_disk(workspace, request.path, limits);
    let mut findings = Findings {
        language: language_of(request.path).map(str::to_owned),
        path,
        before: on_disk.before,
        problem: on_disk.problem,
        notes: on_disk.notes,
        places: None,
        cell: None,
        old: String::new(),
        new: String::new(),
        is_compared: false,
    };
    findings.weigh(&request.asked, on_disk.text);
    findings.add_notes(&request.asked);
    Some(findings)
}

impl Findings {
    fn weigh(&mut self, asked: &Asked, text: Option<String>) {
        let is_no_text = matches!(
            self.before,
            Before::Binary { .. } | Before::Directory | Before::Special
        );
        if is_no_text && self.problem.is_none() {
            self.problem = Some(Problem::NotText);
        }
        let is_known = text.is_some() || self.before == Before::Missing;
        match asked {
            Asked::Write(content) => {
                self.is_compared = is_known;
                self.old = text.unwrap_or_default();
                self.new = (*content).to_owned();
            }
            Asked::Edits(edits) if is_known => self.edit(edits, text),
            Asked::Edits(edits) => self.stand_alone(edits),
            Asked::Cell(edit) if is_known => self.change_cell(edit, text.as_deref()),
            Asked::Cell(edit) => edit.source.clone_into(&mut self.new),
        }
    }

    fn edit(&mut self, edits: &[edit::Edit], text: Option<String>) {
        let edited = match edit::apply(text.as_deref(), edits) {
            Ok(edited) => edited,
            Err(problem) => {
                self.problem = Some(problem);
                return self.stand_alone(edits);
            }
        };
        if edited.quotes_adapted {
            self.notes.push(Note::QuotesAdapted);
        }
        if edited.line_break_goes_too {
            self.notes.push(Note::LineBreakGoesToo);
        }
        let is_one = edits.len() == 1 && !edits[0].everywhere;
        self.places = (!is_one).then_some(edited.places);
        self.is_compared = true;
        self.old = text.unwrap_or_default();
        self.new = edited.text;
    }

    fn change_cell(&mut self, edit: &CellEdit, text: Option<&str>) {
        let changed = text.map_or(Err(Problem::FileMissing), |text| {
            notebook::change(text, edit)
        });
        match changed {
            Ok(change) => {
                self.is_compared = true;
                self.old = change.before;
                self.new = change.after;
                self.cell = Some(change.cell);
                self.language = Some(change.language);
            }
            Err(problem) => {
                edit.source.clone_into(&mut self.new);
                self.problem = Some(problem);
            }
        }
    }

    fn stand_alone(&mut self, edits: &[edit::Edit]) {
        let join =
            |side: fn(&edit::Edit) -> &str| edits.iter().map(side).collect::<Vec<_>>().join("\n");
        self.old = join(|edit| &edit.old);
        self.new = join(|edit| &edit.new);
    }

    fn add_notes(&mut self, asked: &Asked) {
        if !self.is_compared {
            self.notes.push(Note::NotCompared);
            return;
        }
        if self.old == self.new && self.before != Before::Missing && self.cell.is_none() {
            self.notes.push(Note::NoChange);
        }
        if let Asked::Cell(_) = asked {
            return;
        }
        let ends = (text::line_ends(&self.old), text::line_ends(&self.new));
        if let (Some(before), Some(after)) = ends {
            if before != after {
                self.notes.push(Note::LineEnds { before, after });
            } else if before == LineEnds::CrLf {
                self.notes.push(Note::KeepsCrLf);
            }
        }
    }
}
