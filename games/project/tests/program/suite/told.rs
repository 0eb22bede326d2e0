//! Games that emit all events, to find the audience of each.

use engine::{Cause, CommId, laws::Trial};
use project::Project;
use project_rules::{Command, GAME_MASTER, Game, Hearsay, Position, Setup, Team, Tile, TileObject, Timer};

use super::agents::{self, Agents};
use crate::protocol::told::{Events, note};

/// The events of a whole game, and of a game in which one lost player comes back and another does not.
pub(super) fn events() -> Events {
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
        (setup.patience_ms(), Cause::Timer { timer: Timer::Return { player: 2 } }),
    ];
    let mut clock = 0;
    for (later, cause) in played {
        clock += later;
        trial.step(clock, cause);
        note::<Project>(&mut told, &setup, &trial);
    }
    told
}
