//! Owns the choice of scene: each plays one request from its first words to a closing sentence that fits what was decided.

mod at_once;
mod everyday;
mod helpers;
mod plan;
mod questions;
mod trouble;

use super::intent::Step;
use super::outcomes::{Fate, Outcome};
use super::turn::{Stop, Turn};
use super::words;

pub async fn perform(turn: &mut Turn, step: Step) -> Result<(), Stop> {
    match step {
        Step::Tour => turn.say(words::tour()).await,
        Step::Unknown => turn.say(words::unknown()).await,
        Step::Markdown => turn.say(words::markdown()).await,
        Step::Run(command) => everyday::run(turn, command).await,
        Step::Write(file) => everyday::write(turn, file).await,
        Step::Edit => everyday::edit(turn).await,
        Step::Read(path) => everyday::read(turn, path).await,
        Step::Fetch(url) => everyday::fetch(turn, url).await,
        Step::Greet => everyday::greet(turn).await,
        Step::Todo => everyday::todo(turn).await,
        Step::Question => questions::one(turn).await,
        Step::FourQuestions => questions::four(turn).await,
        Step::Plan => plan::propose(turn).await,
        Step::AtOnce(count) => at_once::read_many(turn, count).await,
        Step::Subagents => helpers::two(turn).await,
        Step::BackgroundSubagent => helpers::in_background(turn).await,
        Step::Withdraw => trouble::withdraw(turn).await,
        Step::Think => trouble::think(turn).await,
        Step::Fail => trouble::fail(turn).await,
        Step::NotLoggedIn => trouble::not_logged_in(turn).await,
        Step::Retry => trouble::retry(turn).await,
        Step::Crash => trouble::crash(turn).await,
        Step::CrashWhileAsking => trouble::crash_while_asking(turn).await,
    }
}

/// The closing words when a tool did not run; `None` when it did.
fn not_done(outcome: &Outcome, what: &str) -> Option<String> {
    Some(match &outcome.fate {
        Fate::Ran => return None,
        Fate::Denied(reason) if reason.trim().is_empty() => {
            format!("Understood. I did not {what}.")
        }
        Fate::Denied(reason) => format!(
            "Understood, I did not {what}. I was told:\n\n> {}\n\nI will keep to that.",
            reason.trim().replace('\n', "\n> ")
        ),
        Fate::Refused => format!(
            "I could not {what}: the session does not allow it, so you were not even asked.\n\n> {}",
            outcome.text
        ),
        Fate::Withdrawn => format!("I took that request back, so I did not {what}."),
        Fate::Failed | Fate::Stopped => format!(
            "I could not {what}. This is what came back:\n\n{}",
            fenced(&outcome.text)
        ),
    })
}

/// Output as a code block that cannot be closed from inside, and not longer than one wants to read.
fn fenced(text: &str) -> String {
    let shown: String = text.chars().take(1500).collect();
    let longest = shown
        .lines()
        .filter(|line| line.starts_with("```"))
        .map(|line| line.matches('`').count())
        .max();
    let fence = "`".repeat(longest.map_or(3, |longest| longest + 1));
    format!("{fence}\n{shown}\n{fence}")
}

#[cfg(test)]
mod tests {
    use super::fenced;

    #[test]
    fn output_cannot_close_its_own_code_block() {
        assert_eq!(fenced("a\n```\nb"), "````\na\n```\nb\n````");
        assert_eq!(fenced("a"), "```\na\n```");
    }
}
