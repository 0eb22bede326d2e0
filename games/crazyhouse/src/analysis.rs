//! Analysis of finished games by the bot `search`: how good each position was, the best move, and which moves were mistakes.
//!
//! One game is analysed at a time, with a limited number of positions. The answer has what is found so far, so that a page can ask
//! again and show the analysis while it grows. Results stay in a cache.

use std::{
    collections::VecDeque,
    sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError},
};

use commlib::{Reason, Refused};
use crazyhouse_rules::{Move, Position, Side};
use serde_json::{Value, json};
use server::log::LogReader;

use crate::{
    bots::{
        Budget,
        search::{Found, Score, Search},
    },
    chess::{pgn::Pgn, san},
    record::{Made, Record, describe},
};

/// The positions that are searched for a whole game, and the most and the fewest for one position of the game.
const NODES: u64 = 2_000_000;
const MOST_NODES: u64 = 40_000;
const FEWEST_NODES: u64 = 2_000;
/// The most games that wait to be analysed, and the most results in the cache.
const MOST_WAITING: usize = 16;
const MOST_CACHED: usize = 64;
/// The longest line of moves in an answer.
const LONGEST_LINE: usize = 6;
/// The longest game that is analysed.
const MOST_MOVES: usize = 1_000;

static JOBS: LazyLock<Jobs> = LazyLock::new(Jobs::default);

/// Answers `analysis?game=NAME` and `analysis?pgn=TEXT`.
pub(crate) async fn answer(log: &dyn LogReader, about: &str) -> Result<Value, Refused> {
    let (game, made) = match about.split_once('=') {
        Some(("game", name)) => {
            let record = Record::load(log, name).await?;
            if record.outcome().is_none() {
                let words = "The game is still running; it can be analysed when it is over.";
                return Err(Refused::new(Reason::BadMessage, words));
            }
            (record.pgn(), record.made)
        }
        Some(("pgn", text)) => {
            let game = Pgn::read(text).map_err(|error| Refused::new(Reason::BadMessage, format!("{error}.")))?;
            (game, Vec::new())
        }
        Some(_) | None => {
            return Err(Refused::new(Reason::BadMessage, "Ask for analysis?game=NAME or analysis?pgn=TEXT."));
        }
    };
    if game.moves.len() > MOST_MOVES {
        return Err(Refused::new(Reason::TooLarge, format!("Games of up to {MOST_MOVES} moves are analysed.")));
    }
    let job = JOBS.job(&game)?;
    Ok(job.describe(&game, &made))
}

/// The games that were analysed or wait for it, the one that was asked for last at the end.
#[derive(Default)]
struct Jobs(Mutex<Queue>);

#[derive(Default)]
struct Queue {
    cache: VecDeque<Arc<Job>>,
    waiting: VecDeque<Arc<Job>>,
    is_working: bool,
}

/// The analysis of one game.
struct Job {
    positions: Vec<Position>,
    moves: Vec<Move>,
    nodes: u64,
    /// What is found, by the number of the position. The last one comes first.
    found: Mutex<Vec<Option<Verdict>>>,
}

/// A position, searched. The score is White's.
#[derive(Clone)]
struct Verdict {
    score: Score,
    line: Vec<Move>,
    depth: u32,
}

impl Jobs {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        // A worker that panicked has left a job unfinished, nothing else.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The job of a game, which is queued if it is new.
    fn job(&'static self, game: &Pgn) -> Result<Arc<Job>, Refused> {
        let mut queue = self.queue();
        if let Some(at) = queue.cache.iter().position(|job| job.is_of(game))
            && let Some(job) = queue.cache.remove(at)
        {
            queue.cache.push_back(job.clone());
            return Ok(job);
        }
        if queue.waiting.len() >= MOST_WAITING {
            return Err(Refused::new(Reason::TooMany, "Too many games wait to be analysed; try again in a minute."));
        }
        let job = Arc::new(Job::new(game));
        if queue.cache.len() == MOST_CACHED {
            queue.cache.pop_front();
        }
        queue.cache.push_back(job.clone());
        queue.waiting.push_back(job.clone());
        if !queue.is_working {
            queue.is_working = true;
            drop(tokio::task::spawn_blocking(|| self.work()));
        }
        Ok(job)
    }

    /// Analyses the games that wait, one after the other.
    fn work(&self) {
        loop {
            let mut queue = self.queue();
            let Some(job) = queue.waiting.pop_front() else {
                queue.is_working = false;
                return;
            };
            drop(queue);
            job.run();
        }
    }
}

impl Job {
    fn new(game: &Pgn) -> Self {
        let mut positions = vec![game.start];
        for made in &game.moves {
            positions.push(positions[positions.len() - 1].after(*made));
        }
        let nodes = (NODES / positions.len() as u64).clamp(FEWEST_NODES, MOST_NODES);
        let found = Mutex::new(vec![None; positions.len()]);
        Self { positions, moves: game.moves.clone(), nodes, found }
    }

    fn is_of(&self, game: &Pgn) -> bool {
        self.positions[0] == game.start && self.moves == game.moves
    }

    fn found(&self) -> MutexGuard<'_, Vec<Option<Verdict>>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Searches all positions, the last one first: what is found late in the game helps to judge what led there.
    fn run(&self) {
        let mut search = Search::new(Budget::nodes(self.nodes), 1);
        for (at, position) in self.positions.iter().enumerate().rev() {
            let verdict = Verdict::of(position, search.examine(position));
            self.found()[at] = Some(verdict);
        }
    }

    /// The game with what is found so far.
    fn describe(&self, game: &Pgn, made: &[Made]) -> Value {
        let found = self.found().clone();
        let mut answer = describe(game);
        for (at, made) in made.iter().enumerate() {
            answer["positions"][at]["entry"] = made.entry.into();
            answer["positions"][at]["left"] = made.left_ms.into();
        }
        for (at, verdict) in found.iter().enumerate() {
            let Some(verdict) = verdict else { continue };
            let described = &mut answer["positions"][at];
            described["score"] = white_score(verdict.score);
            described["depth"] = verdict.depth.into();
            described["best"] = self.line(at, &verdict.line);
            if at > 0
                && let Some(before) = &found[at - 1]
            {
                let mark = mark(self.positions[at - 1].turn(), before, verdict, self.moves[at - 1]);
                described["mark"] = mark.into();
            }
        }
        answer["nodes"] = self.nodes.into();
        answer["done"] = found.iter().flatten().count().into();
        answer["of"] = found.len().into();
        answer
    }

    /// A line of moves from a position, in both notations.
    fn line(&self, at: usize, line: &[Move]) -> Value {
        let mut position = self.positions[at];
        let mut sans = Vec::new();
        for made in line.iter().take(LONGEST_LINE) {
            sans.push(san::write(&position, *made));
            position = position.after(*made);
        }
        json!({"move": line.first().map(ToString::to_string), "line": sans})
    }
}

impl Verdict {
    fn of(position: &Position, found: Option<Found>) -> Self {
        // A side without a move is mated, or cannot do anything any more.
        const STUCK: Score = Score::Centipawns(-1_000);
        let is_white = position.turn() == Side::White;
        let (score, line, depth) = match found {
            Some(found) => (found.score, found.line, found.depth),
            None if position.is_mate() => (Score::Mated(0), Vec::new(), 0),
            None => (STUCK, Vec::new(), 0),
        };
        Self { score: if is_white { score } else { turned(score) }, line, depth }
    }
}

/// The score for the other side.
fn turned(score: Score) -> Score {
    match score {
        Score::Centipawns(score) => Score::Centipawns(-score),
        Score::Mates(moves) => Score::Mated(moves),
        Score::Mated(moves) => Score::Mates(moves),
    }
}

/// White's score for a page: hundredths of a pawn, or the moves until a mate, which are negative if White is mated. The chance is
/// from -1, Black wins, to 1.
fn white_score(score: Score) -> Value {
    let chance = chance(score);
    match score {
        Score::Centipawns(cp) => json!({"cp": cp, "chance": chance}),
        Score::Mates(moves) => json!({"mate": moves, "wins": "white", "chance": chance}),
        Score::Mated(moves) => json!({"mate": moves, "wins": "black", "chance": chance}),
    }
}

/// White's chance, from -1 to 1. Four pawns more are nearly a win.
fn chance(score: Score) -> f64 {
    match score {
        Score::Centipawns(cp) => 2.0 / (1.0 + (-0.004 * f64::from(cp)).exp()) - 1.0,
        Score::Mates(_) => 1.0,
        Score::Mated(_) => -1.0,
    }
}

/// The mark of a move by how much of the chance it gave away: a small slip, a mistake or a blunder.
fn mark(mover: Side, before: &Verdict, after: &Verdict, made: Move) -> Option<&'static str> {
    let sign = if mover == Side::White { 1.0 } else { -1.0 };
    let lost = sign * (chance(before.score) - chance(after.score));
    match lost {
        _ if before.line.first() == Some(&made) => None,
        0.6.. => Some("blunder"),
        0.4.. => Some("mistake"),
        0.2.. => Some("slip"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(score: Score) -> Verdict {
        Verdict { score, line: Vec::new(), depth: 1 }
    }

    #[test]
    fn marks_are_for_chances_that_are_gone() {
        let made = Move::read("e2-e4").expect("a move");
        let check = |mover, before, after, expected| {
            assert_eq!(mark(mover, &verdict(before), &verdict(after), made), expected, "{before:?} {after:?}");
        };
        check(Side::White, Score::Centipawns(0), Score::Centipawns(-50), None);
        check(Side::White, Score::Centipawns(0), Score::Centipawns(-150), Some("slip"));
        check(Side::White, Score::Centipawns(0), Score::Centipawns(-250), Some("mistake"));
        check(Side::White, Score::Centipawns(0), Score::Mated(3), Some("blunder"));
        check(Side::Black, Score::Centipawns(0), Score::Mates(3), Some("blunder"));
        check(Side::Black, Score::Centipawns(0), Score::Mated(3), None);
        check(Side::White, Score::Mated(5), Score::Mated(1), None);
        let best = Verdict { line: vec![made], ..verdict(Score::Centipawns(0)) };
        assert_eq!(mark(Side::White, &best, &verdict(Score::Mated(1)), made), None, "the best move is no mistake");
    }

    #[test]
    fn a_mate_that_was_allowed_is_a_blunder() {
        let game = Pgn::read("1. f3 e5 2. g4 Qh4# 0-1").expect("a game");
        let job = Job::new(&game);
        assert_eq!(job.describe(&game, &[])["done"], 0);
        job.run();
        let answer = job.describe(&game, &[]);
        assert_eq!((&answer["done"], &answer["of"]), (&json!(5), &json!(5)));
        let last = &answer["positions"][4];
        assert_eq!((&last["san"], &last["score"]["mate"]), (&json!("Qh4#"), &json!(0)));
        assert_eq!(last["mark"], Value::Null, "it was the best move");
        let blunder = &answer["positions"][3];
        assert_eq!((&blunder["san"], &blunder["mark"]), (&json!("g4"), &json!("blunder")));
        assert_eq!((&blunder["best"]["move"], &blunder["best"]["line"][0]), (&json!("d8-h4"), &json!("Qh4#")));
        assert_eq!(blunder["score"], json!({"mate": 1, "wins": "black", "chance": -1.0}));
    }
}
