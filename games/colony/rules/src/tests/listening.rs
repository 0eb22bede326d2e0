//! Boards and views that receive events from a foreign server, which may be faulty.

use engine::{Projection, Rulebook};

use super::{
    scene, with,
    world::{card, character, location},
};
use crate::{
    Game,
    board::Board,
    event::{Effect, Event},
    ids::{CardId, CharacterId, Entrance, FateId, LocationId, PlayerId},
    view::{Asked, View},
};

const US: PlayerId = PlayerId(0);
const THEM: PlayerId = PlayerId(1);

fn named(name: &str) -> CharacterId {
    CharacterId(character(name))
}

fn at(name: &str) -> LocationId {
    LocationId(location(name))
}

#[track_caller]
fn forgotten(board: &Board, event: &Event) {
    let mut after = board.clone();
    after.apply(event);
    assert_eq!(after, *board, "{event:?}");
}

#[test]
fn what_cannot_be_is_forgotten() {
    let (ana, stranger) = (named("Ana"), CharacterId(4711));
    let (mill, nowhere) = (at("mill"), LocationId(4711));
    let food = CardId(card("food1"));
    let lobby = scene("unused Ana");
    // Player 0 has one survivor, but no dice and no cards. Player 1 is out, Bo is dead, and Dan is not in the game.
    let game = with(&scene("unused Dan | Ana | Bo; out"), "mill: zombies 3,0 barricades 0,3");

    for board in [lobby.board(), game.board()] {
        for event in [
            Event::CharacterSpawned { player: PlayerId(9), character: named("Dan") },
            Event::CharacterSpawned { player: US, character: stranger },
            Event::DieRolled { player: PlayerId(9), value: 3 },
            Event::DieRolled { player: US, value: 0 },
            Event::DieRolled { player: US, value: 7 },
            Event::DieSpent { player: US, value: 3 },
            Event::DieSpent { player: PlayerId(9), value: 3 },
            Event::CardDrawn { player: US, card: CardId(4711) },
            Event::CardUsed { card: food, character: None, target: None },
            Event::CardUsed { card: CardId(4711), character: Some(ana), target: Some(1) },
            Event::AbilityUsed { character: stranger, target: None },
            Event::EffectUsed { character: stranger, effect: Effect::Ability },
            Event::EffectUsed { character: ana, effect: Effect::Equipment(food) },
            Event::Moved { character: stranger, location: mill, fuel: Some(true) },
            Event::Moved { character: named("Dan"), location: mill, fuel: Some(true) },
            Event::Moved { character: ana, location: nowhere, fuel: None },
            Event::ZombieKilled { character: ana, location: mill, entrance: Entrance(-1) },
            Event::ZombieKilled { character: ana, location: mill, entrance: Entrance(2) },
            Event::ZombieSpawned { location: mill, entrance: Entrance(2) },
            Event::ZombieSpawned { location: nowhere, entrance: Entrance(0) },
            Event::BarricadeDestroyed { location: mill, entrance: Entrance(0) },
            Event::BarricadeDestroyed { location: nowhere, entrance: Entrance(0) },
            Event::Wounded { character: stranger },
            Event::Frostbitten { character: stranger },
            Event::SurvivorKilled { character: named("Dan") },
            Event::SurvivorKilled { character: stranger },
            Event::ChildKilled {},
            Event::Crossroad { fate: FateId(4711) },
        ] {
            forgotten(&board, &event);
        }
    }
    // During registration, there are no players yet.
    forgotten(&lobby.board(), &Event::EffectUsed { character: ana, effect: Effect::Disposal });
    forgotten(&lobby.board(), &Event::Moved { character: ana, location: mill, fuel: Some(true) });
    forgotten(&lobby.board(), &Event::CharacterSpawned { player: US, character: ana });
    // A character comes into the game only once, and never after its death.
    for (player, name) in [(US, "Ana"), (THEM, "Ana"), (THEM, "Bo"), (US, "Bo")] {
        forgotten(&game.board(), &Event::CharacterSpawned { player, character: named(name) });
    }
    forgotten(&game.board(), &Event::SurvivorKilled { character: named("Bo") });
    forgotten(&game.board(), &Event::Moved { character: named("Bo"), location: mill, fuel: None });
    // All places of both entrances are taken.
    for entrance in [Entrance(0), Entrance(1)] {
        forgotten(&game.board(), &Event::ZombieSpawned { location: mill, entrance });
        forgotten(&game.board(), &Event::Barricaded { character: ana, location: mill, entrance });
    }
}

/// Registers the client as player 0, applies the events, and compares the action that the game expects from the client.
#[track_caller]
fn check(events: &[Event], expected: Asked) {
    let game = scene("unused Ana Bo");
    let mut view = <View as Projection<Game>>::new(&game.setup);
    assert_eq!(view.me(), None);
    let registered = [Event::Registered { player: US, name: "Pia".into() }, Event::Config {}];
    let other = Event::Registered { player: THEM, name: "Tom".into() };
    registered.iter().chain([&other]).chain(events).for_each(|event| view.apply(event));
    assert_eq!(view.asked, expected, "{events:?}");
    assert_eq!(view.me().map(|player| &*player.name), Some("Pia"));
}

#[test]
fn a_client_is_asked_until_it_has_answered() {
    let offered = [1, 2, 3, 4].map(CharacterId);
    let [c0, c1, c2, c3] = offered;
    let characters = || Event::Characters { c0, c1, c2, c3 };
    let spawned = |player| Event::CharacterSpawned { player, character: named("Ana") };
    let ended = |player| Event::TurnEnded { player };
    let left = |player| Event::Left { player };

    check(&[], Asked::Nothing);
    check(&[characters()], Asked::Characters(offered));
    check(&[characters(), spawned(THEM)], Asked::Characters(offered));
    check(&[characters(), spawned(US)], Asked::Nothing);
    check(&[characters(), left(THEM)], Asked::Characters(offered));
    check(&[characters(), left(US)], Asked::Nothing);
    check(&[Event::ActNow {}, spawned(US)], Asked::Act);
    check(&[Event::ActNow {}, spawned(THEM), ended(THEM), left(THEM)], Asked::Act);
    check(&[Event::ActNow {}, ended(US)], Asked::Nothing);
    check(&[Event::ActNow {}, left(US)], Asked::Nothing);
    check(&[Event::ActNow {}, Event::VoteAsked { player: THEM }], Asked::Nothing);
    check(&[Event::VoteAsked { player: US }, Event::VoteNow {}], Asked::Vote);
    check(&[Event::VoteNow {}, Event::VoteAsked { player: THEM }], Asked::Nothing);
    check(&[Event::VoteNow {}, Event::VoteResult { answer: true }], Asked::Nothing);
    check(&[Event::ActNow {}, Event::GameEnd { win: true }], Asked::Nothing);
    check(&[Event::ActNow {}, Event::RegistrationAborted {}], Asked::Nothing);
}
