//! Owns the decision before a tool runs: allowed, refused, or asked — and what the question says.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::explanations::{asked_by_rule, explained, fields};
use super::mode::Mode;
use super::paths;
use super::rules::{Behavior, Rules};

pub struct Situation<'a> {
    pub mode: Mode,
    pub rules: &'a Rules,
    pub project: &'a Path,
    pub plan_file: Option<&'a Path>,
    pub can_ask: bool,
}

#[derive(Debug)]
pub enum Verdict {
    /// Not asked; the text is the `reason_type` of the tool result.
    Allowed(Option<&'static str>),
    /// Not asked and not run.
    Refused {
        message: String,
        reason_type: &'static str,
    },
    /// The call itself makes no sense here.
    Impossible(String),
    /// The fields of `can_use_tool` that explain the question.
    Asked(Map<String, Value>),
}

pub fn judge(situation: &Situation, tool: &str, input: &Value) -> Verdict {
    match tool {
        "TodoWrite" | "EnterPlanMode" | "Agent" => return Verdict::Allowed(None),
        "AskUserQuestion" if !situation.can_ask => {
            return Verdict::Impossible("Error: No such tool available: AskUserQuestion".into());
        }
        "ExitPlanMode" if situation.mode != Mode::Plan => {
            return Verdict::Impossible(
                "You are not in plan mode. This tool is only for exiting plan mode.".into(),
            );
        }
        // a plan is asked about whatever mode the session was started in
        "ExitPlanMode" => {
            return ask_or_refuse(
                situation,
                tool,
                fields(json!({"requires_user_interaction": true})),
            );
        }
        "AskUserQuestion" if situation.mode == Mode::DontAsk => return refused_by_mode(tool),
        "AskUserQuestion" => {
            return Verdict::Asked(fields(json!({"requires_user_interaction": true})));
        }
        _ => {}
    }
    if let Some(reason) = outside_project(situation, tool, input) {
        return Verdict::Impossible(reason);
    }
    let covering = |behavior| {
        situation
            .rules
            .covering(behavior, situation.project, tool, input)
    };
    if covering(Behavior::Deny).is_some() {
        return Verdict::Refused {
            message: format!("Permission to use {tool} has been denied."),
            reason_type: "rule",
        };
    }
    if situation.mode == Mode::BypassPermissions {
        return Verdict::Allowed(Some("mode"));
    }
    if let Some(rule) = covering(Behavior::Ask) {
        return ask_or_refuse(situation, tool, asked_by_rule(situation, tool, input, rule));
    }
    if covering(Behavior::Allow).is_some() {
        return Verdict::Allowed(Some(if tool == "Bash" {
            "subcommandResults"
        } else {
            "rule"
        }));
    }
    if needs_no_question(situation, tool, input) {
        return Verdict::Allowed(Some("mode"));
    }
    ask_or_refuse(situation, tool, explained(situation, tool, input))
}

/// Writing is kept inside the project without exception: a demonstration has no business elsewhere.
pub fn outside_project(situation: &Situation, tool: &str, input: &Value) -> Option<String> {
    let path = file_path(situation.project, input)?;
    let writes = matches!(tool, "Write" | "Edit");
    let allowed =
        situation.plan_file == Some(path.as_path()) || paths::is_inside(situation.project, &path);
    (writes && !allowed).then(|| {
        format!(
            "The demo agent writes only inside the project directory, and {} is outside of it.",
            path.display()
        )
    })
}

fn needs_no_question(situation: &Situation, tool: &str, input: &Value) -> bool {
    let Some(path) = file_path(situation.project, input) else {
        return false;
    };
    match tool {
        "Read" => {
            let granted = situation
                .rules
                .directories
                .iter()
                .any(|(directory, _)| paths::is_inside(directory, &path));
            granted || paths::is_inside(situation.project, &path)
        }
        "Write" | "Edit" => {
            situation.plan_file == Some(path.as_path())
                || (situation.mode == Mode::AcceptEdits && !is_sensitive(situation.project, &path))
        }
        _ => false,
    }
}

pub fn file_path(project: &Path, input: &Value) -> Option<PathBuf> {
    input["file_path"]
        .as_str()
        .map(|path| paths::absolute(project, path))
}

/// Files that run by themselves or hold permissions: asked about even when edits are accepted.
pub fn is_sensitive(project: &Path, path: &Path) -> bool {
    let within = path.strip_prefix(project).unwrap_or(path);
    within.components().any(|part| {
        matches!(
            part.as_os_str().to_str(),
            Some(".git" | ".claude" | ".vscode" | ".idea")
        )
    })
}

fn ask_or_refuse(situation: &Situation, tool: &str, explanation: Map<String, Value>) -> Verdict {
    if situation.mode == Mode::DontAsk && tool != "ExitPlanMode" {
        refused_by_mode(tool)
    } else if situation.can_ask {
        Verdict::Asked(explanation)
    } else {
        Verdict::Refused {
            message: format!(
                "Claude requested permissions to use {tool}, but you haven't granted it yet."
            ),
            reason_type: "other",
        }
    }
}

fn refused_by_mode(tool: &str) -> Verdict {
    Verdict::Refused {
        message: format!(
            "Permission to use {tool} has been denied because Claude Code is running in don't ask mode."
        ),
        reason_type: "mode",
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::{Value, json};

    use super::{Mode, Rules, Situation, Verdict, judge};

    fn judged(mode: Mode, can_ask: bool, tool: &str, input: Value) -> Verdict {
        let project = std::env::temp_dir();
        let situation = Situation {
            mode,
            rules: &Rules::default(),
            project: &project,
            plan_file: Some(Path::new("/p/plan.md")),
            can_ask,
        };
        judge(&situation, tool, &input)
    }

    #[test]
    fn modes_decide_what_is_asked() {
        let write = || json!({"file_path": "x.txt", "content": ""});
        assert!(matches!(
            judged(Mode::Default, true, "Write", write()),
            Verdict::Asked(_)
        ));
        assert!(matches!(
            judged(Mode::AcceptEdits, true, "Write", write()),
            Verdict::Allowed(_)
        ));
        assert!(matches!(
            judged(Mode::DontAsk, true, "Write", write()),
            Verdict::Refused {
                reason_type: "mode",
                ..
            }
        ));
        assert!(matches!(
            judged(
                Mode::BypassPermissions,
                true,
                "Bash",
                json!({"command":"touch x"})
            ),
            Verdict::Allowed(_)
        ));
        assert!(matches!(
            judged(Mode::BypassPermissions, true, "AskUserQuestion", json!({})),
            Verdict::Asked(_)
        ));
        assert!(matches!(
            judged(Mode::DontAsk, true, "AskUserQuestion", json!({})),
            Verdict::Refused { .. }
        ));
        assert!(matches!(
            judged(Mode::Default, false, "AskUserQuestion", json!({})),
            Verdict::Impossible(_)
        ));
        assert!(matches!(
            judged(Mode::Default, false, "Bash", json!({"command":"touch x"})),
            Verdict::Refused { .. }
        ));
        assert!(matches!(
            judged(Mode::Default, true, "ExitPlanMode", json!({})),
            Verdict::Impossible(_)
        ));
        assert!(matches!(
            judged(Mode::Plan, true, "ExitPlanMode", json!({})),
            Verdict::Asked(_)
        ));
        let sensitive = judged(
            Mode::AcceptEdits,
            true,
            "Write",
            json!({"file_path": ".git/config", "content": ""}),
        );
        assert!(
            matches!(sensitive, Verdict::Asked(ref why) if why["decision_reason_type"] == "safetyCheck")
        );
    }

    #[test]
    fn the_project_bounds_writing_in_every_mode() {
        for mode in [Mode::Default, Mode::AcceptEdits, Mode::BypassPermissions] {
            let verdict = judged(
                mode,
                true,
                "Write",
                json!({"file_path": "/etc/x", "content": ""}),
            );
            assert!(matches!(verdict, Verdict::Impossible(_)));
        }
        let plan = judged(
            Mode::Plan,
            true,
            "Write",
            json!({"file_path": "/p/plan.md", "content": ""}),
        );
        assert!(
            matches!(plan, Verdict::Allowed(_)),
            "the plan file is written without asking"
        );
        assert!(matches!(
            judged(Mode::Default, true, "Read", json!({"file_path": "x.txt"})),
            Verdict::Allowed(_)
        ));
        let Verdict::Asked(why) = judged(
            Mode::Default,
            true,
            "Read",
            json!({"file_path": "/etc/hosts"}),
        ) else {
            panic!("reading outside the project is asked");
        };
        assert_eq!(
            why["permission_suggestions"][0]["rules"][0]["ruleContent"],
            "//etc/**"
        );
    }
}
