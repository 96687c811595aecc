//! Models write straight quotes where a file has curly ones. Claude Code then finds the text anyway and writes the new
//! text with curly quotes; a preview that did not know would cry "not found", or show quotes that nobody writes.

/// The text as it is in the file, and whether its quotes are other than those asked for.
pub fn find(text: &str, sought: &str) -> Option<(String, bool)> {
    if text.contains(sought) {
        return Some((sought.to_owned(), false));
    }
    if !text.contains(['‘', '’', '“', '”']) && !sought.contains(['‘', '’', '“', '”'])
    {
        return None;
    }
    // one character for one: positions are counted in characters
    let straight: String = text.chars().map(straightened).collect();
    let straight_sought: String = sought.chars().map(straightened).collect();
    let start = straight.find(&straight_sought)?;
    let skip = straight[..start].chars().count();
    let length = straight_sought.chars().count();
    let found: String = text.chars().skip(skip).take(length).collect();
    Some((found, true))
}

/// The new text in the style of what it replaces.
pub fn adapt(found: &str, new: &str) -> String {
    let doubles = found.contains(['“', '”']);
    let singles = found.contains(['‘', '’']);
    let characters: Vec<char> = new.chars().collect();
    let mut adapted = String::with_capacity(new.len());
    for (at, character) in characters.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| characters[at]);
        let after = characters.get(at + 1);
        adapted.push(match character {
            '"' if doubles && opens(before) => '“',
            '"' if doubles => '”',
            '\'' if singles && is_letter(before.as_ref()) && is_letter(after) => '’',
            '\'' if singles && opens(before) => '‘',
            '\'' if singles => '’',
            other => *other,
        });
    }
    adapted
}

fn straightened(character: char) -> char {
    match character {
        '‘' | '’' => '\'',
        '“' | '”' => '"',
        other => other,
    }
}

fn opens(before: Option<char>) -> bool {
    before.is_none_or(|before| {
        before.is_whitespace() || matches!(before, '(' | '[' | '{' | '—' | '–')
    })
}

fn is_letter(character: Option<&char>) -> bool {
    character.is_some_and(|character| character.is_alphabetic())
}
