//! Runs the tests, part by part. [`PARTS`] is the complete list; a new kind of check is a new row.

use std::{
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use crate::{
    architecture, citations, dependencies, examples,
    failure::Failure,
    features, fuzz, modules, mutants, no_std, packages,
    project::{self, Project},
    removal, run, upgrade, words,
    workspace::Workspace,
};

/// The parts in the order in which they run. The parts that fail fastest come first.
pub(crate) const PARTS: &[Part] = &[
    Part { name: "format", what: "rustfmt would change nothing", run: format },
    Part { name: "clippy", what: "the compiler and clippy have nothing to say", run: clippy },
    Part { name: "rustdoc", what: "the documentation builds without a warning", run: rustdoc },
    Part { name: "dependencies", what: "known crates only, one version each, licences we may use", run: dependencies },
    Part {
        name: "architecture",
        what: "dependencies point one way; the core is pure; shared crates name no game; words and errors keep to the style; cited rules exist",
        run: architecture,
    },
    Part {
        name: "mutants",
        what: "every faulty rule is found in its file; with --long, scripts notice all of them",
        run: mutants,
    },
    Part { name: "no_std", what: "the core links without the standard library", run: no_std },
    Part { name: "pages", what: "the scripts of the pages pass the type checker and their own tests", run: pages },
    Part { name: "tests", what: "unit and integration tests", run: tests },
    Part {
        name: "simulation",
        what: "a whole host under a driven clock, network and disk: 2,000 seeds; with --long a million",
        run: simulation,
    },
    Part { name: "browser", what: "the pages in a real browser", run: browser },
    Part {
        name: "examples",
        what: "the games of authors: examples/ and `holdfast new game`, built as theirs, played over TCP",
        run: examples,
    },
    Part {
        name: "packages",
        what: "every crate that can be published is packaged; with --long, built from its package",
        run: packages,
    },
    Part { name: "doctests", what: "the examples in the documentation", run: doctests },
    Part { name: "scripts", what: "our own scripts are formatted, and pass over TCP", run: scripts },
    Part {
        name: "vectors",
        what: "recorded games from ../shared, in process and over TCP, if it is there",
        run: vectors,
    },
    Part {
        name: "first_command",
        what: "with --long: how long `cargo run -- demo` builds from an empty target",
        run: first_command,
    },
    Part {
        name: "features",
        what: "with --long: the program's package without games and with each alone",
        run: features,
    },
    Part {
        name: "upgrade",
        what: "with --long: today's program goes on with the log of the last landed one, killed under load",
        run: upgrade,
    },
    Part { name: "removal", what: "with --long: without each game in turn, the rest passes its tests", run: removal },
];

/// The programs that tests call: the part, the program, and what is not tested without it. `.ci/run` installs all of them.
const PROGRAMS: &[(&str, &str, &str)] = &[
    ("tests", "haproxy", "games behind a proxy with TLS"),
    ("tests", "java", "our random numbers beside those of the JDK here"),
    ("tests", "javac", "the Java client"),
    ("tests", "node", "the TypeScript client"),
    ("tests", "npm", "the npm packages"),
    ("tests", "openssl", "games behind a proxy with TLS"),
    ("tests", "pg_ctlcluster", "games in PostgreSQL"),
    ("tests", "python3", "the protocol from its description, and reports as others read them"),
    ("tests", "strace", "that the log is synced before a socket is written"),
    ("tests", "tmux", "a player at a real terminal"),
    ("tests", "tsc", "the TypeScript client"),
    ("tests", "xmllint", "that documents in XML are what their schemas say"),
    ("pages", "node", "the scripts of the pages"),
    ("pages", "tsc", "the types of the pages' scripts"),
    ("browser", "chromium", "the pages"),
    ("browser", "chromedriver", "the pages"),
];

/// Parts that run only with `--long` or by name.
const LONG: &[&str] = &["first_command", "features", "upgrade", "removal"];

/// The folder of recorded games outside of the project, with a folder for each game.
const VECTORS: &str = "../shared/vectors";

/// The name of the folder with a game's own scripts. The tests also play these in process.
const SCRIPTS: &str = "scripts";
/// The folder in it with scripts that only the rules in this process can play: exact times, and what a host checks before the rules.
const IN_PROCESS: &str = "in-process";
/// The first line of a file that other scripts include.
const FRAGMENT: &str = "fragment\n";
/// The file in it with the command that starts a server for one script, if the game has a wire of its own. `{holdfast}` is our program.
const SERVER: &str = "server.txt";

/// The seeds of the simulation, and those with `--long`.
const SEEDS: &str = "2000";
const LONG_SEEDS: &str = "1000000";

/// The seeds of the simulation with several hosts, and those with `--long`.
const CLUSTER_SEEDS: &str = "1000";
const LONG_CLUSTER_SEEDS: &str = "200000";

/// Lets tests of the pages' scripts import the scripts as the host serves them.
const SERVED: &str = "./resources/web-tests/served.mjs";

/// Selects all tests except doctests.
const TESTS: [&str; 6] = ["test", "--workspace", "--locked", "--lib", "--bins", "--tests"];

/// One part of the tests.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) name: &'static str,
    what: &'static str,
    run: fn(&Project) -> Result<Done, Failure>,
}

/// The result of a part that does not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Done {
    Passed,
    /// The part needs something optional from outside of the project.
    Skipped {
        reason: &'static str,
    },
    /// The part needs a program of [`PROGRAMS`] that is missing.
    Lacking,
}

/// The part with this name.
pub(crate) fn part(name: &str) -> Option<&'static Part> {
    PARTS.iter().find(|part| part.name == name)
}

/// The parts that run if the command line names none.
pub(crate) fn usual(long: bool) -> impl Iterator<Item = &'static Part> {
    PARTS.iter().filter(move |part| long || !LONG.contains(&part.name))
}

/// A line for each part.
pub(crate) fn list() -> String {
    PARTS.iter().map(|part| format!("{:<14}{}\n", part.name, part.what)).collect()
}

/// Runs the parts in order until one fails, and prints the time of each.
pub(crate) fn run(project: &Project, parts: &[&'static Part]) -> Result<(), Failure> {
    let mut report = Report::default();
    let mut failed = None;
    for part in parts {
        println!("== {}: {}", part.name, part.what);
        let start = Instant::now();
        let mut verdict = match (part.run)(project) {
            Ok(Done::Passed) => Verdict::Passed,
            Ok(Done::Lacking) => Verdict::Skipped,
            Ok(Done::Skipped { reason }) => {
                report.left_out.push(format!("{}: {reason}", part.name));
                Verdict::Skipped
            }
            Err(failure) => {
                println!("{failure}");
                Verdict::Failed
            }
        };
        let lacking = lacking(part.name, is_installed);
        if project.whole && !lacking.is_empty() {
            verdict = Verdict::Failed;
        }
        report.left_out.extend(lacking);
        if verdict == Verdict::Failed {
            failed = Some(Failure::Part { name: part.name });
        }
        println!("== {}: {}\n", part.name, verdict.word());
        report.rows.push((part.name, verdict, start.elapsed()));
        if failed.is_some() {
            break;
        }
    }
    print!("{}", report.text());
    failed.map_or(Ok(()), Err)
}

fn format(project: &Project) -> Result<Done, Failure> {
    run::cargo(project, ["fmt", "--all", "--check"])?;
    // `--all` does not include them.
    for manifest in workspaces_apart(project)? {
        run::cargo(project, ["fmt", "--check", "--manifest-path", &manifest])?;
    }
    Ok(Done::Passed)
}

fn clippy(project: &Project) -> Result<Done, Failure> {
    run::cargo(project, ["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"])?;
    Ok(Done::Passed)
}

fn rustdoc(project: &Project) -> Result<Done, Failure> {
    let mut command =
        run::command(project, ["doc", "--workspace", "--no-deps", "--locked", "--document-private-items"]);
    // Private modules are documented too, because links to them guide readers of the source.
    run::finish(command.env("RUSTDOCFLAGS", "-D warnings -A rustdoc::private_intra_doc_links"))?;
    Ok(Done::Passed)
}

fn dependencies(project: &Project) -> Result<Done, Failure> {
    Failure::unless_none(dependencies::check(project)?)?;
    // No other part builds the workspaces apart, so their lock files are compared with their manifests here.
    for manifest in workspaces_apart(project)? {
        run::read_cargo(project, ["metadata", "--locked", "--format-version", "1", "--manifest-path", &manifest])?;
    }
    Ok(Done::Passed)
}

/// The manifests of the benchmarks and of the fuzz targets, which are outside of the workspace.
fn workspaces_apart(project: &Project) -> Result<impl Iterator<Item = String>, Failure> {
    let benches = project.benches()?.into_iter().map(|(_, manifest)| manifest);
    Ok(benches.chain([fuzz::MANIFEST.to_owned()]))
}

fn architecture(project: &Project) -> Result<Done, Failure> {
    let mut findings = architecture::check(project)?;
    findings.extend(modules::check(project)?);
    findings.extend(words::check(project)?);
    findings.extend(citations::check(project)?);
    Failure::unless_none(findings)?;
    Ok(Done::Passed)
}

fn mutants(project: &Project) -> Result<Done, Failure> {
    Failure::unless_none(mutants::check(project)?)?;
    // No other part compiles what is behind this feature.
    run::cargo(
        project,
        ["clippy", "--locked", "-p", "holdfast-systemtests", "--features", "mutants", "--", "-D", "warnings"],
    )?;
    if project.long {
        mutants::test(project)?;
    }
    Ok(Done::Passed)
}

fn no_std(project: &Project) -> Result<Done, Failure> {
    no_std::check(project)?;
    Ok(Done::Passed)
}

fn tests(project: &Project) -> Result<Done, Failure> {
    run::cargo(project, TESTS.into_iter().chain(["--", "--skip", "browser::"]))?;
    Ok(Done::Passed)
}

fn simulation(project: &Project) -> Result<Done, Failure> {
    if !project.long {
        run::finish(built(project, "simulation")?.args(["--seeds", SEEDS]))?;
        run::finish(built(project, "simulation")?.args(["--several-hosts", "--seeds", CLUSTER_SEEDS]))?;
        return Ok(Done::Passed);
    }
    // A million seeds are worth a build of their own.
    run::cargo(project, ["build", "--locked", "-p", "holdfast-simulation", "--profile", "simulation"])?;
    let target = Workspace::read(project)?.target_directory;
    // A run that was stopped continues from the seed in its file.
    for (options, file) in [
        (&["--seeds", LONG_SEEDS][..], "simulation-next-seed"),
        (&["--several-hosts", "--seeds", LONG_CLUSTER_SEEDS], "simulation-next-cluster-seed"),
    ] {
        let mut program = Command::new(target.join("simulation/simulation"));
        program.current_dir(&project.root).stdin(Stdio::null());
        run::finish(program.args(options).arg("--next-file").arg(target.join(file)))?;
    }
    mutants::simulate(project)?;
    Ok(Done::Passed)
}

fn pages(project: &Project) -> Result<Done, Failure> {
    if !lacking("pages", is_installed).is_empty() {
        return Ok(Done::Lacking);
    }
    let program = |name| {
        let mut program = Command::new(name);
        program.current_dir(&project.root).stdin(Stdio::null());
        program
    };
    run::finish(program("tsc").args(["--project", "tsconfig.json"]))?;
    let tests = project.files()?.into_iter().filter(|file| file.to_string_lossy().ends_with(".test.mjs"));
    run::finish(program("node").args(["--import", SERVED, "--test"]).args(tests))?;
    Ok(Done::Passed)
}

fn browser(project: &Project) -> Result<Done, Failure> {
    if !lacking("browser", is_installed).is_empty() {
        return Ok(Done::Lacking);
    }
    run::cargo(project, ["test", "--workspace", "--locked", "--test", "web"])?;
    Ok(Done::Passed)
}

fn doctests(project: &Project) -> Result<Done, Failure> {
    run::cargo(project, ["test", "--workspace", "--locked", "--doc"])?;
    Ok(Done::Passed)
}

fn scripts(project: &Project) -> Result<Done, Failure> {
    for (_, scripts) in project.folders_of_games(SCRIPTS)? {
        run::finish(built(project, "systest")?.args(["fmt", "--check", &scripts]))?;
        if project.root.join(&scripts).join(SERVER).is_file() {
            on_own_servers(project, &scripts)?;
        } else if are_of_course(project, &scripts)? {
            over_tcp(project, &scripts)?;
        } else {
            on_host(project, &scripts)?;
        }
    }
    Ok(Done::Passed)
}

/// What of a game's scripts a server can play.
fn for_servers(project: &Project, scripts: &str) -> Result<Vec<String>, Failure> {
    let folder = project.root.join(scripts);
    let unreadable = |cause| Failure::Unreadable { path: folder.clone(), cause };
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{scripts}/{name}");
        let is_script = || Ok::<_, Failure>(name.ends_with(".script") && !project.read(&path)?.starts_with(FRAGMENT));
        if (entry.path().is_dir() && name != IN_PROCESS) || is_script()? {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// Plays scripts against servers that speak the game's own protocol.
fn on_own_servers(project: &Project, scripts: &str) -> Result<(), Failure> {
    let holdfast = built(project, "holdfast")?;
    let command = project.read(Path::new(scripts).join(SERVER))?;
    let command = command.trim().replace("{holdfast}", &holdfast.get_program().to_string_lossy());
    let mut systest = built(project, "systest")?;
    systest.arg("run").args(for_servers(project, scripts)?).args(["--server", &command]);
    succeeded(&run::last_line(&mut systest)?)
}

/// Whether the program plays the scripts' game without a command, as a course does. Its scripts do not name their game.
fn are_of_course(project: &Project, scripts: &str) -> Result<bool, Failure> {
    let is_script =
        |path: &&PathBuf| path.starts_with(scripts) && path.extension().is_some_and(|form| form == "script");
    for path in project.files()?.iter().filter(is_script) {
        if project.read(path)?.lines().any(|line| line.starts_with("rulebook:")) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Plays scripts against a host that runs.
fn on_host(project: &Project, scripts: &str) -> Result<(), Failure> {
    let mut command = built(project, "holdfast")?;
    command.args(["host", "--listen", "127.0.0.1:0", "--http", "off"]);
    let unexpected = |problem: String| Failure::Surprise { what: "holdfast host".into(), problem };
    let started = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let mut host = started.map_err(|error| unexpected(error.to_string()))?;
    let address = host.stdout.take().and_then(|out| {
        let mut lines = BufReader::new(out).lines().map_while(Result::ok);
        lines.find_map(|line| line.strip_prefix("listening on ").map(str::to_owned))
    });
    let played = match address {
        Some(address) => built(project, "systest")
            .and_then(|mut systest| {
                systest.arg("run").args(for_servers(project, scripts)?).args(["--connect", &address]);
                run::last_line(&mut systest)
            })
            .and_then(|counts| succeeded(&counts)),
        None => Err(unexpected("it does not say its address".into())),
    };
    let _has_ended = host.kill();
    let _status = host.wait();
    played
}

fn vectors(project: &Project) -> Result<Done, Failure> {
    if !project.root.join(VECTORS).is_dir() {
        return Ok(Done::Skipped { reason: "../shared is missing: the recorded games were not run" });
    }
    for (game, scripts) in project.folders_of_games(SCRIPTS)? {
        if !are_of_course(project, &scripts)? {
            continue;
        }
        let vectors = format!("{VECTORS}/{game}");
        succeeded(&run::last_line(built(project, "systest")?.args(["run", &vectors]))?)?;
        over_tcp(project, &vectors)?;
    }
    Ok(Done::Passed)
}

/// Only reports the time, which is that of this part in the table: a busy machine takes longer.
fn first_command(project: &Project) -> Result<Done, Failure> {
    let target = Workspace::read(project)?.target_directory.join("first_command");
    project::remove_folder(&target)?;
    let mut build = run::command(project, ["build", "--locked", "--quiet"]);
    let built = run::finish(build.env("CARGO_TARGET_DIR", &target));
    project::remove_folder(&target)?;
    built.map(|()| Done::Passed)
}

fn examples(project: &Project) -> Result<Done, Failure> {
    examples::check(project)?;
    Ok(Done::Passed)
}

fn packages(project: &Project) -> Result<Done, Failure> {
    packages::check(project)?;
    Ok(Done::Passed)
}

fn features(project: &Project) -> Result<Done, Failure> {
    features::check(project)?;
    Ok(Done::Passed)
}

fn upgrade(project: &Project) -> Result<Done, Failure> {
    Ok(upgrade::check(project)?.map_or(Done::Passed, |reason| Done::Skipped { reason }))
}

fn removal(project: &Project) -> Result<Done, Failure> {
    removal::check(project)?;
    Ok(Done::Passed)
}

/// The tests of a part that cannot run here, one line for each missing program.
fn lacking(part: &str, is_installed: fn(&str) -> bool) -> Vec<String> {
    let missing = PROGRAMS.iter().filter(|(whose, program, _)| *whose == part && !is_installed(program));
    missing.map(|(_, program, what)| format!("{part}: {what}: there is no {program}")).collect()
}

fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Plays scripts against the real program.
fn over_tcp(project: &Project, scripts: &str) -> Result<(), Failure> {
    let holdfast = built(project, "holdfast")?;
    let server = format!(
        "{} --config {{config}} --port {{port}} --seed {{seed}} --timeout {{timeout}} --edition {{edition}}",
        holdfast.get_program().display()
    );
    succeeded(&run::last_line(built(project, "systest")?.args(["run", scripts, "--server", &server]))?)
}

/// A program of the workspace as the tests build it. If cargo built one package alone, or without the dependencies of tests, it
/// would build every crate again with other features.
fn built(project: &Project, name: &str) -> Result<Command, Failure> {
    run::cargo(project, TESTS.into_iter().chain(["--quiet", "--no-run"]))?;
    let mut program = Command::new(std::env::current_exe().unwrap_or_default().with_file_name(name));
    program.current_dir(&project.root).stdin(Stdio::null());
    Ok(program)
}

fn succeeded(counts: &str) -> Result<(), Failure> {
    if all_passed(counts) {
        return Ok(());
    }
    Err(Failure::Surprise { what: "systest".into(), problem: format!("closes with `{counts}`, which is not success") })
}

/// Whether a runner's last line, like `12 passed, 0 failed`, reports at least one test and no failures.
fn all_passed(counts: &str) -> bool {
    let passed = counts.trim().strip_suffix(" passed, 0 failed").and_then(|passed| passed.parse::<u64>().ok());
    passed.is_some_and(|passed| passed > 0)
}

/// The verdict on each part that ran, and its time.
#[derive(Default)]
struct Report {
    rows: Vec<(&'static str, Verdict, Duration)>,
    /// The tests that did not run, and why.
    left_out: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Passed,
    Failed,
    Skipped,
}

impl Verdict {
    fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Skipped => "skipped",
        }
    }
}

impl Report {
    /// A table, and a last line with counts for other programs.
    fn text(&self) -> String {
        let row = |name, word, time: Duration| format!("{name:<14}{word:<8}{:>8.1} s\n", time.as_secs_f64());
        let mut text: String = self.rows.iter().map(|&(name, verdict, time)| row(name, verdict.word(), time)).collect();
        text += &row("total", "", self.rows.iter().map(|(_, _, time)| *time).sum());
        let left_out: String = self.left_out.iter().map(|what| format!("not run: {what}\n")).collect();
        text + &format!("\n{left_out}parts: {}\n", self.counts())
    }

    fn counts(&self) -> String {
        let count = |wanted| self.rows.iter().filter(|(_, verdict, _)| *verdict == wanted).count();
        let counts = format!("{} passed, {} failed", count(Verdict::Passed), count(Verdict::Failed));
        match count(Verdict::Skipped) {
            0 => counts,
            skipped => format!("{counts}, {skipped} skipped"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{path::PathBuf, time::Duration};

    use super::{Done, PARTS, PROGRAMS, Part, Report, Verdict, all_passed, lacking, run};
    use crate::{failure::Failure, project::Project};

    const PASSES: &Part = &Part { name: "passes", what: "", run: |_| Ok(Done::Passed) };
    const SKIPS: &Part = &Part { name: "skips", what: "", run: |_| Ok(Done::Skipped { reason: "no matter" }) };
    const FAILS: &Part = &Part { name: "fails", what: "", run: |_| Err(Failure::Findings(vec!["wrong".into()])) };
    const NEVER_RUNS: &Part = &Part { name: "never", what: "", run: |_| panic!("a part before this one failed") };

    fn check(parts: &[&'static Part], expected: &str) {
        let project = Project { root: PathBuf::new(), long: false, whole: true };
        let end = run(&project, parts).map_or_else(|failure| failure.to_string(), |()| "passed".to_owned());
        assert_eq!(end, expected);
    }

    #[test]
    fn the_first_failing_part_is_the_last_to_run() {
        check(&[PASSES, SKIPS, PASSES], "passed");
        check(&[PASSES, FAILS, NEVER_RUNS], "fails failed; to run it alone: cargo xtask test fails");
        check(&[SKIPS], "passed");
    }

    #[test]
    fn closing_lines() {
        for (line, expected) in [
            ("1 passed, 0 failed", true),
            ("2000 passed, 0 failed", true),
            ("0 passed, 0 failed", false),
            ("1 passed, 1 failed", false),
            ("1 passed, 10 failed", false),
            ("1 passed", false),
            ("", false),
        ] {
            assert_eq!(all_passed(line), expected, "{line:?}");
        }
    }

    #[test]
    fn missing_programs() {
        assert!(
            PROGRAMS.iter().all(|(name, ..)| PARTS.iter().any(|part| part.name == *name)),
            "parts have their names"
        );
        assert_eq!(lacking("browser", |_| true), Vec::<String>::new());
        assert_eq!(
            lacking("browser", |program| program != "chromedriver"),
            ["browser: the pages: there is no chromedriver"]
        );
        assert_eq!(lacking("tests", |_| false).len(), 12);
        assert_eq!(lacking("format", |_| false), Vec::<String>::new());
    }

    /// The script that prepares a new machine installs every program.
    #[test]
    fn programs_that_ci_installs() {
        let script = include_str!("../../.ci/run");
        for (_, program, _) in PROGRAMS {
            assert!(script.contains(&format!("[{program}]=")), ".ci/run does not install {program}");
        }
    }

    #[test]
    fn report() {
        let seconds = Duration::from_secs;
        let mut report = Report { rows: vec![("one", Verdict::Passed, seconds(1))], left_out: Vec::new() };
        assert_eq!(report.counts(), "1 passed, 0 failed");
        report.rows.push(("two", Verdict::Skipped, seconds(0)));
        assert_eq!(report.counts(), "1 passed, 0 failed, 1 skipped");
        report.rows.push(("three", Verdict::Failed, seconds(62)));
        report.left_out.push("two: there is no browser".into());
        let table = "\
one           passed       1.0 s
two           skipped      0.0 s
three         failed      62.0 s
total                     63.0 s

not run: two: there is no browser
parts: 1 passed, 1 failed, 1 skipped
";
        assert_eq!(report.text(), table);
    }
}
