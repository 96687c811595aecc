//! Owns the models that the scripted agent claims to have: enough for a host to show a choice.

use serde_json::{Value, json};

pub const CONTEXT_WINDOW: u64 = 200_000;

const MODELS: [(&str, &str, &str, &str); 3] = [
    (
        "default",
        "countersign-demo",
        "Default (demo)",
        "The scripted demo agent · costs nothing",
    ),
    (
        "quick",
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
            json!({"value": value, "resolvedModel": resolved, "displayName": name, "description": description})
        })
        .collect();
    json!(models)
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
