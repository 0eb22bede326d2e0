//! The project's chores. Start with [`mod@test`]: its table of parts defines what "the tests pass" means.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a chore talks to the person who started it")]

use std::{fmt, path::PathBuf, process::ExitCode, time::Duration};

use crate::{failure::Failure, project::Project, workspace::Workspace};

mod architecture;
mod citations;
mod dependencies;
mod examples;
mod failure;
mod features;
mod fuzz;
mod licence;
mod modules;
mod mutants;
mod no_std;
mod package;
mod packages;
mod project;
mod removal;
mod run;
mod test;
mod upgrade;
mod words;
mod workspace;

const HELP: &str = "\
Chores of the project.

cargo xtask test                runs every part of the tests, stops at the first that fails
cargo xtask test PART...        runs only these parts
cargo xtask test --list         lists the parts
cargo xtask test --long         runs the long forms and parts too (sets HOLDFAST_LONG=1 for the tests)
cargo xtask bench               measures how fast games are played
cargo xtask bench net           measures the host over sockets and on the disk, beside the limits
cargo xtask bench net PART      measures only one part, such as pingpong; a wrong name is told all of them
cargo xtask bench log [GAMES]   measures every `holdfast log` command on a log of 10,000 games, or so many
cargo xtask bench offers        measures what it costs to say what a player can do now
cargo xtask bench store         measures PostgreSQL with a synchronous standby beside SQLite
cargo xtask bench GAME          measures the rules of a game that has games/GAME/bench, a workspace of its own
cargo xtask cluster             starts three hosts and bots on a PostgreSQL database with a standby, says how to kill
                                what, and removes everything at Ctrl-C
cargo xtask bless               writes the golden files again (sets HOLDFAST_BLESS=1 for tests named golden)
cargo xtask fuzz [TARGET]       builds and runs one fuzz target, or all of them, each for --time 60s (or 10m, 2h)
cargo xtask mutants [PATH...]   says which faulty rules scripts notice, those of the game itself if no others are
                                named; --html FILE, --json FILE and --mutant NAME as `systest mutants` has them;
                                --build only builds the program, which serves and plays them without the sources
cargo xtask commands            writes docs/commands.md, the table of all commands, from their help
cargo xtask package             makes the Python wheels and npm packages of the clients, and a .deb and a tarball of the program, in target/package
cargo xtask protocol            writes docs/protocol.json, the description of all messages, from their types
cargo xtask without GAME DIR    writes a copy of the project without a game to DIR
cargo xtask help                prints this";

fn main() -> ExitCode {
    let order = match Order::parse(std::env::args().skip(1)) {
        Ok(order) => order,
        Err(misuse) => {
            eprintln!("{misuse}\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    match obey(order) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

fn obey(order: Order) -> Result<(), Failure> {
    match order {
        Order::Help => println!("{HELP}"),
        Order::List => print!("{}", test::list()),
        Order::Test { parts, long } => test::run(&Project::find(long)?, &parts)?,
        Order::Bench => bench(&Project::find(false)?)?,
        Order::BenchNet { part } => {
            let bench = ["bench", "--locked", "-p", "holdfast-app", "--bench", "net", "--"];
            run::cargo(&Project::find(false)?, bench.into_iter().chain(part.as_deref()))?;
        }
        Order::BenchLog { games } => {
            let bench = ["bench", "--locked", "-p", "holdfast-app", "--bench", "log", "--"];
            run::cargo(&Project::find(false)?, bench.into_iter().chain(games.as_deref()))?;
        }
        Order::BenchOffers => bench_offers(&Project::find(false)?)?,
        Order::BenchStore => {
            let bench = ["bench", "--locked", "-p", "holdfast-server", "--features", "postgres", "--bench", "store"];
            run::cargo(&Project::find(false)?, bench)?;
        }
        Order::BenchGame { game } => bench_game(&Project::find(false)?, &game)?,
        Order::Cluster => cluster(&Project::find(false)?)?,
        Order::Bless => bless(&Project::find(false)?)?,
        Order::Fuzz { target, time } => fuzz::run(&Project::find(false)?, target.as_deref(), time)?,
        Order::Mutants { words } => mutants::run(&Project::find(false)?, &words)?,
        Order::Commands => bless_test(&Project::find(false)?, "cli", "golden_table_of_commands")?,
        Order::Package => package::make(&Project::find(false)?)?,
        Order::Protocol => bless_test(&Project::find(false)?, "suite", "protocol::description")?,
        Order::Without { game, folder } => {
            let copy = Project { root: folder, long: false, whole: false };
            removal::copy_without(&Project::find(false)?, &copy, &game)?;
        }
    }
    Ok(())
}

/// Measures the offers of our games, and of the examples by their own programs.
fn bench_offers(project: &Project) -> Result<(), Failure> {
    run::cargo(project, ["bench", "--locked", "-p", "holdfast-app", "--bench", "offers"])?;
    for program in examples::optimised(project)? {
        let mut simulate = std::process::Command::new(program);
        run::finish(simulate.args(["simulate", "--games", "1000", "--offers"]))?;
    }
    Ok(())
}

/// Runs the benchmarks in the crates of games, and that of offers.
fn bench(project: &Project) -> Result<(), Failure> {
    let packages = Workspace::read(project)?.packages;
    for package in packages.iter().filter(|package| package.game().is_some()) {
        for target in package.targets.iter().filter(|target| target.kind.iter().any(|kind| kind == "bench")) {
            run::cargo(project, ["bench", "--locked", "-p", &package.name, "--bench", &target.name])?;
        }
    }
    bench_offers(project)
}

/// Runs the benchmark of a game that is a separate workspace, because it compares with an external crate: see its manifest.
fn bench_game(project: &Project, game: &str) -> Result<(), Failure> {
    let manifests = project.benches()?;
    let Some((_, manifest)) = manifests.iter().find(|(known, _)| known == game) else {
        let known: Vec<&str> = manifests.iter().map(|(known, _)| known.as_str()).collect();
        return Err(Failure::Surprise {
            what: format!("there is no benchmark `{game}`"),
            problem: format!("games with one: {}", known.join(", ")),
        });
    };
    let target = Workspace::read(project)?.target_directory.join(format!("bench-{game}"));
    let target = target.to_string_lossy();
    let run = ["run", "--release", "--locked", "--manifest-path", manifest, "--target-dir", &target];
    run::cargo(project, run)
        .inspect_err(|_| println!("if cargo asks for a new lock file: cargo tree --manifest-path {manifest}"))
}

/// Starts several hosts to try out.
fn cluster(project: &Project) -> Result<(), Failure> {
    run::cargo(project, ["build", "--locked"])?;
    let program = Workspace::read(project)?.target_directory.join("debug/holdfast");
    let program = program.to_string_lossy();
    run::cargo(project, ["run", "--locked", "-p", "holdfast-testkit", "--bin", "try-cluster", "--", &program])
}

fn bless(project: &Project) -> Result<(), Failure> {
    let mut command =
        run::command(project, ["test", "--workspace", "--locked", "--lib", "--bins", "--tests", "golden"]);
    run::finish(command.env("HOLDFAST_BLESS", "1"))?;
    mutants::bless(project)
}

/// Writes a generated file, by the test that otherwise compares it.
fn bless_test(project: &Project, binary: &str, test: &str) -> Result<(), Failure> {
    let mut command = run::command(project, ["test", "--workspace", "--locked", "--test", binary, test]);
    run::finish(command.env("HOLDFAST_BLESS", "1"))
}

/// The command of the command line.
#[derive(Debug)]
enum Order {
    Help,
    List,
    Test { parts: Vec<&'static test::Part>, long: bool },
    Bench,
    BenchNet { part: Option<String> },
    BenchLog { games: Option<String> },
    BenchOffers,
    BenchStore,
    BenchGame { game: String },
    Cluster,
    Bless,
    Fuzz { target: Option<String>, time: Duration },
    Mutants { words: Vec<String> },
    Commands,
    Package,
    Protocol,
    Without { game: String, folder: PathBuf },
}

impl Order {
    fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, Misuse> {
        let order = match words.next().as_deref() {
            None | Some("help" | "--help" | "-h") => Self::Help,
            Some("test") => return Self::parse_test(words),
            Some("bench") => match words.next().as_deref() {
                None => Self::Bench,
                Some("net") => Self::BenchNet { part: words.next() },
                Some("log") => Self::BenchLog { games: words.next() },
                Some("offers") => Self::BenchOffers,
                Some("store") => Self::BenchStore,
                Some(game) => Self::BenchGame { game: game.to_owned() },
            },
            Some("cluster") => Self::Cluster,
            Some("bless") => Self::Bless,
            Some("fuzz") => return Self::parse_fuzz(words),
            // `systest` parses the other words.
            Some("mutants") => return Ok(Self::Mutants { words: words.collect() }),
            Some("commands") => Self::Commands,
            Some("package") => Self::Package,
            Some("protocol") => Self::Protocol,
            Some("without") => match (words.next(), words.next()) {
                (Some(game), Some(folder)) => Self::Without { game, folder: folder.into() },
                (_, _) => return Err(Misuse::IncompleteWithout),
            },
            Some(other) => return Err(Misuse::UnknownChore(other.into())),
        };
        match words.next() {
            None => Ok(order),
            Some(word) => Err(Misuse::ExtraWord(word)),
        }
    }

    fn parse_fuzz(mut words: impl Iterator<Item = String>) -> Result<Self, Misuse> {
        let (mut target, mut time) = (None, fuzz::USUAL);
        while let Some(word) = words.next() {
            match word.as_str() {
                "--help" | "-h" => return Ok(Self::Help),
                "--time" => {
                    let text = words.next().unwrap_or_default();
                    time = fuzz::parse_time(&text).ok_or(Misuse::NoTime(text))?;
                }
                _ if target.is_some() => return Err(Misuse::ExtraWord(word)),
                _ => target = Some(word),
            }
        }
        Ok(Self::Fuzz { target, time })
    }

    fn parse_test(words: impl Iterator<Item = String>) -> Result<Self, Misuse> {
        let (mut parts, mut long, mut list) = (Vec::new(), false, false);
        for word in words {
            match word.as_str() {
                "--help" | "-h" => return Ok(Self::Help),
                "--list" => list = true,
                "--long" => long = true,
                option if option.starts_with('-') => return Err(Misuse::UnknownOption(option.into())),
                name => parts.push(test::part(name).ok_or_else(|| Misuse::UnknownPart(name.into()))?),
            }
        }
        if parts.is_empty() {
            parts.extend(test::usual(long));
        }
        Ok(if list { Self::List } else { Self::Test { parts, long } })
    }
}

/// Why a command line is wrong.
#[derive(Debug)]
enum Misuse {
    UnknownChore(String),
    UnknownPart(String),
    UnknownOption(String),
    IncompleteWithout,
    ExtraWord(String),
    NoTime(String),
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownChore(name) => write!(f, "there is no chore `{name}`"),
            Self::UnknownPart(name) => write!(f, "the tests have no part `{name}`"),
            Self::UnknownOption(option) => write!(f, "`test` has no option `{option}`"),
            Self::IncompleteWithout => f.write_str("`without` needs a game and a directory"),
            Self::ExtraWord(word) => write!(f, "`{word}` is one word too many"),
            Self::NoTime(text) => write!(f, "`--time` is `{text}`; what works: 60s, 10m, 2h"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Order;

    fn check(line: &str, expected: &str) {
        let read = match Order::parse(line.split_whitespace().map(str::to_owned)) {
            Ok(Order::Test { parts, long }) => {
                let names: Vec<_> = parts.iter().map(|part| part.name).collect();
                format!("test {}{}", names.join(" "), if long { ", long" } else { "" })
            }
            Ok(order) => format!("{order:?}"),
            Err(misuse) => format!("refused: {misuse}"),
        };
        assert_eq!(read, expected, "{line:?}");
    }

    #[test]
    fn command_line() {
        let all = "format clippy rustdoc dependencies architecture mutants no_std pages tests simulation browser examples packages doctests scripts vectors";
        check("", "Help");
        check("--help", "Help");
        check("test --help", "Help");
        check("test", &format!("test {all}"));
        check("test --long", &format!("test {all} first_command features upgrade removal, long"));
        check("test removal", "test removal");
        check("test vectors format", "test vectors format");
        check("test --long tests", "test tests, long");
        check("test --list", "List");
        check("bench", "Bench");
        check("bench net", "BenchNet { part: None }");
        check("bench net open", "BenchNet { part: Some(\"open\") }");
        check("bench net open wide", "refused: `wide` is one word too many");
        check("bench log 100", "BenchLog { games: Some(\"100\") }");
        check("bench offers", "BenchOffers");
        check("bench store", "BenchStore");
        check("bench chess", "BenchGame { game: \"chess\" }");
        check("bench chess fast", "refused: `fast` is one word too many");
        check("cluster", "Cluster");
        check("cluster 5", "refused: `5` is one word too many");
        check("bless", "Bless");
        check("fuzz", "Fuzz { target: None, time: 60s }");
        check("fuzz wire --time 2m", "Fuzz { target: Some(\"wire\"), time: 120s }");
        check("fuzz wire xml", "refused: `xml` is one word too many");
        check("fuzz --time 5", "refused: `--time` is `5`; what works: 60s, 10m, 2h");
        check("mutants", "Mutants { words: [] }");
        check("mutants a --html b", r#"Mutants { words: ["a", "--html", "b"] }"#);
        check("commands", "Commands");
        check("package", "Package");
        check("protocol", "Protocol");
        check("without chess /tmp/rest", r#"Without { game: "chess", folder: "/tmp/rest" }"#);
        check("without chess", "refused: `without` needs a game and a directory");
        check("bless everything", "refused: `everything` is one word too many");
        check("test everything", "refused: the tests have no part `everything`");
        check("test --short", "refused: `test` has no option `--short`");
        check("brew", "refused: there is no chore `brew`");
    }
}
