//! One running agent: reads its lines, carries orders to it, and ends it for good. The reading loop never waits for a
//! person or a socket, and for the disk only when the agent says more than can be written (`pace`); each open request has
//! a small task of its own that awaits the verdict.

mod ending;
mod heard;
mod order;
mod pace;

pub use heard::{Heard, InBackground, TaskEnd};
pub use order::{Applies, Done, Order};

use super::leftovers::Note;
use super::lines::{Line, Lines};
use super::protocol::{self, CliId, Protocol, Told};
use super::{Launch, version};
use crate::model::{Entry, MessageId, PendingRequest};
use ending::{
    SaidAside, Unread, end, keep_tail, not_ready, signal, sleep_until, started_by, why_it_died,
    write_lines,
};
use pace::{Pace, Portion};
use rustix::process::{Pid, Signal};
use std::time::Duration;
use tokio::io::BufReader;
use tokio::process::Child;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

/// Three steps of at most this long each: a graceful stop stays well below ten seconds.
const PATIENCE: Duration = Duration::from_millis(2500);
/// One that is not ready by then is asked for its version: one that is too old may hang.
const BEFORE_DOUBT: Duration = Duration::from_secs(4);
/// For lines that are still in the pipe when it has ended.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// Runs the agent until it has ended. Every report goes through `report`, the last one is `Died`.
pub async fn run(
    mut child: Child,
    launch: Launch,
    mut orders: mpsc::UnboundedReceiver<Order>,
    report: impl Fn(Heard) + Send + Sync + Clone + 'static,
) {
    let _note = child
        .id()
        .and_then(|pid| Note::leave(&launch.data_directory, pid));
    let group = child.id().and_then(|id| Pid::from_raw(id.cast_signed()));
    let (Some(stdin), Some(stdout), Some(stderr)) =
        (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        report(Heard::Died {
            reason: None,
            error: Some("Its pipes could not be opened.".to_owned()),
        });
        return;
    };
    let (to_agent, outgoing) = mpsc::unbounded_channel();
    let unread = Unread::default();
    let writer = tokio::spawn(write_lines(stdin, outgoing, unread.clone()));
    let said_aside = SaidAside::default();
    let error_output = tokio::spawn(keep_tail(stderr, said_aside.clone()));
    let mut lines = Lines::new(
        BufReader::with_capacity(32 * 1024, stdout),
        launch.line_limit,
    );
    let mut agent = Agent {
        protocol: Protocol::new(launch.permission_mode.clone()),
        to_agent: Some(to_agent),
        unread,
        report: report.clone(),
        unsent: Vec::new(),
        unusable: None,
        given_up: None,
        ready: false,
        has_asked: false,
        said_aside,
        stopping: None,
        deadline: None,
    };
    agent.write(protocol::initialize());

    let mut orders_open = true;
    let mut status = None;
    // it may not live to end what it runs, and what has lost its parent cannot be found
    let mut started = Vec::new();
    let mut in_doubt = true;
    let mut pace = Pace::default();
    let doubt = async {
        tokio::time::sleep(BEFORE_DOUBT).await;
        launch.too_old_to_start(false).await
    };
    tokio::pin!(doubt);
    loop {
        tokio::select! {
            too_old = &mut doubt, if in_doubt && !agent.ready => {
                in_doubt = false;
                if let Some(sentence) = too_old {
                    agent.is_unusable(sentence, group);
                }
            }
            () = pace.caught_up(), if pace.is_ahead() => {}
            line = lines.next(), if !pace.is_ahead() => match line {
                Ok(Some(line)) => {
                    if agent.hear(&line, group)
                        && let Some(written) = pace.heard(line.bytes())
                    {
                        (agent.report)(Heard::SaidMuch { written });
                    }
                    if std::mem::take(&mut agent.has_asked) {
                        // the sockets, which have something to show now
                        tokio::task::yield_now().await;
                        (agent.report)(Heard::GaveWay);
                    }
                }
                Ok(None) | Err(_) => break,
            },
            order = orders.recv(), if orders_open => match order {
                Some(order) => agent.obey(order, group),
                // nobody can reach it any more
                None => {
                    orders_open = false;
                    agent.obey(Order::Stop { reason: "Countersign let it go.".to_owned() }, group);
                }
            },
            () = sleep_until(agent.deadline) => {
                started.extend(started_by(group).await);
                agent.escalate(group);
            }
            ended = child.wait() => {
                status = ended.ok();
                // what it still wrote; something it left behind may hold the pipe open for ever
                let rest = async {
                    let mut portion = Portion::default();
                    while let Ok(Some(line)) = lines.next().await {
                        agent.hear(&line, group);
                        if !portion.takes(line.bytes()) {
                            break;
                        }
                    }
                };
                let _ = tokio::time::timeout(LAST_WORDS, rest).await;
                break;
            }
        }
    }
    // stdout is closed: it has ended, is about to, or refuses to; who sends an order now is told so
    orders.close();
    // a message among them is told to be unread like any other that it did not take
    while orders.try_recv().is_ok() {}
    let ended = end(&mut child, status, group, agent.deadline, started).await;
    writer.abort();
    let tail = tokio::time::timeout(Duration::from_millis(500), error_output).await;
    let said = tail.ok().and_then(Result::ok).unwrap_or_default();
    // what it said long before is not why it ended
    let tail = match agent.ready && !said.is_recent() {
        true => "",
        false => said.words.as_str(),
    };
    if let Some(there) = protocol::conversation_is_there(&said.words) {
        report(Heard::ConversationIs { there });
    }
    let error = match &agent.stopping {
        _ if agent.unusable.is_some() => agent.unusable,
        _ if let Some(waited) = agent.given_up => {
            Some(not_ready(waited, agent.protocol.first_unreadable(), tail))
        }
        // ended because it was never ready: perhaps it says why
        Some(_) if !agent.ready && !tail.is_empty() => Some(format!("It said: {tail}")),
        Some(_) => None,
        None => Some(match launch.too_old_to_start(agent.ready).await {
            Some(too_old) => too_old,
            None => why_it_died(ended, tail, agent.ready),
        }),
    };
    report(Heard::Died {
        reason: agent
            .stopping
            .filter(|_| agent.given_up.is_none())
            .map(|stopping| stopping.reason),
        error,
    });
}

struct Agent<R> {
    protocol: Protocol,
    /// Dropped to close stdin.
    to_agent: Option<mpsc::UnboundedSender<String>>,
    unread: Unread,
    report: R,
    /// Messages that wait until it is ready.
    unsent: Vec<(MessageId, String)>,
    /// Why it cannot be worked with: it is ended, and this is said.
    unusable: Option<String>,
    /// It was not ready after so long.
    given_up: Option<Duration>,
    ready: bool,
    /// In the line that was read last.
    has_asked: bool,
    said_aside: SaidAside,
    stopping: Option<Stopping>,
    deadline: Option<Instant>,
}

struct Stopping {
    reason: String,
    step: Step,
    /// What it said since.
    said: Portion,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Interrupted,
    Closed,
    Terminated,
    Killed,
}

impl<R: Fn(Heard) + Send + Sync + Clone + 'static> Agent<R> {
    /// False: dropped. It was told to stop and says more and more; how it ends is in none of that, and storing it would
    /// only hold up the end.
    fn hear(&mut self, line: &Line<'_>, group: Option<Pid>) -> bool {
        if let Some(stopping) = &mut self.stopping {
            if stopping.said.is_full() {
                return false;
            }
            // the one that fills it is heard: it may be a long result
            stopping.said.takes(line.bytes());
        }
        let told = match line {
            Line::Whole(line) => self.protocol.read(line),
            Line::TooLong(head) => self.protocol.read_head(head),
        };
        if told.is_empty() {
            (self.report)(Heard::Stirred);
        }
        self.take(told, group);
        true
    }

    fn take(&mut self, told: Vec<Told>, group: Option<Pid>) {
        for told in told {
            match told {
                Told::Heard(Heard::Ready) if self.unusable.is_none() => {
                    if !std::mem::replace(&mut self.ready, true) {
                        self.tell_what_it_said_aside();
                    }
                    // with something to say it goes to work at once: it is never idle in between
                    let unsent = std::mem::take(&mut self.unsent);
                    if unsent.is_empty() {
                        (self.report)(Heard::Ready);
                    }
                    for (_, line) in unsent {
                        self.say(line);
                    }
                }
                Told::Version(text) => {
                    if let Some(sentence) = version::too_old(&text) {
                        self.is_unusable(sentence, group);
                    }
                }
                Told::Unusable(sentence) => self.is_unusable(sentence, group),
                Told::Heard(heard) => {
                    let finished = matches!(heard, Heard::TurnFinished);
                    (self.report)(heard);
                    if finished
                        && self
                            .stopping
                            .as_ref()
                            .is_some_and(|stopping| stopping.step == Step::Interrupted)
                    {
                        self.close();
                    }
                }
                Told::Asks { cli_id, request } => self.ask(cli_id, *request, group),
                Told::Answer(line) => self.answer(line, group),
            }
        }
    }

    /// Warnings of the program, of settings that it ignores for instance, are for the person who started it.
    fn tell_what_it_said_aside(&self) {
        let (said_aside, report) = (self.said_aside.clone(), self.report.clone());
        let alive = self.to_agent.as_ref().map(mpsc::UnboundedSender::downgrade);
        tokio::spawn(async move {
            // the two pipes are not read in step
            tokio::time::sleep(LAST_WORDS).await;
            let words = protocol::in_words(&said_aside.words());
            if !words.is_empty() && alive.and_then(|alive| alive.upgrade()).is_some() {
                report(notice(&format!("The agent’s program says: {words}")));
            }
        });
    }

    /// Each request waits in a task of its own: the loop reads on.
    fn ask(&mut self, cli_id: CliId, request: PendingRequest, group: Option<Pid>) {
        let (reply, mut verdict) = oneshot::channel();
        let input = request.tool_input.clone();
        let bytes = serde_json::to_string(&request).map_or(0, |text| text.len());
        self.has_asked = true;
        (self.report)(Heard::Asked {
            request,
            bytes,
            reply,
        });
        // refused at once: it never waits
        if let Ok(verdict) = verdict.try_recv() {
            self.protocol.forget(&cli_id);
            if let Some(line) = protocol::verdict(&cli_id, &input, verdict) {
                self.answer(line, group);
            }
            return;
        }
        let Some(to_agent) = self.to_agent.as_ref().map(mpsc::UnboundedSender::downgrade) else {
            return;
        };
        let unread = self.unread.clone();
        tokio::spawn(async move {
            // an error means that nobody waits any more
            if let Ok(verdict) = verdict.await
                && let Some(line) = protocol::verdict(&cli_id, &input, verdict)
                && let Some(to_agent) = to_agent.upgrade()
            {
                unread.send(&to_agent, line);
            }
        });
    }

    fn obey(&mut self, order: Order, group: Option<Pid>) {
        match order {
            Order::Say {
                message_id,
                text,
                files,
            } => {
                let line = self.protocol.user_message(message_id, &text, &files);
                match self.ready {
                    true => self.say(line),
                    false => self.unsent.push((message_id, line)),
                }
            }
            Order::CancelMessage { message_id, done } => {
                let before = self.unsent.len();
                self.unsent.retain(|(id, _)| *id != message_id);
                if self.unsent.len() < before {
                    (self.report)(Heard::MessageCancelled(message_id));
                    let _ = done.send(Ok(true));
                } else {
                    let line = self.protocol.cancel_message(message_id, done);
                    self.write(line);
                }
            }
            Order::SetModel { model, done } => {
                let line = self.protocol.set_model(model, done);
                self.write(line);
            }
            Order::SetEffort { effort, done } => {
                let line = self.protocol.set_effort(effort.as_deref(), done);
                self.write(line);
            }
            Order::Interrupt => {
                for line in self.protocol.interrupt() {
                    self.write(line);
                }
            }
            Order::Rename(title) => {
                let line = self.protocol.rename(&title);
                self.write(line);
            }
            Order::StopTask { call, done } => {
                if let Some(line) = self.protocol.stop_task(&call, done) {
                    self.write(line);
                }
            }
            Order::ToBackground { call, done } => {
                let line = self.protocol.move_to_background(&call, done);
                self.write(line);
            }
            Order::Ask { question, answer } => {
                if let Some(line) = self.protocol.ask_about(&question, answer) {
                    self.write(line);
                }
            }
            Order::SetMode { mode, done } => {
                let line = self.protocol.set_mode(mode, done);
                self.write(line);
            }
            Order::Stop { reason } if self.stopping.is_none() => {
                self.stopping = Some(Stopping {
                    reason,
                    step: Step::Interrupted,
                    said: Portion::default(),
                });
                self.deadline = Some(Instant::now() + PATIENCE);
                if self.protocol.is_in_turn() {
                    for line in self.protocol.interrupt() {
                        self.write(line);
                    }
                } else {
                    self.close();
                }
            }
            Order::Stop { .. } => {}
            Order::GiveUp { waited } => {
                self.given_up = Some(waited);
                let reason = "It was not ready in time.".to_owned();
                self.obey(Order::Kill { reason }, group);
            }
            Order::Kill { reason } => {
                let reason = self
                    .stopping
                    .take()
                    .map_or(reason, |stopping| stopping.reason);
                self.stopping = Some(Stopping {
                    reason,
                    step: Step::Closed,
                    said: Portion::default(),
                });
                self.escalate(group);
            }
        }
    }

    fn say(&mut self, line: String) {
        self.protocol.began_turn();
        (self.report)(Heard::TurnBegan);
        self.write(line);
    }

    /// It cannot be worked with as it is. It is ended, and the reason is what is shown of its end.
    fn is_unusable(&mut self, sentence: String, group: Option<Pid>) {
        if self.unusable.is_none() && self.stopping.is_none() {
            self.unusable = Some(sentence);
            let reason = "The process was ended.".to_owned();
            self.obey(Order::Stop { reason }, group);
        }
    }

    fn close(&mut self) {
        self.to_agent = None;
        if let Some(stopping) = &mut self.stopping {
            stopping.step = Step::Closed;
        }
        self.deadline = Some(Instant::now() + PATIENCE);
    }

    /// It had its time: the next, stronger step.
    fn escalate(&mut self, group: Option<Pid>) {
        let Some(stopping) = &mut self.stopping else {
            self.deadline = None;
            return;
        };
        match stopping.step {
            Step::Interrupted => return self.close(),
            Step::Closed => {
                stopping.step = Step::Terminated;
                signal(group, Signal::TERM);
            }
            Step::Terminated | Step::Killed => {
                stopping.step = Step::Killed;
                signal(group, Signal::KILL);
            }
        }
        self.deadline = Some(Instant::now() + PATIENCE);
    }

    /// What is answered without a person, as often as it asks.
    fn answer(&mut self, line: String, group: Option<Pid>) {
        self.write(line);
        if self.unread.is_too_much() {
            let sentence =
                "The agent asks for more and more and reads none of the answers, so it was ended.";
            self.is_unusable(sentence.to_owned(), group);
        }
    }

    fn write(&mut self, line: String) {
        if let Some(to_agent) = &self.to_agent {
            self.unread.send(to_agent, line);
        }
    }
}

fn notice(text: &str) -> Heard {
    Heard::Happened(Entry::Noticed {
        level: crate::model::transcript::Level::Warning,
        text: text.to_owned(),
    })
}
