//! What a command has written while it still runs.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SoFar {
    /// The end of it, as a terminal would show it.
    pub text: String,
    /// There was more before.
    pub is_cut: bool,
}

impl SoFar {
    /// The last lines that fit, and whether there are any before them.
    pub fn last_lines(&self, most: usize) -> (&str, bool) {
        let text = self.text.trim_end();
        let begin = text.rmatch_indices('\n').nth(most - 1);
        match begin {
            Some((at, _)) => (&text[at + 1..], true),
            None => (text, self.is_cut),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_shown_and_that_there_are_more() {
        let so_far = |text: &str, is_cut| SoFar {
            text: text.to_owned(),
            is_cut,
        };
        assert_eq!(so_far("", false).last_lines(2), ("", false));
        assert_eq!(so_far("a\nb\n", false).last_lines(2), ("a\nb", false));
        assert_eq!(so_far("a\nb\nc\n", false).last_lines(2), ("b\nc", true));
        assert_eq!(so_far("e of it\n", true).last_lines(2), ("e of it", true));
    }
}
