//! Looks into a request that waits. What is looked at is what the agent asked, as the desk keeps it; only its text may be one
//! that a person has edited, for that is read and nothing more. Which file is read never comes from outside.

use super::{Hub, unknown_session};
use crate::model::insight::file::{Gap, Row};
use crate::model::{
    Answer, Code, Decision, Insight, Refusal, RequestId, Response, SessionId, ToolDecision,
    ToolInput,
};
use crate::server::insight::command::{Surroundings, analyse};
use crate::server::insight::file::{Limits, Workspace, is_still, look, open_gap, whereabouts};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What was asked, and where it would happen.
struct Subject {
    tool: String,
    input: ToolInput,
    project: PathBuf,
    home: Option<OsString>,
}

impl Hub {
    pub async fn insight(
        &self,
        session_id: SessionId,
        request_id: RequestId,
        edited: Option<String>,
    ) -> Result<Insight, Refusal> {
        let subject = self.subject(session_id, request_id)?.with(edited);
        looking(move || subject.insight()).await
    }

    /// Whoever allows a change of a file allows what they were shown. Requests wait for hours, and meanwhile files change. Of
    /// an edited change it is enough that the file is still what the agent's own was compared with.
    pub(super) async fn check_shown(&self, answer: &Answer) -> Result<(), Refusal> {
        let Response::ToolApproval(ToolDecision {
            decision: Decision::Allow,
            ..
        }) = &answer.response
        else {
            return Ok(());
        };
        let Some(shown) = answer.shown.clone() else {
            return Ok(());
        };
        // the desk says why what waits no more cannot be answered
        let Ok(subject) = self.subject(answer.session_id, answer.request_id) else {
            return Ok(());
        };
        match looking(move || subject.is_still(&shown)).await? {
            true => Ok(()),
            false => Err(Refusal::new(
                Code::ContentChanged,
                "The file has changed since this was shown. Look at the change as it is now, then answer.",
            )),
        }
    }

    /// Rows that the insight left out.
    pub async fn open_gap(
        &self,
        session_id: SessionId,
        request_id: RequestId,
        version: String,
        gap: Gap,
        edited: Option<String>,
    ) -> Result<Vec<Row>, Refusal> {
        let subject = self.subject(session_id, request_id)?.with(edited);
        let rows = looking(move || subject.open_gap(&version, gap)).await?;
        rows.ok_or_else(|| {
            Refusal::new(
                Code::ContentChanged,
                "The file has changed since this was shown. Load the page again to see the change as it is now.",
            )
        })
    }

    fn subject(&self, session_id: SessionId, request_id: RequestId) -> Result<Subject, Refusal> {
        let state = self.lock();
        let record = state
            .sessions
            .get(&session_id)
            .ok_or_else(unknown_session)?;
        let request = state
            .desk
            .pending(session_id)
            .find(|request| request.request_id == request_id)
            .ok_or_else(|| {
                Refusal::new(
                    Code::UnknownRequest,
                    "There is no such request in this session, or it waits no more.",
                )
            })?;
        Ok(Subject {
            tool: request.tool_name.clone(),
            input: request.tool_input.clone(),
            project: PathBuf::from(record.session.project_id.as_str()),
            home: std::env::var_os("HOME"),
        })
    }
}

/// Reads the disk, and may take a while for a large file.
async fn looking<T: Send + 'static>(
    look: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Refusal> {
    tokio::task::spawn_blocking(look).await.map_err(|_| {
        Refusal::new(
            Code::Internal,
            "This request could not be looked into. Read it as it is.",
        )
    })
}

impl Subject {
    /// With the text that a person put in place of the agent's.
    fn with(mut self, edited: Option<String>) -> Self {
        let field = match self.tool.as_str() {
            "Bash" => "command",
            "Write" => "content",
            "Edit" => "new_string",
            "NotebookEdit" => "new_source",
            // edited whole; where it would look is found out without reading anything
            "Read" | "NotebookRead" | "Grep" | "Glob" | "LS" => {
                let edited = edited.and_then(|text| ToolInput::from_json(&text).ok());
                self.input = edited.unwrap_or(self.input);
                return self;
            }
            _ => return self,
        };
        if let Some(text) = edited {
            self.input = self.input.with_text(field, &text);
        }
        self
    }

    fn insight(&self) -> Insight {
        let command = (self.tool == "Bash")
            .then(|| self.input.text("command"))
            .flatten();
        let project = self.project.to_string_lossy();
        let surroundings = Surroundings {
            project: &project,
            directory: &project,
            home: self.home.as_ref().and_then(|home| home.to_str()),
            exists: &|path| Path::new(path).symlink_metadata().is_ok(),
        };
        Insight {
            command: command.map(|command| analyse(command, &surroundings)),
            file: look(
                self.workspace(),
                &self.tool,
                &self.input,
                &Limits::default(),
            ),
            reads: whereabouts(self.workspace(), &self.tool, &self.input),
        }
    }

    fn is_still(&self, version: &str) -> bool {
        let limits = Limits::default();
        is_still(version, self.workspace(), &self.tool, &self.input, &limits)
    }

    fn open_gap(&self, version: &str, gap: Gap) -> Option<Vec<Row>> {
        let first = gap.first as usize;
        let rows = first..first.saturating_add(gap.rows as usize);
        let (workspace, limits) = (self.workspace(), Limits::default());
        open_gap(workspace, &self.tool, &self.input, version, rows, &limits)
    }

    fn workspace(&self) -> Workspace<'_> {
        Workspace {
            project: &self.project,
            home: self.home.as_ref().map(Path::new),
        }
    }
}
