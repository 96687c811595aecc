//! Broken copies of every recorded line, between the lines as they were: nothing panics, and no request is lost. The
//! same ones in every run.

use super::super::{Protocol, Told};
use super::recordings;
use crate::model::PermissionMode;
use crate::server::agent::lines::{Line, Lines};
use serde_json::{Value, json};

/// As the settings have it.
const LIMIT: usize = 8 * 1024 * 1024;

/// Numbers that look random and are the same in every run (SplitMix64).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound.max(1) as u64).expect("small")
    }
}

/// A copy that is broken in one of many ways. It never holds the end of a line.
fn broken(line: &[u8], other: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut copy = match dice.below(9) {
        0 => line[..dice.below(line.len())].to_vec(),
        1 => [
            &line[..dice.below(line.len())],
            &other[dice.below(other.len())..],
        ]
        .concat(),
        2 => {
            let mut copy = line.to_vec();
            for _ in 0..=dice.below(8) {
                let at = dice.below(copy.len());
                copy[at] = dice.next().to_le_bytes()[0];
            }
            copy
        }
        3 => changed(line, dice, |_| json!("\u{0}DEEP\u{0}"))
            .replace(
                "\"\\u0000DEEP\\u0000\"",
                &("[".repeat(5000) + &"]".repeat(5000)),
            )
            .into_bytes(),
        4 => changed(line, dice, |_| json!("x".repeat(50_000))).into_bytes(),
        5 => vec![b" \0\t\xff{}[],:"[dice.below(10)]; 1 + dice.below(20)],
        6 => line.to_vec(),
        _ => changed(line, dice, |dice| {
            let others = [
                json!(null),
                json!(true),
                json!(-7.5),
                json!(""),
                json!([[]]),
                json!({"type": {}}),
                json!(u64::MAX),
            ];
            others[dice.below(others.len())].clone()
        })
        .into_bytes(),
    };
    copy.retain(|byte| *byte != b'\n');
    copy
}

/// The line with one value, anywhere in it, put in the place of another.
fn changed(line: &[u8], dice: &mut Dice, value: impl Fn(&mut Dice) -> Value) -> String {
    let mut message: Value = serde_json::from_slice(line).expect("a recorded line is JSON");
    let mut place = &mut message;
    loop {
        let inside = match place {
            Value::Object(fields) => fields.len(),
            Value::Array(values) => values.len(),
            _ => 0,
        };
        // near the top most of the time: there the meaning is
        if inside == 0 || dice.below(3) == 0 {
            break;
        }
        let which = dice.below(inside);
        place = match place {
            Value::Object(fields) => fields.values_mut().nth(which).expect("counted"),
            Value::Array(values) => &mut values[which],
            _ => unreachable!("nothing is inside"),
        };
    }
    *place = value(dice);
    message.to_string()
}

/// The agent's own name of the request, if the line is one.
fn asks(line: &[u8]) -> Option<String> {
    let message: Value = serde_json::from_slice(line).ok()?;
    let is_request = message["request"]["subtype"] == "can_use_tool";
    is_request.then(|| message["request_id"].as_str().map(str::to_owned))?
}

/// Reads all of it as a process does. The names of the requests that were heard.
async fn heard(stream: &[u8]) -> Vec<String> {
    let mut protocol = Protocol::new(PermissionMode::Default);
    let mut lines = Lines::new(stream, LIMIT);
    let mut requests = Vec::new();
    while let Some(line) = lines.next().await.expect("memory does not fail") {
        let told = match line {
            Line::Whole(line) => protocol.read(line),
            Line::TooLong(head) => protocol.read_head(head),
        };
        for told in told {
            match told {
                Told::Asks { cli_id, .. } => requests.push(cli_id.to_string()),
                Told::Answer(line) => assert!(is_safe_to_send(&line), "{line}"),
                _ => {}
            }
        }
    }
    requests
}

/// A line that is not one JSON object would end the agent.
fn is_safe_to_send(line: &str) -> bool {
    !line.contains('\n') && serde_json::from_str::<Value>(line).is_ok_and(|value| value.is_object())
}

#[tokio::test]
async fn broken_lines_of_all_recordings_hide_no_request() {
    let recordings = recordings::all();
    let lines: Vec<&[u8]> = recordings
        .iter()
        .flat_map(|recording| recording.agent_lines())
        .collect();
    let mut dice = Dice(20_261_116);
    let (mut requests, mut broken_lines) = (0, 0);
    for recording in &recordings {
        let mut stream: Vec<u8> = Vec::new();
        let mut asked: Vec<String> = Vec::new();
        for line in recording.agent_lines() {
            for _ in 0..4 {
                let other = lines[dice.below(lines.len())];
                stream.extend(broken(line, other, &mut dice));
                stream.push(b'\n');
                broken_lines += 1;
            }
            let name = asks(line);
            // what is not a request may be missing altogether
            if name.is_some() || dice.below(2) == 0 {
                stream.extend_from_slice(line);
                stream.push(b'\n');
            }
            asked.extend(name);
        }
        let heard = heard(&stream).await;
        for name in &asked {
            assert!(heard.contains(name), "{}: {name} was lost", recording.name);
        }
        requests += asked.len();
    }
    assert!(
        requests > 80 && broken_lines > 3000,
        "{requests} requests, {broken_lines} broken lines"
    );
}

#[tokio::test]
async fn a_request_is_heard_behind_and_in_lines_of_eight_mebibytes() {
    let ask = |name: &str, length: usize| {
        let input = json!({"file_path": "/w/large", "content": "y".repeat(length)});
        let request = json!({"subtype": "can_use_tool", "tool_name": "Write", "input": input});
        json!({"type": "control_request", "request_id": name, "request": request}).to_string()
    };
    let overhead = ask("largest", 0).len();
    let largest = ask("largest", LIMIT - overhead);
    assert_eq!(largest.len(), LIMIT);
    let too_long = ask("too long", LIMIT);
    let stream = [
        too_long,
        ask("after it", 1),
        "z".repeat(LIMIT),
        ask("after junk", 1),
        largest,
        ask("last", 1),
    ]
    .join("\n");
    assert_eq!(
        heard(stream.as_bytes()).await,
        ["after it", "after junk", "largest", "last"]
    );
}

#[test]
fn the_broken_lines_are_of_many_kinds() {
    let line = br#"{"type":"system","subtype":"init","tools":["Bash"]}"#;
    let mut dice = Dice(1);
    let copies: Vec<Vec<u8>> = (0..200).map(|_| broken(line, line, &mut dice)).collect();
    let count = |fits: fn(&[u8]) -> bool| copies.iter().filter(|copy| fits(copy)).count();
    assert!(
        count(|copy| std::str::from_utf8(copy).is_err()) > 5,
        "not UTF-8"
    );
    assert!(
        count(|copy| serde_json::from_slice::<Value>(copy).is_ok()) > 50,
        "JSON of other types"
    );
    assert!(
        count(|copy| serde_json::from_slice::<Value>(copy).is_err()) > 50,
        "not JSON"
    );
    assert!(count(|copy| copy.len() > 40_000) > 5, "long");
}
