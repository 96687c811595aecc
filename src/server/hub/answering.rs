//! A person's answer on its way: checked, stored, and only then given to the agent.

use super::sessions::Letter;
use super::{Hub, State};
use crate::desk::{Asker, Effect, Event as DeskEvent, rules, too_late};
use crate::model::{
    Answer, Code, Decision, Entry, MessageId, Refusal, RequestId, Response, SessionId, ToolDecision,
};
use crate::server::agent::settings_files;
use std::path::PathBuf;

/// What the desk makes of an answer that it does not refuse.
enum Claimed {
    ToStore(SessionId, RequestId, Response),
    /// The same answer once more: it has the result of the first time.
    BeingStored,
    TakenBefore,
}

impl Hub {
    /// By a call that has no socket.
    pub async fn answer(&self, answer: Answer) -> Result<(), Refusal> {
        self.answer_from(answer, None).await
    }

    /// Returns when the answer is stored and given to the agent, or why it was not accepted.
    pub async fn answer_from(&self, answer: Answer, asker: Asker) -> Result<(), Refusal> {
        self.check_size(&answer.response)?;
        // what was accepted once is not looked at again: it may have been done meanwhile
        let is_repeated = self.lock().desk.has_heard(&answer);
        if !is_repeated {
            self.check_rules(&answer).await?;
            self.check_shown(&answer).await?;
        }
        let (session_id, request_id, response) = loop {
            // from here on none that is stored is missed
            let stored = self.0.answer_stored.notified();
            let claimed = self.claim(answer.clone(), asker);
            match claimed.map_err(|refusal| self.why_not(&answer, refusal))? {
                Claimed::ToStore(session_id, request_id, response) => {
                    break (session_id, request_id, response);
                }
                Claimed::BeingStored => stored.await,
                Claimed::TakenBefore => return Ok(()),
            }
        };
        // in a task of its own: a client that goes away in between must not leave the request claimed for ever
        let hub = self.clone();
        let storing = tokio::spawn(async move {
            let at = hub.0.clock.now();
            let note = response.note().map(str::to_owned);
            let granted = response.granted_for_the_session();
            let stored = hub.0.store.record_answer(request_id, response, at).await;
            let mut state = hub.lock();
            let outcome = match stored {
                Ok(()) => {
                    let recorded = state.desk.apply(DeskEvent::Recorded {
                        session_id,
                        request_id,
                        at,
                    });
                    recorded.map(|effects| {
                        hub.carry_out(&mut state, effects);
                        if let Some(record) = state.sessions.get_mut(&session_id) {
                            record.granted.extend(granted);
                        }
                        // only now: a note of an answer that was refused is not sent
                        if let Some(note) = note {
                            hub.say_with_the_answer(&mut state, session_id, note);
                        }
                    })
                }
                Err(refusal) => {
                    hub.apply(
                        &mut state,
                        DeskEvent::NotRecorded {
                            session_id,
                            request_id,
                        },
                    );
                    Err(refusal)
                }
            };
            hub.0.answer_stored.notify_waiters();
            outcome
        });
        storing.await.unwrap_or_else(|_| {
            Err(Refusal::new(
                Code::Internal,
                "The answer could not be stored. Try again.",
            ))
        })
    }

    /// The note of an allowed call, as a message like any other. The process waited for the answer, so it runs; one that
    /// is told to end leaves the message unread, and it can be sent again.
    fn say_with_the_answer(&self, state: &mut State, session_id: SessionId, text: String) {
        let letter = Letter {
            session_id,
            message_id: MessageId::random(),
            text,
            files: Vec::new(),
        };
        let message_id = letter.message_id;
        if self.hand_over(state, letter.clone()).is_ok() {
            if let Some(record) = state.sessions.get_mut(&session_id) {
                record.seen_messages.insert(message_id);
            }
            return;
        }
        let entry = Entry::MessageSent {
            message_id,
            text: letter.text,
            queued: false,
            attachments: Vec::new(),
        };
        self.note(state, session_id, entry);
        self.note(state, session_id, Entry::MessageNotRead { message_id });
    }

    /// The desk knows only what was asked while this process runs.
    fn why_not(&self, answer: &Answer, refusal: Refusal) -> Refusal {
        if !matches!(refusal.code, Code::UnknownRequest | Code::UnknownSession) {
            return refusal;
        }
        let end = self.0.store.end_of(answer.session_id, answer.request_id);
        end.map_or(refusal, |(outcome, by)| too_late(outcome, by))
    }

    fn claim(&self, answer: Answer, asker: Asker) -> Result<Claimed, Refusal> {
        let mut state = self.lock();
        if !state.sessions.contains_key(&answer.session_id) {
            return Err(super::unknown_session());
        }
        self.check_asker(&mut state, answer.session_id, answer.request_id, asker)?;
        let effects = state.desk.apply(DeskEvent::Answered { answer })?;
        let claimed = effects.into_iter().find_map(|effect| match effect {
            Effect::Record {
                session_id,
                request_id,
                response,
            } => Some(Claimed::ToStore(session_id, request_id, response)),
            Effect::AwaitStoring => Some(Claimed::BeingStored),
            Effect::Confirm => Some(Claimed::TakenBefore),
            _ => None,
        });
        claimed.ok_or_else(|| Refusal::new(Code::Internal, "The answer was not understood."))
    }

    /// An input that the person edited is held against their own deny rules: the agent does not look at it again.
    async fn check_rules(&self, answer: &Answer) -> Result<(), Refusal> {
        let Response::ToolApproval(ToolDecision {
            decision: Decision::Allow,
            updated_input: Some(input),
            ..
        }) = &answer.response
        else {
            return Ok(());
        };
        let (tool, directory) = {
            let state = self.lock();
            let mut pending = state.desk.pending(answer.session_id);
            let request = pending.find(|request| request.request_id == answer.request_id);
            let record = state.sessions.get(&answer.session_id);
            match (request, record) {
                (Some(request), Some(record)) if request.tool_input != *input => (
                    request.tool_name.clone(),
                    record.session.project_id.as_str().to_owned(),
                ),
                // as it was asked; or the desk says why it cannot be answered
                _ => return Ok(()),
            }
        };
        let own = self
            .0
            .setup
            .agent
            .own_directory(&self.0.setup.data_directory);
        let project = PathBuf::from(&directory);
        let reading =
            tokio::task::spawn_blocking(move || settings_files::deny_rules(&own, &project));
        let rules = reading.await.map_err(|_| {
            Refusal::new(
                Code::Internal,
                "Your deny rules could not be read. Try again.",
            )
        })?;
        let home = std::env::var("HOME").unwrap_or_default();
        let around = rules::Around {
            directory: &directory,
            home: &home,
        };
        rules::check(&rules, &tool, input, around)
    }

    fn check_size(&self, response: &Response) -> Result<(), Refusal> {
        let limit = self.0.setup.settings.limits.message_bytes;
        let size = serde_json::to_string(response).map_or(0, |text| text.len());
        match size > limit {
            true => Err(Refusal::new(
                Code::TooLarge,
                format!("The answer has {size} bytes; at most {limit} are taken. Shorten it."),
            )),
            false => Ok(()),
        }
    }
}
