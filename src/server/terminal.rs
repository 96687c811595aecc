//! What a command writes is meant for a terminal. Pure.

/// As a terminal would show it, but for colours: a line that is written over is there once, as it was last.
pub fn as_seen(raw: &str) -> String {
    let plain = without_escapes(raw);
    let lines = plain.split('\n').map(|line| {
        let line = line.trim_end_matches('\r');
        line.rsplit('\r').next().unwrap_or(line)
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn without_escapes(raw: &str) -> String {
    const ESCAPE: char = '\u{1b}';
    let mut plain = String::with_capacity(raw.len());
    let mut characters = raw.chars().peekable();
    while let Some(character) = characters.next() {
        if character != ESCAPE {
            plain.push(character);
            continue;
        }
        match characters.next() {
            // colours, and where the cursor goes: until the letter that says which
            Some('[') => {
                let _ = characters.find(|next| ('@'..='~').contains(next));
            }
            // titles and links: until a bell, or an escape with its second character
            Some(']') => {
                let end = characters.find(|next| ['\u{7}', ESCAPE].contains(next));
                if end == Some(ESCAPE) {
                    let _ = characters.next();
                }
            }
            // a character set is named by one more
            Some('(' | ')') => {
                let _ = characters.next();
            }
            _ => {}
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_reads_as_in_a_terminal() {
        for (raw, seen) in [
            ("line 1\nline 2\n", "line 1\nline 2\n"),
            ("\u{1b}[1;32mok\u{1b}[0m\r\nnext", "ok\nnext"),
            ("10 %\r50 %\r100 %\ndone", "100 %\ndone"),
            ("10 %\r50 %\r", "50 %"),
            ("\u{1b}]0;a title\u{7}a\u{1b}]8;;x\u{1b}\\b\u{1b}(B", "ab"),
            ("cut off \u{1b}[3", "cut off "),
            ("cut off \u{1b}", "cut off "),
        ] {
            assert_eq!(as_seen(raw), seen, "{raw:?}");
        }
    }
}
