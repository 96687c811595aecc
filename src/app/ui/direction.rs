//! Which way letters run. In a command the order of the words is the order in which they act, so letters that run from
//! right to left must turn nothing but themselves around. Pure.

/// A stretch of a text, and whether its letters run from right to left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch<'a> {
    pub text: &'a str,
    pub is_leftward: bool,
}

/// In the order of the text; put together they are the text.
pub fn stretches(text: &str) -> Vec<Stretch<'_>> {
    let mut stretches = Vec::new();
    let (mut start, mut is_leftward) = (0, false);
    for (at, letter) in text.char_indices() {
        // a mark belongs to the letter before it
        let turns = is_leftward_letter(letter) || is_leftward && is_mark(letter);
        if turns != is_leftward {
            if start < at {
                stretches.push(Stretch {
                    text: &text[start..at],
                    is_leftward,
                });
            }
            (start, is_leftward) = (at, turns);
        }
    }
    if start < text.len() {
        stretches.push(Stretch {
            text: &text[start..],
            is_leftward,
        });
    }
    stretches
}

/// Hebrew, Arabic, Syriac, Thaana, N'Ko and their like: the blocks that Unicode keeps for them, with their digits, which
/// reorder what is between them, too.
fn is_leftward_letter(letter: char) -> bool {
    matches!(letter,
        '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}'
        | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

/// Of any script: drawn over, under or around the letter before it.
fn is_mark(letter: char) -> bool {
    matches!(letter,
        '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}' | '\u{fe0f}' | '\u{fe20}'..='\u{fe2f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<(&str, bool)> {
        let stretches = stretches(text).into_iter();
        stretches.map(|one| (one.text, one.is_leftward)).collect()
    }

    #[test]
    fn every_word_that_runs_leftward_is_by_itself() {
        assert_eq!(
            parts("echo حذف > قائمة && rm"),
            [
                ("echo ", false),
                ("حذف", true),
                (" > ", false),
                ("قائمة", true),
                (" && rm", false)
            ]
        );
        assert_eq!(
            parts("mv אלף בית"),
            [("mv ", false), ("אלף", true), (" ", false), ("בית", true)]
        );
        // what is between quotes, dots and slashes, too
        let path = [
            ("\"", false),
            ("א", true),
            ("/", false),
            ("ב", true),
            (".rs\"", false),
        ];
        assert_eq!(parts("\"א/ב.rs\""), path);
    }

    #[test]
    fn digits_of_such_scripts_turn_nothing_between_them_around() {
        assert_eq!(
            parts("١ > ٢"),
            [("١", true), (" > ", false), ("٢", true)],
            "an arrow between two of them would point the other way"
        );
    }

    #[test]
    fn a_mark_stays_with_its_letter() {
        assert_eq!(
            parts("שָׁלוֹם\u{301} x"),
            [("שָׁלוֹם\u{301}", true), (" x", false)]
        );
        assert_eq!(parts("e\u{301}x"), [("e\u{301}x", false)]);
    }

    #[test]
    fn every_script_that_runs_leftward_is_known() {
        for letter in [
            'א',
            'ע',
            'ܐ',
            'ހ',
            'ߊ',
            'ࠀ',
            'ࡀ',
            '\u{fb2a}',
            '\u{fdf2}',
            '\u{fefb}',
            '\u{10840}',
            '\u{10c80}',
            '\u{10d00}',
            '\u{10e60}',
            '\u{1e900}',
            '\u{1ee00}',
        ] {
            assert!(is_leftward_letter(letter), "{letter:?}");
        }
        for letter in ['a', 'ß', 'ж', '日', '🎉', '1', '>', '"', 'ก'] {
            assert!(!is_leftward_letter(letter), "{letter:?}");
        }
    }

    #[test]
    fn nothing_is_lost() {
        assert_eq!(parts(""), []);
        assert_eq!(parts("plain"), [("plain", false)]);
        let all: String = (0..=0x1FFFF).filter_map(char::from_u32).collect();
        let together: String = parts(&all).into_iter().map(|(text, _)| text).collect();
        assert_eq!(together, all);
    }
}
