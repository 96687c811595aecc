//! Owns entering and leaving plan mode: the mode, and the file that holds the plan.

use serde_json::json;

use super::agent::Agent;
use super::folders;
use super::mode::Mode;
use super::outcomes::Done;

pub fn enter(agent: &Agent) -> Done {
    let mut state = agent.state();
    if state.mode != Mode::Plan {
        agent.set_mode(&mut state, Mode::Plan);
    }
    Done::text(
        "Entered plan mode. You should now focus on exploring the codebase and designing an implementation approach.",
        json!({"message": "Entered plan mode."}),
    )
}

/// The plan was approved; `edited` tells whether the person rewrote it.
pub fn leave(agent: &Agent, plan: Option<&str>, edited: bool) -> Done {
    let mut state = agent.state();
    let file = state.plan_file.clone();
    let before = state.mode_before_plan.take().unwrap_or(Mode::Default);
    // an answer that set a mode itself has already left plan mode
    if state.mode == Mode::Plan {
        agent.set_mode(&mut state, before);
    }
    let Some(plan) = plan else {
        return Done::text(
            "User has approved exiting plan mode. You can now proceed.",
            json!({"plan": null, "isAgent": false}),
        );
    };
    let mark = if edited { " (edited by user)" } else { "" };
    let mut detail = json!({"plan": plan, "isAgent": false, "filePath": file});
    if edited {
        detail["planWasEdited"] = json!(true);
        if let Some(file) = &file {
            let _ = folders::write_private(file, plan);
        }
    }
    let shown = file.unwrap_or_default();
    Done::text(
        format!(
            "User has approved your plan. You can now start coding. Start with updating your todo list if applicable\n\n\
             Your plan has been saved to: {}\nYou can refer back to it if needed during implementation.\n\n\
             ## Approved Plan{mark}:\n{plan}",
            shown.display()
        ),
        detail,
    )
}
