//! What git tells of changes, for people: a sentence, then each file under its name, as Markdown. Pure.

/// Beyond this many bytes only names and numbers are told: nobody reads more in one piece, and a page must stay quick.
const MOST_TEXT: usize = 400_000;

#[derive(Default)]
pub struct Told {
    text: String,
    files: usize,
    added: usize,
    removed: usize,
    left_out: usize,
    is_cut: bool,
}

impl Told {
    /// Of a comparison of many files: each begins with a line that no changed line can look like.
    pub fn compared(&mut self, all: &str) {
        let mut file = String::new();
        for line in all.split_inclusive('\n') {
            if line.starts_with("diff --git ") && !file.is_empty() {
                self.file(&file);
                file.clear();
            }
            file.push_str(line);
        }
        if !file.is_empty() {
            self.file(&file);
        }
    }

    fn file(&mut self, told: &str) {
        let (head, hunks) = match told.find("\n@@ ") {
            Some(at) => told.split_at(at + 1),
            None => (told, ""),
        };
        let (name, state) = (name(head), state(head));
        match hunks.is_empty() {
            true => self.without_text(name, state),
            false => self.with_text(name, state, hunks),
        }
    }

    pub fn new_file(&mut self, name: &str, text: &str) {
        let lines: Vec<String> = text.lines().map(|line| format!("+{line}\n")).collect();
        match lines.is_empty() {
            true => self.without_text(name, "new, empty"),
            false => self.with_text(name, "new", &lines.concat()),
        }
    }

    /// A picture, a file of another mode, one that only has another name.
    pub fn without_text(&mut self, name: &str, state: &str) {
        self.files += 1;
        self.text += &format!("# {} · {state}\n\n", as_code(name));
    }

    pub fn more_new_files(&mut self, count: usize) {
        self.files += count;
        if count > 0 {
            self.text += &format!("And {count} more new files.\n");
        }
    }

    /// There was more than git was let print.
    pub fn was_cut_off(&mut self) {
        self.is_cut = true;
    }

    fn with_text(&mut self, name: &str, state: &str, hunks: &str) {
        let begins = |sign: char| hunks.lines().filter(|line| line.starts_with(sign)).count();
        let (added, removed) = (begins('+'), begins('-'));
        self.files += 1;
        self.added += added;
        self.removed += removed;
        let name = as_code(name);
        self.text += &format!("# {name} · {state} · +{added}\u{a0}−{removed}\n\n");
        if self.text.len() + hunks.len() > MOST_TEXT {
            self.left_out += 1;
            return;
        }
        let fence = "`".repeat(3.max(longest_run(hunks) + 1));
        let end = if hunks.ends_with('\n') { "" } else { "\n" };
        self.text += &format!("{fence}diff\n{hunks}{end}{fence}\n\n");
    }

    pub fn in_words(self) -> String {
        let (files, added, removed) = (self.files, self.added, self.removed);
        let mut words = match files {
            0 => return "Nothing has changed since the last commit.".to_owned(),
            1 => format!("1 file has changed since the last commit: +{added}\u{a0}−{removed}."),
            _ => format!(
                "{files} files have changed since the last commit: +{added}\u{a0}−{removed}."
            ),
        };
        if self.left_out > 0 {
            let left_out = self.left_out;
            words += &format!(
                " It is too much to show all of it: of {left_out} only the name and the numbers stand here."
            );
        }
        if self.is_cut {
            words += " The comparison was so long that it was cut off: files may be missing here, and the numbers are too small. !git diff --stat has them all.";
        }
        format!("{words}\n\n{}", self.text)
    }
}

/// Where it is now; where it was, if it is gone.
fn name(head: &str) -> &str {
    let after = |prefix: &str| head.lines().find_map(|line| line.strip_prefix(prefix));
    // git ends a name that has a space with a tab
    let plain =
        |name: &str, prefix: &str| name.trim_end_matches('\t').strip_prefix(prefix).is_some();
    let new = after("+++ ").filter(|name| plain(name, "b/"));
    let old = after("--- ").filter(|name| plain(name, "a/"));
    let named = new.or(old).map(|name| name.trim_end_matches('\t'));
    let named = named.and_then(|name| name.get(2..));
    // it quotes a name with a line break or a quotation mark in it, and tells none of one without text
    let first = head.lines().next().unwrap_or_default();
    named
        .or_else(|| after("rename to "))
        .or_else(|| after("copy to "))
        .or_else(|| first.rsplit_once(" b/").map(|(_, name)| name))
        .unwrap_or(first)
}

fn state(head: &str) -> &'static str {
    let says = |word: &str| head.lines().any(|line| line.starts_with(word));
    match () {
        () if says("new file") => "new",
        () if says("deleted file") => "deleted",
        () if says("rename to") => "renamed",
        () if says("copy to") => "copied",
        () => "changed",
    }
}

/// A name may hold what Markdown reads as something else.
fn as_code(name: &str) -> String {
    let name = name.replace(char::is_control, "\u{fffd}");
    let ticks = "`".repeat(longest_run(&name) + 1);
    match name.starts_with('`') || name.ends_with('`') {
        true => format!("{ticks} {name} {ticks}"),
        false => format!("{ticks}{name}{ticks}"),
    }
}

fn longest_run(text: &str) -> usize {
    let runs = text.split(|character| character != '`').map(str::len);
    runs.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "diff --git a/src/one.rs b/src/one.rs
index 1..2 100644
--- a/src/one.rs
+++ b/src/one.rs
@@ -1,2 +1,3 @@
 kept
-old
+new
+```more
diff --git a/gone.txt b/gone.txt
deleted file mode 100644
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-last
";

    #[test]
    fn each_file_stands_under_its_name_with_its_numbers() {
        let mut told = Told::default();
        told.compared(TWO);
        told.new_file("fresh ` name", "a\nb");
        let words = told.in_words();
        for expected in [
            "3 files have changed since the last commit: +4\u{a0}−2.",
            "# `src/one.rs` · changed · +2\u{a0}−1\n\n````diff\n@@ -1,2 +1,3 @@\n",
            "# `gone.txt` · deleted · +0\u{a0}−1",
            "# ``fresh ` name`` · new · +2\u{a0}−0",
            "+```more\n````\n",
        ] {
            assert!(words.contains(expected), "{expected}: {words}");
        }
    }

    #[test]
    fn a_file_without_text_is_named_too() {
        for (head, name, state) in [
            (
                "diff --git a/old name b/new name\nsimilarity index 100%\nrename from old name\nrename to new name\n",
                "`new name`",
                "renamed",
            ),
            (
                "diff --git a/x.png b/x.png\nindex 1..2\nBinary files a/x.png and b/x.png differ\n",
                "`x.png`",
                "changed",
            ),
            (
                "diff --git a/run b/run\nold mode 100644\nnew mode 100755\n",
                "`run`",
                "changed",
            ),
        ] {
            let mut told = Told::default();
            told.compared(head);
            let words = told.in_words();
            assert!(words.contains(&format!("# {name} · {state}\n")), "{words}");
        }
    }

    #[test]
    fn what_is_too_much_is_numbered() {
        let mut told = Told::default();
        told.new_file("large", &"line\n".repeat(MOST_TEXT));
        told.new_file("small", "word");
        told.more_new_files(2);
        let words = told.in_words();
        assert!(words.len() < 1_000, "{}", words.len());
        assert!(words.starts_with("4 files have changed"), "{words}");
        assert!(words.contains("of 1 only the name"), "{words}");
        assert!(words.contains("+word"), "{words}");
    }

    #[test]
    fn a_name_stays_on_its_line() {
        let mut told = Told::default();
        told.without_text("a\n# b", "new");
        assert!(told.in_words().contains("`a\u{fffd}# b` · new\n"));
    }

    #[test]
    fn nothing_is_said_to_be_nothing() {
        let mut told = Told::default();
        told.compared("");
        assert_eq!(
            told.in_words(),
            "Nothing has changed since the last commit."
        );
    }
}
