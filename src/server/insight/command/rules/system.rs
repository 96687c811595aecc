//! Turns a part of the system off: a service, the firewall.

use super::{Look, list};
use crate::model::insight::command::MarkKind::ShutsDown;
use crate::server::insight::command::script::{Command, Word};

pub fn look(look: &mut Look<'_>, command: &Command) {
    let operands: Vec<&Word> = command.operands().collect();
    let values: Vec<&str> = operands.iter().map(|word| word.value.as_str()).collect();
    match (command.program(), values.as_slice()) {
        ("systemctl", ["stop" | "disable" | "mask", _, ..])
        | ("launchctl", ["stop" | "disable" | "unload" | "bootout", _, ..]) => {
            turns_off(look, command, &operands[1..]);
        }
        ("service" | "rc-service", [_, "stop"]) => turns_off(look, command, &operands[..1]),
        ("ufw", ["disable" | "reset", ..]) => {
            look.caution(command, ShutsDown, "Turns the firewall off", &operands);
        }
        ("nft", ["flush", ..]) => empties_firewall(look, command, &operands),
        ("iptables" | "ip6tables", _) => {
            if let Some(option) = command.option("F", &["--flush"]) {
                empties_firewall(look, command, &[option]);
            }
        }
        _ => {}
    }
}

fn turns_off(look: &mut Look<'_>, command: &Command, parts: &[&Word]) {
    let sentence = format!(
        "Turns off a part of the system: {}",
        list(parts.iter().copied())
    );
    look.caution(command, ShutsDown, sentence, parts);
}

fn empties_firewall(look: &mut Look<'_>, command: &Command, words: &[&Word]) {
    let sentence = "Takes rules away from the firewall";
    look.caution(command, ShutsDown, sentence, words);
}
