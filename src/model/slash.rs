//! Commands that begin with a slash: those that Countersign itself answers, and those that nobody knows. Pure.

use super::capabilities::effort_named;
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
    /// The same of how much the model thinks. None: as the agent wants.
    ChoosesEffort(Option<String>),
    /// Says which there are, and where they are chosen.
    OffersEfforts,
    /// Goes back to before the last message.
    GoesBack,
    /// Lets the agent work in this folder, too.
    AddsFolder(String),
    /// Lets it plan first: what is written behind it, or what comes next.
    Plans(String),
    /// Ends the process.
    Ends,
    /// Shows what has changed in the project's files.
    ShowsChanges,
    /// Asks the agent something that it does not remember.
    AsksAside(String),
    /// Gives its last answer to the clipboard.
    Copies,
    /// Offers the earlier conversations of the project.
    TakesUp,
}

const SAVE: &str = "export";
const ADD_FOLDER: &str = "add-dir";
const PLAN: &str = "plan";
const ASIDE: &str = "btw";
const MODEL: &str = "model";
const EFFORT: &str = "effort";
const RESUME: &str = "resume";
const CONTINUE: &str = "continue";
/// Behind every doubt.
pub const ONCE_MORE: &str = "Enter once more sends it to the agent as it is.";
/// A program without a terminal answers these with an excuse. Their names are those of the parts that show it.
const OWN: [(&str, &str); 17] = [
    ("status", "Countersign shows what the agent says of itself"),
    (
        "permissions",
        "Countersign shows and changes the permission rules",
    ),
    (
        "mcp",
        "Countersign shows the MCP servers, and reconnects them",
    ),
    ("hooks", "Countersign shows the hooks"),
    ("memory", "Countersign shows and changes the memory files"),
    ("help", "Countersign shows all commands"),
    (SAVE, "Countersign saves the conversation as a text file"),
    ("rewind", "Go back to before one of your messages"),
    (ADD_FOLDER, "Let the agent work in another folder, too"),
    (PLAN, "Let the agent plan before it changes anything"),
    (
        "diff",
        "Countersign shows what changed since the last commit",
    ),
    (
        ASIDE,
        "Ask something by the way; the agent does not remember it",
    ),
    ("copy", "Copy the agent's last answer"),
    (RESUME, "Go on with an earlier conversation of this project"),
    (
        CONTINUE,
        "Go on with an earlier conversation of this project",
    ),
    ("exit", "End the process; a message starts it again"),
    ("quit", "End the process; a message starts it again"),
];
/// The one that the agent lists, and then answers with the way to a terminal.
const LISTED_IN_VAIN: &str = "mcp";
/// What a terminal has under these names, and where it is here.
const ELSEWHERE: [(&str, &str); 8] = [
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
    ("login", "Run claude in a terminal and log in there."),
    ("logout", "Run claude in a terminal and log out there."),
    (
        "theme",
        "Light and dark are switched at the foot of the sidebar.",
    ),
];
/// More than these would not be read.
const MOST_NEAR: usize = 3;

/// Those that mean something before there is a session.
pub fn before_a_session(command: &SlashCommand) -> bool {
    [PLAN, RESUME].contains(&command.name.as_str())
}

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
                ASIDE => "<question>".to_owned(),
                _ => String::new(),
            },
        })
}

/// What Countersign does when this is sent, if it is not for the agent.
pub fn own(text: &str, known: &Capabilities) -> Option<Own> {
    let (name, argument) = split(text)?;
    let is_one_word = !argument.is_empty() && !argument.contains(char::is_whitespace);
    match name {
        MODEL if is_one_word => return Some(Own::ChoosesModel(known.model_called(argument))),
        EFFORT if !known.all_efforts().is_empty() => {
            return match is_one_word {
                true => effort_named(argument, known.all_efforts())
                    .ok()
                    .map(Own::ChoosesEffort),
                false => argument.is_empty().then_some(Own::OffersEfforts),
            };
        }
        _ => {}
    }
    let (name, _) = OWN
        .iter()
        .find(|(own, _)| *own == name && is_ours(own, known))?;
    if !argument.is_empty() && ![ADD_FOLDER, PLAN, ASIDE].contains(name) {
        return None;
    }
    Some(match *name {
        SAVE => Own::Saves,
        ADD_FOLDER => Own::AddsFolder(argument.to_owned()),
        "rewind" => Own::GoesBack,
        PLAN => Own::Plans(argument.to_owned()),
        "exit" | "quit" => Own::Ends,
        "diff" => Own::ShowsChanges,
        ASIDE => Own::AsksAside(argument.to_owned()),
        "copy" => Own::Copies,
        RESUME | CONTINUE => Own::TakesUp,
        shown => Own::Shows(shown),
    })
}

/// Why what is sent may not be meant: whoever sends it once more means it.
pub fn doubt(text: &str, known: &Capabilities) -> Option<String> {
    let what = match (split(text)?, own(text, known)) {
        (_, Some(Own::ChoosesModel(model))) => known.no_such_model(&model)?,
        (_, Some(_)) => return None,
        ((EFFORT, word), None) if !word.contains(char::is_whitespace) => {
            match known.all_efforts() {
                [] => return no_such_command(text, known),
                efforts => effort_named(word, efforts).err()?,
            }
        }
        _ => return no_such_command(text, known),
    };
    Some(format!("{what} {ONCE_MORE}"))
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
            "/{name} is not a command here. {where_it_is} {ONCE_MORE}"
        ));
    }
    let near = nearest(name, known);
    let near = match near.as_slice() {
        [] => String::new(),
        [one] => format!(" Did you mean {one}?"),
        [most @ .., last] => format!(" Did you mean {} or {last}?", most.join(", ")),
    };
    Some(format!("There is no command /{name}.{near} {ONCE_MORE}"))
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
    use crate::model::Model;

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
        assert_eq!(own("/diff", &known), Some(Own::ShowsChanges));
        assert_eq!(own("/copy", &known), Some(Own::Copies));
        assert_eq!(own("/resume", &known), Some(Own::TakesUp));
        assert_eq!(own("/continue", &known), Some(Own::TakesUp));
        let aside = |text: &str| Some(Own::AsksAside(text.to_owned()));
        assert_eq!(own("/btw why tabs?", &known), aside("why tabs?"));
        assert_eq!(own("/btw", &known), aside(""));
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

    fn with_efforts() -> Capabilities {
        let model = Model {
            value: "opus".to_owned(),
            efforts: vec!["low".to_owned(), "high".to_owned()],
            ..Model::default()
        };
        Capabilities {
            models: vec![model],
            ..known(&["effort", "model"])
        }
    }

    #[test]
    fn an_effort_is_chosen_by_its_word() {
        let known = with_efforts();
        let chooses = |word: Option<&str>| Some(Own::ChoosesEffort(word.map(str::to_owned)));
        assert_eq!(own("/effort high", &known), chooses(Some("high")));
        assert_eq!(own("/effort Auto", &known), chooses(None));
        assert_eq!(own("/effort", &known), Some(Own::OffersEfforts));
        for the_agents in ["/effort ultra", "/effort ultra on"] {
            assert_eq!(own(the_agents, &known), None, "{the_agents}");
        }
        let unlisted = Capabilities::default();
        assert_eq!(own("/effort high", &unlisted), None);
        assert_eq!(own("/effort", &unlisted), None);
    }

    #[test]
    fn a_model_or_an_effort_that_is_not_there_is_doubted_once() {
        let known = with_efforts();
        for (text, names) in [
            ("/model opsu", "it has opus."),
            ("/effort hihg", "Choose low, high or default."),
            ("/efort", "mean /effort or"),
        ] {
            let words = doubt(text, &known).expect(text);
            assert!(
                words.contains(names) && words.ends_with(ONCE_MORE),
                "{words}"
            );
        }
        for fine in [
            "/model opus",
            "/model claude-opus-9",
            "/effort high",
            "/effort",
            "/effort ultra on",
            "hello",
        ] {
            assert_eq!(doubt(fine, &known), None, "{fine}");
        }
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
        let elsewhere = told("/Fork").expect("unknown");
        assert!(elsewhere.contains("under More"), "{elsewhere}");
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
