//! Plays every script with every mutant.
//!
//! First, each script is played with the correct rules, to find the mutants that it reaches. The other mutants cannot change
//! the game and are not played.

use std::{
    any::Any,
    fmt,
    num::NonZero,
    panic::{self, AssertUnwindSafe, catch_unwind},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use engine::mutants::play_with;

use super::{
    Mutant,
    scripts::{Differs, Script},
};

/// The results of all mutants.
#[derive(Debug)]
pub struct Matrix {
    /// The scripts.
    pub scripts: Vec<Script>,
    /// The survivors first, then the others in the order of the table.
    pub rows: Vec<Row>,
    /// The number of games that were played.
    pub games: usize,
    /// How long playing took.
    pub time: Duration,
}

/// The results of one mutant.
#[derive(Debug)]
pub struct Row {
    /// The mutant.
    pub mutant: Mutant,
    /// How many scripts reach the expression that the mutant changes.
    pub reached: usize,
    /// The kills, in the order of the scripts.
    pub kills: Vec<Kill>,
}

/// A script that kills a mutant.
#[derive(Debug)]
pub struct Kill {
    /// The index of the script.
    pub script: usize,
    /// The first difference, or the panic.
    pub difference: String,
}

/// A script that fails without any mutant.
#[derive(Debug)]
pub struct Failed {
    name: String,
    place: String,
    difference: Differs,
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}): {}", self.name, self.place, self.difference)
    }
}

/// The state of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// No script kills it.
    Survived,
    /// A script kills it, although the table marks it as equivalent.
    NotEquivalent,
    /// No script kills it, and no script can.
    Equivalent,
    /// A script kills it.
    Killed,
}

impl Row {
    /// The state of the mutant.
    pub fn fate(&self) -> Fate {
        match (self.kills.is_empty(), self.mutant.equivalent) {
            (true, None) => Fate::Survived,
            (false, Some(_)) => Fate::NotEquivalent,
            (true, Some(_)) => Fate::Equivalent,
            (false, None) => Fate::Killed,
        }
    }
}

impl Matrix {
    /// Plays the scripts with the chosen mutants, which are indices in the table. Calls `progress` with the number of finished
    /// scripts.
    ///
    /// # Errors
    /// The scripts that fail without any mutant.
    pub fn play(
        scripts: Vec<Script>,
        table: &[Mutant],
        mutants: &[usize],
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Self, Vec<Failed>> {
        let since = Instant::now();
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let verdicts = Mutex::new(Vec::new());
        let work = || {
            while let Some((at, script)) = take(&next, &scripts) {
                let verdict = Verdict::play(script, table.len(), mutants);
                verdicts.lock().unwrap_or_else(PoisonError::into_inner).push((at, verdict));
                progress(done.fetch_add(1, Ordering::Relaxed) + 1);
            }
        };
        // Faulty rules panic thousands of times, and the verdicts contain the messages.
        let loud = panic::take_hook();
        panic::set_hook(Box::new(|_| ()));
        thread::scope(|scope| {
            let threads = thread::available_parallelism().map_or(1, NonZero::get);
            (1..threads).for_each(|_| drop(scope.spawn(work)));
            work();
        });
        panic::set_hook(loud);

        let mut verdicts = verdicts.into_inner().unwrap_or_else(PoisonError::into_inner);
        verdicts.sort_by_key(|(at, _)| *at);
        let row = |&mutant: &usize| Row { mutant: table[mutant], reached: 0, kills: Vec::new() };
        let mut rows: Vec<Row> = mutants.iter().map(row).collect();
        let (mut games, mut failed) = (0, Vec::new());
        for (script, verdict) in verdicts {
            match verdict {
                Ok(Verdict { reached, kills }) => {
                    games += 1 + reached.len();
                    reached.into_iter().for_each(|row| rows[row].reached += 1);
                    kills.into_iter().for_each(|(row, difference)| rows[row].kills.push(Kill { script, difference }));
                }
                Err(difference) => {
                    let Script { name, place, .. } = &scripts[script];
                    failed.push(Failed { name: name.clone(), place: place.clone(), difference });
                }
            }
        }
        if !failed.is_empty() {
            return Err(failed);
        }
        rows.sort_by_key(Row::fate);
        Ok(Self { scripts, rows, games, time: since.elapsed() })
    }

    /// Whether the scripts kill all mutants that are not equivalent.
    pub fn is_complete(&self) -> bool {
        self.rows.iter().all(|row| matches!(row.fate(), Fate::Killed | Fate::Equivalent))
    }

    /// How many mutants have this state.
    pub fn count(&self, fate: Fate) -> usize {
        self.rows.iter().filter(|row| row.fate() == fate).count()
    }

    /// For each script, how many mutants it kills, and how many of them no other script kills.
    pub fn by_script(&self) -> Vec<(usize, usize)> {
        let mut counts = vec![(0, 0); self.scripts.len()];
        for row in &self.rows {
            row.kills.iter().for_each(|kill| counts[kill.script].0 += 1);
            if let [kill] = &row.kills[..] {
                counts[kill.script].1 += 1;
            }
        }
        counts
    }
}

fn take<'s>(next: &AtomicUsize, scripts: &'s [Script]) -> Option<(usize, &'s Script)> {
    let at = next.fetch_add(1, Ordering::Relaxed);
    Some((at, scripts.get(at)?))
}

/// The results of one script, with indices of the chosen mutants.
struct Verdict {
    reached: Vec<usize>,
    kills: Vec<(usize, String)>,
}

impl Verdict {
    /// Plays the script without a mutant and with each mutant that it reaches. Fails if the script fails without a mutant.
    fn play(script: &Script, count: usize, mutants: &[usize]) -> Result<Self, Differs> {
        let reached_by_rules = play(script, count, None)?;
        let reached: Vec<usize> = (0..mutants.len()).filter(|&chosen| reached_by_rules[mutants[chosen]]).collect();
        let kill = |&chosen: &usize| Some((chosen, play(script, count, Some(mutants[chosen])).err()?.to_string()));
        let kills = reached.iter().filter_map(kill).collect();
        Ok(Self { reached, kills })
    }
}

/// Plays a script, and returns which mutants it reaches.
fn play(script: &Script, count: usize, mutant: Option<usize>) -> Result<Vec<bool>, Differs> {
    match catch_unwind(AssertUnwindSafe(|| play_with(count, mutant, || script.play()))) {
        Ok((Ok(()), reached)) => Ok(reached),
        Ok((Err(difference), _)) => Err(difference),
        Err(panic) => Err(Differs::Panicked(message(&*panic).into())),
    }
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("without a message")
}
