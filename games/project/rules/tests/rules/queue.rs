//! Requests that wait, cost time, or are repeated.

use engine::CommId;
use project_rules::{ANSWERS_KEPT, Admission, Answer, Command, MOST_WAITING, Reception, Refusal, Timer};

use crate::table::{ONE, Table, at, request, with};

const COSTS: &str = r#"{"costs": {"move": 100, "discover": 450, "test": 500, "pick_up": 110, "place": 120}}"#;
const FIRST: Timer = Timer::Action { player: 1 };

/// A game in which moves take time. Blue stands at (0, 0).
fn slow() -> Table {
    let mut table = Table::begun(&with(ONE, COSTS));
    for direction in ["Left", "Left", "Left", "Down"] {
        table.asks(1, direction);
        table.rings(FIRST);
    }
    assert_eq!(table.position(1), at(0, 0));
    table
}

#[test]
fn free_actions_are_answered_at_once() {
    let mut table = Table::begun(ONE);
    table.walks(1, at(0, 0));
    assert_eq!(table.asks(1, "Left"), "cannot move and stays at (0, 0)");
    assert_eq!(table.timers.len(), 0);
}

#[test]
fn costs() {
    for (what, cost) in [("Up", 100), ("Discover", 450), ("Test", 500), ("PickUp", 110), ("Place", 120)] {
        let mut table = slow();
        let now = table.now;
        assert_eq!(table.does(1, request("a", what)), "", "nothing yet");
        assert_eq!(table.timers.get(&FIRST), Some(&(now + cost)), "{what}");
        assert_eq!(table.position(1), at(0, 0), "the effect comes at the end");
        assert!(table.player(1).doing().is_some());
        assert!(table.rings(FIRST).ends_with("[1 acted]"));
        assert!(table.game.answered(CommId(1), "a").is_some());
        assert_eq!(table.player(1).doing(), None);
    }
}

#[test]
fn further_requests_queue_in_order() {
    let mut table = slow();
    for (id, what) in [("a", "Up"), ("b", "Right"), ("c", "Test"), ("d", "Down")] {
        assert_eq!(table.does(1, request(id, what)), "");
    }
    assert_eq!(table.player(1).waiting(), 3);
    let now = table.now;
    assert!(table.rings(FIRST).starts_with("1> a: moves to (0, 1)"));
    assert_eq!(table.timers.get(&FIRST), Some(&(now + 200)), "the next one takes its time");
    assert!(table.rings(FIRST).starts_with("1> b: moves to (1, 1)"));
    assert_eq!(table.rings(FIRST), "0> Player 1 has no piece to test and is told nothing.; [1 acted]");
    assert!(table.rings(FIRST).starts_with("1> d: moves to (1, 0)"), "after silence the next one follows");
    assert_eq!(table.timers.get(&FIRST), None);
}

#[test]
fn free_requests_follow_at_once() {
    let mut table = Table::begun(&with(ONE, r#"{"costs": {"discover": 50}}"#));
    table.walks(1, at(0, 0));
    table.does(1, request("a", "Discover"));
    table.does(1, request("b", "Up"));
    table.does(1, request("c", "Up"));
    let said = table.rings(FIRST);
    let order =
        ["1> a: discovers 3 tiles", "1> b: moves to (0, 1)", "1> c: moves to (0, 2)"].map(|part| said.find(part));
    assert!(order.iter().all(Option::is_some) && order.is_sorted(), "{said}");
}

#[test]
fn players_do_not_wait_for_each_other() {
    let mut table = slow();
    table.does(1, request("a", "Discover"));
    table.does(2, request("a", "Discover"));
    assert!(table.rings(Timer::Action { player: 2 }).starts_with("2> a: discovers"));
    assert!(table.game.answered(CommId(1), "a").is_none());
}

#[test]
fn the_queue_is_bounded() {
    let mut table = slow();
    for number in 0..=MOST_WAITING {
        assert_eq!(table.does(1, request(&format!("q{number}"), "Discover")), "");
    }
    let before = table.game.clone();
    let said = table.does(1, request("more", "Discover"));
    assert_eq!(said, "1> refused: Request more is dropped: 128 requests are waiting already.");
    assert_eq!(table.game, before);
    table.rings(FIRST);
    assert_eq!(table.does(1, request("more", "Discover")), "", "there is room again");
}

#[test]
fn a_known_id_is_answered_as_before() {
    let mut table = Table::begun(ONE);
    table.walks(1, at(0, 0));
    let said = table.does(1, request("a", "Up"));
    let answer = said.trim_end_matches("; [1 acted]").trim_start_matches("1> a: ").to_owned();
    table.asks(1, "Up");
    let before = table.game.clone();
    assert_eq!(table.does(1, request("a", "Up")), format!("1> a again: {answer}"));
    assert_eq!(table.does(1, request("A", "Discover")), format!("1> A again: {answer}"), "whatever it asks for");
    assert_eq!(table.game, before, "and nothing is folded");
    assert!(table.does(2, request("a", "Discover")).starts_with("2> a: discovers"), "ids are each player's own");
}

#[test]
fn silence_is_an_answer() {
    let mut table = Table::begun(&with(ONE, r#"{"pieces": 2, "shams_percentage": 50}"#));
    table.fetches(1, true);
    table.walks(1, at(1, 0));
    table.does(1, request("sham", "Place"));
    assert_eq!(table.game.answered(CommId(1), "sham"), Some(Answer::Silence));
    table.fetches(1, false);
    table.walks(1, at(1, 0));
    let before = table.game.clone();
    assert_eq!(table.does(1, request("sham", "Place")), "", "again with silence, and the piece in hand is not placed");
    assert_eq!(table.game, before);
}

#[test]
fn an_open_request_is_not_repeated() {
    let mut table = slow();
    table.does(1, request("a", "Up"));
    table.does(1, request("b", "Up"));
    let before = table.game.clone();
    assert_eq!(table.does(1, request("a", "Up")), "");
    assert_eq!(table.does(1, request("b", "Up")), "");
    assert_eq!(table.game, before);
}

#[test]
fn answers_are_kept_for_a_while() {
    let mut table = Table::begun(ONE);
    for number in 0..ANSWERS_KEPT {
        table.does(1, request(&format!("k{number}"), "Discover"));
    }
    assert!(table.game.answered(CommId(1), "k0").is_some());
    table.asks(1, "Discover");
    assert_eq!(table.game.answered(CommId(1), "k0"), None);
    assert!(table.game.answered(CommId(1), "k1").is_some());
    assert_eq!(table.game.answered(CommId(9), "k1"), None, "of a stranger");
}

#[test]
fn lengths() {
    let mut table = Table::begun(ONE);
    let said = table.does(1, request(&"x".repeat(65), "Test"));
    assert_eq!(said, "1> refused: An id or a hash has at most 64 bytes.");
    assert!(table.does(1, request(&"x".repeat(64), "Discover")).ends_with("[1 acted]"));
    let team = Command::ChooseTeam { id: "x".repeat(65).into(), team: project_rules::Team::Red };
    assert_eq!(table.does(1, team), "1> refused: An id or a hash has at most 64 bytes.");
}

/// The queries that a Game Master calls before it folds a request.
#[test]
fn requests_are_classified() {
    let receives = |table: &Table, client: u32, id: &str| table.game.receives(CommId(client), &id.into()).map(kind);
    let mut table = Table::new(ONE);
    assert_eq!(table.game.admits("new"), Ok(Admission::New));
    table.joins(1);
    assert_eq!(receives(&table, 1, "a"), Err(Refusal::NotBegun {}));
    let mut table = slow();
    assert_eq!(table.game.admits("new"), Err(Refusal::Running {}));
    assert_eq!(receives(&table, 9, "a"), Err(Refusal::NotAPlayer {}));
    assert_eq!(receives(&table, 1, "a"), Ok("new"));
    table.does(1, request("a", "Up"));
    assert_eq!((receives(&table, 1, "A"), receives(&table, 2, "a")), (Ok("pending"), Ok("new")));
    table.rings(FIRST);
    assert_eq!(receives(&table, 1, "a"), Ok("answered"));
    let id = table.player(1).hash.clone();
    assert!(matches!(table.game.admits(&id), Ok(Admission::Here(_))));
    table.does(1, Command::Lost {});
    assert!(matches!(table.game.admits(&id), Ok(Admission::Back(_))));
    for (from, to, expected) in [(1, 2, Ok(())), (1, 9, Err(Refusal::NotAPlayer {}))] {
        assert_eq!(table.game.may_exchange(from, to), expected);
    }
}

fn kind(reception: Reception<'_>) -> &'static str {
    match reception {
        Reception::Answered(_) => "answered",
        Reception::Pending => "pending",
        Reception::New => "new",
    }
}
