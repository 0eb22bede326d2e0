//! Which bots beat which, from random openings and with both colours.

use crazyhouse::bots::{Bot, Budget, bot};
use crazyhouse_rules::{Position, Side};

use crate::opening;

/// The number of moves after which a game is a draw.
const MOST_PLIES: usize = 400;
const OPENING_PLIES: usize = 6;

/// The winner. A side without a move resigns.
fn play(mut position: Position, mut bots: [Box<dyn Bot>; 2]) -> Option<Side> {
    for _ in 0..MOST_PLIES {
        let turn = position.turn();
        match bots[turn as usize].choose(&position).expect("our own bots do not fail") {
            Some(legal) => position = position.after(legal),
            None => return Some(turn.other()),
        }
    }
    None
}

/// A bot, and the number of positions that it may search for a move.
type Player = (&'static str, u64);

/// Plays each opening twice, with changed colours, and checks that the first bot wins at least this percentage of the games.
#[track_caller]
fn check(stronger: Player, weaker: Player, games: i64, least: i64) -> String {
    let make = |(name, nodes): Player, seed| (bot(name).expect("a built-in bot").make)(Budget::nodes(nodes), seed);
    let (mut won, mut lost) = (0, 0);
    for game in 0..games {
        let opening = opening(game / 2, OPENING_PLIES);
        let mut bots = [make(stronger, game), make(weaker, game)];
        let side = Side::BOTH[game as usize % 2];
        bots.rotate_right(side as usize);
        let winner = play(opening, bots);
        won += i64::from(winner == Some(side));
        lost += i64::from(winner == Some(side.other()));
    }
    let words = format!("of {games} games {stronger:?} wins {won} and {weaker:?} {lost}");
    assert!(won * 100 >= games * least, "{words}");
    words
}

#[test]
fn greedy_beats_random() {
    println!("{}", check(("greedy", 0), ("random", 0), 200, 95));
}

#[test]
fn search_beats_greedy() {
    println!("{}", check(("search", 2_000), ("greedy", 0), 200, 95));
}

/// A larger budget makes the bot stronger.
#[test]
fn more_nodes_win_more() {
    let games = if std::env::var_os("HOLDFAST_LONG").is_some() { 200 } else { 40 };
    println!("{}", check(("search", 4_000), ("search", 1_000), games, 70));
}

/// Each level beats the one below it. The ordinary run plays the levels that need little time; the long one plays 100 games of each
/// pair.
#[test]
fn levels_are_in_order() {
    let is_long = std::env::var_os("HOLDFAST_LONG").is_some();
    let names = ["level-1", "level-2", "level-3", "level-4", "level-5", "level-6", "level-7", "level-8"];
    for pair in names.windows(2).take(if is_long { 7 } else { 3 }) {
        println!("{}", check((pair[1], 0), (pair[0], 0), if is_long { 100 } else { 30 }, 55));
    }
}
