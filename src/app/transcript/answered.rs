//! An answered question stays in the transcript as confirmed text. The history shows the same.

use crate::app::ui::untrusted::Words;
use crate::model::conversation::ToolItem;
use crate::model::question::joined;
use crate::model::{QuestionAnswers, Response, ToolInput};
use leptos::prelude::*;

#[component]
pub fn Answered(tool: Memo<ToolItem>) -> impl IntoView {
    let rows = Memo::new(move |_| confirmed(&tool.read()));
    move || {
        let rows = rows.get();
        (!rows.is_empty()).then(|| view! { <Answers rows /> })
    }
}

/// Questions, each with what was answered.
#[component]
pub fn Answers(rows: Vec<(String, String)>) -> impl IntoView {
    let rows: Vec<_> = rows
        .into_iter()
        .map(|(question, answer)| {
            view! {
                <div>
                    <dt>
                        <Words text=question />
                    </dt>
                    <dd>
                        <Words text=answer />
                    </dd>
                </div>
            }
        })
        .collect();
    view! { <dl class="answered">{rows}</dl> }
}

/// None of a call that is not answered, or skipped as a whole: the line above says so.
fn confirmed(tool: &ToolItem) -> Vec<(String, String)> {
    let response = tool
        .resolution
        .as_ref()
        .and_then(|resolution| resolution.response.as_ref());
    match response {
        Some(Response::AskUserQuestion(given)) if !given.cancelled => {
            answers(&tool.tool_input, given)
        }
        _ => Vec::new(),
    }
}

/// In the order the questions were asked; an answer to none of them comes last.
pub fn answers(input: &ToolInput, given: &QuestionAnswers) -> Vec<(String, String)> {
    let mut left = given.answers.clone();
    let mut rows: Vec<(String, String)> = input
        .questions()
        .into_iter()
        .map(|question| {
            let text = question.question;
            let chosen = given.choices.get(&text).map(|labels| joined(labels));
            let answer = match left.remove(&text).or(chosen) {
                Some(answer) => answer,
                None if given.cancelled || given.skipped.contains(&text) => "skipped".to_owned(),
                None => "not answered".to_owned(),
            };
            let answer = match given.notes.get(&text) {
                Some(note) => format!("{answer} ({note})"),
                None => answer,
            };
            (text, answer)
        })
        .collect();
    rows.extend(left);
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::conversation::Resolution;
    use crate::model::{Outcome, ResolvedBy};

    fn asked() -> ToolInput {
        let input = r#"{"questions":[{"question":"Z?"},{"question":"Left?"},{"question":"A?"}]}"#;
        ToolInput::from_json(input).expect("json")
    }

    fn texts(rows: &[(String, String)]) -> Vec<(&str, &str)> {
        rows.iter()
            .map(|(question, answer)| (question.as_str(), answer.as_str()))
            .collect()
    }

    fn given() -> QuestionAnswers {
        QuestionAnswers {
            answers: [("A?", "1"), ("Z?", "2")]
                .map(|(question, answer)| (question.to_owned(), answer.to_owned()))
                .into(),
            notes: [("A?".to_owned(), "if it rains".to_owned())].into(),
            skipped: vec!["Left?".to_owned()],
            ..QuestionAnswers::default()
        }
    }

    #[test]
    fn answers_follow_the_order_of_the_questions() {
        assert_eq!(
            texts(&answers(&asked(), &given())),
            [("Z?", "2"), ("Left?", "skipped"), ("A?", "1 (if it rains)")]
        );
    }

    #[test]
    fn options_alone_are_an_answer_and_what_has_none_is_said_to_have_none() {
        let chosen = QuestionAnswers {
            choices: [("Z?".to_owned(), vec!["S".to_owned(), "L".to_owned()])].into(),
            ..QuestionAnswers::default()
        };
        assert_eq!(
            texts(&answers(&asked(), &chosen)),
            [
                ("Z?", "S, L"),
                ("Left?", "not answered"),
                ("A?", "not answered")
            ]
        );
    }

    #[test]
    fn the_transcript_lists_nothing_where_all_were_skipped_or_nobody_answered() {
        let resolved = |response| ToolItem {
            tool_input: asked(),
            resolution: Some(Resolution {
                outcome: Outcome::Answered,
                by: ResolvedBy::User,
                waited: 1.0,
                response,
            }),
            ..ToolItem::default()
        };
        let cancelled = QuestionAnswers {
            cancelled: true,
            ..QuestionAnswers::default()
        };
        for response in [None, Some(Response::AskUserQuestion(cancelled))] {
            assert!(confirmed(&resolved(response)).is_empty());
        }
        let answered = resolved(Some(Response::AskUserQuestion(given())));
        assert_eq!(confirmed(&answered), answers(&asked(), &given()));
    }
}
