//! The real binary on a free port.

use super::{PATIENCE, Place, Socket, TOKEN, until};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use tokio::sync::mpsc;

/// How a server is to be started.
pub struct Start {
    place: Place,
    agent: String,
    address: String,
    settings: Option<String>,
    variables: Vec<(String, String)>,
    arguments: Vec<String>,
}

impl Start {
    pub fn new(place: Place) -> Self {
        Self {
            place,
            agent: "demo".to_owned(),
            address: "127.0.0.1:0".to_owned(),
            settings: None,
            variables: Vec::new(),
            arguments: Vec::new(),
        }
    }

    pub fn agent(mut self, program: impl AsRef<std::path::Path>) -> Self {
        self.agent = program.as_ref().display().to_string();
        self
    }

    pub fn address(mut self, address: &str) -> Self {
        self.address = address.to_owned();
        self
    }

    /// The text of a settings file.
    pub fn settings(mut self, text: &str) -> Self {
        self.settings = Some(text.to_owned());
        self
    }

    pub fn variable(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn argument(mut self, text: &str) -> Self {
        self.arguments.push(text.to_owned());
        self
    }

    pub fn command(&self) -> Command {
        let home = self.place.home();
        let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
        command
            .args(["--addr", &self.address, "--agent", &self.agent])
            .arg("--data-dir")
            .arg(self.place.data())
            .arg("--project")
            .arg(self.place.project())
            .current_dir(self.place.root())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", &home)
            .env("XDG_DATA_HOME", home.join("data"))
            .env("XDG_CONFIG_HOME", home.join("config"))
            .env("COUNTERSIGN_TOKEN", TOKEN)
            .env("COUNTERSIGN_DEMO_SPEED", "0")
            .envs(self.variables.iter().map(|(name, value)| (name, value)));
        if let Some(text) = &self.settings {
            let file = self.place.root().join("settings.toml");
            fs::write(&file, text).expect("a settings file");
            command.arg("--config").arg(file);
        }
        command.args(&self.arguments);
        command
    }

    /// Starts it and waits for its ready line.
    pub async fn start(self) -> Server {
        let mut child = self
            .command()
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let log = collected(child.stderr.take().expect("stderr"));
        let mut lines = lines_of(child.stdout.take().expect("stdout"));
        let ready = tokio::time::timeout(PATIENCE, lines.recv()).await;
        let Ok(Some(ready)) = ready else {
            let _ = child.kill();
            panic!("no ready line; the log: {}", log.lock().expect("the log"));
        };
        let link = ready
            .strip_prefix("Countersign is ready at ")
            .unwrap_or_else(|| panic!("not a ready line: {ready}"))
            .to_owned();
        let (origin, code) = link.split_once("/#code=").expect("a code in the link");
        let client = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .expect("a client");
        Server {
            origin: origin.to_owned(),
            code: code.to_owned(),
            place: self.place,
            client,
            child,
            lines,
            log,
        }
    }

    /// Runs it to its end: for starts that are refused. Exit code, stdout, stderr.
    pub async fn refused(self) -> (Option<i32>, String, String) {
        refused(self.command()).await
    }
}

/// Runs a command that is expected to end by itself.
pub async fn refused(mut command: Command) -> (Option<i32>, String, String) {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let ended = tokio::time::timeout(
        PATIENCE,
        until("the end", async || child.try_wait().expect("a status")),
    )
    .await;
    let Ok(status) = ended else {
        let _ = child.kill();
        panic!("it did not end");
    };
    let mut texts = [String::new(), String::new()];
    let _ = child
        .stdout
        .take()
        .map(|mut pipe| pipe.read_to_string(&mut texts[0]));
    let _ = child
        .stderr
        .take()
        .map(|mut pipe| pipe.read_to_string(&mut texts[1]));
    let [stdout, stderr] = texts;
    (status.code(), stdout, stderr)
}

pub struct Server {
    /// `http://127.0.0.1:PORT`
    pub origin: String,
    /// Of the ready line.
    pub code: String,
    pub place: Place,
    pub client: reqwest::Client,
    child: Child,
    lines: mpsc::UnboundedReceiver<String>,
    log: Arc<Mutex<String>>,
}

/// What a call was answered.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub body: Value,
}

impl Reply {
    /// It was refused with this code, the status that belongs to it, and a sentence.
    #[track_caller]
    pub fn is_refused(&self, status: u16, code: &str) {
        assert_eq!(
            (self.status, self.body["code"].as_str()),
            (status, Some(code)),
            "{}",
            self.body
        );
        let message = self.body["message"].as_str().unwrap_or_default();
        assert!(is_a_sentence(message), "not a sentence: {message:?}");
    }

    #[track_caller]
    pub fn done(self) -> Value {
        assert_eq!(self.status, 200, "{}", self.body);
        self.body
    }
}

pub fn is_a_sentence(text: &str) -> bool {
    text.starts_with(|first: char| first.is_uppercase() || first == '"')
        && text.ends_with(['.', '?'])
}

pub fn allow() -> Value {
    json!({"request_type": "tool_approval", "decision": "allow"})
}

pub fn deny(reason: &str) -> Value {
    json!({"request_type": "tool_approval", "decision": "deny", "message": reason})
}

impl Server {
    /// With the demo agent, in a place of its own.
    pub async fn start() -> Self {
        Place::new().server().start().await
    }

    pub fn host(&self) -> &str {
        self.origin.trim_start_matches("http://")
    }

    pub fn project(&self) -> String {
        self.place.project().display().to_string()
    }

    pub fn request(&self, method: reqwest::Method, path: &str) -> reqwest::RequestBuilder {
        self.client
            .request(method, format!("{}{path}", self.origin))
    }

    /// Calls a server function.
    pub async fn call(&self, name: &str, arguments: Value) -> Reply {
        let answer = self
            .request(reqwest::Method::POST, &format!("/api/{name}"))
            .bearer_auth(TOKEN)
            .json(&arguments)
            .send()
            .await
            .expect("an answer");
        read(answer).await
    }

    pub async fn start_session(&self, prompt: &str) -> String {
        let arguments = json!({"project": self.project(), "prompt": prompt});
        let started = self.call("start_session", arguments).await.done();
        started["session_id"].as_str().expect("an id").to_owned()
    }

    pub async fn send(&self, session: &str, text: &str) {
        let arguments = json!({"session_id": session, "text": text});
        self.call("send_message", arguments).await.done();
    }

    pub async fn kill(&self, session: &str) {
        self.call("kill", json!({"session_id": session}))
            .await
            .done();
    }

    pub async fn respond(&self, session: &str, request: &Value, response: Value) -> Reply {
        self.respond_with(session, request, response, json!({}))
            .await
    }

    /// With what else an answer may say of itself.
    pub async fn respond_with(
        &self,
        session: &str,
        request: &Value,
        response: Value,
        more: Value,
    ) -> Reply {
        let mut arguments = more;
        arguments["session_id"] = json!(session);
        arguments["request_id"] = request["request_id"].clone();
        arguments["digest"] = request["digest"].clone();
        arguments["response"] = response;
        self.call("respond", arguments).await
    }

    /// The process of a session as the list of sessions has it.
    pub async fn process(&self, session: &str) -> Option<Value> {
        let sessions = self.call("list_sessions", json!({})).await.done();
        let sessions = sessions.as_array().expect("a list");
        let found = sessions
            .iter()
            .find(|found| found["session_id"] == session)?;
        found.get("process").cloned()
    }

    /// Everything that happened in a session, as one who opens it now is told.
    pub async fn events(&self, session: &str) -> Vec<Value> {
        let mut socket = self.connect().await;
        socket.subscribe(session, None).await
    }

    pub async fn connect(&self) -> Socket {
        Socket::open(self.host()).await
    }

    /// One that says who it is.
    pub async fn connect_as(&self, client: &str) -> Socket {
        Socket::open_as(self.host(), client).await
    }

    /// A page as a browser gets it, in the name of the bearer.
    pub async fn page(&self, path: &str) -> String {
        let answer = self
            .request(reqwest::Method::GET, path)
            .bearer_auth(TOKEN)
            .header("accept", "text/html")
            .send()
            .await
            .expect("an answer");
        assert_eq!(answer.status(), 200, "{path}");
        answer.text().await.expect("a page")
    }

    pub fn id(&self) -> i32 {
        self.child.id().cast_signed()
    }

    pub fn signal(&self, signal: Signal) {
        let id = Pid::from_raw(self.id()).expect("a number");
        kill_process(id, signal).expect("the server runs");
    }

    /// Waits for its end.
    pub async fn ended(&mut self) -> ExitStatus {
        let child = &mut self.child;
        until("the end of the server", async || {
            child.try_wait().expect("a status")
        })
        .await
    }

    /// As a power cut would: nothing is put in order. Its agents lose their owner and go, too. What was told until now is on
    /// disk before: only answers are promised to be there as soon as they are told, and `signal` cuts those off at once.
    pub async fn cut_off(mut self) {
        self.is_on_disk().await;
        self.signal(Signal::KILL);
        self.ended().await;
        self.place.clear();
    }

    /// Everything that happened in any session until now.
    async fn is_on_disk(&self) {
        let sessions = self.call("list_sessions", json!({})).await.done();
        for session in sessions.as_array().expect("a list") {
            let session = session["session_id"].as_str().expect("an id");
            let events = self.events(session).await;
            let last = events.last().and_then(|event| event["seq"].as_i64());
            until("the session is on disk", async || {
                (self.place.last_stored(session) >= last).then_some(())
            })
            .await;
        }
    }

    /// What it wrote to stdout after the ready line.
    pub fn more_output(&mut self) -> Option<String> {
        self.lines.try_recv().ok()
    }

    pub fn log(&self) -> String {
        self.log.lock().expect("the log").clone()
    }

    /// Resident bytes of the server alone, without its agents.
    pub fn memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.id())).expect("a status");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let number = line
            .and_then(|line| line.split_whitespace().next())
            .expect("kilobytes");
        number.parse::<u64>().expect("a number") * 1024
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.place.clear();
        if std::thread::panicking() {
            eprintln!("the server's log:\n{}", self.log());
        }
    }
}

pub async fn read(answer: reqwest::Response) -> Reply {
    let status = answer.status().as_u16();
    let text = answer.text().await.expect("a body");
    let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
    Reply { status, body }
}

fn lines_of(pipe: impl Read + Send + 'static) -> mpsc::UnboundedReceiver<String> {
    let (sender, receiver) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        for line in BufReader::new(pipe).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

fn collected(pipe: impl Read + Send + 'static) -> Arc<Mutex<String>> {
    let text = Arc::new(Mutex::new(String::new()));
    let kept = text.clone();
    std::thread::spawn(move || {
        for line in BufReader::new(pipe).lines().map_while(Result::ok) {
            let mut kept = kept.lock().expect("the log");
            kept.push_str(&line);
            kept.push('\n');
        }
    });
    text
}
