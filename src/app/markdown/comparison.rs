//! The lines of a comparison, as `diff` prints it: neighbours of one kind together. Pure.

/// With the sign that tells their kind: `+`, `-`, `@` for where it is, or a space. Nothing is lost: put together they are the text.
pub fn runs(text: &str) -> Vec<(char, String)> {
    let mut runs: Vec<(char, String)> = Vec::new();
    let mut place = Place::Outside;
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let (kind, next) = place.read(line, lines.peek().copied().unwrap_or_default());
        place = next;
        match runs.last_mut() {
            Some((last, run)) if *last == kind => run.push_str(line),
            _ => runs.push((kind, line.to_owned())),
        }
    }
    runs
}

/// What a line means depends on where it stands: `--- x` names a file above the changes, and among them it is a line `-- x`
/// that was taken out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Outside,
    /// The file that it was is named; the file that it is comes next.
    Named,
    /// So many lines of before and of after are still to come.
    Changes(usize, usize),
}

impl Place {
    /// The kind of a line, and where the next one stands.
    fn read(self, line: &str, next: &str) -> (char, Self) {
        let sign = line.chars().next().unwrap_or(' ');
        match (self, sign) {
            (_, '@') if line.starts_with("@@") => ('@', extent(line)),
            // no changed line begins like this
            (_, 'd') if line.starts_with("diff ") => (' ', Place::Outside),
            (Place::Changes(old, new), _) if (old, new) != (0, 0) => match sign {
                '-' => ('-', Place::Changes(old.saturating_sub(1), new)),
                '+' => ('+', Place::Changes(old, new.saturating_sub(1))),
                // of the line before it
                '\\' => (' ', self),
                _ => (
                    ' ',
                    Place::Changes(old.saturating_sub(1), new.saturating_sub(1)),
                ),
            },
            (Place::Named, '+') => (' ', Place::Outside),
            (_, '-') if line.starts_with("--- ") && next.starts_with("+++ ") => (' ', Place::Named),
            (_, '+' | '-') => (sign, Place::Outside),
            _ => (' ', Place::Outside),
        }
    }
}

/// How many lines follow `@@ -1,2 +1,3 @@`; all of them, where it does not say.
fn extent(line: &str) -> Place {
    let count = |sign: char| {
        let mut words = line.split_whitespace().skip(1);
        let range = words.find_map(|word| word.strip_prefix(sign))?;
        let (from, count) = range.split_once(',').unwrap_or((range, "1"));
        from.parse::<usize>().ok().and(count.parse().ok())
    };
    Place::Changes(
        count('-').unwrap_or(usize::MAX),
        count('+').unwrap_or(usize::MAX),
    )
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

    fn kinds(text: &str) -> String {
        let runs = runs(text).into_iter();
        runs.map(|(kind, _)| kind).collect()
    }

    #[test]
    fn among_the_changes_every_line_with_a_sign_is_a_changed_one() {
        // a comment of SQL that became one of another language
        assert_eq!(kinds("@@ -1,2 +1,2 @@\n--- x\n+++ y\n kept\n"), "@-+ ");
        // a new file is told without a place
        assert_eq!(kinds("+one\n+++ x\n"), "+");
        assert_eq!(kinds("--- x\n"), "-");
    }

    #[test]
    fn every_file_of_several_is_named_above_its_changes() {
        let one = "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n";
        assert_eq!(kinds(&one.repeat(2)), " @-+ @-+");
        let loose =
            "--- a\n+++ b\n@@ fn main\n-x\n--- y\n+++ z\ndiff --git a/c b/c\n--- c\n+++ c\n";
        assert_eq!(kinds(loose), " @-+ ");
    }
}
