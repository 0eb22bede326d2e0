//! `systest run`: plays scripts and reports all differences.

use std::{
    collections::BTreeSet,
    env, fs,
    net::SocketAddr,
    num::NonZero,
    path::PathBuf,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, SystemTime},
};

use cli::progress::Progress;
use engine::JavaRandom;
use script::{AUTO, Games};

use super::{
    EXIT_CODES, check_paths,
    error::CommandError,
    output::{complain, is_standard_output, note, print, write_report},
};
use crate::{
    batch::{MOST_SERVER_FAILURES, Verdict, play_all},
    files::{self, Found},
    local::InProcess,
    ports::PortRange,
    process,
    programs::{self, Program},
    remote::{FreshServer, RunningHost, ServerCommand},
    report,
    selection::Selection,
    target::{Outcome, Target},
};

/// Plays scripts and transcripts, in this process or against a server, and reports all differences.
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    /// A .script file, a .json file with a transcript, a .jsonl file with one per line, a test program (test_*.py, *Test.java), or a
    /// folder with such files.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Starts a server process for each script, e.g.
    /// "holdfast --config {config} --port {port} --seed {seed} --timeout {timeout} --edition {edition}".
    #[arg(long, value_name = "COMMAND", value_parser = ServerCommand::parse, conflicts_with = "connect")]
    server: Option<ServerCommand>,
    /// Creates a game for each script on a running host, e.g. 127.0.0.1:7700.
    #[arg(long, value_name = "ADDRESS")]
    connect: Option<SocketAddr>,
    /// Creates the games on this host instead. It and the host of --connect, which all clients use, are hosts of one cluster.
    #[arg(long, value_name = "ADDRESS", requires = "connect")]
    games_on: Option<SocketAddr>,
    /// How many scripts run at the same time. Without it, one per core.
    #[arg(long, value_name = "NUMBER")]
    jobs: Option<NonZero<usize>>,
    /// How long a server may take to open its port, and for each answer.
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3600))]
    patience: u64,
    /// Plays only scripts with this text in their name.
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Plays only scripts with this tag. May be repeated: scripts with any of the tags.
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,
    /// Leaves out scripts with this tag, e.g. "malformed" for a server that cannot receive malformed commands. May be repeated.
    #[arg(long, value_name = "TAG")]
    without_tag: Vec<String>,
    /// Plays all scripts, even if many servers crash or do not start.
    #[arg(long)]
    keep_going: bool,
    /// The ports that servers get.
    #[arg(long, value_name = "FIRST-LAST", default_value_t, value_parser = PortRange::parse, requires = "server")]
    ports: PortRange,
    /// How long a server may take to refuse a scenario after it has opened its port.
    #[arg(long, value_name = "SECONDS", default_value_t = 2, value_parser = clap::value_parser!(u64).range(0..=3600), requires = "server")]
    refusal_time: u64,
    /// Accepts any words from a server that refuses a scenario.
    #[arg(long, requires = "server")]
    any_words: bool,
    /// Plays each script this many times.
    #[arg(long, value_name = "TIMES", default_value = "1")]
    repeat: NonZero<usize>,
    /// Plays the scripts in random order. Without a seed, chooses one and prints it.
    #[arg(long, value_name = "SEED", num_args = 0..=1, allow_negative_numbers = true)]
    shuffle: Option<Option<i64>>,
    /// Writes the verdicts as JUnit XML; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Writes the verdicts in the Test Anything Protocol; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    tap: Option<PathBuf>,
    /// Writes the verdicts as JSON; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

impl Arguments {
    fn reports(&self) -> impl Iterator<Item = &PathBuf> {
        [&self.junit, &self.tap, &self.json].into_iter().flatten()
    }

    /// The command that starts a broker: this program.
    fn broker_command(&self) -> Result<Vec<String>, CommandError> {
        let program = env::current_exe().map_err(CommandError::Output)?.display().to_string();
        // It may be a command of another program: `holdfast systest run`.
        let is_inner = env::args().skip(1).take_while(|word| word != "run").any(|word| word == "systest");
        Ok([program].into_iter().chain(is_inner.then(|| "systest".into())).chain(["broker".into()]).collect())
    }

    fn selection(&self) -> Selection {
        Selection { filter: self.filter.clone(), tags: self.tag.clone(), without_tags: self.without_tag.clone() }
    }
}

/// Returns whether all scripts passed.
pub(super) fn run(arguments: &Arguments, games: &Games) -> Result<bool, CommandError> {
    check_paths(&arguments.paths)?;
    let text = Text { to_stderr: arguments.reports().any(|file| is_standard_output(file)) };
    let found = find(&arguments.paths, games);
    let chosen = choose(&found, arguments, &text);
    let programs = find_programs(arguments)?;
    if chosen.is_empty() && programs.is_empty() {
        complain(&format_args!("nothing to play: {}", why_nothing(&found, arguments)));
    }
    can_write_reports(arguments)?;
    let target = open_target(arguments, &chosen);
    let cores = || thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    let jobs = arguments.jobs.unwrap_or_else(cores).get();
    let progress = Progress::new("scripts", chosen.len() as u64);
    let most_failed = (!arguments.keep_going).then_some(MOST_SERVER_FAILURES);
    let mut verdicts = play_all(&chosen, &*target, jobs, most_failed, &|done| progress.show(done as u64));
    drop(progress);
    process::clean_up();
    let played = verdicts.len();
    verdicts.extend(run_programs(&programs, arguments, jobs)?);

    verdicts.iter().filter(|verdict| verdict.outcome != Outcome::Ok).for_each(|verdict| text.verdict(verdict));
    if played < chosen.len() {
        let left = chosen.len() - played;
        let failed = format!("stopped: {MOST_SERVER_FAILURES} servers crashed or did not start");
        text.line(&format!("{failed}; {left} scripts were not played (--keep-going plays them)"));
    }
    let written = write_reports(arguments, &verdicts);
    let passed = text.summary(&verdicts);
    written?;
    Ok(played == chosen.len() && passed == verdicts.len() && passed > 0)
}

/// The test programs at the paths. They have no tags.
fn find_programs(arguments: &Arguments) -> Result<Vec<Program>, CommandError> {
    let mut all = Vec::new();
    for path in arguments.paths.iter().filter(|_| arguments.tag.is_empty()) {
        all.extend(programs::find(path).map_err(|error| CommandError::File(path.clone(), error))?);
    }
    Ok(all)
}

/// Runs test programs, several at a time. Each plays its games through a broker of its own.
fn run_programs(programs: &[Program], arguments: &Arguments, jobs: usize) -> Result<Vec<Verdict>, CommandError> {
    if programs.is_empty() {
        return Ok(Vec::new());
    }
    let mut broker = arguments.broker_command()?;
    if let Some(server) = &arguments.server {
        broker.extend(["--server".into(), server.text(), "--ports".into(), arguments.ports.to_string()]);
    }
    if let Some(address) = arguments.connect {
        broker.extend(["--connect".into(), address.to_string()]);
    }
    broker.extend(["--patience".into(), arguments.patience.to_string()]);
    let (next, verdicts) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let times = arguments.repeat.get();
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(program) = programs.get(at / times) else { return };
            let run = program.run(&broker, arguments.filter.as_deref());
            verdicts.lock().unwrap_or_else(PoisonError::into_inner).push((at, run));
        }
    };
    thread::scope(|scope| {
        (1..jobs).for_each(|_| drop(scope.spawn(work)));
        work();
    });
    let mut verdicts = verdicts.into_inner().unwrap_or_else(PoisonError::into_inner);
    verdicts.sort_by_key(|(at, _)| *at);
    Ok(verdicts.into_iter().flat_map(|(_, verdicts)| verdicts).collect())
}

/// All scripts at the paths. Prints which files in a folder are not scripts.
fn find(paths: &[PathBuf], games: &Games) -> Vec<Found> {
    let mut all = Vec::new();
    for path in paths {
        // A test program is no script.
        if path.is_file() && programs::find(path).is_ok_and(|found| !found.is_empty()) {
            continue;
        }
        let found = files::find(path, games);
        for file in files::skipped(path, &found, games) {
            complain(&format_args!("skipped {}: it is neither a transcript nor a scenario", file.display()));
        }
        all.extend(found);
    }
    all
}

fn open_target(arguments: &Arguments, chosen: &[&Found]) -> Box<dyn Target> {
    let patience = Duration::from_secs(arguments.patience);
    match (&arguments.server, arguments.connect) {
        (Some(command), _) => {
            warn_of_editions(command, chosen);
            process::end_with_us();
            let refusal_time = Duration::from_secs(arguments.refusal_time);
            let (any_words, ports) = (arguments.any_words, arguments.ports.clone());
            Box::new(FreshServer { refusal_time, any_words, ports, ..FreshServer::new(command.clone(), patience) })
        }
        (None, Some(address)) => Box::new(RunningHost { address, games_on: arguments.games_on, patience }),
        (None, None) => Box::new(InProcess),
    }
}

/// The scripts to play, in order.
fn choose<'f>(found: &'f [Found], arguments: &Arguments, text: &Text) -> Vec<&'f Found> {
    let selection = arguments.selection();
    let once: Vec<&Found> = found.iter().filter(|found| selection.wants(found)).collect();
    if let Some((tag, help)) = selection.unknown_tag(found).filter(|_| !once.is_empty()) {
        complain(&format_args!("no script has the tag {tag}; {help}"));
    }
    let mut chosen = once.repeat(arguments.repeat.get());
    if let Some(seed) = arguments.shuffle {
        let now = || SystemTime::UNIX_EPOCH.elapsed().map_or(0, |time| time.subsec_nanos().into());
        let seed = seed.unwrap_or_else(now);
        text.line(&format!("in the order of --shuffle {seed}"));
        JavaRandom::new(seed).shuffle(&mut chosen);
    }
    chosen
}

/// Why there is no script to play.
fn why_nothing(found: &[Found], arguments: &Arguments) -> String {
    if found.is_empty() {
        let paths: Vec<String> = arguments.paths.iter().map(|path| path.display().to_string()).collect();
        return format!("there are no scripts in {}", paths.join(", "));
    }
    if let Some((tag, help)) = arguments.selection().unknown_tag(found) {
        return format!("no script has the tag {tag}; {help}");
    }
    let Some(text) = &arguments.filter else { return "the tags leave no script".into() };
    let whose = if !arguments.tag.is_empty() || !arguments.without_tag.is_empty() {
        "no script with the tag has"
    } else {
        "no script has"
    };
    format!("{whose} {text:?} in its `name:` line")
}

/// Warns if scripts name editions and the server command does not. Such scripts may fail although the server's rules are
/// correct.
fn warn_of_editions(command: &ServerCommand, chosen: &[&Found]) {
    let editions =
        chosen.iter().filter_map(|found| found.script.as_ref().ok()).map(|script| &script.transcript.edition);
    let named: BTreeSet<&str> = editions.map(String::as_str).filter(|&edition| edition != AUTO).collect();
    if !named.is_empty() && !command.names_edition() {
        let plural = if named.len() == 1 { "edition" } else { "editions" };
        let named: Vec<&str> = named.into_iter().collect();
        complain(&format_args!(
            "the scripts are for the {plural} {}, and the server command has no {{edition}}: the server must know it by itself",
            named.join(", ")
        ));
    }
}

/// The report for people.
struct Text {
    /// Whether the text goes to standard error, because standard output has a report for programs.
    to_stderr: bool,
}

impl Text {
    /// Prints a line. A failure is ignored, because the exit code reports the result, too.
    fn line(&self, line: &str) {
        if self.to_stderr {
            note(line);
        } else {
            let _closed = print(&format!("{line}\n"));
        }
    }

    fn verdict(&self, verdict: &Verdict) {
        let Verdict { name, place, outcome, message, .. } = verdict;
        self.line(&format!("{outcome} {name} ({place})"));
        message.lines().for_each(|line| self.line(&format!("  {line}")));
        self.line("");
    }

    /// Prints the number of scripts for each outcome, and returns how many passed.
    fn summary(&self, verdicts: &[Verdict]) -> usize {
        let count = |outcome| verdicts.iter().filter(|verdict| verdict.outcome == outcome).count();
        let passed = count(Outcome::Ok);
        if passed < verdicts.len() {
            let counts: Vec<String> = Outcome::ALL
                .into_iter()
                .filter(|&outcome| count(outcome) > 0)
                .map(|outcome| format!("{} {outcome}", count(outcome)))
                .collect();
            self.line(&counts.join(", "));
        }
        self.line(&format!("{passed} passed, {} failed", verdicts.len() - passed));
        passed
    }
}

/// Checks before a long run that the reports can be written after it.
fn can_write_reports(arguments: &Arguments) -> Result<(), CommandError> {
    for file in arguments.reports().filter(|file| !is_standard_output(file)) {
        let opened = fs::OpenOptions::new().create(true).append(true).open(file);
        opened.map_err(|error| CommandError::File(file.clone(), error))?;
    }
    Ok(())
}

fn write_reports(arguments: &Arguments, verdicts: &[Verdict]) -> Result<(), CommandError> {
    let write = |file: &Option<PathBuf>, report: fn(&[Verdict]) -> String| match file {
        Some(file) => write_report(file, &report(verdicts)),
        None => Ok(()),
    };
    write(&arguments.junit, report::junit)?;
    write(&arguments.tap, report::tap)?;
    write(&arguments.json, report::json)
}
