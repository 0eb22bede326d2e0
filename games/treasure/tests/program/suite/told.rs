//! Games that contain every event, to check which clients are told each of them.

use engine::{Cause, CommId, laws::Trial};
use treasure::Treasure;
use treasure_rules::{Command, Game, Setup};

use super::explorers;
use crate::protocol::told::{Events, note};

/// A whole game of each year, and one with every possible error.
pub(super) fn events() -> Events {
    let mut told = Events::new();
    for year in ["2022", "2017"] {
        let setup = Setup::new(year).expect("it is built in");
        let mut trial = Trial::<Game>::new(&setup, 1, [CommId(1), CommId(2)]);
        while let Some((client, command)) = explorers::next(trial.game()) {
            trial.step(0, Cause::Command { client, command });
            note::<Treasure>(&mut told, &setup, &trial);
        }
    }
    let setup = Setup::new("2022").expect("it is built in");
    let mut trial = Trial::<Game>::new(&setup, 1, [CommId(1), CommId(2)]);
    let mut step = |trial: &mut Trial<Game>, client, command| {
        trial.step(0, Cause::Command { client, command });
        note::<Treasure>(&mut told, &setup, trial);
    };
    while let Some((client, command)) = explorers::next(trial.game()).filter(|_| !trial.game().public().has_begun()) {
        step(&mut trial, client, command.clone());
        step(&mut trial, client, command);
        step(&mut trial, client, Command::Garbled { problem: "no document".into() });
    }
    let client = trial.game().turn().expect("it has begun");
    step(&mut trial, client, Command::SendHalf { fields: Vec::new(), coding: None });
    told
}
