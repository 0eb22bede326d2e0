//! Pictures, words and figures for people.

use engine::{CommId, Rulebook, Shown};
use serde_json::{Value, json};
use treasure_rules::{Command, Direction, Event, Game, Setup, Timer};

use crate::table::{ANA, BO, Table, register};

fn keys(value: &Value) -> Vec<&String> {
    value.as_object().expect("an object").keys().collect()
}

#[test]
fn pictures() {
    let mut table = Table::new("2022", 4);
    let empty = Game::picture(table.game.public());
    assert_eq!(empty["map"], Value::Null);
    let stage = Game::stage(&Setup::new("2022").expect("a setup"));
    assert_eq!((&stage["year"], &stage["half"]), (&json!(2022), &json!({"width": 10, "height": 5})));
    table.does(ANA, register("Ana"));
    table.does(BO, register("Bo"));
    assert_eq!(<Game as Shown>::players(table.game.public()), ["Ana Test", "Bo Test"]);
    assert_eq!(table.game.name_of(CommId(BO)), Some("Bo Test".into()));

    let mut table = Table::charted("2022", 4);
    let picture = Game::picture(table.game.public());
    assert_eq!(keys(&picture), keys(&empty), "two pictures differ in values only");
    assert_eq!(keys(&picture["players"][0]), keys(&empty["players"][0]));
    let rows = picture["map"].as_array().expect("rows");
    let fields: usize = rows.iter().filter_map(Value::as_str).map(str::len).sum();
    assert_eq!((fields, &picture["actions"], &picture["limit"]), (100, &json!(2), &json!(320)));
    assert_eq!(picture["players"][0]["at"], Value::Null, "it is still secret");
    assert_eq!(Game::figures(table.game.public()), [2, 0, 0, 0]);
    while table.game.public().actions() < 16 {
        table.idles();
    }
    let picture = Game::picture(table.game.public());
    assert_eq!(picture["players"][0]["at"], place(&table, ANA));
    assert_eq!(Game::figures(table.game.public()), [16, 1, 1, 0]);
    assert_eq!(Game::FIGURES.len(), 4);
    assert_eq!(Game::moment(table.game.public()).round, 17);
}

fn place(table: &Table, client: u32) -> Value {
    table.view(client).position().map_or(Value::Null, |at| json!([at.x, at.y]))
}

#[test]
fn what_nobody_knows() {
    let before = Table::new("2022", 4).game.hidden();
    let table = Table::charted("2022", 4);
    let hidden = table.game.hidden();
    for (player, client) in [(0, ANA), (1, BO)] {
        let one = &hidden["players"][player];
        assert_eq!(keys(one), keys(&before["players"][player]));
        assert_eq!((&one["at"], &one["fort"]), (&place(&table, client), &place(&table, client)));
        assert!(one["treasure"].is_array());
        let seen: String = one["seen"].as_array().expect("rows").iter().filter_map(Value::as_str).collect();
        assert_eq!((seen.len(), seen.matches('s').count()), (100, 1));
    }
}

#[test]
fn words() {
    let mut table = Table::charted("2022", 4);
    let board = table.game.board();
    let client = table.turn();
    let name = table.game.name_of(CommId(client)).expect("a name");
    table.moves(client, Direction::Right);
    let said: Vec<String> = table.outbox.events().map(|(_, event)| Game::tell_event(&board, event)).collect();
    assert_eq!(said, [format!("Action 3: {name} acts."), "You are on your way right, 1 more to go.".into()]);
    let command = register("Ana");
    assert_eq!(Game::tell_command(&board, &command), "Ana Test registers", "the id is secret");
    table.rings(Timer::Think);
    let said: Vec<&Event> = table.outbox.events().map(|(_, event)| event).collect();
    let said = Game::tell_event(&table.game.board(), said[0]);
    assert!(said.starts_with("The game is over: ") && said.contains(" Test wins: "), "{said}");
    assert!(said.ends_with("thought too long."), "{said}");
}

/// Why each player has won or lost.
fn why(table: &Table) -> [Value; 2] {
    let hidden = table.game.hidden();
    [0, 1].map(|player| hidden["players"][player]["why"].clone())
}

#[test]
fn ends_in_words() {
    let mut table = Table::charted("2022", 4);
    assert_eq!(why(&table), [Value::Null, Value::Null], "the game runs");
    let late = table.turn();
    table.rings(Timer::Think);
    let (lost, won) = if late == ANA { (0, 1) } else { (1, 0) };
    let expected = "It thought too long, longer than 5 s. It had not found its treasure, had not seen the other's fort, and \
        knew 1 of 100 fields.";
    assert_eq!(why(&table)[lost], expected);
    let name = ["Ana Test", "Bo Test"][lost];
    assert_eq!(why(&table)[won], format!("{name} lost before it."));
    let outcome = &Game::picture(table.game.public())["outcome"];
    assert_eq!(outcome, &format!("{} wins: {name} thought too long", ["Ana Test", "Bo Test"][won]));

    let mut table = Table::begun("2022", 4);
    let early = table.turn();
    table.moves(early, Direction::Up);
    let lost = usize::from(early == BO);
    let words = why(&table)[lost].as_str().expect("a reason").to_owned();
    assert!(words.starts_with("It moved before both halves were there (MoveBeforeHalves): 0 of 2 halves"), "{words}");
    assert!(words.ends_with(" It had no half on the map yet."), "{words}");
}

#[test]
fn players_of_the_same_name() {
    let mut table = Table::new("2022", 4);
    table.does(ANA, register("Ana"));
    assert_eq!(<Game as Shown>::players(table.game.public()), ["Ana Test"]);
    let twin = Command::Register {
        id: "secret of another Ana".into(),
        first_name: "Ana".into(),
        last_name: "Test".into(),
        account: "ana".into(),
    };
    table.does(BO, twin);
    assert_eq!(<Game as Shown>::players(table.game.public()), ["Ana Test (1)", "Ana Test (2)"]);
    assert_eq!(table.game.name_of(CommId(BO)), Some("Ana Test (2)".into()));
}

#[test]
fn actions_for_readers_who_see_everything() {
    let mut table = Table::charted("2022", 4);
    let client = table.turn();
    let name = table.game.name_of(CommId(client)).expect("a name");
    table.moves(client, Direction::Right);
    let (board, emissions) = (table.game.board(), table.outbox.emissions());
    let told: Vec<String> =
        (0..emissions.len()).filter_map(|place| Game::tell_whole_event(None, &board, emissions, place)).collect();
    assert_eq!(told, [format!("Action 3: {name} is on the way right, 1 more to go.")]);
}
