//! Programs that stand in front of another command, and where that command begins.

use super::script::Word;

/// Name, short options that take a value, operands in front of the command.
const PREFIXES: &[(&str, &str, usize)] = &[
    ("sudo", "ugpCDhRTUrt", 0),
    ("doas", "uC", 0),
    ("pkexec", "", 0),
    ("run0", "u", 0),
    ("env", "uC", 0),
    ("nice", "n", 0),
    ("ionice", "cnp", 0),
    ("nohup", "", 0),
    ("setsid", "", 0),
    ("stdbuf", "ioe", 0),
    ("time", "fo", 0),
    ("timeout", "ks", 1),
    ("gtimeout", "ks", 1),
    ("command", "", 0),
    ("builtin", "", 0),
    ("exec", "a", 0),
    ("xargs", "IJRSdEnLPsa", 0),
    ("gxargs", "IdEnLPsa", 0),
    ("parallel", "jIN", 0),
    ("unbuffer", "", 0),
    ("caffeinate", "tw", 0),
    ("flock", "wE", 1),
    ("strace", "eopsuPE", 0),
    ("taskset", "", 1),
    ("chrt", "", 1),
    ("chroot", "", 1),
    ("gosu", "", 1),
    ("su-exec", "", 1),
    ("busybox", "", 0),
    ("systemd-run", "pu", 0),
    ("proxychains", "f", 0),
    ("watch", "n", 0),
    ("toybox", "", 0),
    ("nsenter", "tSG", 0),
    ("unshare", "SGR", 0),
    ("setpriv", "", 0),
    ("setarch", "", 1),
    ("linux64", "", 0),
    ("dbus-run-session", "", 0),
    ("fakeroot", "lis", 0),
    ("faketime", "", 1),
    ("prlimit", "", 0),
    ("numactl", "iNmpwCP", 0),
    ("cpulimit", "lp", 0),
    ("ltrace", "eopsu", 0),
    ("valgrind", "", 0),
    ("catchsegv", "", 0),
    ("torsocks", "apuP", 0),
    ("torify", "", 0),
    ("rlwrap", "", 0),
    ("systemd-inhibit", "", 0),
    ("firejail", "", 0),
    ("bwrap", "", 0),
    ("entr", "", 0),
];
const LONG_WITH_VALUE: &[&str] = &[
    "--user",
    "--group",
    "--chdir",
    "--signal",
    "--kill-after",
    "--unset",
    "--adjustment",
    "--max-args",
    "--max-procs",
    "--delimiter",
    "--arg-file",
    "--max-chars",
    "--reuid",
    "--regid",
    "--groups",
    "--ruid",
    "--euid",
    "--rgid",
    "--egid",
    "--interleave",
    "--membind",
    "--cpunodebind",
    "--physcpubind",
    "--preferred",
    "--jobs",
];

/// The short options with a value and the number of operands in front of the command, if it is such a program.
pub fn find(program: &str) -> Option<(&'static str, usize)> {
    PREFIXES
        .iter()
        .find(|(name, ..)| *name == program)
        .map(|(_, values, operands)| (*values, *operands))
}

/// Past options, their values, `NAME=value` and the operands in front.
pub fn after_options(words: &[Word], values: &str, operands: usize) -> usize {
    let mut left = operands;
    let mut at = 1;
    while let Some(word) = words.get(at) {
        if word.value == "--" {
            at += 1;
            break;
        }
        if let Some(cluster) = word
            .value
            .strip_prefix('-')
            .filter(|cluster| !cluster.is_empty())
        {
            let takes_next = if cluster.starts_with('-') {
                LONG_WITH_VALUE.contains(&word.value.as_str())
            } else {
                cluster
                    .find(|letter| values.contains(letter))
                    .is_some_and(|found| found + 1 == cluster.len())
            };
            at += 1 + usize::from(takes_next);
        } else if is_assignment(&word.value) {
            at += 1;
        } else if left > 0 {
            left -= 1;
            at += 1;
        } else {
            break;
        }
    }
    at + left
}

fn is_assignment(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}
