//! Owns the meaning of a host's answer to `can_use_tool`.

use serde_json::{Map, Value};

#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    Allow {
        /// `None` = run what was asked; an empty object counts as that too.
        updated_input: Option<Map<String, Value>>,
        updated_permissions: Vec<Value>,
        permanent: bool,
    },
    Deny {
        message: String,
        interrupt: bool,
    },
    /// The host answered with an error instead of a decision.
    Failed(String),
    /// Not a decision at all; counts as a refusal.
    Invalid,
    /// stdin ended before an answer came.
    StreamClosed,
    /// The agent took its question back.
    Withdrawn,
}

pub const INVALID: &str = "The canUseTool callback returned an invalid permission result. Expected {behavior: 'allow', \
updatedInput?: object} or {behavior: 'deny', message: string}. updatedPermissions may hold at most 4096 updates, rules \
and directories in all.";

pub const REJECTED: &str = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was \
a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how \
to proceed.";

/// Reads the inner `response` object of a `control_response`.
pub fn interpret(response: &Value) -> Answer {
    if response["subtype"] == "error" {
        return Answer::Failed(
            response["error"]
                .as_str()
                .unwrap_or("unknown error")
                .to_owned(),
        );
    }
    let decision = &response["response"];
    match decision["behavior"].as_str() {
        Some("allow") => allow(decision),
        Some("deny") => match decision["message"].as_str() {
            Some(message) => Answer::Deny {
                message: message.to_owned(),
                interrupt: decision["interrupt"] == true,
            },
            None => Answer::Invalid,
        },
        _ => Answer::Invalid,
    }
}

fn allow(decision: &Value) -> Answer {
    let updated_input = match &decision["updatedInput"] {
        Value::Null => None,
        Value::Object(input) => Some(input.clone()).filter(|input| !input.is_empty()),
        _ => return Answer::Invalid,
    };
    Answer::Allow {
        updated_input,
        // a malformed list is passed over while the permission itself is honoured
        updated_permissions: decision["updatedPermissions"]
            .as_array()
            .cloned()
            .unwrap_or_default(),
        permanent: decision["decisionClassification"] == "user_permanent",
    }
}

/// What the model is told after `AskUserQuestion`; `input` is the tool's input with the host's answers in it.
pub fn questions_result(input: &Value) -> String {
    if let Some(reply) = input["response"].as_str().filter(|reply| !reply.is_empty()) {
        return format!("The user responded: {reply}");
    }
    let (mut told, mut only_options) = (Vec::new(), true);
    for question in input["questions"].as_array().into_iter().flatten() {
        let Some(text) = question["question"].as_str() else {
            continue;
        };
        let Some(answer) = answer_text(&input["answers"][text]) else {
            continue;
        };
        let annotation = &input["annotations"][text];
        let mut line = format!("\"{text}\"=\"{answer}\"");
        if let Some(preview) = annotation["preview"].as_str() {
            line.push_str(&format!(" selected preview:\n{preview}"));
        }
        if let Some(notes) = annotation["notes"].as_str() {
            line.push_str(&format!(" notes: {notes}"));
            only_options = false;
        }
        only_options &= answer
            .split(',')
            .all(|part| is_label(question, part.trim()));
        told.push(line);
    }
    let told_in_one = told.join(", ");
    if told.is_empty() {
        "The user did not answer the questions.".to_owned()
    } else if only_options {
        format!(
            "Your questions have been answered: {told_in_one}. You can now continue with these answers in mind."
        )
    } else {
        format!(
            "The user answered: {told_in_one}. Read the answers carefully — they may request clarification, changes, \
             or that you not proceed — and follow what they actually say."
        )
    }
}

/// One string; a list of choices is accepted too and joined as the CLI joins it.
pub fn answer_text(answer: &Value) -> Option<String> {
    match answer {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => {
            let parts: Vec<&str> = parts.iter().filter_map(Value::as_str).collect();
            Some(parts.join(","))
        }
        _ => None,
    }
}

fn is_label(question: &Value, text: &str) -> bool {
    question["options"]
        .as_array()
        .is_some_and(|options| options.iter().any(|option| option["label"] == text))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Answer, interpret, questions_result};

    fn success(decision: Value) -> Answer {
        interpret(&json!({"subtype":"success","request_id":"r","response":decision}))
    }

    #[test]
    fn an_empty_updated_input_means_unchanged() {
        for decision in [
            json!({"behavior":"allow"}),
            json!({"behavior":"allow","updatedInput":{}}),
        ] {
            assert!(matches!(
                success(decision),
                Answer::Allow {
                    updated_input: None,
                    ..
                }
            ));
        }
        let changed = success(
            json!({"behavior":"allow","updatedInput":{"command":"ls"},"updatedPermissions":"bad"}),
        );
        let Answer::Allow {
            updated_input: Some(input),
            updated_permissions,
            ..
        } = changed
        else {
            panic!("not allowed");
        };
        assert_eq!(input["command"], "ls");
        assert!(updated_permissions.is_empty());
    }

    #[test]
    fn what_is_no_decision_counts_as_a_refusal() {
        for decision in [
            json!({"behavior":"maybe"}),
            json!({"behavior":"deny"}),
            json!({"behavior":"deny","message":42}),
            json!({"behavior":"allow","updatedInput":"text"}),
            Value::Null,
        ] {
            assert_eq!(success(decision.clone()), Answer::Invalid, "{decision}");
        }
        let failed =
            interpret(&json!({"subtype":"error","request_id":"r","error":"host exploded"}));
        assert_eq!(failed, Answer::Failed("host exploded".into()));
    }

    #[test]
    fn only_a_true_interrupt_interrupts() {
        let deny = |interrupt: Value| {
            success(json!({"behavior":"deny","message":"no","interrupt":interrupt}))
        };
        assert_eq!(
            deny(json!(true)),
            Answer::Deny {
                message: "no".into(),
                interrupt: true
            }
        );
        assert_eq!(
            deny(json!("yes")),
            Answer::Deny {
                message: "no".into(),
                interrupt: false
            }
        );
    }

    #[test]
    fn answers_are_told_as_the_cli_tells_them() {
        let questions = json!([
            {"question":"Which colour?","options":[{"label":"Red"},{"label":"Green"}]},
            {"question":"Which sizes?","multiSelect":true,"options":[{"label":"S"},{"label":"L"}]},
        ]);
        let told = |extra: Value| {
            let mut input = json!({ "questions": questions });
            if let (Value::Object(input), Value::Object(extra)) = (&mut input, extra) {
                input.extend(extra);
            }
            questions_result(&input)
        };
        assert_eq!(
            told(json!({"answers":{"Which colour?":"Red","Which sizes?":"S, L"}})),
            "Your questions have been answered: \"Which colour?\"=\"Red\", \"Which sizes?\"=\"S, L\". \
             You can now continue with these answers in mind."
        );
        assert!(
            told(json!({"answers":{"Which sizes?":["S","L"]}}))
                .contains("\"Which sizes?\"=\"S,L\"")
        );
        assert!(
            told(json!({"answers":{"Which colour?":"a free mauve"}}))
                .starts_with("The user answered: ")
        );
        let noted = told(json!({"answers":{"Which colour?":"Red"},
            "annotations":{"Which colour?":{"notes":"a side note","preview":"PV"}}}));
        assert!(noted.starts_with(
            "The user answered: \"Which colour?\"=\"Red\" selected preview:\nPV notes: a side note."
        ));
        for none in [
            json!({}),
            json!({"answers":{}}),
            json!({"answers":{"Colour":"Red"}}),
        ] {
            assert_eq!(told(none), "The user did not answer the questions.");
        }
        assert_eq!(
            told(json!({"answers":{"Which colour?":"Red"},"response":"hm"})),
            "The user responded: hm"
        );
    }
}
