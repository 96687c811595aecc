//! The same answer once more, as after a lost connection.

use super::*;

fn again(number: u128, answer_id: u128) -> Event<u32> {
    let Event::Answered { answer } = answer(number, Response::allow()) else {
        unreachable!("an answer");
    };
    Event::Answered {
        answer: Answer {
            answer_id: Some(AnswerId(Uuid::from_u128(answer_id))),
            ..answer
        },
    }
}

#[test]
fn an_answer_given_again_has_the_result_of_the_first_time() {
    let mut desk = asked(&[TOOL]);
    desk.apply(again(0, 1)).expect("accepted");
    assert_eq!(desk.apply(again(0, 1)), Ok(vec![Effect::AwaitStoring]));
    assert_eq!(code_of(desk.apply(again(0, 2))), Code::AlreadyResolved);
    assert_eq!(
        code_of(desk.apply(answer(0, Response::allow()))),
        Code::AlreadyResolved,
        "one without a name is never the same"
    );
    desk.apply(recorded(0)).expect("stored");
    assert_eq!(desk.apply(again(0, 1)), Ok(vec![Effect::Confirm]));
    assert_eq!(code_of(desk.apply(again(0, 2))), Code::AlreadyResolved);
}

#[test]
fn an_answer_that_came_to_nothing_is_not_confirmed() {
    let mut desk = asked(&[TOOL]);
    desk.apply(again(0, 1)).expect("accepted");
    // a person stops the turn while it is being stored
    desk.apply(Event::Withdrawn {
        session_id: session(1),
        request_id: RequestId(Uuid::from_u128(0)),
        stopped: true,
        at: AT,
    })
    .expect("withdrawn");
    assert!(desk.apply(recorded(0)).is_err());
    assert!(desk.apply(again(0, 1)).is_err());
}
