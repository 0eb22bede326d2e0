//! One address attacks a host, over real sockets. Clients of another address notice nothing: each test prints their latency
//! before and during the attack, a row of a table. The attacker is 127.0.0.1, and the others are 127.0.0.2. One command prints the table:
//! `cargo test -p holdfast-server --test host crowding -- --nocapture --test-threads=1 | grep '^|'`.

use std::{
    cell::Cell,
    io::Write as _,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::Arc,
    time::{Duration, Instant},
};

use commlib::{AccessChange, Form, FromClient, Hello, Want, encode_from_client};
use serde_json::{Value, json};
use server::{AbandonedLimits, AddressLimits, Http, Limits, Offered, Opponents, Options, log::MemoryLog};
use testkit::{Request, Response};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::{TcpSocket, TcpStream},
    sync::watch,
    time::timeout,
};

use crate::{
    counter::{Command, WITH_BOTS},
    support::{LONG, Port, Served, create, hello, join, options, watch as watching},
};

const ATTACKER: u8 = 1;
const HONEST: u8 = 2;

/// How often a latency is measured at least.
const SAMPLES: usize = 100;

/// A latency that no honest client may reach, on a machine that is busy with other tests.
const PATIENCE: Duration = Duration::from_secs(2);

fn limits(per_address: AddressLimits) -> Limits {
    Limits { per_address: AddressLimits { loopback: true, ..per_address }, ..Limits::default() }
}

/// Connects from one of the addresses of loopback.
async fn connect(from: u8, to: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.bind((Ipv4Addr::new(127, 0, 0, from), 0).into()).expect("an address of this machine");
    timeout(LONG, socket.connect(to)).await.expect("in time").expect("a connection")
}

/// Sends a request from an address; `None` if the host closes the connection without an answer.
async fn request(from: u8, to: SocketAddr, request: &Request) -> Option<Response> {
    let mut stream = connect(from, to).await;
    stream.write_all(&request.to_bytes(to)).await.ok()?;
    let mut bytes = Vec::new();
    timeout(LONG, stream.read_to_end(&mut bytes)).await.expect("in time").ok()?;
    Response::parse_all("GET", &bytes).ok()
}

async fn status(from: u8, to: SocketAddr, asked: &Request) -> u16 {
    request(from, to, asked).await.map_or(0, |answer| answer.status)
}

/// A client of the wire that speaks JSON.
struct Client(BufReader<TcpStream>);

impl Client {
    async fn new(from: u8, to: SocketAddr) -> Self {
        Self(BufReader::new(connect(from, to).await))
    }

    async fn send(&mut self, message: &FromClient<Command>) {
        let mut bytes = Vec::new();
        encode_from_client(Form::Json, message, &mut bytes).expect("a message");
        self.0.write_all(&bytes).await.expect("sent");
    }

    async fn hear(&mut self) -> Value {
        let mut line = String::new();
        timeout(LONG, self.0.read_line(&mut line)).await.expect("in time").expect("a line");
        serde_json::from_str(&line).unwrap_or(Value::Null)
    }

    async fn ask(&mut self, message: &FromClient<Command>) -> Value {
        self.send(message).await;
        self.hear().await
    }

    async fn hello(&mut self, hello: Hello) -> Value {
        self.ask(&FromClient::Hello(hello)).await
    }
}

/// A player and a spectator of another address, and /health from there.
struct Honest {
    player: Client,
    spectator: Client,
    http: SocketAddr,
    pings: u64,
}

impl Honest {
    async fn new(served: &Served, port: &Port) -> Self {
        let mut player = Client::new(HONEST, served.address).await;
        let welcome = player.hello(create("1000000")).await;
        let game = welcome["welcome"]["game"].as_str().expect("a game").to_owned();
        player.send(&FromClient::Command(Command::Join { name: "Ana".into() })).await;
        player.hear().await;
        player.hear().await;
        let mut spectator = Client::new(HONEST, served.address).await;
        spectator.hello(watching(&game, 0)).await;
        Self { player, spectator, http: port.address, pings: 0 }
    }

    /// The 99th percentile of the time until an answer: of a ping of the player, of one of the spectator, and of /health. Measures as
    /// long as `goes_on` says so, and at least [`SAMPLES`] times.
    async fn p99(&mut self, goes_on: impl Fn() -> bool) -> [Duration; 3] {
        let mut times: [Vec<Duration>; 3] = Default::default();
        while times[0].len() < SAMPLES || goes_on() {
            self.pings += 1;
            let pong = json!({"pong": self.pings});
            let began = Instant::now();
            self.player.send(&FromClient::Ping(self.pings)).await;
            while self.player.hear().await != pong {}
            times[0].push(began.elapsed());
            let began = Instant::now();
            self.spectator.send(&FromClient::Ping(self.pings)).await;
            while self.spectator.hear().await != pong {}
            times[1].push(began.elapsed());
            let began = Instant::now();
            assert_eq!(status(HONEST, self.http, &Request::get("/health")).await, 200);
            times[2].push(began.elapsed());
        }
        times.map(|mut times| {
            times.sort_unstable();
            times[times.len() * 99 / 100 - 1]
        })
    }

    /// Attacks, and prints the latency before the attack and while it lasts. Returns what the attacker still holds.
    async fn during<T>(&mut self, attack: &str, attacking: impl Future<Output = T>) -> T {
        let before = self.p99(|| false).await;
        let is_over = Cell::new(false);
        let attacked = async {
            let held = attacking.await;
            is_over.set(true);
            held
        };
        let (held, during) = tokio::join!(attacked, self.p99(|| !is_over.get()));
        let ms = |time: Duration| time.as_secs_f64() * 1000.0;
        let mut row = format!("| {attack:40} |");
        for (who, (before, during)) in ["player", "spectator", "/health"].iter().zip(before.into_iter().zip(during)) {
            row += &format!(" {who} p99 {:7.2} ms before, {:7.2} ms during |", ms(before), ms(during));
        }
        writeln!(std::io::stdout(), "{row}").expect("standard output is open");
        assert!(during.iter().all(|time| *time < PATIENCE), "{attack}: {during:?}");
        held
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn idle_connections_of_one_address_leave_room_for_others() {
    let limits =
        Limits { http_connections: 300, ..limits(AddressLimits { http_connections: 100, ..AddressLimits::default() }) };
    let served = Served::with(limits).await;
    let port = Port::of(&served).await;
    let mut honest = Honest::new(&served, &port).await;
    let attack = async {
        let mut idle = Vec::new();
        for _ in 0..1_100 {
            idle.push(connect(ATTACKER, port.address).await);
        }
        idle
    };
    let mut idle = honest.during("1,100 idle HTTP connections", attack).await;
    let refused = status(ATTACKER, port.address, &Request::get("/health")).await;
    assert!([429, 0].contains(&refused), "{refused}");
    idle.clear();
    let free = async { while status(ATTACKER, port.address, &Request::get("/health")).await != 200 {} };
    timeout(LONG, free).await.expect("the connections are free again");
}

#[tokio::test(flavor = "multi_thread")]
async fn spectators_of_one_address_leave_room_for_others() {
    let limits = Limits { watchers: 20, ..limits(AddressLimits { watchers: 5, ..AddressLimits::default() }) };
    let served = Served::with(limits).await;
    let port = Port::of(&served).await;
    let mut honest = Honest::new(&served, &port).await;
    let game = served.host.list()[0].game.clone();
    let live = Request::get(&format!("/api/v1/games/{game}/live"));
    let attack = async {
        let mut open = Vec::new();
        for number in 0..30 {
            let mut stream = connect(ATTACKER, port.address).await;
            stream.write_all(&live.to_bytes(port.address)).await.expect("sent");
            let mut line = String::new();
            let mut stream = BufReader::new(stream);
            stream.read_line(&mut line).await.expect("an answer");
            assert_eq!(line.contains(" 200 "), number < 5, "{number}: {line}");
            assert_eq!(line.contains(" 429 "), number >= 5, "{number}: {line}");
            open.push(stream);
        }
        open
    };
    let _open = honest.during("30 live streams", attack).await;
    let mut other = BufReader::new(connect(HONEST, port.address).await);
    other.write_all(&live.to_bytes(port.address)).await.expect("sent");
    let mut line = String::new();
    other.read_line(&mut line).await.expect("an answer");
    assert!(line.contains(" 200 "), "{line}");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_address_creates_so_many_games() {
    let served = Served::with(limits(AddressLimits { games_per_minute: 20, ..AddressLimits::default() })).await;
    let port = Port::of(&served).await;
    let mut honest = Honest::new(&served, &port).await;
    let attack = async {
        let mut made = 0;
        for _ in 0..400 {
            let mut client = Client::new(ATTACKER, served.address).await;
            let answer = client.hello(create("1")).await;
            made += u32::from(answer["refused"]["reason"] != "too_many");
        }
        made
    };
    let made = honest.during("400 new games", attack).await;
    // Minutes do not pass in this test, but some seconds may.
    assert!((20..=40).contains(&made), "{made}");
    let mut other = Client::new(HONEST, served.address).await;
    assert_ne!(other.hello(create("1")).await["welcome"], Value::Null, "another address may");
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_play_so_many_seats_for_one_address() {
    let limits = limits(AddressLimits { bots: 16, ..AddressLimits::default() });
    let tim = Offered { rulebook: "counter", name: "tim".into(), about: String::new() };
    let opponents = Arc::new(Opponents::new(vec![tim], 128, |_| {}));
    let served = Served::open(Options { opponents, ..options(Arc::new(MemoryLog::new()), limits) }).await;
    let port = Port::of(&served).await;
    let mut honest = Honest::new(&served, &port).await;
    let goal = WITH_BOTS.to_string();
    let attack = async {
        let mut clients = Vec::new();
        let mut made = 0;
        for _ in 0..64 {
            let mut client = Client::new(ATTACKER, served.address).await;
            let answer = client.hello(create(&goal)).await;
            made += u32::from(answer["welcome"].is_object());
            assert!(answer["welcome"].is_object() || answer["refused"]["reason"] == "too_many", "{answer}");
            clients.push(client);
        }
        (clients, made)
    };
    let (_clients, made) = honest.during("64 games with bots", attack).await;
    assert_eq!(made, 8, "with two seats each");
    let mut other = Client::new(HONEST, served.address).await;
    assert!(other.hello(create(&goal)).await["welcome"].is_object(), "others have bots");
}

#[tokio::test(flavor = "multi_thread")]
async fn hellos_of_one_address_wait_and_are_then_refused() {
    let served = Served::with(limits(AddressLimits { hellos_per_minute: 60, ..AddressLimits::default() })).await;
    let port = Port::of(&served).await;
    let mut honest = Honest::new(&served, &port).await;
    let list = || FromClient::Hello(hello(Want::List, None));
    let attack = async {
        let mut clients = Vec::new();
        for _ in 0..90 {
            let mut client = Client::new(ATTACKER, served.address).await;
            client.send(&list()).await;
            clients.push(client);
        }
        clients
    };
    let clients = honest.during("90 hellos", attack).await;
    let mut closed = 0;
    for mut client in clients {
        closed += u32::from(client.hear().await["closing"]["reason"] == "too_fast");
    }
    assert!((5..=25).contains(&closed), "60 are answered at once, 5 after a while: {closed}");
    let mut other = Client::new(HONEST, served.address).await;
    assert_ne!(other.ask(&list()).await["games"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_keeps_so_many_refusals_of_strangers() {
    let served = Served::with(limits(AddressLimits::default())).await;
    let port = Port::of(&served).await;
    let mut honest = Honest::new(&served, &port).await;
    let game = served.host.list()[0].game.clone();
    let head = async || served.host.log().find(&game).await.expect("a log").expect("the game").record.tail.entries;
    let stored_before = head().await;
    let attack = async {
        let (mut stored, mut refused) = (0, 0);
        for number in 0..10 {
            let mut stranger = Client::new(ATTACKER, served.address).await;
            stranger.hello(join(&game)).await;
            for _ in 0..40 {
                let answer = stranger.ask(&FromClient::Command(Command::Add { amount: 0 })).await;
                if answer["refused"]["reason"] == "bad_message" {
                    refused += 1;
                } else {
                    assert_ne!(answer["event"], Value::Null, "{answer}");
                    stored += 1;
                }
            }
            assert_eq!(stored, 256.min((number + 1) * 32), "32 of each, 256 in all");
            // Nothing is lost but words: whatever the rules take is taken.
            if number == 9 {
                stranger.send(&FromClient::Command(Command::Join { name: "Eve".into() })).await;
                assert_ne!(stranger.hear().await["event"], Value::Null);
            }
        }
        (stored, refused)
    };
    let told = honest.during("400 refused commands", attack).await;
    assert_eq!(told, (256, 144), "stored and refused");
    assert_eq!(head().await - stored_before, 256 + 1);
}

/// A command that only players may send, such as one that ends a waiting game: it reaches neither the rules nor the log.
#[tokio::test(flavor = "multi_thread")]
async fn strangers_do_not_act_for_players() {
    let served = Served::with(limits(AddressLimits::default())).await;
    let port = Port::of(&served).await;
    let mut honest = Honest::new(&served, &port).await;
    let game = served.host.list()[0].game.clone();
    let head = async || served.host.log().find(&game).await.expect("a log").expect("the game").record.tail.entries;
    let before = head().await;
    let attack = async {
        let mut stranger = Client::new(ATTACKER, served.address).await;
        stranger.hello(join(&game)).await;
        for _ in 0..300 {
            let answer = stranger.ask(&FromClient::Command(Command::Shout { length: 61 })).await;
            assert_eq!(answer["refused"]["reason"], "bad_message", "{answer}");
        }
    };
    honest.during("300 commands that are for players", attack).await;
    assert_eq!(head().await, before);
}

/// Strangers want the seat of a friend: it is kept for the invitation with this name.
#[tokio::test(flavor = "multi_thread")]
async fn strangers_do_not_take_the_seat_of_a_friend() {
    let served = Served::with(limits(AddressLimits { hellos_per_minute: 1_000, ..AddressLimits::default() })).await;
    let port = Port::of(&served).await;
    let mut honest = Honest::new(&served, &port).await;
    let mut ana = Client::new(HONEST, served.address).await;
    let game = ana.hello(create("100")).await["welcome"]["game"].as_str().expect("a game").to_owned();
    let invite = AccessChange::Invite { name: Some("Bo".into()), account: None };
    let managed = ana.ask(&FromClient::Manage(invite)).await;
    let invitation = managed["managed"]["invitation"].as_str().expect("a code").to_owned();
    let seat = || FromClient::Command(Command::Join { name: "Bo".into() });
    let attack = async {
        let mut stranger = Client::new(ATTACKER, served.address).await;
        stranger.hello(join(&game)).await;
        for number in 0..100 {
            let answer = stranger.ask(&seat()).await;
            assert_eq!(answer["refused"]["reason"], "full", "{answer}");
            let guess = format!("{game}.{number:032x}");
            let wrong = Client::new(ATTACKER, served.address).await.hello(watching(&guess, 0)).await;
            assert!(wrong["welcome"].is_object(), "an open game needs no code, so a wrong one gives nothing: {wrong}");
        }
    };
    honest.during("100 attempts at a reserved seat", attack).await;
    let mut bo = Client::new(HONEST, served.address).await;
    bo.hello(join(&invitation)).await;
    assert!(bo.ask(&seat()).await["event"].is_object(), "the friend has the seat");
}

#[tokio::test]
async fn a_restarted_host_has_counted_the_refusals() {
    let scratch = crate::support::Scratch::new();
    let served = Served::on(scratch.log()).await;
    let ana = served.creator("10").await;
    let mut stranger = served.enter(Form::Json, join(ana.game())).await.expect("a place");
    for _ in 0..30 {
        stranger.add(0).await;
    }
    assert_eq!(stranger.hears().await.matches("Nothing").count(), 30);
    let (game, token) = (ana.game().to_owned(), stranger.token());
    served.stop().await;
    let served = Served::on(scratch.log()).await;
    let again = crate::support::resume(&game, token, 30);
    let mut stranger = served.enter(Form::Json, again).await.expect("the place");
    for _ in 0..4 {
        stranger.add(0).await;
    }
    let heard = stranger.hears().await;
    assert_eq!((heard.matches("Nothing").count(), heard.matches("refused BadMessage").count()), (2, 2), "{heard}");
}

const TOKEN: &str = "a token of the operator";

fn authorized(token: &str) -> Request {
    Request::post_json("/api/v1/games", r#"{"scenario":"3"}"#).header("Authorization", &format!("Bearer {token}"))
}

#[tokio::test]
async fn wrong_tokens_of_one_address_are_not_checked_for_long() {
    let limits = limits(AddressLimits { wrong_tokens_per_minute: 3, ..AddressLimits::default() });
    let usual = options(Arc::new(MemoryLog::new()), limits);
    let served = Served::open(Options { admin_token: Some(TOKEN.into()), ..usual }).await;
    let port = Port::of(&served).await;
    for expected in [401, 401, 401, 429, 429] {
        assert_eq!(status(ATTACKER, port.address, &authorized("a guess of an attacker")).await, expected);
    }
    assert_eq!(
        status(ATTACKER, port.address, &authorized(TOKEN)).await,
        429,
        "a right guess would be told by its answer"
    );
    for _ in 0..5 {
        assert_eq!(status(HONEST, port.address, &authorized(TOKEN)).await, 201);
    }
}

#[tokio::test]
async fn a_trusted_proxy_names_its_clients() {
    let limits = limits(AddressLimits { wrong_tokens_per_minute: 1, ..AddressLimits::default() });
    for trusted in [false, true] {
        let usual = options(Arc::new(MemoryLog::new()), limits);
        let trusted_proxies = if trusted { vec!["127.0.0.1".parse().expect("a network")] } else { vec![] };
        let served = Served::open(Options { admin_token: Some(TOKEN.into()), trusted_proxies, ..usual }).await;
        let port = Port::of(&served).await;
        let through = async |client: &str| {
            let asked = authorized("a guess of an attacker").header("X-Forwarded-For", client);
            status(ATTACKER, port.address, &asked).await
        };
        assert_eq!(through("192.0.2.1").await, 401);
        let (same, other) = (through("203.0.113.5, 192.0.2.1").await, through("192.0.2.2").await);
        assert_eq!((same, other), if trusted { (429, 401) } else { (429, 429) });
        assert_eq!(through("2001:db8::1").await, if trusted { 401 } else { 429 });
        assert_eq!(through("2001:db8::2").await, 429, "one prefix is one client");
        // A proxy that names no client is not the operator either.
        let local = Request::post_json("/api/v1/games", r#"{"scenario":"3"}"#);
        assert_eq!(status(ATTACKER, port.address, &local).await, if trusted { 401 } else { 201 });
    }
}

#[tokio::test]
async fn requests_through_a_proxy_are_never_local() {
    let served = Served::new().await;
    let port = Port::of(&served).await;
    let local = || Request::post_json("/api/v1/games", r#"{"scenario":"3"}"#);
    assert_eq!(status(ATTACKER, port.address, &local()).await, 201);
    for (name, value) in [
        ("X-Real-IP", "127.0.0.1"),
        ("Via", "1.1 proxy"),
        ("X-Forwarded-For", "127.0.0.1"),
        ("X-Forwarded-Proto", "https"),
        ("Forwarded", "for=127.0.0.1"),
    ] {
        assert_eq!(status(ATTACKER, port.address, &local().header(name, value)).await, 401, "{name}");
    }
}

#[tokio::test]
async fn operators_have_a_port_of_their_own() {
    let limits =
        Limits { http_connections: 2, ..limits(AddressLimits { http_connections: 2, ..AddressLimits::default() }) };
    let usual = options(Arc::new(MemoryLog::new()), limits);
    let served = Served::open(Options { has_operator_port: true, ..usual }).await;
    let port = Port::of(&served).await;
    for path in ["/health", "/metrics"] {
        assert_eq!(status(HONEST, port.address, &Request::get(path)).await, 404, "{path}");
    }
    let http = Http::bind((IpAddr::V4(Ipv4Addr::LOCALHOST), 0).into()).await.expect("a port");
    let operators = http.local_addr().expect("an address");
    let (stop, stopping) = watch::channel(false);
    let serving = tokio::spawn(http.serve_operators(served.host.clone(), stopping));
    let _idle = [connect(ATTACKER, port.address).await, connect(HONEST, port.address).await];
    for path in ["/health", "/metrics"] {
        for _ in 0..5 {
            assert_eq!(status(ATTACKER, operators, &Request::get(path)).await, 200, "{path}");
        }
    }
    for path in ["/", "/api/v1/games", "/web/style.css"] {
        assert_eq!(status(ATTACKER, operators, &Request::get(path)).await, 404, "{path}");
    }
    assert_eq!(status(ATTACKER, operators, &Request::get("/health").header("Host", "evil.test")).await, 421);
    stop.send_replace(true);
    timeout(LONG, serving).await.expect("it stops soon").expect("and well");
}

#[tokio::test]
async fn a_game_that_nobody_comes_back_to_ends() {
    let abandoned =
        AbandonedLimits { waiting: Some(Duration::from_secs(3600)), running: Some(Duration::from_millis(300)) };
    let served = Served::with(Limits { abandoned, ..Limits::default() }).await;
    let port = Port::of(&served).await;
    let ana = served.creator("10").await;
    let game = ana.game().to_owned();
    let listed = async |game: &str| {
        let list = port.get("/api/v1/games").await.json();
        list["games"].as_array().and_then(|all| all.iter().find(|one| one["name"] == game)).cloned().expect("a game")
    };
    tokio::time::sleep(Duration::from_millis(600)).await;
    let here = listed(&game).await;
    assert_eq!((&here["status"], &here["ends_at"]), (&json!("running"), &Value::Null), "Ana is here");

    // A game without players waits, and is told when it ends.
    let Want::Create(wanted) = create("1").want else { panic!("to create") };
    let empty = served.host.create(&wanted, None).await.expect("a game");
    served.host.handle::<crate::counter::Counter>(&empty);
    let waiting = listed(&empty).await;
    assert_eq!(waiting["status"], "running");
    let left = waiting["ends_at"].as_i64().expect("a time") - waiting["created"].as_i64().expect("a time");
    assert!((3_500_000..3_700_000).contains(&left), "{left}");

    // Spectators do not keep a game.
    let mut eve = served.enter(Form::Json, watching(&game, 0)).await.expect("a place");
    let token = ana.token();
    drop(ana);
    assert!(eve.rest().await.ends_with("closing GameOver"));
    let over = listed(&game).await;
    assert_eq!(
        (&over["status"], &over["outcome"]),
        (&json!("finished"), &json!("ended by the host: no player came back"))
    );
    let back = served.enter(Form::Json, crate::support::resume(&game, token, 2)).await.expect("it can be read");
    assert_eq!(back.game(), game);
    assert_eq!(listed(&empty).await["status"], "running");
}
