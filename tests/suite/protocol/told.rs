//! Who is told which event of a rulebook, seen in games that have all of them, and whether words come with it.

use std::collections::{BTreeMap, BTreeSet};

use colony::{Colony, script::generate};
use crazyhouse::Crazyhouse;
use engine::{Audience, Cause, CommId, Message as _, Rulebook as _, laws::Trial};
use project::Project;
use server::{Adapter, SetupOf};
use treasure::Treasure;

use crate::{
    agents::{self, Agents},
    chaos::Chaos,
    explorers,
};

/// How the events of a rulebook are told, by their kinds.
pub(crate) type Events = BTreeMap<&'static str, How>;

#[derive(Default)]
pub(crate) struct How {
    /// The kinds of audience.
    pub(crate) audience: BTreeSet<&'static str>,
    /// Whether words came with them.
    pub(crate) text: BTreeSet<bool>,
}

/// Random games.
pub(crate) fn colony() -> Events {
    use colony_rules::{Edition, Game, Setup};
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

/// A game with a refusal and an offer.
pub(crate) fn crazyhouse() -> Events {
    use crazyhouse_rules::{Command, Game, Setup};
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
        (2, Command::Resign { because: None }),
    ];
    for (client, command) in played {
        trial.step(0, Cause::Command { client: CommId(client), command });
        note::<Crazyhouse>(&mut told, &setup, &trial);
    }
    told
}

/// A whole game of each year, and one with everything that can be wrong.
pub(crate) fn treasure() -> Events {
    use treasure_rules::{Command, Game, Setup};
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

/// A whole game, and one of whose players one comes back and one does not.
pub(crate) fn project() -> Events {
    use project_rules::{Command, GAME_MASTER, Game, Hearsay, Position, Setup, Team, Tile, TileObject, Timer};
    let mut told = Events::new();
    let setup = Setup::new(agents::SCENARIO).expect("a sound scenario");
    let clients = [CommId(0), CommId(1), CommId(2)];
    let mut trial = Trial::<Game>::new(&setup, 1, clients);
    let mut agents = Agents::default();
    agents.follow(trial.outbox().timers());
    while let Some((elapsed, cause)) = agents.next(trial.game()) {
        trial.step(elapsed, cause);
        agents.follow(trial.outbox().timers());
        note::<Project>(&mut told, &setup, &trial);
    }

    let mut trial = Trial::<Game>::new(&setup, 1, clients);
    let [_, one, other] = clients;
    let tile = Tile { position: Position { x: 1, y: 3 }, distance: 0, player: None, object: TileObject::Piece };
    let hearsay = Hearsay { tile, age: 1200 };
    let discover = || Command::Discover { id: "again".into() };
    let command = |client, command| (0, Cause::Command { client, command });
    let played = [
        command(one, discover()),
        command(one, agents::join(one)),
        command(other, agents::join(other)),
        command(one, Command::ChooseTeam { id: "one".into(), team: Team::Blue }),
        command(other, Command::ChooseTeam { id: "other".into(), team: Team::Red }),
        command(one, discover()),
        (setup.costs.discover, Cause::Timer { timer: Timer::Action { player: 1 } }),
        command(one, discover()),
        command(GAME_MASTER, Command::Exchanged { from: 2, to: 1, tiles: [hearsay].into() }),
        command(one, Command::Lost {}),
        command(one, agents::join(one)),
        command(other, Command::Lost {}),
        (setup.patience(), Cause::Timer { timer: Timer::Return { player: 2 } }),
    ];
    let mut clock = 0;
    for (later, cause) in played {
        clock += later;
        trial.step(clock, cause);
        note::<Project>(&mut told, &setup, &trial);
    }
    told
}

/// What the last step said.
fn note<A: Adapter>(told: &mut Events, setup: &SetupOf<A>, trial: &Trial<A::Rules>) {
    for (audience, event) in trial.outbox().events() {
        let how = told.entry(event.kind().name).or_default();
        how.audience.insert(match audience {
            Audience::All => "all",
            Audience::Only(_) => "only",
            Audience::Board => "board",
        });
        how.text.insert(A::words(setup, event).is_some());
    }
}
