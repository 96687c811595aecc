//! The demo agent's plain words, for the model behind the real CLI: the same requests with the same inputs, and the same
//! closing sentences where the model can know as much. So the browser tests run with either. One thing it cannot know is
//! whether a person edited what they allowed: the CLI does not tell.
//!
//! A scene is told from its beginning each time: what the model has said already is skipped, the next answer is the result.

#[path = "../../../src/server/agent/demo/intent.rs"]
mod intent;

use super::conversation::{Called, Conversation};
use super::questions;
use super::script::{Failure, Step, call};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use intent::Step as Wish;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::{fs, slice};

const DEMO_FILE: &str = "countersign-demo.md";
const COMMAND: &str =
    "echo Hello from Countersign > countersign-demo.txt && cat countersign-demo.txt";
const DRAFT: &str =
    "# A note from the scripted model\n\nMood: curious\n\nYou may delete this file at any time.\n";

/// What the model does now; nothing when the prompt has none of the words, or all of them are done.
pub fn steps(conversation: &Conversation) -> Vec<Step> {
    let mut story = Story {
        conversation,
        rounds: conversation.rounds.iter(),
        answer: Vec::new(),
    };
    if !conversation.attached.is_empty() {
        story.say(&received(&conversation.attached));
    }
    for wish in intent::steps(&conversation.prompt) {
        if story.perform(wish).is_none() {
            return story.answer;
        }
    }
    match story.rounds.next() {
        None => story.answer,
        // it was said before; something else has woken the model
        Some(_) => Vec::new(),
    }
}

struct Story<'a> {
    conversation: &'a Conversation,
    /// The answers of the model that are not told yet.
    rounds: slice::Iter<'a, Vec<Called>>,
    answer: Vec<Step>,
}

/// `None`: what comes next depends on calls that are not made yet.
type Told<T> = Option<T>;

impl Story<'_> {
    fn perform(&mut self, wish: Wish) -> Told<()> {
        match wish {
            Wish::Tour => self.say("Hello, and welcome to **Countersign**. A good first one is **run a command**."),
            Wish::Markdown => self.say("## How a request travels\n\n1. **Permission**\n2. **Question**\n3. **Plan**\n\n> A request waits."),
            Wish::Run(command) => self.run(command),
            Wish::Write(file) => self.write(file),
            Wish::Edit => self.edit(),
            Wish::Read(path) => self.read(path),
            Wish::Question => self.ask("I can go on in more than one way, and the choice is yours.", questions::garden_path()),
            Wish::FourQuestions => self.ask("Four things I would rather ask than guess.", questions::four_decisions()),
            Wish::Plan => self.plan(),
            Wish::AtOnce(count) => self.read_at_once(count),
            Wish::Subagents => self.two_helpers(),
            Wish::Todo => self.tick_off(),
            Wish::NotLoggedIn => self.fail(401),
            other => self.say(&format!("The scripted model cannot do this: {other:?}")),
        }
    }

    fn say(&mut self, words: &str) -> Told<()> {
        self.answer.push(Step::Say(words.to_owned()));
        Some(())
    }

    fn call(&mut self, words: &str, name: &str, input: Value) -> Told<Called> {
        self.calls(words, vec![call(name, input)])?.pop()
    }

    /// Calls that are made at once, with what they came to. Words end a turn, so what was said before goes with them.
    fn calls(&mut self, words: &str, calls: Vec<Step>) -> Told<Vec<Called>> {
        if !words.is_empty() {
            self.say(words)?;
        }
        self.answer.extend(calls);
        let told = self.rounds.next()?.clone();
        self.answer.clear();
        Some(told)
    }

    fn in_project(&self, path: &str) -> PathBuf {
        self.conversation.project.join(path)
    }

    fn run(&mut self, command: Option<String>) -> Told<()> {
        let command = command.unwrap_or_else(|| COMMAND.to_owned());
        let input = json!({"command": command, "description": "Run a command"});
        let called = self.call("It takes one command, so I am asking first.", "Bash", input)?;
        let done = "Done. The command ran once, as you allowed.";
        self.conclude(&called, "run the command", done)
    }

    fn write(&mut self, file: Option<(String, String)>) -> Told<()> {
        let (path, content) = file.unwrap_or_else(|| (DEMO_FILE.to_owned(), DRAFT.to_owned()));
        let input = json!({"file_path": self.in_project(&path), "content": content});
        let words = format!("I have prepared `{path}`. You see all of it before it is written.");
        let called = self.call(&words, "Write", input)?;
        self.conclude(&called, "write the file", &format!("`{path}` is written."))
    }

    fn edit(&mut self) -> Told<()> {
        let input = json!({"file_path": self.in_project(DEMO_FILE), "old_string": "Mood: curious", "new_string": "Mood: content"});
        let words = format!("One line of `{DEMO_FILE}` could be better. Here is the change.");
        let called = self.call(&words, "Edit", input)?;
        let done = format!("`{DEMO_FILE}` is changed; the rest of it is as it was.");
        self.conclude(&called, "change the file", &done)
    }

    fn read(&mut self, path: Option<String>) -> Told<()> {
        let path = path.unwrap_or_else(|| "/etc/hosts".to_owned());
        let input = json!({"file_path": self.in_project(&path)});
        let called = self.call(&format!("Let me look at `{path}`."), "Read", input)?;
        self.conclude(&called, "read the file", &format!("I have read `{path}`."))
    }

    fn ask(&mut self, words: &str, questions: Value) -> Told<()> {
        let called = self.call(words, "AskUserQuestion", questions)?;
        let understood: Vec<String> = answers(&called)
            .map(|(question, answer)| format!("- {question} **{answer}**"))
            .collect();
        let done = match understood.is_empty() {
            true => "You left the questions open. I will not assume an answer.".to_owned(),
            false => format!(
                "Thank you. This is what I understood:\n\n{}",
                understood.join("\n")
            ),
        };
        self.conclude(&called, "get an answer", &done)
    }

    fn plan(&mut self) -> Told<()> {
        let words = "Before I touch anything, let me plan. I am going into plan mode for that.";
        self.call(words, "EnterPlanMode", json!({}))?;
        let first = self.present("Here is what I have in mind.", None)?;
        let last = match first.is_error {
            true => self.present("Thank you, I have worked that in.", Some(&first.text))?,
            false => first,
        };
        let done = match last.text.contains("(edited by user)") {
            true => "You rewrote the plan, and I go by your version.",
            false => "The plan is approved.",
        };
        self.conclude(&last, "get on with the plan", done)
    }

    /// The file is the plan: it is what a person is shown.
    fn present(&mut self, words: &str, feedback: Option<&str>) -> Told<Called> {
        let file = self.conversation.plan_file.clone().unwrap_or_default();
        let changed = feedback
            .map(|said| format!("\n## Changed after your review\n\n{}\n", quoted(said)))
            .unwrap_or_default();
        let plan = format!(
            "# A kinder README\n\n1. Open with one sentence that says what it is.\n2. Show the two commands that start it.\n\
             3. Add a picture of the first screen.\n4. Move everything else into `docs/`.\n\n## Left alone\n\n- The license\n{changed}"
        );
        let input = json!({"file_path": file, "content": plan});
        self.call(words, "Write", input)?;
        self.call("", "ExitPlanMode", json!({}))
    }

    fn read_at_once(&mut self, count: usize) -> Told<()> {
        let reads = notes(&self.conversation.project, count)
            .into_iter()
            .map(|file| call("Read", json!({"file_path": file})));
        let words = format!(
            "I would like to look at {count} files outside the project. All of the requests come at once."
        );
        let told = self.calls(&words, reads.collect())?;
        let left: Vec<&Called> = told.iter().filter(|called| called.is_error).collect();
        let read = told.len() - left.len();
        let mut closing = match left.len() {
            0 => format!("All {read} are read."),
            _ => format!("I read {read} and left {} alone.\n", left.len()),
        };
        for called in left {
            let file = called.input["file_path"].as_str().unwrap_or_default();
            closing.push_str(&format!("\n- `{file}`: you said \"{}\"", called.text));
        }
        self.say(&closing)
    }

    fn two_helpers(&mut self) -> Told<()> {
        let helper = |description: &str, command: &str, in_background: bool| {
            let prompt = format!("run: {command}");
            call(
                "Agent",
                json!({"description": description, "prompt": prompt, "subagent_type": "general-purpose", "run_in_background": in_background}),
            )
        };
        let helpers = vec![
            helper(
                "Count the files",
                "ls | wc -l > countersign-demo-count.txt && cat countersign-demo-count.txt",
                false,
            ),
            helper(
                "Note the time",
                "date > countersign-demo-time.txt && cat countersign-demo-time.txt",
                true,
            ),
        ];
        self.calls("I send two helpers. Each asks for one command.", helpers)?;
        self.say("The first helper is back. The second reports by itself when it is ready.")
    }

    /// A list that is kept task by task; the CLI numbers them.
    fn tick_off(&mut self) -> Told<()> {
        let words = "I keep a list while I work; it needs no permission.";
        let tasks = [
            "Look at the project",
            "Note what stands out",
            "Tell you about it",
        ];
        let made = tasks.map(|task| {
            call(
                "TaskCreate",
                json!({"subject": task, "description": task, "activeForm": task}),
            )
        });
        let made = self.calls(words, made.into())?;
        for number in made.iter().filter_map(task_number) {
            self.call(
                "",
                "TaskUpdate",
                json!({"taskId": number, "status": "completed"}),
            )?;
        }
        self.say("All three are ticked off.")
    }

    fn fail(&mut self, status: u16) -> Told<()> {
        self.answer.push(Step::Fail(Failure {
            status,
            times: usize::MAX,
            retry_after: None,
        }));
        None
    }

    /// The closing words, by what a person decided.
    fn conclude(&mut self, called: &Called, what: &str, done: &str) -> Told<()> {
        match called.is_error {
            true => {
                let said = quoted(&called.text);
                self.say(&format!(
                    "Understood, I did not {what}. I was told:\n\n{said}\n\nI will keep to that."
                ))
            }
            false => self.say(done),
        }
    }
}

/// Files to be read beside the project, where nothing else is.
fn notes(project: &Path, count: usize) -> Vec<PathBuf> {
    let folder = project.with_extension("notes");
    fs::create_dir_all(&folder).expect("a folder beside the project");
    let note = |number: usize| {
        let file = folder.join(format!("note-{number:02}.txt"));
        fs::write(&file, "A note.\n").expect("written");
        file
    };
    (1..=count).map(note).collect()
}

/// "Task #3 created successfully: …"
fn task_number(made: &Called) -> Option<&str> {
    let (_, after) = made.text.split_once('#')?;
    after.split(' ').next()
}

/// What came with the prompt, as the demo agent says it: that it arrived whole can be seen.
fn received(attached: &[Value]) -> String {
    let line = |block: &Value| {
        let source = &block["source"];
        let data = source["data"].as_str().unwrap_or_default();
        let media_type = source["media_type"].as_str().unwrap_or_default();
        let size = match source["type"].as_str() {
            Some("base64") => format!("{} bytes", STANDARD.decode(data).unwrap_or_default().len()),
            _ => format!("{} lines", data.lines().count()),
        };
        let name = block["title"].as_str().unwrap_or("a picture");
        format!("- {name} ({media_type}, {size})")
    };
    let lines: Vec<String> = attached.iter().map(line).collect();
    format!("This came with your message:\n\n{}", lines.join("\n"))
}

fn quoted(text: &str) -> String {
    format!("> {}", text.trim().replace('\n', "\n> "))
}

/// The CLI tells the model `"question"="answer"`.
fn answers(called: &Called) -> impl Iterator<Item = (&str, &str)> {
    let asked = called.input["questions"].as_array().into_iter().flatten();
    asked.filter_map(|asked| {
        let question = asked["question"].as_str()?;
        let (_, after) = called.text.split_once(&format!("\"{question}\"=\""))?;
        Some((question, after.split_once('"')?.0))
    })
}
