//! Where a path leads, and what is never opened.

use super::{World, drawn};
use crate::model::insight::file::{Before, FileInsight, Note, Place, Problem};
use serde_json::json;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const SECRET: &str = "the secret beside the project\n";

fn shows_secret(insight: &FileInsight) -> bool {
    serde_json::to_string(insight)
        .expect("json")
        .contains("secret beside")
}

#[test]
fn outside_the_project_nothing_is_read() {
    let world = World::new();
    let secret = world.elsewhere().join("secret.txt");
    fs::write(&secret, SECRET).expect("a file");
    let project = world.project();
    for path in [
        secret.display().to_string(),
        "../elsewhere/secret.txt".to_owned(),
        project
            .join("x/../../elsewhere/secret.txt")
            .display()
            .to_string(),
        "~/elsewhere/secret.txt".to_owned(),
    ] {
        let insight = world.look("Write", json!({"file_path": path, "content": "new\n"}));
        assert_eq!(insight.path.place, Place::Outside, "{path}");
        assert_eq!(insight.before, Before::Outside);
        assert_eq!(insight.path.shown, secret.display().to_string());
        assert_eq!(drawn(&insight.change.rows), ["+· · new"]);
        assert_eq!(insight.notes, [Note::NotCompared]);
        let input = json!({"file_path": path, "old_string": "the", "new_string": "a"});
        assert!(!shows_secret(&world.look("Edit", input)));
    }
}

#[test]
fn a_folder_with_the_same_beginning_is_outside() {
    let world = World::new();
    let path = format!("{}-2/a.txt", world.project().display());
    let insight = world.look("Write", json!({"file_path": path, "content": ""}));
    assert_eq!(insight.path.place, Place::Outside);
}

#[test]
fn links_show_their_real_target_in_parents_too() {
    let world = World::new();
    fs::write(world.elsewhere().join("secret.txt"), SECRET).expect("a file");
    world.file("real/a.txt", "a\n");
    let project = world.project();
    let link = |to: &Path, name: &str| symlink(to, project.join(name)).expect("a link");
    link(&world.elsewhere().join("secret.txt"), "out.txt");
    link(&world.elsewhere(), "door");
    link(Path::new("real"), "inner");
    link(Path::new("inner/a.txt"), "chain.txt");
    link(Path::new("nowhere/yet.txt"), "dangling.txt");
    let elsewhere = world.elsewhere().canonicalize().expect("a folder");
    let outside = |name: &str| Some(elsewhere.join(name).display().to_string());
    let inside = |name: &str| Some(name.to_owned());
    for (name, real, place, is_link) in [
        ("out.txt", outside("secret.txt"), Place::Outside, true),
        (
            "door/secret.txt",
            outside("secret.txt"),
            Place::Outside,
            false,
        ),
        (
            "door/new/file.txt",
            outside("new/file.txt"),
            Place::Outside,
            false,
        ),
        ("inner/a.txt", inside("real/a.txt"), Place::Project, false),
        (
            "inner/new.txt",
            inside("real/new.txt"),
            Place::Project,
            false,
        ),
        ("chain.txt", inside("real/a.txt"), Place::Project, true),
        (
            "dangling.txt",
            inside("nowhere/yet.txt"),
            Place::Project,
            true,
        ),
        ("real/a.txt", None, Place::Project, false),
    ] {
        let insight = world.write(name, "x\n");
        assert_eq!(insight.path.shown, name);
        assert_eq!(insight.path.real, real, "{name}");
        assert_eq!(insight.path.place, place, "{name}");
        assert_eq!(insight.path.is_link, is_link, "{name}");
        assert!(!shows_secret(&insight), "{name}");
    }
    assert_eq!(
        drawn(&world.write("chain.txt", "x\n").change.rows),
        ["-1 · a", "+· 1 x"]
    );
    assert_eq!(world.write("dangling.txt", "x\n").before, Before::Missing);
}

#[test]
fn a_project_that_is_itself_a_link_is_no_news() {
    let world = World::new();
    world.file("a.txt", "a\n");
    let named = world.folder.path().join("alias");
    symlink(world.project(), &named).expect("a link");
    let workspace = super::Workspace {
        project: &named,
        home: None,
    };
    for folder in [
        named.clone(),
        world.project().canonicalize().expect("a folder"),
    ] {
        let input = json!({"file_path": folder.join("a.txt"), "content": "b\n"});
        let input = crate::model::ToolInput::from_value(input);
        let limits = super::patient();
        let insight = super::look(workspace, "Write", &input, &limits).expect("an insight");
        assert_eq!(insight.path.shown, "a.txt");
        assert_eq!(insight.path.real, None);
        assert_eq!(insight.path.place, Place::Project);
        assert_eq!(drawn(&insight.change.rows), ["-1 · a", "+· 1 b"]);
    }
}

#[test]
fn links_in_a_circle_end() {
    let world = World::new();
    symlink("b", world.project().join("a")).expect("a link");
    symlink("a", world.project().join("b")).expect("a link");
    for name in ["a", "a/file.txt"] {
        let insight = world.write(name, "x");
        assert_eq!(insight.path.place, Place::Unknown);
        assert!(matches!(insight.before, Before::Unreadable { .. }));
    }
}

#[test]
fn a_pipe_is_not_opened_and_nothing_hangs() {
    let world = World::new();
    let pipe = world.project().join("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .expect("mkfifo")
            .success()
    );
    let start = Instant::now();
    let insight = world.write("pipe", "x");
    assert_eq!(insight.before, Before::Special);
    assert_eq!(insight.problem, Some(Problem::NotText));
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_directory_and_a_file_in_the_way_say_so() {
    let world = World::new();
    world.file("folder/a.txt", "a\n");
    assert_eq!(world.write("folder", "x").before, Before::Directory);
    assert_eq!(world.write("", "x").before, Before::Directory);
    let insight = world.write("folder/a.txt/b.txt", "x");
    assert!(
        matches!(insight.before, Before::Unreadable { .. }),
        "{:?}",
        insight.before
    );
}

#[test]
fn what_the_system_invents_is_never_read_even_in_a_project_that_is_everything() {
    let workspace = super::Workspace {
        project: Path::new("/"),
        home: None,
    };
    for path in [
        "/proc/self/environ",
        "/dev/zero",
        "/sys/kernel/uevent_seqnum",
        "/proc/self/fd/0",
    ] {
        let input = json!({"file_path": path, "content": ""});
        let input = crate::model::ToolInput::from_value(input);
        let insight =
            super::look(workspace, "Write", &input, &super::patient()).expect("an insight");
        assert!(
            matches!(insight.before, Before::Special | Before::Unreadable { .. }),
            "{path}: {:?}",
            insight.before
        );
    }
}

#[test]
fn what_may_not_be_read_says_why() {
    let world = World::new();
    world.file("a.txt", "a\n");
    let path = world.project().join("a.txt");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).expect("permissions");
    let insight = world.write("a.txt", "b\n");
    // root may read everything
    if fs::read(&path).is_err() {
        assert!(matches!(insight.before, Before::Unreadable { .. }));
        assert_eq!(insight.notes, [Note::NotCompared]);
    } else {
        assert!(matches!(insight.before, Before::Text { .. }));
    }
}

#[test]
fn what_cannot_be_a_path_is_not_looked_for() {
    let world = World::new();
    for path in ["", "a\0b", "/etc/passwd\0.txt"] {
        let insight = world.look("Write", json!({"file_path": path, "content": "x"}));
        assert_eq!(insight.problem, Some(Problem::InvalidPath));
        assert_eq!(insight.path.place, Place::Unknown);
    }
    let long = "x".repeat(10_000);
    assert!(matches!(
        world.write(&long, "x").before,
        Before::Unreadable { .. }
    ));
}

#[test]
fn a_second_name_of_the_same_file_is_told() {
    let world = World::new();
    fs::write(world.elsewhere().join("other.txt"), "a\n").expect("a file");
    fs::hard_link(
        world.elsewhere().join("other.txt"),
        world.project().join("a.txt"),
    )
    .expect("a link");
    assert_eq!(world.write("a.txt", "b\n").notes, [Note::HardLink]);
}

/// A link is put in the place of the file, and of its folder, again and again, while it is read.
#[test]
fn a_link_that_comes_in_between_leads_nowhere() {
    let world = World::new();
    fs::write(world.elsewhere().join("a.txt"), SECRET).expect("a file");
    world.file("folder/a.txt", "harmless\n");
    let project = world.project();
    symlink(world.elsewhere(), project.join("trap")).expect("a link");
    symlink(world.elsewhere().join("a.txt"), project.join("folder/trap")).expect("a link");
    let is_over = AtomicBool::new(false);
    let swap = |one: &Path, other: &Path| {
        let aside = project.join("aside");
        for (from, to) in [
            (one, aside.as_path()),
            (other, one),
            (aside.as_path(), other),
        ] {
            fs::rename(from, to).expect("a move");
        }
    };
    std::thread::scope(|threads| {
        threads.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                for _ in 0..2 {
                    swap(&project.join("folder"), &project.join("trap"));
                }
                for _ in 0..2 {
                    swap(&project.join("folder/a.txt"), &project.join("folder/trap"));
                }
            }
        });
        let start = Instant::now();
        let mut is_shown = false;
        while !is_shown && start.elapsed() < Duration::from_millis(500) {
            is_shown = shows_secret(&world.write("folder/a.txt", "x\n"));
        }
        // first this: the other thread goes on until it is told
        is_over.store(true, Ordering::Relaxed);
        assert!(!is_shown);
    });
}
