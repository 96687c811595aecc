//! Owns the models that the scripted agent claims to have: enough for a host to show a choice.

use serde_json::{Value, json};

pub const CONTEXT_WINDOW: u64 = 200_000;

/// Of the models that can be told how much to think.
const EFFORTS: [&str; 5] = ["low", "medium", "high", "xhigh", "max"];
pub const OWN_EFFORT: &str = "medium";
/// The one that cannot.
const QUICK: &str = "quick";

const MODELS: [(&str, &str, &str, &str); 3] = [
    (
        "default",
        "countersign-demo",
        "Default (demo)",
        "The scripted demo agent · costs nothing",
    ),
    (
        QUICK,
        "countersign-demo-quick",
        "Quick (demo)",
        "The same script under another name",
    ),
    (
        "thorough",
        "countersign-demo-thorough",
        "Thorough (demo)",
        "The same script under another name",
    ),
];

pub fn list() -> Value {
    let models: Vec<Value> = MODELS
        .iter()
        .map(|(value, resolved, name, description)| {
            let mut model = json!({"value": value, "resolvedModel": resolved, "displayName": name, "description": description});
            if *value != QUICK {
                model["supportsEffort"] = json!(true);
                model["supportedEffortLevels"] = json!(EFFORTS);
            }
            model
        })
        .collect();
    json!(models)
}

/// What applies when this was asked for; a word that is none changes nothing.
pub fn effort(asked: Option<&str>, before: &'static str) -> &'static str {
    match asked {
        None => OWN_EFFORT,
        Some(asked) => EFFORTS
            .into_iter()
            .find(|one| *one == asked)
            .unwrap_or(before),
    }
}

/// None: the model cannot be told.
pub fn applied_effort(model: &str, effort: &'static str) -> Option<&'static str> {
    (model != resolve(Some(QUICK))).then_some(effort)
}

/// What `/effort` answers, and what applies then.
pub fn said_effort(word: Option<&str>, before: &'static str) -> (String, &'static str) {
    let all = EFFORTS.join("|");
    match word {
        None => (format!("Usage: /effort <{all}|auto>"), before),
        Some("auto") => (
            "Effort level set to auto (this session only)".to_owned(),
            OWN_EFFORT,
        ),
        Some(word) if EFFORTS.contains(&word) => (
            format!("Set effort level to {word} (this session only)"),
            effort(Some(word), before),
        ),
        Some(word) => (
            format!(
                "Invalid argument: {word}. Valid options are: {}, auto",
                EFFORTS.join(", ")
            ),
            before,
        ),
    }
}

/// An unfamiliar name is taken as it is, as the CLI does when the service accepts it.
pub fn resolve(name: Option<&str>) -> String {
    let name = name.unwrap_or("default");
    MODELS
        .iter()
        .find(|(value, ..)| *value == name)
        .map_or(name, |(_, resolved, ..)| resolved)
        .to_owned()
}
