//! Text that came from an agent. Characters that hide, reorder or imitate others are named, so that what a person
//! sees is what will run. Nothing is dropped: the pieces put together again are the text.

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    Plain(String),
    /// A character that a person could not see, or would take for another.
    Odd(char),
}

pub fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    for character in text.chars() {
        if is_odd(character) {
            if !plain.is_empty() {
                pieces.push(Piece::Plain(std::mem::take(&mut plain)));
            }
            pieces.push(Piece::Odd(character));
        } else {
            plain.push(character);
        }
    }
    if !plain.is_empty() {
        pieces.push(Piece::Plain(plain));
    }
    pieces
}

pub fn has_odd_characters(text: &str) -> bool {
    text.chars().any(is_odd)
}

/// Control, bidirectional, zero-width, tag and odd space characters. Tab and line feed are ordinary.
pub fn is_odd(character: char) -> bool {
    matches!(character,
        '\u{0}'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{a0}' | '\u{ad}' | '\u{34f}' | '\u{61c}'
        | '\u{115f}' | '\u{1160}' | '\u{1680}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{2000}'..='\u{200f}' | '\u{2028}'..='\u{202f}' | '\u{205f}'..='\u{206f}' | '\u{2800}'
        | '\u{3000}' | '\u{3164}' | '\u{fe00}'..='\u{fe0e}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// What a person should know about the host in an address: letters beyond ASCII can look like others, and then the page is
/// not the one whose name they read.
pub fn about_host(address: &str) -> Option<String> {
    let (_, rest) = address.split_once("://")?;
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or(rest);
    let host = authority.rsplit('@').next().unwrap_or(authority);
    let mut named = Vec::new();
    for letter in host.chars().filter(|letter| !letter.is_ascii()) {
        let name = match is_odd(letter) {
            true => code_point(letter),
            false => format!("{letter} ({})", code_point(letter)),
        };
        if !named.contains(&name) {
            named.push(name);
        }
    }
    (!named.is_empty()).then(|| {
        format!(
            "The host's name has letters that may look like others: {}",
            named.join(", ")
        )
    })
}

/// `U+202E`, as the chip shows it.
pub fn code_point(character: char) -> String {
    format!("U+{:04X}", u32::from(character))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put_together(pieces: &[Piece]) -> String {
        pieces
            .iter()
            .map(|piece| match piece {
                Piece::Plain(text) => text.clone(),
                Piece::Odd(character) => character.to_string(),
            })
            .collect()
    }

    #[test]
    fn every_character_survives() {
        let all: String = (0..=0x10FFFF).filter_map(char::from_u32).collect();
        assert_eq!(put_together(&pieces(&all)), all);
    }

    #[test]
    fn a_host_that_may_look_like_another_is_named() {
        for plain in [
            "https://apple.com/größe?q=日本",
            "https://user:pä@apple.com/",
            "apple.com",
            "",
        ] {
            assert_eq!(about_host(plain), None, "{plain}");
        }
        let sentence = about_host("https://\u{430}pple.com:443/x").unwrap_or_default();
        assert!(sentence.contains("U+0430"), "{sentence}");
        assert!(about_host("http://a@b\u{fc}cher.de").is_some());
    }

    #[test]
    fn ordinary_text_has_nothing_odd() {
        assert!(!has_odd_characters(
            "cargo test\n\t--package gateway  # größer, 日本語, 🎉"
        ));
    }

    #[test]
    fn what_hides_or_reorders_is_named() {
        for odd in [
            '\u{202e}',
            '\u{200b}',
            '\u{1b}',
            '\r',
            '\u{a0}',
            '\u{e0041}',
            '\u{2066}',
            '\u{0}',
        ] {
            assert_eq!(
                pieces(&format!("rm{odd}x")),
                [
                    Piece::Plain("rm".to_owned()),
                    Piece::Odd(odd),
                    Piece::Plain("x".to_owned())
                ]
            );
        }
        assert_eq!(code_point('\u{202e}'), "U+202E");
    }
}
