//! One plain sentence about what is asked. The words are ours; a path, a host or a tool's name in it is the agent's and
//! is marked as such, so that it is shown as untrusted text. Pure.

use crate::model::{AgentDescription, PendingRequest, ProjectId};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    Ours(String),
    Theirs(String),
}

/// Who asks: our name for the program, never the agent's own words.
pub fn asker(agent: &AgentDescription) -> String {
    match agent.name.as_str() {
        _ if agent.is_demo => "The demo agent".to_owned(),
        "" | "Claude Code" => "Claude".to_owned(),
        name => name.to_owned(),
    }
}

/// What a tool approval is about, after "Claude wants to".
pub fn wish(request: &PendingRequest, cwd: Option<&str>) -> Vec<Part> {
    let input = &request.tool_input;
    let ours = |words: &str| Part::Ours(words.to_owned());
    let about = |words: &str, field: &str| match input.text(field) {
        Some(path) => vec![ours(words), Part::Theirs(relative(path, cwd))],
        None => vec![ours(words), ours("a file")],
    };
    match request.tool_name.as_str() {
        "Bash" => {
            let mut parts = vec![ours("run a command")];
            if let Some(cwd) = cwd {
                let name = ProjectId::from(cwd).name().to_owned();
                parts.extend([
                    ours("in"),
                    Part::Theirs(format!("{}/", name.trim_end_matches('/'))),
                ]);
            }
            parts
        }
        "Edit" | "MultiEdit" => about("edit", "file_path"),
        "Write" => about("write", "file_path"),
        "NotebookEdit" => about("edit", "notebook_path"),
        "Read" => about("read", "file_path"),
        "WebFetch" => match input.text("url") {
            Some(url) => vec![
                ours("fetch a page from"),
                Part::Theirs(host(url).to_owned()),
            ],
            None => vec![ours("fetch a page")],
        },
        "WebSearch" => vec![ours("search the web")],
        "Glob" | "Grep" | "LS" => vec![ours("search through files")],
        name => {
            let (server, tool) = mcp(request.mcp_server.as_deref(), name);
            let mut parts = vec![ours("use"), Part::Theirs(tool.to_owned())];
            if let Some(server) = server {
                parts.extend([ours("of the MCP server"), Part::Theirs(server.to_owned())]);
            }
            parts
        }
    }
}

/// `mcp__server__tool` in its parts.
pub fn mcp<'a>(server: Option<&'a str>, tool_name: &'a str) -> (Option<&'a str>, &'a str) {
    match tool_name
        .strip_prefix("mcp__")
        .and_then(|rest| rest.split_once("__"))
    {
        Some((from_name, tool)) => (server.or(Some(from_name)), tool),
        None => (server, tool_name),
    }
}

/// Shorter beneath the working directory; elsewhere the whole path.
pub fn relative(path: &str, cwd: Option<&str>) -> String {
    cwd.and_then(|cwd| path.strip_prefix(cwd.trim_end_matches('/')))
        .and_then(|rest| rest.strip_prefix('/'))
        .filter(|rest| !rest.is_empty())
        .unwrap_or(path)
        .to_owned()
}

/// The part of an address that says whom it goes to. When in doubt, all of it.
fn host(url: &str) -> &str {
    let Some((_, rest)) = url.split_once("://") else {
        return url;
    };
    match rest.split(['/', '?', '#', '\\']).next() {
        Some(host) if !host.is_empty() && !host.contains('@') => host,
        _ => url,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::samples;
    use crate::model::{RequestId, ToolInput, UnixTime};

    fn said(tool: &str, json: &str) -> String {
        let request = PendingRequest {
            request_id: RequestId::random(),
            tool_name: tool.to_owned(),
            tool_input: ToolInput::from_json(json).expect("json"),
            created_at: UnixTime(0.0),
            ..samples::plain_request()
        };
        let parts = wish(&request, Some("/home/ada/api"));
        let words: Vec<String> = parts
            .into_iter()
            .map(|part| match part {
                Part::Ours(words) => words,
                Part::Theirs(words) => format!("`{words}`"),
            })
            .collect();
        words.join(" ")
    }

    #[test]
    fn a_request_is_one_plain_sentence() {
        for (tool, input, expected) in [
            ("Bash", r#"{"command":"ls"}"#, "run a command in `api/`"),
            (
                "Edit",
                r#"{"file_path":"/home/ada/api/src/a.rs"}"#,
                "edit `src/a.rs`",
            ),
            (
                "Write",
                r#"{"file_path":"/etc/hosts"}"#,
                "write `/etc/hosts`",
            ),
            ("Read", "{}", "read a file"),
            (
                "WebFetch",
                r#"{"url":"https://a.example/x?y"}"#,
                "fetch a page from `a.example`",
            ),
            (
                "mcp__github__create_issue",
                "{}",
                "use `create_issue` of the MCP server `github`",
            ),
            ("Task", "{}", "use `Task`"),
        ] {
            assert_eq!(said(tool, input), expected);
        }
    }

    #[test]
    fn an_address_that_hides_its_host_is_shown_whole() {
        for url in [
            "https://good.example@evil.example/",
            "evil.example",
            "https:///x",
        ] {
            let input = format!(r#"{{"url":"{url}"}}"#);
            assert_eq!(
                said("WebFetch", &input),
                format!("fetch a page from `{url}`")
            );
        }
    }

    #[test]
    fn only_a_path_beneath_the_directory_is_shortened() {
        let cwd = Some("/home/ada/api");
        assert_eq!(relative("/home/ada/api/a", cwd), "a");
        assert_eq!(relative("/home/ada/apix/a", cwd), "/home/ada/apix/a");
        assert_eq!(relative("/home/ada/api", cwd), "/home/ada/api");
        assert_eq!(relative("/a", None), "/a");
    }
}
