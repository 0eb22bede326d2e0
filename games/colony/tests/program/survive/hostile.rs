//! A thousand clients misbehave, and the players of fifty games do not notice.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
    time::{sleep, timeout},
};

use super::player::{self, Tables};
use crate::{
    process::{HostProcess, Scratch},
    show,
    wire::{Addresses, Wire},
};

const GAMES: usize = 50;
const OF_EACH: usize = 200;

/// Players pause before each command, so that the host is not fully busy. Otherwise a change in latency could not be measured.
const THINK: Duration = Duration::from_millis(20);

/// The time between the first attacks of two attackers of the same kind.
const STEP: Duration = Duration::from_millis(60);

/// How long the games run without attackers, for figures to compare with.
const CALM: Duration = Duration::from_secs(7);

/// Longer than the host's timeout for a hello, with room for a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

#[test]
fn a_thousand_hostile_clients_harm_nobody() {
    let scratch = Scratch::new("hostile");
    let host = HostProcess::start(&scratch.path("games.log"));
    let address = host.address();

    let calm = honest_games(host.addresses(), async { sleep(CALM).await });
    let siege: Arc<Siege> = Arc::default();
    let attack = {
        let siege = siege.clone();
        std::thread::spawn(move || besiege(address, &siege))
    };
    let besieged = honest_games(host.addresses(), siege.all_have_attacked());
    siege.stop.store(true, Ordering::Release);
    let attack = attack.join().expect("the attackers never panic");

    let memory = resident_kilobytes(host.id());
    host.stop();
    show(&format!("hostile: calm      {}", percentiles(calm)));
    show(&format!("hostile: besieged  {}", percentiles(besieged)));
    for (kind, attackers) in &attack {
        let (attempts, answered) =
            (attackers.attempts.load(Ordering::Relaxed), attackers.answered.load(Ordering::Relaxed));
        show(&format!("hostile: {kind:9?} {OF_EACH} clients, {attempts} connections, {answered} told why they end"));
        if kind.expected().is_none() {
            assert_eq!(answered, 0, "{kind:?}");
        }
    }
    show(&format!("hostile: the host has {} MiB afterwards", memory / 1024));
    assert!(memory < 512 * 1024, "{memory} KiB");
}

/// Plays games at fifty tables until the future is ready, and finishes the last ones. Returns the latency of each command.
fn honest_games(host: Addresses, until: impl Future<Output = ()>) -> Vec<Duration> {
    let shared: Arc<Tables> = Arc::default();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let play = |table| {
            let wire = [Wire::Binary, Wire::Json][table % 2];
            tokio::spawn(player::keep_playing(table, host, wire, THINK, shared.clone()))
        };
        let tables: Vec<_> = (0..GAMES).map(play).collect();
        until.await;
        shared.stop.store(true, Ordering::Release);
        for table in tables {
            table.await.expect("a table never panics");
        }
    });
    let told = std::mem::take(&mut *shared.told.lock().expect("no thread has panicked"));
    assert!(told.len() >= 2 * GAMES, "every table has ended a game");
    assert!(told.iter().all(|client| client.resumed == 0), "no honest client was ever cut off");
    told.into_iter().flat_map(|client| client.waited).collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Sends bytes that are not a message.
    Garbage,
    /// Sends its hello byte by byte.
    Slow,
    /// Sends nothing.
    Silent,
    /// Sends commands without waiting for answers.
    Flooding,
    /// Disconnects in the middle of a message.
    Vanishing,
}

impl Kind {
    const ALL: [Self; 5] = [Self::Garbage, Self::Slow, Self::Silent, Self::Flooding, Self::Vanishing];

    /// The reason that the host gives when it closes the connection; `None` if the client disconnects first.
    fn expected(self) -> Option<&'static str> {
        match self {
            Self::Garbage => Some("bad_message"),
            Self::Slow | Self::Silent => Some("timeout"),
            Self::Flooding => Some("too_fast"),
            Self::Vanishing => None,
        }
    }
}

#[derive(Default)]
struct Attackers {
    attempts: AtomicUsize,
    answered: AtomicUsize,
}

/// The progress of all attackers.
#[derive(Default)]
struct Siege {
    /// The number of attackers that have received the expected reason, or expect none.
    attacked: AtomicUsize,
    stop: AtomicBool,
}

impl Siege {
    /// Waits until every attacker has attacked at least once.
    async fn all_have_attacked(&self) {
        let all = async {
            while self.attacked.load(Ordering::Acquire) < Kind::ALL.len() * OF_EACH {
                sleep(Duration::from_millis(50)).await;
            }
        };
        let attacked = timeout(PATIENCE, all).await;
        assert!(
            attacked.is_ok(),
            "only {} have attacked and were told why they end",
            self.attacked.load(Ordering::Acquire)
        );
    }
}

fn besiege(address: SocketAddr, siege: &Arc<Siege>) -> Vec<(Kind, Arc<Attackers>)> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let mut all = Vec::new();
        let mut tasks = Vec::new();
        for kind in Kind::ALL {
            let attackers: Arc<Attackers> = Arc::default();
            for number in 0..OF_EACH {
                tasks.push(tokio::spawn(attack(kind, number, address, attackers.clone(), siege.clone())));
            }
            all.push((kind, attackers));
        }
        for task in tasks {
            task.await.expect("an attacker never panics");
        }
        all
    })
}

/// Attacks repeatedly until the siege stops. Attackers of a kind start one after the other, as they would on the Internet.
async fn attack(kind: Kind, number: usize, address: SocketAddr, attackers: Arc<Attackers>, siege: Arc<Siege>) {
    // Every attacker has its own address.
    let from = SocketAddr::from((Ipv4Addr::new(127, 1, kind as u8, number as u8 + 1), 0));
    let mut attacked = false;
    sleep(number as u32 * STEP).await;
    while !siege.stop.load(Ordering::Acquire) {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.bind(from).expect("an address of this machine");
        let Ok(mut stream) = socket.connect(address).await else { continue };
        attackers.attempts.fetch_add(1, Ordering::Relaxed);
        let misbehaved = misbehave(kind, number, &mut stream, &siege.stop);
        let Ok(last_words) = timeout(PATIENCE, misbehaved).await else { panic!("{kind:?} {number} is not answered") };
        let told_why = last_words.is_some_and(|words| words.contains(kind.expected().unwrap_or("?")));
        attackers.answered.fetch_add(told_why.into(), Ordering::Relaxed);
        if !attacked && (told_why || kind.expected().is_none()) {
            attacked = true;
            siege.attacked.fetch_add(1, Ordering::Release);
        }
        drop(stream);
        sleep(OF_EACH as u32 * STEP).await;
    }
}

/// Misbehaves on one connection. Returns the last line from the host.
async fn misbehave(kind: Kind, number: usize, stream: &mut TcpStream, stop: &AtomicBool) -> Option<String> {
    const HELLO: &[u8] = br#"{"hello":{"protocol":1,"want":{"create":{"scenario":"winter"}}}}"#;
    match kind {
        Kind::Garbage => {
            let garbage = [&b"GET / HTTP/1.1\r\n\r\n"[..], b"{\"hello\":[]}\n", b"{]\n", b"\xff\x00\x10"];
            let _cut_off = stream.write_all(garbage[number % garbage.len()]).await;
        }
        Kind::Slow => {
            for byte in HELLO {
                if stop.load(Ordering::Acquire) || stream.write_all(&[*byte]).await.is_err() {
                    break;
                }
                sleep(Duration::from_millis(200)).await;
            }
        }
        Kind::Silent => {}
        Kind::Flooding => {
            let _cut_off = stream.write_all(HELLO).await;
            let flood = b"\n{\"command\":[\"StartGame\"]}".repeat(500);
            let (mut reading, mut writing) = stream.split();
            // Reads all answers, so that the host does not close the connection for being slow.
            let mut heard = Vec::new();
            let read = reading.read_to_end(&mut heard);
            let write = async { while writing.write_all(&flood).await.is_ok() {} };
            let _both_are_cut_off = tokio::join!(read, write);
            return Some(last_line(&heard));
        }
        Kind::Vanishing => {
            let _cut_off = stream.write_all(&HELLO[..number % HELLO.len()]).await;
            // With a linger of zero, the close resets the connection.
            let _unsupported = stream.set_zero_linger();
            return None;
        }
    }
    let mut heard = Vec::new();
    let _reset_or_closed = stream.read_to_end(&mut heard).await;
    Some(last_line(&heard))
}

fn last_line(heard: &[u8]) -> String {
    String::from_utf8_lossy(heard).lines().last().unwrap_or_default().to_owned()
}

fn percentiles(mut waited: Vec<Duration>) -> String {
    waited.sort_unstable();
    let at = |part: f64| waited[((waited.len() - 1) as f64 * part) as usize];
    format!(
        "{} commands; p50 {:.1?}, p90 {:.1?}, p99 {:.1?}, p99.9 {:.1?}",
        waited.len(),
        at(0.5),
        at(0.9),
        at(0.99),
        at(0.999)
    )
}

fn resident_kilobytes(process: u32) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("the process is there");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a line for its memory");
    line.split_whitespace().next().and_then(|number| number.parse().ok()).expect("a number")
}
