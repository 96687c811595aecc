//! Requests of all times, as the history page and its export want them.

use super::Store;
use crate::model::history::word;
use crate::model::{HistoryEntry, HistoryFilter, HistoryPage, ProjectId, UnixTime};
use rusqlite::{Row, named_params};

/// Newest first; the id decides between two of one moment, so that a page begins where the last one ended.
const QUERY: &str = "
    SELECT requests.session_id, coalesce(sessions.project_id, requests.project_id, ''),
           coalesce(sessions.title, requests.title, ''), request, response, outcome, resolved_by, resolved_at, request_id,
           sessions.session_id IS NULL
    FROM requests LEFT JOIN sessions USING (session_id)
    WHERE (:outcome IS NULL OR outcome = :outcome)
      AND (:kind IS NULL OR request ->> 'request_type' = :kind)
      AND (:project IS NULL OR coalesce(sessions.project_id, requests.project_id) = :project)
      AND (:session IS NULL OR requests.session_id = :session)
      AND (:edited = 0 OR (response ->> 'decision' = 'allow' AND coalesce(response ->> 'updated_input', response ->> 'plan') IS NOT NULL))
      AND (:since IS NULL OR asked_at >= :since)
      AND (:until IS NULL OR asked_at < :until)
      AND (:text IS NULL OR instr(lower(request || coalesce(response, '') || coalesce(sessions.title, requests.title, '')), lower(:text)) > 0)
      AND (:before IS NULL OR (asked_at, request_id) < (SELECT asked_at, request_id FROM requests WHERE request_id = :before))
    ORDER BY asked_at DESC, request_id DESC
    LIMIT :limit";

impl Store {
    pub fn history(&self, filter: &HistoryFilter, limit: usize) -> HistoryPage {
        let mut entries = self.search(|connection| {
            let mut statement = connection.prepare_cached(QUERY)?;
            let rows = statement.query_map(
                named_params! {
                    ":outcome": filter.outcome.map(word),
                    ":kind": filter.request_type.map(word),
                    ":project": filter.project.as_ref().map(ProjectId::as_str),
                    ":session": filter.session_id.map(|id| id.to_string()),
                    ":edited": filter.edited,
                    ":since": filter.from.map(|day| day.begins().0),
                    ":until": filter.to.map(|day| day.next().begins().0),
                    ":text": filter.text.as_deref().map(as_stored),
                    ":before": filter.before.map(|id| id.to_string()),
                    ":limit": i64::try_from(limit.saturating_add(1)).unwrap_or(i64::MAX),
                },
                entry,
            )?;
            rows.collect::<rusqlite::Result<Vec<_>>>()
        });
        let more = entries.len() > limit;
        entries.truncate(limit);
        HistoryPage {
            entries: entries.into_iter().flatten().collect(),
            more,
        }
    }
}

/// None: what cannot be read is left out, and the log says so.
fn entry(row: &Row<'_>) -> rusqlite::Result<Option<HistoryEntry>> {
    let id: String = row.get(8)?;
    let texts = (row.get::<_, String>(0)?, row.get::<_, String>(3)?);
    let (Ok(session_id), Ok(request)) = (texts.0.parse(), serde_json::from_str(&texts.1)) else {
        tracing::warn!(request = id, "a request of the history cannot be read");
        return Ok(None);
    };
    let response: Option<String> = row.get(4)?;
    Ok(Some(HistoryEntry {
        session_id,
        project_id: ProjectId(row.get(1)?),
        title: row.get(2)?,
        request,
        outcome: read_word(row.get(5)?),
        by: read_word(row.get(6)?),
        at: row.get::<_, Option<f64>>(7)?.map(UnixTime),
        response: response.and_then(|text| serde_json::from_str(&text).ok()),
        session_deleted: row.get(9)?,
    }))
}

pub fn read_word<T: for<'a> serde::Deserialize<'a>>(word: Option<String>) -> Option<T> {
    serde_json::from_value(serde_json::Value::String(word?)).ok()
}

/// The text as it stands in JSON, where quotes and line ends are written otherwise.
fn as_stored(text: &str) -> String {
    let json = serde_json::to_string(text).unwrap_or_default();
    let inner = json
        .strip_prefix('"')
        .and_then(|json| json.strip_suffix('"'));
    inner.unwrap_or_default().to_owned()
}
