//! What we make of every recording, against what we made of it when somebody last looked. `COUNTERSIGN_REWRITE=1`
//! writes it anew; the difference is then to be read.

use super::{listener, recordings};
use std::fs;

#[test]
fn every_recording_is_heard_as_it_was_before() {
    let rewrites = std::env::var_os("COUNTERSIGN_REWRITE").is_some();
    let mut differing = Vec::new();
    let mut expected_files = Vec::new();
    for recording in recordings::all() {
        let heard = listener::hear(&recording);
        let name = format!("{}.txt", recording.name);
        let file = recordings::folder("heard").join(&name);
        if rewrites {
            fs::write(&file, &heard).expect("written");
        }
        let before = fs::read_to_string(&file).unwrap_or_default();
        if heard != before {
            differing.push(format!("{name}: {}", first_difference(&before, &heard)));
        }
        expected_files.push(name);
    }
    assert!(
        differing.is_empty(),
        "Look at these; if they are right, run this with COUNTERSIGN_REWRITE=1:\n{}",
        differing.join("\n")
    );
    let mut files: Vec<String> = fs::read_dir(recordings::folder("heard"))
        .expect("a folder")
        .map(|file| {
            file.expect("a file")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    files.sort();
    assert_eq!(files, expected_files, "one text for each recording");
}

fn first_difference(before: &str, now: &str) -> String {
    let (mut before, mut now) = (before.lines(), now.lines());
    for line in 1.. {
        match (before.next(), now.next()) {
            (None, None) => break,
            (was, is) if was != is => {
                return format!(
                    "line {line}\n  was {}\n  is  {}",
                    was.unwrap_or("(none)"),
                    is.unwrap_or("(none)")
                );
            }
            _ => {}
        }
    }
    "the end of the file".to_owned()
}
