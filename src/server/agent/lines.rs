//! Reads lines of bounded length. Of a line that is too long only the head is kept; the next one is read as usual.
//! Reading may be given up at any await and taken up again: what was read of a line is kept.

use tokio::io::{AsyncBufRead, AsyncBufReadExt};

pub struct Lines<R> {
    input: R,
    limit: usize,
    line: Vec<u8>,
    too_long: bool,
    /// The line was given out: the next call begins a new one.
    given: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Line<'a> {
    Whole(&'a [u8]),
    /// With how it begins.
    TooLong(&'a [u8]),
}

impl Line<'_> {
    /// As much of it as is kept.
    pub fn bytes(&self) -> usize {
        match self {
            Line::Whole(text) | Line::TooLong(text) => text.len(),
        }
    }
}

/// What is kept of a line that is too long: enough to tell what it is.
const HEAD: usize = 4096;

impl<R: AsyncBufRead + Unpin> Lines<R> {
    pub fn new(input: R, limit: usize) -> Self {
        Self {
            input,
            limit,
            line: Vec::new(),
            too_long: false,
            given: false,
        }
    }

    /// The next line without its end, or `None` at the end of the stream. The last line may lack its end.
    pub async fn next(&mut self) -> std::io::Result<Option<Line<'_>>> {
        if std::mem::take(&mut self.given) {
            self.line.clear();
            self.too_long = false;
            // a huge line must not keep its memory for ever
            self.line.shrink_to(64 * 1024);
        }
        loop {
            let available = self.input.fill_buf().await?;
            if available.is_empty() {
                let nothing = self.line.is_empty() && !self.too_long;
                return Ok(if nothing { None } else { Some(self.give()) });
            }
            let (part, ends) = match available.iter().position(|byte| *byte == b'\n') {
                Some(end) => (&available[..end], true),
                None => (available, false),
            };
            let consumed = part.len() + usize::from(ends);
            if !self.too_long {
                let room = self.limit - self.line.len();
                self.line.extend_from_slice(&part[..part.len().min(room)]);
                if part.len() > room {
                    self.too_long = true;
                    self.line.truncate(HEAD);
                }
            }
            self.input.consume(consumed);
            if ends {
                return Ok(Some(self.give()));
            }
        }
    }

    fn give(&mut self) -> Line<'_> {
        self.given = true;
        match self.too_long {
            true => Line::TooLong(&self.line),
            false => Line::Whole(&self.line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn read(bytes: &[u8], limit: usize) -> Vec<String> {
        let mut lines = Lines::new(bytes, limit);
        let mut found = Vec::new();
        while let Some(line) = lines.next().await.expect("memory does not fail") {
            found.push(match line {
                Line::Whole(line) => String::from_utf8_lossy(line).into_owned(),
                Line::TooLong(head) => format!("{}…", String::from_utf8_lossy(head)),
            });
        }
        found
    }

    #[tokio::test]
    async fn a_line_that_is_too_long_does_not_hide_the_next() {
        assert_eq!(
            read(b"one\n1234567\ntwo\nthree", 6).await,
            ["one", "123456…", "two", "three"]
        );
    }

    #[tokio::test]
    async fn of_a_line_that_is_too_long_the_head_is_kept() {
        let text = "a".repeat(3 * HEAD) + "\nnext";
        let read = read(text.as_bytes(), 2 * HEAD).await;
        assert_eq!(read, ["a".repeat(HEAD) + "…", "next".to_owned()]);
    }

    #[tokio::test]
    async fn reading_can_be_given_up_and_taken_up_again() {
        let (mut writer, reader) = tokio::io::duplex(64);
        let mut lines = Lines::new(tokio::io::BufReader::new(reader), 100);
        use tokio::io::AsyncWriteExt;
        writer.write_all(b"half a ").await.expect("written");
        tokio::select! {
            biased;
            _ = lines.next() => panic!("there is no line yet"),
            () = tokio::task::yield_now() => {}
        }
        writer.write_all(b"line\n").await.expect("written");
        assert_eq!(
            lines.next().await.expect("read"),
            Some(Line::Whole(b"half a line"))
        );
    }

    #[tokio::test]
    async fn empty_lines_and_a_missing_end_are_lines() {
        assert_eq!(read(b"\n\nlast", 10).await, ["", "", "last"]);
        assert_eq!(read(b"", 10).await, Vec::<String>::new());
        assert_eq!(read(b"123456", 3).await, ["123…"]);
    }
}
