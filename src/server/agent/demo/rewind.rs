//! Owns the way back: what was written before each message of the person, and what the files were before it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::agent::{Activity, Agent};

/// The messages of the person that the conversation still holds, oldest first.
#[derive(Debug, Default)]
pub struct Past(Vec<Said>);

#[derive(Debug)]
pub struct Said {
    pub uuid: String,
    pub text: String,
    /// The newest line before it.
    pub after: Option<String>,
    /// What it changed, as that was before; none is known of a message to an earlier process.
    files: Option<BTreeMap<PathBuf, Option<Vec<u8>>>>,
}

impl Said {
    pub fn read(uuid: &str, text: &str, after: Option<&str>) -> Self {
        Self {
            uuid: uuid.to_owned(),
            text: text.to_owned(),
            after: after.map(ToOwned::to_owned),
            files: None,
        }
    }
}

impl Past {
    pub fn of(said: Vec<Said>) -> Self {
        Self(said)
    }

    pub fn says(&mut self, said: Said) {
        let files = Some(BTreeMap::new());
        self.0.push(Said { files, ..said });
    }

    /// Before a file is changed.
    pub fn keep(&mut self, file: &Path) {
        let files = self.0.last_mut().and_then(|said| said.files.as_mut());
        if let Some(files) = files
            && !files.contains_key(file)
        {
            files.insert(file.to_owned(), fs::read(file).ok());
        }
    }

    fn place(&self, uuid: &str) -> Option<usize> {
        self.0.iter().position(|said| said.uuid == uuid)
    }

    /// The files as they were before a message; none if that is not known.
    fn files_before(&self, uuid: &str) -> Option<BTreeMap<PathBuf, Option<Vec<u8>>>> {
        let since = self.0.get(self.place(uuid)?..)?;
        let mut before = BTreeMap::new();
        for said in since {
            for (file, content) in said.files.as_ref()? {
                before
                    .entry(file.clone())
                    .or_insert_with(|| content.clone());
            }
        }
        Some(before)
    }
}

pub fn files(agent: &Agent, uuid: &str, dry_run: bool) -> Value {
    let Some(before) = agent.state().past.files_before(uuid) else {
        return json!({"canRewind": false, "error": "No file checkpoint found for this message."});
    };
    let mut changed = Vec::new();
    let (mut insertions, mut deletions) = (0, 0);
    for (file, content) in before {
        let now = fs::read(&file).ok();
        if now == content {
            continue;
        }
        let words = |bytes: &Option<Vec<u8>>| {
            String::from_utf8_lossy(bytes.as_deref().unwrap_or_default()).into_owned()
        };
        let (now, then) = (words(&now), words(&content));
        let (now, then): (Vec<&str>, Vec<&str>) = (now.lines().collect(), then.lines().collect());
        for part in capture_diff_slices(Algorithm::Myers, &now, &then) {
            let (_, gone, come) = part.as_tag_tuple();
            if part.tag() != DiffTag::Equal {
                deletions += gone.len();
                insertions += come.len();
            }
        }
        if !dry_run {
            let put_back = match content {
                Some(content) => fs::write(&file, content),
                None => fs::remove_file(&file),
            };
            if let Err(error) = put_back {
                return json!({"canRewind": false, "error": error.to_string()});
            }
        }
        changed.push(file);
    }
    match dry_run {
        true => json!({
            "canRewind": true, "filesChanged": changed, "insertions": insertions, "deletions": deletions,
        }),
        false => json!({"canRewind": true, "skippedLinks": 0}),
    }
}

pub fn conversation(agent: &Agent, target: &str, last_seen: Option<&str>) -> Value {
    let refused = |reason: &str| {
        json!({
            "rewound": false, "prefillText": null, "precedingAssistantUuid": null,
            "error": reason.replace('_', " "), "reason": reason,
        })
    };
    let mut state = agent.state();
    if state.activity != Activity::Idle {
        return refused("turn_running");
    }
    let Some(place) = state.past.place(target) else {
        return refused("target_not_found");
    };
    let newest = state.past.0.last().map(|said| said.uuid.as_str());
    if newest != Some(target) && newest != last_seen {
        return refused(match last_seen {
            None => "stale_target",
            Some(_) => "unseen_later_turn",
        });
    }
    let Some(said) = state.past.0.drain(place..).next() else {
        return refused("target_not_found");
    };
    state.prompts = place;
    state.resumed_prompts = None;
    state.dangling.clear();
    drop(state);
    agent.transcript().rewind(&said);
    json!({
        "rewound": true, "targetMessageUuid": said.uuid, "prefillText": said.text,
        "precedingAssistantUuid": said.after,
    })
}
