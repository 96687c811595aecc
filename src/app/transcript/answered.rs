//! An answered question stays in the transcript as confirmed text.

use crate::app::ui::untrusted::Untrusted;
use crate::model::Response;
use crate::model::conversation::ToolItem;
use leptos::prelude::*;

#[component]
pub fn Answered(tool: Memo<ToolItem>) -> impl IntoView {
    let answers = Memo::new(move |_| answers(&tool.read()));
    move || {
        let rows: Vec<_> = answers
            .get()
            .into_iter()
            .map(|(question, answer)| {
                view! {
                    <div>
                        <dt>
                            <Untrusted text=question />
                        </dt>
                        <dd>
                            <Untrusted text=answer />
                        </dd>
                    </div>
                }
            })
            .collect();
        (!rows.is_empty()).then(|| view! { <dl class="answered">{rows}</dl> })
    }
}

/// In the order the questions were asked; an answer to none of them comes last.
fn answers(tool: &ToolItem) -> Vec<(String, String)> {
    let response = tool
        .resolution
        .as_ref()
        .and_then(|resolution| resolution.response.as_ref());
    let Some(Response::AskUserQuestion(response)) = response else {
        return Vec::new();
    };
    let mut left = response.answers.clone();
    let mut rows: Vec<(String, String)> = tool
        .tool_input
        .questions()
        .into_iter()
        .filter_map(|question| {
            let text = question.question;
            let answer = match left.remove(&text) {
                Some(answer) => answer,
                None if response.skipped.contains(&text) => "skipped".to_owned(),
                None => return None,
            };
            let answer = match response.notes.get(&text) {
                Some(note) => format!("{answer} ({note})"),
                None => answer,
            };
            Some((text, answer))
        })
        .collect();
    rows.extend(left);
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::conversation::Resolution;
    use crate::model::{Outcome, QuestionAnswers, ResolvedBy, ToolInput};

    #[test]
    fn answers_follow_the_order_of_the_questions() {
        let input = r#"{"questions":[{"question":"Z?"},{"question":"Left?"},{"question":"A?"}]}"#;
        let response = QuestionAnswers {
            answers: [("A?", "1"), ("Z?", "2")]
                .map(|(question, answer)| (question.to_owned(), answer.to_owned()))
                .into(),
            notes: [("A?".to_owned(), "if it rains".to_owned())].into(),
            skipped: vec!["Left?".to_owned()],
            ..QuestionAnswers::default()
        };
        let tool = ToolItem {
            tool_input: ToolInput::from_json(input).expect("json"),
            resolution: Some(Resolution {
                outcome: Outcome::Answered,
                by: ResolvedBy::User,
                waited: 1.0,
                response: Some(Response::AskUserQuestion(response)),
            }),
            ..ToolItem::default()
        };
        let rows = answers(&tool);
        assert_eq!(rows[0], ("Z?".to_owned(), "2".to_owned()));
        assert_eq!(rows[1], ("Left?".to_owned(), "skipped".to_owned()));
        assert_eq!(rows[2], ("A?".to_owned(), "1 (if it rains)".to_owned()));
    }
}
