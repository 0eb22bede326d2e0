//! The audience of each event, found in random games that have all events.

use colony::{Colony, script::generate};
use colony_rules::{Edition, Game, Setup};
use engine::{Rulebook as _, laws::Trial};

use super::chaos::Chaos;
use crate::protocol::told::{Events, note};

/// Plays random games, and notes the audience of their events.
pub(super) fn events() -> Events {
    let mut told = Events::new();
    for edition in Edition::ALL {
        for seed in 0..300 {
            let text = generate::scenario(edition, seed);
            let setup = Setup::new(&text, Some(edition), Some(30_000)).expect("generated scenarios are sound");
            let mut chaos = Chaos::new(&setup, seed);
            let mut trial = Trial::<Game>::new(&setup, seed, chaos.clients());
            for clock in 0..600 {
                if trial.game().outcome().is_some() {
                    break;
                }
                let cause = chaos.next(&trial);
                trial.step(clock * 30_000, cause);
                note::<Colony>(&mut told, &setup, &trial);
            }
        }
    }
    told
}
