//! Measures the cost of open games that are not played.

use std::{fs, io::Read, net::SocketAddr, sync::Arc, thread, time::Duration};

use colony_rules::{Command, Event};
use commlib::{ClientConnection, Create, Form, Hello, PROTOCOL, ToClient, Want};
use tokio::{sync::Semaphore, task::JoinSet};

use crate::{
    process::{Folder, Process},
    table::{Line, Target, print},
};

/// The number of games, if the system allows the host that many connections.
const GAMES: usize = 10_000;
/// The number of open files that a process needs besides its connections.
const OTHER_FILES: usize = 64;
const IDLE: Duration = Duration::from_secs(10);

type Client = ClientConnection<Command, Event>;

pub(crate) fn run() {
    let folder = Folder::new();
    let most = (most_open_files() - OTHER_FILES) / 2;
    let games = GAMES.min(most);
    let (host, address) = Process::host(&folder.file("open.log"), "full");
    // The first games allocate memory that later ones reuse, so they are opened before the first measurement.
    let mut holders = vec![hold_in_a_process(address, games / 100)];
    let before = host.resident();
    let held = games - games / 100;
    // Several processes, because each has the same limit of open files as the host, and clients do more work per connection.
    holders.extend((0..4).map(|part| hold_in_a_process(address, held * (part + 1) / 4 - held * part / 4)));
    let after = host.resident();
    let since = host.processor_time();
    thread::sleep(IDLE);
    let idle = (host.processor_time() - since) / IDLE.as_secs_f64();

    let kib = (after - before) / 1024.0 / held as f64;
    print(
        &format!("open: {games} games that were started, two connected clients each"),
        &[
            Line {
                what: "memory of a game",
                unit: "KiB",
                ours: kib,
                limit: None,
                found: kib,
                target: Target::AtMost(64.0),
            },
            Line {
                what: "processor time when idle",
                unit: "% of a core",
                ours: 100.0 * idle,
                limit: None,
                found: 100.0 * idle,
                target: Target::AtMost(1.0),
            },
        ],
    );
    if games < GAMES {
        println!("  not {GAMES} games: a process may have {} open files here (ulimit -n)", most_open_files());
    }
    println!("  the host in all: {:.0} MiB", after / 1024.0 / 1024.0);
}

/// The system's limit of open files for this process and its children.
fn most_open_files() -> usize {
    let limits = fs::read_to_string("/proc/self/limits").expect("a process of Linux");
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files")).expect("a limit");
    line.split_whitespace().next().and_then(|most| most.parse().ok()).unwrap_or(usize::MAX)
}

fn hold_in_a_process(address: SocketAddr, games: usize) -> Process {
    let mut holder = Process::role(&["hold", &address.to_string(), &games.to_string()]);
    assert_eq!(holder.line(), "all are open");
    holder
}

/// The role: opens games with two clients each and keeps them until standard input ends.
pub(crate) fn hold(address: &str, games: &str) {
    let address: SocketAddr = address.parse().expect("an address");
    let games: usize = games.parse().expect("a number");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let held: Vec<[Client; 2]> = runtime.block_on(async {
        let doors = Arc::new(Semaphore::new(64));
        let mut opening = JoinSet::new();
        for seed in 0..games {
            let doors = doors.clone();
            opening.spawn(async move {
                let _door = doors.acquire().await;
                open(address, seed as i64).await
            });
        }
        opening.join_all().await
    });
    println!("all are open");
    let _ended = std::io::stdin().read_to_end(&mut Vec::new());
    drop(held);
}

/// A game that was started and waits for its first player to choose characters.
async fn open(address: SocketAddr, seed: i64) -> [Client; 2] {
    let create = Create { rulebook: None, scenario: "winter".into(), edition: None, seed: Some(seed), timeout: None };
    let (mut ana, game) = enter(address, None, Want::Create(create)).await;
    let (mut bo, _) = enter(address, Some(game), Want::Join { seat: None }).await;
    for (client, name) in [(&mut ana, "Ana"), (&mut bo, "Bo")] {
        client.send(&Command::Register { name: name.into() }).await.expect("sent");
        hear(client, |event| *event == Event::Config {}).await;
    }
    ana.send(&Command::StartGame {}).await.expect("sent");
    hear(&mut ana, |event| matches!(event, Event::Characters { .. })).await;
    [ana, bo]
}

async fn enter(address: SocketAddr, game: Option<String>, want: Want) -> (Client, String) {
    let mut client = Client::connect(address, Form::Binary).await.expect("a connection");
    let welcome = client.hello(Hello { protocol: PROTOCOL, want, game, board: true }).await.expect("a welcome");
    (client, welcome.game)
}

async fn hear(client: &mut Client, wanted: impl Fn(&Event) -> bool) {
    loop {
        match client.next().await.expect("a message").expect("a message") {
            ToClient::Event(told) if wanted(&told.event) => return,
            ToClient::Event(_) => {}
            other @ (ToClient::Welcome(_)
            | ToClient::Games(_)
            | ToClient::Pong(_)
            | ToClient::Offers(_)
            | ToClient::Notice(_)
            | ToClient::Managed(_)
            | ToClient::Refused(_)
            | ToClient::Closing(_)) => panic!("{other:?}"),
        }
    }
}
