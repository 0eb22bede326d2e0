//! Several hosts on one store: takeover, burial, draining, names and lists.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use commlib::{Create, Form, Reason, Want};
use server::{
    ClusterOptions, HostError, Limits, Options,
    cluster::{
        Addresses, Answering, Claim, Claimed, HandOver, HostInfo, HostState, Incarnation, ListedGame, Member,
        Membership, MembershipError, MemoryCluster, MemoryMember, Owner, SharedText, Sighting,
    },
    log::{GameKey, StoreError},
};
use tokio::sync::watch;

use crate::{
    clock::Clock,
    counter::Command,
    support::{Port, Rejection, Served, create_with_timeout, hello, join, options, resume, watch},
};

/// A membership that can be cut off from its store: nothing is answered until it is joined again.
#[derive(Debug)]
pub(crate) struct Cuttable {
    inner: Arc<MemoryMember>,
    is_cut: watch::Sender<bool>,
    /// How many registrations still fail.
    failing: AtomicU32,
}

impl Cuttable {
    pub(crate) fn new(inner: Arc<MemoryMember>) -> Self {
        Self { inner, is_cut: watch::Sender::new(false), failing: AtomicU32::new(0) }
    }

    async fn joined(&self) {
        let mut is_cut = self.is_cut.subscribe();
        let _never_dropped = is_cut.wait_for(|is_cut| !is_cut).await;
    }

    pub(crate) fn cut(&self, is_cut: bool) {
        self.is_cut.send_replace(is_cut);
    }
}

macro_rules! passed_on {
    ($($name:ident($($argument:ident: $type:ty),*) -> $answer:ty;)*) => {
        $(fn $name(&self, $($argument: $type),*) -> Answering<'_, $answer> {
            Box::pin(async move {
                self.joined().await;
                self.inner.$name($($argument),*).await
            })
        })*
    };
}

impl Membership for Cuttable {
    passed_on! {
        beat(state: HostState) -> Vec<Member>;
        members() -> Vec<Member>;
        bury(seen: Sighting) -> bool;
        claim(which: Claim, limit: usize) -> Vec<Claimed>;
        owned() -> Vec<Claimed>;
        hand_over(games: Vec<HandOver>) -> ();
        publish(players: Vec<(GameKey, Vec<String>)>) -> ();
        open_games(limit: usize) -> Vec<ListedGame>;
        shared_text(name: String) -> SharedText;
        replace_text(name: String, version: u64, text: String) -> bool;
        leave() -> ();
    }

    fn register(&self, host: HostInfo) -> Answering<'_, Incarnation> {
        Box::pin(async move {
            self.joined().await;
            let fails = |failing: u32| failing.checked_sub(1);
            if self.failing.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fails).is_ok() {
                let fault = StoreError::Injected { write: 0 };
                return Err(MembershipError::Store(StoreError::Unavailable(Arc::new(fault))));
            }
            self.inner.register(host).await
        })
    }

    fn owner<'a>(&'a self, game: &'a str) -> Answering<'a, Option<Owner>> {
        Box::pin(async move {
            self.joined().await;
            self.inner.owner(game).await
        })
    }
}

/// A host of a cluster, with its own access to the store.
struct Hosted {
    served: Served,
    membership: Arc<Cuttable>,
}

impl Hosted {
    async fn start(cluster: &Arc<MemoryCluster>, name: &str) -> Self {
        Self::try_start(cluster, name, 0).await.expect("a registration")
    }

    /// Starts a host whose first registrations fail.
    async fn try_start(cluster: &Arc<MemoryCluster>, name: &str, failing: u32) -> Result<Self, HostError> {
        let member = cluster.open();
        let membership = Arc::new(Cuttable::new(member.clone()));
        membership.failing.store(failing, Ordering::Relaxed);
        let limits = Limits { store_patience: Duration::from_secs(2), ..Limits::default() };
        let options = ClusterOptions {
            membership: membership.clone(),
            name: name.into(),
            version: "1".into(),
            secret: None,
            tls: None,
        };
        let served = Served::open(Options { cluster: Some(options), ..self::options(member, limits) }).await;
        let client = Some(served.address.to_string());
        served.host.join(Addresses { client, ..Addresses::default() }).await?;
        Ok(Self { served, membership })
    }

    async fn alive(&self) -> Vec<String> {
        let members = self.membership.inner.members().await.expect("the table");
        members.into_iter().filter(|member| member.alive).map(|member| member.info.name).collect()
    }

    fn games(&self) -> Vec<String> {
        self.served.host.list().into_iter().map(|game| game.game).collect()
    }
}

/// Seconds of the driven clock, in steps that let every task react.
pub(crate) async fn pass(clock: &Clock, seconds: u64) {
    clock.until(tokio::time::sleep(Duration::from_secs(seconds))).await;
}

/// The store may be slow just when a host starts. If it stays away, the host says so.
#[tokio::test]
async fn a_host_that_starts_tries_to_register_for_a_while() {
    let clock = Clock::stop();
    let cluster = MemoryCluster::new();
    let a = clock.until(Hosted::try_start(&cluster, "a", 3)).await.expect("a registration");
    assert_eq!(a.alive().await, ["a"]);
    let since = tokio::time::Instant::now();
    assert!(clock.until(Hosted::try_start(&cluster, "b", u32::MAX)).await.is_err(), "it does not wait forever");
    assert!(since.elapsed() < Duration::from_secs(12), "it took {:?}", since.elapsed());
}

#[tokio::test]
async fn a_dead_host_loses_its_games_to_another() {
    let clock = Clock::stop();
    let cluster = MemoryCluster::new();
    let a = clock.until(Hosted::start(&cluster, "a")).await;
    let b = clock.until(Hosted::start(&cluster, "b")).await;
    let mut ana = clock.until(a.served.creator("100")).await;
    let (game, token) = (ana.game().to_owned(), ana.token());
    ana.add(3).await;
    assert_eq!(clock.until(ana.hears()).await, "3 Counted 3");
    pass(&clock, 2).await;

    a.membership.cut(true);
    pass(&clock, 2).await;
    assert_eq!(b.alive().await, ["a", "b"], "it is too early to say");
    pass(&clock, 4).await;
    assert_eq!(b.alive().await, ["b"]);
    assert_eq!(b.games(), [&*game], "taken over, though no client asked");
    let mut again = clock.until(b.served.enter(Form::Json, resume(&game, token, 3))).await.expect("the place");
    again.add(4).await;
    assert_eq!(clock.until(again.hears()).await, "4 Counted 7");

    // The dead host does not know yet. It admits no client, writes nothing and tells nothing but the end.
    let late = clock.until(a.served.enter(Form::Json, resume(&game, token, 3))).await.err();
    assert_eq!(late, Some(Rejection::Closing(Reason::StoreUnavailable)), "it is not certain to own the game");
    ana.add(9).await;
    assert_eq!(clock.until(ana.rest()).await, "closing ShuttingDown");
    again.add(1).await;
    assert_eq!(clock.until(again.hears()).await, "5 Counted 8");

    // It learns of it, and begins again with a new incarnation.
    a.membership.cut(false);
    pass(&clock, 2).await;
    assert_eq!(b.alive().await, ["b", "a"]);
    assert_eq!(a.games(), [""; 0]);
    let mut connection = a.served.connect(Form::Json).await;
    let error = clock.until(connection.hello(join(&game))).await.expect_err("another host has it");
    assert!(error.to_string().contains(&format!("host b at {}", b.served.address)), "{error}");
    let metrics = server_metrics(&b.served).await;
    for line in [
        "holdfast_cluster_hosts_alive 2",
        "holdfast_cluster_takeovers_total 1",
        "holdfast_cluster_games_taken_over_total 1",
    ] {
        assert!(metrics.contains(line), "{line} in {metrics}");
    }
    let metrics = server_metrics(&a.served).await;
    for line in ["holdfast_cluster_burials_total 1", "holdfast_cluster_games_fenced_total 1"] {
        assert!(metrics.contains(line), "{line} in {metrics}");
    }
}

async fn server_metrics(served: &Served) -> String {
    let port = Port::of(served).await;
    port.get("/metrics").await.body
}

#[tokio::test]
async fn a_buried_host_ends_its_rooms_even_if_no_client_writes() {
    let clock = Clock::stop();
    let cluster = MemoryCluster::new();
    let a = clock.until(Hosted::start(&cluster, "a")).await;
    let b = clock.until(Hosted::start(&cluster, "b")).await;
    let mut ana = clock.until(a.served.creator("100")).await;
    let game = ana.game().to_owned();
    a.membership.cut(true);
    pass(&clock, 6).await;
    assert_eq!(b.games(), [&*game]);
    a.membership.cut(false);
    assert_eq!(clock.until(ana.rest()).await, "closing ShuttingDown");
    pass(&clock, 1).await;
    assert_eq!((a.games().len(), b.games().len()), (0, 1));
}

#[tokio::test]
async fn a_silent_store_buries_no_host() {
    let clock = Clock::stop();
    let cluster = MemoryCluster::new();
    let a = clock.until(Hosted::start(&cluster, "a")).await;
    let b = clock.until(Hosted::start(&cluster, "b")).await;
    let mut ana = clock.until(a.served.creator("100")).await;
    pass(&clock, 2).await;
    a.membership.cut(true);
    b.membership.cut(true);
    pass(&clock, 25).await;
    a.membership.cut(false);
    pass(&clock, 2).await;
    b.membership.cut(false);
    pass(&clock, 10).await;
    assert_eq!(a.alive().await, ["a", "b"]);
    ana.add(1).await;
    assert_eq!(clock.until(ana.hears()).await, "3 Counted 1");
}

/// A host that cannot beat lets no client in. So the clocks of its games stand, and no client misses its time.
#[tokio::test]
async fn no_time_of_a_game_passes_while_clients_wait_for_a_host_that_is_not_certain() {
    let clock = Clock::stop();
    let cluster = MemoryCluster::new();
    let a = clock.until(Hosted::start(&cluster, "a")).await;
    let mut ana = clock.until(a.served.creator("100")).await;
    ana.send(Command::Wait { timer: 1, after: 5_000 }).await;
    assert_eq!(clock.until(ana.hears()).await, "");
    a.membership.cut(true);
    pass(&clock, 4).await;
    // Of a game that is created meanwhile, no time passes before its creator is in it.
    let creating = a.served.enter(Form::Json, create_with_timeout("10", 500));
    let joined = async {
        tokio::time::sleep(Duration::from_millis(700)).await;
        a.membership.cut(false);
    };
    let (bo, ()) = clock.until(async { tokio::join!(creating, joined) }).await;
    let (mut bo, since) = (bo.expect("a game"), tokio::time::Instant::now());
    bo.send(Command::Join { name: "Bo".into() }).await;
    assert_eq!(clock.until(bo.next()).await, "1 Greeted");
    assert_eq!(clock.until(bo.next()).await, "2 Joined Bo");
    assert_eq!(clock.until(bo.next()).await, "3 Rang 0");
    assert!(since.elapsed() > Duration::from_millis(350), "the timer rang after {:?}", since.elapsed());
    assert_eq!(clock.until(ana.next()).await, "3 Rang 1");
    let waited = since.elapsed();
    assert!(waited > Duration::from_millis(1_000) && waited < Duration::from_secs(4), "it rang after {waited:?}");
}

#[tokio::test]
async fn a_host_that_stops_hands_its_games_over_and_gives_no_time_back() {
    let clock = Clock::stop();
    let cluster = MemoryCluster::new();
    let a = clock.until(Hosted::start(&cluster, "a")).await;
    let b = clock.until(Hosted::start(&cluster, "b")).await;
    let mut ana = clock.until(a.served.creator("100")).await;
    let (game, token) = (ana.game().to_owned(), ana.token());
    ana.send(Command::Wait { timer: 1, after: 10_000 }).await;
    assert_eq!(clock.until(ana.hears()).await, "");
    pass(&clock, 7).await;

    clock.until(a.served.stop()).await;
    assert_eq!(clock.until(ana.rest()).await, "closing ShuttingDown");
    assert_eq!(b.alive().await, ["b"], "it has left");
    let mut again = clock.until(b.served.enter(Form::Binary, resume(&game, token, 2))).await.expect("the place");
    let since = tokio::time::Instant::now();
    assert_eq!(clock.until(again.next()).await, "3 Rang 1");
    let waited = since.elapsed();
    assert!(waited < Duration::from_secs(4), "the timer rang when it was due, after {waited:?}");
}

#[tokio::test]
async fn a_host_that_starts_again_has_its_games_at_once() {
    let clock = Clock::stop();
    let cluster = MemoryCluster::new();
    let a = clock.until(Hosted::start(&cluster, "a")).await;
    let ana = clock.until(a.served.creator("100")).await;
    let (game, token) = (ana.game().to_owned(), ana.token());
    // The process is killed: it beats no more.
    a.membership.cut(true);
    let a = clock.until(Hosted::start(&cluster, "a")).await;
    let mut again = clock.until(a.served.enter(Form::Json, resume(&game, token, 2))).await.expect("the place");
    again.add(2).await;
    assert_eq!(clock.until(again.hears()).await, "3 Counted 2");
}

#[tokio::test]
async fn a_host_whose_name_another_process_takes_ends() {
    let clock = Clock::stop();
    let cluster = MemoryCluster::new();
    let first = clock.until(Hosted::start(&cluster, "a")).await;
    let mut ana = clock.until(first.served.creator("100")).await;
    let second = clock.until(Hosted::start(&cluster, "a")).await;
    let error = clock.until(first.served.host.replaced()).await;
    assert!(error.to_string().contains("another process took the name a"), "{error}");
    assert_eq!(clock.until(ana.rest()).await, "closing ShuttingDown");
    let health = Port::of(&first.served).await.get("/health").await;
    assert!(health.body.contains(r#""status":"replaced""#));
    pass(&clock, 10).await;
    assert_eq!(second.games(), [ana.game()]);
    assert_eq!(second.alive().await, ["a"]);
}

#[tokio::test]
async fn a_name_is_taken_on_every_host() {
    let clock = Clock::stop();
    let cluster = MemoryCluster::new();
    let a = clock.until(Hosted::start(&cluster, "a")).await;
    let b = clock.until(Hosted::start(&cluster, "b")).await;
    let create = Create { rulebook: None, scenario: "5".into(), edition: None, seed: None, timeout: None };
    assert_eq!(clock.until(a.served.host.create(&create, Some("mine"))).await.as_deref(), Ok("mine"));
    let refused = clock.until(b.served.host.create(&create, Some("mine"))).await.expect_err("taken");
    assert_eq!((refused.reason, &*refused.message), (Reason::BadMessage, "There is a game mine already."));
    assert_eq!((a.games().len(), b.games().len()), (1, 0), "no room was started");
}

#[tokio::test]
async fn lists_have_the_games_of_all_hosts() {
    let clock = Clock::stop();
    let cluster = MemoryCluster::new();
    let a = clock.until(Hosted::start(&cluster, "a")).await;
    let b = clock.until(Hosted::start(&cluster, "b")).await;
    let ana = clock.until(a.served.creator("100")).await;
    let bo = clock.until(b.served.creator("100")).await;
    pass(&clock, 2).await;
    for host in [&a, &b] {
        let mut connection = host.served.connect(Form::Json).await;
        let games = clock.until(connection.games()).await.expect("a list");
        let mut names: Vec<&str> = games.iter().map(|game| &*game.game).collect();
        let mut expected = [ana.game(), bo.game()];
        names.sort_unstable();
        expected.sort_unstable();
        assert_eq!(names, expected);
        assert!(games.iter().all(|game| game.players == ["Ana"]), "{games:?}");
        let page = Port::of(&host.served).await.get("/api/v1/games").await;
        let page: serde_json::Value = serde_json::from_str(&page.body).expect("JSON");
        let players: Vec<&serde_json::Value> =
            page["games"].as_array().expect("games").iter().map(|game| &game["players"]).collect();
        assert_eq!(players, [&serde_json::json!(["Ana"]), &serde_json::json!(["Ana"])]);
    }
    let refused = clock.until(a.served.enter(Form::Json, hello(Want::Join { seat: None }, None))).await.err();
    assert_eq!(refused, Some(Rejection::Refused(Reason::UnknownGame)));
    let elsewhere = clock.until(a.served.enter(Form::Json, watch(bo.game(), 0))).await.err();
    assert_eq!(elsewhere, Some(Rejection::Closing(Reason::ShuttingDown)));
}
