//! Games of any rulebook, for a host that is independent of their types.

use std::{
    convert::Infallible,
    fmt,
    marker::PhantomData,
    net::IpAddr,
    sync::{Arc, Mutex},
};

use commlib::{Create, Reason, Refused};
use engine::{Chain, CommId, Entry, EntryOf, Header, Outbox, Rulebook, decode_setup};
use serde_json::Value;
use slog::info;

use crate::{
    adapter::{Adapter, AdapterError, Answering, SetupOf, WebFile},
    chronicle::{Chronicle, ChronicleBuilder, Chronicler, Sight},
    clock::{Clock, Timers},
    interner::SetupInterner,
    local::{Local, LocalGame},
    log::{GameHead, LogReader, NewGame, ReplayError, Row, Table},
    peer::Peer,
    progress::{FollowedGame, follow},
    replacing::{Replaced, Replacement},
    room::{
        Begun, Past, Rebuilding, Rebuilt, Room, RoomServices, StartedRoom, Watermark, folded, game_logger, history,
    },
    story::{Story, ViewStory},
    sync::lock,
};

/// A rulebook without its types, as a host plays it.
pub trait HostedGame: Send + Sync {
    /// The name of the rulebook.
    fn name(&self) -> &'static str;

    /// The supported versions of the rules. Games of other versions are not folded.
    fn rules_versions(&self) -> &'static [u32];

    /// Whether clients play it over the common wire. Other rulebooks have a gateway of their own.
    fn is_on_common_wire(&self) -> bool;

    /// The length of generated game names.
    fn name_length(&self) -> usize;

    /// The tables of the rulebook in the store.
    fn tables(&self) -> &'static [&'static Table];

    /// Creates a game and its room, for a client of this address.
    ///
    /// # Errors
    /// If the setup is refused, or the host does not offer a bot that the setup names.
    fn create(
        &self,
        services: &Arc<RoomServices>,
        name: &str,
        create: &Create,
        seed: i64,
        by: Option<IpAddr>,
    ) -> Result<StartedRoom, Refused>;

    /// Starts a game in this process. Not all clients have to find a seat. Reserved seats have their bots, the others these bots in
    /// turn; players without one take offers at random.
    ///
    /// # Errors
    /// If the setup is refused.
    fn local(&self, create: &Create, seed: i64, clients: u32, bots: &[String]) -> Result<Box<dyn LocalGame>, Refused>;

    /// The bots that can play in a game in this process.
    fn local_bots(&self) -> Vec<&'static str>;

    /// What a client of this scenario will be told, in words.
    ///
    /// # Errors
    /// If the setup is refused.
    fn story(&self, create: &Create) -> Result<Box<dyn Story>, Refused>;

    /// Begins to replay a game as its log grows.
    ///
    /// # Errors
    /// If the header cannot be decoded, or does not agree with the rules.
    fn follow(&self, header: &[u8]) -> Result<Box<dyn FollowedGame>, ReplayError>;

    /// Begins to rebuild a game from its header.
    ///
    /// # Errors
    /// If the header cannot be decoded, or belongs to other rules.
    fn rebuild(
        &self,
        name: &str,
        header: &[u8],
        setups: &Mutex<SetupInterner>,
    ) -> Result<Box<dyn Rebuilding>, ReplayError>;

    /// Puts the stored events of a finished game into a peer's queue.
    ///
    /// # Errors
    /// If the header or an entry cannot be decoded.
    fn replay(
        &self,
        header: &[u8],
        setups: &Mutex<SetupInterner>,
        rows: &[Row],
        peer: &mut Peer,
        seen: u64,
    ) -> Result<Past, ReplayError>;

    /// The bytes of an entry with words replaced in all of its texts.
    ///
    /// # Errors
    /// If the entry cannot be decoded.
    fn replace_in_entry(&self, row: &Row, words: &[Replacement]) -> Result<Vec<u8>, ReplayError>;

    /// The text of the scenario within a header, if the rulebook has one.
    ///
    /// # Errors
    /// If the header cannot be decoded.
    fn scenario(&self, header: &[u8]) -> Result<Option<String>, ReplayError>;

    /// The title of a scenario, for lists of games.
    fn title(&self, scenario: Option<&str>) -> String;

    /// The rulebook in a sentence; empty if it has none.
    fn about(&self) -> &'static str;

    /// The scenarios that a client can select by name, the easiest first.
    fn scenarios(&self) -> Vec<&'static str>;

    /// A scenario in a sentence; empty if it has none.
    fn about_scenario(&self, name: &str) -> &'static str;

    /// The files of the rulebook's pages.
    fn web(&self) -> &'static [WebFile];

    /// The chronicle of a game before its first entry.
    ///
    /// # Errors
    /// If the header cannot be decoded.
    fn chronicle(&self, head: &GameHead, sight: Sight) -> Result<Box<dyn Chronicle>, ReplayError>;

    /// The script that plays a game again; `None` if the rulebook has no scripts.
    fn script(&self, header: &[u8], rows: &[Row]) -> Option<Result<String, AdapterError>>;

    /// The rematch that a player of a finished game may request.
    ///
    /// # Errors
    /// If the game cannot be rebuilt from its log.
    fn rematch(&self, header: &[u8], rows: &[Row], client: CommId) -> Result<Option<Create>, ReplayError>;

    /// Answers a page's question about the rules; `None` if the rulebook does not support the question.
    fn query_rules(&self, question: &str, about: &str) -> Option<Result<Value, AdapterError>>;

    /// Answers a page's question about stored games; `None` if the rulebook does not support the question.
    fn query_log<'a>(&self, log: &'a dyn LogReader, question: &'a str, about: &'a str) -> Option<Answering<'a>>;
}

/// An adapter without its type: `Erased::<MyGame>::NEW` is a [`HostedGame`].
#[derive(Debug)]
pub struct Erased<A>(PhantomData<fn() -> A>);

impl<A> Erased<A> {
    /// The value to put into a [`GameTable`].
    pub const NEW: Self = Self(PhantomData);
}

impl<A: Adapter> HostedGame for Erased<A> {
    fn name(&self) -> &'static str {
        A::Rules::NAME
    }

    fn rules_versions(&self) -> &'static [u32] {
        A::Rules::VERSIONS
    }

    fn is_on_common_wire(&self) -> bool {
        !A::HANDLE
    }

    fn name_length(&self) -> usize {
        A::NAME_LENGTH
    }

    fn tables(&self) -> &'static [&'static Table] {
        A::TABLES
    }

    fn create(
        &self,
        services: &Arc<RoomServices>,
        name: &str,
        create: &Create,
        seed: i64,
        by: Option<IpAddr>,
    ) -> Result<StartedRoom, Refused> {
        let rulebook = A::Rules::NAME;
        let setup = A::setup(create).map_err(|error| Refused::new(Reason::BadScenario, error.to_string()))?;
        let bots = A::bots(&setup);
        services.opponents.check(rulebook, bots.iter().map(|(_, bot)| *bot))?;
        let bot_seats = services.addresses.bots(by, bots.len())?;
        drop(bots);
        let header = Header::new::<A::Rules>(name, services.world.now(), setup.clone(), seed);
        let bytes = header.encode();
        let own = Header::split(&bytes).map(|(_, setup)| setup).expect("a header that was just written");
        let shared = lock(&services.setups).share(own, || Ok::<_, Infallible>(setup));
        let setup = shared.unwrap_or_else(|never| match never {});
        let mut outbox = Outbox::new();
        let game = A::Rules::start(&setup, seed, &mut outbox);
        // The clock starts before the timers, so that no timer is due earlier than the game's own clock says.
        let clock = Clock::from(0);
        let mut timers = Timers::new();
        timers.change(outbox.timers(), clock.elapsed());
        let watermark = Arc::new(Watermark::default());
        let scenario = A::scenario(&setup).map(Into::into);
        let key = services.log.create(NewGame::new(name, &header, scenario, header.created), watermark.clone());
        services.metrics.games_created.add(1);
        let logger = game_logger(&services.logger, name);
        info!(logger, "game created"; "rulebook" => rulebook, "edition" => &header.edition);
        let begun = Begun { name: name.into(), key, setup, game, clock, watermark, bot_seats };
        Ok(Room::<A>::new(services, begun, Chain::new(&bytes), timers).start())
    }

    fn local(&self, create: &Create, seed: i64, clients: u32, bots: &[String]) -> Result<Box<dyn LocalGame>, Refused> {
        Local::<A>::new(create, seed, clients, bots).map(|game| Box::new(game) as Box<dyn LocalGame>)
    }

    fn local_bots(&self) -> Vec<&'static str> {
        A::local_bots()
    }

    fn story(&self, create: &Create) -> Result<Box<dyn Story>, Refused> {
        let setup = A::setup(create).map_err(|error| Refused::new(Reason::BadScenario, error.to_string()))?;
        Ok(Box::new(ViewStory::<A>::new(&setup)))
    }

    fn follow(&self, header: &[u8]) -> Result<Box<dyn FollowedGame>, ReplayError> {
        follow::<A>(header)
    }

    fn rebuild(
        &self,
        name: &str,
        header: &[u8],
        setups: &Mutex<SetupInterner>,
    ) -> Result<Box<dyn Rebuilding>, ReplayError> {
        Rebuilt::<A>::new(name, header, setups).map(|game| Box::new(game) as Box<dyn Rebuilding>)
    }

    fn replay(
        &self,
        header: &[u8],
        setups: &Mutex<SetupInterner>,
        rows: &[Row],
        peer: &mut Peer,
        seen: u64,
    ) -> Result<Past, ReplayError> {
        let (_, setup) = Header::split(header).map_err(ReplayError::Header)?;
        let setup: SetupOf<A> = lock(setups).share(setup, || decode_setup(setup)).map_err(ReplayError::Header)?;
        history::<A>(rows.iter(), &setup, peer, seen)
    }

    fn replace_in_entry(&self, row: &Row, words: &[Replacement]) -> Result<Vec<u8>, ReplayError> {
        let Row { sequence, bytes, .. } = row;
        let entry: EntryOf<A::Rules> =
            Entry::decode(bytes).map_err(|source| ReplayError::Entry { sequence: *sequence, source })?;
        Ok(postcard::to_allocvec(&Replaced { value: &entry, words }).expect("an entry always has a form in bytes"))
    }

    fn scenario(&self, header: &[u8]) -> Result<Option<String>, ReplayError> {
        let header: Header<SetupOf<A>> = Header::decode(header).map_err(ReplayError::Header)?;
        Ok(A::scenario(&header.setup).map(Into::into))
    }

    fn title(&self, scenario: Option<&str>) -> String {
        A::title(scenario)
    }

    fn about(&self) -> &'static str {
        A::about()
    }

    fn scenarios(&self) -> Vec<&'static str> {
        A::scenarios()
    }

    fn about_scenario(&self, name: &str) -> &'static str {
        A::about_scenario(name)
    }

    fn web(&self) -> &'static [WebFile] {
        A::web()
    }

    fn chronicle(&self, head: &GameHead, sight: Sight) -> Result<Box<dyn Chronicle>, ReplayError> {
        ChronicleBuilder::<A>::new(head, sight).map(|builder| Box::new(builder) as Box<dyn Chronicle>)
    }

    fn script(&self, header: &[u8], rows: &[Row]) -> Option<Result<String, AdapterError>> {
        A::script(header, &mut rows.iter().map(|row| &*row.bytes))
    }

    fn rematch(&self, header: &[u8], rows: &[Row], client: CommId) -> Result<Option<Create>, ReplayError> {
        folded::<A>(header, rows).map(|game| A::rematch(&game, client))
    }

    fn query_rules(&self, question: &str, about: &str) -> Option<Result<Value, AdapterError>> {
        A::query_rules(question, about)
    }

    fn query_log<'a>(&self, log: &'a dyn LogReader, question: &'a str, about: &'a str) -> Option<Answering<'a>> {
        A::query_log(log, question, about)
    }
}

/// All games that a host offers, by name.
#[derive(Clone, Default)]
pub struct GameTable(Vec<&'static dyn HostedGame>);

impl GameTable {
    /// The first game is the default for clients that name none.
    pub fn new(games: Vec<&'static dyn HostedGame>) -> Self {
        Self(games)
    }

    /// The game with this name.
    pub fn named(&self, name: &str) -> Option<&'static dyn HostedGame> {
        self.iter().find(|game| game.name() == name)
    }

    /// All games.
    pub fn iter(&self) -> impl Iterator<Item = &'static dyn HostedGame> {
        self.0.iter().copied()
    }
}

impl fmt::Debug for GameTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter().map(HostedGame::name)).finish()
    }
}

impl Chronicler for GameTable {
    fn chronicle(&self, head: &GameHead, sight: Sight) -> Option<Result<Box<dyn Chronicle>, ReplayError>> {
        self.named(&head.record.about.rulebook).map(|game| game.chronicle(head, sight))
    }
}
