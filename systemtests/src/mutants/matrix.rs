//! Plays every script with every mutant.
//!
//! A script is played by the rules first. That shows which mutants it reaches at all; the others cannot change the game, so
//! they are not played.

use std::{
    any::Any,
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

use super::{Mutant, scripts::Script};

/// What became of all mutants.
#[derive(Debug)]
pub struct Matrix {
    pub scripts: Vec<Script>,
    /// Survivors first, then in the order of the table.
    pub rows: Vec<Row>,
    /// How many games were played.
    pub games: usize,
    pub time: Duration,
}

/// What became of one mutant.
#[derive(Debug)]
pub struct Row {
    /// The mistake.
    pub mutant: Mutant,
    /// How many scripts come to the expression that it changes.
    pub reached: usize,
    /// In the order of the scripts.
    pub kills: Vec<Kill>,
}

/// A script that notices a mutant.
#[derive(Debug)]
pub struct Kill {
    /// Its place among the scripts.
    pub script: usize,
    /// Where the game differs first; a panic is a difference too.
    pub difference: String,
}

/// How a mutant stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// No script notices it.
    Survived,
    /// A script notices it, although the table says that nobody can.
    NotEquivalent,
    /// No script notices it, and none can.
    Equivalent,
    Killed,
}

impl Row {
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
    /// Plays the scripts with the chosen ones of a game's mutants (places in its table); `progress` hears how many scripts are done. An error
    /// names the scripts that do not pass on the rules as they are.
    pub fn of(
        scripts: Vec<Script>,
        table: &[Mutant],
        mutants: &[usize],
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Self, Vec<String>> {
        let since = Instant::now();
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let verdicts = Mutex::new(Vec::new());
        let work = || {
            while let Some((at, script)) = take(&next, &scripts) {
                let verdict = Verdict::of(script, table.len(), mutants);
                verdicts.lock().unwrap_or_else(PoisonError::into_inner).push((at, verdict));
                progress(done.fetch_add(1, Ordering::Relaxed) + 1);
            }
        };
        // Faulty rules panic by the thousand; what they say is in the verdicts.
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
        let (mut games, mut problems) = (0, Vec::new());
        for (script, verdict) in verdicts {
            match verdict {
                Ok(Verdict { reached, kills }) => {
                    games += 1 + reached.len();
                    reached.into_iter().for_each(|row| rows[row].reached += 1);
                    kills.into_iter().for_each(|(row, difference)| rows[row].kills.push(Kill { script, difference }));
                }
                Err(problem) => {
                    problems.push(format!("{} ({}): {problem}", scripts[script].name, scripts[script].place));
                }
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        rows.sort_by_key(Row::fate);
        Ok(Self { scripts, rows, games, time: since.elapsed() })
    }

    /// All mutants are killed, but those that nobody can see.
    pub fn is_complete(&self) -> bool {
        self.rows.iter().all(|row| matches!(row.fate(), Fate::Killed | Fate::Equivalent))
    }

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

/// What one script makes of the mutants; they are numbered as they were chosen.
struct Verdict {
    reached: Vec<usize>,
    kills: Vec<(usize, String)>,
}

impl Verdict {
    /// An error says why the script does not even pass on the rules as they are.
    fn of(script: &Script, count: usize, mutants: &[usize]) -> Result<Self, String> {
        let reached_by_rules = play(script, count, None)?;
        let reached: Vec<usize> = (0..mutants.len()).filter(|&chosen| reached_by_rules[mutants[chosen]]).collect();
        let kill = |&chosen: &usize| Some((chosen, play(script, count, Some(mutants[chosen])).err()?));
        let kills = reached.iter().filter_map(kill).collect();
        Ok(Self { reached, kills })
    }
}

/// Which mutants the script reaches, or what it notices.
fn play(script: &Script, count: usize, mutant: Option<usize>) -> Result<Vec<bool>, String> {
    match catch_unwind(AssertUnwindSafe(|| play_with(count, mutant, || script.play()))) {
        Ok((Ok(()), reached)) => Ok(reached),
        Ok((Err(difference), _)) => Err(difference),
        Err(panic) => Err(format!("the rules panic: {}", words(&*panic))),
    }
}

fn words(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("without a word")
}
