//! The view of a player, and its made-up values.

use std::collections::BTreeSet;

use engine::Rulebook;
use treasure_rules::{Coding, Command, FortState, Player, PlayersState, Position, Standing, Terrain};

use crate::table::{ANA, BO, GOOD, GOOD_2017, Table, good, half, register, send};

#[test]
fn nodes() {
    let mut table = Table::begun("2022", 4);
    let starter = table.turn();
    let other = ANA + BO - starter;
    assert_eq!(table.view(starter).nodes().count(), 0);
    table.does(starter, send(half(&GOOD)));
    let fort = table.view(starter).fort().expect("its own fort");
    for client in [starter, other] {
        let nodes: Vec<_> = table.view(client).nodes().collect();
        assert_eq!(nodes.len(), 50);
        assert!(nodes.iter().any(|node| node.at == fort), "at their final places");
        let own = client == starter;
        assert_eq!(nodes.iter().any(|node| node.fort != FortState::NoOrUnknownFortState), own);
        let there: Vec<_> = nodes.iter().filter(|node| node.players != PlayersState::NoPlayerPresent).collect();
        assert_eq!(there.len(), usize::from(own), "its own avatar, and nothing made up yet");
    }
    table.does(other, send(half(&GOOD)));
    for client in [starter, other] {
        let view = table.view(client);
        assert_eq!(view.nodes().count(), 100);
        let shown = |state| view.nodes().filter(|node| node.fort == state).map(|node| node.at).collect::<Vec<_>>();
        assert_eq!(shown(FortState::MyFortPresent), [view.fort().expect("a fort")]);
        assert_eq!(shown(FortState::EnemyFortPresent), []);
    }
}

#[test]
fn standings() {
    let mut table = Table::new("2022", 4);
    assert_eq!(table.view(ANA).standing(), None);
    table.does(ANA, register("Ana"));
    assert_eq!(table.view(ANA).standing(), Some(Standing::MustWait), "both wait for the second");
    assert_eq!(table.view(ANA).players().len(), 1);
    table.does(BO, register("Bo"));
    let starter = table.turn();
    let [own, other] = <[_; 2]>::try_from(table.view(starter).players()).expect("two");
    assert_eq!((own.standing, other.standing), (Standing::MustAct, Standing::MustWait));
    assert_eq!(own.id, if starter == ANA { "secret of Ana" } else { "secret of Bo" });
    assert_eq!(&*other.account, if starter == ANA { "bo" } else { "ana" });
    table.rings(treasure_rules::Timer::Think);
    let [own, other] = <[_; 2]>::try_from(table.view(starter).players()).expect("two");
    assert_eq!((own.standing, other.standing), (Standing::Lost, Standing::Won));
    assert_eq!(Standing::MustAct.to_string(), "MustAct");
    assert_eq!(FortState::NoOrUnknownFortState.to_string(), "NoOrUnknownFortState");
    assert_eq!(Terrain::Mountain.to_string(), "Mountain");
}

fn is_uuid(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    lengths == [8, 4, 4, 4, 12]
        && text.chars().all(|letter| letter == '-' || letter.is_ascii_hexdigit())
        && parts[2].starts_with('4')
        && parts[3].starts_with(['8', '9', 'a', 'b'])
}

/// Made-up values differ after every change, and only then.
#[test]
fn made_up_things() {
    let mut table = Table::charted("2022", 4);
    let (mut states, mut ids, mut places) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut real = 0;
    let made_up = |table: &Table| {
        let view = table.view(ANA);
        (view.game_state_id().expect("an id"), view.players()[1].id.clone(), view.enemy_position().expect("a place"))
    };
    while table.game.public().actions() < 15 {
        table.idles();
        let (state, id, place) = made_up(&table);
        assert!(is_uuid(&state) && is_uuid(&id), "{state} {id}");
        table.does(BO, Command::Garbled { problem: "?".into() });
        table.does(7, Command::Garbled { problem: "?".into() });
        table.does(7, register("Cleo"));
        assert_eq!(made_up(&table), (state.clone(), id.clone(), place), "nothing has changed");
        assert_ne!(table.view(BO).game_state_id(), Some(state.clone()), "everybody has their own");
        let terrain = table.game.public().chart().and_then(|chart| chart.terrain(place));
        assert!(terrain.is_some_and(|terrain| terrain != Terrain::Water));
        real += usize::from(Some(place) == table.view(BO).position());
        assert!(states.insert(state) && ids.insert(id), "each is new");
        places.insert(place);
    }
    assert!(places.len() > 8 && real < 5, "{places:?}, {real} of them where Bo is");
    table.idles();
    for _ in 0..4 {
        table.idles();
        assert_eq!(Some(made_up(&table).2), table.view(BO).position(), "from the 16th action on it is no secret");
    }
}

/// An end during the first actions does not reveal the position of the loser.
#[test]
fn after_an_early_end() {
    let mut table = Table::charted("2022", 4);
    table.rings(treasure_rules::Timer::Think);
    assert!(table.game.outcome().is_some());
    assert_eq!(table.game.public().position(Player::Second), None);
    assert!(table.view(ANA).enemy_position().is_some());
}

#[test]
fn the_full_map_of_2017() {
    let mut table = Table::begun("2017", 4);
    let setup = table.game.public().setup().clone();
    table.does(BO, Command::SendHalf { fields: good(&setup), coding: Some(Coding::Letters) });
    assert_eq!(table.view(BO).standing(), Some(Standing::MustWait));
    assert_eq!(table.view(ANA).standing(), Some(Standing::MustAct));
    assert_eq!(table.view(BO).nodes().count(), 0, "not before both are there");
    table.does(ANA, Command::SendHalf { fields: half(&GOOD_2017), coding: Some(Coding::Digits4) });
    for (client, coding, enemy) in [(ANA, Coding::Digits4, BO), (BO, Coding::Letters, ANA)] {
        let view = table.view(client);
        assert_eq!(view.coding(), Some(coding));
        assert_eq!(view.nodes().map(|node| node.at).collect::<Vec<_>>()[63], Position::new(7, 7));
        assert_eq!(view.position(), view.fort());
        assert_eq!(view.enemy_position(), table.view(enemy).position(), "both are told where both are");
        assert!(!view.has_treasure() && !view.has_won() && !view.has_lost());
        let accounts: Vec<_> = view.players().into_iter().map(|player| player.account.to_string()).collect();
        let own = if client == ANA { "ana" } else { "bo" };
        assert_eq!(accounts, [own, ""], "a matriculation number is secret");
    }
}
