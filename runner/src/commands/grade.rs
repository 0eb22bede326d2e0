//! `systest grade`: the servers of many teams, and a table.

use std::{
    fs,
    num::NonZero,
    path::{Path, PathBuf},
    thread,
};

use cli::progress::Progress;
use script::Games;
use serde_json::Value;

use super::{
    error::CommandError,
    output::{note, print, write_report},
};
use crate::{
    grade::{self, Journal, Plan, Table, output},
    process,
};

const EXAMPLE: &str = "\
A plan, teams.toml; its paths are relative to it:

  title = \"Colony, second hand-in\"
  pass_points = 50             # needed to pass; by default 0

  [limits]                     # for each team; these are the defaults
  patience = 10                # seconds to open the port, and for each answer
  script_seconds = 120
  team_seconds = 1800
  memory_mib = 1024            # resident, of all processes of a server, sampled
  processes = 32

  [[group]]
  name = \"Registration\"
  paths = [\"scripts/group\"]    # files and folders with scripts
  tags = [\"registration\"]      # and without_tags, filter
  points = 20                  # each test has the same share; all_or_nothing = true
  pass_percent = 80
  mandatory = true             # who does not pass it does not pass at all

  [[group]]
  name = \"Secret\"
  paths = [\"secret\"]
  points = 80
  hidden = true                # teams see only how many passed

  [every_folder]               # a team for each folder in teams/
  path = \"teams\"
  server = \"./run.sh --port {port} --config {config} --seed {seed} --timeout {timeout}\"

  [[team]]                     # or one by one
  name = \"Ana and Bo\"
  folder = \"late/ana-bo\"       # the working directory of its server
  server = \"java -jar server.jar {port} {config} {seed}\"

Results: OUT/table.html, .txt, .csv, .json, .xml (JUnit), and OUT/teams/NAME.html without hidden tests.
A killed run goes on when it is started again. Servers are not isolated from this machine: run them in a container.

Exit codes:
  0  success
  1  failure: a file cannot be written, ..
  2  wrong usage, or a mistake in the plan";

/// Plays groups of tests against the servers of many teams, and writes a table with their points.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLE, after_help = "--help shows a plan.\n\nExit codes:\n  0  success\n  1  failure: a file cannot be written, ..\n  2  wrong usage, or a mistake in the plan")]
pub(crate) struct Arguments {
    /// The plan: teams, groups of tests, points and limits.
    plan: PathBuf,
    /// The folder for the results. Without it, `graded` beside the plan, or `graded-some` with --team.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// How many teams are tested at the same time. Without it, one per core.
    #[arg(long, value_name = "NUMBER")]
    jobs: Option<NonZero<usize>>,
    /// Tests only this team; the table has only its row. May be repeated.
    #[arg(long, value_name = "NAME")]
    team: Vec<String>,
    /// Starts from the beginning, even if an earlier run was not complete.
    #[arg(long)]
    fresh: bool,
    /// Also writes the table as JSON; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Returns whether the table is complete.
pub(super) fn run(arguments: &Arguments, games: &Games) -> Result<bool, CommandError> {
    let (mut plan, mut text) = Plan::read(&arguments.plan).map_err(CommandError::Plan)?;
    if !arguments.team.is_empty() {
        if let Some(unknown) = arguments.team.iter().find(|name| plan.teams.iter().all(|team| team.name != **name)) {
            return Err(CommandError::NoTeam(unknown.clone()));
        }
        plan.teams.retain(|team| arguments.team.contains(&team.name));
        text.push_str(&arguments.team.join("\n"));
    }
    let tests = plan.tests(games).map_err(CommandError::Plan)?;
    // The table of some teams does not replace that of all.
    let name = if arguments.team.is_empty() { "graded" } else { "graded-some" };
    let beside = || arguments.plan.parent().unwrap_or(Path::new("")).join(name);
    let out = arguments.out.clone().unwrap_or_else(beside);
    fs::create_dir_all(&out).map_err(|error| CommandError::File(out.clone(), error))?;
    let last = fs::read_to_string(out.join(output::JSON)).ok();
    let last: Option<Value> = last.and_then(|text| serde_json::from_str(&text).ok());

    let open = Journal::open(&out.join("results.jsonl"), &tests.fingerprint(&text), arguments.fresh);
    let journal = open.map_err(CommandError::Journal)?;
    let all = plan.teams.len() * tests.scripts.len();
    if journal.resumed() > 0 {
        note(&format!("an earlier run was not complete: it has {} of {all} results", journal.resumed()));
    }
    process::end_with_us();
    let cores = || thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    let jobs = arguments.jobs.unwrap_or_else(cores).get();
    let progress = Progress::new("results", all as u64);
    let played = grade::play(&plan, &tests, &journal, jobs, &|done| progress.show(done as u64));
    drop(progress);
    process::clean_up();
    played.map_err(CommandError::Journal)?;

    let rows = journal.finish();
    let table = Table::new(&plan, &tests, &rows, last.as_ref());
    output::write(&table, &out).map_err(|error| CommandError::File(out.clone(), error))?;
    match &arguments.json {
        Some(file) => write_report(file, &format!("{:#}\n", output::json(&table)))?,
        None => print(&output::text(&table))?,
    }
    note(&format!("the table with all differences is {}", out.join("table.html").display()));
    Ok(true)
}
