//! Who beats whom, from random openings and with both colours.

use clients::crazyhouse::{Bot, Budget, bot};
use crazyhouse::{Position, Side};

use crate::opening;

/// A game that is longer than this is won by nobody.
const MOST_PLIES: usize = 400;
const OPENING_PLIES: usize = 6;

/// Who mates. Whoever has no move resigns.
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

/// Half of the games with each colour, each opening twice. `search` has so many nodes a move.
#[track_caller]
fn check(stronger: &str, weaker: &str, nodes: u64, games: i64) -> String {
    let make = |name: &str, seed| (bot(name).expect("a bot of ours").make)(Budget::nodes(nodes), seed);
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
    let words = format!("of {games} games {stronger} wins {won} and {weaker} {lost}; {nodes} nodes a move");
    assert!(won * 100 >= games * 95, "{words}");
    words
}

#[test]
fn search_beats_greedy() {
    println!("{}", check("search", "greedy", 2_000, 200));
}

#[test]
fn greedy_beats_random() {
    println!("{}", check("greedy", "random", 0, 200));
}
