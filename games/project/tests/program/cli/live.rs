//! A game that the last landed program began goes on.

use std::{
    io::{BufRead, BufReader},
    process::{Command, Stdio},
};

use super::line::{Line, uuid};
use crate::{
    live::{Live, kept},
    stored::{open, wait},
};

#[test]
fn a_game_of_the_landed_program() {
    let live = Live::of("project", "project.sql");
    let game = wait(open(live.log().as_ref()).expect("a log").list()).expect("games").remove(0).name;
    let (end, entries) = live.end(&game);
    assert_eq!(end, None, "it runs");
    let mut server = Command::new(env!("CARGO_BIN_EXE_holdfast"))
        .args(["project", "serve", "--config", &kept("project.xml"), "--log", &live.log()])
        .args(["--listen", "127.0.0.1:0", "--http", "off", "--trace-file", "off", "--cs-trace-file", "off"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut lines = BufReader::new(server.stdout.take().expect("it is piped")).lines().map_while(Result::ok);
    let address = lines.find_map(|line| line.strip_prefix("listening on ").map(ToOwned::to_owned)).expect("an address");
    let address = address.parse().expect("an address");
    let players = live.places("project").as_array().expect("a list");
    let mut seats: Vec<Line> = (1..).zip(players).map(|(number, _)| Line::to(address, number)).collect();
    for ((number, line), player) in (1..).zip(&mut seats).zip(players) {
        let moves = player["moves"].as_array().expect("a list");
        let position = |at: usize| {
            let number = |axis: usize| moves[at]["position"][axis].as_i64().expect("a number") as i32;
            (number(0), number(1))
        };
        // The last request again, as of a player that did not hear the answer: it is not carried out twice.
        let last = moves.len() - 1;
        let direction = moves[last]["direction"].as_str().expect("a direction");
        assert_eq!(line.walk(&uuid(number, moves.len() as u32), direction), position(last));
        // The move before it led here from below, so there is a way back.
        assert_eq!(direction, "Up");
        let (x, y) = position(last);
        assert_eq!(line.walk(&uuid(number, moves.len() as u32 + 1), "Down"), (x, y - 1));
    }
    drop(seats);
    // Both players have left, and do not come back.
    let outcome = lines.last();
    assert!(server.wait().expect("it ends").success(), "{outcome:?}");
    let outcome = live.check_log(&game, entries + 1);
    assert!(outcome.contains("left"), "{outcome}");
}
