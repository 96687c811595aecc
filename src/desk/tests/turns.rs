//! When a turn begins.

use super::{AT, session};
use crate::desk::{Desk, Event};
use crate::model::ProcessState;

#[test]
fn a_turn_begins_from_idle_and_from_starting_only() {
    let session_id = session(1);
    let began = |before: &[Event<u32>]| {
        let mut desk = Desk::default();
        for event in before {
            desk.apply(event.clone()).expect("it comes so far");
        }
        let effects = desk.apply(Event::TurnBegan { session_id });
        let is_told = !effects.expect("it may say so").is_empty();
        (desk.state(session_id), is_told)
    };
    let (started, ready) = (Event::Started { session_id }, Event::Ready { session_id });
    let at_work = (Some(ProcessState::AssistantTurn), true);
    assert_eq!(began(std::slice::from_ref(&started)), at_work);
    assert_eq!(began(&[started.clone(), ready.clone()]), at_work);
    let twice = [started.clone(), Event::TurnBegan { session_id }, ready];
    assert_eq!(began(&twice), (Some(ProcessState::AssistantTurn), false));
    let died = [started, Event::Died { session_id, at: AT }];
    assert_eq!(began(&died), (Some(ProcessState::Dead), false));
    assert_eq!(began(&[]), (None, false));
}
