//! The results so far, and their cross table.

use std::fmt::Write as _;

use cli::elo::{Score, ratings};
use serde_json::{Map, Value, json};

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Played {
    pub(crate) white: usize,
    pub(crate) black: usize,
    /// One of the two; none after a draw.
    pub(crate) winner: Option<usize>,
    /// The reason, if the loser resigned because it had no answer.
    pub(crate) gave_up: Option<String>,
}

/// Results by entrant.
#[derive(Clone, Debug)]
pub(crate) struct Standings {
    names: Vec<String>,
    /// The games of each bot against each other.
    scores: Vec<Vec<Score>>,
    lines: Vec<Line>,
}

#[derive(Clone, Debug, Default)]
struct Line {
    won: u32,
    drawn: u32,
    lost: u32,
    white: u32,
    /// The number of games lost because the bot had no answer.
    failed: u32,
    /// Half points for rounds without an opponent.
    rested: u32,
}

impl Standings {
    pub(crate) fn new(names: &[String]) -> Self {
        let count = names.len();
        Self {
            names: names.to_vec(),
            scores: vec![vec![Score::default(); count]; count],
            lines: vec![Line::default(); count],
        }
    }

    pub(crate) fn add(&mut self, played: Played) {
        let Played { white, black, winner, gave_up } = played;
        self.lines[white].white += 1;
        for (one, other) in [(white, black), (black, white)] {
            let (line, score) = (&mut self.lines[one], &mut self.scores[one][other]);
            match winner {
                None => {
                    line.drawn += 1;
                    score.drawn += 1;
                }
                Some(winner) if winner == one => {
                    line.won += 1;
                    score.won += 1;
                }
                Some(_) => {
                    line.lost += 1;
                    line.failed += u32::from(gave_up.is_some());
                }
            }
        }
    }

    /// A round without an opponent counts as two games won.
    pub(crate) fn rest(&mut self, who: usize) {
        self.lines[who].rested += 4;
    }

    pub(crate) fn games(&self) -> u32 {
        self.lines.iter().map(|line| line.white).sum()
    }

    fn half_points(&self, who: usize) -> u32 {
        self.scores[who].iter().map(halves).sum::<u32>() + self.lines[who].rested
    }

    /// The best bot first. Equal bots keep the order of the options.
    pub(crate) fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by_key(|who| (std::cmp::Reverse(self.half_points(*who)), *who));
        order
    }

    /// The standings with ratings, and the cross table below them: the points of each bot against each other one.
    pub(crate) fn table(&self) -> String {
        let order = self.order();
        let ratings = ratings(&self.scores);
        let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(4);
        let mut text = format!(
            "{:>3}  {:<width$}  {:>6}  {:>4} {:>4} {:>4}  {:>6}  {:>12}\n",
            "", "bot", "points", "won", "drew", "lost", "failed", "Elo (95 %)"
        );
        for (place, who) in order.iter().enumerate() {
            let (line, rating) = (&self.lines[*who], &ratings[*who]);
            let elo = format!("{:+.0} ± {:.0}", rating.elo, rating.within);
            let _ = writeln!(
                text,
                "{:>3}  {:<width$}  {:>6}  {:>4} {:>4} {:>4}  {:>6}  {elo:>12}",
                place + 1,
                self.names[*who],
                points(self.half_points(*who)),
                line.won,
                line.drawn,
                line.lost,
                line.failed,
            );
        }
        text + "\n" + &self.cross_table(&order)
    }

    /// A cell has the points of the bot of its row against the one of its column, and a dot if they have not met. Long names are cut,
    /// so that a table of thirty bots fits into 120 columns.
    fn cross_table(&self, order: &[usize]) -> String {
        const LONGEST_NAME: usize = 20;
        let cell = |who: usize, other: usize| match self.scores[who][other] {
            _ if who == other => "-".into(),
            _ if !self.have_met(who, other) => ".".into(),
            ref score => points(halves(score)),
        };
        let cut = |name: &str| name.chars().take(LONGEST_NAME).collect::<String>();
        let names: Vec<String> = order.iter().map(|who| cut(&self.names[*who])).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let cells = || order.iter().flat_map(|who| order.iter().map(|other| cell(*who, *other)));
        let widest = cells().map(|cell| cell.chars().count()).max().unwrap_or(0);
        let column = widest.max(order.len().to_string().len());
        let mut text = format!("{:>3}  {:<width$} ", "", "");
        text.extend((1..=order.len()).map(|place| format!(" {place:>column$}")));
        text.push('\n');
        for (place, (who, name)) in order.iter().zip(&names).enumerate() {
            let _ = write!(text, "{:>3}  {name:<width$} ", place + 1);
            text.extend(order.iter().map(|other| format!(" {:>column$}", cell(*who, *other))));
            text.push('\n');
        }
        text
    }

    fn have_met(&self, who: usize, other: usize) -> bool {
        halves(&self.scores[who][other]) + halves(&self.scores[other][who]) > 0
    }

    /// The cross table for programs.
    pub(crate) fn json(&self) -> Value {
        let ratings = ratings(&self.scores);
        let points = |halves: u32| f64::from(halves) / 2.0;
        let one = |who: usize| {
            let (Line { won, drawn, lost, failed, white, .. }, rating) = (&self.lines[who], &ratings[who]);
            let against: Map<String, Value> = (0..self.names.len())
                .filter(|other| self.have_met(who, *other))
                .map(|other| (self.names[other].clone(), points(halves(&self.scores[who][other])).into()))
                .collect();
            json!({
                "bot": self.names[who], "points": points(self.half_points(who)), "won": won, "drawn": drawn, "lost": lost,
                "failed": failed, "as_white": white, "elo": rating.elo, "elo_within": rating.within, "against": against,
            })
        };
        json!({"games": self.games(), "bots": self.order().into_iter().map(one).collect::<Vec<_>>()})
    }
}

/// The half points of the first of two bots.
fn halves(score: &Score) -> u32 {
    2 * score.won + score.drawn
}

/// Half points as chess players write them: `0`, `½`, `1`, `1½`.
fn points(halves: u32) -> String {
    match (halves / 2, halves % 2) {
        (whole, 0) => whole.to_string(),
        (0, _) => "½".into(),
        (whole, _) => format!("{whole}½"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cross_table() {
        let names = ["ana", "bo", "cleo"].map(str::to_owned);
        let mut standings = Standings::new(&names);
        standings.add(Played { white: 0, black: 1, winner: Some(1), gave_up: Some("hung".into()) });
        standings.add(Played { white: 1, black: 0, winner: None, gave_up: None });
        standings.add(Played { white: 1, black: 2, winner: Some(1), gave_up: None });
        let table = standings.table();
        let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(rows[1][..7], ["1", "bo", "2½", "2", "1", "0", "0"]);
        assert_eq!(rows[2][..7], ["2", "ana", "½", "0", "1", "1", "1"]);
        assert_eq!(rows[3][..7], ["3", "cleo", "0", "0", "0", "1", "0"]);
        let cross = table.split_once("\n\n").map(|(_, cross)| cross);
        let expected = "\
            \u{20}           1  2  3
  1  bo     - 1½  1
  2  ana   ½  -  .
  3  cleo  0  .  -
";
        assert_eq!(cross.map(squeezed), Some(squeezed(expected)), "{table}");
        assert_eq!(standings.games(), 3);
        let json = standings.json();
        assert_eq!((&json["games"], &json["bots"][0]["bot"]), (&3.into(), &"bo".into()));
        assert_eq!(json["bots"][1]["against"], json!({"bo": 0.5}), "they have not met cleo");
        assert_eq!(json["bots"][2]["against"], json!({"bo": 0.0}), "a loss");
    }

    fn squeezed(text: &str) -> Vec<Vec<&str>> {
        text.lines().map(|line| line.split_whitespace().collect()).collect()
    }

    #[test]
    fn thirty_bots_fit() {
        let names: Vec<String> = (1..=30).map(|number| format!("team-{number}-with-a-long-name")).collect();
        let mut standings = Standings::new(&names);
        for white in 0..30 {
            for black in (0..30).filter(|black| *black != white) {
                let winner = (white % 3 == 0).then_some(white);
                standings.add(Played { white, black, winner, gave_up: None });
            }
        }
        let table = standings.table();
        let widest = table.lines().map(|line| line.chars().count()).max();
        assert!(widest.is_some_and(|widest| widest <= 120), "{widest:?}:\n{table}");
        let rows = table.split_once("\n\n").map(|(_, cross)| cross.lines().count());
        assert_eq!(rows, Some(31));
    }
}
