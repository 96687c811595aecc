//! What was said before, with the arrow keys: up from an empty message brings the last one back, further up the ones before
//! it, down the later ones. Pure. A text of one's own is never replaced.

/// The text that comes next, if the key means that. `said`: newest first.
pub fn recall(said: &[String], text: &str, key: &str) -> Option<String> {
    let here = said.iter().position(|one| one == text);
    match (key, here) {
        ("ArrowUp", None) if text.is_empty() => said.first().cloned(),
        ("ArrowUp", Some(here)) => said.get(here + 1).cloned(),
        ("ArrowDown", Some(0)) => Some(String::new()),
        ("ArrowDown", Some(here)) => said.get(here - 1).cloned(),
        _ => None,
    }
}

/// Each text once, where it was said last. `said`: oldest first.
pub fn newest_first(said: impl DoubleEndedIterator<Item = String>) -> Vec<String> {
    let mut seen = Vec::new();
    for text in said.rev() {
        if !text.trim().is_empty() && !seen.contains(&text) {
            seen.push(text);
        }
    }
    seen
}

/// In a text of several lines the key moves between them first.
pub fn leaves_the_text(text: &str, caret: usize, key: &str) -> bool {
    let lines_before = text
        .encode_utf16()
        .take(caret)
        .filter(|unit| *unit == u16::from(b'\n'))
        .count();
    let lines = text.matches('\n').count();
    match key {
        "ArrowUp" => lines_before == 0,
        _ => lines_before == lines,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said() -> Vec<String> {
        let said = ["first", "again", "second", "again", " "];
        newest_first(said.iter().map(|text| (*text).to_owned()))
    }

    #[test]
    fn each_is_there_once_the_last_one_first() {
        assert_eq!(said(), ["again", "second", "first"]);
    }

    #[test]
    fn up_goes_back_and_down_comes_back_to_nothing() {
        let said = said();
        let mut text = String::new();
        let mut seen = Vec::new();
        for key in [
            "ArrowUp",
            "ArrowUp",
            "ArrowUp",
            "ArrowDown",
            "ArrowDown",
            "ArrowDown",
        ] {
            text = recall(&said, &text, key).expect("another one");
            seen.push(text.clone());
        }
        assert_eq!(seen, ["again", "second", "first", "second", "again", ""]);
        assert_eq!(
            recall(&said, "first", "ArrowUp"),
            None,
            "there is none before"
        );
        assert_eq!(recall(&said, "", "ArrowDown"), None, "there is none after");
    }

    #[test]
    fn a_text_of_ones_own_is_never_replaced() {
        assert_eq!(recall(&said(), "half a thou", "ArrowUp"), None);
        assert_eq!(recall(&said(), "half a thou", "ArrowDown"), None);
        assert_eq!(recall(&[], "", "ArrowUp"), None);
    }

    #[test]
    fn in_several_lines_the_key_moves_between_them_first() {
        let text = "one\ntwo";
        assert!(leaves_the_text(text, 2, "ArrowUp"));
        assert!(!leaves_the_text(text, 5, "ArrowUp"));
        assert!(!leaves_the_text(text, 2, "ArrowDown"));
        assert!(leaves_the_text(text, 5, "ArrowDown"));
        assert!(leaves_the_text("", 0, "ArrowUp"));
    }
}
