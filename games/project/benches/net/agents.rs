//! The project game with many players: answers over slow links, many players in one game, and many games at once.
//!
//! The bench shapes the links: each player connects through a token bucket of 1 Mb/s in both directions. The latency of an
//! answer is the time from when the player has written its request to when it has received the last byte of the answer.

use std::{
    collections::HashMap,
    fs,
    io::{Read, Write},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};

use clients::histogram::Histogram;

use crate::{
    process::{Folder, Process},
    table::{Line, Target, print},
};

/// One megabit per second, in bytes.
const RATE: f64 = 125_000.0;
/// The maximum number of bytes that the link forwards at once, like a packet on a wire.
const PACKET: usize = 1_460;
/// The timeout of a game. A game that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(240);

type Asked = Arc<Mutex<HashMap<String, Instant>>>;

pub(crate) fn run() {
    let folder = Folder::new();
    let (latencies, exchanged, took) = shaped(&folder);
    let millis = |duration: Duration| duration.as_secs_f64() * 1e3;
    let line = |what, unit, ours, target| Line { what, unit, ours, limit: None, found: ours, target };
    let (p50, p99, longest) = (latencies.quantile(0.5), latencies.quantile(0.99), latencies.longest());
    print(
        "agents: 16 players of one game on links of 1 Mb/s each",
        &[
            line("p50 of an answer", "ms", millis(p50), Target::AtMost(3000.0)),
            line("p99 of an answer", "ms", millis(p99), Target::AtMost(3000.0)),
            line("the slowest answer", "ms", millis(longest), Target::AtMost(3000.0)),
        ],
    );
    println!("  {} answers and {exchanged} exchanges of knowledge in {took:.1?}", latencies.count());

    let crowd = plays(&folder, "crowd", &configuration(32, (40, 60), 64), 32);
    println!("  64 players in one game: played to its end in {crowd:.1?}");
    let since = Instant::now();
    let games: Vec<_> = (0..50)
        .map(|game| {
            let folder = folder.file("");
            thread::spawn(move || play(&folder, &format!("game-{game}"), &configuration(1, (8, 16), 12), 1))
        })
        .collect();
    games.into_iter().for_each(|game| game.join().expect("a game"));
    println!("  50 games at once: all played to their ends in {:.1?}", since.elapsed());
}

/// A configuration with `players` players in each team. Actions cost no time, so only the network takes time.
fn configuration(players: u32, (width, height): (u32, u32), pieces: u32) -> String {
    let goals: String = (0..width.min(8))
        .map(|goal| {
            format!("<Position><X>{}</X><Y>{}</Y></Position>", goal * width / width.min(8), goal % (height / 4))
        })
        .collect();
    format!(
        "<GameConfiguration><BoardWidth>{width}</BoardWidth><BoardHeight>{height}</BoardHeight><ServerAddress>127.0.0.1</ServerAddress>\
         <PlayersPerTeam>{players}</PlayersPerTeam><Pieces>{pieces}</Pieces><ShamsPercentage>20</ShamsPercentage>\
         <GoalsPositions>{goals}</GoalsPositions><RespawnInterval>500</RespawnInterval></GameConfiguration>"
    )
}

fn serve(folder: &Path, name: &str, configuration: &str) -> (Process, SocketAddr) {
    let file = folder.join(format!("{name}.xml"));
    fs::write(&file, configuration).expect("a configuration");
    let mut server = Command::new(env!("CARGO_BIN_EXE_holdfast"));
    server.args([
        "project",
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--http",
        "off",
        "--trace-file",
        "off",
        "--cs-trace-file",
        "off",
    ]);
    server.arg("--config").arg(file).arg("--log").arg(folder.join(format!("{name}.log")));
    let mut process = Process::spawn(&mut server);
    let address = process.address();
    (process, address)
}

fn player(address: SocketAddr, number: usize) -> Child {
    let team = ["blue", "red"][number % 2];
    let mut player = Command::new(env!("CARGO_BIN_EXE_holdfast"));
    player.args([
        "project",
        "player",
        "--strategy",
        "team",
        "--quiet",
        "--trace-file",
        "off",
        "--costs",
        "exchange=100",
    ]);
    player.args(["--team", team, "--connect", &address.to_string()]);
    player.stdout(Stdio::null()).spawn().expect("a player")
}

fn plays(folder: &Folder, name: &str, configuration: &str, team: usize) -> Duration {
    let since = Instant::now();
    play(&folder.file(""), name, configuration, team);
    since.elapsed()
}

/// Plays a game to its end, and waits until every player has exited successfully.
fn play(folder: &Path, name: &str, configuration: &str, team: usize) {
    let (_server, address) = serve(folder, name, configuration);
    let players: Vec<Child> = (0..2 * team).map(|number| player(address, number)).collect();
    ended(players);
}

fn ended(players: Vec<Child>) {
    let deadline = Instant::now() + PATIENCE;
    for mut player in players {
        let status = loop {
            if let Some(status) = player.try_wait().expect("a child process") {
                break status;
            }
            assert!(Instant::now() < deadline, "a player does not end");
            thread::sleep(Duration::from_millis(20));
        };
        assert!(status.success(), "{status}");
    }
}

/// Plays a game with 16 players over shaped links. Returns the latencies of answers, the number of exchanges, and the duration
/// of the game.
fn shaped(folder: &Folder) -> (Histogram, usize, Duration) {
    let (_server, address) = serve(&folder.file(""), "shaped", &configuration(8, (20, 40), 24));
    let latencies: Arc<Mutex<Histogram>> = Arc::default();
    let exchanges: Arc<Mutex<usize>> = Arc::default();
    let since = Instant::now();
    let players = (0..16).map(|number| player(link(address, latencies.clone(), exchanges.clone()), number)).collect();
    ended(players);
    let took = since.elapsed();
    let exchanged = *exchanges.lock().expect("no thread panicked");
    (std::mem::take(&mut *latencies.lock().expect("no thread panicked")), exchanged, took)
}

/// Starts a slow link to the server, which measures the latencies of answers and counts exchanges. Returns the address for the
/// player.
fn link(server: SocketAddr, latencies: Arc<Mutex<Histogram>>, exchanges: Arc<Mutex<usize>>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        for near in listener.incoming().map_while(Result::ok) {
            let far = TcpStream::connect(server).expect("the server");
            for stream in [&near, &far] {
                stream.set_nodelay(true).expect("a socket");
            }
            let asked = Asked::default();
            let (near_in, far_out) = (near.try_clone().expect("a socket"), far.try_clone().expect("a socket"));
            let (asking, latencies, exchanges) = (asked.clone(), latencies.clone(), exchanges.clone());
            thread::spawn(move || {
                pass(near_in, far_out, |frame, came, _| {
                    if frame.contains("<Action>") && frame.contains("<Request") {
                        asking.lock().expect("no thread panicked").extend(ids(frame, " id=\"").map(|id| (id, came)));
                    }
                    *exchanges.lock().expect("no thread panicked") += usize::from(frame.contains("<Data>"));
                });
            });
            thread::spawn(move || {
                pass(far, near, |frame, _, went| {
                    for id in ids(frame, "contextId=\"") {
                        if let Some(since) = asked.lock().expect("no thread panicked").remove(&id) {
                            latencies.lock().expect("no thread panicked").record(went - since);
                        }
                    }
                });
            });
        }
    });
    address
}

/// The texts from each occurrence of `word` up to the next quotation mark.
fn ids<'f>(frame: &'f str, word: &'f str) -> impl Iterator<Item = String> + 'f {
    frame.split(word).skip(1).filter_map(|rest| Some(rest.split_once('"')?.0.to_owned()))
}

/// Forwards bytes at the rate of the link. Calls `seen` for each frame, with the times at which its last bytes arrived and were
/// forwarded.
fn pass(mut from: TcpStream, mut to: TcpStream, mut seen: impl FnMut(&str, Instant, Instant)) {
    let mut frame = Vec::new();
    let mut buffer = [0; PACKET];
    // When the link is free for the next packet.
    let mut free = Instant::now();
    while let Ok(length @ 1..) = from.read(&mut buffer) {
        let came = Instant::now();
        free = free.max(came) + Duration::from_secs_f64(length as f64 / RATE);
        thread::sleep(free.saturating_duration_since(Instant::now()));
        if to.write_all(&buffer[..length]).is_err() {
            break;
        }
        let went = Instant::now();
        for byte in &buffer[..length] {
            if *byte == 0x17 {
                seen(&String::from_utf8_lossy(&frame), came, went);
                frame.clear();
            } else {
                frame.push(*byte);
            }
        }
    }
    let _closed_already = to.shutdown(Shutdown::Write);
}
