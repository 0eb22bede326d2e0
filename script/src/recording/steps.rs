//! The steps of a script that replays a game.

use engine::{Cause, Message, Seats, arguments};

use super::Recorded;
use crate::{
    adapter::{EventOf, EventWords, ScriptAdapter, worded},
    step::{Call, Expected, Step, THE_SCENARIO},
};

/// Before entry `from`, counted from 1, the steps are only the commands, and the events that decide which clients are in the
/// game.
pub(super) fn steps<A: ScriptAdapter>(entries: &[Recorded<A>], from: usize) -> Vec<Step> {
    let mut seats = Seats::default();
    let mut steps = Vec::new();
    let mut skipped = Skipped::default();
    for (entry, sequence) in entries.iter().zip(1..) {
        if sequence == from {
            skipped.skip(&mut steps);
        }
        steps.push(act(entry, &seats, entries));
        for emission in &entry.emissions {
            seats.follow(emission, |client, event| {
                let call = expected_call::<A>(event);
                if sequence >= from {
                    steps.push(Step::Expect { client: client.0, expected: Expected::Event(call) });
                } else {
                    skipped.add::<A>(client.0, call, &mut steps);
                }
            });
        }
    }
    steps
}

fn act<A: ScriptAdapter>(entry: &Recorded<A>, seats: &Seats, entries: &[Recorded<A>]) -> Step {
    match &entry.cause {
        Cause::Command { client, command } => Step::Send { client: client.0, call: A::call(command) },
        Cause::Timer { .. } => {
            // While players register, the step can name any client as the silent one.
            let sender = || {
                entries.iter().find_map(|entry| match &entry.cause {
                    Cause::Command { client, .. } => Some(*client),
                    Cause::Timer { .. } => None,
                })
            };
            let silent = entry.awaited.or_else(|| seats.seated().first().copied()).or_else(sender);
            Step::Silence { client: silent.map_or(1, |client| client.0) }
        }
    }
}

fn expected_call<A: ScriptAdapter>(event: &EventOf<A>) -> Call {
    let name = event.kind().name;
    let arguments = match worded::<A>(name) {
        Some(EventWords::Scenario) => vec![THE_SCENARIO.into()],
        // The text differs between servers, so the script leaves it out.
        Some(EventWords::Own) => Vec::new(),
        Some(EventWords::Rules) => vec![A::words(event).into()],
        None => arguments(event),
    };
    Call { name: name.into(), arguments }
}

/// Events that clients received and that the script skips.
#[derive(Default)]
struct Skipped {
    clients: Vec<(u32, Vec<Call>)>,
}

impl Skipped {
    fn add<A: ScriptAdapter>(&mut self, client: u32, call: Call, steps: &mut Vec<Step>) {
        let at = self.clients.iter().position(|(other, _)| *other == client).unwrap_or_else(|| {
            self.clients.push((client, Vec::new()));
            self.clients.len() - 1
        });
        let calls = &mut self.clients[at].1;
        // These events decide which clients `all` means. Each occurs once, so the script can wait for it.
        if A::SEATS.is_some_and(|seats| [seats.joined, seats.left].contains(&call.name.as_str())) {
            let expected = if calls.is_empty() { Expected::Event(call) } else { Expected::Until(call) };
            steps.push(Step::Expect { client, expected });
            calls.clear();
        } else {
            calls.push(call);
        }
    }

    /// Makes every client skip its remaining events, in as few lines as possible. Each line waits for the last event that is
    /// different from all events before it.
    fn skip(&mut self, steps: &mut Vec<Step>) {
        while self.clients.iter().any(|(_, calls)| !calls.is_empty()) {
            for (client, calls) in self.clients.iter_mut().filter(|(_, calls)| !calls.is_empty()) {
                let is_new = |&at: &usize| !calls[..at].contains(&calls[at]);
                let at = (0..calls.len()).rev().find(is_new).unwrap_or_default();
                steps.push(Step::Expect { client: *client, expected: Expected::Until(calls[at].clone()) });
                calls.drain(..=at);
            }
        }
    }
}
