//! A look at the bare words of a text that does not parse. It errs to the side of a mark too many.

use crate::model::insight::command::{Mark, MarkKind, Severity, Span};

/// Words that stand near each other, in order, and what they mean together.
const PATTERNS: &[(&[&str], MarkKind, &str)] = &[
    (
        &["rm", "-*r"],
        MarkKind::DeletesRecursively,
        "May delete recursively",
    ),
    (
        &["rm", "-*R"],
        MarkKind::DeletesRecursively,
        "May delete recursively",
    ),
    (
        &["rm", "--recursive"],
        MarkKind::DeletesRecursively,
        "May delete recursively",
    ),
    (
        &["find", "-delete"],
        MarkKind::DeletesRecursively,
        "May delete recursively",
    ),
    (
        &["xargs", "rm"],
        MarkKind::DeletesRecursively,
        "May delete what a list names",
    ),
    (&["sudo"], MarkKind::RunsAsRoot, "May run as root"),
    (&["doas"], MarkKind::RunsAsRoot, "May run as root"),
    (&["pkexec"], MarkKind::RunsAsRoot, "May run as root"),
    (
        &["curl", "|", "sh"],
        MarkKind::DownloadsIntoShell,
        "May run a download",
    ),
    (
        &["curl", "|", "bash"],
        MarkKind::DownloadsIntoShell,
        "May run a download",
    ),
    (
        &["wget", "|", "sh"],
        MarkKind::DownloadsIntoShell,
        "May run a download",
    ),
    (
        &["wget", "|", "bash"],
        MarkKind::DownloadsIntoShell,
        "May run a download",
    ),
    (
        &["bash", "curl"],
        MarkKind::DownloadsIntoShell,
        "May run a download",
    ),
    (
        &["sh", "curl"],
        MarkKind::DownloadsIntoShell,
        "May run a download",
    ),
    (
        &["base64", "|", "sh"],
        MarkKind::Obfuscated,
        "May decode something and run it",
    ),
    (
        &["base64", "|", "bash"],
        MarkKind::Obfuscated,
        "May decode something and run it",
    ),
    (
        &["eval"],
        MarkKind::Obfuscated,
        "May put a command together and run it",
    ),
    (
        &["git", "push", "--force"],
        MarkKind::RewritesHistory,
        "May overwrite history on the remote",
    ),
    (
        &["git", "push", "-f"],
        MarkKind::RewritesHistory,
        "May overwrite history on the remote",
    ),
    (
        &["git", "reset", "--hard"],
        MarkKind::RewritesHistory,
        "May discard changes",
    ),
    (
        &["git", "clean", "-*f"],
        MarkKind::RewritesHistory,
        "May delete files that git does not keep",
    ),
    (
        &["chmod"],
        MarkKind::ChangesPermissions,
        "May change permissions",
    ),
    (
        &["chown"],
        MarkKind::ChangesPermissions,
        "May change the owner",
    ),
    (
        &["dd", "of=*"],
        MarkKind::WritesDisk,
        "May write to a disk itself",
    ),
    (
        &["mkfs*"],
        MarkKind::WritesDisk,
        "May make a new file system",
    ),
    (
        &["shutdown"],
        MarkKind::ShutsDown,
        "May shut the machine down",
    ),
    (&["reboot"], MarkKind::ShutsDown, "May restart the machine"),
    (
        &["kubectl", "delete"],
        MarkKind::DeletesData,
        "May delete from the cluster",
    ),
    (
        &["terraform", "destroy"],
        MarkKind::DeletesData,
        "May destroy infrastructure",
    ),
    (&["publish"], MarkKind::Publishes, "May publish a package"),
    (&[".env"], MarkKind::ReadsSecrets, "May read secrets"),
    (&["*.ssh*"], MarkKind::ReadsSecrets, "May read secrets"),
    (
        &["*/etc/shadow"],
        MarkKind::ReadsSecrets,
        "May read secrets",
    ),
    (
        &["nc", "-*l"],
        MarkKind::ListensOnNetwork,
        "May listen on the network",
    ),
    (
        &["/dev/tcp/*"],
        MarkKind::ListensOnNetwork,
        "May talk to the network",
    ),
    (
        &["killall"],
        MarkKind::KillsProcesses,
        "May end many processes",
    ),
    (
        &["pkill"],
        MarkKind::KillsProcesses,
        "May end many processes",
    ),
];
/// How far apart the words of a pattern may stand.
const REACH: usize = 24;

pub fn marks(text: &str) -> Vec<Mark> {
    let words = words(text);
    let mut marks = Vec::new();
    for (pattern, kind, sentence) in PATTERNS {
        if marks.iter().any(|mark: &Mark| mark.sentence == *sentence) {
            continue;
        }
        let found = (0..words.len())
            .filter(|start| matches(words[*start].1, pattern[0]))
            .find_map(|start| follow(&words, start, pattern));
        if let Some(spans) = found {
            let segment = Span::new(spans[0].start, spans[spans.len() - 1].end);
            marks.push(Mark {
                kind: *kind,
                severity: Severity::Danger,
                sentence: (*sentence).to_owned(),
                segment,
                words: spans,
            });
        }
    }
    marks
}

fn follow(words: &[(Span, &str)], start: usize, pattern: &[&str]) -> Option<Vec<Span>> {
    let mut spans = vec![words[start].0];
    let mut at = start;
    for part in &pattern[1..] {
        let next =
            (at + 1..words.len().min(at + REACH)).find(|index| matches(words[*index].1, part))?;
        spans.push(words[next].0);
        at = next;
    }
    Some(spans)
}

/// `-*r` is a cluster of letters with an r; a star at either end stands for anything.
fn matches(word: &str, pattern: &str) -> bool {
    if let Some(letter) = pattern.strip_prefix("-*") {
        return word.starts_with('-') && !word.starts_with("--") && word.contains(letter);
    }
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(_), Some(_)) => word.contains(pattern.trim_matches('*')),
        (Some(end), None) => word.ends_with(end),
        (None, Some(start)) => word.starts_with(start),
        (None, None) => word
            .strip_suffix(pattern)
            .is_some_and(|before| before.is_empty() || before.ends_with('/')),
    }
}

fn words(text: &str) -> Vec<(Span, &str)> {
    let mut words = Vec::new();
    let mut start = 0;
    for (at, character) in text.char_indices() {
        let pipe = character == '|';
        if pipe || character.is_whitespace() || "\"'`;&(){}<>$\\,".contains(character) {
            if start < at {
                words.push((Span::new(start, at), &text[start..at]));
            }
            start = at + character.len_utf8();
            if pipe {
                words.push((Span::new(at, start), &text[at..start]));
            }
        }
    }
    if start < text.len() {
        words.push((Span::new(start, text.len()), &text[start..]));
    }
    words
}
