//! Folds events into what the transcript shows: a tool call, what was asked about it, what was decided and its result
//! are one item, wherever their events came. Pure, so the server's first picture and the browser's are the same.

mod earlier;
mod item;
mod rewound;
mod tool;
mod turn;

pub use tool::{Resolution, ToolItem, ToolResult};
pub use turn::said_in_turn;

use super::todo;
use super::transcript::Level;
use super::{
    AskingAgent, Attachment, Delta, Entry, Event, MessageId, RequestId, ToolUseId, UnixTime,
};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conversation {
    pub items: Vec<Item>,
    /// Of the oldest event taken in. What is before it can be put in front: see [`Conversation::put_in_front`].
    pub first_seq: u64,
    /// Of the last event taken in; the next one must be its successor.
    pub last_seq: u64,
    /// What is being written right now.
    pub partial: Option<Partial>,
    /// Events that end or change something whose beginning is not here.
    loose: Vec<Event>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// The event that began it: stable, so that a list can be keyed by it.
    pub seq: u64,
    pub at: UnixTime,
    /// What it is shown under: the earlier item of the call that the subagent works for which did this, or the later one
    /// with which it was taken back.
    pub under: Option<u64>,
    pub body: Body,
}

#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "most items are tool calls")]
pub enum Body {
    Said {
        message_id: MessageId,
        text: String,
        delivery: Delivery,
        /// The event with which it left the queue; of one that was never queued, the one with which it was sent.
        taken: u64,
        attachments: Vec<Attachment>,
    },
    Text {
        text: String,
        agent: Option<AskingAgent>,
    },
    Thought {
        text: String,
        agent: Option<AskingAgent>,
    },
    Tool(ToolItem),
    TurnEnd {
        error: Option<String>,
        interrupted: bool,
        duration_ms: u64,
        unasked: bool,
    },
    /// A person ran it by themselves.
    OwnCommand {
        command: String,
        output: String,
        code: Option<i32>,
    },
    /// The agent has forgotten what is above.
    Cleared,
    /// A person went back: what was taken back stands under this.
    Rewound {
        conversation: bool,
        files: Vec<String>,
    },
    /// What it knows of all that is above.
    Summary {
        text: String,
    },
    Notice {
        level: Level,
        text: String,
    },
    FolderTrusted,
}

/// Where a message of a person is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    Sent,
    /// The agent was busy and takes it later.
    Queued,
    Cancelled,
    /// The process ended first.
    NotRead,
    /// It was not read, and stands further down once more.
    SentAgain,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Partial {
    pub thinking: bool,
    pub text: String,
}

/// What an event did to the items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touched {
    Added(usize),
    Changed(usize),
    /// Several items: a process ended, or a list changed.
    Many,
    Nothing,
}

impl Conversation {
    pub fn from_events(events: &[Event]) -> Self {
        let mut conversation = Self::default();
        for event in events {
            conversation.apply(event);
        }
        conversation
    }

    /// Takes an event in. One that is already known changes nothing.
    pub fn apply(&mut self, event: &Event) -> Touched {
        if event.seq <= self.last_seq {
            return Touched::Nothing;
        }
        self.last_seq = event.seq;
        if self.first_seq == 0 {
            self.first_seq = event.seq;
        }
        let touched = self.fold(event);
        if touched == Touched::Nothing && earlier::is_about_something_before(&event.entry) {
            self.loose.push(event.clone());
        }
        self.count_todos(touched)
    }

    fn fold(&mut self, event: &Event) -> Touched {
        match &event.entry {
            Entry::MessageSent {
                message_id,
                text,
                queued,
                attachments,
            } => {
                let was_there = self.deliver(*message_id, Delivery::SentAgain, event.seq);
                let delivery = match queued {
                    true => Delivery::Queued,
                    false => Delivery::Sent,
                };
                let said = Body::Said {
                    message_id: *message_id,
                    text: text.clone(),
                    delivery,
                    taken: event.seq,
                    attachments: attachments.clone(),
                };
                match (was_there, self.add(event, said)) {
                    (Touched::Nothing, added) => added,
                    _ => Touched::Many,
                }
            }
            Entry::MessageTaken { message_id } => {
                self.deliver(*message_id, Delivery::Sent, event.seq)
            }
            Entry::MessageCancelled { message_id } => {
                self.deliver(*message_id, Delivery::Cancelled, event.seq)
            }
            Entry::MessageNotRead { message_id } => {
                self.deliver(*message_id, Delivery::NotRead, event.seq)
            }
            Entry::ConversationCleared => {
                self.partial = None;
                self.add(event, Body::Cleared)
            }
            Entry::Rewound {
                before,
                conversation,
                files,
            } => self.rewind(event, *before, *conversation, files),
            Entry::Summarised { text } => self.add(event, Body::Summary { text: text.clone() }),
            Entry::TextWritten { text, agent } => {
                if agent.is_none() {
                    self.partial = None;
                }
                self.add(
                    event,
                    Body::Text {
                        text: text.clone(),
                        agent: agent.clone(),
                    },
                )
            }
            Entry::Thought { text, agent } => {
                if agent.is_none() {
                    self.partial = None;
                }
                self.add(
                    event,
                    Body::Thought {
                        text: text.clone(),
                        agent: agent.clone(),
                    },
                )
            }
            Entry::ToolCalled {
                tool_use_id,
                tool_name,
                tool_input,
                agent,
            } => {
                // an ask may come before the call it is about
                let known = self.change_tool(tool_use_id, |tool| tool.is_by(agent.as_ref()));
                match known {
                    Touched::Nothing => self.add(
                        event,
                        Body::Tool(ToolItem {
                            tool_use_id: Some(tool_use_id.clone()),
                            tool_name: tool_name.clone(),
                            tool_input: tool_input.clone(),
                            agent: agent.clone(),
                            ..ToolItem::default()
                        }),
                    ),
                    changed => changed,
                }
            }
            Entry::ToolFinished {
                tool_use_id,
                text,
                is_error,
                stopped,
                images,
            } => self.change_tool(tool_use_id, |tool| {
                tool.result = Some(ToolResult {
                    text: text.clone(),
                    is_error: *is_error,
                    stopped: *stopped,
                    images: images.clone(),
                });
            }),
            Entry::Asked { request } => {
                let known = match &request.tool_use_id {
                    Some(id) => self.change_tool(id, |tool| {
                        tool.request = Some(request.clone());
                        tool.is_by(request.agent.as_ref());
                    }),
                    None => Touched::Nothing,
                };
                match known {
                    Touched::Nothing => self.add(
                        event,
                        Body::Tool(ToolItem {
                            tool_use_id: request.tool_use_id.clone(),
                            tool_name: request.tool_name.clone(),
                            tool_input: request.tool_input.clone(),
                            agent: request.agent.clone(),
                            request: Some(request.clone()),
                            ..ToolItem::default()
                        }),
                    ),
                    changed => changed,
                }
            }
            Entry::Resolved {
                request_id,
                outcome,
                by,
                waited,
                response,
            } => self.resolve(
                *request_id,
                Resolution {
                    outcome: *outcome,
                    by: *by,
                    waited: *waited,
                    response: response.clone(),
                },
            ),
            Entry::TurnFinished {
                error,
                interrupted,
                duration_ms,
                unasked,
            } => {
                self.partial = None;
                self.add(
                    event,
                    Body::TurnEnd {
                        error: error.clone(),
                        interrupted: *interrupted,
                        duration_ms: *duration_ms,
                        unasked: *unasked,
                    },
                )
            }
            Entry::CommandRun {
                command,
                output,
                code,
            } => self.add(
                event,
                Body::OwnCommand {
                    command: command.clone(),
                    output: output.clone(),
                    code: *code,
                },
            ),
            Entry::Noticed { level, text } => self.add(
                event,
                Body::Notice {
                    level: *level,
                    text: text.clone(),
                },
            ),
            Entry::FolderTrusted => self.add(event, Body::FolderTrusted),
            Entry::ProcessStarted { .. } => Touched::Nothing,
            Entry::ProcessEnded { reason, error } => self.end(event, reason, error.as_deref()),
        }
    }

    /// Appends text that is being written. What does not follow on what is here is left out: the whole block comes.
    pub fn apply_delta(&mut self, delta: &Delta) {
        match &mut self.partial {
            _ if delta.offset == 0 => {
                self.partial = Some(Partial {
                    thinking: delta.thinking,
                    text: delta.text.clone(),
                });
            }
            Some(partial) if partial.text.len() == delta.offset => partial.text += &delta.text,
            _ => {}
        }
    }

    fn add(&mut self, event: &Event, body: Body) -> Touched {
        self.items.push(Item {
            seq: event.seq,
            at: event.at,
            under: None,
            body,
        });
        let index = self.items.len() - 1;
        self.place(index);
        Touched::Added(index)
    }

    /// Puts an item under the call that its subagent works for, if that call is here.
    fn place(&mut self, index: usize) {
        let Some(call) = self.items.get(index).and_then(|item| item.body.works_for()) else {
            return;
        };
        let is_it = |item: &&Item| matches!(&item.body, Body::Tool(tool) if tool.tool_use_id.as_ref() == Some(call));
        let before = self.items.get(..index).unwrap_or_default();
        let under = before.iter().rev().find(is_it).map(|item| item.seq);
        if let Some(item) = self.items.get_mut(index) {
            item.under = under;
        }
    }

    /// A list is what all its calls made of it, so one that changed may change the ones after it.
    fn count_todos(&mut self, touched: Touched) -> Touched {
        let index = match touched {
            Touched::Added(index) | Touched::Changed(index) => index,
            Touched::Many | Touched::Nothing => return touched,
        };
        let keeps_a_list = self
            .items
            .get(index)
            .is_some_and(|item| matches!(&item.body, Body::Tool(tool) if todo::keeps_a_list(tool)));
        match keeps_a_list && todo::count(&mut self.items, index) {
            true => Touched::Many,
            false => touched,
        }
    }

    /// The newest item that `change` accepts.
    fn change(&mut self, mut change: impl FnMut(&mut Body) -> bool) -> Touched {
        for (index, item) in self.items.iter_mut().enumerate().rev() {
            if change(&mut item.body) {
                return Touched::Changed(index);
            }
        }
        Touched::Nothing
    }

    fn change_tool(&mut self, id: &ToolUseId, change: impl Fn(&mut ToolItem)) -> Touched {
        let touched = self.change(|body| match body {
            Body::Tool(tool) if tool.tool_use_id.as_ref() == Some(id) => {
                change(tool);
                true
            }
            _ => false,
        });
        if let Touched::Changed(index) = touched {
            self.place(index);
        }
        touched
    }

    /// Of several of one id, the last that was sent.
    fn deliver(&mut self, id: MessageId, now: Delivery, seq: u64) -> Touched {
        self.change(|body| match body {
            Body::Said {
                message_id,
                delivery,
                taken,
                ..
            } if *message_id == id => {
                if *delivery == Delivery::Queued {
                    *taken = seq;
                }
                *delivery = now;
                true
            }
            _ => false,
        })
    }

    fn resolve(&mut self, id: RequestId, resolution: Resolution) -> Touched {
        self.change(|body| match body {
            Body::Tool(tool) if tool.request.as_ref().is_some_and(|r| r.request_id == id) => {
                tool.resolution = Some(resolution.clone());
                true
            }
            _ => false,
        })
    }

    fn end(&mut self, event: &Event, reason: &str, error: Option<&str>) -> Touched {
        self.partial = None;
        for item in &mut self.items {
            if let Body::Tool(tool) = &mut item.body {
                tool.lost_its_process();
            }
        }
        // it may have ended calls from before what is here, too
        self.loose.push(event.clone());
        let (level, text) = match error {
            Some(error) => (Level::Error, format!("{reason} {error}")),
            None => (Level::Info, reason.to_owned()),
        };
        self.add(event, Body::Notice { level, text });
        Touched::Many
    }
}

impl Body {
    /// The call that the subagent works for which did this.
    fn works_for(&self) -> Option<&ToolUseId> {
        let agent = match self {
            Body::Text { agent, .. } | Body::Thought { agent, .. } => agent.as_ref(),
            Body::Tool(tool) => tool.agent.as_ref(),
            _ => None,
        };
        agent?.call.as_ref()
    }
}

impl ToolItem {
    fn is_by(&mut self, agent: Option<&AskingAgent>) {
        if self.agent.is_none() {
            self.agent = agent.cloned();
        }
    }

    fn lost_its_process(&mut self) {
        if self.result.is_none() {
            self.interrupted = true;
        }
    }
}
