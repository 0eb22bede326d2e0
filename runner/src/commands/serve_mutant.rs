//! `systest serve-mutant`: a server by faulty rules, to try scripts on.

use std::path::PathBuf;

use script::{Games, ServedGame, Wanted};

use super::{EXIT_CODES, error::CommandError};
use crate::{
    files,
    serve::{Served, serve},
};

/// The name that stands for the rules as they are.
const NONE: &str = "none";

/// Serves one game by faulty rules, like the server of a team that made this mistake.
///
/// A game with a wire of its own is served on that wire. It takes the options of a server under test, so that scripts and `systest grade` can be tried on it: `systest run scripts --server
/// "systest serve-mutant NAME --port {port} --config {config} --seed {seed} --timeout {timeout} --edition {edition}"`. Only a program
/// with mutants has them: `cargo xtask mutants --build` builds one. The mutant `none` is the rules as they are, and every program has it.
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    /// The mutant, or `none` for the rules as they are.
    #[arg(required_unless_present = "list")]
    name: Option<String>,
    /// Prints the names of all mutants, and what they do wrong.
    #[arg(long)]
    list: bool,
    /// The game. Without it, the first one of the program.
    #[arg(long, value_name = "NAME")]
    rulebook: Option<String>,
    /// The port on this machine.
    #[arg(long, required_unless_present = "list")]
    port: Option<u16>,
    /// The file with the scenario.
    #[arg(long, value_name = "FILE", required_unless_present = "list")]
    config: Option<PathBuf>,
    /// The seed of the game.
    #[arg(long, default_value_t = 0, allow_negative_numbers = true)]
    seed: i64,
    /// How long a player may be silent. Without it, as long as the rules allow.
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<u64>,
    /// The edition of the rules.
    #[arg(long, value_name = "NAME")]
    edition: Option<String>,
}

/// Returns when the game is over.
pub(super) fn run(arguments: &Arguments, games: &Games) -> Result<bool, CommandError> {
    let game = games.find(arguments.rulebook.as_deref()).map_err(CommandError::NoScripts)?;
    if arguments.list {
        return list(game.name()).map(|()| true);
    }
    let mutant = choose(game.name(), arguments.name.as_deref().unwrap_or(NONE))?;
    let (config, port) = (arguments.config.clone().unwrap_or_default(), arguments.port.unwrap_or_default());
    if let Some(wire) = game.wire() {
        choose_everywhere(mutant);
        wire.serve(&ServedGame { port, config: &config, seed: arguments.seed }).map_err(CommandError::Game)?;
        return Ok(true);
    }
    let scenario = files::text(&config).map_err(CommandError::Source)?;
    let edition = arguments.edition.as_deref().filter(|&edition| edition != script::AUTO);
    let timeout_ms = arguments.timeout.map(|seconds| seconds * 1000);
    let setup = |timeout_ms| game.setup(&Wanted { scenario: &scenario, edition, timeout_ms });
    // Some games have no timeouts, and a server under test is always given one.
    let setup = setup(timeout_ms).or_else(|error| setup(None).map_err(|_| error)).map_err(CommandError::Game)?;
    let served = Served { game, setup: &setup, scenario: &scenario, seed: arguments.seed };
    play(game.name(), mutant, || serve(&served, port)).map_err(|error| CommandError::Port(port, error))?;
    Ok(true)
}

#[cfg(not(feature = "mutants"))]
fn list(_rulebook: &str) -> Result<(), CommandError> {
    Err(CommandError::NoInstrumentation)
}

#[cfg(not(feature = "mutants"))]
fn choose(_rulebook: &str, name: &str) -> Result<Option<usize>, CommandError> {
    if name == NONE { Ok(None) } else { Err(CommandError::NoInstrumentation) }
}

#[cfg(not(feature = "mutants"))]
fn play<T>(_rulebook: &str, _mutant: Option<usize>, play: impl FnOnce() -> T) -> T {
    play()
}

#[cfg(not(feature = "mutants"))]
fn choose_everywhere(_mutant: Option<usize>) {}

#[cfg(feature = "mutants")]
fn choose_everywhere(mutant: Option<usize>) {
    if let Some(mutant) = mutant {
        engine::mutants::choose_everywhere(mutant);
    }
}

#[cfg(feature = "mutants")]
fn list(rulebook: &str) -> Result<(), CommandError> {
    let table = crate::mutants::table(rulebook).ok_or_else(|| CommandError::NoMutants(Some(rulebook.into())))?;
    let rows =
        table.iter().map(|mutant| format!("{} (RULES.md#{}): {}\n", mutant.name, mutant.section, mutant.mistake));
    super::output::print(&rows.collect::<String>())
}

#[cfg(feature = "mutants")]
fn choose(rulebook: &str, name: &str) -> Result<Option<usize>, CommandError> {
    if name == NONE {
        return Ok(None);
    }
    let table = crate::mutants::table(rulebook).ok_or_else(|| CommandError::NoMutants(Some(rulebook.into())))?;
    let known = table.iter().position(|mutant| mutant.name == name);
    known.map(Some).ok_or_else(|| {
        CommandError::UnknownMutant(name.into(), script::suggest(name, table.iter().map(|mutant| mutant.name)))
    })
}

#[cfg(feature = "mutants")]
fn play<T>(rulebook: &str, mutant: Option<usize>, play: impl FnOnce() -> T) -> T {
    let count = crate::mutants::table(rulebook).map_or(0, <[_]>::len);
    engine::mutants::play_with(count, mutant, play).0
}
