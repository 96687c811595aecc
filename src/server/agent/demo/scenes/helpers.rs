//! Owns the scenes with subagents: two side by side, and one that asks when the turn is already over.

use super::super::stream::Block;
use super::super::subagents::{self, Errand};
use super::super::turn::{Stop, Turn};

pub async fn two(turn: &mut Turn) -> Result<(), Stop> {
    let outcomes = turn
        .respond(vec![
            Block::text(
                "I send two helpers. Each asks for one command. I wait for the first; the second works in the background, \
                 so its request may well be open when I am done.",
            ),
            Block::Tool(subagents::call("Count the files", Errand {
                command: "ls | wc -l > countersign-demo-count.txt && cat countersign-demo-count.txt".into(),
                purpose: "Count the files in the project".into(),
                in_background: false,
                after_the_turn: false,
            })),
            Block::Tool(subagents::call("Note the time", background_errand(false))),
        ])
        .await?;
    let report = outcomes
        .first()
        .map(|outcome| outcome.text.as_str())
        .unwrap_or_default();
    turn.say(format!(
        "The first helper is back:\n\n> {}\n\nThe second reports by itself when it is ready.",
        report.replace('\n', "\n> ")
    ))
    .await
}

pub async fn in_background(turn: &mut Turn) -> Result<(), Stop> {
    let call = subagents::call("Note the time", background_errand(true));
    turn.call(
        "I send a helper into the background. It begins when I have finished speaking.",
        call,
    )
    .await?;
    turn.say("That is all from me for now. The helper will ask you something in a moment.")
        .await
}

fn background_errand(after_the_turn: bool) -> Errand {
    Errand {
        command: "date > countersign-demo-time.txt && cat countersign-demo-time.txt".into(),
        purpose: "Note the time in a file".into(),
        in_background: true,
        after_the_turn,
    }
}
