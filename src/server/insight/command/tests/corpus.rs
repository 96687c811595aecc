//! The table of commands: each gets exactly the marks it must, and every text is put together again.

use super::{assert_sound, corpus};
use crate::model::insight::command::{CommandInsight, Parsed, Severity};

fn told(insight: &CommandInsight) -> Vec<String> {
    let mut told: Vec<String> = insight
        .marks
        .iter()
        .filter_map(|mark| {
            let kind = serde_json::to_value(mark.kind).ok()?.as_str()?.to_owned();
            Some(if mark.severity == Severity::Danger {
                format!("!{kind}")
            } else {
                kind
            })
        })
        .collect();
    if insight.parsed != Parsed::Yes {
        told.push("?".to_owned());
    }
    told.sort();
    told.dedup();
    told
}

#[test]
fn every_command_gets_the_marks_it_must_and_no_others() {
    let mut wrong = Vec::new();
    for (command, expected) in corpus() {
        let mut expected: Vec<&str> = expected.split(' ').filter(|word| *word != "-").collect();
        expected.sort_unstable();
        let insight = assert_sound(&command);
        let told = told(&insight);
        if told != expected {
            wrong.push(format!(
                "{command}\n    expected {expected:?}\n    got      {told:?} {:?}",
                insight.parsed
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn the_table_is_large_and_goes_both_ways() {
    let all = corpus();
    let harmless = all.iter().filter(|(_, expected)| expected == "-").count();
    println!("{} commands, {harmless} of them harmless", all.len());
    assert!(all.len() >= 200);
    assert!(harmless >= 100);
    assert!(all.len() - harmless >= 100);
}

#[test]
fn each_mark_points_into_its_segment() {
    for (command, _) in corpus() {
        for mark in assert_sound(&command).marks {
            assert!(!mark.words.is_empty(), "{command}: {mark:?}");
            assert!(
                !mark.sentence.is_empty() && !mark.sentence.ends_with(": "),
                "{command}: {mark:?}"
            );
        }
    }
}
