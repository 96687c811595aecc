//! Owns the scene with a plan: proposed, then approved, changed, or sent back once for a second try.

use serde_json::json;
use uuid::Uuid;

use super::super::mode::Mode;
use super::super::outcomes::{Fate, Outcome};
use super::super::stream::Block;
use super::super::tools::Call;
use super::super::turn::{Stop, Turn};
use super::not_done;

pub async fn propose(turn: &mut Turn) -> Result<(), Stop> {
    if turn.agent.state().mode != Mode::Plan {
        let words = "Before I touch anything, let me plan. I am going into plan mode for that.";
        turn.call(words, Call::new("EnterPlanMode", json!({})))
            .await?;
    }
    let first = present(turn, "Here is what I have in mind.", plan(None)).await?;
    let Fate::Denied(feedback) = &first.fate else {
        return conclude(turn, &first).await;
    };
    let words = if feedback.trim().is_empty() {
        "You sent the plan back without a word, so I tried to make it smaller.".to_owned()
    } else {
        format!(
            "Thank you, I have worked that in. You said:\n\n> {}",
            feedback.trim().replace('\n', "\n> ")
        )
    };
    let second = present(turn, &words, plan(Some(feedback))).await?;
    conclude(turn, &second).await
}

/// Writes the plan to its file, then asks. The file is the plan: it is what the host is shown.
async fn present(turn: &mut Turn, words: &str, plan: String) -> Result<Outcome, Stop> {
    let agent = turn.agent.clone();
    let file = {
        let mut state = agent.state();
        let slug = format!(
            "a-kinder-readme-{}",
            &Uuid::new_v4().simple().to_string()[..8]
        );
        state
            .plan_file
            .get_or_insert_with(|| agent.folders.plan(&slug))
            .clone()
    };
    turn.call(
        words,
        Call::new("Write", json!({"file_path": file, "content": plan})),
    )
    .await?;
    let call = Call::new("ExitPlanMode", json!({"plan": plan, "planFilePath": file}));
    turn.respond(vec![Block::Tool(call)])
        .await?
        .pop()
        .ok_or(Stop::WhileTools)
}

async fn conclude(turn: &mut Turn, outcome: &Outcome) -> Result<(), Stop> {
    let closing = match &outcome.fate {
        Fate::Ran => {
            let mode = turn.agent.state().mode;
            let how = match mode {
                Mode::AcceptEdits => {
                    "Edits inside the project need no further question from now on."
                }
                Mode::BypassPermissions => {
                    "Nothing more will be asked about, apart from questions."
                }
                _ => "I will still ask before each change.",
            };
            let edited = if outcome.text.contains("(edited by user)") {
                "You rewrote the plan, and I go by your version."
            } else {
                "The plan is approved."
            };
            format!("{edited} {how} As I am only a demonstration, I leave it at the plan.")
        }
        Fate::Denied(reason) if !reason.trim().is_empty() => format!(
            "Then I stay in plan mode and think again. You said:\n\n> {}",
            reason.trim().replace('\n', "\n> ")
        ),
        Fate::Denied(_) => "Then I stay in plan mode and think again.".to_owned(),
        _ => not_done(outcome, "present the plan").unwrap_or_default(),
    };
    turn.say(closing).await
}

fn plan(feedback: Option<&str>) -> String {
    let mut plan = String::from(
        "# A kinder README\n\n\
         ## Why\n\n\
         A newcomer should see within a minute what the project is and how to start it.\n\n\
         ## Steps\n\n\
         1. Open with one sentence that says what it is.\n\
         2. Show the two commands that start it.\n\
         3. Add a picture of the first screen.\n\
         4. Move everything else into `docs/`.\n\n\
         ## Left alone\n\n\
         - The license and the list of contributors\n\n\
         ## How we know it works\n\n\
         Somebody who has never seen the project follows it in an empty folder.\n",
    );
    if let Some(feedback) = feedback {
        let said = if feedback.trim().is_empty() {
            "Make it smaller: steps 3 and 4 can wait."
        } else {
            feedback.trim()
        };
        plan.push_str(&format!(
            "\n## Changed after your review\n\n> {}\n",
            said.replace('\n', "\n> ")
        ));
    }
    plan
}
