//! Two texts, line by line. Pure; the work is bounded, for the texts come from an agent.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    Same,
    Added,
    Removed,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub change: Change,
    pub text: String,
}

/// Cells of the comparison table beyond which the middle is shown as all removed, then all added.
const LARGEST_TABLE: usize = 400_000;

pub fn compare(old: &str, new: &str) -> Vec<Line> {
    let (old, new) = (lines(old, new), lines(new, old));
    let before = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let after = old[before..]
        .iter()
        .rev()
        .zip(new[before..].iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    let old_middle = &old[before..old.len() - after];
    let new_middle = &new[before..new.len() - after];

    let mut result = marked(Change::Same, &old[..before]);
    if old_middle.len().saturating_mul(new_middle.len()) > LARGEST_TABLE {
        result.extend(marked(Change::Removed, old_middle));
        result.extend(marked(Change::Added, new_middle));
    } else {
        result.extend(longest_common(old_middle, new_middle));
    }
    result.extend(marked(Change::Same, &old[old.len() - after..]));
    result
}

/// Added and removed lines.
pub fn stat(lines: &[Line]) -> (usize, usize) {
    let count = |change| lines.iter().filter(|line| line.change == change).count();
    (count(Change::Added), count(Change::Removed))
}

/// The last line break ends a line and begins none, unless only one of the two texts has it: then it is a change.
fn lines<'a>(text: &'a str, other: &str) -> Vec<&'a str> {
    if text.is_empty() {
        return Vec::new();
    }
    let both_end = text.ends_with('\n') && (other.ends_with('\n') || other.is_empty());
    let text = match text.strip_suffix('\n') {
        Some(shorter) if both_end => shorter,
        _ => text,
    };
    text.split('\n').collect()
}

fn marked(change: Change, lines: &[&str]) -> Vec<Line> {
    lines.iter().map(|text| line(change, text)).collect()
}

fn line(change: Change, text: &str) -> Line {
    Line {
        change,
        text: text.to_owned(),
    }
}

/// The classic table: `length[i][j]` = the longest common part of what follows `i` and `j`.
fn longest_common(old: &[&str], new: &[&str]) -> Vec<Line> {
    let width = new.len() + 1;
    let mut length = vec![0u32; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            length[i * width + j] = if old[i] == new[j] {
                length[(i + 1) * width + j + 1] + 1
            } else {
                length[(i + 1) * width + j].max(length[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut result = Vec::new();
    while i < old.len() && j < new.len() {
        if old[i] == new[j] {
            result.push(line(Change::Same, old[i]));
            (i, j) = (i + 1, j + 1);
        } else if length[(i + 1) * width + j] >= length[i * width + j + 1] {
            result.push(line(Change::Removed, old[i]));
            i += 1;
        } else {
            result.push(line(Change::Added, new[j]));
            j += 1;
        }
    }
    result.extend(marked(Change::Removed, &old[i..]));
    result.extend(marked(Change::Added, &new[j..]));
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(old: &str, new: &str) -> Vec<String> {
        compare(old, new)
            .into_iter()
            .map(|line| {
                let sign = match line.change {
                    Change::Same => ' ',
                    Change::Added => '+',
                    Change::Removed => '-',
                };
                format!("{sign}{}", line.text)
            })
            .collect()
    }

    #[test]
    fn a_changed_line_goes_and_comes_between_what_stays() {
        assert_eq!(
            drawn("a\nb\nc", "a\nx\ny\nc"),
            [" a", "-b", "+x", "+y", " c"]
        );
        assert_eq!(
            drawn("a\nb\nc\nd", "b\nc\nx\nd"),
            ["-a", " b", " c", "+x", " d"]
        );
        assert_eq!(stat(&compare("a\nb\nc", "a\nx\ny\nc")), (2, 1));
    }

    #[test]
    fn a_new_file_is_all_added() {
        assert_eq!(drawn("", "a\n\nb\n"), ["+a", "+", "+b"]);
        assert_eq!(drawn("a\n", ""), ["-a"]);
        assert_eq!(drawn("", ""), Vec::<String>::new());
    }

    #[test]
    fn a_line_break_at_the_end_is_a_change_too() {
        assert_eq!(drawn("a", "a\n"), [" a", "+"]);
        assert_eq!(drawn("a\n", "a\n"), [" a"]);
    }

    #[test]
    fn both_texts_can_be_read_back() {
        let old = "one\ntwo\nthree\ntwo\nfour";
        let new = "two\nthree\nfive\ntwo\nfour\nsix";
        let back = |left_out: Change| {
            compare(old, new)
                .into_iter()
                .filter(|line| line.change != left_out)
                .map(|line| line.text)
                .collect::<Vec<_>>()
                .join("\n")
        };
        assert_eq!(back(Change::Added), old);
        assert_eq!(back(Change::Removed), new);
    }

    #[test]
    fn huge_texts_cost_no_huge_table() {
        let old = "a\n".repeat(50_000);
        let new = "b\n".repeat(50_000);
        assert_eq!(stat(&compare(&old, &new)), (50_000, 50_000));
    }
}
