//! `holdfast load` for any rulebook: random players on real connections.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use clients::{
    offers::{OfferClient, OfferNews, begin_command, random_command},
    tally::{Sums, Tally},
};
use commlib::{ClientError, Create, ServerAddress, Want};
use engine::JavaRandom;
use serde_json::{Value, json};
use server::HostedGame;
use tokio::{
    sync::Semaphore,
    task::{JoinError, JoinSet},
};

use super::{RulebookArg, create};
use crate::{
    Answer, Failure, Program, duration, measure,
    output::ReportArgs,
    plural::{GAMES, PLAYERS, counted},
    serving::runtime,
    tls::ConnectOptions,
};

/// Plays games with random players on a host, and reports how many commands it takes and how long each waits for its answer.
///
/// A player asks the host what it can do before each command, and the host limits how often. So a single player is slower than
/// one that knows the rules.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    rulebook: RulebookArg,
    #[command(flatten)]
    host: ConnectOptions,
    /// The number of games that are played at the same time. When one ends, another begins.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// The number of players of each game.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    players: u16,
    /// The scenario: its name or its text. [default: the first one of the rulebook]
    #[arg(long, value_name = "NAME|TEXT")]
    scenario: Option<String>,
    /// The time to play for, such as 30s or 5m; a number without a unit is seconds. Ctrl-C ends it earlier.
    #[arg(long, default_value = "10s", value_name = "TIME",
          value_parser = duration::within(duration::in_seconds, Duration::from_secs(1)..=LONGEST))]
    time: Duration,
    /// The seed of the first game; each further game has the next one.
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    seed: i64,
    #[command(flatten)]
    report: ReportArgs,
}

/// The longest time to play for.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);

/// The number of tables that may connect at the same time. If the host's queue of connections overflows, clients wait for a
/// second.
const ENTERING: usize = 64;

/// Runs the command.
///
/// # Errors
/// If the host cannot be reached, or a game cannot be played to its end.
pub fn run(program: &Program, arguments: &Arguments) -> Result<Answer, Failure> {
    let game = arguments.rulebook.game(program)?;
    let create = create(game, arguments.scenario.as_deref(), None);
    let (sums, took) = runtime()?.block_on(play(arguments, &create))?;
    let text = || text(game, &create, arguments, &sums, took);
    Ok(arguments.report.answer(true, text, || json(game, &create, arguments, &sums, took)))
}

async fn play(arguments: &Arguments, create: &Create) -> Result<(Sums, Duration), Failure> {
    let server = arguments.host.server()?;
    let doors = Arc::new(Semaphore::new(ENTERING));
    let tallies: Vec<Arc<Tally>> = (0..arguments.games).map(|_| Arc::default()).collect();
    let mut tables = JoinSet::new();
    for (tally, at) in tallies.iter().zip(0_i64..) {
        let table = Table {
            address: server.clone(),
            create: create.clone(),
            players: arguments.players,
            doors: doors.clone(),
            tally: tally.clone(),
        };
        let (first, step) = (arguments.seed.wrapping_add(at), arguments.games);
        tables.spawn(async move { table.keep_playing(first, step).await });
    }
    measure::measure(tables, &tallies, arguments.time, arguments.host.connect.address).await
}

/// One game after the other.
struct Table {
    address: ServerAddress,
    create: Create,
    players: u16,
    doors: Arc<Semaphore>,
    tally: Arc<Tally>,
}

impl Table {
    async fn keep_playing(&self, first: i64, step: u32) -> Result<(), ClientError> {
        let mut seed = first;
        loop {
            let mut seats: JoinSet<Result<(), ClientError>> = JoinSet::new();
            for (client, number) in self.enter(seed).await?.into_iter().zip(1_i64..) {
                let random = JavaRandom::new(seed.wrapping_mul(31).wrapping_add(number));
                let begins_with = (number == 1).then_some(self.players.into());
                seats.spawn(play_seat(client, format!("bot {number}"), begins_with, random, self.tally.clone()));
            }
            while let Some(ended) = seats.join_next().await {
                ended.map_err(|_: JoinError| ClientError::Closed)??;
            }
            self.tally.sums().games += 1;
            seed = seed.wrapping_add(step.into());
        }
    }

    /// Creates a game and takes its places.
    async fn enter(&self, seed: i64) -> Result<Vec<OfferClient>, ClientError> {
        let _door = self.doors.acquire().await;
        let create = Create { seed: Some(seed), ..self.create.clone() };
        let mut clients = vec![OfferClient::open(self.address.clone(), None, Want::Create(create)).await?];
        for _ in 1..self.players {
            let game = clients.first().map(|client| client.game().to_owned());
            clients.push(OfferClient::open(self.address.clone(), game, Want::Join { seat: None }).await?);
        }
        Ok(clients)
    }
}

/// Plays one seat to the end of its game; with `begins_with`, begins the game once it has so many players.
async fn play_seat(
    mut client: OfferClient,
    name: String,
    begins_with: Option<usize>,
    mut random: JavaRandom,
    tally: Arc<Tally>,
) -> Result<(), ClientError> {
    let mut sent: Option<Instant> = None;
    loop {
        let news = client.next().await?;
        if let Some(sent) = sent.take() {
            tally.sums().latencies.record(sent.elapsed());
        }
        match news {
            OfferNews::Event(..) => tally.sums().events += 1,
            OfferNews::Offers(offers, table) => {
                let begin = || begin_command(&offers, &table, begins_with?);
                if let Some(command) = random_command(&offers, &name, &mut random).or_else(begin) {
                    tally.sums().commands += 1;
                    client.send(&command).await?;
                    sent = Some(Instant::now());
                }
            }
            OfferNews::Refused(_) | OfferNews::Notice(_) => {}
            OfferNews::Over => return Ok(()),
        }
    }
}

fn text(game: &dyn HostedGame, create: &Create, arguments: &Arguments, sums: &Sums, took: Duration) -> String {
    let (games, players) = (counted(arguments.games, GAMES), counted(arguments.players, PLAYERS));
    let heading = format!("{games} of {} ({}) at a time, {players}, random", game.name(), create.scenario);
    measure::text(&heading, sums, took)
}

fn json(game: &dyn HostedGame, create: &Create, arguments: &Arguments, sums: &Sums, took: Duration) -> Value {
    let head = [
        ("rulebook", json!(game.name())),
        ("scenario", json!(create.scenario)),
        ("at_a_time", json!(arguments.games)),
        ("players", json!(arguments.players)),
    ];
    measure::json(head.map(|(name, value)| (name.to_owned(), value)).into_iter().collect(), sums, took)
}
