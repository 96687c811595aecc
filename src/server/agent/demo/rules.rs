//! Owns the permission rules of a session: where they come from, what they match, how answers change them.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{paths, shell};
use crate::desk::rules::fits_command;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behavior {
    Allow,
    Deny,
    Ask,
}

impl Behavior {
    pub const ALL: [Self; 3] = [Self::Allow, Self::Deny, Self::Ask];

    fn parse(name: Option<&str>) -> Option<Self> {
        match name {
            Some("allow") => Some(Self::Allow),
            Some("deny") => Some(Self::Deny),
            Some("ask") => Some(Self::Ask),
            _ => None,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Deny => "deny",
            Self::Ask => "ask",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    pub behavior: Behavior,
    pub source: String,
    pub tool: String,
    pub content: Option<String>,
}

impl Rule {
    /// `Bash(touch *)`, `Read`.
    pub fn written(&self) -> String {
        match &self.content {
            Some(content) => format!("{}({content})", self.tool),
            None => self.tool.clone(),
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Rules {
    pub rules: Vec<Rule>,
    pub directories: Vec<(PathBuf, String)>,
}

impl Rules {
    /// A rule as it is written in settings and flags: `Bash(touch *)`, `Read`.
    pub fn add_written(&mut self, behavior: Behavior, source: &str, written: &str) {
        let written = written.trim();
        let (tool, content) = match written
            .strip_suffix(')')
            .and_then(|text| text.split_once('('))
        {
            Some((tool, content)) => (tool, Some(content.to_owned())),
            None => (written, None),
        };
        self.rules.push(Rule {
            behavior,
            source: source.into(),
            tool: tool.into(),
            content,
        });
    }

    /// All that came from there.
    pub fn forget(&mut self, source: &str) {
        self.rules.retain(|rule| rule.source != source);
        self.directories.retain(|(_, from)| from != source);
    }

    /// Applies one entry of `updatedPermissions`; what is malformed is passed over. Modes are not rules: see the caller.
    pub fn apply(&mut self, update: &Value) {
        let source = update["destination"].as_str().unwrap_or("session");
        let kind = update["type"].as_str().unwrap_or_default();
        let directories = update["directories"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str);
        match kind {
            "addRules" | "replaceRules" | "removeRules" => {
                let Some(behavior) = Behavior::parse(update["behavior"].as_str()) else {
                    return;
                };
                let given: Vec<Rule> = update["rules"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(|rule| {
                        Some(Rule {
                            behavior,
                            source: source.into(),
                            tool: rule["toolName"].as_str()?.into(),
                            content: rule["ruleContent"].as_str().map(ToOwned::to_owned),
                        })
                    })
                    .collect();
                if kind == "replaceRules" {
                    self.rules
                        .retain(|rule| rule.behavior != behavior || rule.source != source);
                } else {
                    self.rules.retain(|rule| !given.contains(rule));
                }
                if kind != "removeRules" {
                    self.rules.extend(given);
                }
            }
            "addDirectories" => {
                self.directories
                    .extend(directories.map(|path| (PathBuf::from(path), source.to_owned())));
            }
            "removeDirectories" => {
                let gone: Vec<&str> = directories.collect();
                self.directories
                    .retain(|(path, _)| !gone.iter().any(|gone| Path::new(gone) == path));
            }
            _ => {}
        }
    }

    /// The rule of that behaviour which covers the call, if one does.
    pub fn covering(
        &self,
        behavior: Behavior,
        project: &Path,
        tool: &str,
        input: &Value,
    ) -> Option<&Rule> {
        let candidates = || {
            self.rules
                .iter()
                .filter(|rule| rule.behavior == behavior && applies_to(&rule.tool, tool))
        };
        if let Some(rule) = candidates().find(|rule| rule.content.is_none()) {
            return Some(rule);
        }
        if tool == "Bash" {
            let command = input["command"].as_str()?;
            let matching = |part: &str| {
                candidates().find(|rule| {
                    rule.content
                        .as_deref()
                        .is_some_and(|pattern| fits_command(pattern, part))
                })
            };
            let Some(parts) = shell::segments(command) else {
                return matching(command).filter(|_| behavior != Behavior::Allow);
            };
            let hits: Vec<Option<&Rule>> = parts.iter().map(|part| matching(part)).collect();
            let covered = match behavior {
                // an allowed first command must not carry an unknown second one along
                Behavior::Allow => parts
                    .iter()
                    .zip(&hits)
                    .all(|(part, hit)| hit.is_some() || shell::only_looks(part)),
                Behavior::Deny | Behavior::Ask => true,
            };
            return hits.into_iter().flatten().next().filter(|_| covered);
        }
        candidates().find(|rule| {
            let pattern = rule.content.as_deref().unwrap_or_default();
            match tool {
                "WebFetch" => host_of(input["url"].as_str().unwrap_or_default())
                    .is_some_and(|host| pattern.strip_prefix("domain:") == Some(host)),
                _ => input["file_path"].as_str().is_some_and(|path| {
                    path_matches(project, pattern, &paths::absolute(project, path))
                }),
            }
        })
    }

    pub fn listed(&self, project: &Path) -> Value {
        let rules: Vec<Value> = self.rules.iter().map(|rule| {
            let editability = match rule.source.as_str() {
                "userSettings" | "projectSettings" | "localSettings" => "persistent",
                "cliArg" | "session" => "session",
                _ => "readonly",
            };
            json!({"behavior": rule.behavior.name(), "source": rule.source, "rule": rule.written(), "editability": editability})
        }).collect();
        let directories: Vec<Value> = self
            .directories
            .iter()
            .map(|(path, source)| json!({"path": path, "source": source}))
            .collect();
        json!({"state": {"rules": rules, "workspaceDirectories": directories, "originalCwd": project, "managedOnly": false}})
    }
}

/// A rule for `Edit` speaks of every tool that changes a file.
fn applies_to(rule_tool: &str, tool: &str) -> bool {
    rule_tool == tool || (rule_tool == "Edit" && tool == "Write")
}

/// `//etc/**` is absolute, anything else starts at the project.
fn path_matches(project: &Path, pattern: &str, path: &Path) -> bool {
    let pattern = match pattern.strip_prefix("//") {
        Some(rest) => PathBuf::from(format!("/{rest}")),
        None => project.join(pattern.trim_start_matches('/')),
    };
    let plain_names = !path
        .components()
        .any(|part| part == std::path::Component::ParentDir);
    if pattern.file_name().is_some_and(|name| name == "**") {
        plain_names
            && pattern
                .parent()
                .is_some_and(|folder| path.starts_with(folder))
    } else {
        path == pattern
    }
}

pub fn host_of(url: &str) -> Option<&str> {
    let rest = url.split_once("://")?.1;
    let host = rest.split(['/', '?', '#', ':']).next()?;
    (!host.is_empty()).then_some(host)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::json;

    use super::{Behavior, Rules};

    fn allows(rules: &Rules, tool: &str, input: serde_json::Value) -> bool {
        rules
            .covering(Behavior::Allow, Path::new("/w"), tool, &input)
            .is_some()
    }

    #[test]
    fn a_command_rule_covers_every_part_or_nothing() {
        let mut rules = Rules::default();
        rules.add_written(Behavior::Allow, "session", "Bash(touch *)");
        assert!(allows(
            &rules,
            "Bash",
            json!({"command":"touch a && cat a"})
        ));
        assert!(!allows(
            &rules,
            "Bash",
            json!({"command":"touch a && rm a"})
        ));
        assert!(!allows(&rules, "Bash", json!({"command":"touch $(rm a)"})));
        assert!(!allows(&rules, "Bash", json!({"command":"touchy a"})));
        rules.add_written(Behavior::Allow, "session", "Bash(git st*)");
        assert!(allows(&rules, "Bash", json!({"command":"git status -s"})));
        assert!(
            !allows(&rules, "Bash", json!({"command":"cat a"})),
            "looking alone is not what the rule says"
        );
    }

    #[test]
    fn paths_domains_and_bare_names() {
        let mut rules = Rules::default();
        for rule in [
            "Read(//etc/**)",
            "WebFetch(domain:example.com)",
            "mcp__demo__greet",
            "Edit(src/**)",
        ] {
            rules.add_written(Behavior::Allow, "session", rule);
        }
        assert!(allows(&rules, "Read", json!({"file_path":"/etc/hosts"})));
        assert!(!allows(
            &rules,
            "Read",
            json!({"file_path":"/etc/../root/x"})
        ));
        assert!(!allows(&rules, "Read", json!({"file_path":"/etcetera"})));
        assert!(allows(&rules, "Write", json!({"file_path":"/w/src/a.rs"})));
        assert!(allows(
            &rules,
            "WebFetch",
            json!({"url":"https://example.com/x"})
        ));
        assert!(!allows(
            &rules,
            "WebFetch",
            json!({"url":"https://example.com.evil.org/"})
        ));
        assert!(allows(&rules, "mcp__demo__greet", json!({})));
    }

    #[test]
    fn updates_add_replace_and_remove() {
        let mut rules = Rules::default();
        let update = |kind: &str, content: &str| {
            json!({"type":kind,"behavior":"allow","destination":"session",
                "rules":[{"toolName":"Bash","ruleContent":content}]})
        };
        rules.apply(&update("addRules", "touch *"));
        rules.apply(&update("addRules", "touch *"));
        assert_eq!(rules.rules.len(), 1, "the same rule twice is one rule");
        rules.apply(&update("replaceRules", "ls"));
        assert_eq!(rules.rules[0].content.as_deref(), Some("ls"));
        rules.apply(&update("removeRules", "ls"));
        rules.apply(&json!({"type":"addRules","rules":"nonsense"}));
        assert!(rules.rules.is_empty());
        rules.apply(&json!({"type":"addDirectories","directories":["/x"],"destination":"session"}));
        assert_eq!(rules.directories.len(), 1);
    }
}
