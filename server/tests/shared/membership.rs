//! The promises of [`Membership`] and of the fence, as rows that run with every store that several hosts share.
//!
//! [`check_all`] runs each of them on an empty store of its own. It never waits for time to pass.

use std::{
    future::poll_fn,
    sync::{Arc, Mutex, PoisonError},
    task::{Poll, Waker},
};

use engine::{Cause, Chain, CommId, Emission, FORMAT, Header, Input};
use server::{
    cluster::{
        Addresses, Claim, Claimed, FoldedRules, HandOver, HostInfo, HostState, Incarnation, ListedGame, Member,
        Membership, MembershipError, Owner, PeerHost, SharedText,
    },
    log::{Acknowledge, Ending, EventLog, GameKey, NewGame, Row, StoreError, StoredClient},
};

/// An empty store, which hosts can open.
pub(crate) trait SharedStore {
    /// The store as one more process has it. A call for each process.
    fn open(&self) -> (Arc<dyn Membership>, Arc<dyn EventLog>);
}

/// Runs every row, each with a store of its own.
pub(crate) async fn check_all(store: impl AsyncFn() -> Box<dyn SharedStore>) {
    registering(&*store().await).await;
    beating(&*store().await).await;
    burying(&*store().await).await;
    the_fence(&*store().await).await;
    registering_again(&*store().await).await;
    names_of_hosts(&*store().await).await;
    claiming(&*store().await).await;
    claiming_by_name(&*store().await).await;
    rules_that_are_folded(&*store().await).await;
    handing_over(&*store().await).await;
    draining(&*store().await).await;
    owners(&*store().await).await;
    opening_games_of_others(&*store().await).await;
    names_of_games(&*store().await).await;
    lists(&*store().await).await;
    shared_texts(&*store().await).await;
    leaving(&*store().await).await;
}

/// A host as these rows need it.
struct Host {
    membership: Arc<dyn Membership>,
    log: Arc<dyn EventLog>,
    name: String,
    incarnation: Incarnation,
}

impl Host {
    async fn register(store: &dyn SharedStore, name: &str) -> Self {
        let (membership, log) = store.open();
        let incarnation = membership.register(info(name, &[1])).await.expect("a registration");
        Self { membership, log, name: name.into(), incarnation }
    }

    async fn beat(&self) -> Vec<Member> {
        self.membership.beat(HostState::default()).await.expect("a beat")
    }

    /// Buries another host, which has not beaten yet or whose beat is known.
    async fn bury(&self, other: &Self) {
        let members = self.membership.members().await.expect("the table");
        let seen = members.iter().find(|member| member.incarnation == other.incarnation).expect("a row").sighting();
        assert!(self.membership.bury(seen).await.expect("an answer"), "{} is dead", other.name);
    }

    async fn claim(&self, which: Claim, limit: usize) -> Vec<Claimed> {
        let mut claimed = self.membership.claim(which, limit).await.expect("a claim");
        claimed.sort_by_key(|game| game.key);
        claimed
    }

    /// The names of all games that it can claim.
    async fn claim_any(&self) -> Vec<String> {
        self.claim(Claim::Any, 100).await.into_iter().map(|game| game.name).collect()
    }
}

fn info(name: &str, versions: &[u32]) -> HostInfo {
    let address = |port: &str| Some(format!("{name}.example:{port}"));
    HostInfo {
        name: name.into(),
        addresses: Addresses { client: address("1"), http: None, cluster: address("3") },
        version: "7.8".into(),
        rules: vec![
            FoldedRules { rulebook: "other".into(), versions: vec![9] },
            FoldedRules { rulebook: "stones".into(), versions: versions.to_vec() },
        ],
    }
}

/// A game of a host.
struct Game {
    key: GameKey,
    name: String,
    ear: Arc<Ear>,
    chain: Chain,
    rows: Vec<Row>,
}

impl Game {
    fn begin(host: &Host, name: &str, rules_version: u32) -> Self {
        let (game, rulebook, edition) = (name.into(), "stones".into(), "short".into());
        let (created, parent, setup) = (0, None, "3 stones".to_owned());
        let header = Header { format: FORMAT, game, created, rulebook, edition, rules_version, seed: 7, parent, setup };
        let ear = Arc::new(Ear::default());
        let key = host.log.create(NewGame::new(name, &header, None, 1_000), ear.clone());
        Self { key, name: name.into(), ear, chain: Chain::new(&header.encode()), rows: Vec::new() }
    }

    /// A game that is stored.
    async fn create(host: &Host, name: &str) -> Self {
        let game = Self::begin(host, name, 1);
        game.ear.durable(0).await;
        game
    }

    fn append(&mut self, host: &Host) {
        let command = "take a stone".to_owned();
        let input: Input<_, ()> = Input { elapsed_ms: 3, cause: Cause::Command { client: CommId(1), command } };
        let link = self.chain.append(4, &input, &[] as &[Emission<()>]);
        let row = Row { sequence: link.sequence, bytes: link.bytes.to_vec(), digest: link.digest };
        self.rows.push(row.clone());
        host.log.append(self.key, row, Vec::new());
    }

    /// Opens the game on a host, from its durable entries.
    fn resume(&mut self, host: &Host, entries: u64) {
        self.ear = Arc::new(Ear::default());
        let digest = self.rows.get(entries as usize - 1).map(|row| row.digest).expect("an entry");
        self.chain = Chain::after(entries, digest);
        self.rows.truncate(entries as usize);
        host.log.resume(self.key, entries + 1, self.ear.clone());
    }

    async fn entries(&self, host: &Host) -> usize {
        host.log.rows(self.key, 1).await.expect("entries").len()
    }
}

async fn registering(store: &dyn SharedStore) {
    let (reader, _) = store.open();
    assert_eq!(reader.members().await.expect("the table"), [], "reading needs no registration");
    assert!(matches!(reader.beat(HostState::default()).await, Err(MembershipError::NotRegistered)));
    assert!(matches!(reader.claim(Claim::Any, 1).await, Err(MembershipError::NotRegistered)));

    let a = Host::register(store, "a").await;
    let b = Host::register(store, "b").await;
    assert!(a.incarnation < b.incarnation);
    let row = |host: &Host| Member {
        incarnation: host.incarnation,
        info: info(&host.name, &[1]),
        beat: 0,
        alive: true,
        state: HostState::default(),
    };
    assert_eq!(reader.members().await.expect("the table"), [row(&a), row(&b)]);
}

async fn beating(store: &dyn SharedStore) {
    let a = Host::register(store, "a").await;
    let b = Host::register(store, "b").await;
    let beats = |members: &[Member]| members.iter().map(|member| member.beat).collect::<Vec<_>>();
    assert_eq!(beats(&a.beat().await), [1, 0], "the answer has this beat");
    assert_eq!(beats(&a.beat().await), [2, 0]);
    let state = HostState { draining: true, games: 12 };
    let members = b.membership.beat(state).await.expect("a beat");
    assert_eq!(beats(&members), [2, 1], "a beat raises its own number alone");
    assert_eq!(members[1].state, state);
    assert_eq!(a.beat().await[1].state, state);
}

async fn burying(store: &dyn SharedStore) {
    let a = Host::register(store, "a").await;
    let b = Host::register(store, "b").await;
    let seen = b.beat().await[1].sighting();
    b.beat().await;
    assert!(!a.membership.bury(seen).await.expect("an answer"), "it has beaten since");
    let seen = a.beat().await[1].sighting();
    assert!(a.membership.bury(seen).await.expect("an answer"));
    assert!(!a.membership.bury(seen).await.expect("an answer"), "it is dead already");

    let buried = |error: &MembershipError| match error {
        MembershipError::Buried { incarnation } => *incarnation == b.incarnation,
        MembershipError::NotRegistered | MembershipError::Replaced { .. } | MembershipError::Store(_) => false,
    };
    let state = HostState::default();
    assert!(b.membership.beat(state).await.is_err_and(|error| buried(&error)));
    assert!(b.membership.claim(Claim::Any, 1).await.is_err_and(|error| buried(&error)));
    assert!(b.membership.owned().await.is_err_and(|error| buried(&error)));
    let seen = a.beat().await[0].sighting();
    assert!(b.membership.bury(seen).await.is_err_and(|error| buried(&error)), "the dead bury no host");
    a.beat().await;
}

async fn the_fence(store: &dyn SharedStore) {
    let a = Host::register(store, "a").await;
    let b = Host::register(store, "b").await;
    let mut game = Game::create(&b, "one").await;
    let mut other = Game::create(&b, "other").await;
    game.append(&b);
    game.ear.durable(1).await;
    other.append(&b);
    other.ear.durable(1).await;
    a.bury(&b).await;

    game.append(&b);
    assert_eq!(game.ear.failed().await, format!("another host owns game {}", game.key));
    assert_eq!(game.entries(&a).await, 1, "nothing was stored");
    let (done, added) = answer();
    b.log.add_client(other.key, client(1), done);
    assert!(matches!(&*added.get().await.expect_err("fenced"), StoreError::Fenced { .. }));
    assert!(a.log.clients(other.key).await.expect("clients").is_empty());
    let third = Game::begin(&b, "third", 1);
    third.ear.failed().await;
    assert!(a.log.find("third").await.expect("an answer").is_none());
    let mut again = Game { ear: Arc::default(), ..game };
    again.resume(&b, 1);
    again.ear.failed().await;

    // The end of a game cannot be stored either. The new owner continues it.
    let c = Host::register(store, "c").await;
    let fourth = Game::create(&c, "fourth").await;
    a.bury(&c).await;
    let (done, ended) = answer();
    c.log.finish(fourth.key, ending(), done);
    assert!(matches!(&*ended.get().await.expect_err("fenced"), StoreError::Fenced { .. }));
    assert_eq!(a.claim_any().await, ["one", "other", "fourth"]);
    again.resume(&a, 1);
    again.ear.durable(1).await;
    again.append(&a);
    again.ear.durable(2).await;
}

async fn registering_again(store: &dyn SharedStore) {
    let a = Host::register(store, "a").await;
    let mut b = Host::register(store, "b").await;
    let mut game = Game::create(&b, "one").await;
    game.append(&b);
    game.ear.durable(1).await;
    a.bury(&b).await;
    let before = b.incarnation;
    b.incarnation = b.membership.register(info("b", &[1])).await.expect("a registration");
    assert!(b.incarnation > before);
    game.ear.failed().await;
    assert_eq!(b.membership.owned().await.expect("an answer"), [], "a new incarnation owns nothing");
    assert_eq!(b.claim_any().await, ["one"], "but it can claim what was its own");
    assert_eq!(a.claim_any().await, [""; 0]);
    game.resume(&b, 1);
    game.ear.durable(1).await;
    game.append(&b);
    game.ear.durable(2).await;
}

async fn names_of_hosts(store: &dyn SharedStore) {
    let first = Host::register(store, "a").await;
    let mut game = Game::create(&first, "one").await;
    let second = Host::register(store, "a").await;
    let replaced = first.membership.beat(HostState::default()).await.expect_err("a later process has its name");
    match replaced {
        MembershipError::Replaced { name, by } => assert_eq!((&*name, by), ("a", second.incarnation)),
        MembershipError::NotRegistered | MembershipError::Buried { .. } | MembershipError::Store(_) => {
            panic!("{replaced}")
        }
    }
    game.append(&first);
    game.ear.failed().await;
    let members = second.beat().await;
    let alive: Vec<Incarnation> =
        members.iter().filter(|member| member.alive).map(|member| member.incarnation).collect();
    assert_eq!(alive, [second.incarnation]);
    let dead: Vec<(Incarnation, u64)> =
        members.iter().filter(|member| !member.alive).map(|member| (member.incarnation, member.state.games)).collect();
    assert_eq!(dead, [(first.incarnation, 1)], "it still owns a game");
    assert_eq!(second.claim_any().await, ["one"], "a process that starts again needs no burial");
}

async fn claiming(store: &dyn SharedStore) {
    let a = Host::register(store, "a").await;
    let b = Host::register(store, "b").await;
    let c = Host::register(store, "c").await;
    let mut names = Vec::new();
    for number in 1..=5 {
        names.push(Game::create(&c, &format!("game {number}")).await.name);
    }
    let over = Game::create(&c, "over").await;
    let (done, ended) = answer();
    c.log.finish(over.key, ending(), done);
    ended.get().await.expect("an end");
    assert_eq!(a.claim_any().await, [""; 0], "their owner is alive");
    a.bury(&c).await;
    let first = a.claim(Claim::Any, 2).await;
    let second = b.claim(Claim::Any, 2).await;
    let third = a.claim(Claim::Any, 100).await;
    assert_eq!((first.len(), second.len(), third.len()), (2, 2, 1), "in batches, and not those that are over");
    let mut claimed: Vec<String> =
        [&first, &second, &third].into_iter().flatten().map(|game| game.name.clone()).collect();
    claimed.sort_unstable();
    assert_eq!(claimed, names, "each of them once");
    assert!(first.iter().all(|game| game.elapsed_ms.is_none()), "none was handed over");
    let mut owned = a.membership.owned().await.expect("an answer");
    owned.sort_by_key(|game| game.key);
    let mut of_a = [first, third].concat();
    of_a.sort_by_key(|game| game.key);
    assert_eq!(owned, of_a);
}

async fn claiming_by_name(store: &dyn SharedStore) {
    let a = Host::register(store, "a").await;
    let b = Host::register(store, "b").await;
    for name in ["one", "two", "three"] {
        Game::create(&b, name).await;
    }
    let named = |names: &[&str]| Claim::Named(names.iter().map(ToString::to_string).collect());
    assert_eq!(a.claim(named(&["two"]), 10).await, [], "its owner is alive");
    a.bury(&b).await;
    let claimed = a.claim(named(&["two", "missing"]), 10).await;
    assert_eq!(claimed.iter().map(|game| &*game.name).collect::<Vec<_>>(), ["two"]);
    assert_eq!(a.claim(named(&["two"]), 10).await, [], "it is this host's own already");
    assert_eq!(a.claim_any().await, ["one", "three"]);
}

async fn rules_that_are_folded(store: &dyn SharedStore) {
    let a = Host::register(store, "a").await;
    let b = Host::register(store, "b").await;
    for version in [1, 2] {
        Game::begin(&b, &format!("version {version}"), version).ear.durable(0).await;
    }
    a.bury(&b).await;
    assert_eq!(a.claim_any().await, ["version 1"]);
    assert_eq!(a.claim(Claim::Named(vec!["version 2".into()]), 1).await, []);
    let (newer, _) = store.open();
    newer.register(info("newer", &[1, 2])).await.expect("a registration");
    let claimed = newer.claim(Claim::Any, 10).await.expect("a claim");
    assert_eq!(claimed.iter().map(|game| &*game.name).collect::<Vec<_>>(), ["version 2"]);
}

async fn handing_over(store: &dyn SharedStore) {
    let a = Host::register(store, "a").await;
    let b = Host::register(store, "b").await;
    let mut one = Game::create(&b, "one").await;
    one.append(&b);
    one.ear.durable(1).await;
    let two = Game::create(&b, "two").await;
    let of_a = Game::create(&a, "of a").await;
    let give = |game: &Game, elapsed_ms| HandOver { key: game.key, elapsed_ms };
    for _ in 0..2 {
        b.membership.hand_over(vec![give(&one, 1234), give(&of_a, 1)]).await.expect("it can be repeated");
    }
    one.append(&b);
    let (done, added) = answer();
    b.log.add_client(one.key, client(1), done);
    assert!(added.get().await.is_err(), "the game is closed for writing");
    assert_eq!(one.entries(&a).await, 1);

    let claimed = a.claim(Claim::Any, 10).await;
    assert_eq!(claimed, [Claimed { key: one.key, name: "one".into(), elapsed_ms: Some(1234) }]);
    one.resume(&a, 1);
    one.append(&a);
    one.ear.durable(2).await;
    let (done, added) = answer();
    b.log.add_client(two.key, client(1), done);
    added.get().await.expect("the other game stays where it is");
    a.bury(&b).await;
    let claimed = a.claim(Claim::Any, 10).await;
    assert_eq!(claimed, [Claimed { key: two.key, name: "two".into(), elapsed_ms: None }]);
}

async fn draining(store: &dyn SharedStore) {
    let a = Host::register(store, "a").await;
    let b = Host::register(store, "b").await;
    Game::create(&b, "one").await;
    a.bury(&b).await;
    a.membership.beat(HostState { draining: true, games: 0 }).await.expect("a beat");
    assert_eq!(a.claim_any().await, [""; 0], "a draining host claims nothing");
    assert_eq!(a.claim(Claim::Named(vec!["one".into()]), 1).await, []);
}

async fn owners(store: &dyn SharedStore) {
    let a = Host::register(store, "a").await;
    let b = Host::register(store, "b").await;
    let game = Game::create(&b, "one").await;
    let two = Game::create(&b, "two").await;
    let owner = async |host: &Host, game: &str| host.membership.owner(game).await.expect("an answer");
    let peer = PeerHost { name: "b".into(), incarnation: b.incarnation, addresses: info("b", &[]).addresses };
    assert_eq!(owner(&a, "missing").await, None);
    let mine = |elapsed_ms| Some(Owner::ThisHost(Claimed { key: game.key, name: "one".into(), elapsed_ms }));
    assert_eq!(owner(&b, "one").await, mine(None));
    assert_eq!(owner(&a, "one").await, Some(Owner::Host(peer)));
    let given = vec![HandOver { key: game.key, elapsed_ms: 70 }];
    b.membership.hand_over(given).await.expect("a hand-over");
    assert_eq!(owner(&a, "one").await, Some(Owner::Free));
    a.claim_any().await;
    assert_eq!(owner(&a, "one").await, mine(Some(70)));
    a.bury(&b).await;
    assert_eq!(owner(&a, "two").await, Some(Owner::Free));
    a.claim_any().await;
    let mut two = two;
    two.ear = Arc::default();
    a.log.resume(two.key, 1, two.ear.clone());
    two.ear.durable(0).await;
    let (done, ended) = answer();
    a.log.finish(two.key, ending(), done);
    ended.get().await.expect("an end");
    assert_eq!(owner(&a, "two").await, None, "it is over");
}

async fn opening_games_of_others(store: &dyn SharedStore) {
    let a = Host::register(store, "a").await;
    let b = Host::register(store, "b").await;
    let mut game = Game::create(&b, "one").await;
    game.append(&b);
    game.ear.durable(1).await;
    let ear = Arc::new(Ear::default());
    a.log.resume(game.key, 2, ear.clone());
    assert_eq!(ear.failed().await, format!("another host owns game {}", game.key));
    game.append(&b);
    game.ear.durable(2).await;
}

async fn names_of_games(store: &dyn SharedStore) {
    let a = Host::register(store, "a").await;
    let b = Host::register(store, "b").await;
    let game = Game::create(&a, "one").await;
    let taken = Game::begin(&b, "one", 1);
    assert_eq!(taken.ear.failed().await, "there is a game one already");
    assert_ne!(game.key, taken.key);
    let mut keys = vec![game.key, taken.key];
    for number in 0..10 {
        let host = if number % 2 == 0 { &a } else { &b };
        keys.push(Game::create(host, &format!("game {number}")).await.key);
    }
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), 12, "no key is given twice");
}

async fn lists(store: &dyn SharedStore) {
    let a = Host::register(store, "a").await;
    let b = Host::register(store, "b").await;
    let two = Game::create(&a, "two").await;
    let one = Game::create(&b, "one").await;
    let players = vec!["Ana".to_owned(), "Bo".to_owned()];
    let mine_and_theirs = vec![(two.key, players.clone()), (one.key, players.clone())];
    a.membership.publish(mine_and_theirs).await.expect("an answer");
    let listed = |name: &str, players: &[String]| ListedGame {
        name: name.into(),
        rulebook: "stones".into(),
        edition: "short".into(),
        players: players.to_vec(),
    };
    let both = [listed("one", &[]), listed("two", &players)];
    assert_eq!(b.membership.open_games(10).await.expect("a list"), both);
    assert_eq!(a.membership.open_games(1).await.expect("a list"), both[..1]);
    let page = b.log.page(None, 10).await.expect("a page");
    let found = page.iter().find(|record| record.key == two.key).expect("the game");
    assert_eq!(found.players.as_deref(), Some(&players[..]), "readers find them, too");
    let (done, ended) = answer();
    a.log.finish(two.key, ending(), done);
    ended.get().await.expect("an end");
    assert_eq!(b.membership.open_games(10).await.expect("a list"), both[..1]);
}

async fn shared_texts(store: &dyn SharedStore) {
    let a = Host::register(store, "a").await;
    let b = Host::register(store, "b").await;
    let read = async |host: &Host, name: &str| host.membership.shared_text(name.into()).await.expect("a text");
    let write = async |host: &Host, name: &str, version, text: &str| {
        host.membership.replace_text(name.into(), version, text.into()).await
    };
    let is = |version, text: &str| SharedText { version, text: text.into() };
    assert_eq!(read(&a, "one").await, is(0, ""), "nothing was written");
    assert!(write(&a, "one", 0, "first").await.expect("an answer"));
    assert_eq!(read(&b, "one").await, is(1, "first"));
    assert!(!write(&b, "one", 0, "second").await.expect("an answer"), "it has not read the first");
    assert!(write(&b, "one", 1, "second").await.expect("an answer"));
    assert!(!write(&a, "one", 1, "third").await.expect("an answer"));
    assert_eq!((read(&a, "one").await, read(&a, "two").await), (is(2, "second"), is(0, "")));
    // Of two that write at the same time, one succeeds.
    let (one, other) = tokio::join!(write(&a, "two", 0, "a"), write(&b, "two", 0, "b"));
    assert!(one.expect("an answer") != other.expect("an answer"));
    a.bury(&b).await;
    let refused = write(&b, "one", 2, "from a dead host").await;
    assert!(matches!(refused, Err(MembershipError::Buried { .. })), "{refused:?}");
    assert_eq!(read(&a, "one").await, is(2, "second"));
}

async fn leaving(store: &dyn SharedStore) {
    let a = Host::register(store, "a").await;
    let b = Host::register(store, "b").await;
    let game = Game::create(&b, "one").await;
    b.membership.leave().await.expect("an answer");
    game.ear.failed().await;
    assert!(matches!(b.membership.beat(HostState::default()).await, Err(MembershipError::NotRegistered)));
    let late = Game::begin(&b, "late", 1);
    late.ear.failed().await;
    let rows: Vec<(String, bool)> = a.beat().await.into_iter().map(|row| (row.info.name, row.alive)).collect();
    assert_eq!(rows, [("a".into(), true), ("b".into(), false)]);
    assert_eq!(a.claim_any().await, ["one"]);
}

fn client(id: u32) -> StoredClient {
    StoredClient { client: CommId(id), token_hash: [id as u8; 32], name: String::new(), joined: 2_000 }
}

fn ending() -> Ending {
    Ending { outcome: "won".into(), at: 9, players: Vec::new(), results: Vec::new() }
}

/// Waits for what a store answers, from whichever thread it does.
#[derive(Debug, Default)]
struct Ear {
    heard: Mutex<Heard>,
}

#[derive(Debug, Default)]
struct Heard {
    durable: Option<u64>,
    failed: Option<String>,
    waker: Option<Waker>,
}

impl Ear {
    fn change(&self, change: impl FnOnce(&mut Heard)) {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut heard);
        let waker = heard.waker.take();
        drop(heard);
        waker.into_iter().for_each(Waker::wake);
    }

    async fn wait<T>(&self, mut found: impl FnMut(&Heard) -> Option<T>) -> T {
        poll_fn(|cx| {
            let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
            match found(&heard) {
                Some(found) => Poll::Ready(found),
                None => {
                    heard.waker = Some(cx.waker().clone());
                    Poll::Pending
                }
            }
        })
        .await
    }

    /// Waits until an entry is durable.
    async fn durable(&self, sequence: u64) {
        self.wait(|heard| {
            assert_eq!(heard.failed, None, "entry {sequence} must be durable");
            heard.durable.filter(|durable| *durable >= sequence)
        })
        .await;
    }

    /// Waits until the game has failed, and says why.
    async fn failed(&self) -> String {
        self.wait(|heard| heard.failed.clone()).await
    }
}

impl Acknowledge for Ear {
    fn durable(&self, through: u64) {
        self.change(|heard| {
            assert!(heard.failed.is_none(), "{through} is durable after a failure");
            heard.durable = Some(through);
        });
    }

    fn failed(&self, error: Arc<StoreError>) {
        self.change(|heard| {
            assert!(heard.failed.is_none(), "a second failure: {error}");
            heard.failed = Some(error.to_string());
        });
    }
}

/// The answer of a store to one write.
struct Answer(tokio::sync::oneshot::Receiver<Result<(), Arc<StoreError>>>);

impl Answer {
    async fn get(self) -> Result<(), Arc<StoreError>> {
        self.0.await.expect("an answer")
    }
}

fn answer() -> (server::log::Stored, Answer) {
    let (sender, receiver) = tokio::sync::oneshot::channel();
    (Box::new(move |result| drop(sender.send(result))), Answer(receiver))
}
