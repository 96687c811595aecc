//! `$'…'`: the quotes in which characters can be written as numbers.

/// Decodes the inside, up to and including the closing quote: the value, how many bytes it took, and whether a
/// character that could have been typed was written as a number.
pub fn ansi_quoted(text: &str) -> Option<(String, usize, bool)> {
    let mut value = String::new();
    let mut encoded = false;
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        if character == '\'' {
            return Some((value, at + 1, encoded));
        }
        if character != '\\' {
            value.push(character);
            continue;
        }
        let (_, kind) = characters.next()?;
        let number = match kind {
            'x' => digits(&mut characters, 16, 2, 0),
            'u' => digits(&mut characters, 16, 4, 0),
            'U' => digits(&mut characters, 16, 8, 0),
            '0'..='7' => digits(&mut characters, 8, 2, kind.to_digit(8).unwrap_or_default()),
            _ => {
                value.push(match kind {
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    'a' => '\u{7}',
                    'b' => '\u{8}',
                    'e' | 'E' => '\u{1b}',
                    'f' => '\u{c}',
                    'v' => '\u{b}',
                    other => other,
                });
                continue;
            }
        };
        let decoded = char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER);
        encoded |= decoded.is_ascii_graphic();
        value.push(decoded);
    }
    None
}

fn digits(
    characters: &mut std::iter::Peekable<std::str::CharIndices<'_>>,
    radix: u32,
    most: usize,
    first: u32,
) -> u32 {
    let mut number = first;
    for _ in 0..most {
        let Some(digit) = characters
            .peek()
            .and_then(|(_, character)| character.to_digit(radix))
        else {
            break;
        };
        number = number.wrapping_mul(radix).wrapping_add(digit);
        characters.next();
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_written_as_numbers_are_decoded_and_told() {
        assert_eq!(ansi_quoted(r"\x72\155' -rf"), Some(("rm".into(), 9, true)));
        assert_eq!(ansi_quoted(r"a\tb\'c'"), Some(("a\tb'c".into(), 8, false)));
        assert_eq!(ansi_quoted("never closed"), None);
        assert_eq!(ansi_quoted("\\"), None);
    }
}
