//! Owns reading, writing and editing a file, with results in the words of the CLI.

use std::fs;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::outcomes::Done;
use crate::model::MediaType;

const LONGEST_FILE: u64 = 256 * 1024;
const CURRENT: &str = "(file state is current in your context — no need to Read it back)";

pub fn read(path: &Path) -> Done {
    match fs::metadata(path) {
        Err(_) => return Done::error("File does not exist."),
        Ok(data) if data.is_dir() => {
            return Done::error("EISDIR: illegal operation on a directory, read");
        }
        Ok(data) if data.len() > LONGEST_FILE => {
            return Done::error(format!(
                "File content ({} bytes) exceeds maximum allowed size (256KB).",
                data.len()
            ));
        }
        Ok(_) => {}
    }
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) => return Done::error(error.to_string()),
    };
    if let Some(kind) = MediaType::of(&bytes).filter(|kind| kind.is_image()) {
        return picture(kind, &bytes);
    }
    let content = String::from_utf8_lossy(&bytes).into_owned();
    // the CLI counts the empty line after the last line break too
    let lines: Vec<&str> = content.split('\n').collect();
    let numbered: Vec<String> = lines
        .iter()
        .enumerate()
        .map(|(at, line)| format!("{}\t{line}", at + 1))
        .collect();
    let file = json!({
        "filePath": path, "content": content, "numLines": lines.len(), "startLine": 1, "totalLines": lines.len(),
    });
    Done::text(numbered.join("\n"), json!({"type": "text", "file": file}))
}

/// A picture comes as the model sees it, without words.
fn picture(kind: MediaType, bytes: &[u8]) -> Done {
    let data = STANDARD.encode(bytes);
    let source = json!({"type": "base64", "media_type": kind.word(), "data": data});
    let file = json!({"base64": data, "type": kind.word(), "originalSize": bytes.len()});
    Done {
        content: json!([{"type": "image", "source": source}]),
        is_error: None,
        detail: json!({"type": "image", "file": file}),
        text: String::new(),
    }
}

pub fn write(path: &Path, content: &str) -> Done {
    let original = fs::read_to_string(path).ok();
    if let Some(folder) = path.parent()
        && let Err(error) = fs::create_dir_all(folder)
    {
        return Done::error(error.to_string());
    }
    if let Err(error) = fs::write(path, content) {
        return Done::error(error.to_string());
    }
    let (kind, said) = match original {
        Some(_) => (
            "update",
            format!(
                "The file {} has been updated successfully. {CURRENT}",
                path.display()
            ),
        ),
        None => (
            "create",
            format!("File created successfully at: {} {CURRENT}", path.display()),
        ),
    };
    let patch = original
        .as_deref()
        .map_or_else(|| json!([]), |before| patch(before, content));
    Done::text(
        said,
        json!({
            "type": kind, "filePath": path, "content": content, "structuredPatch": patch, "originalFile": original,
            "userModified": false,
        }),
    )
}

pub fn edit(path: &Path, old: &str, new: &str, replace_all: bool) -> Done {
    let Ok(original) = fs::read_to_string(path) else {
        return Done::error("File does not exist.");
    };
    match original.matches(old).count() {
        0 => {
            return Done::error(format!(
                "String to replace not found in file.\nString: {old}"
            ));
        }
        1 => {}
        _ if replace_all => {}
        count => {
            return Done::error(format!(
                "Found {count} matches of the string to replace, but replace_all is false. To replace all occurrences, \
                 set replace_all to true.\nString: {old}"
            ));
        }
    }
    let changed = original.replace(old, new);
    if let Err(error) = fs::write(path, &changed) {
        return Done::error(error.to_string());
    }
    let said = format!(
        "The file {} has been updated successfully. {CURRENT}",
        path.display()
    );
    Done::text(
        said,
        json!({
            "filePath": path, "oldString": old, "newString": new, "originalFile": original,
            "structuredPatch": patch(&original, &changed), "userModified": false, "replaceAll": replace_all,
        }),
    )
}

/// One hunk around everything that differs, with up to three lines before and after.
fn patch(before: &str, after: &str) -> Value {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let same_start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let most = old.len().min(new.len()) - same_start;
    let same_end = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take(most)
        .take_while(|(a, b)| a == b)
        .count();
    if same_start == old.len() && same_start == new.len() {
        return json!([]);
    }
    let start = same_start.saturating_sub(3);
    let tail = same_end.min(3);
    let (old_end, new_end) = (old.len() - same_end, new.len() - same_end);
    let mut lines: Vec<String> = old[start..same_start]
        .iter()
        .map(|line| format!(" {line}"))
        .collect();
    lines.extend(
        old[same_start..old_end]
            .iter()
            .map(|line| format!("-{line}")),
    );
    lines.extend(
        new[same_start..new_end]
            .iter()
            .map(|line| format!("+{line}")),
    );
    lines.extend(
        old[old_end..old_end + tail]
            .iter()
            .map(|line| format!(" {line}")),
    );
    json!([{
        "oldStart": start + 1, "oldLines": old_end + tail - start,
        "newStart": start + 1, "newLines": new_end + tail - start, "lines": lines,
    }])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::patch;

    #[test]
    fn a_patch_shows_what_changed() {
        assert_eq!(
            patch("line1\nline2\n", "LINE1\nline2\n"),
            json!([{"oldStart": 1, "oldLines": 2, "newStart": 1, "newLines": 2, "lines": ["-line1", "+LINE1", " line2"]}])
        );
        assert_eq!(patch("a\n", "a\n"), json!([]));
        assert_eq!(patch("a\na\n", "a\n")[0]["lines"], json!([" a", "-a"]));
    }
}
