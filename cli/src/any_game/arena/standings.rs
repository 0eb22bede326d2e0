//! The results of an arena: by contestant, by seat, and as Elo ratings.

use std::fmt::Write;

use engine::Verdict;
use serde_json::{Value, json};

use super::table::{Fixture, Played};
use crate::{
    elo::{Score, ratings},
    wilson::interval,
};

/// The failures that a report names. All of them are counted.
const NAMED_FAILURES: usize = 10;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Line {
    games: u64,
    won: u64,
    drawn: u64,
    failed: u64,
    points: i64,
}

impl Line {
    fn add(&mut self, verdict: Verdict, points: i64, failed: bool) {
        self.games += 1;
        self.won += u64::from(verdict == Verdict::Won);
        self.drawn += u64::from(verdict == Verdict::Drawn);
        self.failed += u64::from(failed);
        self.points = self.points.saturating_add(points);
    }

    fn lost(&self) -> u64 {
        self.games - self.won - self.drawn
    }

    fn share(&self) -> f64 {
        self.won as f64 / self.games.max(1) as f64
    }

    fn json(&self) -> Value {
        let (low, high) = interval(self.won, self.games);
        json!({
            "games": self.games, "won": self.won, "drawn": self.drawn, "lost": self.lost(), "failed": self.failed,
            "points": self.points, "win_rate": self.share(), "win_rate_95": [low, high],
        })
    }
}

/// A player that failed in a game.
#[derive(Clone, Debug)]
struct FailureLine {
    game: u64,
    seat: usize,
    bot: usize,
    why: String,
}

/// The results so far.
#[derive(Debug)]
pub(super) struct Standings {
    names: Vec<String>,
    bots: Vec<Line>,
    seats: Vec<Line>,
    scores: Vec<Vec<Score>>,
    games: u64,
    entries: u64,
    /// Games without a result, with reasons.
    void: Vec<(u64, String)>,
    failures: Vec<FailureLine>,
}

impl Standings {
    pub(super) fn new(names: Vec<String>, seats: usize) -> Self {
        let count = names.len();
        Self {
            names,
            bots: vec![Line::default(); count],
            seats: vec![Line::default(); seats],
            scores: vec![vec![Score::default(); count]; count],
            games: 0,
            entries: 0,
            void: Vec::new(),
            failures: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, fixture: &Fixture, played: Played) {
        self.games += 1;
        self.entries += played.entries;
        let failed = |seat: usize| played.failures.iter().any(|(failed, _)| *failed == seat);
        let Some(results) = &played.seats else {
            return self.void.push((fixture.number, played.void.unwrap_or_default()));
        };
        for ((seat, bot), (verdict, points)) in fixture.seats.iter().enumerate().zip(results) {
            self.bots[*bot].add(*verdict, *points, failed(seat));
            self.seats[seat].add(*verdict, *points, failed(seat));
        }
        let places: Vec<(usize, (u8, i64))> = fixture
            .seats
            .iter()
            .zip(results)
            .map(|(bot, (verdict, points))| (*bot, (rank(*verdict), *points)))
            .collect();
        for (at, (one, place)) in places.iter().enumerate() {
            for (other, theirs) in places[..at].iter().filter(|(other, _)| other != one) {
                let (better, worse) = if place >= theirs { (*one, *other) } else { (*other, *one) };
                if place == theirs {
                    self.scores[better][worse].drawn += 1;
                    self.scores[worse][better].drawn += 1;
                } else {
                    self.scores[better][worse].won += 1;
                }
            }
        }
        let lines = played.failures.into_iter();
        self.failures.extend(lines.map(|(seat, why)| FailureLine {
            game: fixture.number,
            seat,
            bot: fixture.seats[seat],
            why,
        }));
    }

    /// The best first. Equal ones keep the order of the options.
    fn order(&self) -> Vec<usize> {
        let ratings = ratings(&self.scores);
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by(|one, other| ratings[*other].elo.total_cmp(&ratings[*one].elo).then(one.cmp(other)));
        order
    }

    pub(super) fn text(&self, heading: &str) -> String {
        let ratings = ratings(&self.scores);
        let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
        let mut text = format!("{heading}\n");
        let mut line = |line: String| writeln!(text, "  {line}").expect("a string takes everything");
        let figures = |of: &Line| {
            let (low, high) = interval(of.won, of.games);
            let [won, low, high] = [of.share(), low, high].map(|share| 100.0 * share);
            let rate = format!("{won:.1} % (95 % interval {low:.1} to {high:.1})");
            format!("won {rate}, drawn {}, lost {}, failed {} of {} games", of.drawn, of.lost(), of.failed, of.games)
        };
        for who in self.order() {
            let elo = format!("{:+.0} ± {:.0} Elo", ratings[who].elo, ratings[who].within);
            line(format!("{:<width$}  {elo:>16}  {}", self.names[who], figures(&self.bots[who])));
        }
        for (seat, of) in self.seats.iter().enumerate() {
            line(format!("{:<width$}  {:>16}  {}", format!("seat {}", seat + 1), "", figures(of)));
        }
        for FailureLine { game, seat, bot, why } in self.failures.iter().take(NAMED_FAILURES) {
            line(format!("game {game}, seat {}: {} lost because {why}", seat + 1, self.names[*bot]));
        }
        if let Some(more) = self.failures.len().checked_sub(NAMED_FAILURES).filter(|more| *more > 0) {
            line(format!("and {more} more"));
        }
        for (game, why) in self.void.iter().take(NAMED_FAILURES) {
            line(format!("game {game} does not count: {why}"));
        }
        if !self.void.is_empty() {
            line(format!("{} of {} games do not count", self.void.len(), self.games));
        }
        text
    }

    pub(super) fn json(&self) -> Value {
        let ratings = ratings(&self.scores);
        let bot = |who: usize| {
            let mut line = self.bots[who].json();
            line["bot"] = json!(self.names[who]);
            line["elo"] = json!(ratings[who].elo);
            line["elo_within"] = json!(ratings[who].within);
            line
        };
        let failure = |failure: &FailureLine| {
            let FailureLine { game, seat, bot, why } = failure;
            json!({"game": game, "seat": seat, "bot": self.names[*bot], "why": why})
        };
        json!({
            "games": self.games,
            "entries": self.entries,
            "bots": self.order().into_iter().map(bot).collect::<Vec<_>>(),
            "seats": self.seats.iter().map(Line::json).collect::<Vec<_>>(),
            "failures": self.failures.iter().map(failure).collect::<Vec<_>>(),
            "void": self.void.iter().map(|(game, why)| json!({"game": game, "why": why})).collect::<Vec<_>>(),
        })
    }

    /// The number of games.
    pub(super) fn games(&self) -> u64 {
        self.games
    }

    /// Whether no game has a result.
    pub(super) fn is_empty(&self) -> bool {
        self.void.len() as u64 == self.games
    }
}

fn rank(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Lost => 0,
        Verdict::Drawn => 1,
        Verdict::Won => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_by_bot_and_by_seat() {
        let mut standings = Standings::new(["a", "b"].map(str::to_owned).to_vec(), 2);
        let mut add = |number: u64, seats: [usize; 2], verdicts: [Verdict; 2], failures: Vec<(usize, String)>| {
            let seats_played = verdicts.map(|verdict| (verdict, i64::from(rank(verdict)))).to_vec();
            let fixture = Fixture { number, seed: 1, seats: seats.to_vec() };
            standings.add(&fixture, Played { seats: Some(seats_played), failures, ..Played::default() });
        };
        add(1, [0, 1], [Verdict::Won, Verdict::Lost], Vec::new());
        add(2, [1, 0], [Verdict::Lost, Verdict::Won], vec![(0, "it slept".into())]);
        add(3, [0, 1], [Verdict::Drawn, Verdict::Drawn], Vec::new());
        standings.add(
            &Fixture { number: 4, seed: 1, seats: vec![1, 0] },
            Played { void: Some("no player".into()), ..Played::default() },
        );
        assert_eq!(standings.bots[0], Line { games: 3, won: 2, drawn: 1, failed: 0, points: 5 });
        assert_eq!(standings.bots[1], Line { games: 3, won: 0, drawn: 1, failed: 1, points: 1 });
        assert_eq!(standings.seats[0], Line { games: 3, won: 1, drawn: 1, failed: 1, points: 3 });
        assert_eq!(standings.scores[0][1], Score { won: 2, drawn: 1 });
        assert_eq!(standings.scores[1][0], Score { won: 0, drawn: 1 });
        let text = standings.text("heading");
        assert!(text.contains("game 2, seat 1: b lost because it slept"), "{text}");
        assert!(text.contains("1 of 4 games do not count"), "{text}");
        assert!(!standings.is_empty());
    }

    /// Among more than two players, the points decide who of two losers was better.
    #[test]
    fn pairs_in_a_game_of_three() {
        let mut standings = Standings::new(["a", "b", "c"].map(str::to_owned).to_vec(), 3);
        let seats = Some(vec![(Verdict::Lost, 2), (Verdict::Won, 5), (Verdict::Lost, 1)]);
        standings.add(&Fixture { number: 1, seed: 1, seats: vec![0, 1, 2] }, Played { seats, ..Played::default() });
        assert_eq!(standings.scores[1][0].won + standings.scores[1][2].won + standings.scores[0][2].won, 3);
        assert_eq!(standings.order(), [1, 0, 2]);
    }
}
