//! Which of several pending requests is on screen. The chosen one stays when others come or go. Pure.

use crate::app::pending::Step;
use crate::model::{Digest, PendingRequest, RequestId};

/// A request in its queue, without its content: what tells whether the form must be drawn anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    pub request_id: RequestId,
    /// Other content under the same id is another form.
    pub digest: Option<Digest>,
}

pub fn position(requests: &[PendingRequest], chosen: Option<RequestId>) -> usize {
    chosen
        .and_then(|id| requests.iter().position(|request| request.request_id == id))
        .unwrap_or(0)
}

pub fn shown(requests: &[PendingRequest], chosen: Option<RequestId>) -> Option<Shown> {
    let request = requests.get(position(requests, chosen))?;
    Some(Shown {
        request_id: request.request_id,
        digest: request.digest.clone(),
    })
}

pub fn step(
    requests: &[PendingRequest],
    chosen: Option<RequestId>,
    step: Step,
) -> Option<RequestId> {
    let here = position(requests, chosen);
    let there = match step {
        Step::Previous => here.checked_sub(1)?,
        Step::Next => here + 1,
    };
    requests.get(there).map(|request| request.request_id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::UnixTime;
    use crate::model::samples;

    fn request() -> PendingRequest {
        PendingRequest {
            request_id: RequestId::random(),
            created_at: UnixTime(0.0),
            ..samples::plain_request()
        }
    }

    #[test]
    fn the_oldest_is_shown_until_another_is_chosen() {
        let queue = [request(), request(), request()];
        assert_eq!(position(&queue, None), 0);
        let next = step(&queue, None, Step::Next);
        assert_eq!(next, Some(queue[1].request_id));
        assert_eq!(step(&queue, None, Step::Previous), None);
        assert_eq!(step(&queue, Some(queue[2].request_id), Step::Next), None);
    }

    #[test]
    fn the_chosen_one_stays_when_others_come_or_go() {
        let queue = [request(), request()];
        let chosen = Some(queue[1].request_id);
        let without_first = [queue[1].clone(), request()];
        let shown = |queue: &[PendingRequest]| shown(queue, chosen).map(|shown| shown.request_id);
        assert_eq!(shown(&queue), chosen);
        assert_eq!(shown(&without_first), chosen);
    }

    #[test]
    fn when_the_chosen_one_is_gone_the_oldest_is_next() {
        let queue = [request(), request()];
        assert_eq!(position(&queue, Some(RequestId::random())), 0);
        assert_eq!(shown(&[], None), None);
    }
}
