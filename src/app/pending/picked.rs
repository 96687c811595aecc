//! What a person has picked for one question, and the answer it makes. Pure; kept as text so that it survives a reload.

use crate::model::Question;
use crate::model::question::joined;

/// Between the parts of the kept text; no label has it, and one that had would merely be forgotten.
const SEPARATOR: char = '\u{1f}';
const OTHER: &str = "other";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picked {
    /// In the order of the options.
    pub labels: Vec<String>,
    /// The free text is the answer (single choice), or part of it (several).
    pub other: bool,
}

impl Picked {
    pub fn from_text(text: &str) -> Self {
        let mut parts = text.split(SEPARATOR);
        Self {
            other: parts.next() == Some(OTHER),
            labels: parts.map(str::to_owned).collect(),
        }
    }

    pub fn to_text(&self) -> String {
        let mut text = String::from(if self.other { OTHER } else { "" });
        for label in &self.labels {
            text.push(SEPARATOR);
            text.push_str(label);
        }
        text
    }

    pub fn has(&self, label: &str) -> bool {
        self.labels.iter().any(|picked| picked == label)
    }

    pub fn pick(&mut self, question: &Question, label: &str, on: bool) {
        if question.multi_select {
            let picked = |option: &str| {
                if option == label {
                    on
                } else {
                    self.has(option)
                }
            };
            self.labels = question
                .options
                .iter()
                .map(|option| option.label.clone())
                .filter(|option| picked(option))
                .collect();
        } else if on {
            self.labels = vec![label.to_owned()];
            self.other = false;
        }
    }

    /// The free text was written or clicked. In a single choice it takes the place of the picked option.
    pub fn write_other(&mut self, question: &Question, text: &str) {
        self.other = !text.trim().is_empty();
        if self.other && !question.multi_select {
            self.labels.clear();
        }
    }

    /// The labels, when nothing else is part of the answer.
    pub fn options_alone(&self, question: &Question, other: &str) -> Option<Vec<String>> {
        let has_other = self.other && !other.trim().is_empty();
        let is_offered = |label: &&String| question.options.iter().any(|o| o.label == **label);
        let labels: Vec<String> = self.labels.iter().filter(is_offered).cloned().collect();
        (!has_other && !labels.is_empty()).then_some(labels)
    }

    /// None: not answered yet.
    pub fn answer(&self, question: &Question, other: &str) -> Option<String> {
        let is_offered = |label: &&String| question.options.iter().any(|o| o.label == **label);
        let mut parts: Vec<String> = self.labels.iter().filter(is_offered).cloned().collect();
        let other = other.trim();
        if self.other && !other.is_empty() {
            parts.push(other.to_owned());
        }
        (!parts.is_empty()).then(|| joined(&parts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Choice;

    fn question(multi_select: bool) -> Question {
        let option = |label: &str| Choice {
            label: label.to_owned(),
            ..Choice::default()
        };
        Question {
            question: "Which?".to_owned(),
            multi_select,
            options: vec![option("A"), option("B"), option("C")],
            ..Question::default()
        }
    }

    #[test]
    fn a_single_choice_is_its_label() {
        let question = question(false);
        let mut picked = Picked::default();
        assert_eq!(picked.answer(&question, ""), None);
        picked.pick(&question, "A", true);
        picked.pick(&question, "B", true);
        assert_eq!(picked.answer(&question, "").as_deref(), Some("B"));
    }

    #[test]
    fn free_text_takes_the_place_of_a_single_choice_and_gives_it_back() {
        let question = question(false);
        let mut picked = Picked::default();
        picked.pick(&question, "A", true);
        picked.write_other(&question, "mine");
        assert!(picked.labels.is_empty());
        assert_eq!(picked.answer(&question, " mine ").as_deref(), Some("mine"));
        picked.pick(&question, "C", true);
        assert_eq!(picked.answer(&question, "mine").as_deref(), Some("C"));
    }

    #[test]
    fn several_choices_are_joined_in_the_order_offered_with_the_free_text_last() {
        let question = question(true);
        let mut picked = Picked::default();
        picked.pick(&question, "C", true);
        picked.pick(&question, "A", true);
        picked.write_other(&question, "mine");
        assert_eq!(
            picked.answer(&question, "mine").as_deref(),
            Some("A, C, mine")
        );
        picked.pick(&question, "A", false);
        picked.write_other(&question, " ");
        assert_eq!(picked.answer(&question, " ").as_deref(), Some("C"));
    }

    #[test]
    fn blank_free_text_is_no_answer() {
        let question = question(false);
        let mut picked = Picked::default();
        picked.write_other(&question, "  ");
        assert_eq!(picked.answer(&question, "  "), None);
    }

    #[test]
    fn what_was_picked_survives_as_text() {
        for picked in [
            Picked::default(),
            Picked {
                labels: vec!["A".to_owned(), "B, C".to_owned()],
                other: false,
            },
            Picked {
                labels: vec!["A".to_owned()],
                other: true,
            },
            Picked {
                labels: Vec::new(),
                other: true,
            },
        ] {
            assert_eq!(Picked::from_text(&picked.to_text()), picked);
        }
    }

    #[test]
    fn a_kept_label_that_is_no_longer_offered_is_no_answer() {
        let picked = Picked::from_text("\u{1f}Gone");
        assert_eq!(picked.answer(&question(false), ""), None);
    }
}
