//! Owns the longer texts: the first impression, the tour, and a page of markdown.

const PHRASES: [(&str, &str); 16] = [
    (
        "run a command",
        "I ask first, then it really runs in your project",
    ),
    ("run: ls -la", "exactly the command you give"),
    ("write a file", "a new file, shown to you before it exists"),
    ("edit a file", "a change, shown as a diff"),
    (
        "read a file",
        "a file outside the project, so I have to ask",
    ),
    ("ask a question", "one question with three options"),
    (
        "four questions",
        "several at once, with previews and more than one choice",
    ),
    ("make a plan", "a plan to approve, change or send back"),
    (
        "three things at once",
        "three requests, answered in any order",
    ),
    ("subagents", "two helpers, each with a request of its own"),
    ("mcp", "a tool from another server"),
    ("fetch a page", "a web address to approve"),
    ("todo", "a list that I keep while I work"),
    ("think long", "time enough to press Stop"),
    ("withdraw", "a request that I take back myself"),
    (
        "fail",
        "how an error looks; `retry` and `crash` are close by",
    ),
];

fn phrases() -> String {
    let lines: Vec<String> = PHRASES
        .iter()
        .map(|(phrase, what)| format!("- `{phrase}` — {what}"))
        .collect();
    lines.join("\n")
}

pub fn tour() -> String {
    format!(
        "Hello, and welcome to **Countersign**.\n\n\
         I am the demo agent: a small scripted stand-in for Claude Code. I need no account and no network. What happens \
         around me is real, though. When I want to run a command or change a file, I ask, and I wait as long as you like. \
         Nothing happens before you say yes.\n\n\
         Write one of these to me:\n\n{}\n\n\
         You can also chain them: `ask a question then run a command`. A good first one is **run a command**.",
        phrases()
    )
}

pub fn unknown() -> String {
    format!(
        "I only follow a script, so I have no good answer to that. Here is what I can show you:\n\n{}",
        phrases()
    )
}

pub fn received(attachments: &[&str]) -> String {
    let lines: Vec<String> = attachments
        .iter()
        .map(|attachment| format!("- {attachment}"))
        .collect();
    format!(
        "This came with your message:\n\n{}\n\nIt arrived whole. I only follow a script, so I cannot say more about it.",
        lines.join("\n")
    )
}

pub fn welcome_back(prompts: usize, interrupted: usize) -> String {
    let remembered = match prompts {
        0 => "We have not spoken yet in this session.".to_owned(),
        1 => "I remember the one message you sent before.".to_owned(),
        count => format!("I remember the {count} messages you sent before."),
    };
    let lost = match interrupted {
        0 => String::new(),
        1 => " A request was still open when the session ended. It is gone, and what it asked for was not done.".to_owned(),
        count => format!(" {count} requests were still open when the session ended. They are gone, and nothing was done."),
    };
    format!("Welcome back. {remembered}{lost}")
}

pub fn subagent_came_back(description: &str, summary: &str) -> String {
    format!(
        "The helper \"{description}\" has come back:\n\n> {}",
        summary.replace('\n', "\n> ")
    )
}

pub fn markdown() -> &'static str {
    r#"## How a request travels

An agent works on its own until it reaches something that is *yours* to decide. Then it stops and asks.

### The three kinds

1. **Permission**: may I run this, write this, read this?
2. **Question**: which way would you like it?
3. **Plan**: here is what I mean to do; is that right?

### What you can answer

- *Allow once*, for exactly what you see
- *Edit*, and your version is what runs
- *Deny*, best with a reason, because the agent reads it
  - "use `printf` instead" helps more than "no"
- *Deny and stop*, when it is on the wrong track

> A request waits as long as it has to. It never times out into a decision
> that nobody made.

On the wire, an answer is a small thing:

```json
{
  "behavior": "allow",
  "updatedInput": { "command": "ls -la" }
}
```

Everything else is in the [documentation of Claude Code](https://code.claude.com/docs).

---

That was a heading, two lists, a quote, a code block, a link, and some **bold**, *italic* and `inline code`."#
}

pub const LONG_THOUGHT: &str = "Let me think about this slowly. The question is not how to do it quickly but how to do it so \
that somebody else can follow. First I would look at what is there. Then I would write down what should be different, in one \
sentence, before touching anything. If the sentence does not fit on a line, there are probably two changes hiding in it. ";

pub const LONG_ANSWER: &str = "This is a long answer on purpose, so that you can see words arrive and press **Stop** whenever \
you like. Whatever has been said up to that point stays in the transcript, and the session is ready for your next message at \
once. Nothing is lost by stopping, and nothing runs on behind your back. ";
