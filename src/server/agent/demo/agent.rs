//! Owns the one shared thing, the running agent: its settings, its state, and how it speaks.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};
use tokio::sync::{Notify, mpsc, watch};
use uuid::Uuid;

use super::actor::Actor;
use super::arguments::Arguments;
use super::asks::OpenAsk;
use super::environment::Environment;
use super::folders::{self, Folders};
use super::history::DanglingCall;
use super::input::UserMessage;
use super::mode::Mode;
use super::output::Output;
use super::rewind::Past;
use super::rules::Rules;
use super::transcript::Transcript;
use super::usage::Usage;
use super::{clock, kept_rules, models};
use crate::server::shell_command::Written;

pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "-demo");

pub struct Agent {
    pub arguments: Arguments,
    pub environment: Environment,
    pub project: PathBuf,
    pub folders: Folders,
    pub output: Output,
    pub started: u64,
    /// Something to do has arrived.
    pub wake: Notify,
    /// Counts up whenever a question opens or closes, or a turn ends.
    pub changes: watch::Sender<u64>,
    session: Mutex<String>,
    transcript: Mutex<Transcript>,
    state: Mutex<State>,
    exit: mpsc::UnboundedSender<u8>,
}

pub struct State {
    pub mode: Mode,
    pub mode_before_plan: Option<Mode>,
    pub model: String,
    pub effort: &'static str,
    pub rules: Rules,
    pub plan_file: Option<PathBuf>,
    pub asks: Vec<OpenAsk>,
    pub queue: VecDeque<Work>,
    pub seen: HashSet<String>,
    /// The running turn, and every subagent alive.
    pub actors: Vec<Actor>,
    pub turn_running: bool,
    pub activity: Activity,
    pub input_closed: bool,
    /// SIGINT: stop, tidy up, say no `result`, leave.
    pub leaving: bool,
    pub initialized: bool,
    pub forward_subagent_text: bool,
    /// The other side can stop each of them by itself.
    pub interrupt_spares_background: bool,
    pub results: u64,
    pub last_result_failed: bool,
    pub denials: Vec<Value>,
    pub usage: Usage,
    pub title: Option<String>,
    pub prompts: usize,
    /// Set until the first message after `--resume` has been greeted.
    pub resumed_prompts: Option<usize>,
    pub dangling: Vec<DanglingCall>,
    /// Process groups of commands that are running.
    pub command_groups: BTreeSet<i32>,
    /// Those that take long, and what they write, by their task id.
    pub command_tasks: BTreeMap<String, Written>,
    pub todos: Value,
    pub past: Past,
    /// MCP servers that are not to be used.
    pub servers_off: BTreeSet<String>,
}

impl State {
    pub fn background(&self) -> impl Iterator<Item = &super::actor::Subagent> {
        self.actors
            .iter()
            .filter_map(|actor| actor.subagent.as_deref())
            .filter(|subagent| subagent.in_background)
    }
}

/// What waits to be dealt with in a turn of its own.
pub enum Work {
    Message(UserMessage),
    /// A background subagent has finished.
    Report {
        run_id: String,
        description: String,
        summary: String,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    Idle,
    Running,
    RequiresAction,
}

pub struct Beginning {
    pub session: String,
    pub transcript: Transcript,
    pub state: State,
}

impl Agent {
    pub fn new(
        arguments: Arguments,
        environment: Environment,
        project: PathBuf,
        output: Output,
        beginning: Beginning,
        exit: mpsc::UnboundedSender<u8>,
    ) -> Self {
        let agent = Self {
            folders: Folders {
                root: environment.config_directory.clone(),
            },
            arguments,
            environment,
            project,
            output,
            started: clock::now_millis(),
            wake: Notify::new(),
            changes: watch::Sender::new(0),
            session: Mutex::new(beginning.session),
            transcript: Mutex::new(beginning.transcript),
            state: Mutex::new(beginning.state),
            exit,
        };
        agent.register(Activity::Idle);
        agent
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    pub fn session(&self) -> String {
        lock(&self.session).clone()
    }

    pub fn settings(&self) -> kept_rules::Around<'_> {
        kept_rules::Around {
            own: &self.folders.root,
            project: &self.project,
        }
    }

    /// `/clear` goes on under another id and in another file.
    pub fn change_session(&self, session: String) {
        let transcript = self.new_transcript(&session);
        *lock(&self.transcript) = transcript;
        *lock(&self.session) = session;
    }

    fn new_transcript(&self, session: &str) -> Transcript {
        let path = self.folders.transcript(&self.project, session);
        Transcript::new(
            path,
            None,
            session,
            &self.project,
            &self.environment.entrypoint,
            VERSION,
        )
    }

    pub fn transcript(&self) -> MutexGuard<'_, Transcript> {
        lock(&self.transcript)
    }

    /// A line of the conversation on disk, in the file of whoever said it.
    pub fn record(&self, actor: &Actor, entry: Value) {
        match &actor.subagent {
            Some(subagent) => lock(&subagent.transcript).say(entry),
            None => self.transcript().say(entry),
        }
    }

    /// A line on stdout as it is.
    pub fn send(&self, message: &Value) {
        self.output.line(message);
    }

    /// A line on stdout with what all but control messages carry.
    pub fn event(&self, mut message: Value) {
        if message["uuid"].is_null() {
            message["uuid"] = json!(Uuid::new_v4());
        }
        message["session_id"] = json!(self.session());
        self.send(&message);
    }

    /// An event that belongs to the main conversation or to a subagent.
    pub fn event_of(&self, actor: &Actor, mut message: Value) {
        message["parent_tool_use_id"] = Value::Null;
        if let Some(subagent) = &actor.subagent {
            message["parent_tool_use_id"] = json!(subagent.tool_use_id);
            message["agent_id"] = json!(subagent.task_id);
            message["subagent_type"] = json!(super::actor::Subagent::KIND);
            message["task_description"] = json!(subagent.description);
        }
        message["timestamp"] = json!(clock::now_iso());
        self.event(message);
    }

    pub fn lifecycle(&self, message: &str, state: &str) {
        self.event(json!({"type": "command_lifecycle", "command_uuid": message, "state": state}));
    }

    /// Says that the session runs, waits for a person, or rests. A further question is said again, the rest only once.
    pub fn announce(&self, state: &mut State, activity: Activity) {
        if state.activity == activity && activity != Activity::RequiresAction {
            return;
        }
        state.activity = activity;
        self.register(activity);
        if self.environment.session_state_events {
            let mut event = json!({"type": "system", "subtype": "session_state_changed", "state": activity.name()});
            if self.environment.session_state_for_host_only {
                event["sdk_host_only"] = json!(true);
            }
            self.event(event);
        }
    }

    fn register(&self, activity: Activity) {
        let status = match activity {
            Activity::Idle => "idle",
            Activity::Running => "busy",
            Activity::RequiresAction => "waiting",
        };
        let entry = folders::registration(
            &self.session(),
            &self.project,
            self.started,
            status,
            VERSION,
        );
        self.folders.register(&entry);
    }

    pub fn set_mode(&self, state: &mut State, mode: Mode) {
        if mode == Mode::Plan && state.mode != Mode::Plan {
            state.mode_before_plan = Some(state.mode);
        }
        state.mode = mode;
        self.event(json!({"type": "system", "subtype": "status", "status": null, "permissionMode": mode.name()}));
    }

    pub fn set_title(&self, state: &mut State, title: &str, custom: bool) {
        state.title = Some(title.to_owned());
        let mut transcript = self.transcript();
        if custom {
            transcript.note(json!({"type": "custom-title", "customTitle": title}));
            transcript.note(json!({"type": "agent-name", "agentName": title}));
        } else {
            transcript.note(json!({"type": "ai-title", "aiTitle": title}));
        }
        drop(transcript);
        self.event(json!({"type": "system", "subtype": "session_title_changed", "title": title}));
    }

    pub fn tell_background_tasks(&self, state: &State) {
        let tasks: Vec<Value> = state
            .background()
            .map(|subagent| {
                json!({
                    "task_id": subagent.task_id, "run_id": subagent.run_id, "task_type": "local_agent",
                    "subagent_type": super::actor::Subagent::KIND, "description": subagent.description,
                })
            })
            .collect();
        self.event(
            json!({"type": "system", "subtype": "background_tasks_changed", "tasks": tasks}),
        );
    }

    /// A pause at the chosen pace; ends early, and says so, when the actor is told to stop.
    pub async fn pause(&self, actor: &Actor, milliseconds: u64) -> Result<(), Interrupted> {
        let pause = self.environment.paced(milliseconds);
        tokio::select! {
            biased;
            () = actor.abort.triggered() => Err(Interrupted),
            // even without delays others get their turn, so that an interrupt can arrive
            () = async { if pause.is_zero() { tokio::task::yield_now().await } else { tokio::time::sleep(pause).await } } => Ok(()),
        }
    }

    pub fn changed(&self) {
        self.changes
            .send_modify(|count| *count = count.wrapping_add(1));
    }

    /// Waits until the state is as wished.
    pub async fn wait_until(&self, wish: impl Fn(&State) -> bool) {
        let mut changes = self.changes.subscribe();
        while !wish(&self.state()) {
            // cannot fail: `self` keeps the sender alive
            let _ = changes.changed().await;
        }
    }

    pub fn exit(&self, code: u8) {
        let _ = self.exit.send(code);
    }

    pub fn leave_no_trace(&self) {
        let groups: Vec<i32> = self.state().command_groups.iter().copied().collect();
        groups.into_iter().for_each(super::command::kill_group);
        self.folders.unregister();
    }
}

pub struct Interrupted;

impl Activity {
    pub fn name(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Running => "running",
            Self::RequiresAction => "requires_action",
        }
    }
}

/// A panic elsewhere must not make the state unreachable: it is only ever changed in whole steps.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    pub fn new(arguments: &Arguments, settings: kept_rules::Around<'_>) -> Self {
        let mut rules = Rules::default();
        kept_rules::add_rules(&mut rules, settings);
        super::settings::add_rules(&mut rules, arguments, settings.project);
        Self {
            mode: arguments.permission_mode,
            mode_before_plan: None,
            model: models::resolve(arguments.model.as_deref()),
            effort: models::effort(arguments.effort.as_deref(), models::OWN_EFFORT),
            rules,
            plan_file: None,
            asks: Vec::new(),
            queue: VecDeque::new(),
            seen: HashSet::new(),
            actors: Vec::new(),
            turn_running: false,
            activity: Activity::Idle,
            input_closed: false,
            leaving: false,
            initialized: false,
            forward_subagent_text: false,
            interrupt_spares_background: false,
            results: 0,
            last_result_failed: false,
            denials: Vec::new(),
            usage: Usage::default(),
            title: None,
            prompts: 0,
            resumed_prompts: None,
            dangling: Vec::new(),
            command_groups: BTreeSet::new(),
            command_tasks: BTreeMap::new(),
            todos: json!([]),
            past: Past::default(),
            servers_off: BTreeSet::new(),
        }
    }
}
