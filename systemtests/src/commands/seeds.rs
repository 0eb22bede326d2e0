//! `systest seeds`: seeds whose games show what somebody wants to see.

use std::{
    fs,
    num::NonZero,
    path::{Path, PathBuf},
    process::ExitCode,
    thread,
    time::Instant,
};

use script::{AUTO, Games, ScriptedGame, Searched, SeedSearch, Sources, check_edition};

use super::output::{Status, invalid, print, write_script};
use crate::{
    files::{self, Beside},
    seeds::{self, Found},
};

/// Finds seeds for which a game shows what is wanted, and writes the script of such a game.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A built-in scenario, or a file.
    #[arg(long, required_unless_present = "script", conflicts_with = "script")]
    scenario: Option<String>,
    /// The game of the scenario; without it, the first one that has wishes.
    #[arg(long, conflicts_with = "script")]
    rulebook: Option<String>,
    /// Without it, what the scenario seems to be written for.
    #[arg(long, conflicts_with = "script")]
    edition: Option<String>,
    /// They are called Ana, Bo, Cleo, Dov, Eva, .. in this order.
    #[arg(long, default_value = "2", conflicts_with = "script")]
    players: NonZero<usize>,
    /// A script whose commands come first, with its scenario, edition and players.
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// Who plays on; without it, the bot that the game proposes.
    #[arg(long)]
    bot: Option<String>,
    /// What the game must show, e.g. "first Moved causes Bitten", "dice 6 6 1", "cards Harbour: food, fuel".
    #[arg(long, value_name = "WISH")]
    want: String,
    /// How many seeds.
    #[arg(long, value_name = "NUMBER", default_value = "1")]
    count: NonZero<usize>,
    /// The first seed to try.
    #[arg(long, value_name = "SEED", default_value_t = 0, allow_negative_numbers = true)]
    from: i64,
    /// How many seeds to try.
    #[arg(long, value_name = "SEEDS", default_value_t = 1_000_000_000)]
    limit: u64,
    /// How many are tried at the same time; without it, one for each core.
    #[arg(long, value_name = "NUMBER")]
    jobs: Option<NonZero<usize>>,
    /// A folder for a script of each; without it, the first one's script goes to standard output.
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, games: &Games) -> ExitCode {
    match find(arguments, games) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            eprintln!("systest: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// Whether there are as many as were asked for.
fn find(arguments: &Arguments, games: &Games) -> Result<bool, String> {
    let mut search = search(arguments, games)?;

    let cores = || thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    let jobs = arguments.jobs.unwrap_or_else(cores).get();
    let count = arguments.count.get();
    let (status, since) = (Status::new(), Instant::now());
    let found = seeds::find(&*search, arguments.from, arguments.limit, count, jobs, &|tried| {
        status.show(|| format!("{tried} seeds tried, {} a second", rate(tried, since)));
    });
    status.clear();
    let Found { seeds, tried } = found;
    eprintln!("{} found among {tried} seeds, {} a second", seeds.len(), rate(tried, since));

    // As comments, so that what is printed is a script.
    print(&seeds.iter().map(|seed| format!("# seed {seed}\n")).collect::<String>())?;
    let mut write = |seed: i64, file: Option<&Path>| {
        let recording = search.record(&format!("{} (seed {seed})", arguments.want), seed);
        write_script(&*recording, 1, file)
    };
    match (&arguments.output, seeds.first()) {
        (Some(folder), _) => {
            fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
            for seed in &seeds {
                write(*seed, Some(&folder.join(format!("seed{seed}.script"))))?;
            }
        }
        (None, Some(first)) => write(*first, None)?,
        (None, None) => {}
    }
    Ok(seeds.len() == count)
}

fn search(arguments: &Arguments, games: &Games) -> Result<Box<dyn SeedSearch>, String> {
    if let Some(file) = &arguments.script {
        let text = files::text(file)?;
        let script = files::parse(file, &text, games)?;
        let games = Searched::Script { transcript: &script.transcript, scenario: &script.scenario };
        return search_in(arguments, script.game, &games);
    }
    let game = match &arguments.rulebook {
        Some(name) => games.find(Some(name)).map_err(|none| format!("{none}; {}", none.help))?,
        None => games.iter().find(|game| game.wishes().is_some()).ok_or("no game has wishes")?,
    };
    if let Some(edition) = &arguments.edition {
        check_edition(game, edition)
            .unwrap_or_else(|error| invalid("--edition <EDITION>", edition, &error.to_string()));
    }
    // Beside nothing: a path is where it says.
    let scenario = Beside(Path::new("")).scenario(game, arguments.scenario.as_deref().unwrap_or_default())?;
    let edition = arguments.edition.as_deref().filter(|edition| *edition != AUTO);
    let players = arguments.players.get();
    search_in(arguments, game, &Searched::Plain { scenario: &scenario, edition, players })
}

fn search_in(
    arguments: &Arguments,
    game: &dyn ScriptedGame,
    games: &Searched<'_>,
) -> Result<Box<dyn SeedSearch>, String> {
    let wishes = game.wishes().ok_or_else(|| format!("there are no wishes for games of {}", game.name()))?;
    let known = wishes.bots();
    let bot = arguments.bot.as_deref().unwrap_or_else(|| wishes.usual_bot());
    if !known.contains(&bot) {
        invalid("--bot <BOT>", bot, &format!("there are {}", known.join(" and ")));
    }
    wishes.search(games, bot, &arguments.want).map_err(|error| error.to_string())
}

fn rate(tried: u64, since: Instant) -> u64 {
    (tried as f64 / since.elapsed().as_secs_f64().max(0.001)) as u64
}
