//! Ends processes by the handful, or the machine.

use super::{Look, list};
use crate::model::insight::command::{
    Mark,
    MarkKind::{KillsProcesses, ShutsDown},
    Severity,
};
use crate::server::insight::command::script::{Command, Word};

pub fn look(look: &mut Look<'_>, command: &Command) {
    match command.program() {
        "killall" | "pkill" | "skill" => {
            let targets: Vec<&Word> = command.operands().collect();
            let queries = command.option("l", &["--list"]).is_some() && targets.is_empty();
            if !queries {
                look.caution(
                    command,
                    KillsProcesses,
                    format!(
                        "Ends every process that matches: {}",
                        list(targets.iter().copied())
                    ),
                    &targets,
                );
            }
        }
        "killall5" => look.danger(command, KillsProcesses, "Ends all processes", &[]),
        "kill" => kill(look, command),
        "fuser" if command.option("k", &["--kill"]).is_some() => {
            look.caution(
                command,
                KillsProcesses,
                "Ends whatever uses the file or port",
                &[],
            );
        }
        "xargs"
            if look
                .commands(&command.starts)
                .iter()
                .any(|inner| inner.program() == "kill") =>
        {
            look.caution(
                command,
                KillsProcesses,
                "Ends whatever processes a search finds",
                &[],
            );
        }
        "shutdown" | "reboot" | "poweroff" | "halt"
            if command.option("c", &["--help", "--version"]).is_none() =>
        {
            look.danger(
                command,
                ShutsDown,
                "Shuts the machine down or restarts it",
                &[],
            );
        }
        "init" | "telinit" if matches!(command.subcommand(), "0" | "6" | "1") => {
            look.danger(
                command,
                ShutsDown,
                "Shuts the machine down or restarts it",
                &[],
            );
        }
        "systemctl"
            if matches!(
                command.subcommand(),
                "poweroff"
                    | "reboot"
                    | "halt"
                    | "suspend"
                    | "hibernate"
                    | "kexec"
                    | "rescue"
                    | "emergency"
            ) =>
        {
            look.danger(
                command,
                ShutsDown,
                "Shuts the machine down or restarts it",
                &[],
            );
        }
        _ => {}
    }
}

fn kill(look: &mut Look<'_>, command: &Command) {
    let arguments = command.arguments();
    // The first `-9` is a signal, a later `-1` is everybody.
    if let Some(all) = arguments.iter().skip(1).find(|word| word.value == "-1") {
        return look.danger(
            command,
            KillsProcesses,
            "Ends all processes of the user",
            &[all],
        );
    }
    if let Some(first) = first_process(command) {
        // In a container it is only the container's.
        let severity = if command.elsewhere {
            Severity::Caution
        } else {
            Severity::Danger
        };
        return look.mark(
            command,
            KillsProcesses,
            severity,
            "Ends process 1, on which all others hang",
            &[first],
        );
    }
    if let Some(search) = arguments
        .iter()
        .find(|word| {
            look.commands(&word.inside)
                .iter()
                .any(|inner| is_search(inner.program()))
        })
        .cloned()
    {
        look.caution(
            command,
            KillsProcesses,
            "Ends whatever processes a search finds",
            &[&search],
        );
    }
}

/// `kill -9 1`; in `-s 1` it is a signal, and `-l` and `-0` only ask.
fn first_process(command: &Command) -> Option<&Word> {
    let words = command.arguments();
    let only_asks = words.first().is_some_and(|word| {
        matches!(
            word.value.as_str(),
            "-0" | "-l" | "-L" | "--list" | "--table"
        )
    });
    if only_asks {
        return None;
    }
    let mut before = "";
    words.iter().find(|word| {
        let is_signal = matches!(before, "-s" | "-n" | "--signal");
        before = word.value.as_str();
        word.value == "1" && !is_signal
    })
}

fn is_search(program: &str) -> bool {
    matches!(
        program,
        "pgrep" | "pidof" | "lsof" | "ps" | "fuser" | "ss" | "netstat"
    )
}

/// `:(){ :|:& };:`
pub fn look_at_functions(look: &mut Look<'_>) {
    for function in &look.script.functions {
        let calls_itself = look.script.pipelines.iter().any(|stages| {
            stages.len() > 1
                && stages.iter().all(|stage| {
                    function.body.start <= stage.start
                        && stage.end <= function.body.end
                        && look
                            .commands(stage)
                            .iter()
                            .any(|command| command.program() == function.name)
                })
        });
        if calls_itself {
            look.marks.push(Mark {
                kind: KillsProcesses,
                severity: Severity::Danger,
                sentence: "Starts itself again and again until the machine stops (fork bomb)"
                    .to_owned(),
                segment: function.span,
                words: vec![function.span],
            });
        }
    }
}
