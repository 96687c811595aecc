//! The values of options, in all the ways they can be written.

use super::script::{Command, Word};

/// Letters that take a value where only the first letter of a word is an option.
pub const ALL: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

impl Command {
    /// `-o file`, `-ofile`, `-sSo file`, `--output file`, `--output=file`. `others` are letters that take a value as well:
    /// what stands behind one of them is its value.
    pub fn values(&self, letters: &str, others: &str, long: &[&str]) -> Vec<Word> {
        let mut values = Vec::new();
        let mut words = self.arguments().iter();
        while let Some(word) = words.next().filter(|word| word.value != "--") {
            match written(word, letters, others, long) {
                Written::No => {}
                Written::Here(value) => values.push(Word {
                    value,
                    verbatim_at: None,
                    ..word.clone()
                }),
                Written::Next => values.extend(words.next().cloned()),
                Written::NextOfAnother => {
                    words.next();
                }
            }
        }
        values
    }
}

/// Where the value of an option is.
enum Written {
    No,
    Here(String),
    Next,
    NextOfAnother,
}

fn written(word: &Word, letters: &str, others: &str, long: &[&str]) -> Written {
    if word.value.starts_with("--") {
        return match word.value.split_once('=') {
            _ if !long.iter().any(|name| word.is_long(name)) => Written::No,
            Some((_, value)) => Written::Here(value.to_owned()),
            None => Written::Next,
        };
    }
    let Some(cluster) = word.value.strip_prefix('-') else {
        return Written::No;
    };
    for (at, letter) in cluster.char_indices() {
        let rest = &cluster[at + letter.len_utf8()..];
        match (letters.contains(letter), others.contains(letter)) {
            (true, _) if rest.is_empty() => return Written::Next,
            // `docker run -v=/:/host`
            (true, _) => return Written::Here(rest.strip_prefix('=').unwrap_or(rest).to_owned()),
            (_, true) if rest.is_empty() => return Written::NextOfAnother,
            (_, true) => return Written::No,
            _ => {}
        }
    }
    Written::No
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(words: &str) -> Vec<String> {
        let word = |value: &str| Word {
            value: value.to_owned(),
            ..Word::default()
        };
        let command = Command {
            words: words.split(' ').map(word).collect(),
            ..Command::default()
        };
        let values = command.values("o", "H", &["--output"]);
        values.into_iter().map(|word| word.value).collect()
    }

    #[test]
    fn a_value_is_found_however_it_is_written() {
        for words in [
            "curl -o x",
            "curl -ox",
            "curl -sSo x",
            "curl -sSox",
            "curl --output x",
            "curl --output=x",
            "curl --out=x",
            "curl -H o -o x",
        ] {
            assert_eq!(values(words), ["x"], "{words}");
        }
        assert_eq!(values("curl -o a -ob --output=c"), ["a", "b", "c"]);
    }

    #[test]
    fn the_value_of_another_option_is_not_taken_for_one() {
        for words in [
            "curl",
            "curl -o",
            "curl -Hox",
            "curl -H -ox",
            "curl -- -o x",
            "curl --outputs x",
            "curl o",
        ] {
            assert_eq!(values(words), [""; 0], "{words}");
        }
    }
}
