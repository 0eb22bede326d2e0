//! Counts the results of many games.

use std::{collections::BTreeMap, fmt};

use cli::{
    plural::{GAMES, counted},
    wilson::interval,
};
use serde_json::{Value, json};

use super::game::{Played, Verdict};

/// The results of both players.
pub(super) struct Tally {
    games: u32,
    sides: [Column; 2],
}

struct Column {
    name: String,
    won: u64,
    lost: u64,
    unclear: u64,
    /// The numbers of actions of won games, as far as the client reports them.
    actions: Vec<u32>,
    reasons: BTreeMap<(&'static str, String), u32>,
}

/// The most reasons that are printed.
const REASONS: usize = 12;

impl Tally {
    pub(super) fn new(names: Vec<String>) -> Self {
        let mut names = names.into_iter();
        let mut column = || Column {
            name: names.next().unwrap_or_default(),
            won: 0,
            lost: 0,
            unclear: 0,
            actions: Vec::new(),
            reasons: BTreeMap::new(),
        };
        Self { games: 0, sides: [column(), column()] }
    }

    pub(super) fn add(&mut self, played: Played) {
        self.games += 1;
        for (column, side) in self.sides.iter_mut().zip(played) {
            let word = match side.verdict {
                Verdict::Won => {
                    column.won += 1;
                    column.actions.extend(side.actions);
                    "won"
                }
                Verdict::Lost => {
                    column.lost += 1;
                    "lost"
                }
                Verdict::Unclear => {
                    column.unclear += 1;
                    "error"
                }
            };
            *column.reasons.entry((word, side.reason)).or_default() += 1;
        }
    }

    pub(super) fn games(&self) -> u32 {
        self.games
    }

    /// Whether the result of every game is known.
    pub(super) fn is_clear(&self) -> bool {
        self.sides.iter().all(|column| column.unclear == 0)
    }
}

impl Tally {
    /// The report for programs. `whole` is false if the batch was stopped before its end.
    pub(super) fn to_json(&self, whole: bool) -> Value {
        let client = |column: &Column| {
            let Column { name, won, lost, unclear, actions, reasons } = column;
            let (low, high) = interval(*won, won + lost + unclear);
            let reasons: Vec<Value> = reasons
                .iter()
                .map(|((result, reason), games)| json!({"result": result, "reason": reason, "games": games}))
                .collect();
            json!({
                "client": name, "won": won, "lost": lost, "errors": unclear, "share_won_95": [low, high],
                "median_actions_of_a_win": median(actions), "reasons": reasons,
            })
        };
        json!({"games": self.games, "whole": whole, "clients": self.sides.iter().map(client).collect::<Vec<_>>()})
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.sides.iter().map(|column| column.name.chars().count()).max().unwrap_or_default().max(6);
        let wins = "median actions of a win";
        writeln!(f, "{:width$}  games    won   lost  error  share won  95 % interval    {wins}", "client")?;
        for column in &self.sides {
            let Column { name, won, lost, unclear, .. } = column;
            let all = won + lost + unclear;
            let percent = |share: f64| format!("{:.1} %", 100.0 * share);
            let (low, high) = interval(*won, all);
            let share = percent(*won as f64 / all.max(1) as f64);
            let between = format!("{} - {}", percent(low), percent(high));
            let median = median(&column.actions).map_or_else(|| "-".into(), |median| median.to_string());
            writeln!(f, "{name:width$}  {all:5}  {won:5}  {lost:5}  {unclear:5}  {share:>9}  {between:<15}  {median}")?;
        }
        for Column { name, reasons, .. } in &self.sides {
            writeln!(f, "\n{name}")?;
            let mut reasons: Vec<_> = reasons.iter().collect();
            reasons.sort_by_key(|(_, games)| std::cmp::Reverse(**games));
            for ((word, reason), games) in reasons.iter().take(REASONS) {
                writeln!(f, "  {:>12}  {word}: {reason}", counted(**games, GAMES))?;
            }
            if reasons.len() > REASONS {
                writeln!(f, "  and {} more reasons", reasons.len() - REASONS)?;
            }
        }
        Ok(())
    }
}

fn median(numbers: &[u32]) -> Option<u32> {
    let mut numbers = numbers.to_vec();
    numbers.sort_unstable();
    numbers.get(numbers.len() / 2).copied()
}
