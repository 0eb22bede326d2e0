//! `systest seeds`: finds seeds whose games fulfil a wish.

use std::{
    fs,
    num::NonZero,
    path::{Path, PathBuf},
    thread,
    time::Instant,
};

use cli::progress::Progress;
use script::{AUTO, Games, ScriptedGame, Searched, SeedSearch, Sources, check_edition};
use serde_json::json;

use super::{
    EXIT_CODES,
    error::CommandError,
    output::{invalid, is_standard_output, note, print, rate, write_report, write_script},
    record::shorten,
};
use crate::{
    files::{self, Beside},
    seeds::{self, Found},
};

/// Finds seeds whose games show what --want asks for, and writes the script of such a game.
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    /// The scenario: a built-in one, or a file.
    #[arg(long, required_unless_present = "script", conflicts_with = "script")]
    scenario: Option<String>,
    /// The game of the scenario. Without it, the first game that supports --want.
    #[arg(long, conflicts_with = "script")]
    rulebook: Option<String>,
    /// The edition of the rules. Without it, the edition of the scenario.
    #[arg(long, conflicts_with = "script")]
    edition: Option<String>,
    /// The number of players. They are called Ana, Bo, Cleo, Dov, Eva, .. in this order.
    #[arg(long, default_value = "2", conflicts_with = "script")]
    players: NonZero<usize>,
    /// A script whose commands come first. It also defines the scenario, the edition and the players.
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// The bot that plays for all players. Without it, the game's default bot.
    #[arg(long)]
    bot: Option<String>,
    /// What the game must show, e.g. "first Moved causes Bitten", "dice 6 6 1", "cards Harbour: food, fuel".
    #[arg(long, value_name = "WISH")]
    want: String,
    /// How many seeds to find.
    #[arg(long, value_name = "NUMBER", default_value = "1")]
    count: NonZero<usize>,
    /// The first seed to try.
    #[arg(long, value_name = "SEED", default_value_t = 0, allow_negative_numbers = true)]
    from: i64,
    /// How many seeds to try at most.
    #[arg(long, value_name = "SEEDS", default_value_t = 1_000_000_000)]
    limit: u64,
    /// How many seeds to try at the same time. Without it, one per core.
    #[arg(long, value_name = "NUMBER")]
    jobs: Option<NonZero<usize>>,
    /// Removes all commands that the game does not need to show what --want asks for.
    #[arg(long)]
    minimise: bool,
    /// A folder for the scripts of all seeds. Without it, prints the script of the first seed.
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Writes the seeds as JSON; `-` is standard output, which then has no script.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Returns whether all requested seeds were found.
pub(super) fn run(arguments: &Arguments, games: &Games) -> Result<bool, CommandError> {
    let (game, mut search) = search(arguments, games)?;

    let cores = || thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    let jobs = arguments.jobs.unwrap_or_else(cores).get();
    let count = arguments.count.get();
    let (progress, since) = (Progress::new("seeds", arguments.limit), Instant::now());
    let found = seeds::find(&*search, arguments.from, arguments.limit, count, jobs, &|tried| progress.show(tried));
    drop(progress);
    let Found { seeds, tried } = found;
    let elapsed = since.elapsed();
    note(&format!("{} found among {tried} seeds, {}", seeds.len(), rate(tried, elapsed)));

    if let Some(file) = &arguments.json {
        let seconds = elapsed.as_secs_f64();
        let report = json!({ "want": arguments.want, "seeds": seeds, "tried": tried, "seconds": seconds });
        write_report(file, &format!("{report:#}\n"))?;
    }
    write_scripts(arguments, game, &mut *search, &seeds)?;
    Ok(seeds.len() == count)
}

fn write_scripts(
    arguments: &Arguments,
    game: &dyn ScriptedGame,
    search: &mut dyn SeedSearch,
    seeds: &[i64],
) -> Result<(), CommandError> {
    let quiet = arguments.json.as_deref().is_some_and(is_standard_output);
    if !quiet {
        // The seeds are comments, so that the whole output is a script.
        print(&seeds.iter().map(|seed| format!("# seed {seed}\n")).collect::<String>())?;
    }
    let mut write = |seed: i64, file: Option<&Path>| {
        let mut recording = search.record(&format!("{} (seed {seed})", arguments.want), seed);
        if arguments.minimise {
            recording = shorten(game, &*recording, &arguments.want)?;
        }
        write_script(&*recording, 1, file)
    };
    match (&arguments.output, seeds.first()) {
        (Some(folder), _) => {
            fs::create_dir_all(folder).map_err(|error| CommandError::File(folder.clone(), error))?;
            for seed in seeds {
                write(*seed, Some(&folder.join(format!("seed{seed}.script"))))?;
            }
        }
        (None, Some(first)) if !quiet => write(*first, None)?,
        (None, _) => {}
    }
    Ok(())
}

type Search = (&'static dyn ScriptedGame, Box<dyn SeedSearch>);

fn search(arguments: &Arguments, games: &Games) -> Result<Search, CommandError> {
    if let Some(file) = &arguments.script {
        let text = files::text(file).map_err(CommandError::Source)?;
        let script = files::parse(file, &text, games).map_err(CommandError::Script)?;
        let games = Searched::Script { transcript: &script.transcript, scenario: &script.scenario };
        return Ok((script.game, search_in(arguments, script.game, &games)?));
    }
    let game = match &arguments.rulebook {
        Some(name) => games.find(Some(name)).map_err(CommandError::NoScripts)?,
        None => games.iter().find(|game| game.wishes().is_some()).ok_or(CommandError::NoWishes(None))?,
    };
    if let Some(edition) = &arguments.edition {
        check_edition(game, edition)
            .unwrap_or_else(|error| invalid("--edition <EDITION>", edition, &error.to_string()));
    }
    // A path is relative to the current folder.
    let scenario = Beside(Path::new("")).scenario(game, arguments.scenario.as_deref().unwrap_or_default());
    let scenario = scenario.map_err(CommandError::Source)?;
    let edition = arguments.edition.as_deref().filter(|edition| *edition != AUTO);
    let players = arguments.players.get();
    let games = Searched::Plain { scenario: &scenario, edition, players };
    Ok((game, search_in(arguments, game, &games)?))
}

fn search_in(
    arguments: &Arguments,
    game: &dyn ScriptedGame,
    games: &Searched<'_>,
) -> Result<Box<dyn SeedSearch>, CommandError> {
    let wishes = game.wishes().ok_or(CommandError::NoWishes(Some(game.name())))?;
    let known = wishes.bots();
    let bot = arguments.bot.as_deref().unwrap_or_else(|| wishes.usual_bot());
    if !known.contains(&bot) {
        invalid("--bot <BOT>", bot, &format!("there are {}", known.join(" and ")));
    }
    wishes.search(games, bot, &arguments.want).map_err(CommandError::Wish)
}
