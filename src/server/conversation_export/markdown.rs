//! Events as Markdown. Pure. What was said is quoted line by line and what ran stands in fences, so that nothing in it can
//! pass for something that somebody else said or did.

use crate::app::transcript::answered::answers;
use crate::app::transcript::outcome;
use crate::model::calendar::iso;
use crate::model::conversation::{Body, Conversation, Delivery, Item, ToolItem};
use crate::model::{AskingAgent, Event, Response, UnixTime};
use crate::server::store::StoredSession;

pub fn markdown(about: &StoredSession, events: &[Event]) -> String {
    let mut text = format!("# {}\n\n", plain(&about.title));
    text += &format!("- Project: {}\n", code(about.project_id.as_str()));
    text += &format!("- Session: {}\n", code(&about.session_id.to_string()));
    text += &format!("- Begun: {}\n", moment(about.created_at));
    for item in &Conversation::from_events(events).items {
        text += "\n";
        text += &written(item);
    }
    text
}

fn written(item: &Item) -> String {
    let at = moment(item.at);
    match &item.body {
        Body::Said {
            text,
            delivery,
            attachments,
            ..
        } => {
            let became = match delivery {
                Delivery::Sent if item.under.is_some() => " · taken back later",
                Delivery::Sent => "",
                Delivery::Queued => " · waits in the queue",
                Delivery::Cancelled => " · taken back",
                Delivery::NotRead => " · not read",
                Delivery::SentAgain => " · not read, sent again below",
            };
            let files = attachments.iter();
            let files: String = files
                .map(|file| format!("\n- Attached: {}\n", code(&file.name)))
                .collect();
            format!("## You · {at}{became}\n\n{}{files}", quoted(text))
        }
        Body::Text { text, agent } => format!("## Agent{} · {at}\n\n{}", of(agent), quoted(text)),
        Body::Thought { text, agent } => {
            format!("### Thought{} · {at}\n\n{}", of(agent), quoted(text))
        }
        Body::Summary { text } => format!("### Summary of all above · {at}\n\n{}", quoted(text)),
        Body::Tool(tool) => tool_written(tool, &at),
        Body::OwnCommand {
            command,
            output,
            code,
        } => {
            let ended = match code {
                Some(code) => format!("ended with code {code}"),
                None => "did not end by itself".to_owned(),
            };
            format!(
                "### You ran a command · {at} · {ended}\n\n{}{}",
                fenced(command),
                section("Output", output)
            )
        }
        Body::TurnEnd {
            error, interrupted, ..
        } => match (error, interrupted) {
            (Some(error), _) => format!("*The turn failed · {at}*\n\n{}", quoted(error)),
            (None, true) => format!("*The turn was stopped · {at}*\n"),
            (None, false) => format!("*The turn ended · {at}*\n"),
        },
        Body::Cleared => {
            format!("*Cleared: from here on the agent knows nothing of the above · {at}*\n")
        }
        Body::Rewound {
            conversation,
            files,
        } => {
            let files = files.iter();
            let files: String = files
                .map(|file| format!("\n- As it was before: {}\n", code(file)))
                .collect();
            match conversation {
                true => {
                    format!(
                        "*You went back to before a message above: the agent has forgotten it and what followed · {at}*\n{files}"
                    )
                }
                false => format!("*You put files back · {at}*\n{files}"),
            }
        }
        Body::FolderTrusted => format!("*You trust this folder · {at}*\n"),
        Body::Notice { text, .. } => format!("*Notice · {at}*\n\n{}", quoted(text)),
    }
}

fn tool_written(tool: &ToolItem, at: &str) -> String {
    let mut text = format!(
        "### {}{} · {at}\n\n",
        code(&tool.tool_name),
        of(&tool.agent)
    );
    for (name, value) in tool.tool_input.fields() {
        text += &section(&name, &value);
    }
    if let (Some(request), Some(resolution)) = (&tool.request, &tool.resolution) {
        let words = outcome::words(request.request_type, resolution);
        text += &format!("Asked, and decided: {}\n\n", plain(&words));
        if let Some(Response::AskUserQuestion(given)) = &resolution.response {
            for (question, answer) in answers(&tool.tool_input, given) {
                text += &format!("- {} **{}**\n", plain(&question), plain(&answer));
            }
            text += "\n";
        }
    } else if tool.request.is_some() {
        text += "Asked, and not decided yet.\n\n";
    }
    let ran = tool.effective_input();
    if *ran != tool.tool_input {
        text += &section("Ran as edited", &ran.to_json());
    }
    match &tool.result {
        Some(result) => {
            let title = match (result.is_error, result.stopped) {
                (_, true) => "Stopped",
                (true, _) => "Error",
                _ => "Result",
            };
            text += &section(title, &result.text);
            for picture in &result.images {
                text += &format!("- Picture: {}\n", code(&picture.name));
            }
        }
        None if tool.interrupted => text += "The process ended before it was done.\n",
        None => {}
    }
    text
}

fn of(agent: &Option<AskingAgent>) -> String {
    let agent = agent.as_ref();
    agent
        .map(|agent| format!(" (subagent {})", plain(&agent.label)))
        .unwrap_or_default()
}

/// To the second.
fn moment(at: UnixTime) -> String {
    let moment = iso(at);
    let seconds = moment.split('.').next().unwrap_or_default();
    format!("{} UTC", seconds.replace('T', " "))
}

fn section(title: &str, content: &str) -> String {
    match content.trim().is_empty() {
        true => format!("{}: nothing\n\n", plain(title)),
        false => format!("{}:\n\n{}", plain(title), fenced(content)),
    }
}

/// Every line is marked; Markdown knows three ends of a line.
fn quoted(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut quoted = String::new();
    for line in text.trim_end().split('\n') {
        quoted += match line.is_empty() {
            true => ">",
            false => "> ",
        };
        quoted += line;
        quoted.push('\n');
    }
    quoted
}

/// The fence is longer than any that is inside.
fn fenced(text: &str) -> String {
    let fence = "`".repeat((longest_run(text) + 1).max(3));
    let text = text.trim_end_matches(['\n', '\r']);
    format!("{fence}\n{text}\n{fence}\n\n")
}

/// A few words between backticks, on one line.
fn code(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let marks = "`".repeat(longest_run(&text) + 1);
    match text.starts_with('`') || text.ends_with('`') {
        true => format!("{marks} {text} {marks}"),
        false => format!("{marks}{text}{marks}"),
    }
}

fn longest_run(text: &str) -> usize {
    let runs = text.split(|c| c != '`').map(str::len);
    runs.max().unwrap_or_default()
}

/// One line that means nothing but its letters.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    for (at, word) in text.split_whitespace().enumerate() {
        if at > 0 {
            plain.push(' ');
        }
        for c in word.chars() {
            if matches!(
                c,
                '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '~' | '&'
            ) {
                plain.push('\\');
            }
            plain.push(c);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::conversation::{Resolution, ToolResult};
    use crate::model::policy::OwnPolicies;
    use crate::model::{Entry, MessageId, PermissionMode, ProjectId, SessionId, ToolInput};
    use crate::model::{Outcome, ResolvedBy, ToolUseId, samples};

    fn about(title: &str) -> StoredSession {
        StoredSession {
            session_id: SessionId::random(),
            project_id: ProjectId::from("/code/a"),
            title: title.to_owned(),
            created_at: UnixTime(0.0),
            updated_at: UnixTime(0.0),
            permission_mode: PermissionMode::default(),
            model: None,
            effort: None,
            conversation_id: None,
            may_bypass: false,
            fork_of: None,
            archived_at: None,
            policies: OwnPolicies::default(),
        }
    }

    fn events(entries: Vec<Entry>) -> Vec<Event> {
        let numbered = (1u64..).zip(entries);
        numbered
            .map(|(seq, entry)| Event {
                seq,
                at: UnixTime(1_000_000.25 + seq as f64),
                entry,
            })
            .collect()
    }

    #[test]
    fn who_said_what_and_when() {
        let said = Entry::MessageSent {
            message_id: MessageId::random(),
            text: "Mend it,\n\nplease".to_owned(),
            queued: false,
            attachments: Vec::new(),
        };
        let answer = Entry::TextWritten {
            text: "# Done\r## You · now\rall".to_owned(),
            agent: None,
        };
        let text = markdown(&about("Mend *the* gate"), &events(vec![said, answer]));
        assert!(
            text.starts_with("# Mend \\*the\\* gate\n\n- Project: `/code/a`\n"),
            "{text}"
        );
        assert!(
            text.contains("## You · 1970-01-12 13:46:41 UTC\n\n> Mend it,\n>\n> please\n"),
            "{text}"
        );
        let agents = "## Agent · 1970-01-12 13:46:42 UTC\n\n> # Done\n> ## You · now\n> all\n";
        assert!(text.contains(agents), "{text}");
    }

    #[test]
    fn what_ran_stays_inside_its_fence() {
        let call = ToolUseId("one".to_owned());
        let command = "echo '```'\n```\n## You";
        let called = Entry::ToolCalled {
            tool_use_id: call.clone(),
            tool_name: "Bash`\n# x".to_owned(),
            tool_input: ToolInput::default().with_text("command", command),
            agent: None,
        };
        let finished = Entry::ToolFinished {
            tool_use_id: call,
            text: "````\nout".to_owned(),
            is_error: true,
            stopped: false,
            images: Vec::new(),
        };
        let text = markdown(&about("x"), &events(vec![called, finished]));
        assert!(text.contains("### ``Bash` # x`` · "), "{text}");
        assert!(
            text.contains(&format!("command:\n\n````\n{command}\n````\n")),
            "{text}"
        );
        assert!(
            text.contains("Error:\n\n`````\n````\nout\n`````\n"),
            "{text}"
        );
    }

    #[test]
    fn what_was_asked_has_its_decision_and_what_ran_instead() {
        let mut tool = ToolItem {
            tool_name: "Bash".to_owned(),
            tool_input: ToolInput::default().with_text("command", "ls"),
            request: Some(samples::plain_request()),
            ..ToolItem::default()
        };
        assert!(tool_written(&tool, "now").contains("not decided yet"));
        let Response::ToolApproval(mut decision) =
            Response::deny(Some("not `now`\n# no".to_owned()))
        else {
            panic!("a decision about a tool");
        };
        decision.updated_input = Some(ToolInput::default().with_text("command", "ls -a"));
        tool.resolution = Some(Resolution {
            outcome: Outcome::Denied,
            by: ResolvedBy::User,
            waited: 3.0,
            response: Some(Response::ToolApproval(decision)),
        });
        tool.result = Some(ToolResult {
            text: " ".to_owned(),
            is_error: false,
            stopped: false,
            images: Vec::new(),
        });
        let text = tool_written(&tool, "now");
        let words = "decided: Denied · by you · “not \\`now\\` \\# no” · edited · 3 s\n";
        assert!(text.contains(words), "{text}");
        assert!(
            text.contains("Ran as edited:") && text.contains("ls -a"),
            "{text}"
        );
        assert!(text.contains("Result: nothing"), "{text}");
    }
}
