//! An answer of the model as the API sends it: in events, or whole.

use super::MessagesApi;
use super::script::Step;
use axum::response::sse::Event;
use futures::{Stream, StreamExt, stream};
use serde_json::{Value, json};
use std::convert::Infallible;
use std::future::ready;

/// Text and input arrive in pieces of so many characters.
const PIECE: usize = 12;

/// An event to send, or something to wait for first.
enum Next {
    Send(Value),
    Wait(String),
}

pub fn events(
    api: MessagesApi,
    model: String,
    steps: Vec<Step>,
) -> impl Stream<Item = Result<Event, Infallible>> {
    let all = sequence(&model, &steps);
    stream::iter(all)
        .then(move |next| {
            let api = api.clone();
            async move {
                match next {
                    Next::Send(value) => Some(value),
                    Next::Wait(name) => {
                        api.wait_for(&name).await;
                        None
                    }
                }
            }
        })
        .filter_map(ready)
        .map(|value| {
            let name = value["type"].as_str().unwrap_or_default();
            Ok(Event::default().event(name).data(value.to_string()))
        })
}

fn sequence(model: &str, steps: &[Step]) -> Vec<Next> {
    let mut all = vec![
        Next::Send(json!({"type": "message_start", "message": message(model, &[], Value::Null)})),
        Next::Send(json!({"type": "ping"})),
    ];
    let mut index = 0;
    for step in steps {
        if let Step::Hold(name) = step {
            all.push(Next::Wait(name.clone()));
            continue;
        }
        let Some((start, deltas)) = block(step) else {
            continue;
        };
        let of_block = |kind: &str, field: &str, value: Value| {
            Next::Send(json!({"type": kind, "index": index, field: value}))
        };
        all.push(of_block("content_block_start", "content_block", start));
        all.extend(
            deltas
                .into_iter()
                .map(|delta| of_block("content_block_delta", "delta", delta)),
        );
        all.push(Next::Send(
            json!({"type": "content_block_stop", "index": index}),
        ));
        index += 1;
    }
    all.push(Next::Send(json!({
        "type": "message_delta",
        "delta": {"stop_reason": stop_reason(steps), "stop_sequence": null},
        "usage": {"output_tokens": 20},
    })));
    all.push(Next::Send(json!({"type": "message_stop"})));
    all
}

/// How a block begins, and what is added to it.
fn block(step: &Step) -> Option<(Value, Vec<Value>)> {
    match step {
        Step::Say(text) => Some((
            json!({"type": "text", "text": ""}),
            pieces(text, |piece| json!({"type": "text_delta", "text": piece})),
        )),
        Step::Think(text) => {
            let mut deltas = pieces(
                text,
                |piece| json!({"type": "thinking_delta", "thinking": piece}),
            );
            deltas.push(json!({"type": "signature_delta", "signature": "c2NyaXB0ZWQ="}));
            Some((
                json!({"type": "thinking", "thinking": "", "signature": ""}),
                deltas,
            ))
        }
        Step::Call { name, input } => Some((
            json!({"type": "tool_use", "id": unique("toolu"), "name": name, "input": {}}),
            pieces(
                &input.to_string(),
                |piece| json!({"type": "input_json_delta", "partial_json": piece}),
            ),
        )),
        Step::Hold(_) | Step::Fail(_) => None,
    }
}

fn pieces(text: &str, delta: impl Fn(String) -> Value) -> Vec<Value> {
    let characters: Vec<char> = text.chars().collect();
    // a long one in larger pieces: the number of events stays small
    let size = PIECE.max(characters.len() / 50);
    characters
        .chunks(size)
        .map(|piece| delta(piece.iter().collect()))
        .collect()
}

/// The same answer in one piece, for who does not want a stream.
pub fn whole(model: &str, steps: &[Step]) -> Value {
    let content: Vec<Value> = steps
        .iter()
        .filter_map(|step| match step {
            Step::Say(text) => Some(json!({"type": "text", "text": text})),
            Step::Think(text) => {
                Some(json!({"type": "thinking", "thinking": text, "signature": "c2NyaXB0ZWQ="}))
            }
            Step::Call { name, input } => Some(
                json!({"type": "tool_use", "id": unique("toolu"), "name": name, "input": input}),
            ),
            Step::Hold(_) | Step::Fail(_) => None,
        })
        .collect();
    message(model, &content, json!(stop_reason(steps)))
}

fn message(model: &str, content: &[Value], stop_reason: Value) -> Value {
    json!({
        "id": unique("msg"), "type": "message", "role": "assistant", "model": model,
        "content": content, "stop_reason": stop_reason, "stop_sequence": null,
        "usage": {"input_tokens": 25, "output_tokens": 1, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0},
    })
}

fn stop_reason(steps: &[Step]) -> &'static str {
    match steps.iter().any(|step| matches!(step, Step::Call { .. })) {
        true => "tool_use",
        false => "end_turn",
    }
}

fn unique(prefix: &str) -> String {
    format!("{prefix}_{}", uuid::Uuid::new_v4().simple())
}
