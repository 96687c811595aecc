//! Commands that begin with a slash: those that Countersign itself answers, and those that nobody knows. Pure.

use super::{Capabilities, SlashCommand};

/// What Countersign does for a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Own {
    /// Opens this part of what the agent tells of itself.
    Shows(&'static str),
    /// Saves the conversation as a file.
    Saves,
    /// What choosing it in the head does, too.
    ChoosesModel(String),
    /// Goes back to before the last message.
    GoesBack,
    /// Lets the agent work in this folder, too.
    AddsFolder(String),
    /// Lets it plan first: what is written behind it, or what comes next.
    Plans(String),
    /// Ends the process.
    Ends,
}

const SAVE: &str = "export";
const ADD_FOLDER: &str = "add-dir";
const PLAN: &str = "plan";
/// A program without a terminal answers these with an excuse. Their names are those of the parts that show it.
const OWN: [(&str, &str); 12] = [
    ("status", "Countersign shows what the agent says of itself"),
    (
        "permissions",
        "Countersign shows the permission rules and where they are kept",
    ),
    (
        "mcp",
        "Countersign shows the MCP servers, and reconnects them",
    ),
    ("hooks", "Countersign shows the hooks"),
    ("memory", "Countersign shows the memory files"),
    ("help", "Countersign shows all commands"),
    (SAVE, "Countersign saves the conversation as a text file"),
    ("rewind", "Go back to before your last message"),
    (ADD_FOLDER, "Let the agent work in another folder, too"),
    (PLAN, "Let the agent plan before it changes anything"),
    ("exit", "End the process; a message starts it again"),
    ("quit", "End the process; a message starts it again"),
];
/// The one that the agent lists, and then answers with the way to a terminal.
const LISTED_IN_VAIN: &str = "mcp";
/// What a terminal has under these names, and where it is here.
const ELSEWHERE: [(&str, &str); 12] = [
    ("resume", "Earlier conversations are under New session."),
    ("continue", "Earlier conversations are under New session."),
    ("fork", "Fork session is under More."),
    ("branch", "Fork session is under More."),
    (
        "tasks",
        "What goes on in the background stands at its line, with a way to stop it.",
    ),
    (
        "bashes",
        "What goes on in the background stands at its line, with a way to stop it.",
    ),
    ("todos", "The list stands in the transcript."),
    (
        "copy",
        "Copy is on each block of code; Save as text, under More, has all of it.",
    ),
    ("diff", "!git diff shows it."),
    ("login", "Run claude in a terminal and log in there."),
    ("logout", "Run claude in a terminal and log out there."),
    (
        "theme",
        "Light and dark are switched at the foot of the sidebar.",
    ),
];
/// More than these would not be read.
const MOST_NEAR: usize = 3;

/// The commands of Countersign. What the agent has under the same name is the agent's.
pub fn own_commands(known: &Capabilities) -> impl Iterator<Item = SlashCommand> {
    OWN.iter()
        .filter(|(name, _)| is_ours(name, known))
        .map(|(name, description)| SlashCommand {
            name: (*name).to_owned(),
            description: (*description).to_owned(),
            argument_hint: match *name {
                ADD_FOLDER => "<path>".to_owned(),
                PLAN => "[what]".to_owned(),
                _ => String::new(),
            },
        })
}

/// What Countersign does when this is sent, if it is not for the agent.
pub fn own(text: &str, known: &Capabilities) -> Option<Own> {
    let (name, argument) = split(text)?;
    if name == "model" && !argument.is_empty() && !argument.contains(char::is_whitespace) {
        return Some(Own::ChoosesModel(argument.to_owned()));
    }
    let (name, _) = OWN
        .iter()
        .find(|(own, _)| *own == name && is_ours(own, known))?;
    if !argument.is_empty() && ![ADD_FOLDER, PLAN].contains(name) {
        return None;
    }
    Some(match *name {
        SAVE => Own::Saves,
        ADD_FOLDER => Own::AddsFolder(argument.to_owned()),
        "rewind" => Own::GoesBack,
        PLAN => Own::Plans(argument.to_owned()),
        "exit" | "quit" => Own::Ends,
        shown => Own::Shows(shown),
    })
}

/// Why a command would not be understood, with the names that are most like it. An agent that lists none may know it.
pub fn no_such_command(text: &str, known: &Capabilities) -> Option<String> {
    let (name, _) = split(text)?;
    let is_known = |known: &str| known.eq_ignore_ascii_case(name);
    let mut names = known.commands.iter().map(|command| command.name.as_str());
    if known.commands.is_empty() || names.any(is_known) || OWN.iter().any(|(own, _)| is_known(own))
    {
        return None;
    }
    let elsewhere = ELSEWHERE.iter().find(|(other, _)| is_known(other));
    if let Some((_, where_it_is)) = elsewhere {
        return Some(format!(
            "/{name} is not a command here. {where_it_is} Enter once more sends it to the agent as it is."
        ));
    }
    let near = nearest(name, known);
    let near = match near.as_slice() {
        [] => String::new(),
        [one] => format!(" Did you mean {one}?"),
        [most @ .., last] => format!(" Did you mean {} or {last}?", most.join(", ")),
    };
    Some(format!(
        "There is no command /{name}.{near} Enter once more sends it to the agent as it is."
    ))
}

fn is_ours(name: &str, known: &Capabilities) -> bool {
    name == LISTED_IN_VAIN || known.commands.iter().all(|command| command.name != name)
}

/// The name and what follows it. A path is no name.
fn split(text: &str) -> Option<(&str, &str)> {
    let rest = text.trim().strip_prefix('/')?;
    let (name, argument) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let is_of_a_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':');
    (!name.is_empty() && name.chars().all(is_of_a_name)).then_some((name, argument.trim()))
}

fn nearest(name: &str, known: &Capabilities) -> Vec<String> {
    let name = name.to_lowercase();
    let own = own_commands(known).map(|command| command.name);
    let all = known.commands.iter().map(|command| command.name.clone());
    let mut near: Vec<(usize, String)> = all
        .chain(own)
        .filter(|other| !other.starts_with('_'))
        .map(|other| (distance(&name, &other.to_lowercase()), other))
        .filter(|(distance, other)| {
            *distance <= 2.min(name.len() / 2) || name.len() > 2 && other.starts_with(&name)
        })
        .collect();
    near.sort();
    near.dedup();
    let near = near.into_iter().take(MOST_NEAR);
    near.map(|(_, name)| format!("/{name}")).collect()
}

/// How many letters must be changed, added or left out.
fn distance(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.bytes().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (cell, b) in row.iter_mut().skip(1).zip(other.bytes()) {
            let changed = diagonal + usize::from(a != b);
            diagonal = *cell;
            left = changed.min(diagonal + 1).min(left + 1);
            *cell = left;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(names: &[&str]) -> Capabilities {
        let command = |name: &&str| SlashCommand {
            name: (*name).to_owned(),
            ..SlashCommand::default()
        };
        Capabilities {
            commands: names.iter().map(command).collect(),
            ..Capabilities::default()
        }
    }

    #[test]
    fn what_an_agent_without_a_terminal_cannot_show_is_shown_by_countersign() {
        let known = known(&["mcp", "context", "model"]);
        assert_eq!(own(" /status ", &known), Some(Own::Shows("status")));
        assert_eq!(own("/mcp", &known), Some(Own::Shows("mcp")));
        assert_eq!(own("/export", &known), Some(Own::Saves));
        assert_eq!(own("/rewind", &known), Some(Own::GoesBack));
        let plans = |text: &str| Some(Own::Plans(text.to_owned()));
        assert_eq!(own("/plan", &known), plans(""));
        assert_eq!(own("/plan the garden", &known), plans("the garden"));
        assert_eq!(own("/quit", &known), Some(Own::Ends));
        for (text, path) in [("/add-dir ../my docs", "../my docs"), ("/add-dir", "")] {
            assert_eq!(own(text, &known), Some(Own::AddsFolder(path.to_owned())));
        }
        for the_agents in [
            "/context",
            "/mcp enable x",
            "status",
            "/model",
            "/statuses",
            "//status",
        ] {
            assert_eq!(own(the_agents, &known), None, "{the_agents}");
        }
    }

    #[test]
    fn a_command_of_the_agent_keeps_its_name() {
        let known = known(&["status", "clear"]);
        assert_eq!(own("/status", &known), None);
        let ours: Vec<String> = own_commands(&known).map(|command| command.name).collect();
        assert!(!ours.contains(&"status".to_owned()) && ours.contains(&"hooks".to_owned()));
    }

    #[test]
    fn a_model_is_chosen_by_its_name() {
        let chooses = |name: &str| Some(Own::ChoosesModel(name.to_owned()));
        assert_eq!(own("/model sonnet", &known(&[])), chooses("sonnet"));
        assert_eq!(own("/model  opus[1m] ", &known(&[])), chooses("opus[1m]"));
        assert_eq!(own("/model which is best?", &known(&[])), None);
    }

    #[test]
    fn a_command_that_nobody_knows_is_told_with_the_nearest_names() {
        let known = known(&["clear", "compact", "code-review", "__hidden"]);
        let told = |text: &str| no_such_command(text, &known);
        let near = told("/claer now").expect("unknown");
        assert!(
            near.contains("/claer.") && near.contains("mean /clear?"),
            "{near}"
        );
        let begun = told("/code").expect("unknown");
        assert!(begun.contains("/code-review?"), "{begun}");
        let elsewhere = told("/Resume").expect("unknown");
        assert!(elsewhere.contains("New session"), "{elsewhere}");
        let far = told("/frobnicate").expect("unknown");
        assert!(!far.contains("mean"), "{far}");
        for fine in [
            "/clear",
            "/Compact",
            "/status",
            "/etc/hosts is broken",
            "/ and",
            "hello",
        ] {
            assert_eq!(told(fine), None, "{fine}");
        }
        let nothing_listed = Capabilities::default();
        assert_eq!(no_such_command("/frobnicate", &nothing_listed), None);
    }

    #[test]
    fn names_are_near_by_their_letters() {
        assert_eq!(distance("claer", "clear"), 2);
        assert_eq!(distance("clear", "clear"), 0);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
