//! Owns one message of the assistant: block by block, in small pieces if the host wants them.

use serde_json::{Value, json};
use uuid::Uuid;

use super::actor::Actor;
use super::agent::Agent;
use super::tools::Call;
use super::{clock, usage};

#[derive(Clone, Debug)]
pub enum Block {
    Thinking(String),
    Text(String),
    Tool(Call),
}

impl Block {
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    fn content(&self) -> Value {
        match self {
            Self::Thinking(text) => {
                json!({"type": "thinking", "thinking": text, "signature": SIGNATURE})
            }
            Self::Text(text) => json!({"type": "text", "text": text}),
            Self::Tool(call) => {
                json!({"type": "tool_use", "id": call.id, "name": call.name, "input": call.input})
            }
        }
    }

    fn opening(&self) -> Value {
        match self {
            Self::Thinking(_) => json!({"type": "thinking", "thinking": "", "signature": ""}),
            Self::Text(_) => json!({"type": "text", "text": ""}),
            Self::Tool(call) => {
                json!({"type": "tool_use", "id": call.id, "name": call.name, "input": {}})
            }
        }
    }

    /// The same block with only the beginning of its text; a half-written tool call is not worth keeping.
    fn cut(&self, written: &str) -> Option<Self> {
        match self {
            Self::Thinking(_) => Some(Self::Thinking(written.to_owned())),
            Self::Text(_) => Some(Self::Text(written.to_owned())),
            Self::Tool(_) => None,
        }
    }

    fn uuid(&self) -> String {
        match self {
            Self::Tool(call) => call.assistant_uuid.clone(),
            _ => Uuid::new_v4().to_string(),
        }
    }
}

const SIGNATURE: &str = "ZGVtbw==";
/// A piece of text is about this long …
const PIECE: usize = 12;
/// … and takes this long at natural speed.
const PIECE_PAUSE: u64 = 45;
const THINKING_PAUSE: u64 = 110;

/// A message being written.
pub struct Message<'a> {
    agent: &'a Agent,
    actor: &'a Actor,
    id: String,
    request_id: String,
    model: String,
    /// Told with the first line of a turn.
    answers: Option<Value>,
    stop_reason: &'static str,
    index: usize,
}

/// The message was cut off by an interrupt while it was being written.
pub struct CutOff;

impl<'a> Message<'a> {
    pub fn begin(
        agent: &'a Agent,
        actor: &'a Actor,
        answers: Option<Value>,
        uuids: &[String],
        stop_reason: &'static str,
    ) -> Self {
        let model = agent.state().model.clone();
        let message = Self {
            agent,
            actor,
            id: message_id(),
            request_id: request_id(),
            model,
            answers,
            stop_reason,
            index: 0,
        };
        if agent.arguments.partial_messages {
            let mut status = json!({"type": "system", "subtype": "status", "status": "requesting"});
            if !uuids.is_empty() {
                status["user_message_uuids"] = json!(uuids);
            }
            agent.event(status);
            let context = agent.state().usage.context_tokens;
            message.piece(json!({"type": "message_start", "message": {
                "id": message.id, "type": "message", "role": "assistant", "model": message.model, "content": [],
                "stop_reason": null, "stop_sequence": null, "usage": usage::brief(context, 1),
            }}));
        }
        message
    }

    /// Writes one block to its end, or says how far it came.
    pub async fn block(&mut self, block: &Block) -> Result<(), CutOff> {
        let index = self.index;
        self.piece(json!({"type": "content_block_start", "index": index, "content_block": block.opening()}));
        let (text, pause) = match block {
            Block::Thinking(text) => (text.clone(), THINKING_PAUSE),
            Block::Text(text) => (text.clone(), PIECE_PAUSE),
            Block::Tool(call) => (call.input.to_string(), PIECE_PAUSE / 3),
        };
        let mut written = String::new();
        for piece in pieces(&text) {
            if self.agent.pause(self.actor, pause).await.is_err() {
                self.cut_off(block, &written);
                return Err(CutOff);
            }
            written.push_str(piece);
            let delta = match block {
                Block::Thinking(_) => {
                    self.thinking_tokens(&written, piece);
                    json!({"type": "thinking_delta", "thinking": piece})
                }
                Block::Text(_) => json!({"type": "text_delta", "text": piece}),
                Block::Tool(_) => json!({"type": "input_json_delta", "partial_json": piece}),
            };
            self.piece(json!({"type": "content_block_delta", "index": index, "delta": delta}));
        }
        if matches!(block, Block::Thinking(_)) {
            let delta = json!({"type": "signature_delta", "signature": SIGNATURE});
            self.piece(json!({"type": "content_block_delta", "index": index, "delta": delta}));
        }
        // the complete line comes before the block's end, as in the CLI
        self.line(block, false);
        self.piece(json!({"type": "content_block_stop", "index": index}));
        self.agent.state().usage.add_answer(&text);
        self.index += 1;
        Ok(())
    }

    pub fn end(&self) {
        let usage = self.agent.state().usage;
        self.piece(json!({
            "type": "message_delta", "delta": {"stop_reason": self.stop_reason, "stop_sequence": null},
            "usage": usage::brief(usage.context_tokens, usage.turn_output),
        }));
        self.piece(json!({"type": "message_stop"}));
    }

    fn cut_off(&mut self, block: &Block, written: &str) {
        let kept = block.cut(written).filter(|_| !written.is_empty());
        if let Some(kept) = &kept {
            self.line(kept, true);
        }
        say_as_user(self.agent, self.actor, "[Request interrupted by user]");
        self.piece(json!({"type": "content_block_stop", "index": self.index}));
        self.piece(json!({
            "type": "message_delta", "delta": {"stop_reason": null, "stop_sequence": null}, "usage": usage::brief(0, 1),
        }));
        let from = self.index + usize::from(kept.is_some());
        let mut stop = self.wrapped(json!({"type": "message_stop"}));
        stop["abandoned_blocks"] = json!({"api_message_id": self.id, "from_block_index": from});
        if self.agent.arguments.partial_messages {
            self.agent.event(stop);
        }
    }

    fn line(&mut self, block: &Block, aborted: bool) {
        let uuid = block.uuid();
        let context = self.agent.state().usage.context_tokens;
        let mut line = json!({
            "type": "assistant", "uuid": uuid, "request_id": self.request_id,
            "message": message(&self.id, &self.model, block.content(), Value::Null, usage::brief(context, 1)),
        });
        if aborted {
            line["aborted"] = json!(true);
        }
        if let Some(Value::Array(uuids)) = self.answers.take() {
            line["user_message_uuid"] = uuids.first().cloned().unwrap_or(Value::Null);
            line["user_message_uuids"] = json!(uuids);
        }
        let stop_reason = if aborted {
            Value::Null
        } else {
            json!(self.stop_reason)
        };
        record(
            self.agent,
            self.actor,
            &uuid,
            &self.request_id,
            message(
                &self.id,
                &self.model,
                block.content(),
                stop_reason,
                usage::full(context, usage::tokens(&block.content().to_string())),
            ),
        );
        self.agent.event_of(self.actor, line);
    }

    fn thinking_tokens(&self, written: &str, piece: &str) {
        if self.agent.arguments.partial_messages {
            self.agent.event(json!({
                "type": "system", "subtype": "thinking_tokens", "estimated_tokens": usage::tokens(written),
                "estimated_tokens_delta": usage::tokens(piece),
            }));
        }
    }

    fn piece(&self, event: Value) {
        if self.agent.arguments.partial_messages {
            self.agent.event(self.wrapped(event));
        }
    }

    fn wrapped(&self, event: Value) -> Value {
        json!({"type": "stream_event", "event": event, "parent_tool_use_id": null, "api_message_id": self.id})
    }
}

/// A whole block without pieces: subagents do not stream. `told` = also on stdout, not only on disk.
pub fn say_at_once(
    agent: &Agent,
    actor: &Actor,
    block: &Block,
    stop_reason: &str,
    told: bool,
) -> String {
    let (uuid, model, id, request) = (
        block.uuid(),
        agent.state().model.clone(),
        message_id(),
        request_id(),
    );
    let content = block.content();
    record(
        agent,
        actor,
        &uuid,
        &request,
        message(
            &id,
            &model,
            content.clone(),
            json!(stop_reason),
            usage::full(100, 20),
        ),
    );
    if told {
        let message = message(&id, &model, content, Value::Null, usage::brief(100, 1));
        agent.event_of(
            actor,
            json!({"type": "assistant", "uuid": uuid, "request_id": request, "message": message}),
        );
    }
    uuid
}

/// A line that stands in the person's place, such as "[Request interrupted by user]".
pub fn say_as_user(agent: &Agent, actor: &Actor, text: &str) {
    let uuid = Uuid::new_v4().to_string();
    let message = json!({"role": "user", "content": [{"type": "text", "text": text}]});
    agent.record(
        actor,
        json!({"type": "user", "uuid": uuid, "message": message}),
    );
    agent.event_of(
        actor,
        json!({"type": "user", "uuid": uuid, "message": message}),
    );
}

pub fn message(id: &str, model: &str, block: Value, stop_reason: Value, usage: Value) -> Value {
    json!({
        "id": id, "type": "message", "role": "assistant", "model": model, "content": [block], "stop_reason": stop_reason,
        "stop_sequence": null, "usage": usage, "context_management": null,
    })
}

fn record(agent: &Agent, actor: &Actor, uuid: &str, request_id: &str, message: Value) {
    agent.record(actor, json!({
        "type": "assistant", "uuid": uuid, "timestamp": clock::now_iso(), "requestId": request_id, "message": message,
    }));
}

fn message_id() -> String {
    format!("msg_{}", &Uuid::new_v4().simple().to_string()[..24])
}

fn request_id() -> String {
    format!("req_{}", &Uuid::new_v4().simple().to_string()[..20])
}

/// Cuts after a word once a piece is long enough.
fn pieces(text: &str) -> Vec<&str> {
    let (mut pieces, mut start) = (Vec::new(), 0);
    for (at, character) in text.char_indices() {
        let end = at + character.len_utf8();
        let long = end - start >= PIECE;
        if (long && character.is_whitespace()) || end - start >= 3 * PIECE {
            pieces.push(&text[start..end]);
            start = end;
        }
    }
    if start < text.len() {
        pieces.push(&text[start..]);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::pieces;

    #[test]
    fn pieces_are_small_and_lose_nothing() {
        let text = "Ein Satz mit Umläuten — und 🎨, lang genug für mehrere Stücke. ".repeat(4)
            + &"x".repeat(100);
        let pieces = pieces(&text);
        assert_eq!(pieces.concat(), text);
        assert!(pieces.len() > 10 && pieces.iter().all(|piece| piece.len() < 64));
    }
}
