//! `systest run`: plays scripts and reports every difference.

use std::{
    collections::BTreeSet,
    fs,
    io::{IsTerminal, Write},
    net::SocketAddr,
    num::NonZero,
    path::PathBuf,
    process::ExitCode,
    thread,
    time::{Duration, Instant, SystemTime},
};

use engine::JavaRandom;
use script::{Games, suggest};

use super::output::print;
use crate::{
    batch::{MOST_SERVER_FAILURES, Verdict, play_all},
    files::{self, Found},
    local::InProcess,
    process,
    remote::{FreshServer, RunningHost, ServerCommand},
    report,
    table::{Outcome, Target},
};

/// Plays scripts and transcripts, against the engine in process or a server, and reports every difference.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A .script file, a .json file with a transcript, a .jsonl file with one per line, or a folder with such files.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Plays each against a server process of its own, e.g.
    /// "holdfast --config {config} --port {port} --seed {seed} --timeout {timeout} --edition {edition}".
    #[arg(long, value_name = "COMMAND", value_parser = ServerCommand::parse, conflicts_with = "connect")]
    server: Option<ServerCommand>,
    /// Plays each as a new game on a host that runs already, e.g. 127.0.0.1:7700.
    #[arg(long, value_name = "ADDRESS")]
    connect: Option<SocketAddr>,
    /// How many are played at the same time; without it, one for each core.
    #[arg(long, value_name = "NUMBER")]
    jobs: Option<NonZero<usize>>,
    /// How long a server may take to open its port, and for each answer.
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3600))]
    patience: u64,
    /// Only those with this text in their name.
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Only those with this tag.
    #[arg(long, value_name = "TAG")]
    tag: Option<String>,
    /// Plays each so many times.
    #[arg(long, value_name = "TIMES", default_value = "1")]
    repeat: NonZero<usize>,
    /// Plays them in another order: that of a seed, or of one that is made up and said.
    #[arg(long, value_name = "SEED", num_args = 0..=1, allow_negative_numbers = true)]
    shuffle: Option<Option<i64>>,
    /// Writes the verdicts as JUnit's XML.
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Writes the verdicts in the Test Anything Protocol.
    #[arg(long, value_name = "FILE")]
    tap: Option<PathBuf>,
    /// Writes the verdicts as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, games: &Games) -> ExitCode {
    let found: Vec<Found> = arguments.paths.iter().flat_map(|path| files::find(path, games)).collect();
    let chosen = choose(&found, arguments);
    if chosen.is_empty() {
        eprintln!("systest: nothing to play: {}", why_nothing(&found, arguments));
    }
    if let Err(problem) = can_write_reports(arguments) {
        eprintln!("systest: {problem}");
        return ExitCode::FAILURE;
    }
    let patience = Duration::from_secs(arguments.patience);
    let target: Box<dyn Target> = match (&arguments.server, arguments.connect) {
        (Some(command), _) => {
            warn_of_editions(command, &chosen);
            process::end_with_us();
            Box::new(FreshServer { command: command.clone(), patience })
        }
        (None, Some(address)) => Box::new(RunningHost { address, patience }),
        (None, None) => Box::new(InProcess),
    };
    let cores = || thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    let jobs = arguments.jobs.unwrap_or_else(cores).get();
    let progress = Progress::new(chosen.len());
    let verdicts = play_all(&chosen, &*target, jobs, &|done| progress.show(done));
    progress.clear();
    process::clean_up();

    verdicts.iter().filter(|verdict| verdict.outcome != Outcome::Ok).for_each(tell);
    if verdicts.len() < chosen.len() {
        let left = chosen.len() - verdicts.len();
        say(&format!(
            "stopped: {MOST_SERVER_FAILURES} servers crashed or did not start; {left} scripts were not played"
        ));
    }
    let written = write_reports(arguments, &verdicts);
    if let Err(problem) = &written {
        eprintln!("systest: {problem}");
    }
    let passed = summary(&verdicts);
    let all_well = passed == chosen.len() && passed > 0 && written.is_ok();
    if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Which scripts are played, in which order.
fn choose<'f>(found: &'f [Found], arguments: &Arguments) -> Vec<&'f Found> {
    let wanted = |found: &&Found| {
        // What cannot be read may be what was asked for.
        let Ok(script) = &found.script else { return true };
        let transcript = &script.transcript;
        arguments.filter.as_ref().is_none_or(|text| transcript.name.contains(text))
            && arguments.tag.as_ref().is_none_or(|tag| transcript.tags.contains(tag))
    };
    let once: Vec<&Found> = found.iter().filter(wanted).collect();
    let mut chosen = once.repeat(arguments.repeat.get());
    if let Some(seed) = arguments.shuffle {
        let now = || SystemTime::UNIX_EPOCH.elapsed().map_or(0, |time| time.subsec_nanos().into());
        let seed = seed.unwrap_or_else(now);
        say(&format!("in the order of --shuffle {seed}"));
        JavaRandom::new(seed).shuffle(&mut chosen);
    }
    chosen
}

/// Why no script is left.
fn why_nothing(found: &[Found], arguments: &Arguments) -> String {
    let scripts = || found.iter().filter_map(|found| found.script.as_ref().ok()).map(|script| &script.transcript);
    if found.is_empty() {
        let paths: Vec<String> = arguments.paths.iter().map(|path| path.display().to_string()).collect();
        return format!("there are no scripts in {}", paths.join(", "));
    }
    if let Some(tag) = arguments.tag.as_ref().filter(|&tag| !scripts().any(|script| script.tags.contains(tag))) {
        let tags: BTreeSet<&str> = scripts().flat_map(|script| &script.tags).map(String::as_str).collect();
        let there = if tags.is_empty() { "there are no tags".into() } else { suggest(tag, tags.iter().copied()) };
        return format!("no script has the tag {tag}; {there}");
    }
    let text = arguments.filter.as_deref().unwrap_or_default();
    let whose = if arguments.tag.is_some() { "no script with the tag has" } else { "no script has" };
    format!("{whose} {text:?} in its name, which is what its `name:` line says")
}

/// A server that is not told the edition plays one, and the scripts of the others fail for no fault of its rules.
fn warn_of_editions(command: &ServerCommand, chosen: &[&Found]) {
    let editions =
        chosen.iter().filter_map(|found| found.script.as_ref().ok()).map(|script| &script.transcript.edition);
    let named: BTreeSet<&str> = editions.map(String::as_str).filter(|&edition| edition != "auto").collect();
    if !named.is_empty() && !command.names_edition() {
        let named: Vec<&str> = named.into_iter().collect();
        eprintln!(
            "systest: these scripts are for the editions {}, and the server is not told which: its command has no {{edition}}",
            named.join(", ")
        );
    }
}

/// A line on standard output; the verdict is the exit code also for somebody who reads no more.
fn say(line: &str) {
    let _nobody_reads = print(&format!("{line}\n"));
}

fn tell(verdict: &Verdict) {
    let Verdict { name, place, outcome, message, .. } = verdict;
    say(&format!("{outcome} {name} ({place})"));
    message.lines().for_each(|line| say(&format!("  {line}")));
    say("");
}

/// Says how many came out how, and gives how many are well.
fn summary(verdicts: &[Verdict]) -> usize {
    let count = |outcome| verdicts.iter().filter(|verdict| verdict.outcome == outcome).count();
    let passed = count(Outcome::Ok);
    if passed < verdicts.len() {
        let counts: Vec<String> = Outcome::ALL
            .into_iter()
            .filter(|&outcome| count(outcome) > 0)
            .map(|outcome| format!("{} {outcome}", count(outcome)))
            .collect();
        say(&counts.join(", "));
    }
    say(&format!("{passed} passed, {} failed", verdicts.len() - passed));
    passed
}

/// Better known now than after all has been played.
fn can_write_reports(arguments: &Arguments) -> Result<(), String> {
    for file in [&arguments.junit, &arguments.tap, &arguments.json].into_iter().flatten() {
        let opened = fs::OpenOptions::new().create(true).append(true).open(file);
        opened.map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(())
}

fn write_reports(arguments: &Arguments, verdicts: &[Verdict]) -> Result<(), String> {
    let write = |file: &Option<PathBuf>, report: fn(&[Verdict]) -> String| {
        let Some(file) = file else { return Ok(()) };
        fs::write(file, report(verdicts)).map_err(|error| format!("{}: {error}", file.display()))
    };
    write(&arguments.junit, report::junit)?;
    write(&arguments.tap, report::tap)?;
    write(&arguments.json, report::json)
}

/// A bar on standard error; nothing where no person is looking.
struct Progress {
    shown: bool,
    all: usize,
    since: Instant,
}

impl Progress {
    fn new(all: usize) -> Self {
        Self { shown: std::io::stderr().is_terminal(), all, since: Instant::now() }
    }

    fn show(&self, done: usize) {
        const WIDTH: usize = 30;
        if self.shown {
            let filled = done * WIDTH / self.all.max(1);
            let (full, empty) = ("#".repeat(filled), ".".repeat(WIDTH - filled));
            let seconds = self.since.elapsed().as_secs();
            let line = format!("\r[{full}{empty}] {done} of {} scripts, {seconds} s\x1b[K", self.all);
            let _nobody_looks = std::io::stderr().lock().write_all(line.as_bytes());
        }
    }

    fn clear(&self) {
        if self.shown {
            let _nobody_looks = std::io::stderr().lock().write_all(b"\r\x1b[K");
        }
    }
}
