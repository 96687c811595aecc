//! Writes below the file system.

use super::{Look, short};
use crate::model::insight::command::MarkKind::WritesDisk;
use crate::server::insight::command::script::{Command, RedirectionKind, Word};

pub fn look(look: &mut Look<'_>, command: &Command) {
    for redirection in &command.redirections {
        if matches!(
            redirection.kind,
            RedirectionKind::Write | RedirectionKind::Append
        ) && is_disk(&redirection.target.value)
        {
            say(
                look,
                command,
                &redirection.target,
                &redirection.target.value,
            );
        }
    }
    match command.program() {
        "dd" => {
            for word in command.arguments() {
                if let Some(target) = word.after("of").filter(|target| is_disk(target)) {
                    say(look, command, word, target);
                }
            }
        }
        "cp" | "tee" | "mv" | "cat" | "pv" => {
            if let Some(word) = command
                .operands()
                .last()
                .filter(|word| command.program() != "cat" && is_disk(&word.value))
            {
                say(look, command, word, &word.value);
            }
        }
        "wipefs" | "blkdiscard" | "sgdisk" | "mkswap" | "lvremove" | "vgremove" | "pvremove" => {
            look.danger(command, WritesDisk, "Changes a disk itself", &[]);
        }
        "fdisk" | "sfdisk" | "parted" | "gdisk"
            if command.option("l", &["--list"]).is_none() && !command.arguments().is_empty() =>
        {
            look.danger(command, WritesDisk, "Changes the parts of a disk", &[]);
        }
        "diskutil"
            if command.subcommand().to_ascii_lowercase().contains("erase")
                || command.subcommand() == "partitionDisk" =>
        {
            look.danger(command, WritesDisk, "Erases a disk", &[]);
        }
        "cryptsetup" if command.subcommand().contains("Format") => {
            look.danger(command, WritesDisk, "Erases a disk", &[])
        }
        "zpool" | "zfs" if command.subcommand() == "destroy" => {
            look.danger(command, WritesDisk, "Destroys a file system", &[])
        }
        name if name == "mkfs" || name.starts_with("mkfs.") || name == "mke2fs" => {
            look.danger(
                command,
                WritesDisk,
                "Makes a new file system: what is there is lost",
                &[],
            );
        }
        _ => {}
    }
}

fn say(look: &mut Look<'_>, command: &Command, word: &Word, target: &str) {
    look.danger(
        command,
        WritesDisk,
        format!("Writes to a disk itself: {}", short(target)),
        &[word],
    );
}

pub fn is_disk(path: &str) -> bool {
    path.strip_prefix("/dev/").is_some_and(|name| {
        [
            "sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "rdisk", "loop", "dm-", "mapper/",
            "md", "mem", "kmem",
        ]
        .iter()
        .any(|start| name.starts_with(start))
    })
}
