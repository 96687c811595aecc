//! Where a tool that only reads would look. Nothing is read here: the path is followed, and that is all.

use super::Workspace;
use super::on_disk::locate;
use crate::model::ToolInput;
use crate::model::insight::file::FilePath;
use std::path::{Path, PathBuf};

/// `None` if the tool does not read, or reads in the project as a matter of course.
pub fn whereabouts(workspace: Workspace, tool: &str, input: &ToolInput) -> Option<FilePath> {
    let named = named(tool, input)?;
    Some(locate(workspace, &named).0)
}

fn named(tool: &str, input: &ToolInput) -> Option<String> {
    let field = match tool {
        "Read" => "file_path",
        "NotebookRead" => "notebook_path",
        "Grep" | "LS" => "path",
        "Glob" => return searched(input),
        _ => return None,
    };
    input.text(field).map(str::to_owned)
}

/// The folder that a pattern begins in: `/etc/*.conf` looks into `/etc` wherever the search was to begin.
fn searched(input: &ToolInput) -> Option<String> {
    let pattern = Path::new(input.text("pattern").unwrap_or_default());
    let is_plain = |part: &std::path::Component<'_>| {
        let text = part.as_os_str().to_string_lossy();
        !text.contains(['*', '?', '[', '{'])
    };
    let beginning: PathBuf = pattern.components().take_while(is_plain).collect();
    let has_home = beginning.starts_with("~");
    match input.text("path") {
        Some(path) if has_home || beginning.as_os_str().is_empty() => Some(path.to_owned()),
        Some(path) => Some(
            Path::new(path)
                .join(beginning)
                .to_string_lossy()
                .into_owned(),
        ),
        None if beginning.as_os_str().is_empty() => None,
        None => Some(beginning.to_string_lossy().into_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::insight::file::Place;
    use serde_json::{Value, json};
    use std::fs;

    fn found(tool: &str, input: Value) -> Option<(Place, Option<String>)> {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("its name");
        let project = root.join("api");
        fs::create_dir_all(project.join("src")).expect("a project");
        fs::create_dir_all(root.join("secret")).expect("another folder");
        fs::write(root.join("secret/key"), "k").expect("a file");
        std::os::unix::fs::symlink(root.join("secret"), project.join("linked")).expect("a link");
        let input = input.to_string().replace("ROOT", &root.to_string_lossy());
        let workspace = Workspace {
            project: &project,
            home: Some(&root),
        };
        let input = ToolInput::from_json(&input).expect("an input");
        let path = whereabouts(workspace, tool, &input)?;
        let shorter = |real: String| real.replace(&*root.to_string_lossy(), "ROOT");
        Some((path.place, path.real.map(shorter)))
    }

    #[test]
    fn what_lies_outside_is_told_for_every_tool_that_reads() {
        for (tool, input) in [
            ("Read", json!({"file_path": "/etc/passwd"})),
            ("Read", json!({"file_path": "../secret/key"})),
            ("Read", json!({"file_path": "~/secret/key"})),
            (
                "NotebookRead",
                json!({"notebook_path": "ROOT/secret/a.ipynb"}),
            ),
            ("Grep", json!({"pattern": "x", "path": "ROOT/secret"})),
            ("LS", json!({"path": "/"})),
            ("Glob", json!({"pattern": "*", "path": "/etc"})),
            ("Glob", json!({"pattern": "/etc/*.conf"})),
            ("Glob", json!({"pattern": "../**/key"})),
            ("Glob", json!({"pattern": "../../secret/*", "path": "src"})),
        ] {
            let place = found(tool, input.clone()).map(|(place, _)| place);
            assert_eq!(place, Some(Place::Outside), "{tool} {input}");
        }
    }

    #[test]
    fn a_link_counts_as_what_it_leads_to() {
        let link = json!({"file_path": "linked/key"});
        let real = Some("ROOT/secret/key".to_owned());
        assert_eq!(found("Read", link), Some((Place::Outside, real)));
    }

    #[test]
    fn what_lies_inside_is_not_marked() {
        for (tool, input) in [
            ("Read", json!({"file_path": "src/main.rs"})),
            ("Read", json!({"file_path": "ROOT/api/src/main.rs"})),
            ("Grep", json!({"pattern": "/etc", "path": "src"})),
            ("Glob", json!({"pattern": "src/**/*.rs"})),
            ("Glob", json!({"pattern": "*.rs", "path": "src"})),
        ] {
            let place = found(tool, input.clone());
            assert_eq!(place, Some((Place::Project, None)), "{tool} {input}");
        }
        for (tool, input) in [
            ("Grep", json!({"pattern": "/etc"})),
            ("Glob", json!({"pattern": "**/*.rs"})),
            ("Write", json!({"file_path": "/etc/passwd", "content": ""})),
            ("WebSearch", json!({"path": "/etc"})),
        ] {
            assert_eq!(found(tool, input.clone()), None, "{tool} {input}");
        }
    }
}
