//! What an edit makes of a text, as Claude Code 2.1.325 does it (observed from outside, case by case): line ends are
//! made LF for the search, curly quotes match straight ones, a line deleted as a whole takes its line break with it.

use super::quotes;
use super::text::edits_keep_crlf;
use crate::model::insight::file::Problem;

/// So many places are named when there are too many.
const MOST_LINES_NAMED: usize = 10;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub old: String,
    pub new: String,
    pub everywhere: bool,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Edited {
    pub text: String,
    pub places: u32,
    pub quotes_adapted: bool,
    pub line_break_goes_too: bool,
}

/// One after the other, each on what the one before made. `None` = there is no file.
pub fn apply(before: Option<&str>, edits: &[Edit]) -> Result<Edited, Problem> {
    let keeps_crlf = before.is_some_and(edits_keep_crlf);
    let mut done = Edited {
        text: before.unwrap_or_default().replace("\r\n", "\n"),
        ..Edited::default()
    };
    let mut exists = before.is_some();
    if edits.is_empty() {
        return Err(Problem::NothingChanges { edit: 0 });
    }
    for (number, edit) in (1u32..).zip(edits) {
        apply_one(&mut done, edit, number, exists)?;
        exists = true;
    }
    if keeps_crlf {
        done.text = done.text.replace("\r\n", "\n").replace('\n', "\r\n");
    }
    Ok(done)
}

fn apply_one(done: &mut Edited, edit: &Edit, number: u32, exists: bool) -> Result<(), Problem> {
    if edit.old == edit.new {
        return Err(Problem::NothingChanges { edit: number });
    }
    if edit.old.is_empty() {
        // what is blank counts as not there
        if exists && !done.text.trim().is_empty() {
            return Err(Problem::AlreadyExists);
        }
        done.text.clone_from(&edit.new);
        done.places += 1;
        return Ok(());
    }
    if !exists {
        return Err(Problem::FileMissing);
    }
    let not_found = Problem::NotFound { edit: number };
    let (old, adapted) = quotes::find(&done.text, &edit.old).ok_or(not_found)?;
    let count = done.text.matches(old.as_str()).count();
    if count > 1 && !edit.everywhere {
        return Err(Problem::Several {
            edit: number,
            count: u32::try_from(count).unwrap_or(u32::MAX),
            lines: first_lines(&done.text, &old),
        });
    }
    let new = if adapted {
        quotes::adapt(&old, &edit.new)
    } else {
        edit.new.clone()
    };
    done.quotes_adapted |= adapted;
    let whole_line = format!("{old}\n");
    let takes_line = new.is_empty() && !old.ends_with('\n') && done.text.contains(&whole_line);
    let sought = if takes_line { &whole_line } else { &old };
    done.line_break_goes_too |= takes_line;
    let replaced = if edit.everywhere {
        done.text.matches(sought.as_str()).count()
    } else {
        1
    };
    done.text = if edit.everywhere {
        done.text.replace(sought.as_str(), &new)
    } else {
        done.text.replacen(sought.as_str(), &new, 1)
    };
    done.places += u32::try_from(replaced).unwrap_or(u32::MAX);
    Ok(())
}

fn first_lines(text: &str, sought: &str) -> Vec<u32> {
    let mut line = 1;
    let mut counted_to = 0;
    text.match_indices(sought)
        .take(MOST_LINES_NAMED)
        .map(|(at, _)| {
            let breaks = text[counted_to..at].matches('\n').count();
            line += u32::try_from(breaks).unwrap_or(u32::MAX);
            counted_to = at;
            line
        })
        .collect()
}
