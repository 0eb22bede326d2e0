//! One game of an arena. It has a host and a port of its own, so a program that misbehaves reaches no other game.

use std::{
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use clients::offers::OfferClient;
use commlib::{ClientConnection, ClientError, Create, Form, Hello, PROTOCOL, Want};
use engine::{JavaRandom, SeatResult, Verdict};
use server::{
    FollowedGame, GameProgress, GameTable, Host, HostedGame, Limits, Options, RoomEnd,
    log::{EventLog, GameHead},
};
use slog::{Discard, Logger, o};
use tokio::{
    task::JoinSet,
    time::{sleep, timeout},
};

use super::program::{ForeignBot, Place};
use crate::{
    Failure,
    any_game::bot_player::{BotPlayer, Bots, OwnSeat, Strategy},
    serving::{Durability, Serving, open_log},
};

/// The most commands of a player that the rules may refuse in one game. A program that never learns is not worth waiting for.
const MOST_REFUSED: u64 = 100;
/// The most entries of a game. A game with more is stopped without a result.
const MOST_ENTRIES: u64 = 100_000;
/// The longest time for a program to start and take its seat: a virtual machine needs seconds on a busy computer.
const STARTING: Duration = Duration::from_secs(30);
/// The pauses between two looks at a game, the first and the longest.
const LOOKS: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(50));
/// How long the end of a program may be earlier than the end of its game: a client that hears of the end may be faster.
const GRACE: Duration = Duration::from_secs(1);

/// A player of an arena.
#[derive(Clone, Debug)]
pub(super) enum Contestant {
    /// A bot of the rulebook.
    Bot(Strategy),
    /// A foreign program.
    Program(ForeignBot),
}

impl Contestant {
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Bot(strategy) => strategy.name(),
            Self::Program(bot) => &bot.name,
        }
    }
}

/// What all games of an arena share.
pub(super) struct Tables {
    pub(super) game: &'static dyn HostedGame,
    pub(super) create: Create,
    pub(super) bots: Bots,
    pub(super) contestants: Vec<Contestant>,
    /// How long the game may wait for a player.
    pub(super) time: Duration,
    /// A folder for the logs of all games.
    pub(super) keep: Option<PathBuf>,
}

/// A game to play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fixture {
    /// The number of the game in its arena, from 1.
    pub(super) number: u64,
    pub(super) seed: i64,
    /// The contestant of each seat.
    pub(super) seats: Vec<usize>,
}

/// How a game ended.
#[derive(Clone, Debug, Default)]
pub(super) struct Played {
    /// The result of each seat; none if the game has no result.
    pub(super) seats: Option<Vec<(Verdict, i64)>>,
    /// Seats that lost because their players failed, with reasons.
    pub(super) failures: Vec<(usize, String)>,
    /// Why there is no result.
    pub(super) void: Option<String>,
    pub(super) entries: u64,
}

impl Tables {
    /// Plays a game to its end, or until a player fails.
    pub(super) async fn play(&self, fixture: &Fixture) -> Result<Played, Failure> {
        let name = format!("arena-{}", fixture.number);
        let file = self.keep.as_ref().map(|folder| folder.join(format!("{name}.log")));
        let log = open_log(file.as_deref(), Durability::None)?;
        let logger = Logger::root(Discard, o!());
        // The players are as fast as they can be, so the usual limits of people would slow games down.
        let limits = Limits { messages_per_second: 5_000, ..Limits::default() };
        let options =
            Options { limits, one_game: true, ..Options::new(GameTable::new(vec![self.game]), log.clone(), logger) };
        let host = Host::open(options).await?;
        let mut serving = Serving::new(host.clone());
        let address = serving.games(SocketAddr::new(Ipv4Addr::LOCALHOST.into(), 0)).await?;
        let created = Create { seed: Some(fixture.seed), ..self.create.clone() };
        host.create(&created, Some(&name)).await?;
        let head = log.find(&name).await?.ok_or("the game is not in its log")?;
        let follower = Follower { followed: self.game.follow(&head.header)?, log, head };
        let mut playing = PlayedGame { tables: self, fixture, name: &name, address, follower, players: JoinSet::new() };
        let played = playing.play(&host).await;
        // Ends all players, so that no connection is open when the host ends.
        playing.players.shutdown().await;
        serving.end().await?;
        played
    }
}

/// A game with its players.
struct PlayedGame<'m> {
    tables: &'m Tables,
    fixture: &'m Fixture,
    name: &'m str,
    address: SocketAddr,
    follower: Follower,
    /// The players. A program's task ends with the reason why the program ended, and the number of its seat.
    players: JoinSet<(usize, Option<String>)>,
}

/// Why a game does not go on.
enum End {
    /// By the rules.
    Over,
    /// Seats failed.
    Failed(Vec<(usize, String)>),
    /// For another reason.
    Void(String),
}

impl PlayedGame<'_> {
    async fn play(&mut self, host: &Arc<Host>) -> Result<Played, Failure> {
        let end = match self.take_seats().await? {
            Some(end) => end,
            None => self.watch(host).await?,
        };
        let mut played = Played::default();
        match end {
            End::Over => {
                if let Some(results) = self.results().await? {
                    played.seats = self.by_seat(&results);
                }
            }
            End::Failed(failures) => played.failures = failures,
            End::Void(why) => played.void = Some(why),
        }
        if !played.failures.is_empty() {
            let lost = |seat: usize| played.failures.iter().any(|(failed, _)| *failed == seat);
            let result = |seat| if lost(seat) { (Verdict::Lost, 0) } else { (Verdict::Won, 0) };
            played.seats = Some((0..self.fixture.seats.len()).map(result).collect());
        }
        if played.seats.is_none() && played.void.is_none() {
            played.void = Some("the game ended without results for its seats".into());
        }
        played.entries = self.follower.progress().entries;
        Ok(played)
    }

    /// Lets one player in after the other, so that each gets its seat. Returns an end if one of them does not take it.
    async fn take_seats(&mut self) -> Result<Option<End>, Failure> {
        for (seat, contestant) in self.fixture.seats.iter().enumerate() {
            self.start(seat, *contestant).await?;
            let since = Instant::now();
            let mut pause = LOOKS.0;
            loop {
                if self.follower.look().await? {
                    pause = LOOKS.0;
                }
                let seated = self.follower.progress().seated.len();
                if seated > seat + 1 {
                    let why = "it took more than one seat".into();
                    return Ok(Some(End::Failed(vec![(seat, why)])));
                }
                if seated == seat + 1 {
                    break;
                }
                if let Some(failed) = self.has_ended() {
                    return Ok(Some(End::Failed(vec![failed])));
                }
                if since.elapsed() > STARTING {
                    let why = format!("it did not take its seat within {} s", STARTING.as_secs());
                    return Ok(Some(End::Failed(vec![(seat, why)])));
                }
                if self.follower.progress().refused.iter().any(|(_, count)| *count >= MOST_REFUSED) {
                    let why = format!("{MOST_REFUSED} of its commands were refused");
                    return Ok(Some(End::Failed(vec![(seat, why)])));
                }
                sleep(pause).await;
                pause = (2 * pause).min(LOOKS.1);
            }
        }
        Ok(None)
    }

    /// A program that has ended although its game has not, and why.
    fn has_ended(&mut self) -> Option<(usize, String)> {
        while let Some(ended) = self.players.try_join_next() {
            if let Ok((seat, Some(why))) = ended {
                return Some((seat, why));
            }
        }
        None
    }

    /// Starts a player.
    async fn start(&mut self, seat: usize, contestant: usize) -> Result<(), ClientError> {
        let Self { tables, fixture, address, .. } = *self;
        let (address, game) = (address, self.name.to_owned());
        let seed = fixture.seed.wrapping_mul(31).wrapping_add(seat as i64);
        match &tables.contestants[contestant] {
            Contestant::Bot(Strategy::Random) => {
                let client = OfferClient::open(address, Some(game), Want::Join { seat: None }).await?;
                let player =
                    BotPlayer { name: format!("random {}", seat + 1), begins_with: None, pace: Duration::ZERO };
                self.players.spawn(async move {
                    let _cause_of_no_failure = player.play_random(client, JavaRandom::new(seed)).await;
                    (seat, None)
                });
            }
            Contestant::Bot(Strategy::Own(bot)) => {
                let mut connection = ClientConnection::<(), ()>::connect(address, Form::Binary).await?;
                let want = Want::Join { seat: None };
                let hello = Hello { protocol: PROTOCOL, want, game: Some(game.clone()), board: false };
                let token = connection.hello(hello).await?.token.ok_or(ClientError::Closed)?;
                let seated = OwnSeat { bot, player: format!("{bot} {}", seat + 1), game, token };
                let playing = tables.bots.play(seated, address.into());
                self.players.spawn(async move {
                    let _cause_of_no_failure = playing.await;
                    (seat, None)
                });
            }
            Contestant::Program(bot) => {
                let (bot, players, rulebook) = (bot.clone(), fixture.seats.len(), tables.game.name());
                self.players.spawn(async move {
                    let name = format!("{} {}", bot.name, seat + 1);
                    let place = Place { connect: address, rulebook, game: &game, seat, players, seed, name: &name };
                    let why = bot.run(place).await;
                    (seat, Some(why))
                });
            }
        }
        Ok(())
    }

    /// Waits for the end of a game whose seats are taken.
    async fn watch(&mut self, host: &Arc<Host>) -> Result<End, Failure> {
        let mut accepted = self.follower.progress().accepted;
        let mut since = Instant::now();
        let mut pause = LOOKS.0;
        loop {
            if let Ok(end) = timeout(pause, host.game_end()).await {
                return Ok(end_of(end));
            }
            pause = (2 * pause).min(LOOKS.1);
            self.follower.look().await?;
            if self.follower.progress().accepted != accepted {
                (accepted, since, pause) = (self.follower.progress().accepted, Instant::now(), LOOKS.0);
            }
            if let Some(failed) = self.has_ended() {
                return Ok(match timeout(GRACE, host.game_end()).await {
                    Ok(end) => end_of(end),
                    Err(_) => End::Failed(vec![failed]),
                });
            }
            if let Some(end) = self.gave_up(since.elapsed()) {
                return Ok(end);
            }
        }
    }

    /// The end of a game that goes on no longer. `silent`: how long no command was accepted.
    fn gave_up(&self, silent: Duration) -> Option<End> {
        let GameProgress { seated, refused, entries, .. } = self.follower.progress();
        let seat_of = |client| seated.iter().position(|seated| *seated == client);
        let never_learn = refused.iter().filter(|(_, count)| *count >= MOST_REFUSED);
        let why = format!("{MOST_REFUSED} of its commands were refused");
        let failed: Vec<_> = never_learn.filter_map(|(client, _)| Some((seat_of(*client)?, why.clone()))).collect();
        if !failed.is_empty() {
            return Some(End::Failed(failed));
        }
        if *entries > MOST_ENTRIES {
            return Some(End::Void(format!("the game had more than {MOST_ENTRIES} entries")));
        }
        if silent < self.tables.time {
            return None;
        }
        let seconds = self.tables.time.as_secs_f64();
        let why = format!("the game waited for it for {seconds} s");
        let awaited = self.follower.followed.awaited();
        let failed: Vec<_> = awaited.iter().filter_map(|client| Some((seat_of(*client)?, why.clone()))).collect();
        Some(match failed.is_empty() {
            true => End::Void(format!("nothing happened for {seconds} s, and the game waits for none of its players")),
            false => End::Failed(failed),
        })
    }

    /// The results of the rules, as they are stored.
    async fn results(&mut self) -> Result<Option<Vec<SeatResult>>, Failure> {
        self.follower.look().await?;
        let since = Instant::now();
        loop {
            let record = self.follower.log.head(self.follower.head.record.key).await?.record;
            if record.end.is_some() || since.elapsed() > GRACE {
                return Ok(record.results);
            }
            sleep(LOOKS.0).await;
        }
    }

    /// The results in the order of the seats; none if a seat has none.
    fn by_seat(&self, results: &[SeatResult]) -> Option<Vec<(Verdict, i64)>> {
        let result = |seat: usize| {
            let client = self.follower.progress().seated.get(seat)?;
            let result = results.iter().find(|result| result.client == *client)?;
            Some((result.verdict, result.points))
        };
        (0..self.fixture.seats.len()).map(result).collect()
    }
}

fn end_of(end: RoomEnd) -> End {
    match end {
        RoomEnd::Over { .. } => End::Over,
        RoomEnd::Broken => End::Void("the rules panicked".into()),
        RoomEnd::Stopped => End::Void("the host stopped".into()),
        RoomEnd::StoreFailed { cause, .. } | RoomEnd::NotCreated { cause, .. } => End::Void(cause),
    }
}

/// Follows the log of a game.
struct Follower {
    followed: Box<dyn FollowedGame>,
    log: Arc<dyn EventLog>,
    head: GameHead,
}

impl Follower {
    fn progress(&self) -> &GameProgress {
        self.followed.progress()
    }

    /// Reads new entries. Returns whether there are any.
    async fn look(&mut self) -> Result<bool, Failure> {
        let new = self.log.rows(self.head.record.key, self.progress().entries + 1).await?;
        self.followed.add(&new)?;
        Ok(!new.is_empty())
    }
}
