//! `holdfast treasure player` and `batch`, on a host in this process.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
    process::{Command, Stdio},
    sync::Arc,
};

use server::{Erased, GameTable, Host, Options, log::MemoryLog};
use slog::{Discard, Logger, o};
use testkit::Request;
use tokio::{runtime::Runtime, sync::watch};
use treasure::{ServedProfile, Treasure, TreasureGateway, TreasureOptions};

use crate::{complains, holdfast, stdout, wait_until};

/// A host with the port of the game. It runs until this is dropped.
struct Served {
    url: String,
    _stop: watch::Sender<bool>,
    _runtime: Runtime,
}

impl Served {
    fn new() -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let (stop, stopped) = watch::channel(false);
        let url = runtime.block_on(async {
            let host = Host::open(Options::new(
                GameTable::new(vec![&Erased::<Treasure>::NEW]),
                Arc::new(MemoryLog::new()),
                Logger::root(Discard, o!()),
            ))
            .await;
            let options = TreasureOptions {
                dummy: Box::new(|_| {}),
                polling_delay: true,
                profile: ServedProfile::default(),
                shuffle_nodes: false,
            };
            let address = SocketAddr::new(Ipv4Addr::LOCALHOST.into(), 0);
            let gateway = TreasureGateway::bind(address, &host.expect("a host"), options).await.expect("a port");
            let address = gateway.local_addr().expect("an address");
            tokio::spawn(gateway.serve(stopped));
            format!("http://{address}")
        });
        Self { url, _stop: stop, _runtime: runtime }
    }
}

/// A folder for one test, which is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("holdfast-treasure-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("UTF-8")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _it_is_gone = fs::remove_dir_all(&self.0);
    }
}

fn player(rest: &str) -> String {
    format!("'{}' treasure player {rest}", env!("CARGO_BIN_EXE_holdfast"))
}

/// The built-in players over the protocol of 2017.
#[test]
fn players_of_2017() {
    let (served, folder) = (Served::new(), Folder::new("2017"));
    let (loud, quiet) = (player("--protocol 2017 --seed 5"), player("--protocol 2017 --seed 6 --quiet"));
    let batch =
        ["treasure", "batch", "--url", &served.url, "--protocol", "2017", "--games", "3", "--out", folder.path()];
    let output = holdfast(&[&batch[..], &["--client", &loud, "--client", &quiet]].concat());
    let table = stdout(&output);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{table}{said}");
    assert!(table.contains("won: the treasure is in the opponent's fort"), "{table}");
    let [first, second] = [1, 2].map(|client| {
        fs::read_to_string(folder.0.join(format!("game-0001-client-{client}.txt"))).expect("what a client printed")
    });
    assert!(first.contains("registered for the next game") && first.contains("F@"), "{first}");
    assert_eq!(second.lines().count(), 1, "only the result: {second}");
    let (first, second) = (first.lines().last().unwrap_or_default(), second.as_str());
    assert!(first.contains(" after ") && second.contains(" after "), "{first} {second}");
    assert!(!(first.starts_with("won") && second.starts_with("won")), "{first} {second}");
}

/// The built-in bot beats the dummy over the protocol of 2022, at the pace that the protocol allows.
#[test]
fn players_of_2022() {
    let (served, folder) = (Served::new(), Folder::new("2022"));
    let batch = ["treasure", "batch", "--url", &served.url, "--games", "4", "--jobs", "4", "--dummy", "--seed", "1"];
    let output = holdfast(&[&batch[..], &["--out", folder.path(), "--client", &player("--seed 3")]].concat());
    let table = stdout(&output);
    assert!(output.status.success(), "{table}{}", String::from_utf8_lossy(&output.stderr));
    let [of_player, of_dummy] = [0, 1].map(|row| figures(&table, row));
    assert!(of_player[1] >= 2, "the luck of the dummy is not that good: {table}");
    assert_eq!(of_player, [4, of_player[1], 4 - of_player[1], 0], "{table}");
    assert_eq!(of_dummy, [4, of_player[2], of_player[1], 0], "{table}");
    assert!(table.contains("won: the treasure is in the opponent's fort"), "{table}");
    let printed = (1..=4).map(|game| fs::read_to_string(folder.0.join(format!("game-{game:04}-client-1.txt"))));
    let printed: Vec<String> = printed.map(|printed| printed.expect("what the player printed")).collect();
    let won = printed.iter().find(|printed| printed.contains("\nwon after ")).expect("a game that it has won");
    assert!(won.contains("the treasure is collected") && won.contains("the opponent's fort is at ("), "{won}");
    assert!(won.contains("registered in game ") && won.contains("F@"), "{won}");
}

/// The numbers in a row of the table: games, won, lost and errors.
fn figures(table: &str, row: usize) -> [u32; 4] {
    let line = table.lines().nth(1 + row).expect("a row");
    let words: Vec<&str> = line.split("  ").map(str::trim).filter(|word| !word.is_empty()).collect();
    [1, 2, 3, 4].map(|word| words[word].parse().unwrap_or_else(|_| panic!("{line:?}")))
}

/// The exit codes of the clients decide who won.
#[test]
fn exit_codes() {
    let (served, folder) = (Served::new(), Folder::new("codes"));
    let check = |first: &str, second: &str, rows: [[u32; 4]; 2], all_is_clear: bool| {
        let batch = ["treasure", "batch", "--url", &served.url, "--games", "2", "--jobs", "2", "--out", folder.path()];
        let output = holdfast(&[&batch[..], &["--client", first, "--client", second]].concat());
        let table = stdout(&output);
        assert_eq!(output.status.success(), all_is_clear, "{table}{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!([0, 1].map(|row| figures(&table, row)), rows, "{table}");
    };
    check("sh -c 'exit 0'", "sh -c 'exit 1'", [[2, 2, 0, 0], [2, 0, 2, 0]], true);
    check("sh -c 'exit 1'", "sh -c 'exit 1'", [[2, 0, 2, 0], [2, 0, 2, 0]], true);
    check("sh -c 'exit 0'", "sh -c 'exit 0'", [[2, 0, 0, 2], [2, 0, 0, 2]], false);
    check("sh -c 'exit 0'", "sh -c 'kill -9 $$'", [[2, 2, 0, 0], [2, 0, 0, 2]], false);
    let printed = fs::read_to_string(folder.0.join("game-0002-client-2.txt")).expect("a file for every client");
    assert_eq!(printed, "");
}

#[test]
fn what_cannot_be_played() {
    let (served, folder) = (Served::new(), Folder::new("bad"));
    let closed = "http://127.0.0.1:1";
    complains(&["play", "--rulebook", "treasure", "--practice"], "treasure is played by programs on a wire of its own");
    complains(&["treasure", "player", closed], "the protocol of 2022 needs a GAMEID");
    complains(&["treasure", "player", closed, "Ss8Zc", "--protocol", "2017"], "the protocol of 2017 has no game ids");
    complains(
        &["treasure", "player", closed, "Ss8Zc"],
        "nothing listens on 127.0.0.1:1; start a server with `holdfast treasure serve`",
    );
    complains(&["treasure", "player", closed, "a/b"], "letters and digits");
    complains(&["treasure", "player", "ftp://127.0.0.1:1", "Ss8Zc"], "ftp is not supported");
    complains(&["treasure", "player", &served.url, "Nope1"], "UnknownGame");
    let account = ["treasure", "player", closed, "--protocol", "2017", "--account", "1234567890"];
    complains(&account, "does not have 1 to 9 characters");
    assert_eq!(holdfast(&["treasure", "player", &served.url, "Nope1"]).status.code(), Some(2), "no game is no loss");

    let batch = ["treasure", "batch", "--url", &served.url, "--games", "1", "--out", folder.path(), "--client", "sh"];
    complains(&batch, "give --client twice, or once with --dummy");
    complains(&[&batch[..], &["--client", "sh", "--dummy"]].concat(), "give --client twice");
    complains(&[&batch[..], &["--dummy", "--protocol", "2017", "--jobs", "2"]].concat(), "one at a time");
    complains(&[&batch[..], &["--client", "/no/such/program"]].concat(), "/no/such/program: No such file");
}

/// The port has no accounts, so a host that requires them opens it only if the operator says so. Then everyone plays there.
#[test]
fn a_host_that_requires_accounts() {
    let host = ["host", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0", "--treasure", "127.0.0.1:0"];
    complains(
        &[&host[..], &["--accounts", "required"]].concat(),
        "--treasure opens a port whose players have no accounts, and --accounts requires them; --guest-ports allows it",
    );
    for more in [&["--accounts", "required", "--guest-ports"][..], &["--accounts", "optional"], &[]] {
        let mut process = Command::new(env!("CARGO_BIN_EXE_holdfast"))
            .args(host)
            .args(more)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let lines = BufReader::new(process.stdout.take().expect("it is piped")).lines();
        let opened =
            lines.map_while(Result::ok).find_map(|line| Some(line.strip_prefix("treasure on http://")?.to_owned()));
        let address: SocketAddr = opened.expect("the port is open").parse().expect("an address");
        let made = Request::post_json("/games", "").send_blocking(address);
        assert!(made.status == 200 && made.body.contains("uniqueGameID"), "{more:?}: {made:?}");
        process.kill().expect("it runs");
        process.wait().expect("it ends");
    }
}

/// Neither Ctrl-C nor the time limit leaves clients running.
#[test]
fn no_client_is_left_behind() {
    let (served, folder) = (Served::new(), Folder::new("left"));
    let sleeps = |seconds: u32| format!("sh -c 'sleep {seconds} & wait'");
    // Longer than the test takes, and unique on this machine.
    let [one, other] = [1, 2].map(|client| 10 * std::process::id() + client + 100_000_000);
    let (first, second) = (sleeps(one), sleeps(other));
    let left = || running(one) + running(other);
    let batch = [
        "treasure",
        "batch",
        "--url",
        &served.url,
        "--games",
        "1",
        "--out",
        folder.path(),
        "--client",
        &first,
        "--client",
        &second,
    ];
    let output = holdfast(&[&batch[..], &["--time", "1"]].concat());
    assert!(!output.status.success());
    assert!(stdout(&output).contains("error: killed after 1s"), "{}", stdout(&output));
    wait_until("no client sleeps", || left() == 0);

    let mut started =
        Command::new(env!("CARGO_BIN_EXE_holdfast")).args(batch).stdout(Stdio::piped()).spawn().expect("it starts");
    wait_until("both sleep", || left() >= 2);
    let interrupted = Command::new("kill").args(["-INT", &started.id().to_string()]).status().expect("a signal");
    assert!(interrupted.success());
    assert!(!started.wait().expect("it ends").success());
    wait_until("no client sleeps", || left() == 0);
}

/// The number of processes that sleep for this time.
fn running(seconds: u32) -> usize {
    let seconds = seconds.to_string();
    let processes = fs::read_dir("/proc").expect("the processes").flatten();
    let lines = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    lines.filter(|line| line.starts_with(b"sleep\0") && line[6..].starts_with(seconds.as_bytes())).count()
}
