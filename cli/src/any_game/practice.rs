//! A host in this process for one person and bots: `holdfast play --practice`.

use std::{
    error::Error,
    fmt,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use clients::offers::{JsonTable, OfferClient};
use commlib::{ServerAddress, Want};
use engine::JavaRandom;
use server::{Host, Limits, Options};
use slog::{Discard, Logger, o};
use tokio::{
    sync::oneshot,
    task::{JoinHandle, JoinSet},
};

use super::bot_player::{BotPlayer, Bots, RANDOM, Strategy};
use crate::{
    BotServer, Failure, Game, Program, output,
    serving::{Durability, Serving, open_log},
};

/// The time before each command of a random bot, so that a person can follow.
const PACE: Duration = Duration::from_millis(100);

/// The rulebook is not played by people on the common wire.
#[derive(Debug)]
struct NotOnThisWire {
    rulebook: &'static str,
}

impl fmt::Display for NotOnThisWire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rulebook } = self;
        write!(
            f,
            "{rulebook} is played by programs on a wire of its own, so there is no practice; see `holdfast {rulebook} --help`"
        )
    }
}

impl Error for NotOnThisWire {}

/// The bots of a practice game.
#[derive(Clone, Debug)]
pub(super) struct Opponents {
    /// How they play, in turn.
    pub(super) strategies: Vec<Strategy>,
    /// The number of players, with the person; without it, as few as the game needs.
    pub(super) players: Option<usize>,
    pub(super) seed: i64,
}

/// A host in this process.
pub(super) struct Practice {
    serving: Serving,
    host: ServerAddress,
    bots: Arc<Bots>,
    /// The task that seats the bots.
    seating: Option<JoinHandle<()>>,
}

impl Practice {
    /// Opens a host that keeps nothing, on a free port of this machine.
    pub(super) async fn open(program: &Program, game: &'static dyn Game) -> Result<Self, Failure> {
        if !game.hosted().is_on_common_wire() {
            return Err(NotOnThisWire { rulebook: game.hosted().name() }.into());
        }
        let logger = Logger::root(Discard, o!());
        let (opponents, reserved) = BotServer::new(program.host_bots());
        let host = Host::open(Options {
            opponents,
            limits: Limits { messages_per_second: 5_000, ..Limits::default() },
            ..Options::new(program.hosted(), open_log(None, Durability::None)?, logger.clone())
        })
        .await?;
        let mut serving = Serving::new(host);
        let port = serving.games(SocketAddr::new(Ipv4Addr::LOCALHOST.into(), 0)).await?;
        let host = serving.own_port(port)?;
        tokio::spawn(reserved.run(host.clone(), logger));
        Ok(Self { serving, host, bots: Arc::new(Bots::of(game)), seating: None })
    }

    /// The address of the host.
    pub(super) fn host(&self) -> ServerAddress {
        self.host.clone()
    }

    /// The strategies with these names.
    pub(super) fn strategies(&self, names: &[String]) -> Result<Vec<Strategy>, Failure> {
        let find = |name: &String| if name == RANDOM { Ok(Strategy::Random) } else { self.bots.find(name) };
        Ok(names.iter().map(find).collect::<Result<_, _>>()?)
    }

    /// Sends bots into the game as soon as the person has a seat.
    pub(super) fn seat_bots(&mut self, game: &str, seated: oneshot::Receiver<JsonTable>, opponents: Opponents) {
        let (host, bots, game) = (self.host.clone(), self.bots.clone(), game.to_owned());
        self.seating = Some(tokio::spawn(async move {
            // Without a table, the person has left.
            if let Ok(table) = seated.await
                && let Err(error) = play_bots(host, bots, game, &table, opponents).await
            {
                output::announce(&format!("A bot has failed: {error}"));
            }
        }));
    }

    /// Ends the bots and the host.
    pub(super) async fn end(self) -> Result<(), Failure> {
        if let Some(seating) = self.seating {
            // The bots go with their task.
            seating.abort();
            let _aborted = seating.await;
        }
        Ok(self.serving.end().await?)
    }
}

/// Plays the seats that a person leaves to bots to the end of the game.
async fn play_bots(
    host: ServerAddress,
    bots: Arc<Bots>,
    game: String,
    table: &JsonTable,
    opponents: Opponents,
) -> Result<(), Failure> {
    let count = bots_for(table, opponents.players);
    let players = table.players.len() + count;
    let mut playing: JoinSet<Result<String, Failure>> = JoinSet::new();
    for (number, strategy) in (1..=count).zip(opponents.strategies.iter().cycle().cloned()) {
        let client = OfferClient::open(host.clone(), Some(game.clone()), Want::Join { seat: None }).await?;
        let name = if count == 1 { strategy.name().to_owned() } else { format!("{} {number}", strategy.name()) };
        let begins_with = (number == 1).then_some(players);
        let player = BotPlayer { name, begins_with, pace: PACE };
        let random = JavaRandom::new(opponents.seed.wrapping_add(number as i64));
        let bots = bots.clone();
        playing.spawn(async move { player.play(client, &strategy, &bots, random).await });
    }
    while let Some(ended) = playing.join_next().await {
        ended??;
    }
    Ok(())
}

/// How many bots a person's game gets: so many that it has this number of players, or can begin. Reserved seats have their own.
fn bots_for(table: &JsonTable, players: Option<usize>) -> usize {
    let Some(missing) = &table.missing else { return 0 };
    let wanted = players.map_or(missing.least as usize, |players| players.saturating_sub(table.players.len()));
    wanted.min(missing.most as usize)
}

#[cfg(test)]
mod tests {
    use engine::Missing;

    use super::*;

    #[test]
    fn seats_for_bots() {
        let check = |missing: Option<(u32, u32)>, players: Option<usize>, expected: usize| {
            let missing = missing.map(|(least, most)| Missing { least, most });
            let table = JsonTable { players: vec!["you".into()], missing, ..JsonTable::default() };
            assert_eq!(bots_for(&table, players), expected, "{missing:?}, {players:?}");
        };
        check(Some((1, 1)), None, 1);
        check(Some((1, 3)), None, 1);
        check(Some((1, 3)), Some(4), 3);
        check(Some((1, 3)), Some(9), 3);
        check(Some((0, 3)), None, 0);
        check(Some((0, 3)), Some(1), 0);
        check(None, Some(4), 0);
    }
}
