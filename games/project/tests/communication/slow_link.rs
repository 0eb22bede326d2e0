//! Answers over a link of 1 Mb/s while three others send the player as much as they can.
//!
//! The player is a process of its own in a network namespace. Both directions of its link are shaped by the kernel.

use std::{
    env,
    io::{Read, Write},
    net::{Ipv4Addr, SocketAddr, TcpStream},
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};

use commlib::{Delimited, Frame};
use project::documents::{Connection, FRAME_END, Role};
use testkit::{Need, has};

use crate::support::{Client, PATIENCE, Running, hash, one, options, request};

/// Tells the process in the namespace where the server is.
const SERVER: &str = "HOLDFAST_TEST_SLOW_LINK";

/// The number of answers that the player waits for.
const ANSWERS: usize = 20;

/// A namespace that is connected by a link of 1 Mb/s in each direction.
struct SlowLink {
    namespace: String,
}

const HERE: Ipv4Addr = Ipv4Addr::new(10, 213, 97, 1);

impl SlowLink {
    fn new() -> Self {
        let number = std::process::id();
        let link = Self { namespace: format!("holdfast-{number}") };
        let (namespace, here, there) = (&link.namespace, format!("hf{number}a"), format!("hf{number}b"));
        // A router of such a link keeps about 0.3 s of packets.
        let shape = "root tbf rate 1mbit burst 5kb latency 300ms";
        for command in [
            format!("ip netns add {namespace}"),
            format!("ip link add {here} type veth peer name {there} netns {namespace}"),
            format!("ip address add {HERE}/30 dev {here}"),
            format!("ip link set {here} up"),
            format!("tc qdisc add dev {here} {shape}"),
            format!("ip -n {namespace} address add 10.213.97.2/30 dev {there}"),
            format!("ip -n {namespace} link set {there} up"),
            format!("tc -n {namespace} qdisc add dev {there} {shape}"),
        ] {
            let done = run(&command);
            assert!(done.status.success(), "{command}: {}", String::from_utf8_lossy(&done.stderr));
        }
        link
    }
}

impl Drop for SlowLink {
    fn drop(&mut self) {
        // The link goes with the namespace.
        run(&format!("ip netns delete {}", self.namespace));
    }
}

fn run(command: &str) -> Output {
    let mut words = command.split(' ');
    Command::new(words.next().unwrap_or_default()).args(words).output().expect("a program")
}

/// The player's process prints the latency of each answer, in milliseconds.
#[tokio::test(flavor = "multi_thread")]
async fn answers_are_not_late() {
    if !has(&[Need::NetworkNamespaces, Need::Program("tc")]) {
        return;
    }
    let link = SlowLink::new();
    let running = Running::at(HERE, options()).await;
    let mut master = running.master(0).await;
    let mut enemies = Vec::new();
    for number in 2..=4_u8 {
        enemies.push((number, running.player(&mut master, number).await));
    }
    let this = env::current_exe().expect("this program");
    let player = Command::new("ip")
        .args(["netns", "exec", &link.namespace])
        .arg(this)
        .args(["--exact", "slow_link::player", "--nocapture"])
        .env(SERVER, running.address.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a process");
    master.hears(&request(1, Role::Player)).await;
    master.say(&Connection::Confirmation { hash: hash(1).to_string(), id: 1 }.write()).await;
    let answering = tokio::spawn(answer(master));
    // What players of a large board tell each other, and the longest message that there is.
    let floods: Vec<_> = enemies
        .into_iter()
        .zip([2_000, 115_000, 1_000_000])
        .map(|((number, enemy), bytes)| tokio::spawn(flood(enemy, number, bytes)))
        .collect();
    let output = tokio::task::spawn_blocking(|| player.wait_with_output()).await.expect("no panic").expect("a process");
    floods.iter().for_each(|flood| flood.abort());
    answering.abort();

    let said = String::from_utf8(output.stdout).expect("text");
    let mut latencies: Vec<u64> = said.lines().filter_map(|line| line.split_once("latency ")?.1.parse().ok()).collect();
    latencies.sort_unstable();
    assert_eq!(latencies.len(), ANSWERS, "{said}");
    let (median, longest) = (latencies[ANSWERS / 2], latencies[ANSWERS - 1]);
    println!("{ANSWERS} answers over a link of 1 Mb/s: median {median} ms, longest {longest} ms");
    // All of them take less than 1 s. The limit leaves room for a busy machine. If they waited for messages of players, some would
    // take over 3 s: as long as the longest message that waits.
    assert!(longest <= 2_000, "{latencies:?}");
    running.stopped().await;
}

async fn answer(mut master: Client) {
    while let Some(asked) = master.next().await {
        if let Some((_, number)) = asked.split_once("<n>") {
            let number = number.split('<').next().unwrap_or_default();
            master.say(&one(0, 1, &format!("<n>{number}</n>"))).await;
        }
    }
}

async fn flood(mut enemy: Client, number: u8, bytes: usize) {
    let document = one(number.into(), 1, &"<x/>".repeat(bytes / 4));
    loop {
        enemy.say(&document).await;
        // This is more than the link carries. Still more would only be discarded.
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// The process in the namespace. Alone, it does nothing.
#[test]
fn player() {
    let Ok(server) = env::var(SERVER) else { return };
    let server: SocketAddr = server.parse().expect("an address");
    let mut stream = TcpStream::connect(server).expect("a connection");
    stream.set_nodelay(true).expect("no delay");
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    let mut frames = Delimited::new(FRAME_END, 2 << 20);
    let say = |stream: &mut TcpStream, document: &str| {
        stream.write_all(&[document.as_bytes(), &[FRAME_END]].concat()).expect("the server reads");
    };
    say(&mut stream, &request(1, Role::Player));
    hear(&mut stream, &mut frames, &Connection::Confirmation { hash: hash(1).to_string(), id: 1 }.write());
    for number in 0..ANSWERS {
        // Until the next request, the messages of the others fill every queue again.
        let until = Instant::now() + Duration::from_millis(500);
        while Instant::now() < until {
            read(&mut stream, &mut frames);
            while frames.next_frame().is_some() {}
        }
        let since = Instant::now();
        say(&mut stream, &one(1, 0, &format!("<n>{number}</n>")));
        hear(&mut stream, &mut frames, &one(0, 1, &format!("<n>{number}</n>")));
        println!("latency {}", since.elapsed().as_millis());
    }
}

/// Reads until this document comes.
fn hear(stream: &mut TcpStream, frames: &mut Delimited, expected: &str) {
    loop {
        while let Some(frame) = frames.next_frame() {
            if let Frame::Whole(at) = frame
                && frames.bytes(at) == expected.as_bytes()
            {
                return;
            }
        }
        read(stream, frames);
    }
}

fn read(stream: &mut TcpStream, frames: &mut Delimited) {
    let count = stream.read(frames.space()).expect("the server writes");
    assert!(count > 0, "the server has closed the connection");
    frames.filled(count);
}
