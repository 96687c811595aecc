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

/// The requests that wait, oldest first, and the one on screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Queue {
    order: Vec<RequestId>,
    pub shown: Option<Shown>,
}

impl Queue {
    /// `before`: as it was until now.
    pub fn of(
        requests: &[PendingRequest],
        chosen: Option<RequestId>,
        before: Option<&Queue>,
    ) -> Self {
        let order: Vec<RequestId> = requests.iter().map(|request| request.request_id).collect();
        let here = chosen
            .filter(|id| order.contains(id))
            .or_else(|| before.and_then(|before| before.goes_on_with(&order)));
        let position = order.iter().position(|id| Some(*id) == here).unwrap_or(0);
        let shown = requests.get(position).map(|request| Shown {
            request_id: request.request_id,
            digest: request.digest.clone(),
        });
        Self { order, shown }
    }

    /// What was on screen, or whatever comes after it: one that was passed over is not shown again before the others.
    fn goes_on_with(&self, order: &[RequestId]) -> Option<RequestId> {
        let shown = self.shown.as_ref()?.request_id;
        let place = self.order.iter().position(|id| *id == shown)?;
        let rest = self.order.get(place..)?;
        rest.iter().copied().find(|id| order.contains(id))
    }

    pub fn position(&self) -> usize {
        let shown = self.shown.as_ref().map(|shown| shown.request_id);
        let here = self.order.iter().position(|id| Some(*id) == shown);
        here.unwrap_or(0)
    }

    pub fn len(&self) -> usize {
        self.order.len()
    }

    pub fn step(&self, step: Step) -> Option<RequestId> {
        let there = match step {
            Step::Previous => self.position().checked_sub(1)?,
            Step::Next => self.position() + 1,
        };
        self.order.get(there).copied()
    }
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

    fn shown(queue: &Queue) -> Option<RequestId> {
        queue.shown.as_ref().map(|shown| shown.request_id)
    }

    #[test]
    fn the_oldest_is_shown_until_another_is_chosen() {
        let all = [request(), request(), request()];
        let queue = Queue::of(&all, None, None);
        assert_eq!((queue.position(), queue.len()), (0, 3));
        let next = queue.step(Step::Next);
        assert_eq!(next, Some(all[1].request_id));
        assert_eq!(queue.step(Step::Previous), None);
        let last = Queue::of(&all, Some(all[2].request_id), Some(&queue));
        assert_eq!((last.position(), last.step(Step::Next)), (2, None));
    }

    #[test]
    fn the_chosen_one_stays_when_others_come_or_go() {
        let all = [request(), request()];
        let chosen = Some(all[1].request_id);
        let queue = Queue::of(&all, chosen, None);
        assert_eq!(shown(&queue), chosen);
        let without_first = [all[1].clone(), request()];
        let queue = Queue::of(&without_first, chosen, Some(&queue));
        assert_eq!(shown(&queue), chosen);
    }

    #[test]
    fn when_the_chosen_one_is_gone_the_one_after_it_is_next_and_stays() {
        let all = [request(), request(), request()];
        let chosen = Some(all[1].request_id);
        let queue = Queue::of(&all, chosen, None);
        let rest = [all[0].clone(), all[2].clone()];
        let queue = Queue::of(&rest, chosen, Some(&queue));
        assert_eq!(shown(&queue), Some(all[2].request_id));
        let more = [all[0].clone(), all[2].clone(), request()];
        let queue = Queue::of(&more, chosen, Some(&queue));
        assert_eq!(shown(&queue), Some(all[2].request_id));
        assert_eq!(queue.step(Step::Previous), Some(all[0].request_id));
    }

    #[test]
    fn after_the_last_one_comes_the_oldest_and_after_all_of_them_none() {
        let all = [request(), request()];
        let queue = Queue::of(&all, Some(all[1].request_id), None);
        let queue = Queue::of(&all[..1], Some(all[1].request_id), Some(&queue));
        assert_eq!(shown(&queue), Some(all[0].request_id));
        let queue = Queue::of(&[], None, Some(&queue));
        assert_eq!((shown(&queue), queue.len()), (None, 0));
    }
}
