//! Games that contain every event, to check which clients are told each of them.

use crazyhouse::Crazyhouse;
use crazyhouse_rules::{Command, Game, Setup};
use engine::{Cause, CommId, laws::Trial};

use crate::protocol::told::{Events, note};

/// A game with a refusal, an offer and takebacks.
pub(super) fn events() -> Events {
    let mut told = Events::new();
    let setup = Setup::new("standard", None).expect("it is built in");
    let mut trial = Trial::<Game>::new(&setup, 1, [CommId(1), CommId(2)]);
    let join = |name: &str| Command::Join { name: name.into(), side: None };
    let played = [
        (1, join("Ana")),
        (1, join("Ana")),
        (2, join("Bo")),
        (1, Command::Move { text: "e2-e4".into() }),
        (2, Command::Move { text: "e2-e4".into() }),
        (1, Command::OfferDraw {}),
        (2, Command::DeclineDraw {}),
        // The second client is White, by the seed.
        (2, Command::AskTakeback {}),
        (1, Command::RefuseTakeback {}),
        (2, Command::AskTakeback {}),
        (1, Command::AllowTakeback {}),
        (2, Command::Resign { because: None }),
    ];
    for (client, command) in played {
        trial.step(0, Cause::Command { client: CommId(client), command });
        note::<Crazyhouse>(&mut told, &setup, &trial);
    }
    told
}
