//! The lines of a comparison, as `diff` prints it: neighbours of one kind together. Pure.

/// With the sign that tells their kind: `+`, `-`, `@` for where it is, or a space. Nothing is lost: put together they are the text.
pub fn runs(text: &str) -> Vec<(char, String)> {
    let mut runs: Vec<(char, String)> = Vec::new();
    for line in text.split_inclusive('\n') {
        let kind = kind(line);
        match runs.last_mut() {
            Some((last, run)) if *last == kind => run.push_str(line),
            _ => runs.push((kind, line.to_owned())),
        }
    }
    runs
}

fn kind(line: &str) -> char {
    match line.chars().next() {
        // these name the files, as in what an agent writes by itself
        _ if line.starts_with("+++ ") || line.starts_with("--- ") => ' ',
        Some(sign @ ('+' | '-' | '@')) => sign,
        _ => ' ',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_one_kind_stand_together_and_nothing_is_lost() {
        let text =
            "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n kept\n-one\n-two\n+three\n\\ No newline at end";
        let runs = runs(text);
        let kinds: String = runs.iter().map(|(kind, _)| *kind).collect();
        assert_eq!(kinds, " @ -+ ");
        let whole: String = runs.into_iter().map(|(_, run)| run).collect();
        assert_eq!(whole, text);
    }
}
