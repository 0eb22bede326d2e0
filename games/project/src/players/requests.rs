//! Open requests to the Game Master.
//!
//! Answers come in the order of the requests. So if a later request is answered first, the earlier one was answered with
//! silence. After a request was repeated, the order is no longer certain, and only a timeout shows the silence.

use std::{collections::VecDeque, sync::Arc};

use project_rules::{Action, Answer, Costs};

use super::Say;

/// How long an answer may take, in milliseconds, besides the cost of the action.
pub(super) const PATIENCE_MS: u64 = 3000;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Requests {
    open: VecDeque<Open>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Open {
    id: Arc<str>,
    action: Action,
    deadline: u64,
    /// How many times the request was repeated.
    repeats: u32,
}

impl Requests {
    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// When the next timeout is due.
    pub(super) fn due(&self) -> Option<u64> {
        self.open.iter().map(|open| open.deadline).min()
    }

    pub(super) fn send(&mut self, id: Arc<str>, action: Action, costs: &Costs, now: u64) -> Say {
        let before: u64 = self.open.iter().map(|open| open.action.cost_ms(costs)).sum();
        let deadline = now + PATIENCE_MS + before + action.cost_ms(costs);
        self.open.push_back(Open { id: id.clone(), action, deadline, repeats: 0 });
        Say::Request { id, action }
    }

    /// Handles an answer. Returns all requests that it answers, with their answers: the earlier requests were answered with
    /// silence.
    pub(super) fn answer(&mut self, context: &str, answer: &Answer) -> Vec<(Action, Answer)> {
        let asked = |open: &Open| open.id.eq_ignore_ascii_case(context) && fits(open.action, answer);
        let Some(at) = self.open.iter().position(asked) else { return Vec::new() };
        let in_order = self.open.iter().take(at + 1).all(|open| open.repeats == 0);
        let silent = if in_order { at } else { 0 };
        let mut answered: Vec<_> = self.open.drain(..silent).map(|open| (open.action, Answer::Silence)).collect();
        let open = self.open.remove(at - silent).expect("it was found there");
        answered.push((open.action, answer.clone()));
        answered
    }

    /// Repeats requests that timed out, with the same ids. Place and test can be answered with silence, so they count as
    /// answered after a second timeout.
    pub(super) fn overdue(&mut self, costs: &Costs, now: u64) -> (Vec<Say>, Vec<(Action, Answer)>) {
        let (mut again, mut silent) = (Vec::new(), Vec::new());
        self.open.retain_mut(|open| {
            if now < open.deadline {
                return true;
            }
            if open.repeats > 0 && matches!(open.action, Action::Place | Action::Test) {
                silent.push((open.action, Answer::Silence));
                return false;
            }
            again.push(open.repeat(costs, now));
            true
        });
        (again, silent)
    }

    /// Repeats all requests after a lost connection.
    pub(super) fn repeat_all(&mut self, costs: &Costs, now: u64) -> Vec<Say> {
        self.open.iter_mut().map(|open| open.repeat(costs, now)).collect()
    }
}

impl Open {
    fn repeat(&mut self, costs: &Costs, now: u64) -> Say {
        self.repeats += 1;
        self.deadline = now + PATIENCE_MS + self.action.cost_ms(costs);
        Say::Request { id: self.id.clone(), action: self.action }
    }
}

fn fits(action: Action, answer: &Answer) -> bool {
    match answer {
        Answer::Moved { .. } => matches!(action, Action::Move(_)),
        Answer::Discovered { .. } => action == Action::Discover,
        Answer::PickedUp { .. } => action == Action::PickUp,
        Answer::Tested { .. } => action == Action::Test,
        Answer::Placed { .. } => action == Action::Place,
        Answer::Silence => false,
    }
}
