//! The same in words for a person. Texts of the agent are never part of them.

use super::{Before, Cell, CellAction, LineEnds, Note, Place, Problem};

impl Problem {
    pub fn sentence(&self) -> String {
        let which = |edit: u32| match edit {
            0 | 1 => String::new(),
            later => format!(" (edit {later})"),
        };
        match self {
            Problem::NotFound { edit } => format!(
                "The text to replace is not in the file{}. The file may have changed since.",
                which(*edit)
            ),
            Problem::Several { edit, count, lines } => {
                let named: Vec<String> = lines.iter().map(u32::to_string).collect();
                let more = if lines.len() < *count as usize {
                    ", …"
                } else {
                    ""
                };
                let which = which(*edit);
                let lines = named.join(", ");
                format!(
                    "The text to replace is in the file {count} times{which}: in lines {lines}{more}. One was asked for."
                )
            }
            Problem::NothingChanges { edit } => {
                format!("The text would be replaced by itself{}.", which(*edit))
            }
            Problem::AlreadyExists => "This would make a new file, and there is one.".to_owned(),
            Problem::FileMissing => "There is no such file.".to_owned(),
            Problem::NotText => {
                "The tool refuses to change what is there, or replaces all of it.".to_owned()
            }
            Problem::InvalidPath => "This is not a path.".to_owned(),
            Problem::NotANotebook => "The file is not a notebook.".to_owned(),
            Problem::CellMissing => "The notebook has no such cell.".to_owned(),
            Problem::CellNotNamed => "The request does not say which cell.".to_owned(),
            Problem::CellTypeMissing => {
                "The request does not say what kind of cell it makes.".to_owned()
            }
        }
    }
}

impl Note {
    pub fn sentence(self) -> String {
        match self {
            Note::LineEnds { before, after } => {
                format!(
                    "Line ends change from {} to {}.",
                    before.name(),
                    after.name()
                )
            }
            Note::KeepsCrLf => "Lines end with CRLF, and stay so.".to_owned(),
            Note::ByteOrderMark => {
                "The file begins with a byte order mark, and keeps it.".to_owned()
            }
            Note::Utf16 => "The file is in UTF-16, and stays so.".to_owned(),
            Note::QuotesAdapted => {
                "The file has curly quotes; the new text gets them too.".to_owned()
            }
            Note::LineBreakGoesToo => "The line break after the text goes too.".to_owned(),
            Note::HardLink => {
                "The same file has another name, maybe outside the project.".to_owned()
            }
            Note::NotCompared => {
                "This is the request alone, not compared with the file.".to_owned()
            }
            Note::NoChange => "The file already has exactly this text.".to_owned(),
        }
    }
}

impl LineEnds {
    fn name(self) -> &'static str {
        match self {
            LineEnds::Lf => "LF",
            LineEnds::CrLf => "CRLF",
            LineEnds::Mixed => "mixed",
        }
    }
}

impl Before {
    /// `None` for a text: the rows show it.
    pub fn sentence(&self) -> Option<String> {
        Some(match self {
            Before::Text { .. } => return None,
            Before::Missing => "New file.".to_owned(),
            Before::Binary { bytes } => {
                format!("There is a file of {bytes} bytes that is not text.")
            }
            Before::TooLarge { bytes } => {
                format!("The file is too large to be compared: {bytes} bytes.")
            }
            Before::Directory => "There is a folder of this name.".to_owned(),
            Before::Special => "This is a pipe, a socket or a device.".to_owned(),
            Before::Outside => {
                "Outside the project: the file was not read, so what goes is not shown.".to_owned()
            }
            Before::Unreadable { reason } => format!("The file could not be read: {reason}."),
        })
    }
}

impl Place {
    /// `None` where it is a matter of course.
    pub fn mark(self) -> Option<&'static str> {
        match self {
            Place::Project => None,
            Place::Outside => Some("outside the project"),
            Place::Unknown => Some("nobody knows where"),
        }
    }
}

impl Cell {
    pub fn sentence(&self) -> String {
        let (kind, number, of) = (&self.kind, self.number, self.of);
        let mut sentence = match self.action {
            CellAction::Replace => format!("Changes the {kind} cell {number} of {of}"),
            CellAction::Insert => format!("Inserts a {kind} cell as number {number}"),
            CellAction::Delete => format!("Deletes the {kind} cell {number} of {of}"),
        };
        if let Some(new_kind) = &self.new_kind {
            sentence += &format!(", which becomes {new_kind}");
        }
        match self.outputs_lost {
            0 => {}
            1 => sentence += "; its output is lost",
            several => sentence += &format!("; its {several} outputs are lost"),
        }
        sentence + "."
    }
}
