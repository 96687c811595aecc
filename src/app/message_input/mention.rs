//! A file that is being named in a message: `@` and what is typed of its path, up to the caret. Pure. Places are counted as
//! the browser counts them, in UTF-16 units.

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// Where the `@` stands.
    start: usize,
    /// Where the caret stands.
    end: usize,
    pub typed: String,
}

/// What is being mentioned at the caret, if anything: an address such as `ada@example.org` is no mention.
pub fn at(text: &str, caret: usize) -> Option<Mention> {
    let before = &text[..byte_at(text, caret)];
    let word = before
        .rfind(char::is_whitespace)
        .map_or(before, |space| before[space..].trim_start());
    let typed = word.strip_prefix('@')?;
    Some(Mention {
        start: caret.checked_sub(units(word))?,
        end: caret,
        typed: typed.trim_start_matches('"').to_owned(),
    })
}

impl Mention {
    /// The text with this path in place of what was typed, and where the caret stands then. A folder is written on.
    pub fn completed(&self, text: &str, path: &str) -> (String, usize) {
        let (head, tail) = (
            &text[..byte_at(text, self.start)],
            &text[byte_at(text, self.end)..],
        );
        let has_space = path.contains(char::is_whitespace);
        let named = match (has_space, path.ends_with('/')) {
            (true, true) => format!("@\"{path}"),
            (true, false) => format!("@\"{path}\" "),
            (false, true) => format!("@{path}"),
            (false, false) => format!("@{path} "),
        };
        let caret = self.start + units(&named);
        // the space that is there already will do
        let tail = match named.ends_with(' ') {
            true => tail.strip_prefix(' ').unwrap_or(tail),
            false => tail,
        };
        (format!("{head}{named}{tail}"), caret)
    }
}

/// How long the browser thinks it is.
pub fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

fn byte_at(text: &str, place: usize) -> usize {
    let mut passed = 0;
    for (byte, character) in text.char_indices() {
        if passed >= place {
            return byte;
        }
        passed += character.len_utf16();
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str, caret: usize) -> Option<String> {
        at(text, caret).map(|mention| mention.typed)
    }

    #[test]
    fn a_word_that_begins_with_an_at_sign_mentions_a_file() {
        assert_eq!(typed("@", 1).as_deref(), Some(""));
        assert_eq!(typed("see @src/ma", 11).as_deref(), Some("src/ma"));
        assert_eq!(typed("see\n@a and", 6).as_deref(), Some("a"));
        assert_eq!(typed("see @src/main.rs ", 17), None, "it is over");
        assert_eq!(typed("see @src", 3), None, "the caret is elsewhere");
        assert_eq!(typed("ada@example.org", 15), None);
        assert_eq!(typed("", 0), None);
        assert_eq!(
            typed("no more text", 99),
            None,
            "a caret that was left behind"
        );
    }

    #[test]
    fn what_was_typed_becomes_the_path_and_the_caret_stands_behind_it() {
        let complete = |text: &str, caret: usize, path: &str| {
            at(text, caret).expect("a mention").completed(text, path)
        };
        let end = |text: &str| (text.to_owned(), units(text));
        assert_eq!(
            complete("see @ma", 7, "src/main.rs"),
            end("see @src/main.rs ")
        );
        assert_eq!(complete("@s", 2, "src/"), end("@src/"));
        assert_eq!(complete("@m", 2, "my notes.md"), end("@\"my notes.md\" "));
        assert_eq!(
            complete("see @ma there", 7, "main.rs"),
            ("see @main.rs there".to_owned(), 13)
        );
    }

    #[test]
    fn characters_of_two_units_do_not_shift_it() {
        let text = "🦀🦀 @ma";
        let mention = at(text, units(text)).expect("a mention");
        assert_eq!(mention.typed, "ma");
        let (completed, caret) = mention.completed(text, "main.rs");
        assert_eq!(completed, "🦀🦀 @main.rs ");
        assert_eq!(caret, units(&completed));
    }
}
