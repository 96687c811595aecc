//! Every request there ever was, and how it ended: what the history page shows and exports.

use super::by_value::read_by_value;
use super::conversation::Resolution;
use super::{
    Day, Decision, Outcome, PendingRequest, ProjectId, RequestId, RequestType, ResolvedBy,
    Response, SessionId, UnixTime,
};
use serde::{Deserialize, Serialize};

read_by_value!(HistoryEntry);

/// What a box that is ticked says in an address.
pub const YES: &str = "yes";

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
    /// Only what was edited before it was allowed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub edited: bool,
    /// The first day, of those on which it was asked. Days are those of UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Day>,
    /// The last day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Day>,
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
    /// Its session was deleted: there is no page of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub session_deleted: bool,
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
            Some(Response::ToolApproval(given)) => {
                given.decision == Decision::Allow && given.updated_input.is_some()
            }
            Some(Response::PlanApproval(given)) => {
                given.decision == Decision::Allow && given.plan.is_some()
            }
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
            edited: given("edited") == Some(YES),
            from: given("from").and_then(|day| day.parse().ok()),
            to: given("to").and_then(|day| day.parse().ok()),
            before: given("before").and_then(|id| id.parse().ok()),
        }
    }

    /// The name of a field that was given and means nothing.
    pub fn misread<'a>(find: impl Fn(&str) -> Option<&'a str>) -> Option<&'static str> {
        let understood = Self::from_query(&find).fields();
        let mut fields = understood.into_iter();
        let is_given = |name: &str| find(name).is_some_and(|value| !value.trim().is_empty());
        let lost = fields.find(|(name, value)| value.is_empty() && is_given(name));
        lost.map(|(name, _)| name)
    }

    /// The other way, for a link. Values are encoded.
    pub fn to_query(&self) -> String {
        self.fields()
            .into_iter()
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, value)| format!("{name}={}", encoded(&value)))
            .collect::<Vec<_>>()
            .join("&")
    }

    /// With one field as a person has just chosen it, from the newest on.
    pub fn with(&self, name: &str, value: &str) -> Self {
        let fields = self.fields();
        let kept = |wanted: &str| fields.iter().find(|(field, _)| *field == wanted);
        Self::from_query(|field| match field {
            "before" => None,
            _ if field == name => Some(value),
            _ => kept(field).map(|(_, value)| value.as_str()),
        })
    }

    /// By their names in an address. What is not looked for is empty.
    fn fields(&self) -> [(&'static str, String); 9] {
        fn text(value: Option<impl ToString>) -> String {
            value.map(|value| value.to_string()).unwrap_or_default()
        }
        [
            ("text", text(self.text.as_ref())),
            ("kind", text(self.request_type.map(word))),
            ("outcome", text(self.outcome.map(word))),
            ("project", text(self.project.as_ref().map(|one| &one.0))),
            ("session", text(self.session_id)),
            ("edited", text(self.edited.then_some(YES))),
            ("from", text(self.from)),
            ("to", text(self.to)),
            ("before", text(self.before)),
        ]
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
            edited: true,
            from: "2026-11-16".parse().ok(),
            to: "2026-11-17".parse().ok(),
            before: None,
        };
        let query = filter.to_query();
        assert_eq!(
            query,
            "text=rm%20-rf%20%E2%80%9Ca%26b%E2%80%9D%3D%3F&kind=tool_approval&outcome=timed_out&project=/home/ada/code\
             &session=00000000-0000-0000-0000-000000000000&edited=yes&from=2026-11-16&to=2026-11-17"
        );
        let found = |name: &str| match name {
            "text" => Some("rm -rf “a&b”=? "),
            "kind" => Some("tool_approval"),
            "outcome" => Some("timed_out"),
            "project" => Some("/home/ada/code"),
            "session" => Some("00000000-0000-0000-0000-000000000000"),
            "edited" => Some("yes"),
            "from" => Some("2026-11-16"),
            "to" => Some("2026-11-17"),
            _ => None,
        };
        assert_eq!(HistoryFilter::from_query(found), filter);
        assert!(!filter.is_any());
    }

    #[test]
    fn what_means_nothing_filters_nothing() {
        let filter = HistoryFilter::from_query(|name| match name {
            "kind" | "outcome" | "session" | "before" | "edited" => Some("nonsense"),
            "from" | "to" => Some("2026-02-30"),
            _ => Some("  "),
        });
        assert_eq!(filter, HistoryFilter::default());
        assert!(filter.is_any());
        let given = |wanted: &'static str, value: &'static str| {
            HistoryFilter::misread(move |name| (name == wanted).then_some(value))
        };
        assert_eq!(given("outcome", "nonsense"), Some("outcome"));
        assert_eq!(given("from", "2026-02-30"), Some("from"));
        assert_eq!(given("outcome", "denied"), None);
        assert_eq!(given("outcome", ""), None);
        assert_eq!(given("else", "nonsense"), None);
    }

    #[test]
    fn a_choice_changes_one_field_and_begins_with_the_newest() {
        let filter = HistoryFilter {
            text: Some("make & test".to_owned()),
            outcome: Some(Outcome::Denied),
            before: Some(RequestId(uuid::Uuid::nil())),
            ..HistoryFilter::default()
        };
        let narrower = HistoryFilter {
            edited: true,
            before: None,
            ..filter.clone()
        };
        assert_eq!(filter.with("edited", YES), narrower);
        let wider = filter.with("edited", YES).with("outcome", "");
        assert_eq!(
            wider,
            HistoryFilter {
                outcome: None,
                ..narrower
            }
        );
    }

    #[test]
    fn only_what_was_allowed_counts_as_edited() {
        for (decision, is_edited) in [(Decision::Allow, true), (Decision::Deny, false)] {
            let mut response = Response::tool(decision, None);
            if let Response::ToolApproval(given) = &mut response {
                given.updated_input = Some(crate::model::ToolInput::default());
            }
            let entry = HistoryEntry {
                session_id: SessionId(uuid::Uuid::nil()),
                project_id: ProjectId::from("/home/ada/code"),
                title: String::new(),
                request: crate::model::samples::plain_request(),
                outcome: None,
                by: None,
                at: None,
                response: Some(response),
                session_deleted: false,
            };
            assert_eq!(entry.was_edited(), is_edited);
        }
    }
}
