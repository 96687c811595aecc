//! What was granted for one session, as settings that no file keeps.

use crate::model::Suggestion;
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub fn settings(granted: &[Suggestion]) -> Value {
    let mut permissions: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for one in granted {
        if let Some(list) = one.list_in_settings() {
            permissions.entry(list).or_default().extend(one.grants());
        }
    }
    json!({"permissions": permissions})
}
