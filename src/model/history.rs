//! Every request there ever was, and how it ended: what the history page shows and exports.

use super::by_value::read_by_value;
use super::conversation::Resolution;
use super::{
    Outcome, PendingRequest, ProjectId, RequestId, RequestType, ResolvedBy, Response, SessionId,
    UnixTime,
};
use serde::{Deserialize, Serialize};

read_by_value!(HistoryEntry);

/// What to look for. Everything left out matches all.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HistoryFilter {
    /// Anywhere in what was asked or answered, or in the title of the session. Case does not matter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_type: Option<RequestType>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<ProjectId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
    /// Only what was asked before this one: how the next page is found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<RequestId>,
}

/// One request and its end. Open ones have none yet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct HistoryEntry {
    pub session_id: SessionId,
    pub project_id: ProjectId,
    pub title: String,
    /// As it was shown.
    pub request: PendingRequest,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<ResolvedBy>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<UnixTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<Response>,
}

/// Newest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HistoryPage {
    pub entries: Vec<HistoryEntry>,
    /// There are older ones.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub more: bool,
}

impl HistoryEntry {
    pub fn resolution(&self) -> Option<Resolution> {
        Some(Resolution {
            outcome: self.outcome?,
            by: self.by?,
            waited: self.waited()?,
            response: self.response.clone(),
        })
    }

    /// Seconds from the question to its end.
    pub fn waited(&self) -> Option<f64> {
        Some(self.at?.since(self.request.created_at))
    }

    /// The request with the input that ran: as the person edited it, else as it was shown.
    pub fn as_run(&self) -> PendingRequest {
        let mut request = self.request.clone();
        if let Some(Response::ToolApproval(decision)) = &self.response
            && let Some(edited) = &decision.updated_input
        {
            request.tool_input = edited.clone();
        }
        request
    }

    /// The person changed what was asked for before allowing it.
    pub fn was_edited(&self) -> bool {
        match &self.response {
            Some(Response::ToolApproval(decision)) => decision.updated_input.is_some(),
            Some(Response::PlanApproval(decision)) => decision.plan.is_some(),
            Some(Response::AskUserQuestion(_)) | None => false,
        }
    }
}

impl HistoryFilter {
    /// The names that the page's address and the export have for the fields.
    pub fn from_query<'a>(find: impl Fn(&str) -> Option<&'a str>) -> Self {
        let given = |name: &str| find(name).map(str::trim).filter(|text| !text.is_empty());
        Self {
            text: given("text").map(str::to_owned),
            request_type: given("kind").and_then(read_word),
            outcome: given("outcome").and_then(read_word),
            project: given("project").map(ProjectId::from),
            session_id: given("session").and_then(|id| id.parse().ok()),
            before: given("before").and_then(|id| id.parse().ok()),
        }
    }

    /// The other way, for a link. Values are encoded.
    pub fn to_query(&self) -> String {
        let text = |value: &Option<String>| value.clone().unwrap_or_default();
        let id = |value: Option<String>| value.unwrap_or_default();
        [
            ("text", text(&self.text)),
            ("kind", self.request_type.map(word).unwrap_or_default()),
            ("outcome", self.outcome.map(word).unwrap_or_default()),
            (
                "project",
                id(self.project.as_ref().map(|one| one.0.clone())),
            ),
            ("session", id(self.session_id.map(|one| one.to_string()))),
            ("before", id(self.before.map(|one| one.to_string()))),
        ]
        .into_iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| format!("{name}={}", encoded(&value)))
        .collect::<Vec<_>>()
        .join("&")
    }

    pub fn is_any(&self) -> bool {
        let Self { before, .. } = self;
        *self
            == Self {
                before: *before,
                ..Self::default()
            }
    }
}

/// The wire word of an enum without data.
pub fn word(value: impl Serialize) -> String {
    let text = serde_json::to_string(&value).unwrap_or_default();
    text.trim_matches('"').to_owned()
}

fn read_word<T: for<'a> Deserialize<'a>>(word: &str) -> Option<T> {
    serde_json::from_value(serde_json::Value::String(word.to_owned())).ok()
}

/// Everything but letters, digits and a few signs as %XX.
fn encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'/' => {
                encoded.push(char::from(byte));
            }
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_becomes_an_address_and_comes_back() {
        let filter = HistoryFilter {
            text: Some("rm -rf “a&b”=?".to_owned()),
            request_type: Some(RequestType::ToolApproval),
            outcome: Some(Outcome::TimedOut),
            project: Some(ProjectId::from("/home/ada/code")),
            session_id: Some(SessionId(uuid::Uuid::nil())),
            before: None,
        };
        let query = filter.to_query();
        assert_eq!(
            query,
            "text=rm%20-rf%20%E2%80%9Ca%26b%E2%80%9D%3D%3F&kind=tool_approval&outcome=timed_out&project=/home/ada/code\
             &session=00000000-0000-0000-0000-000000000000"
        );
        let found = |name: &str| match name {
            "text" => Some("rm -rf “a&b”=? "),
            "kind" => Some("tool_approval"),
            "outcome" => Some("timed_out"),
            "project" => Some("/home/ada/code"),
            "session" => Some("00000000-0000-0000-0000-000000000000"),
            _ => None,
        };
        assert_eq!(HistoryFilter::from_query(found), filter);
        assert!(!filter.is_any());
    }

    #[test]
    fn what_means_nothing_filters_nothing() {
        let filter = HistoryFilter::from_query(|name| match name {
            "kind" | "outcome" | "session" | "before" => Some("nonsense"),
            _ => Some("  "),
        });
        assert_eq!(filter, HistoryFilter::default());
        assert!(filter.is_any());
    }
}
