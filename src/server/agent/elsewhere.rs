//! What was said in a conversation elsewhere, perhaps in a terminal, since it was last ours. With each line the agent writes
//! down who had started it.

use super::launch::ENTRYPOINT;
use serde::Deserialize;
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use uuid::Uuid;

/// Only the end of a long conversation is looked at.
const MOST: u64 = 8 * 1024 * 1024;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    r#type: String,
    entrypoint: Option<String>,
    #[serde(default)]
    is_meta: bool,
    #[serde(default)]
    is_sidechain: bool,
    #[serde(default)]
    message: Value,
}

impl Line {
    /// Of a person: what tools brought is in such lines, too.
    fn is_said(&self) -> bool {
        let content = &self.message["content"];
        let has_text = || {
            let blocks = content.as_array().into_iter().flatten();
            blocks.into_iter().any(|block| block["type"] == "text")
        };
        self.r#type == "user"
            && !self.is_meta
            && !self.is_sidechain
            && (content.is_string() || has_text())
    }
}

/// How many messages others wrote after our last one. Blocks while it reads.
pub fn messages_since(directory: &Path, conversation: Uuid) -> usize {
    let Some(file) = kept_in(directory, conversation) else {
        return 0;
    };
    let Ok(lines) = end_of(&file) else {
        return 0;
    };
    let mut count = 0;
    for line in lines.filter_map(|line| serde_json::from_str::<Line>(&line).ok()) {
        match line.entrypoint.as_deref() {
            Some(ENTRYPOINT) => count = 0,
            Some(_) if line.is_said() => count += 1,
            _ => {}
        }
    }
    count
}

fn kept_in(directory: &Path, conversation: Uuid) -> Option<PathBuf> {
    let projects = std::fs::read_dir(directory.join("projects")).ok()?;
    let name = format!("{conversation}.jsonl");
    let mut files = projects.flatten().map(|project| project.path().join(&name));
    files.find(|file| file.is_file())
}

fn end_of(file: &Path) -> std::io::Result<impl Iterator<Item = String> + use<>> {
    let mut file = File::open(file)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(MOST)))?;
    // the first line may be cut, and is then none
    let lines = BufReader::new(file).split(b'\n').map_while(Result::ok);
    Ok(lines.map(|line| String::from_utf8_lossy(&line).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_what_others_said_after_us_is_counted() {
        let directory = tempfile::tempdir().expect("directory");
        let id = Uuid::new_v4();
        assert_eq!(messages_since(directory.path(), id), 0, "there is none");
        let folder = directory.path().join("projects/-code-api");
        std::fs::create_dir_all(&folder).expect("a folder");
        let user = |who: &str, content: Value| json!({"type": "user", "entrypoint": who, "message": {"role": "user", "content": content}});
        let lines = |lines: &[Value]| {
            let text: Vec<String> = lines.iter().map(Value::to_string).collect();
            std::fs::write(folder.join(format!("{id}.jsonl")), text.join("\n")).expect("written");
            messages_since(directory.path(), id)
        };
        let (ours, theirs) = (user(ENTRYPOINT, json!("hello")), user("cli", json!("hi")));
        assert_eq!(lines(std::slice::from_ref(&ours)), 0);
        assert_eq!(lines(&[ours.clone(), theirs.clone(), theirs.clone()]), 2);
        assert_eq!(lines(&[theirs.clone(), ours.clone()]), 0, "long known");
        let with_picture = user(
            "cli",
            json!([{"type": "image"}, {"type": "text", "text": "see"}]),
        );
        let result = user("cli", json!([{"type": "tool_result"}]));
        let mut aside = theirs.clone();
        aside["isSidechain"] = json!(true);
        assert_eq!(
            lines(&[
                ours,
                with_picture,
                result,
                aside,
                json!({"type": "summary"})
            ]),
            1
        );
    }
}
