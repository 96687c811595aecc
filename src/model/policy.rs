//! What becomes of a request that nobody answers, and who may answer: the settings, and what a session has of its own.

use serde::{Deserialize, Serialize};

/// What holds for a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policies {
    /// 0 = wait for ever.
    pub timeout_seconds: u64,
    pub question_timeout_seconds: u64,
    pub on_timeout: OnTimeout,
    pub on_disconnect: OnDisconnect,
    pub answer_from: AnswerFrom,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnTimeout {
    #[default]
    Deny,
    DenyAndStop,
}

/// When the last client is gone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum OnDisconnect {
    #[default]
    Keep,
    Deny,
    /// So many seconds later.
    DenyAfter(u64),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerFrom {
    #[default]
    Any,
    /// Only the client that holds the session.
    Active,
}

/// What a session has of its own; the rest is as in the settings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnPolicies {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_seconds: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question_timeout_seconds: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_timeout: Option<OnTimeout>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_disconnect: Option<OnDisconnect>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer_from: Option<AnswerFrom>,
}

/// Both, for one who wants to see or change them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionPolicies {
    pub own: OwnPolicies,
    pub settings: Policies,
}

impl OwnPolicies {
    pub fn over(&self, settings: &Policies) -> Policies {
        Policies {
            timeout_seconds: self.timeout_seconds.unwrap_or(settings.timeout_seconds),
            question_timeout_seconds: self
                .question_timeout_seconds
                .unwrap_or(settings.question_timeout_seconds),
            on_timeout: self.on_timeout.unwrap_or(settings.on_timeout),
            on_disconnect: self.on_disconnect.unwrap_or(settings.on_disconnect),
            answer_from: self.answer_from.unwrap_or(settings.answer_from),
        }
    }

    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl Policies {
    /// Seconds that a request may wait; none = for ever.
    pub fn limit(&self, is_question: bool) -> Option<u64> {
        let seconds = match is_question {
            true => self.question_timeout_seconds,
            false => self.timeout_seconds,
        };
        (seconds > 0).then_some(seconds)
    }
}

impl From<OnDisconnect> for String {
    fn from(policy: OnDisconnect) -> Self {
        match policy {
            OnDisconnect::Keep => "keep".to_owned(),
            OnDisconnect::Deny => "deny".to_owned(),
            OnDisconnect::DenyAfter(seconds) => format!("deny_after:{seconds}"),
        }
    }
}

impl TryFrom<String> for OnDisconnect {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        let seconds = word.strip_prefix("deny_after:");
        match (word.as_str(), seconds.map(str::parse)) {
            ("keep", _) => Ok(OnDisconnect::Keep),
            ("deny", _) => Ok(OnDisconnect::Deny),
            (_, Some(Ok(seconds))) => Ok(OnDisconnect::DenyAfter(seconds)),
            _ => Err(format!(
                "\"{word}\" is none of \"keep\", \"deny\" and \"deny_after:\" with a number of seconds"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_happens_when_everyone_is_gone_is_one_word() {
        for (policy, word) in [
            (OnDisconnect::Keep, "\"keep\""),
            (OnDisconnect::Deny, "\"deny\""),
            (OnDisconnect::DenyAfter(30), "\"deny_after:30\""),
        ] {
            assert_eq!(serde_json::to_string(&policy).expect("JSON"), word);
            assert_eq!(
                serde_json::from_str::<OnDisconnect>(word).expect("a policy"),
                policy
            );
        }
        for wrong in ["\"deny_after\"", "\"deny_after:soon\"", "\"allow\"", "1"] {
            let error = serde_json::from_str::<OnDisconnect>(wrong).expect_err(wrong);
            assert!(!error.to_string().is_empty());
        }
    }

    #[test]
    fn a_session_changes_only_what_it_names() {
        let settings = Policies {
            timeout_seconds: 300,
            on_disconnect: OnDisconnect::Deny,
            ..Policies::default()
        };
        let own = OwnPolicies {
            timeout_seconds: Some(0),
            answer_from: Some(AnswerFrom::Active),
            ..OwnPolicies::default()
        };
        let holds = own.over(&settings);
        assert_eq!(holds.limit(false), None, "0 is a choice, too");
        assert_eq!(holds.on_disconnect, OnDisconnect::Deny);
        assert_eq!(holds.answer_from, AnswerFrom::Active);
        assert_eq!(OwnPolicies::default().over(&settings), settings);
    }
}
