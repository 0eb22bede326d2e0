//! A gate that holds players back, so that even fast players cannot end a game before the test allows it.

use std::{
    sync::{Condvar, Mutex},
    time::Duration,
};

/// The longest wait, with room for a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

#[derive(Debug)]
pub(crate) struct Gate {
    steps: Mutex<Steps>,
    changed: Condvar,
}

#[derive(Debug)]
struct Steps {
    /// The first step that has to wait.
    closed_at: u32,
    /// The last step that a player has reached.
    reached: u32,
}

impl Gate {
    /// A gate that is closed from the first step on.
    pub(crate) const fn closed() -> Self {
        Self { steps: Mutex::new(Steps { closed_at: 0, reached: 0 }), changed: Condvar::new() }
    }

    /// Waits until the gate allows a step.
    pub(crate) fn pass(&self, step: u32) {
        let mut steps = self.steps.lock().expect("no panic");
        steps.reached = steps.reached.max(step);
        self.changed.notify_all();
        let _open = self.changed.wait_while(steps, |steps| step >= steps.closed_at).expect("no panic");
    }

    /// Allows all steps before this one.
    pub(crate) fn open_until(&self, step: u32) {
        self.steps.lock().expect("no panic").closed_at = step;
        self.changed.notify_all();
    }

    /// Allows all steps.
    pub(crate) fn open(&self) {
        self.open_until(u32::MAX);
    }

    /// Waits until a player has reached a step.
    #[track_caller]
    pub(crate) fn wait_for(&self, step: u32) {
        let steps = self.steps.lock().expect("no panic");
        let waited = self.changed.wait_timeout_while(steps, PATIENCE, |steps| steps.reached < step);
        let (steps, waited) = waited.expect("no panic");
        assert!(!waited.timed_out(), "no player comes to step {step}: {steps:?}");
    }
}
