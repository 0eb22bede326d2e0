//! The moves that bots choose in single positions.

use crazyhouse::bots::{
    BOTS, Bot, Budget, bot,
    search::{Score, Search},
};
use crazyhouse_rules::{MoveList, Position};

use crate::opening;

const NODES: u64 = 200_000;

/// Checks that the bot mates within this number of moves after every possible answer, and announces it each time.
#[track_caller]
fn check_mates(position: &str, moves: u32) {
    fn play_out(position: &Position, moves: u32) {
        let found = Search::new(Budget::nodes(NODES), 7).think(position).expect("there is a move");
        let Score::Mates(said) = found.score else { panic!("no mate in {moves} in {position}, but {found:?}") };
        assert!(said <= moves, "a mate in {moves} in {position} takes {found:?}");
        assert_eq!(found.line.first(), Some(&found.best), "{position}");
        let next = position.after(found.best);
        let mut answers = MoveList::new();
        next.legal_moves(&mut answers);
        assert!(!answers.as_slice().is_empty() || next.is_mate(), "{position} {found:?}");
        assert!(said > 1 || next.is_mate(), "{position} {found:?}");
        answers.as_slice().iter().for_each(|&answer| play_out(&next.after(answer), said - 1));
    }
    play_out(&position.parse().expect("a position"), moves);
}

#[test]
fn mates_in_one() {
    check_mates("6k1/5ppp/8/8/8/8/5PPP/R5K1/ w", 1);
    // Pawns cannot be dropped to block the check.
    check_mates("6k1/5ppp/8/8/8/8/5PPP/6K1/Qpp w", 1);
    check_mates("6k1/5ppp/8/8/8/8/r4PPP/6K1/r b", 1);
    check_mates("1nb1R1nr/1p4pp/2pN1kp1/8/R7/1b1B4/1P1PQP1P/2B3KR/PPPQnpppp w", 1);
}

#[test]
fn mates_in_two() {
    check_mates("2bq1bnr/2ppp1pp/4k3/pPP4Q/1p6/4P1P1/PP1N1K1P/R1B2BNR/NPPR w", 2);
    check_mates("4kbnr/r1p1pppp/3p4/8/5p2/1P6/P2P3P/RNB1K1NR/NPPQbbpppq w", 2);
    check_mates("1nb1R1nr/1p4pp/2pq2p1/5k2/R3N3/1b1B4/1P1PQP1P/2B3KR/PPPnpppp w", 2);
}

#[test]
fn mates_in_three() {
    check_mates("rnb1qb2/pppp3k/4p3/6p1/4p1P1/1P6/P1PP1K2/1RBN1B2/nnppppqrr b", 3);
    check_mates("1nb1R1nr/1p4pp/2pq1kp1/6N1/R7/1b1B4/1P1PQP1P/2B3KR/PPPnpppp w", 3);
    check_mates("2r5/p1p1k1bp/n1ppp3/4p1p1/2P5/P4P2/RPnPP2P/1NBK1B1R/Rbnpqq b", 3);
    check_mates("rnbk2nr/pp1p1p1p/6p1/4p3/2P1P2R/B3KP2/2PP2P1/RN1Q1BN1/BPPPQ w", 3);
}

/// The bot sees that it is mated, and still moves.
#[test]
fn mated_whatever_it_does() {
    let position: Position =
        "1nb1R1nr/1p4pp/2pN2p1/5k2/R7/1b1B4/1P1PQP1P/2B3KR/PPPQnpppp b".parse().expect("a position");
    let found = Search::new(Budget::nodes(NODES), 1).think(&position).expect("there is a move");
    assert_eq!(found.score, Score::Mated(1));
}

/// The bots up to level 4, which answer at once.
const QUICK: usize = 7;

/// Bots choose legal moves with every budget, even an empty one.
#[test]
fn moves_are_legal() {
    let mut moves = MoveList::new();
    for seed in 0..1_000 {
        let position = opening(seed, 10 + seed as usize % 150);
        position.legal_moves(&mut moves);
        // The higher levels take long, and search as the lower ones do.
        let few = if seed % 100 == 0 { BOTS } else { &BOTS[..QUICK] };
        for entry in few {
            let nodes = [0, 1, 50, 1_500][seed as usize % 4];
            let chosen = (entry.make)(Budget::nodes(nodes), seed).choose(&position).expect("our own bots do not fail");
            let legal = chosen.is_some_and(|chosen| moves.as_slice().contains(&chosen));
            assert!(legal, "{} chooses {chosen:?} in {position}", entry.name);
        }
    }
}

/// A mated side, and a side that has no move and is not in check.
#[test]
fn without_a_move() {
    for position in ["R5k1/5ppp/8/8/8/8/5PPP/6K1/ b", "7k/5Q2/6K1/8/8/8/8/8/ b"] {
        let position: Position = position.parse().expect("a position");
        for entry in BOTS {
            let chosen = (entry.make)(Budget::nodes(100), 1).choose(&position);
            assert_eq!(chosen, Ok(None), "{} in {position}", entry.name);
        }
    }
}

/// No game reaches such a position, but a position text can describe it.
#[test]
fn a_king_that_can_be_taken() {
    let position: Position = "4k3/8/8/8/8/8/4R3/4K3/q w".parse().expect("a position");
    let chosen = Search::new(Budget::nodes(1_000), 1).choose(&position).expect("it does not fail");
    assert_eq!(chosen.map(|chosen| chosen.to_string()).as_deref(), Some("e2-e8"));
}

/// The moves of a game between two bots of this name, which keep their caches.
fn game(name: &str, seed: i64) -> Vec<String> {
    let entry = bot(name).expect("a built-in bot");
    let mut bots = [seed, seed + 1].map(|seed| (entry.make)(Budget::nodes(3_000), seed));
    let mut position = Position::start();
    let mut moves = Vec::new();
    while moves.len() < 60
        && let Some(chosen) = bots[moves.len() % 2].choose(&position).expect("our own bots do not fail")
    {
        moves.push(chosen.to_string());
        position = position.after(chosen);
    }
    moves
}

#[test]
fn the_same_seed_and_nodes_give_the_same_moves() {
    for entry in &BOTS[..QUICK] {
        let first = game(entry.name, 5);
        assert!(first.len() > 10, "{first:?}");
        assert_eq!(first, game(entry.name, 5), "{}", entry.name);
        assert_ne!(first, game(entry.name, 6), "{} plays the same with another seed", entry.name);
    }
}

/// A search with a time limit ends soon after it.
#[test]
fn time_is_kept() {
    let position: Position =
        "r4rk1/ppp2pp1/2nq1n1p/2b1p3/8/2P1BN2/PP3PPP/R2Q1RK1/BNPPbp w".parse().expect("a position");
    let budget = std::time::Duration::from_millis(50);
    let found = Search::new(Budget::time(budget), 1).think(&position).expect("there is a move");
    // Without a limit, the search would take hours.
    assert!(found.time < budget * 2000, "{found:?}");
}
