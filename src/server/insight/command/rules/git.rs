//! Git: what rewrites history, throws changes away or leaves the checks out.

use super::{Look, deletes, list};
use crate::model::insight::command::MarkKind::{Forces, RewritesHistory};
use crate::server::insight::command::script::{Command, Word};

pub fn look(look: &mut Look<'_>, command: &Command) {
    if command.program() != "git" {
        return;
    }
    let Some(start) = subcommand(command.arguments()) else {
        return;
    };
    let arguments = &command.arguments()[start..];
    let Some((name, rest)) = arguments.split_first() else {
        return;
    };
    let git = Git { command, rest };
    match name.value.as_str() {
        "push" => push(look, &git),
        "reset" => git.caution_or_danger(
            look,
            git.long(&["--hard", "--merge"]),
            true,
            "Discards all changes: git reset",
        ),
        "rebase"
            if git
                .long(&[
                    "--abort",
                    "--continue",
                    "--skip",
                    "--quit",
                    "--show-current-patch",
                ])
                .is_none() =>
        {
            look.caution(
                command,
                RewritesHistory,
                "Rewrites history: git rebase",
                &[name],
            );
        }
        "filter-branch" | "filter-repo" => look.danger(
            command,
            RewritesHistory,
            "Rewrites the whole history",
            &[name],
        ),
        "commit" => {
            git.caution_or_danger(
                look,
                git.long(&["--amend"]),
                false,
                "Replaces the last commit",
            );
            git.skips_checks(look, git.long(&["--no-verify"]).or_else(|| git.letter("n")));
        }
        "clean" => {
            let dry = git
                .letter("n")
                .or_else(|| git.long(&["--dry-run"]))
                .is_some();
            let option = git
                .letter("f")
                .or_else(|| git.long(&["--force"]))
                .filter(|_| !dry);
            git.caution_or_danger(look, option, true, "Deletes files that git does not keep");
        }
        "branch" => {
            let option = git
                .letter("DMC")
                .or_else(|| git.letter("f"))
                .or_else(|| git.long(&["--force"]));
            git.caution_or_danger(
                look,
                option,
                false,
                "Deletes or moves a branch, merged or not",
            );
        }
        "reflog" if git.has("expire") || git.has("delete") => {
            look.danger(
                command,
                RewritesHistory,
                "Deletes what lost commits are found by",
                &[name],
            );
        }
        "gc" => git.caution_or_danger(
            look,
            git.rest.iter().find(|word| {
                word.value.starts_with("--prune=now") || word.value.starts_with("--prune=all")
            }),
            false,
            "Deletes lost commits for good",
        ),
        "update-ref" => git.caution_or_danger(look, git.letter("d"), true, "Deletes a reference"),
        "stash" if git.has("drop") || git.has("clear") => {
            look.caution(
                command,
                RewritesHistory,
                "Throws stashed changes away",
                &[name],
            );
        }
        "tag" => git.caution_or_danger(
            look,
            git.letter("f").or_else(|| git.long(&["--force"])),
            false,
            "Moves a tag that exists",
        ),
        "checkout" | "switch" | "restore" => discards(look, &git, name),
        "rm" => remove(look, &git),
        "worktree" | "submodule" => {
            if let Some(option) = git.letter("f").or_else(|| git.long(&["--force"])) {
                look.caution(
                    command,
                    Forces,
                    "Removes it even with changes inside",
                    &[option],
                );
            }
        }
        _ => {}
    }
}

struct Git<'c> {
    command: &'c Command,
    rest: &'c [Word],
}

impl<'c> Git<'c> {
    /// Options end where paths begin.
    fn options(&self) -> impl Iterator<Item = &'c Word> {
        self.rest.iter().take_while(|word| word.value != "--")
    }

    fn long(&self, names: &[&str]) -> Option<&'c Word> {
        self.options()
            .find(|word| names.iter().any(|name| word.is_long(name)))
    }

    /// A message is a value: `-m "-f"` and `-mfix` force nothing.
    fn letter(&self, letter: &str) -> Option<&'c Word> {
        let mut after_message = false;
        self.options().find(|word| {
            let value = std::mem::replace(
                &mut after_message,
                word.has_letter("m") && word.value.ends_with('m'),
            );
            !value && !word.value.starts_with("-m") && word.has_letter(letter)
        })
    }

    fn has(&self, name: &str) -> bool {
        self.rest.iter().any(|word| word.value == name)
    }

    fn caution_or_danger(
        &self,
        look: &mut Look<'_>,
        option: Option<&Word>,
        danger: bool,
        sentence: &str,
    ) {
        match option {
            Some(option) if danger => {
                look.danger(self.command, RewritesHistory, sentence, &[option])
            }
            Some(option) => look.caution(self.command, RewritesHistory, sentence, &[option]),
            None => {}
        }
    }

    fn skips_checks(&self, look: &mut Look<'_>, option: Option<&Word>) {
        if let Some(option) = option {
            look.caution(
                self.command,
                Forces,
                "Leaves the project's checks out (no hooks)",
                &[option],
            );
        }
    }
}

/// Past `-C directory`, `-c name=value` and other options of git itself.
pub fn subcommand(words: &[Word]) -> Option<usize> {
    let mut at = 0;
    while let Some(word) = words.get(at) {
        match word.value.as_str() {
            "-C" | "-c" | "--git-dir" | "--work-tree" | "--namespace" => at += 2,
            option if option.starts_with('-') => at += 1,
            _ => return Some(at),
        }
    }
    None
}

fn push(look: &mut Look<'_>, git: &Git<'_>) {
    let plus = git
        .rest
        .iter()
        .filter(|word| !word.is_option())
        .skip(1)
        .find(|word| word.value.starts_with('+'));
    let force = git
        .long(&["--force", "--mirror"])
        .or_else(|| git.letter("f"))
        .or(plus);
    if let Some(option) = force {
        look.danger(
            git.command,
            RewritesHistory,
            "Overwrites history on the remote",
            &[option],
        );
        look.caution(
            git.command,
            Forces,
            format!("Forces the push: {}", list([option])),
            &[option],
        );
    } else if let Some(option) = git.long(&["--force-with-lease", "--force-if-includes"]) {
        look.caution(
            git.command,
            RewritesHistory,
            "Overwrites history on the remote, unless somebody else pushed",
            &[option],
        );
    }
    let delete = git
        .long(&["--delete"])
        .or_else(|| git.letter("d"))
        .or_else(|| {
            git.rest
                .iter()
                .filter(|word| !word.is_option())
                .skip(1)
                .find(|word| word.value.starts_with(':') && word.value.len() > 1)
        });
    git.caution_or_danger(look, delete, false, "Deletes a branch or tag on the remote");
    git.skips_checks(look, git.long(&["--no-verify"]));
}

/// Out of the index alone nothing is lost: the files stay.
fn remove(look: &mut Look<'_>, git: &Git<'_>) {
    let only_index = git.long(&["--cached"]).is_some();
    let only_asks = git.letter("n").or_else(|| git.long(&["--dry-run"]));
    if only_index || only_asks.is_some() {
        return;
    }
    let paths: Vec<&Word> = git.rest.iter().filter(|word| !word.is_option()).collect();
    if let Some(option) = git.letter("r") {
        deletes::recursive(look, git.command, &paths, &[option]);
    }
    if let Some(option) = git.letter("f").or_else(|| git.long(&["--force"])) {
        let sentence = "Deletes files even with changes that are not committed";
        look.caution(git.command, Forces, sentence, &[option]);
    }
}

fn discards(look: &mut Look<'_>, git: &Git<'_>, name: &Word) {
    if let Some(option) = git
        .letter("f")
        .or_else(|| git.long(&["--force", "--discard-changes"]))
    {
        return look.danger(
            git.command,
            RewritesHistory,
            "Discards changes that are not committed",
            &[option],
        );
    }
    let paths: Vec<&Word> = match (
        name.value.as_str(),
        git.rest.iter().position(|word| word.value == "--"),
    ) {
        (_, Some(dashes)) => git.rest[dashes + 1..].iter().collect(),
        ("restore", None) => git.rest.iter().filter(|word| !word.is_option()).collect(),
        (_, None) => git.rest.iter().filter(|word| word.value == ".").collect(),
    };
    let only_staged = git.long(&["--staged"]).is_some() && git.long(&["--worktree"]).is_none();
    let keeps_files = name.value == "restore" && only_staged;
    if !paths.is_empty() && !keeps_files {
        look.caution(
            git.command,
            RewritesHistory,
            format!("Discards changes: {}", list(paths.iter().copied())),
            &paths,
        );
    }
}
