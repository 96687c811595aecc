//! Owns the command line: the flags of the CLI that a host passes, and its words for a wrong one.

use std::path::PathBuf;

use super::mode::Mode;

#[derive(Debug, PartialEq, Eq)]
pub struct Arguments {
    pub partial_messages: bool,
    pub permission_mode: Mode,
    /// `--permission-prompt-tool stdio`: without it nothing can be asked, so what needs asking is refused.
    pub can_ask: bool,
    pub model: Option<String>,
    pub effort: Option<String>,
    pub resume: Option<String>,
    pub continue_newest: bool,
    pub fork_session: bool,
    pub session_id: Option<String>,
    pub allowed_tools: Vec<String>,
    pub disallowed_tools: Vec<String>,
    pub settings: Option<String>,
    pub additional_directories: Vec<PathBuf>,
    pub max_turns: Option<u32>,
    pub replay_user_messages: bool,
    pub bypass_available: bool,
}

impl Default for Arguments {
    fn default() -> Self {
        Self {
            partial_messages: false,
            permission_mode: Mode::Default,
            can_ask: false,
            model: None,
            effort: None,
            resume: None,
            continue_newest: false,
            fork_session: false,
            session_id: None,
            allowed_tools: Vec::new(),
            disallowed_tools: Vec::new(),
            settings: None,
            additional_directories: Vec::new(),
            max_turns: None,
            replay_user_messages: false,
            bypass_available: false,
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
pub enum Parsed {
    Run(Box<Arguments>),
    Version,
}

pub fn parse(given: Vec<String>) -> Result<Parsed, String> {
    let mut arguments = Arguments::default();
    let mut rest = Words { given, next: 0 };
    while let Some(word) = rest.take() {
        let (flag, attached) = match word.split_once('=') {
            Some((flag, value)) if flag.starts_with("--") => {
                (flag.to_owned(), Some(value.to_owned()))
            }
            _ => (word, None),
        };
        match flag.as_str() {
            "--version" | "-v" => return Ok(Parsed::Version),
            "--verbose" | "--print" | "-p" => {}
            "--include-partial-messages" => arguments.partial_messages = true,
            "--replay-user-messages" => arguments.replay_user_messages = true,
            "--fork-session" => arguments.fork_session = true,
            "--continue" | "-c" => arguments.continue_newest = true,
            "--allow-dangerously-skip-permissions" => arguments.bypass_available = true,
            "--dangerously-skip-permissions" => {
                arguments.bypass_available = true;
                arguments.permission_mode = Mode::BypassPermissions;
            }
            "--permission-prompt-tool" => {
                arguments.can_ask = rest.value(&flag, attached)? == "stdio";
            }
            "--permission-mode" => {
                let name = rest.value(&flag, attached)?;
                arguments.permission_mode = Mode::parse(&name).ok_or_else(|| {
                    format!(
                        "error: option '--permission-mode <mode>' argument '{name}' is invalid. Allowed choices are {}.",
                        Mode::NAMES
                    )
                })?;
                arguments.bypass_available |= arguments.permission_mode == Mode::BypassPermissions;
            }
            "--effort" => arguments.effort = Some(rest.value(&flag, attached)?),
            "--model" => arguments.model = Some(rest.value(&flag, attached)?),
            "--resume" | "-r" => arguments.resume = Some(rest.value(&flag, attached)?),
            "--session-id" => arguments.session_id = Some(rest.value(&flag, attached)?),
            "--settings" => arguments.settings = Some(rest.value(&flag, attached)?),
            "--max-turns" => {
                let number = rest.value(&flag, attached)?;
                arguments.max_turns = Some(number.parse().map_err(|_| {
                    format!("error: option '--max-turns <turns>' argument '{number}' is invalid.")
                })?);
            }
            "--allowedTools" | "--allowed-tools" => {
                arguments
                    .allowed_tools
                    .extend(rules_in(&rest.values(&flag, attached)?));
            }
            "--disallowedTools" | "--disallowed-tools" => {
                arguments
                    .disallowed_tools
                    .extend(rules_in(&rest.values(&flag, attached)?));
            }
            "--add-dir" => {
                let directories = rest.values(&flag, attached)?;
                arguments
                    .additional_directories
                    .extend(directories.into_iter().map(PathBuf::from));
            }
            // taken and left aside: the scripted agent has no use for them
            "--output-format"
            | "--input-format"
            | "--setting-sources"
            | "--append-system-prompt"
            | "--system-prompt"
            | "--fallback-model" => {
                rest.value(&flag, attached)?;
            }
            "--mcp-config" => {
                rest.values(&flag, attached)?;
            }
            _ if flag.starts_with('-') => return Err(format!("error: unknown option '{flag}'")),
            _ => {} // a prompt on the command line; with stream-json input the CLI does not use it either
        }
    }
    Ok(Parsed::Run(Box::new(arguments)))
}

struct Words {
    given: Vec<String>,
    next: usize,
}

impl Words {
    fn take(&mut self) -> Option<String> {
        let word = self.given.get(self.next).cloned();
        self.next += 1;
        word
    }

    fn value(&mut self, flag: &str, attached: Option<String>) -> Result<String, String> {
        attached
            .or_else(|| self.take())
            .ok_or_else(|| format!("error: option '{flag} <value>' argument missing"))
    }

    /// Flags that take several values take every word up to the next flag.
    fn values(&mut self, flag: &str, attached: Option<String>) -> Result<Vec<String>, String> {
        let mut values = vec![self.value(flag, attached)?];
        while self
            .given
            .get(self.next)
            .is_some_and(|word| !word.starts_with('-'))
        {
            values.extend(self.take());
        }
        Ok(values)
    }
}

/// `Bash(git log, all),Read` holds two rules: commas and spaces inside the brackets do not separate.
fn rules_in(values: &[String]) -> Vec<String> {
    let mut rules = Vec::new();
    for value in values {
        let (mut depth, mut rule) = (0_usize, String::new());
        for character in value.chars() {
            match character {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 && (character == ',' || character == ' ') {
                rules.push(std::mem::take(&mut rule));
            } else {
                rule.push(character);
            }
        }
        rules.push(rule);
    }
    rules.retain(|rule| !rule.trim().is_empty());
    rules
}

#[cfg(test)]
mod tests {
    use super::{Arguments, Mode, Parsed, parse};

    fn run(words: &[&str]) -> Result<Parsed, String> {
        parse(words.iter().map(|&word| word.to_owned()).collect())
    }

    #[test]
    fn flags_of_the_cli_are_understood_in_both_spellings() {
        let expected = Parsed::Run(Box::new(Arguments {
            can_ask: true,
            permission_mode: Mode::Plan,
            resume: Some("-odd value".into()),
            allowed_tools: vec!["Bash(git log, all)".into(), "Read".into(), "Edit".into()],
            ..Arguments::default()
        }));
        let given = run(&[
            "--output-format",
            "stream-json",
            "--permission-prompt-tool",
            "stdio",
            "--permission-mode=plan",
            "--allowedTools",
            "Bash(git log, all),Read",
            "Edit",
            "--resume=-odd value",
        ]);
        assert_eq!(given, Ok(expected));
    }

    #[test]
    fn a_wrong_flag_is_named() {
        assert_eq!(
            run(&["--no-such-flag"]),
            Err("error: unknown option '--no-such-flag'".into())
        );
        assert!(
            run(&["--permission-mode", "x"]).is_err_and(|text| text.contains("'x' is invalid"))
        );
        assert!(run(&["--model"]).is_err_and(|text| text.contains("argument missing")));
        assert_eq!(run(&["--version"]), Ok(Parsed::Version));
    }
}
