//! Any host takes any client, and passes it on to the host that plays its game.

mod accounts;
mod owners;
mod port;
#[cfg(feature = "postgres")]
mod tls;

use std::{net::Ipv4Addr, sync::Arc, time::Duration};

use commlib::{AccessChange, Form, Reason, Token, Want};
use serde_json::json;
use server::{
    ClusterOptions, ClusterPort, Limits, Options,
    accounts::AccountsMode,
    cluster::{Addresses, ClusterSecret, ClusterTls, Membership, MemoryCluster},
    host_store::HostStore,
};
use testkit::{Events, Request};
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    sync::{Notify, watch},
};

use crate::{
    clock::Clock,
    cluster::{Cuttable, pass},
    counter::Command,
    managing::{code, manage},
    support::{Port, Rejection, Served, create, greet, hello, join, options, resume, watch},
    websocket::{self, Socket},
};

const SECRET: &str = "correct horse battery";

/// A host of a cluster with a port for other hosts.
struct Site {
    served: Served,
    port: Port,
    membership: Arc<Cuttable>,
    cluster: std::net::SocketAddr,
    _stop: watch::Sender<bool>,
}

/// The configuration of a site.
struct Plan<'p> {
    name: &'p str,
    secret: Option<&'p str>,
    limits: Limits,
    tls: Option<ClusterTls>,
    /// Other hosts reach it only through this.
    gate: Option<Gate>,
    /// The shared store of a host that requires accounts.
    accounts: Option<Arc<dyn HostStore>>,
}

impl<'p> Plan<'p> {
    fn new(name: &'p str) -> Self {
        let limits = Limits { store_patience: Duration::from_secs(20), ..Limits::default() };
        Self { name, secret: Some(SECRET), limits, tls: None, gate: None, accounts: None }
    }
}

impl Site {
    async fn new(cluster: &Arc<MemoryCluster>, name: &str) -> Self {
        Self::with(cluster, Plan::new(name)).await
    }

    async fn with(cluster: &Arc<MemoryCluster>, plan: Plan<'_>) -> Self {
        let member = cluster.open();
        let membership = Arc::new(Cuttable::new(member.clone()));
        Self::of(member, membership.clone(), membership, plan).await
    }

    async fn of(
        member: Arc<server::cluster::MemoryMember>,
        cuttable: Arc<Cuttable>,
        membership: Arc<dyn Membership>,
        plan: Plan<'_>,
    ) -> Self {
        let secret = plan.secret.map(|secret| ClusterSecret::new(secret.as_bytes()).expect("long enough"));
        let (name, version) = (plan.name.into(), "1".into());
        let options = ClusterOptions { membership, name, version, secret, tls: plan.tls };
        let mut options = Options { cluster: Some(options), ..self::options(member, plan.limits) };
        if let Some(store) = plan.accounts {
            (options.accounts, options.host_store) = (AccountsMode::Required, store);
        }
        let served = Served::open(options).await;
        let port = Port::of(&served).await;
        let links = ClusterPort::bind((Ipv4Addr::LOCALHOST, 0).into()).await.expect("a port");
        let address = links.local_addr().expect("an address");
        let (stop, stopped) = watch::channel(false);
        tokio::spawn(links.serve(served.host.clone(), stopped));
        let announced = plan.gate.map_or(address, |gate| gate.before(address));
        let addresses = Addresses { cluster: Some(announced.to_string()), ..Addresses::default() };
        served.host.join(addresses).await.expect("a registration");
        Self { served, port, membership: cuttable, cluster: address, _stop: stop }
    }

    fn games(&self) -> usize {
        self.served.host.list().len()
    }

    /// A value of the metrics.
    async fn metric(&self, name: &str) -> u64 {
        let page = self.port.get("/metrics").await.body;
        let line = page.lines().find(|line| line.starts_with(&format!("{name} "))).expect("a metric");
        line.rsplit(' ').next().expect("a value").parse().expect("a number")
    }
}

/// A way between hosts that can be closed: then connections end as soon as they are made.
struct Gate {
    listener: TcpListener,
    is_open: watch::Receiver<bool>,
    /// A connection was made while it was closed.
    turned_away: Arc<Notify>,
}

impl Gate {
    async fn closed() -> (Self, watch::Sender<bool>) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
        let (open, is_open) = watch::channel(false);
        (Self { listener, is_open, turned_away: Arc::default() }, open)
    }

    /// Leads to this address. Returns its own.
    fn before(self, behind: std::net::SocketAddr) -> std::net::SocketAddr {
        let address = self.listener.local_addr().expect("an address");
        tokio::spawn(async move {
            while let Ok((mut from, _)) = self.listener.accept().await {
                if *self.is_open.borrow() {
                    let mut to = TcpStream::connect(behind).await.expect("the host");
                    tokio::spawn(async move { copy_bidirectional(&mut from, &mut to).await });
                } else {
                    self.turned_away.notify_one();
                }
            }
        });
        address
    }
}

async fn three() -> (Site, Site, Site) {
    let cluster = MemoryCluster::new();
    (Site::new(&cluster, "a").await, Site::new(&cluster, "b").await, Site::new(&cluster, "c").await)
}

#[tokio::test]
async fn clients_join_watch_and_resume_through_any_host() {
    let (a, b, c) = three().await;
    for form in [Form::Binary, Form::Json] {
        let mut ana = a.served.creator("100").await;
        let game = ana.game().to_owned();
        let mut bo = b.served.enter(form, join(&game)).await.expect("a place");
        assert_eq!((bo.game(), bo.welcome.client, &*bo.welcome.rulebook), (&*game, Some(2), "counter"));
        bo.send(Command::Join { name: "Bo".into() }).await;
        assert_eq!(bo.hears().await, "1 Greeted; 2 Joined Bo");
        let mut eve = c.served.enter(form, watch(&game, 0)).await.expect("a view");
        bo.add(3).await;
        assert_eq!(bo.hears().await, "3 Counted 3");
        ana.add(4).await;
        assert_eq!(ana.hears().await, "3 Joined Bo; 4 Counted 3; 5 Counted 7");
        assert_eq!(bo.hears().await, "4 Counted 7");
        let seen = eve.hears().await;
        assert!(seen.ends_with("Counted 3; 5 Moved 1; 6 Counted 7"), "{seen}");
        bo.add(0).await;
        assert!(bo.hears().await.starts_with("5 Nothing"), "a refusal comes through too");

        // The token is worth the same on every host, and the later connection replaces the earlier one.
        let token = bo.token();
        let mut again = c.served.enter(form, resume(&game, token, 3)).await.expect("the place");
        assert_eq!((again.welcome.next, again.welcome.commands), (4, 3));
        assert!(again.hears().await.starts_with("4 Counted 7; 5 Nothing"));
        assert_eq!(bo.rest().await, "closing Replaced");
        let mut home = a.served.enter(form, resume(&game, token, 5)).await.expect("the place");
        assert_eq!(again.rest().await, "closing Replaced");
        home.add(93).await;
        assert_eq!(home.rest().await, "6 Counted 100; 7 Done; closing GameOver");
        assert!(eve.rest().await.ends_with("Done; closing GameOver"));

        // Any host tells a finished game from the log.
        let mut late = b.served.enter(form, resume(&game, token, 4)).await.expect("the past");
        assert!(late.rest().await.ends_with("6 Counted 100; 7 Done; closing GameOver"));
    }
    assert_eq!((b.games(), c.games()), (0, 0), "only the owner has a room");
    assert_eq!(
        (b.metric("holdfast_cluster_forwards_total").await, a.metric("holdfast_cluster_forwards_accepted_total").await),
        (2, 6)
    );
}

/// The client of a half-open connection cannot tell its host that it has given up. The host still waits for the owner with its resume.
#[tokio::test]
async fn a_resume_that_was_overtaken_replaces_nothing() {
    let cluster = MemoryCluster::new();
    let (gate, open) = Gate::closed().await;
    let turned_away = gate.turned_away.clone();
    let a = Site::with(&cluster, Plan { gate: Some(gate), ..Plan::new("a") }).await;
    let b = Site::new(&cluster, "b").await;
    let ana = a.served.creator("100").await;
    let (game, token) = (ana.game().to_owned(), ana.token());
    drop(ana);
    let mut waiting = b.served.connect(Form::Json).await;
    let hello = resume(&game, token, 0);
    let early = tokio::spawn(async move { greet(&mut waiting, hello).await.map(|_| ()) });
    turned_away.notified().await;
    // Hosts know how long a hello waited, but not how long it was on the way.
    tokio::time::sleep(Duration::from_millis(500)).await;
    let mut late = a.served.enter(Form::Json, resume(&game, token, 0)).await.expect("the place");
    open.send(true).expect("a gate");
    assert_eq!(early.await.expect("a task"), Err(Rejection::Refused(Reason::Replaced)));
    late.add(100).await;
    assert!(late.rest().await.ends_with("Counted 100; 4 Done; closing GameOver"));
}

#[tokio::test]
async fn the_last_messages_of_a_client_that_leaves_arrive() {
    let (a, b, _c) = three().await;
    for form in [Form::Binary, Form::Json] {
        let mut ana = a.served.creator("1000").await;
        let mut bo = b.served.enter(form, join(ana.game())).await.expect("a place");
        for _ in 0..40 {
            bo.add(1).await;
        }
        drop(bo);
        let mut heard = String::new();
        while !heard.ends_with("Counted 40") {
            heard = ana.next().await;
        }
    }
}

#[tokio::test]
async fn refusals_of_the_owner_leave_the_connection_open() {
    let (a, b, _c) = three().await;
    let ana = a.served.creator("100").await;
    let mut connection = b.served.connect(Form::Json).await;
    let token = Token::new([7; 16]);
    let refused = greet(&mut connection, resume(ana.game(), token, 0)).await.err();
    assert_eq!(refused, Some(Rejection::Refused(Reason::UnknownToken)));
    let refused = greet(&mut connection, resume(ana.game(), ana.token(), 99)).await.err();
    assert_eq!(refused, Some(Rejection::Refused(Reason::BadMessage)), "more than it can have seen");
    let refused = greet(&mut connection, join("nowhere")).await.err();
    assert_eq!(refused, Some(Rejection::Refused(Reason::UnknownGame)));
    let welcome = greet(&mut connection, join(ana.game())).await.expect("a place");
    assert_eq!(welcome.game, ana.game());
    let mut twice = b.served.enter(Form::Binary, join(ana.game())).await.expect("a place");
    twice.send(Command::Shout { length: 70_000 }).await;
    twice.send(Command::Join { name: "Bo".into() }).await;
    assert!(twice.hears().await.ends_with("Joined Bo"));
}

#[tokio::test]
async fn a_websocket_is_passed_on() {
    let (a, b, _c) = three().await;
    let mut ana = a.served.creator("10").await;
    let game = ana.game().to_owned();
    let mut bo = Socket::open(&b.port).await;
    bo.send(&websocket::hello(json!({"join": {}}), Some(&game))).await;
    let welcome = bo.until("welcome").await;
    bo.send(&json!({"command": {"Join": {"name": "Bo"}}})).await;
    assert_eq!(bo.until("event").await["event"], json!({"Greeted": {}}));
    ana.add(3).await;
    ana.add(4).await;
    // Each text is one message, however the bytes came.
    assert_eq!(bo.until("event").await["event"], json!({"Joined": {"name": "Bo"}}));
    assert_eq!(bo.until("event").await["event"], json!({"Counted": {"count": 3}}));
    assert_eq!(bo.until("event").await["event"], json!({"Counted": {"count": 7}}));
    bo.send(&json!({"ping": 5})).await;
    assert_eq!(bo.until("pong").await, json!(5));

    let mut again = Socket::open(&a.port).await;
    again.send(&websocket::hello(json!({"resume": {"token": welcome["token"], "seen": 4}}), Some(&game))).await;
    again.until("welcome").await;
    assert_eq!(bo.rest().await, "closing replaced; close 1000 replaced");
    again.send(&json!({"command": {"Add": {"amount": 3}}})).await;
    assert!(again.rest().await.ends_with("closing game_over; close 1000 game_over"));
}

#[tokio::test]
async fn pages_are_answered_by_any_host() {
    let (a, b, c) = three().await;
    let mut ana = a.served.creator("10").await;
    let game = ana.game().to_owned();
    let mut list = b.served.connect(Form::Json).await;
    let listed: Vec<String> = list.games().await.expect("a list").into_iter().map(|game| game.game).collect();
    assert_eq!(listed, [&*game], "the games of all hosts");

    let mut live = Events::open(b.port.address, &format!("/api/v1/games/{game}/live?from=0")).await;
    ana.add(4).await;
    assert_eq!(live.next_of("entry").await["entry"]["events"][0]["step"], json!(1));
    assert_eq!(
        live.next_of("entry").await["entry"]["events"][1]["patch"],
        json!([["/count", 0, 4], ["/figures/0", 0, 4]])
    );
    let lines = b.port.get(&format!("/api/v1/games/{game}/chronicle?from=0")).await.json_lines();
    let entries = lines.iter().filter(|line| line.get("entry").is_some());
    assert_eq!(entries.count(), 2, "a running game from the store: {lines:?}");
    // The host that took the client checks the origin.
    let evil = Request::get(&format!("/api/v1/games/{game}/live")).header("Origin", "http://evil.example");
    assert_eq!(evil.send(b.port.address).await.status, 403);
    let gone = b.port.get("/api/v1/games/nowhere/live").await;
    assert_eq!((gone.status, gone.body.contains("There is no game nowhere.")), (404, true), "{gone:?}");

    ana.add(6).await;
    assert!(ana.rest().await.ends_with("Done; closing GameOver"));
    assert_eq!(live.next_of("end").await["outcome"], json!("counted"));
    let over = c.port.get(&format!("/api/v1/games/{game}/live")).await;
    assert_eq!((over.status, over.body.contains("event: end")), (200, true), "{over:?}");

    // Players who ask different hosts for a rematch at the same time get the same game.
    let (path, body) = (format!("/api/v1/games/{game}/rematch"), json!({"token": ana.token()}).to_string());
    let (one, other) = tokio::join!(b.port.post(&path, &body), c.port.post(&path, &body));
    assert_eq!((one.status, other.status, one.json()), (201, 201, other.json()));
    assert_eq!(a.port.get(&path).await.json(), one.json());
    let rematch = one.json()["game"].as_str().expect("a name").to_owned();
    assert_eq!(a.served.enter(Form::Json, join(&rematch)).await.expect("a place").game(), rematch);
    assert_eq!((a.games(), b.games() + c.games()), (0, 1));

    // A fork through another host belongs to that host, and any host knows it.
    let before = b.games();
    let forked = b.port.post(&format!("/api/v1/games/{game}/fork"), "{\"entry\":2}").await;
    assert_eq!(forked.status, 201, "{forked:?}");
    let fork = forked.json()["game"].as_str().expect("a name").to_owned();
    assert_eq!((a.games(), b.games()), (0, before + 1));
    let mut bo = c.served.enter(Form::Json, hello(Want::Join { seat: Some(0) }, Some(&fork))).await.expect("the seat");
    bo.add(6).await;
    assert!(bo.rest().await.ends_with("Done; closing GameOver"));
}

#[tokio::test]
async fn only_the_first_host_counts_and_slows_a_client() {
    let clock = Clock::stop();
    let cluster = MemoryCluster::new();
    let none = Limits { connections: 0, watchers: 0, http_connections: 0, messages_per_second: 1, ..Limits::default() };
    // The owner has room for nothing of its own, but for what others pass on.
    let owner = clock.until(Site::with(&cluster, Plan { limits: none, ..Plan::new("owner") })).await;
    let few = Limits { connections: 2, watchers: 1, messages_per_second: 50, ..Limits::default() };
    let first = clock.until(Site::with(&cluster, Plan { limits: few, ..Plan::new("first") })).await;
    let made = create("100000");
    let Want::Create(made) = made.want else { unreachable!("it creates") };
    let game = clock.until(owner.served.host.create(&made, None)).await.expect("a game");

    let mut bo = clock.until(first.served.enter(Form::Binary, join(&game))).await.expect("a place");
    bo.send(Command::Join { name: "Bo".into() }).await;
    clock.until(bo.hears()).await;
    let began = tokio::time::Instant::now();
    for count in 1..=100 {
        bo.add(1).await;
        assert!(clock.until(bo.hears()).await.ends_with(&format!("Counted {count}")));
    }
    let took = began.elapsed();
    assert!(took >= Duration::from_secs(2), "200 messages at 50 per second, with a burst of 50: {took:?}");
    assert!(took < Duration::from_secs(60), "the owner would allow one per second: {took:?}");

    let mut live = clock.until(Events::open(first.port.address, &format!("/api/v1/games/{game}/live"))).await;
    assert_eq!(clock.until(live.next_of("entry")).await["entry"]["events"][0]["step"], json!(1));
    let full = clock.until(first.port.get(&format!("/api/v1/games/{game}/live"))).await;
    assert_eq!((full.status, full.body.contains("too_many")), (503, true), "{full:?}");

    // A flood is closed by the first host.
    for _ in 0..300 {
        bo.ping().await;
    }
    let rest = clock.until(bo.rest()).await;
    assert!(rest.ends_with("closing TooFast"), "{rest}");
    // Its connection counts until it is closed on both sides.
    drop(bo);
    pass(&clock, 3).await;
    let _second = clock.until(first.served.enter(Form::Binary, join(&game))).await.expect("a place");
    let _third = clock.until(first.served.enter(Form::Json, watch(&game, 0))).await.expect("a place");
    let fourth = clock.until(first.served.enter(Form::Binary, join(&game))).await.err();
    assert_eq!(fourth, Some(Rejection::Closing(Reason::TooMany)));
}

#[tokio::test]
async fn a_slow_reader_is_dropped_and_the_others_play_on() {
    let (a, b, _c) = three().await;
    let mut ana = a.served.creator("100000").await;
    let mut slow = b.served.enter(Form::Binary, join(ana.game())).await.expect("a place");
    slow.send(Command::Join { name: "Bo".into() }).await;
    slow.hears().await;
    let mut quick = b.served.enter(Form::Binary, watch(ana.game(), 0)).await.expect("a view");
    // More than all buffers on the way have room for.
    for _ in 0..600 {
        ana.send(Command::Shout { length: 60_000 }).await;
        ana.hears().await;
        quick.hears().await;
    }
    ana.add(1).await;
    assert!(ana.hears().await.ends_with("Counted 1"));
    let rest = slow.rest().await;
    assert!(rest.ends_with("closing TooSlow"), "{}", &rest[rest.len().saturating_sub(100)..]);
}

/// The creator of a game manages it through any host.
#[tokio::test]
async fn a_game_is_managed_through_another_host() {
    let cluster = MemoryCluster::new();
    let (a, b) = (Site::new(&cluster, "a").await, Site::new(&cluster, "b").await);
    let ana = b.served.enter(Form::Json, create("100")).await.expect("a game");
    let (game, token) = (ana.game().to_owned(), ana.token());
    for form in [Form::Json, Form::Binary] {
        let mut ana = a.served.enter(form, resume(&game, token, 0)).await.expect("the place");
        let invitation = code(&manage(&mut ana, AccessChange::Invite { name: None, account: None }).await);
        let mut bo = a.served.enter(form, join(&invitation)).await.expect("a place");
        assert_eq!(manage(&mut bo, AccessChange::End).await, "refused UnknownToken");
        assert_eq!(bo.hears().await, "", "the connection stays");
    }
    let mut ana = a.served.enter(Form::Json, resume(&game, token, 0)).await.expect("the place");
    ana.manage(AccessChange::End).await;
    assert_eq!(ana.rest().await, "closing GameOver");
}
