//! Seeing and finding things, and winning.

use engine::Rulebook;
use treasure_rules::{Direction, FortState, Game, Player, Position, Reason, TreasureState};

use crate::table::{ANA, BO, GOOD, GOOD_2017, Table};

/// A half with a mountain to the right of the fort.
const PEAK: [&str; 5] = ["FMGGGGGGGG", "GWGWGWGWGG", "GGGGGGGGGG", "GWGWGWGMMM", "MGGGGGGGGG"];

/// Whether Ana has the upper half, and her treasure is at this position.
fn at(x: u8, y: u8) -> impl Fn(&Game) -> bool {
    move |game| {
        let is_upper = game.public().chart().is_some_and(|chart| chart.width() == 10)
            && game.private(Player::First).and_then(|private| private.fort) == Some(Position::new(0, 0));
        is_upper && game.treasure(Player::First) == Some(Position::new(x, y))
    }
}

/// The positions of Ana's treasure and of the opponent's fort in her view.
fn shown(table: &Table) -> (Option<Position>, Option<Position>) {
    let view = table.view(ANA);
    let treasure = view.nodes().find(|node| node.treasure == TreasureState::MyTreasureIsPresent);
    let fort = view.nodes().find(|node| node.fort == FortState::EnemyFortPresent);
    (treasure.map(|node| node.at), fort.map(|node| node.at))
}

#[test]
fn on_grass_one_sees_the_own_field() {
    let mut table = Table::with("2022", [&GOOD, &GOOD], at(2, 1));
    // A field next to the treasure.
    table.goes(ANA, Position::new(2, 0));
    assert_eq!(shown(&table), (None, None));
    let said = table.goes(ANA, Position::new(2, 1));
    assert!(said.ends_with("; there; sees treasure; takes treasure; Ana collected"), "{said}");
    assert_eq!(shown(&table), (None, None), "what is collected is no longer shown");
    assert!(table.view(ANA).has_treasure() && !table.view(BO).has_treasure());
    let [own, other] = <[_; 2]>::try_from(table.view(BO).players()).expect("two");
    assert_eq!((own.collected, other.collected), (false, true), "the other is told");
    table.goes(ANA, Position::new(2, 0));
    let again = table.goes(ANA, Position::new(2, 1));
    assert!(!again.contains("treasure"), "there is only one: {again}");
}

/// A mountain shows each of the 8 fields around it, and no other field.
#[test]
fn on_a_mountain_one_sees_around() {
    for (x, y, sees) in [(2, 0, true), (0, 1, true), (2, 1, true), (3, 0, false), (0, 2, false), (2, 2, false)] {
        let mut table = Table::with("2022", [&PEAK, &GOOD], at(x, y));
        assert_eq!(shown(&table), (None, None));
        let said = table.goes(ANA, Position::new(1, 0));
        assert_eq!(said.contains("sees treasure"), sees, "({x}, {y}): {said}");
        assert!(!said.contains("takes"), "it is only seen");
        let treasure = sees.then_some(Position::new(x, y));
        assert_eq!(shown(&table).0, treasure);
        table.goes(ANA, Position::new(0, 0));
        assert_eq!(shown(&table).0, treasure, "what was revealed stays revealed");
        let said = table.goes(ANA, Position::new(1, 0));
        assert!(!said.contains("sees"), "once is enough");
    }
    let mut table = Table::with("2022", [&PEAK, &GOOD], at(2, 1));
    table.goes(ANA, Position::new(1, 0));
    let said = table.goes(ANA, Position::new(2, 1));
    assert!(said.ends_with("; there; takes treasure; Ana collected"), "{said}");
}

#[test]
fn what_was_seen() {
    let mut table = Table::with("2022", [&PEAK, &GOOD], at(9, 0));
    let seen = |table: &Table| table.view(ANA).private.expect("she plays").seen;
    assert_eq!(seen(&table).count(), 1, "the field of the fort");
    table.goes(ANA, Position::new(1, 0));
    assert_eq!(seen(&table).count(), 6, "there is nothing above");
    assert!(seen(&table).contains(Position::new(2, 1)) && !seen(&table).contains(Position::new(3, 1)));
}

#[test]
fn the_fort() {
    let fort = Position::new(0, 5);
    let mut table = Table::with("2022", [&PEAK, &GOOD], at(4, 4));
    let said = around(&mut table);
    assert!(!said.contains("sees fort"), "grass shows the own field only: {said}");
    let said = table.goes(ANA, Position::new(0, 4));
    assert!(said.contains("sees fort"), "from the mountain: {said}");
    assert_eq!(shown(&table).1, Some(fort));
    let said = table.goes(ANA, fort);
    assert!(said.ends_with("there"), "without the treasure nothing happens: {said}");
    table.goes(ANA, Position::new(4, 4));
    assert!(table.view(ANA).has_treasure());
    assert_eq!(shown(&table), (None, Some(fort)), "what was revealed stays revealed");
    let said = table.goes(ANA, fort);
    assert!(said.ends_with("over: the first player wins: brought the treasure to the other's fort"), "{said}");
    assert!(table.view(ANA).has_won() && table.view(BO).has_lost());

    // From a neighbouring field: the fort becomes visible when Ana enters it.
    let mut table = Table::with("2022", [&PEAK, &GOOD], at(4, 4));
    around(&mut table);
    table.goes(ANA, Position::new(1, 5));
    assert_eq!(shown(&table).1, None);
    let said = table.goes(ANA, fort);
    assert!(said.ends_with("; there; sees fort"), "{said}");
}

/// Ana goes to the field next to the mountain, on a way that avoids the mountain.
fn around(table: &mut Table) -> String {
    table.goes(ANA, Position::new(2, 2));
    table.goes(ANA, Position::new(2, 4));
    table.goes(ANA, Position::new(1, 4))
}

/// In 2017, updates find the same things, but the opponent is not told who has its treasure.
#[test]
fn in_2017() {
    let mut table =
        Table::with("2017", [&GOOD_2017, &GOOD_2017], |game| game.treasure(Player::First) == Some(Position::new(1, 0)));
    table.updates(ANA, (1, 0), 2);
    table.updates(ANA, (1, 0), 1);
    assert!(!table.view(ANA).has_treasure());
    assert_eq!(table.updates(ANA, (1, 0), 0), "Ana 5 right; there; sees treasure; takes treasure");
    assert!(table.view(ANA).has_treasure());
    let collected = table.view(BO).players().iter().map(|player| player.collected).collect::<Vec<_>>();
    assert_eq!(collected, [false, false]);

    let go = |table: &mut Table, wanted| {
        for turns in [2, 1, 0] {
            table.updates(ANA, wanted, turns);
        }
    };
    go(&mut table, (-1, 0));
    (0..3).for_each(|_| go(&mut table, (0, 1)));
    assert!(table.view(ANA).has_treasure(), "ever after");
    assert_eq!(table.view(ANA).position(), Some(Position::new(0, 3)));
    go(&mut table, (0, 1));
    assert_eq!(table.game.outcome().map(|outcome| outcome.reason()), Some(Reason::FortEntered));
    assert!(table.view(ANA).has_won());
}

/// Avatars do not block each other.
#[test]
fn both_on_one_field() {
    let mut table = Table::with("2022", [&PEAK, &GOOD], at(9, 0));
    let said = table.goes(ANA, Position::new(0, 5));
    assert!(said.contains("there"), "Bo is there, too: {said}");
    let both = table.view(ANA).nodes().find(|node| node.at == Position::new(0, 5)).expect("the field").players;
    assert_eq!(both, treasure_rules::PlayersState::BothPlayerPosition);
    assert_eq!(table.moves(ANA, Direction::Up).split("; ").nth(1), Some("2 left"));
}
