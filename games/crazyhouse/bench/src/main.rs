//! Measures how fast crazyhouse generates moves, beside shakmaty in the same run, and how long an answer takes from text to
//! text.
//!
//! Run it with `cargo xtask bench crazyhouse`. Both sides make every move but the last, whose moves they list and count. They
//! take turns. A figure is the median of the rounds, and a ratio is the median of the ratios of the rounds. The rules differ a
//! little (castling, en passant, promotion), and so do the counts. Therefore the benchmark compares
//! moves per second.

use std::{hint::black_box, time::Instant};

use crazyhouse_rules::Position;
use shakmaty::{CastlingMode, fen::Fen, variant::Crazyhouse};

const ROUNDS: usize = 7;

/// A name, a position in the notation of each side, and the depth.
const TREES: [(&str, &str, &str, u32); 2] = [
    (
        "the start",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/ w",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w - - 0 1",
        6,
    ),
    (
        "pieces in the pockets",
        "r4rk1/ppp2pp1/2nq1n1p/2b1p3/8/2P1BN2/PP3PPP/R2Q1RK1/BNPPbp w",
        "r4rk1/ppp2pp1/2nq1n1p/2b1p3/8/2P1BN2/PP3PPP/R2Q1RK1[BNPPbp] w - - 0 1",
        4,
    ),
];

fn main() {
    println!("| position | depth | ours, nodes | shakmaty, nodes | ours, M nodes/s | shakmaty, M nodes/s | ratio |");
    println!("|---|---|---|---|---|---|---|");
    for (name, ours, theirs, depth) in TREES {
        trees(name, ours, theirs, depth);
    }
    println!("\n| from text to sorted text | moves | microseconds |\n|---|---|---|");
    for (name, text, ..) in TREES {
        answers(name, text);
    }
}

fn trees(name: &str, ours: &str, theirs: &str, depth: u32) {
    let our_position: Position = ours.parse().expect("a position");
    let fen: Fen = theirs.parse().expect("a position");
    let their_position: Crazyhouse = fen.into_position(CastlingMode::Standard).expect("a position that can be");
    assert_eq!(
        crazyhouse_rules::perft(&our_position, 2),
        shakmaty::perft(&their_position, 2),
        "two moves deep the rules do not differ"
    );
    let (mut our_rates, mut their_rates, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    let mut counts = (0, 0);
    for _ in 0..ROUNDS {
        let (our_count, our_rate) = rate(|| crazyhouse_rules::perft(black_box(&our_position), depth));
        let (their_count, their_rate) = rate(|| shakmaty::perft(black_box(&their_position), depth));
        counts = (our_count, their_count);
        our_rates.push(our_rate);
        their_rates.push(their_rate);
        ratios.push(our_rate / their_rate);
    }
    let (our_rate, their_rate, ratio) = (median(our_rates) / 1e6, median(their_rates) / 1e6, median(ratios));
    let (our_count, their_count) = counts;
    println!("| {name} | {depth} | {our_count} | {their_count} | {our_rate:.0} | {their_rate:.0} | {ratio:.2} |");
}

/// The number of moves, and moves per second.
fn rate(count: impl FnOnce() -> u64) -> (u64, f64) {
    let since = Instant::now();
    let nodes = black_box(count());
    (nodes, nodes as f64 / since.elapsed().as_secs_f64())
}

fn answers(name: &str, text: &str) {
    const ANSWERS: u32 = 20_000;
    let answer = |text: &str| text.parse::<Position>().expect("a position").moves_text();
    let moves = answer(text).split(' ').count();
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        let since = Instant::now();
        (0..ANSWERS).for_each(|_| drop(black_box(answer(black_box(text)))));
        rounds.push(since.elapsed().as_secs_f64() * 1e6 / f64::from(ANSWERS));
    }
    println!("| {name} | {moves} | {:.2} |", median(rounds));
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
