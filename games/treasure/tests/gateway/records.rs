//! The four tables of 2017, read with plain SQL.

use rusqlite::{Connection, types::ValueRef};
use treasure::documents::y2017::answer::Answer;

use crate::{
    support::{Scratch, Served},
    y2017::{Old, two},
};

/// All rows of a query, with `|` between the columns.
fn rows(file: &Connection, sql: &str) -> Vec<String> {
    let mut statement = file.prepare(sql).expect("a statement");
    let columns = statement.column_count();
    let rows = statement.query_map([], |row| {
        let cell = |at: usize| match row.get_ref(at).expect("a column") {
            ValueRef::Null => "null".to_owned(),
            ValueRef::Integer(number) => number.to_string(),
            ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
            ValueRef::Real(_) | ValueRef::Blob(_) => panic!("no column has these"),
        };
        Ok((0..columns).map(cell).collect::<Vec<_>>().join("|"))
    });
    rows.expect("rows").map(|row| row.expect("a row")).collect()
}

#[tokio::test]
async fn a_game_is_in_four_tables() {
    let scratch = Scratch::new();
    let served = Served::on(scratch.log(), false).await;
    let [(ana, from, map), (bo, there, _)] = two(&served).await;
    let file = Connection::open(scratch.file()).expect("the log");
    let to = (from.0, from.1 + 1);
    for turns in [2, 1, 0] {
        assert!(matches!(ana.update(&served, from, to, turns).await, Answer::Update(_)));
        // Everything that was answered is in the tables.
        let actions = rows(&file, "SELECT count(*) FROM ActionList");
        assert!(matches!(bo.update(&served, there, there, 0).await, Answer::Update(_)));
        assert_eq!(
            rows(&file, "SELECT count(*) FROM ActionList"),
            [(actions[0].parse::<u32>().expect("a number") + 1).to_string()]
        );
    }
    assert!(matches!(ana.update(&served, from, to, 0).await, Answer::Trouble { loss: true }));

    let actions = "SELECT ActionID, Action FROM ActionList ORDER BY ActionID";
    assert_eq!(rows(&file, actions), ["1|STAY", "2|STAY", "3|STAY", "4|STAY", "5|DOWN", "6|STAY", "7|STAY"]);
    let players =
        "SELECT PlayerID, Surname, FirstName, MatriculationNumber, StartingCoordinates FROM Player ORDER BY FirstName";
    let player = |old: Old, name: &str, at: (i32, i32)| format!("{}|Nancu|{name}|01502339|{}/{}", old.0, at.0, at.1);
    assert_eq!(rows(&file, players), [player(ana, "Ana", from), player(bo, "Bo", there)]);
    assert_eq!(rows(&file, "SELECT PlayerID1, PlayerID2 FROM Play"), [format!("{}|{}", ana.0, bo.0)]);
    let game =
        rows(&file, "SELECT RoundNumber, Map, Beginning <= Ending, Beginning LIKE '20__-__-__ __:__:__.___' FROM Game");
    let fort = |at: (i32, i32)| (((at.1 - 1) * 8 + at.0 - 1) * 2) as usize;
    let mut whole = map.replace("04", "00");
    whole.replace_range(fort(there)..fort(there) + 2, "00");
    assert_eq!(game, [format!("7|{whole}|1|1")]);
    assert_eq!(
        rows(&file, "SELECT count(*) FROM Game JOIN whole_games ON id = GameID WHERE rulebook = 'treasure'"),
        ["1"]
    );

    // A game of 2022 adds nothing to the tables.
    served.map("").await;
    assert_eq!(rows(&file, "SELECT count(*) FROM Player"), ["2"]);
    served.stop().await;
}
