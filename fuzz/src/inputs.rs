//! The inputs of a game from any bytes, as a host could have them.

use engine::{Cause, CommId, Input, Outbox, TimerChange};
use serde::de::DeserializeOwned;

/// The number of clients. Their numbers begin with 0.
pub(super) const CLIENTS: u32 = 6;

/// Reads inputs from bytes: the clock never goes back, and a timer comes only if it is set, and when it is due.
pub(super) struct Inputs<'b, T> {
    bytes: &'b [u8],
    timers: Vec<(T, u64)>,
    now_ms: u64,
}

impl<'b, T: Clone + Eq + DeserializeOwned> Inputs<'b, T> {
    /// Inputs for a game that has just begun, and has said this.
    pub(super) fn new<E>(bytes: &'b [u8], outbox: &Outbox<E, T>) -> Self {
        let mut inputs = Self { bytes, timers: Vec::new(), now_ms: 0 };
        inputs.follow(outbox);
        inputs
    }

    /// The next input that is possible.
    pub(super) fn next<C: DeserializeOwned>(&mut self) -> Option<Input<C, T>> {
        loop {
            let (mut input, rest) = postcard::take_from_bytes::<Input<C, T>>(self.bytes).ok()?;
            self.bytes = rest;
            input.elapsed_ms = input.elapsed_ms.max(self.now_ms);
            match &mut input.cause {
                Cause::Command { client: CommId(client), .. } => *client %= CLIENTS,
                Cause::Timer { timer } => {
                    let Some(at) = self.timers.iter().position(|(set, _)| set == timer) else { continue };
                    input.elapsed_ms = input.elapsed_ms.max(self.timers.swap_remove(at).1);
                }
            }
            self.now_ms = input.elapsed_ms;
            return Some(input);
        }
    }

    /// Follows the timers that a fold has changed.
    pub(super) fn follow<E>(&mut self, outbox: &Outbox<E, T>) {
        for change in outbox.timers() {
            self.timers.retain(|(set, _)| set != change.timer());
            if let TimerChange::Set { timer, after_ms } = change {
                self.timers.push((timer.clone(), self.now_ms.saturating_add(*after_ms)));
            }
        }
    }
}
