//! Groups of games and their statistics.

use std::collections::BTreeMap;

use engine::{SeatResult, Verdict};
use serde_json::{Map, Value, json};
use server::log::GameRecord;

use crate::log::words::{Align, plain, table};
use cli::wilson::interval;

/// A finished game.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) scenario: String,
    pub(super) edition: String,
    pub(super) players: usize,
    pub(super) seed: i64,
    pub(super) outcome: String,
    pub(super) shared: Shared,
    /// The results of the seats, in their order.
    pub(super) results: Vec<SeatResult>,
    pub(super) rounds: i64,
    /// The names of the figures.
    pub(super) names: &'static [&'static str],
    pub(super) figures: Vec<i64>,
    pub(super) entries: i64,
    pub(super) seconds: i64,
}

/// The end of a game for all its players together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shared {
    Won,
    Lost,
    /// Some players won against others, or the game was a draw.
    Divided,
    /// The log has no result.
    Unknown,
}

impl Shared {
    /// Uses the results of the seats or, in an older log, the words of the outcome.
    pub(super) fn of(record: &GameRecord) -> Self {
        let Some(results) = &record.results else {
            return Self::of_words(record.end.as_ref().map_or("", |end| &end.outcome));
        };
        let all = |verdict| results.iter().all(|seat| seat.verdict == verdict);
        if all(Verdict::Won) {
            Self::Won
        } else if all(Verdict::Lost) {
            Self::Lost
        } else {
            Self::Divided
        }
    }

    fn of_words(outcome: &str) -> Self {
        if outcome.starts_with("won") {
            Self::Won
        } else if outcome.starts_with("lost") {
            Self::Lost
        } else {
            Self::Unknown
        }
    }
}

/// The property by which games are grouped; numbers sort as numbers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    Number(i64),
    Word(String),
}

impl Key {
    fn words(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Word(word) => plain(word).into(),
        }
    }

    pub(super) fn json(&self) -> Value {
        match self {
            Self::Number(number) => json!(number),
            Self::Word(word) => json!(word),
        }
    }
}

pub(super) struct Group<'s> {
    samples: Vec<&'s Sample>,
}

impl<'s> Group<'s> {
    pub(super) fn of(samples: &'s [Sample]) -> Self {
        Self { samples: samples.iter().collect() }
    }

    pub(super) fn all(samples: &'s [Sample], key: impl Fn(&Sample) -> Key) -> BTreeMap<Key, Self> {
        let mut groups: BTreeMap<Key, Self> = BTreeMap::new();
        for sample in samples {
            groups.entry(key(sample)).or_insert_with(|| Self { samples: Vec::new() }).samples.push(sample);
        }
        groups
    }

    fn games(&self) -> u64 {
        self.samples.len() as u64
    }

    /// The number of won games; `None` unless all players win or lose together.
    fn won(&self) -> Option<u64> {
        let count = |shared| self.samples.iter().filter(move |sample| sample.shared == shared).count() as u64;
        let (won, lost) = (count(Shared::Won), count(Shared::Lost));
        (won + lost > 0 && count(Shared::Divided) == 0).then_some(won)
    }

    /// Each outcome and its count, the most frequent first.
    fn outcomes(&self) -> Vec<(&'s str, u64)> {
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        self.samples.iter().for_each(|sample| *counts.entry(&sample.outcome).or_default() += 1);
        let mut counts: Vec<(&str, u64)> = counts.into_iter().collect();
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        counts
    }

    /// A share of all games, in hundredths.
    fn percent(&self, count: u64) -> f64 {
        100.0 * count as f64 / self.games().max(1) as f64
    }

    pub(super) fn line(&self, key: &Key) -> String {
        let games = self.games();
        // The padding makes both nouns equally wide.
        let noun = if games == 1 { "game, " } else { "games," };
        let won = self.won().map(|won| {
            let (low, high) = interval(won, games);
            let (share, low, high) = (self.percent(won), 100.0 * low, 100.0 * high);
            format!(" won {share:.1} % (95 % interval {low:.1} to {high:.1})")
        });
        let line = format!("  {:<16} {games:>8} {noun}{}", key.words(), won.unwrap_or_default());
        let mut text = format!("{}\n", line.trim_end_matches([',', ' ']));
        let outcomes = self.outcomes();
        for (outcome, count) in outcomes.iter().take(MOST_OUTCOMES) {
            text.push_str(&format!("  {:<16} {count:>8} {}\n", "", plain(outcome)));
        }
        let others: u64 = outcomes.iter().skip(MOST_OUTCOMES).map(|(_, count)| count).sum();
        if others > 0 {
            text.push_str(&format!("  {:<16} {others:>8} others\n", ""));
        }
        text
    }

    /// The results of each seat.
    fn seats(&self) -> Vec<SeatSums<'s>> {
        let most = self.samples.iter().map(|sample| sample.results.len()).max().unwrap_or_default();
        let results = |seat: usize| self.samples.iter().filter_map(move |sample| sample.results.get(seat));
        (0..most).map(|seat| SeatSums::of(&results(seat).collect::<Vec<_>>())).collect()
    }

    /// How often each seat won, and its points; empty if the log has no results.
    pub(super) fn seats_table(&self) -> String {
        let seats = self.seats();
        if seats.is_empty() {
            return String::new();
        }
        let head = ["seat", "games", "won", "drawn", "lost", "points: min", "25 %", "median", "75 %", "max"];
        let rows = seats.iter().zip(1..).map(|(seat, number)| {
            let side = seat.side.map(|side| format!(", {}", plain(side))).unwrap_or_default();
            let [won, drawn, lost] = seat.verdicts;
            [format!("  {number}{side}"), (won + drawn + lost).to_string()]
                .into_iter()
                .chain(seat.verdicts.iter().map(ToString::to_string))
                .chain(seat.points.iter().map(ToString::to_string))
                .collect()
        });
        let columns: Vec<Align> = (0..head.len()).map(|at| if at == 0 { Align::Left } else { Align::Right }).collect();
        let rows = std::iter::once(head.map(str::to_owned).to_vec()).chain(rows);
        table(&columns, &rows.collect::<Vec<Vec<String>>>())
    }

    fn distributions(&self) -> Vec<(&'static str, [i64; 5])> {
        let all = |figure: &dyn Fn(&Sample) -> Option<i64>| {
            quartiles(self.samples.iter().filter_map(|sample| figure(sample)).collect())
        };
        let names = self.samples.first().map_or(&[][..], |sample| sample.names);
        let figures =
            names.iter().enumerate().map(|(at, name)| (*name, all(&|sample| sample.figures.get(at).copied())));
        [("rounds", all(&|sample| Some(sample.rounds)))]
            .into_iter()
            .chain(figures)
            .chain([("entries", all(&|sample| Some(sample.entries))), ("seconds", all(&|sample| Some(sample.seconds)))])
            .filter_map(|(name, quartiles)| Some((name, quartiles?)))
            .collect()
    }

    pub(super) fn distributions_table(&self) -> String {
        let head = ["at the end", "min", "25 %", "median", "75 %", "max"].map(str::to_owned).to_vec();
        let rows = self.distributions().into_iter().map(|(name, quartiles)| {
            std::iter::once(format!("  {name}")).chain(quartiles.iter().map(ToString::to_string)).collect()
        });
        let right = Align::Right;
        table(
            &[Align::Left, right, right, right, right, right],
            &std::iter::once(head).chain(rows).collect::<Vec<Vec<String>>>(),
        )
    }

    pub(super) fn json(&self) -> Value {
        let (games, won) = (self.games(), self.won());
        let rate = won.map(|won| (won as f64 / games.max(1) as f64, interval(won, games)));
        let outcomes: Map<String, Value> =
            self.outcomes().into_iter().map(|(outcome, count)| (outcome.into(), json!(count))).collect();
        let distributions: Map<String, Value> =
            self.distributions().into_iter().map(|(name, quartiles)| (name.into(), json!(quartiles))).collect();
        json!({
            "games": games,
            "won": won,
            "winRate": rate.map(|(rate, _)| rate),
            "winRate95": rate.map(|(_, interval)| interval),
            "outcomes": outcomes,
            "seats": self.seats().iter().map(SeatSums::json).collect::<Value>(),
            "distributions": distributions,
        })
    }
}

/// The most outcomes of a group that are printed. Where every game has other words, a list of all would say nothing.
const MOST_OUTCOMES: usize = 10;

/// The results of one seat.
struct SeatSums<'s> {
    /// The side, if the seat always has the same.
    side: Option<&'s str>,
    /// Wins, draws and losses.
    verdicts: [u64; 3],
    points: [i64; 5],
}

impl<'s> SeatSums<'s> {
    fn of(results: &[&'s SeatResult]) -> Self {
        let count = |verdict| results.iter().filter(|result| result.verdict == verdict).count() as u64;
        let side = results.first().and_then(|first| first.side.as_deref());
        Self {
            side: side.filter(|side| results.iter().all(|result| result.side.as_deref() == Some(side))),
            verdicts: [Verdict::Won, Verdict::Drawn, Verdict::Lost].map(count),
            points: quartiles(results.iter().map(|result| result.points).collect()).unwrap_or_default(),
        }
    }

    fn json(&self) -> Value {
        let [won, drawn, lost] = self.verdicts;
        json!({"side": self.side, "won": won, "drawn": drawn, "lost": lost, "points": self.points})
    }
}

/// The minimum, the quartiles and the maximum; each is one of the values.
fn quartiles(mut values: Vec<i64>) -> Option<[i64; 5]> {
    values.sort_unstable();
    let greatest = *values.last()?;
    let rank = |quarter: usize| (values.len() * quarter).div_ceil(4).saturating_sub(1);
    let [least, low, middle, high] = [0, 1, 2, 3].map(|quarter| values[rank(quarter)]);
    Some([least, low, middle, high, greatest])
}

#[cfg(test)]
mod tests {
    use engine::{CommId, Digest, SeatResult};
    use server::log::{About, End, GameKey, Tail};

    use super::*;

    #[test]
    fn quarters() {
        assert_eq!(quartiles(vec![]), None);
        assert_eq!(quartiles(vec![7]), Some([7; 5]));
        assert_eq!(quartiles(vec![2, 1]), Some([1, 1, 1, 2, 2]));
        assert_eq!(quartiles((0..=100).rev().collect()), Some([0, 25, 50, 75, 100]));
    }

    #[test]
    fn groups() {
        let sample = |players, outcome: &str, morale| Sample {
            scenario: "winter".into(),
            edition: "group".into(),
            players,
            seed: 1,
            outcome: outcome.into(),
            shared: Shared::of_words(outcome),
            results: Vec::new(),
            rounds: 3,
            names: &["morale"],
            figures: vec![morale],
            entries: 10,
            seconds: 0,
        };
        let samples =
            [sample(10, "won", 4), sample(2, "lost: cold", 0), sample(2, "won", 1), sample(2, "lost: cold", 9)];
        let groups = Group::all(&samples, |sample| Key::Number(sample.players as i64));
        let lines: String = groups.iter().map(|(key, group)| group.line(key)).collect();
        let expected = "  \
  2                       3 games, won 33.3 % (95 % interval 6.1 to 79.2)
                          2 lost: cold
                          1 won
  10                      1 game,  won 100.0 % (95 % interval 20.7 to 100.0)
                          1 won
";
        assert_eq!(lines, expected);
        let all = Group::of(&samples);
        assert_eq!(all.json()["distributions"]["morale"], json!([0, 0, 1, 4, 9]));
        assert_eq!(all.json()["winRate"], json!(0.5));
        assert!(all.distributions_table().contains("  morale      0     0       1     4    9\n"));
    }

    fn game(outcome: &str, results: &[(Option<&str>, Verdict, i64)]) -> Sample {
        let seat = |(client, (side, verdict, points)): (u32, &(Option<&str>, Verdict, i64))| SeatResult {
            client: CommId(client),
            name: format!("player {client}"),
            side: side.map(str::to_owned),
            verdict: *verdict,
            points: *points,
        };
        Sample {
            scenario: "standard".into(),
            edition: "standard".into(),
            players: results.len(),
            seed: 1,
            outcome: outcome.into(),
            shared: Shared::Divided,
            results: (1..).zip(results).map(seat).collect(),
            rounds: 1,
            names: &[],
            figures: Vec::new(),
            entries: 1,
            seconds: 0,
        }
    }

    #[test]
    fn points_of_seats() {
        use Verdict::{Drawn, Lost, Won};
        let (white, black) = (Some("white"), Some("black"));
        let samples = [
            game("a", &[(white, Won, 7), (black, Lost, 1)]),
            game("b", &[(white, Drawn, 3), (black, Drawn, 3)]),
            // A game of one player more, in which the sides are the other way round.
            game("c", &[(white, Lost, 0), (white, Won, 12), (None, Lost, -2)]),
        ];
        let expected = "\
seat        games  won  drawn  lost  points: min  25 %  median  75 %  max
  1, white      3    1      1     1            0     0       3     7    7
  2             3    1      1     1            1     1       3    12   12
  3             1    0      0     1           -2    -2      -2    -2   -2
";
        let all = Group::of(&samples);
        assert_eq!(all.seats_table(), expected);
        let seats = &all.json()["seats"];
        assert_eq!(seats[0], json!({"side": "white", "won": 1, "drawn": 1, "lost": 1, "points": [0, 0, 3, 7, 7]}));
        assert_eq!(seats[1]["side"], Value::Null);
        assert_eq!(Group::of(&[game("a", &[])]).seats_table(), "", "a log without results");
    }

    #[test]
    fn many_outcomes_are_summed_up() {
        let samples: Vec<Sample> = (0..14).map(|number| game(&format!("Ana won, {number}:0"), &[])).collect();
        let text = Group::of(&samples).line(&Key::Number(2));
        assert_eq!(text.lines().count(), 12, "{text}");
        assert!(text.ends_with("         4 others\n"), "{text}");
        assert_eq!(Group::of(&samples).json()["outcomes"].as_object().map(Map::len), Some(14));
    }

    /// `won won` are the results of the seats. Without any, the log has no results.
    #[test]
    fn won_by_results_or_by_words() {
        let check = |verdicts: &str, outcome: &str, expected: Shared| {
            let seat = |(at, word): (u32, &str)| SeatResult {
                client: CommId(at),
                name: format!("player {at}"),
                side: None,
                verdict: match word {
                    "won" => Verdict::Won,
                    "drawn" => Verdict::Drawn,
                    _ => Verdict::Lost,
                },
                points: 0,
            };
            let results: Vec<SeatResult> = (1..).zip(verdicts.split_whitespace()).map(seat).collect();
            let record = GameRecord {
                key: GameKey(1),
                name: "a".into(),
                about: About { rulebook: String::new(), edition: String::new(), rules_version: 1, seed: 0 },
                created: 0,
                end: Some(End { outcome: outcome.into(), at: 1 }),
                players: None,
                results: (!results.is_empty()).then_some(results),
                parent: None,
                tail: Tail { entries: 0, digest: Digest([0; 32]) },
            };
            assert_eq!(Shared::of(&record), expected, "{verdicts} {outcome}");
        };
        check("won won", "the winter is over", Shared::Won);
        check("lost lost", "won by no player", Shared::Lost);
        check("won lost", "won by Ana", Shared::Divided);
        check("drawn drawn", "a draw", Shared::Divided);
        check("", "won", Shared::Won);
        check("", "lost: cold", Shared::Lost);
        check("", "Ana wins", Shared::Unknown);
    }

    #[test]
    fn games_with_opponents_have_no_win_rate() {
        let sample = |shared| Sample {
            scenario: String::new(),
            edition: String::new(),
            players: 2,
            seed: 1,
            outcome: String::new(),
            shared,
            results: Vec::new(),
            rounds: 0,
            names: &[],
            figures: Vec::new(),
            entries: 0,
            seconds: 0,
        };
        let check = |all: &[Shared], expected| {
            let samples: Vec<Sample> = all.iter().copied().map(sample).collect();
            assert_eq!(Group::of(&samples).won(), expected, "{all:?}");
        };
        check(&[Shared::Won, Shared::Lost, Shared::Unknown], Some(1));
        check(&[Shared::Lost, Shared::Divided], None);
        check(&[Shared::Unknown], None);
    }
}
