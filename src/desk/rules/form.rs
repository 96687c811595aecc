//! Whether what a person wrote has the form of a permission rule, `Tool` or `Tool(content)`. The agent passes over what it
//! cannot read, so a rule with a slip in it would protect nobody; each slip is named here instead. Pure.

use crate::model::pending::written::unescaped;

/// Longer than any rule that a person reads.
const LONGEST: usize = 2000;

/// What is wrong, as a sentence that says how it is right.
pub fn check(rule: &str) -> Result<(), String> {
    let wrong = |words: &str| Err(words.to_owned());
    let rule = rule.trim();
    if rule.is_empty() {
        return wrong("Write a rule: a tool such as Read, or Bash(npm test:*).");
    }
    if rule.chars().any(char::is_control) {
        return wrong("A rule is one line, without control characters.");
    }
    if rule.chars().count() > LONGEST {
        return Err(format!("A rule has at most {LONGEST} characters."));
    }
    let (tool, content) = match rule.split_once('(') {
        Some((tool, rest)) => (tool, Some(content(rest)?)),
        None if rule.contains(')') => {
            return wrong("The parenthesis is not opened: a rule looks like Bash(npm test:*).");
        }
        None => (rule, None),
    };
    check_tool(tool)?;
    match content {
        Some(content) => check_content(tool, content),
        None => Ok(()),
    }
}

/// What stands between the parentheses. One that belongs to the content is closed again, or written with a backslash.
fn content(rest: &str) -> Result<&str, String> {
    let (mut depth, mut escaped) = (1_u32, false);
    for (at, character) in rest.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return match &rest[at + 1..] {
                "" => Ok(&rest[..at]),
                _ => Err(r"The rule goes on after its closing parenthesis. Write \( and \) for parentheses of the text itself.".to_owned()),
            };
        }
    }
    Err(r"The parenthesis is not closed: a rule ends with ). Write \( and \) for parentheses of the text itself.".to_owned())
}

fn check_tool(tool: &str) -> Result<(), String> {
    if tool.trim().is_empty() {
        return Err("Name the tool before the parenthesis, as in Bash(npm test:*).".to_owned());
    }
    let is_server = tool.starts_with("mcp__");
    let is_fit =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-') || is_server && c == '*';
    let begins_well = is_server || tool.starts_with(|first: char| first.is_ascii_uppercase());
    match begins_well && tool.chars().all(is_fit) {
        true => Ok(()),
        false => Err(format!(
            "No tool is named “{tool}”. A name begins with a capital letter and has no spaces, as Bash, Read and WebFetch; those of MCP servers begin with mcp__."
        )),
    }
}

fn check_content(tool: &str, content: &str) -> Result<(), String> {
    let trimmed = content.trim();
    if tool.starts_with("mcp__") {
        return Err("Rules for MCP tools have no parentheses: write mcp__server__tool, or mcp__server__* for all tools of a server.".to_owned());
    }
    if trimmed.is_empty() {
        return Err(format!(
            "Between the parentheses is nothing. Write {tool} alone if the rule is about every use of it."
        ));
    }
    match tool {
        "Bash" if trimmed == ":*" => Err(
            "Before :* a command is missing. Write Bash alone if the rule is about every command."
                .to_owned(),
        ),
        "Read" | "Edit" if trimmed.ends_with(":*") => Err(
            "Only rules for commands end with :*. For files write * or **, as in Read(src/**)."
                .to_owned(),
        ),
        // the agent takes these, and then goes by none of them
        "Write" | "MultiEdit" | "NotebookEdit" => Err(format!(
            "A rule for files is written Edit({content}): it is about all tools that write. {tool}({content}) would never fit."
        )),
        "WebFetch" if !trimmed.starts_with("domain:") => {
            Err("A rule for WebFetch names a domain: WebFetch(domain:example.com).".to_owned())
        }
        "WebSearch" if trimmed.contains(['*', '?']) => {
            Err("A rule for WebSearch has no wildcards.".to_owned())
        }
        _ => Ok(()),
    }
}

/// Two spellings of one rule: the agent lists `Bash(a (b))` as `Bash(a \(b\))`, and `Read(*)` as `Read`.
pub fn is_same(one: &str, other: &str) -> bool {
    one == other || meant(one) == meant(other)
}

fn meant(rule: &str) -> (&str, Option<String>) {
    let rule = rule.trim();
    let inside = rule
        .split_once('(')
        .and_then(|(tool, rest)| Some((tool, rest.strip_suffix(')')?)));
    match inside {
        Some((tool, "" | "*")) => (tool, None),
        Some((tool, content)) => (tool, Some(unescaped(content))),
        None => (rule, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_agent_takes_is_taken() {
        for rule in [
            "Read",
            "  Bash  ",
            "Bash(npm test:*)",
            "Bash(npm run *)",
            "Bash(*)",
            "Bash(git commit -m \"a (b) c\")",
            r"Bash(echo \))",
            r"Bash(echo \()",
            r"Bash(echo \\)",
            "Bash(a:* b)",
            "Bash(grüße *)",
            "Read(~/.zshrc)",
            "Read(//etc/**)",
            "Edit(src/**)",
            "Glob(x)",
            "WebFetch(domain:example.com)",
            "WebFetch",
            "WebSearch(rust)",
            "Agent(Explore)",
            "mcp__github",
            "mcp__github__*",
            "mcp__github__get_issue",
            "mcp__a-b__c-d",
        ] {
            assert_eq!(check(rule), Ok(()), "{rule}");
        }
        assert_eq!(check(&format!("Bash({})", "a".repeat(1994))), Ok(()));
    }

    #[test]
    fn each_slip_is_named() {
        let long = format!("Bash({})", "a".repeat(1995));
        for (rule, words) in [
            ("", "Write a rule"),
            (" \t ", "Write a rule"),
            ("Bash(a\nb)", "one line"),
            ("Bash(a\u{7}b)", "one line"),
            (&long, "at most 2000"),
            ("Bash(npm", "not closed"),
            ("Bash(", "not closed"),
            ("Bash(a (b)", "not closed"),
            (r"Bash(a\)", "not closed"),
            ("Bash(a)b", "goes on after"),
            ("Bash(a)(b)", "goes on after"),
            ("Bash(a))", "goes on after"),
            ("Bash)", "not opened"),
            ("Bash a)", "not opened"),
            ("(ls)", "Name the tool"),
            ("  (ls)", "Name the tool"),
            ("bash(ls)", "No tool is named"),
            ("read", "No tool is named"),
            ("Bash (ls)", "No tool is named"),
            ("npm test", "No tool is named"),
            ("*", "No tool is named"),
            ("Éa", "No tool is named"),
            ("Ba*", "No tool is named"),
            ("mcp__a b", "No tool is named"),
            ("Bash()", "Write Bash alone"),
            ("Read(  )", "Write Read alone"),
            ("mcp__a__b(c)", "no parentheses"),
            ("Bash(:*)", "Before :*"),
            ("Read(src:*)", "Only rules for commands"),
            ("Edit(:*)", "Only rules for commands"),
            ("Write(a.txt)", "Edit(a.txt)"),
            ("NotebookEdit(a)", "Edit(a)"),
            ("WebFetch(https://example.com)", "domain:example.com"),
            ("WebSearch(a*)", "no wildcards"),
        ] {
            let said = check(rule).expect_err(rule);
            assert!(said.contains(words), "{rule}: {said}");
            assert!(said.ends_with('.'), "a sentence: {said}");
        }
    }

    #[test]
    fn whatever_is_written_is_judged() {
        // every text of up to five of these: none is too odd, and what is taken is a name, with or without content
        let letters = ['B', 'a', '(', ')', '\\', ' ', '*', ':'];
        let mut texts = vec![String::new()];
        for _ in 0..5 {
            let longer: Vec<String> = texts
                .iter()
                .flat_map(|text| letters.map(|letter| format!("{text}{letter}")))
                .collect();
            for text in &longer {
                if check(text).is_ok() {
                    let text = text.trim();
                    assert!(text.starts_with('B'), "{text}");
                    assert_eq!(text.contains('('), text.ends_with(')'), "{text}");
                }
            }
            texts = longer;
        }
    }

    #[test]
    fn two_spellings_of_one_rule_are_the_same() {
        for (one, other) in [
            ("Bash(a (b) c)", r"Bash(a \(b\) c)"),
            ("Read(*)", "Read"),
            ("Read()", "Read"),
            (" Read ", "Read"),
            ("Bash(a)", "Bash(a)"),
        ] {
            assert!(is_same(one, other), "{one} {other}");
        }
        for (one, other) in [
            ("Bash(a)", "Bash"),
            ("Bash(a)", "Bash(b)"),
            ("Read", "Edit"),
        ] {
            assert!(!is_same(one, other), "{one} {other}");
        }
    }
}
