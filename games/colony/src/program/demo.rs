//! `holdfast demo`: a host with its pages, and bots that play slowly enough to be watched.

use std::{
    fs, io,
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use crate::{
    remote::{Plan, Player, Tally, keep_playing},
    strategy,
};
use colony_rules::{EditionChoice, Setup};
use commlib::Create;
use engine::JavaRandom;
use server::{Host, Http, Options};
use tokio::{sync::Semaphore, task::JoinSet, time::sleep};

use super::{error::CommandError, load::every};
use cli::{
    BotServer, Failure, Program,
    address::listen_address,
    browser, duration, logging, output,
    serving::{
        Administration, Durability, HTTP, Serving, block_on, open_beside, open_host, open_log, reached, stopped,
    },
};

/// Starts a host with bots that play, and prints the address at which a browser shows them. Ctrl-C ends it.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The address of the pages.
    #[arg(long, default_value_t = HTTP, value_name = "ADDR", value_parser = listen_address)]
    http: SocketAddr,
    /// The address for clients: the bots, and people who want to play.
    #[arg(long, default_value = "127.0.0.1:7700", value_name = "ADDR", value_parser = listen_address)]
    listen: SocketAddr,
    /// Opens the pages in the browser of this machine.
    #[arg(long)]
    open: bool,
    /// The number of games that are played at the same time. When one ends, another begins.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    games: u32,
    /// The time that a bot waits before a command, such as 500ms; a number without a unit is milliseconds.
    #[arg(long, default_value = "600ms", value_name = "TIME", value_parser = duration::in_milliseconds)]
    pace: Duration,
    /// The scenario: a file, or the name of a built-in one.
    #[arg(long, default_value = "winter", value_name = "FILE|NAME")]
    scenario: String,
    /// The file that keeps the games. Without it, they are lost at the end.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// The seed of the first game; each further game has the next one. The same seed gives the same games.
    #[arg(long, allow_negative_numbers = true)]
    seed: Option<i64>,
    #[command(flatten)]
    administration: Administration,
    #[command(flatten)]
    logging: logging::Logging,
}

/// The pause between two games at a table, as a multiple of the pace. It lets people see the end of a game.
const PAUSE: u32 = 8;
/// The pause between two games of another rulebook.
const BETWEEN_BOT_GAMES: Duration = Duration::from_secs(15);

pub(crate) fn run(program: &Program, arguments: &Arguments) -> Result<(), Failure> {
    let (logger, _written_at_the_end) = logging::logger(arguments.logging);
    let (label, scenario) = crate::load(&arguments.scenario)?;
    let EditionChoice(edition) = EditionChoice::default();
    let setup = Setup::new(&scenario, edition, None).map_err(|error| CommandError::Setup { label, error })?;
    let folder = match arguments.log {
        None => Some(Folder::new().map_err(CommandError::NoFolder)?),
        Some(_) => None,
    };
    let file = folder.as_ref().map(|folder| folder.0.join("games.log"));
    let file = arguments.log.as_deref().or(file.as_deref());

    block_on(async {
        let http = bind_http(arguments.http).await?;
        let (opponents, bots) = BotServer::new(program.host_bots());
        let host = open_host(Options {
            admin_token: arguments.administration.token()?,
            host_names: arguments.administration.host_names.clone(),
            allowed_origins: arguments.administration.allowed_origins.clone(),
            opponents,
            shows_all: whole(program),
            host_store: open_beside(file).await?,
            ..Options::new(program.hosted(), open_log(file, Durability::Normal)?, logger.clone())
        })
        .await?;
        let mut serving = Serving::new(host);
        let games = serving.games(arguments.listen).await?;
        let pages = serving.pages(http)?;
        tokio::spawn(bots.run(reached(games), logger.clone()));
        for create in program.games.iter().filter_map(|game| game.bot_game()) {
            tokio::spawn(play_among_bots(serving.host.clone(), create));
        }
        for game in &program.games {
            game.demonstrate(&mut serving, arguments.pace, &logger).await?;
        }
        let pace = arguments.pace;
        let plan = Plan { address: reached(games).into(), scenario, setup, pace, pause: pace * PAUSE };
        welcome(arguments, games, pages);
        if arguments.open {
            browser::open(&format!("http://{}/", reached(pages)));
        }
        let ended = tokio::select! {
            failed = play(arguments, plan) => failed,
            stopped = stopped(&logger) => stopped.map_err(Failure::from),
        };
        serving.end().await?;
        ended
    })
}

/// The rulebooks whose running games are shown with their secrets.
fn whole(program: &Program) -> Vec<&'static str> {
    program.games.iter().filter(|game| game.is_demonstrated_whole()).map(|game| game.hosted().name()).collect()
}

async fn bind_http(address: SocketAddr) -> Result<Http, CommandError> {
    Http::bind(address).await.map_err(|error| CommandError::HttpPort { address, error })
}

fn welcome(arguments: &Arguments, listening: SocketAddr, pages: SocketAddr) {
    output::announce(&format!("listening on {listening}"));
    let kept = match &arguments.log {
        Some(file) => format!("The games are kept in {}.", file.display()),
        None => "The games are lost at the end; --log FILE keeps them.".to_owned(),
    };
    let Arguments { games, scenario, .. } = arguments;
    output::announce(&format!(
        "{games} games of {scenario} at a time, and one of each other rulebook. {kept} Ctrl-C ends it."
    ));
    output::announce(&format!("Open http://{}/ in a browser", reached(pages)));
}

/// Keeps one game of another rulebook running among the bots of the host. When it is over, another begins after a while.
async fn play_among_bots(host: Arc<Host>, create: Create) {
    while let Ok(game) = host.create_later(create.clone()).await {
        while host.list().iter().any(|running| running.game == game) {
            sleep(Duration::from_secs(1)).await;
        }
        sleep(BETWEEN_BOT_GAMES).await;
    }
}

/// Plays until an error occurs or the future is dropped.
async fn play(arguments: &Arguments, plan: Plan) -> Result<(), Failure> {
    let first = arguments.seed.unwrap_or_else(some_seed);
    let most = plan.setup.scenario.max_players;
    let players = move |seed| cast(seed, most);
    let doors = Arc::new(Semaphore::new(1));
    let mut tables = JoinSet::new();
    // The first game runs without pauses, so that people can look at a finished game.
    let hasty = Plan { pace: Duration::ZERO, pause: Duration::ZERO, ..plan.clone() };
    keep_playing(&hasty, [first].into_iter(), players, &doors, &Tally::default()).await.map_err(CommandError::Demo)?;
    let plan = Arc::new(plan);
    for table in 1..=arguments.games {
        let seeds = every(arguments.games, first.wrapping_add(table.into()));
        let (plan, doors) = (plan.clone(), doors.clone());
        tables.spawn(async move { keep_playing(&plan, seeds, players, &doors, &Tally::default()).await });
    }
    while let Some(ended) = tables.join_next().await {
        ended?.map_err(CommandError::Demo)?;
    }
    Ok(())
}

/// A different seed for each start of the program.
fn some_seed() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64)
}

const NAMES: [&str; 32] = [
    "Ada", "Amir", "Aylin", "Ben", "Carmen", "Chidi", "Dana", "Elif", "Emil", "Fatma", "Greta", "Hana", "Ines", "Ivan",
    "Jonas", "José", "Kofi", "Lea", "Linh", "Malik", "Mei", "Mira", "Noor", "Oskar", "Priya", "Rosa", "Samuel",
    "Sofía", "Tariq", "Vera", "Yuki", "Zoë",
];

/// One game in this many has a random player, so that some commands are refused. Such a game is lost two times of three.
const GAMES_PER_BLUNDERER: i32 = 7;

/// The players of the game with this seed. All places are taken, because full games are won about as often as they are lost.
fn cast(seed: i64, most: u16) -> Vec<Player> {
    let mut random = JavaRandom::new(seed);
    let has_blunderer = random.next_below(GAMES_PER_BLUNDERER) == 0;
    let mut names = NAMES.to_vec();
    let player = |at| {
        let name = names.swap_remove(random.next_below(names.len() as i32) as usize).to_owned();
        let strategy = strategy(if at == 1 && has_blunderer { "random" } else { "sensible" });
        Player { name, bot: strategy.expect("both are in the table").bot }
    };
    (0..usize::from(most).min(NAMES.len())).map(player).collect()
}

/// A new folder for the log. Dropping it deletes the folder.
struct Folder(PathBuf);

impl Folder {
    fn new() -> io::Result<Self> {
        let parent = std::env::temp_dir();
        (0..1000)
            .map(|number| Self::make(&parent, number))
            .find(|made| !made.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::AlreadyExists))
            .unwrap_or_else(|| Err(io::Error::other(format!("{} has too many folders of demos", parent.display()))))
    }

    fn make(parent: &Path, number: u32) -> io::Result<Self> {
        let path = parent.join(format!("holdfast-demo-{}-{number}", std::process::id()));
        fs::create_dir(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _gone_already = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::cast;
    use crate::table::Table;
    use colony_rules::{EditionChoice, Outcome, Setup};

    #[test]
    fn the_seed_decides_the_players() {
        let names = |seed, most| cast(seed, most).into_iter().map(|player| player.name).collect::<Vec<_>>();
        let mut random = 0;
        for seed in -100..100 {
            let players = cast(seed, 5);
            assert_eq!(names(seed, 5), names(seed, 5), "the same seed, the same players");
            assert_eq!(names(seed, 5).iter().collect::<HashSet<_>>().len(), players.len(), "all names differ");
            let blunders = format!("{:?}", crate::strategy("random").expect("it is there").bot);
            random += players.iter().filter(|player| format!("{:?}", player.bot) == blunders).count();
            assert_eq!(players.len(), 5, "every place is taken");
            assert_eq!(names(seed, 1).len(), 1, "no more players than the scenario allows");
        }
        assert!((10..50).contains(&random), "{random} of 200 games have a random player");
    }

    /// People who look at the demo see games that are won as often as lost.
    #[test]
    fn half_of_the_games_are_won() {
        let (_, scenario) = crate::load("winter").expect("it is built in");
        let setup = Setup::new(&scenario, EditionChoice::default().0, None).expect("it is valid");
        let games = 400;
        let is_won = |seed: &i64| {
            let bots: Vec<_> = cast(*seed, setup.scenario.max_players).into_iter().map(|player| player.bot).collect();
            matches!(Table::new(&setup, *seed, &bots).finish(), Outcome::Won)
        };
        let won = (0..games).filter(is_won).count();
        assert!((170..=230).contains(&won), "{won} of {games}");
    }
}
