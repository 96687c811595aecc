//! Code in another language on the command line. It is not parsed; a few words in it are known.

use super::Look;
use crate::model::insight::command::MarkKind::{DeletesRecursively, Obfuscated};
use crate::server::insight::command::script::{Command, RedirectionKind, Word};

const INTERPRETERS: &[&str] = &[
    "python",
    "python2",
    "python3",
    "perl",
    "ruby",
    "node",
    "nodejs",
    "php",
    "deno",
    "bun",
    "lua",
    "Rscript",
    "osascript",
    "pwsh",
];
const DELETES: &[&str] = &[
    "rmtree(",
    "rm_rf",
    "rm_r(",
    "rmSync(",
    "rmdirSync(",
    "fs.rm(",
    "remove_tree",
    "rimraf",
    "removedirs(",
    "removeSync(",
    "Deno.remove(",
];
/// One file after the other.
const REMOVES: &[&str] = &[
    "unlink(",
    "unlink ",
    "unlinkSync(",
    "os.remove(",
    "fs.unlink",
    "File.delete",
    "FileUtils.rm",
];
const STARTS: &[&str] = &[
    "os.system",
    "subprocess",
    "child_process",
    "execSync(",
    "spawnSync(",
    "popen(",
    "Popen(",
    "system(",
    "shell_exec(",
    "do shell script",
    "pty.spawn",
    "os.exec",
    "Deno.Command",
    "Bun.spawn",
];
const DECODES: &[&str] = &[
    "b64decode",
    "atob(",
    "base64_decode",
    "'base64'",
    "\"base64\"",
    "fromhex",
    "unhexlify",
    "codecs.decode",
];
const RUNS: &[&str] = &["exec(", "eval(", "system(", "compile(", "Function("];

pub fn is_interpreter(name: &str) -> bool {
    let base =
        name.trim_end_matches(|character: char| character.is_ascii_digit() || character == '.');
    INTERPRETERS.contains(&name) || matches!(base, "python" | "perl" | "ruby" | "php" | "lua")
}

/// Code that decodes a text; what becomes of it is not looked into.
pub fn decodes(command: &Command) -> bool {
    is_interpreter(command.program())
        && command
            .arguments()
            .iter()
            .any(|word| DECODES.iter().any(|needle| word.value.contains(needle)))
}

pub fn look(look: &mut Look<'_>, command: &Command) {
    let name = command.program();
    let is_awk = matches!(name, "awk" | "gawk" | "mawk" | "nawk");
    if !is_interpreter(name) && !is_awk {
        return;
    }
    let takes_code = is_awk
        || command.option("ceErp", &["--eval", "--print"]).is_some()
        || matches!(command.subcommand(), "eval");
    let arguments = command
        .arguments()
        .iter()
        .filter(|word| takes_code && word.value.len() > 4);
    let documents = command
        .redirections
        .iter()
        .filter(|redirection| {
            matches!(
                redirection.kind,
                RedirectionKind::HereDocument | RedirectionKind::HereString
            )
        })
        .map(|redirection| &redirection.target);
    for code in arguments.chain(documents) {
        look_at_code(look, command, code, name);
    }
}

fn look_at_code(look: &mut Look<'_>, command: &Command, code: &Word, name: &str) {
    let has = |needles: &[&str]| needles.iter().any(|needle| code.value.contains(needle));
    if has(DELETES) {
        look.danger(
            command,
            DeletesRecursively,
            format!("Deletes recursively, in {name} code"),
            &[code],
        );
    }
    if !has(DELETES) && has(REMOVES) {
        look.caution(
            command,
            DeletesRecursively,
            format!("Deletes files, in {name} code"),
            &[code],
        );
    }
    if has(DECODES) && has(RUNS) {
        look.danger(
            command,
            Obfuscated,
            format!("Decodes something and runs it, in {name} code"),
            &[code],
        );
    } else if has(STARTS) || (matches!(name, "ruby" | "perl" | "php") && has(&["`"])) {
        look.caution(
            command,
            Obfuscated,
            format!("Starts programs from {name} code, which is not looked into"),
            &[code],
        );
    }
}
