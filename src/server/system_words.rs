//! What the operating system says of a failure, as the end of a sentence: nobody needs its number.

use std::io;

pub fn plainly(error: &io::Error) -> String {
    let words = error.to_string();
    let words = match words.rsplit_once(" (os error ") {
        Some((words, _)) => words,
        None => &words,
    };
    let mut letters = words.chars();
    let first = letters.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_is_left_out() {
        let nothing = std::fs::metadata("/there/is/nothing").expect_err("nothing");
        assert_eq!(plainly(&nothing), "no such file or directory");
        let own = io::Error::other("links lead in a circle");
        assert_eq!(plainly(&own), "links lead in a circle");
        assert_eq!(plainly(&io::Error::other("")), "");
    }
}
