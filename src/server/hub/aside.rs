//! What a person asks for beside the conversation; the agent remembers nothing of it.

use super::Hub;
use super::sessions::directory_of;
use crate::model::{Code, Refusal, SessionId};
use crate::server::agent::Question;
use crate::server::changes;

const NOT_ANSWERED: &str = "The agent did not answer";

impl Hub {
    /// What has changed in the project's files, as Markdown.
    pub async fn changes(&self, session_id: SessionId) -> Result<String, Refusal> {
        let project = self.project_of_session(session_id)?;
        changes::since_the_last_commit(&directory_of(&project)?).await
    }

    /// A question about the conversation that is no part of it. The agent answers it also while it works.
    pub async fn ask_aside(
        &self,
        session_id: SessionId,
        question: String,
    ) -> Result<String, Refusal> {
        if question.trim().is_empty() {
            return Err(Refusal::new(
                Code::InvalidRequest,
                "Write the question behind it, as in /btw what is that folder for?",
            ));
        }
        self.wake(session_id).await?;
        let asked = self.question(session_id, Question::Aside(question), NOT_ANSWERED);
        let answer = asked.await?;
        match answer["response"].as_str().map(str::trim) {
            Some(words) if !words.is_empty() => Ok(words.to_owned()),
            _ => Err(Refusal::new(
                Code::AgentUnavailable,
                format!("{NOT_ANSWERED}. Ask again, or send it as a message."),
            )),
        }
    }
}
