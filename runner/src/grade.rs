//! Grades the servers of many teams: groups of scripts with points, limits for each team, and a table.
//!
//! A [`Plan`] is read from `teams.toml`. [`play`] plays what is missing of a run and writes each result to a [`Journal`], so that a run
//! that was killed goes on. [`Table`] computes the points, and [`write`](output::write) writes all reports.

pub mod html;
pub mod journal;
pub mod output;
pub mod plan;
pub mod table;

use std::{
    fmt::Write as _,
    hash::{DefaultHasher, Hash, Hasher},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

pub use journal::{Journal, JournalError, Row};
pub use plan::{Plan, PlanError, Team};
pub use table::{Change, GroupMark, Table, TeamMark};

use crate::{
    batch::judge,
    files::Found,
    limits::Limits,
    remote::{FreshServer, ServerCommand, ServerCommandError},
    target::Outcome,
};

/// The scripts of a plan: each is played once for a team, even if it is in several groups.
#[derive(Debug)]
pub struct Tests {
    /// All scripts, in the order of their groups.
    pub scripts: Vec<Found>,
    /// The scripts of each group, as positions in `scripts`.
    pub groups: Vec<Vec<usize>>,
}

impl Tests {
    /// A number that changes if the plan or a script changes. A run goes on only if it is the same.
    pub fn fingerprint(&self, plan: &str) -> String {
        let mut hasher = DefaultHasher::new();
        plan.hash(&mut hasher);
        for found in &self.scripts {
            found.place.hash(&mut hasher);
            if let Ok(script) = &found.script {
                script.scenario.hash(&mut hasher);
                script.transcript.json(script.game).hash(&mut hasher);
            }
        }
        let mut text = String::new();
        write!(text, "{:016x}", hasher.finish()).expect("a string takes everything");
        text
    }
}

/// Plays everything that the journal does not have, `jobs` teams at a time. `progress` gets the number of results so far.
///
/// # Errors
/// If a result cannot be written.
pub fn play(
    plan: &Plan,
    tests: &Tests,
    journal: &Journal,
    jobs: usize,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<(), JournalError> {
    let next = AtomicUsize::new(0);
    let failed: Mutex<Option<JournalError>> = Mutex::new(None);
    let work = || {
        while let Some(team) = plan.teams.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(error) = play_team(plan, team, tests, journal, progress) {
                failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                return;
            }
        }
    };
    thread::scope(|scope| {
        (1..jobs).for_each(|_| drop(scope.spawn(work)));
        work();
    });
    failed.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
}

fn play_team(
    plan: &Plan,
    team: &Team,
    tests: &Tests,
    journal: &Journal,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<(), JournalError> {
    let limits = Limits {
        memory_bytes: Some(plan.limits.memory_mib << 20),
        processes: Some(plan.limits.processes),
        time: Some(Duration::from_secs(plan.limits.script_seconds)),
        ..Limits::default()
    };
    let command = ServerCommand::parse(&team.server);
    let patience = Duration::from_secs(plan.limits.patience);
    let target = command.map(|command| FreshServer {
        folder: Some(team.folder.clone()),
        limits: limits.clone(),
        any_words: plan.any_words,
        ports: plan.ports.clone(),
        ..FreshServer::new(command, patience)
    });
    let mut spent = journal.seconds_of(&team.name);
    for found in &tests.scripts {
        if journal.has(&team.name, &found.place) {
            continue;
        }
        let row = match &target {
            Err(error) => no_server(team, found, error),
            Ok(_) if spent > plan.limits.team_seconds as f64 => not_played(plan, team, found),
            Ok(target) => {
                let verdict = judge(found, target);
                Row {
                    team: team.name.clone(),
                    test: found.place.clone(),
                    verdict: verdict.outcome,
                    message: verdict.message,
                    seconds: verdict.time.as_secs_f64(),
                    memory: limits.peak_bytes.swap(0, Ordering::Relaxed),
                }
            }
        };
        spent += row.seconds;
        progress(journal.add(row)?);
    }
    Ok(())
}

fn no_server(team: &Team, found: &Found, error: &ServerCommandError) -> Row {
    let message = format!("{}: {error}", team.server);
    let (team, test) = (team.name.clone(), found.place.clone());
    Row { team, test, verdict: Outcome::ServerFail, message, seconds: 0.0, memory: 0 }
}

fn not_played(plan: &Plan, team: &Team, found: &Found) -> Row {
    let message = format!("not played: the team's {} seconds are over", plan.limits.team_seconds);
    let (team, test) = (team.name.clone(), found.place.clone());
    Row { team, test, verdict: Outcome::TimeOut, message, seconds: 0.0, memory: 0 }
}
