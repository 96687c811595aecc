//! How much the model is to think, and what applies after all that may change it.

use super::*;
use tokio::sync::oneshot;

fn greeted_with_levels() -> (Protocol, String) {
    let mut protocol = protocol();
    let models = json!([{"value": "big", "supportsEffort": true, "supportedEffortLevels": ["low", "high"]},
        {"value": "small", "supportedEffortLevels": ["low"]}]);
    let told = greeted(&mut protocol, json!({"models": models}));
    let can = told.iter().find_map(|told| match told {
        Told::Heard(Heard::Can(can)) => Some(can),
        _ => None,
    });
    let efforts: Vec<usize> = can
        .expect("capabilities")
        .models
        .iter()
        .map(|model| model.efforts.len())
        .collect();
    assert_eq!(efforts, [2, 0]);
    let asked = asked(&told).expect("what applies");
    (protocol, asked)
}

/// The id of the one question for what applies.
fn asked(told: &[Told]) -> Option<String> {
    let mut asked = told.iter().filter_map(|told| match told {
        Told::Answer(line) => serde_json::from_str::<Value>(line).ok(),
        _ => None,
    });
    let line = asked.next()?;
    assert_eq!(line["request"]["subtype"], "get_settings");
    Some(line["request_id"].as_str().expect("an id").to_owned())
}

fn answer(protocol: &mut Protocol, id: &str, response: Value) -> Vec<Told> {
    let response = json!({"subtype": "success", "request_id": id, "response": response});
    read(
        protocol,
        json!({"type": "control_response", "response": response}),
    )
}

fn applies(protocol: &mut Protocol, id: &str, effort: Option<&str>) -> Vec<Told> {
    answer(
        protocol,
        id,
        json!({"applied": {"model": "big", "effort": effort}}),
    )
}

fn chosen(told: &[Told]) -> Option<Option<String>> {
    told.iter().find_map(|told| match told {
        Told::Heard(Heard::EffortChosen(effort)) => Some(effort.clone()),
        _ => None,
    })
}

#[test]
fn what_applies_is_asked_at_the_start_and_after_another_model() {
    let (mut protocol, id) = greeted_with_levels();
    let told = applies(&mut protocol, &id, Some("low"));
    assert!(
        matches!(&told[..], [Told::Heard(Heard::EffortIs(Some(effort)))] if effort == "low"),
        "{told:?}"
    );
    let init = |model: &str| json!({"type": "system", "subtype": "init", "model": model});
    assert_eq!(asked(&read(&mut protocol, init("big"))), None, "the same");
    let other = asked(&read(&mut protocol, init("small"))).expect("another");
    let told = applies(&mut protocol, &other, None);
    assert!(
        matches!(&told[..], [Told::Heard(Heard::EffortIs(None))]),
        "{told:?}"
    );
}

#[test]
fn an_agent_whose_models_cannot_be_told_is_not_asked() {
    let mut protocol = protocol();
    let told = greeted(&mut protocol, json!({"models": [{"value": "old"}]}));
    assert_eq!(asked(&told), None);
    let id = MessageId::random();
    protocol.user_message(id, "/effort high", &[]);
    let done = json!({"type": "command_lifecycle", "command_uuid": id, "state": "completed"});
    assert_eq!(asked(&read(&mut protocol, done)), None);
}

#[test]
fn whoever_chooses_one_hears_what_applies_then() {
    let (mut protocol, _) = greeted_with_levels();
    let (done, mut answered) = oneshot::channel();
    let line: Value =
        serde_json::from_str(&protocol.set_effort(Some("high"), done)).expect("a line");
    assert_eq!(line["request"]["settings"], json!({"effortLevel": "high"}));
    let id = line["request_id"].as_str().expect("an id").to_owned();
    let question = asked(&answer(&mut protocol, &id, Value::Null)).expect("what applies");
    assert!(answered.try_recv().is_err(), "not before it is known");
    applies(&mut protocol, &question, Some("low"));
    assert_eq!(answered.try_recv(), Ok(Ok(Some("low".to_owned()))));
}

#[test]
fn a_message_that_asks_for_one_is_a_choice_when_it_was_taken() {
    for (text, then, choice) in [
        ("/effort high", "high", Some(Some("high".to_owned()))),
        ("/effort auto", "low", Some(None)),
        ("/effort silly", "low", None),
        ("/effort", "low", None),
    ] {
        let (mut protocol, _) = greeted_with_levels();
        let id = MessageId::random();
        protocol.user_message(id, text, &[]);
        let state =
            |state: &str| json!({"type": "command_lifecycle", "command_uuid": id, "state": state});
        assert_eq!(asked(&read(&mut protocol, state("started"))), None);
        let question = asked(&read(&mut protocol, state("completed"))).expect(text);
        let told = applies(&mut protocol, &question, Some(then));
        assert_eq!(chosen(&told), choice, "{text}");
    }
}
