//! Who is there, and what their absence means: when requests are given up because everyone is gone, and which client holds
//! a session. Pure: moments are told to it.

use crate::model::policy::{AnswerFrom, OnDisconnect};
use crate::model::{ClientId, Code, Refusal, SessionId};
use std::collections::BTreeMap;
use std::time::Duration;

/// A reload, or a moment without network, is no goodbye.
const BLIP: Duration = Duration::from_secs(3);

/// Who asks to answer: a socket, or a call that has none.
pub type Asker = Option<ClientId>;

#[derive(Clone, Debug, Default)]
pub struct Presence {
    /// How many sockets each has: a tab that reconnects has two for a while.
    here: BTreeMap<ClientId, usize>,
    /// When the last one left. Where nobody ever was, nobody is gone.
    gone_since: Option<Duration>,
    /// Calls without a socket hold it together, until someone takes it over.
    holders: BTreeMap<SessionId, Asker>,
}

impl Presence {
    pub fn came(&mut self, client: ClientId) {
        *self.here.entry(client).or_insert(0) += 1;
        self.gone_since = None;
    }

    /// With its last socket the sessions that it held are free.
    pub fn left(&mut self, client: ClientId, now: Duration) -> Vec<SessionId> {
        if let Some(sockets) = self.here.get_mut(&client) {
            *sockets -= 1;
            if *sockets > 0 {
                return Vec::new();
            }
            self.here.remove(&client);
        }
        if self.here.is_empty() {
            self.gone_since = Some(now);
        }
        let held: Vec<SessionId> = self
            .holders
            .iter()
            .filter(|(_, holder)| **holder == Some(client))
            .map(|(session_id, _)| *session_id)
            .collect();
        for session_id in &held {
            self.holders.remove(session_id);
        }
        held
    }

    /// Whether a request is to be given up, that was asked then.
    pub fn gives_up(&self, policy: OnDisconnect, asked: Duration, now: Duration) -> bool {
        let patience = match policy {
            OnDisconnect::Keep => return false,
            OnDisconnect::Deny => BLIP,
            OnDisconnect::DenyAfter(seconds) => Duration::from_secs(seconds).max(BLIP),
        };
        self.gone_since
            .is_some_and(|gone| now.saturating_sub(gone.max(asked)) >= patience)
    }

    /// One who answered by a call and never came back holds nothing.
    pub fn holder(&self, session_id: SessionId) -> Option<Asker> {
        let holder = self.holders.get(&session_id).copied();
        holder.filter(|holder| holder.is_none_or(|client| self.here.contains_key(&client)))
    }

    /// Someone looks at a session: it is theirs when it is nobody's. Says whether that changed.
    pub fn look(&mut self, session_id: SessionId, client: ClientId) -> bool {
        let is_free = self.holder(session_id).is_none();
        if is_free {
            self.holders.insert(session_id, Some(client));
        }
        is_free
    }

    pub fn take_over(&mut self, session_id: SessionId, asker: Asker) -> bool {
        self.holders.insert(session_id, asker) != Some(asker)
    }

    /// The first who answers a session that nobody holds has it from then on. Says whether that changed.
    pub fn may_answer(
        &mut self,
        policy: AnswerFrom,
        session_id: SessionId,
        asker: Asker,
    ) -> Result<bool, Refusal> {
        match (policy, self.holder(session_id)) {
            (AnswerFrom::Any, _) => Ok(false),
            (AnswerFrom::Active, Some(holder)) if holder == asker => Ok(false),
            (AnswerFrom::Active, None) => Ok(self.take_over(session_id, asker)),
            (AnswerFrom::Active, Some(_)) => Err(Refusal::new(
                Code::SessionTaken,
                "This session is answered from another tab or program. Take it over to answer here.",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    const fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn client(number: u128) -> ClientId {
        ClientId(Uuid::from_u128(number))
    }

    fn session() -> SessionId {
        SessionId(Uuid::from_u128(7))
    }

    fn left_at(seconds: u64) -> Presence {
        let mut presence = Presence::default();
        presence.came(client(1));
        presence.came(client(2));
        presence.left(client(1), at(seconds - 5));
        presence.left(client(2), at(seconds));
        presence
    }

    #[test]
    fn requests_are_kept_while_someone_is_there_and_where_nobody_ever_was() {
        let mut presence = left_at(100);
        presence.came(client(3));
        for presence in [presence, Presence::default()] {
            assert!(!presence.gives_up(OnDisconnect::Deny, at(90), at(10_000)));
        }
    }

    #[test]
    fn each_policy_has_its_patience_and_a_reload_is_no_goodbye() {
        let presence = left_at(100);
        let gives_up = |policy, now| presence.gives_up(policy, at(90), at(now));
        assert!(!gives_up(OnDisconnect::Keep, 1_000_000));
        assert!(!gives_up(OnDisconnect::Deny, 102));
        assert!(gives_up(OnDisconnect::Deny, 103));
        assert!(!gives_up(OnDisconnect::DenyAfter(30), 129));
        assert!(gives_up(OnDisconnect::DenyAfter(30), 130));
    }

    #[test]
    fn what_is_asked_while_nobody_is_there_has_the_same_patience() {
        let presence = left_at(100);
        let policy = OnDisconnect::DenyAfter(30);
        assert!(!presence.gives_up(policy, at(500), at(529)));
        assert!(presence.gives_up(policy, at(500), at(530)));
    }

    #[test]
    fn one_client_at_a_time_answers_until_another_takes_over_or_it_leaves() {
        let mut presence = Presence::default();
        let (one, two) = (client(1), client(2));
        presence.came(one);
        presence.came(two);
        assert!(presence.look(session(), one), "it was free");
        assert!(!presence.look(session(), two), "it is taken");
        let active = AnswerFrom::Active;
        for asker in [Some(two), None] {
            let refusal = presence.may_answer(active, session(), asker);
            assert_eq!(refusal.expect_err("taken").code, Code::SessionTaken);
            assert!(
                presence
                    .may_answer(AnswerFrom::Any, session(), asker)
                    .is_ok()
            );
        }
        assert!(presence.take_over(session(), Some(two)));
        assert!(presence.may_answer(active, session(), Some(one)).is_err());
        assert_eq!(presence.left(two, at(1)), [session()]);
        assert_eq!(presence.may_answer(active, session(), Some(one)), Ok(true));
        assert_eq!(presence.may_answer(active, session(), Some(one)), Ok(false));
    }

    #[test]
    fn a_tab_that_reconnects_keeps_what_it_holds() {
        let mut presence = Presence::default();
        presence.came(client(1));
        presence.look(session(), client(1));
        presence.came(client(1));
        assert_eq!(presence.left(client(1), at(1)), []);
        assert_eq!(presence.holder(session()), Some(Some(client(1))));
        assert!(!presence.gives_up(OnDisconnect::Deny, at(0), at(100)));
        assert_eq!(presence.left(client(1), at(2)), [session()]);
        assert!(presence.gives_up(OnDisconnect::Deny, at(0), at(100)));
    }

    #[test]
    fn a_call_without_a_socket_can_hold_a_session_too() {
        let mut presence = Presence::default();
        presence.came(client(1));
        presence.take_over(session(), None);
        let active = AnswerFrom::Active;
        assert_eq!(presence.may_answer(active, session(), None), Ok(false));
        assert!(
            presence
                .may_answer(active, session(), Some(client(1)))
                .is_err()
        );
    }
}
