//! Owns what a message asks for: plain words, matched generously.

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    Tour,
    Unknown,
    Markdown,
    Run(Option<String>),
    Write(Option<(String, String)>),
    Edit,
    Read(Option<String>),
    Fetch(Option<String>),
    Greet,
    Question,
    FourQuestions,
    Plan,
    /// So many questions at the same time.
    AtOnce(usize),
    Subagents,
    BackgroundSubagent,
    Todo,
    Withdraw,
    Think,
    Fail,
    NotLoggedIn,
    Retry,
    Crash,
    CrashWhileAsking,
}

/// The most questions opened at once; more would show nothing new.
const MOST_AT_ONCE: usize = 60;

/// `ask a question then run a command` is two steps. A part that means nothing by itself belongs to the one before it,
/// so that a `then` inside a shell command stays there.
pub fn steps(message: &str) -> Vec<Step> {
    let mut parts: Vec<String> = Vec::new();
    for part in split_at_then(without_asides(message)) {
        match parts.last_mut() {
            Some(before) if step(&part).is_none() => before.push_str(&format!(" then {part}")),
            _ => parts.push(part),
        }
    }
    parts.iter().filter_map(|part| step(part)).collect()
}

/// A paragraph in brackets before what is asked for is read, and asks for nothing.
fn without_asides(message: &str) -> &str {
    let mut rest = message;
    while let Some((_, after)) = rest
        .strip_prefix('(')
        .and_then(|inside| inside.split_once(")\n\n"))
    {
        rest = after;
    }
    rest
}

fn split_at_then(message: &str) -> Vec<String> {
    let lower = message.to_ascii_lowercase();
    let (mut parts, mut start) = (Vec::new(), 0);
    for (at, found) in lower.match_indices(" then ") {
        if at >= start {
            parts.push(message[start..at].to_owned());
            start = at + found.len();
        }
    }
    parts.push(message[start..].to_owned());
    parts
}

fn step(part: &str) -> Option<Step> {
    // exactly as it is given: a dot at the end of a command is a directory
    if let Some(command) = after_prefix(part.trim(), &["run:", "bash:", "$ "]) {
        return Some(Step::Run(Some(command)));
    }
    let part = part
        .trim()
        .trim_end_matches(['.', '!'])
        .trim_start_matches(',')
        .trim();
    let lower = part.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric() && c != '-')
        .filter(|word| !word.is_empty())
        .collect();
    let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(word));
    let says = |wanted: &str| lower.contains(wanted);

    // what is spelled out exactly comes first: its text may hold any other word
    if let Some(rest) = after_prefix(part, &["write "])
        && let Some((path, content)) = rest.split_once(": ")
        && !path.trim().is_empty()
        && !path.trim().contains(char::is_whitespace)
    {
        return Some(Step::Write(Some((
            path.trim().to_owned(),
            content.to_owned(),
        ))));
    }
    let number = words.iter().find_map(|word| word.parse::<usize>().ok());
    let crash = has(&["crash", "crashes"]);
    Some(match () {
        () if crash && has(&["asking", "asks", "ask", "question", "waiting"]) => {
            Step::CrashWhileAsking
        }
        () if crash => Step::Crash,
        () if has(&["withdraw", "withdraws", "withdrawn"]) || says("change your mind") => {
            Step::Withdraw
        }
        () if has(&["many"])
            || (number.is_some() && (says("at once") || has(&["asks", "requests", "reads"]))) =>
        {
            Step::AtOnce(number.unwrap_or(12).clamp(1, MOST_AT_ONCE))
        }
        () if says("three things") || says("at once") || says("same time") => Step::AtOnce(3),
        () if has(&["four", "4", "several", "more", "some"]) && has(&["questions"]) => {
            Step::FourQuestions
        }
        () if has(&["question", "questions"]) || says("ask me") => Step::Question,
        () if has(&["background"]) => Step::BackgroundSubagent,
        () if has(&["subagent", "subagents", "sub-agent", "sub-agents", "agents"]) => {
            Step::Subagents
        }
        () if has(&["plan", "plans", "planning"]) => Step::Plan,
        () if has(&["markdown"]) => Step::Markdown,
        () if has(&["retry", "retries"]) => Step::Retry,
        () if says("not logged in") || says("logged out") => Step::NotLoggedIn,
        () if has(&["fail", "fails", "failure"]) || says("api error") => Step::Fail,
        () if has(&["think", "thinking"]) => Step::Think,
        () if has(&["todo", "todos", "to-do", "to-dos"]) => Step::Todo,
        () if has(&["mcp", "greet", "greeting"]) => Step::Greet,
        () if has(&["fetch", "webfetch", "download"]) || says("web page") => {
            Step::Fetch(found(part, |word| word.contains("://")))
        }
        () if has(&["edit", "edits", "change"]) && !says("change the subject") => Step::Edit,
        () if has(&["write", "create"]) => Step::Write(None),
        () if has(&["read", "reads"]) => {
            Step::Read(found(part, |word| word.contains('/') || word.contains('.')))
        }
        () if has(&["run", "command", "shell", "bash"]) => Step::Run(None),
        () if has(&["help", "tour", "demo"]) || says("what can you do") => Step::Tour,
        () => return None,
    })
}

fn after_prefix(part: &str, prefixes: &[&str]) -> Option<String> {
    let polite = ["please ", "now ", "and "];
    let mut rest = part;
    while let Some(shorter) = polite
        .iter()
        .find_map(|word| strip_ignoring_case(rest, word))
    {
        rest = shorter;
    }
    prefixes
        .iter()
        .find_map(|prefix| strip_ignoring_case(rest, prefix))
        .map(|rest| {
            let rest = rest.trim();
            let quoted = rest
                .strip_prefix('`')
                .and_then(|rest| rest.strip_suffix('`'));
            quoted
                .filter(|inside| !inside.contains('`'))
                .unwrap_or(rest)
                .to_owned()
        })
        .filter(|rest| !rest.is_empty())
}

fn strip_ignoring_case<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let head = text.get(..prefix.len())?;
    head.eq_ignore_ascii_case(prefix)
        .then(|| text[prefix.len()..].trim_start())
}

fn found(part: &str, fits: impl Fn(&str) -> bool) -> Option<String> {
    part.split_whitespace()
        .map(|word| word.trim_matches(['`', '"', '\'', ',']))
        .find(|word| fits(word))
        .map(ToOwned::to_owned)
}

/// A short title from the first message, cut at a word.
pub fn title(message: &str) -> String {
    const LONGEST: usize = 48;
    let mut title = String::new();
    for word in message.split_whitespace() {
        if !title.is_empty() && title.chars().count() + word.chars().count() >= LONGEST {
            title.push('…');
            break;
        }
        if !title.is_empty() {
            title.push(' ');
        }
        title.extend(word.chars().take(LONGEST));
    }
    let mut characters = title.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => "A quiet start".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Step, steps, title};

    #[test]
    fn the_phrases_of_the_tour_are_understood() {
        let one = |message: &str| {
            let steps = steps(message);
            assert_eq!(steps.len(), 1, "{message}: {steps:?}");
            steps[0].clone()
        };
        for (message, expected) in [
            ("stream markdown", Step::Markdown),
            ("Run a command", Step::Run(None)),
            (
                "please run: ls -la && pwd",
                Step::Run(Some("ls -la && pwd".into())),
            ),
            ("run: `touch x`", Step::Run(Some("touch x".into()))),
            ("write a file", Step::Write(None)),
            (
                "Write notes/a.txt: plan: read it",
                Step::Write(Some(("notes/a.txt".into(), "plan: read it".into()))),
            ),
            ("edit a file", Step::Edit),
            ("read a file outside", Step::Read(None)),
            ("read /etc/hosts", Step::Read(Some("/etc/hosts".into()))),
            ("fetch a page", Step::Fetch(None)),
            (
                "fetch https://example.org/x",
                Step::Fetch(Some("https://example.org/x".into())),
            ),
            ("mcp", Step::Greet),
            ("Ask a question!", Step::Question),
            ("ask me something", Step::Question),
            ("four questions", Step::FourQuestions),
            ("make a plan", Step::Plan),
            ("three things", Step::AtOnce(3)),
            ("ask for three things at once", Step::AtOnce(3)),
            ("50 at once", Step::AtOnce(50)),
            ("900 at once", Step::AtOnce(60)),
            ("many 7", Step::AtOnce(7)),
            ("many", Step::AtOnce(12)),
            ("subagents", Step::Subagents),
            ("a background subagent", Step::BackgroundSubagent),
            ("fail", Step::Fail),
            ("be not logged in", Step::NotLoggedIn),
            ("retry", Step::Retry),
            ("crash", Step::Crash),
            ("crash while asking", Step::CrashWhileAsking),
            ("think long", Step::Think),
            ("todo", Step::Todo),
            ("withdraw", Step::Withdraw),
            ("/help", Step::Tour),
        ] {
            assert_eq!(one(message), expected, "{message}");
        }
    }

    #[test]
    fn words_inside_words_do_not_count() {
        for message in [
            "hello there",
            "I already explained the thread",
            "credits in the trunk",
            "",
        ] {
            assert_eq!(steps(message), Vec::new(), "{message}");
        }
    }

    #[test]
    fn several_requests_are_done_in_order() {
        assert_eq!(
            steps("ask a question Then run a command"),
            [Step::Question, Step::Run(None)]
        );
        assert_eq!(
            steps("run: if true; then echo hi; fi then withdraw"),
            [
                Step::Run(Some("if true; then echo hi; fi".into())),
                Step::Withdraw
            ]
        );
    }

    #[test]
    fn a_title_is_short() {
        assert_eq!(title("run a command"), "Run a command");
        let long = title(&"wort ".repeat(40));
        assert!(long.chars().count() <= 50 && long.ends_with('…'));
        assert_eq!(title("  "), "A quiet start");
    }
}
