//! The person's own deny rules, held against an input that was edited before it was allowed: the agent does not look at
//! it again. Pure. In doubt a rule hits: a refusal names it, and the person can deny or edit again. This is no sandbox.

pub mod form;
mod own;
mod path;
mod shell;

use crate::model::pending::written;
use crate::model::{Code, Refusal, ToolInput};
pub use own::covers_its_own;
pub use shell::fits as fits_command;

/// As it stands in a settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DenyRule {
    pub tool: String,
    pub content: Option<String>,
    /// The file it stands in, for a person.
    pub place: String,
    /// What a path that begins with one slash is relative to.
    pub root: String,
}

/// Where the agent works and where the person lives.
#[derive(Clone, Copy, Debug)]
pub struct Around<'a> {
    pub directory: &'a str,
    pub home: &'a str,
}

const READING: [&str; 5] = ["Read", "Glob", "Grep", "LS", "NotebookRead"];
const WRITING: [&str; 4] = ["Edit", "Write", "MultiEdit", "NotebookEdit"];

impl DenyRule {
    /// `Tool` or `Tool(content)`.
    pub fn read(written: &str, place: &str, root: &str) -> Option<Self> {
        let written = written.trim();
        let (tool, content) = match written.split_once('(') {
            Some((tool, rest)) => (tool, Some(rest.strip_suffix(')')?)),
            None => (written, None),
        };
        let content = content
            .map(str::trim)
            .filter(|content| !matches!(*content, "" | "*"));
        (!tool.trim().is_empty()).then(|| Self {
            tool: tool.trim().to_owned(),
            content: content.map(written::unescaped),
            place: place.to_owned(),
            root: root.to_owned(),
        })
    }

    pub fn written(&self) -> String {
        written::written(&self.tool, self.content.as_deref())
    }

    fn hits(&self, tool: &str, input: &ToolInput, around: Around<'_>) -> bool {
        let Some(content) = &self.content else {
            return self.is_about(tool);
        };
        match tool {
            "Bash" if self.tool == "Bash" => input
                .text("command")
                .is_some_and(|command| shell::hits(content, command)),
            "WebFetch" if self.tool == "WebFetch" => input
                .text("url")
                .is_some_and(|url| hits_domain(content, url)),
            _ if self.is_about(tool) => {
                paths_of(input).any(|path| path::hits(content, &self.root, path, around))
            }
            _ => false,
        }
    }

    /// A rule for reading is about everything that reads, one for editing about everything that writes.
    fn is_about(&self, tool: &str) -> bool {
        let rule = self.tool.as_str();
        rule == tool
            || rule == "Read" && READING.contains(&tool)
            || rule == "Edit" && WRITING.contains(&tool)
            || rule.starts_with("mcp__")
                && tool
                    .strip_prefix(rule.trim_end_matches('*').trim_end_matches("__"))
                    .is_some_and(|rest| rest.starts_with("__"))
    }
}

/// Refuses an edited input that one of the rules forbids.
pub fn check(
    rules: &[DenyRule],
    tool: &str,
    input: &ToolInput,
    around: Around<'_>,
) -> Result<(), Refusal> {
    match rules.iter().find(|rule| rule.hits(tool, input, around)) {
        Some(rule) => Err(Refusal::new(
            Code::InvalidRequest,
            format!(
                "What you made of it is forbidden by your own rule {} in {}. Edit it again, deny it, or change the rule.",
                rule.written(),
                rule.place
            ),
        )),
        None => Ok(()),
    }
}

/// Would a rule that allows, written like this, have allowed this call? In doubt it would not.
pub fn covers(written: &str, tool: &str, input: &ToolInput, around: Around<'_>) -> bool {
    let Some(rule) = DenyRule::read(written, "", around.directory) else {
        return false;
    };
    match (&rule.content, tool) {
        (Some(content), "Bash") => {
            rule.tool == "Bash"
                && input
                    .text("command")
                    .is_some_and(|command| shell::covers(content, command))
        }
        _ => rule.hits(tool, input, around),
    }
}

/// Would it have been about a part of this call at least? For a call that holds more than [`covers`] looks through.
pub fn is_about_a_part(written: &str, tool: &str, input: &ToolInput, around: Around<'_>) -> bool {
    DenyRule::read(written, "", around.directory).is_some_and(|rule| rule.hits(tool, input, around))
}

fn paths_of(input: &ToolInput) -> impl Iterator<Item = &str> {
    ["file_path", "notebook_path", "path"]
        .into_iter()
        .filter_map(|field| input.text(field))
}

/// `domain:example.org` also means what lies beneath it.
fn hits_domain(content: &str, url: &str) -> bool {
    let Some(domain) = content.strip_prefix("domain:") else {
        return path::fits(content, url);
    };
    let host = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = host.split(['/', '?', '#', '\\']).next().unwrap_or(host);
    // what stands before an @ is a name, not a host
    let host = host.rsplit('@').next().unwrap_or(host);
    let host = host
        .split(':')
        .next()
        .unwrap_or(host)
        .trim_end_matches('.')
        .to_lowercase();
    let domain = domain.trim().trim_start_matches("*.").to_lowercase();
    host == domain
        || host
            .strip_suffix(&domain)
            .is_some_and(|rest| rest.ends_with('.'))
}

#[cfg(test)]
mod tests;
