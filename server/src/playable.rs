//! What a host does with a rulebook that it does not know.

use std::{
    convert::Infallible,
    marker::PhantomData,
    sync::{Arc, Mutex},
};

use commlib::{Create, Reason, Refused};
use engine::{Chain, CommId, Entry, EntryOf, Header, Outbox, Replay};
use serde_json::Value;
use slog::info;

use crate::{
    chronicle::{Chronicle, Sight, Telling},
    clock::{Clock, Timers},
    host::{Host, lock},
    hosted::Hosted,
    log::{EventLog, GameHead, NewGame, Row},
    peer::Peer,
    recovery::{self, Recovering},
    room::{Past, Room, Watermark, game_logger, history, now},
    setups::Setups,
};

/// A rulebook that a host can play without knowing it.
pub trait Playable: Sync {
    fn name(&self) -> &'static str;

    /// The version of the rules: games of another one are not folded.
    fn rules_version(&self) -> u32;

    /// How long the names of its games are.
    fn name_length(&self) -> usize;

    /// Makes a game and starts its room.
    fn create(&self, host: &Arc<Host>, name: &str, create: &Create, seed: i64) -> Result<(), Refused>;

    /// Begins to rebuild a game from its header; otherwise why it cannot go on.
    fn recover(&self, name: &str, header: &[u8], setups: &Mutex<Setups>) -> Result<Box<dyn Recovering>, String>;

    /// Puts the stored events of a finished game into a peer's queue.
    fn replay(&self, header: &[u8], rows: &[Row], peer: &mut Peer, seen: u64) -> Result<Past, String>;

    /// What a scenario is called, for lists of games.
    fn title(&self, scenario: Option<&str>) -> String;

    /// Scenarios that need no more than their name.
    fn scenarios(&self) -> Vec<&'static str>;

    /// Begins to tell the story of a game to people; otherwise why it cannot be read.
    fn chronicle(&self, head: &GameHead, sight: Sight) -> Result<Box<dyn Chronicle>, String>;

    /// The script that plays a game again, or why there is none; `None` where the rulebook has no scripts.
    fn script(&self, header: &[u8], rows: &[Row]) -> Option<Result<String, String>>;

    /// The game that a player of a finished one may ask for after it.
    fn rematch(&self, header: &[u8], rows: &[Row], client: CommId) -> Result<Option<Create>, String>;

    /// Answers a question of a page about the rules.
    fn explain(&self, question: &str, about: &str) -> Option<Result<Value, String>>;

    /// Answers a question of a page about games that were played.
    fn recall(&self, log: &dyn EventLog, question: &str, about: &str) -> Option<Result<Value, Refused>>;
}

/// A rulebook's place in the registration table.
#[derive(Debug)]
pub struct Rules<R>(PhantomData<fn() -> R>);

impl<R> Rules<R> {
    pub const NEW: Self = Self(PhantomData);
}

impl<R: Hosted> Playable for Rules<R> {
    fn name(&self) -> &'static str {
        R::NAME
    }

    fn rules_version(&self) -> u32 {
        R::RULES_VERSION
    }

    fn name_length(&self) -> usize {
        R::NAME_LENGTH
    }

    fn create(&self, host: &Arc<Host>, name: &str, create: &Create, seed: i64) -> Result<(), Refused> {
        let setup = R::setup(create).map_err(|message| Refused::new(Reason::BadScenario, message))?;
        host.options.opponents.check(R::NAME, R::bots(&setup).into_iter().map(|(_, bot)| bot))?;
        let header = Header::new::<R>(name, now(), setup.clone(), seed);
        let bytes = header.encode();
        let own = Header::split(&bytes).map(|(_, setup)| setup).expect("a header that was just written");
        let setup = lock(&host.setups).share(own, || Ok::<_, Infallible>(setup)).unwrap_or_else(|never| match never {});
        let mut outbox = Outbox::new();
        let game = R::start(&setup, seed, &mut outbox);
        // Before the timers: none of them may be due earlier than the game's own clock says.
        let clock = Clock::from(0);
        let mut timers = Timers::new();
        timers.change(outbox.timers());
        let watermark = Arc::new(Watermark::default());
        let chain = Chain::new(&bytes);
        let scenario = R::scenario(&setup).map(Into::into);
        let key = host.options.log.create(NewGame::new(name, &header, scenario, header.created), watermark.clone());
        let logger = game_logger(&host.options.logger, name);
        host.metrics.games_created.add(1);
        info!(logger, "game created"; "rulebook" => R::NAME, "edition" => &header.edition);
        host.start(Room::new(name.into(), key, setup, game, chain, clock, timers, watermark, host, logger));
        Ok(())
    }

    fn recover(&self, name: &str, header: &[u8], setups: &Mutex<Setups>) -> Result<Box<dyn Recovering>, String> {
        recovery::Game::<R>::new(name, header, setups).map(|game| Box::new(game) as Box<dyn Recovering>)
    }

    fn replay(&self, header: &[u8], rows: &[Row], peer: &mut Peer, seen: u64) -> Result<Past, String> {
        let header: Header<R::Setup> = Header::decode(header).map_err(|error| error.to_string())?;
        history::<R>(rows.iter(), &header.setup, peer, seen).map_err(|()| "the log of this game is damaged".into())
    }

    fn title(&self, scenario: Option<&str>) -> String {
        R::title(scenario)
    }

    fn scenarios(&self) -> Vec<&'static str> {
        R::scenarios()
    }

    fn chronicle(&self, head: &GameHead, sight: Sight) -> Result<Box<dyn Chronicle>, String> {
        Telling::<R>::new(head, sight).map(|telling| Box::new(telling) as Box<dyn Chronicle>)
    }

    fn script(&self, header: &[u8], rows: &[Row]) -> Option<Result<String, String>> {
        R::script(header, &mut rows.iter().map(|row| &*row.bytes))
    }

    fn rematch(&self, header: &[u8], rows: &[Row], client: CommId) -> Result<Option<Create>, String> {
        folded::<R>(header, rows).map(|game| game.rematch(client))
    }

    fn explain(&self, question: &str, about: &str) -> Option<Result<Value, String>> {
        R::explain(question, about)
    }

    fn recall(&self, log: &dyn EventLog, question: &str, about: &str) -> Option<Result<Value, Refused>> {
        R::recall(log, question, about)
    }
}

/// A game as its log leaves it.
pub(crate) fn folded<R: Hosted>(header: &[u8], rows: &[Row]) -> Result<R, String> {
    let header: Header<R::Setup> = Header::decode(header).map_err(|error| error.to_string())?;
    let mut replay = Replay::<R>::new(&header).map_err(|difference| difference.to_string())?;
    for row in rows {
        let entry: EntryOf<R> = Entry::decode(&row.bytes).map_err(|error| error.to_string())?;
        replay.step(&entry).map_err(|difference| difference.to_string())?;
    }
    Ok(replay.into_game())
}
