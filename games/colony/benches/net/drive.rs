//! The load generator: each connection sends a frame, waits for the answer, and sends the next.
//!
//! The frame for a host is a second registration, which the game refuses: the host folds it, logs it, and answers with one
//! event. An echo server receives a frame of the same size from the same code.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use clients::histogram::Histogram;
use colony_rules::Command;
use commlib::{Create, Form, FromClient, Hello, PROTOCOL, Want, encode_from_client};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::process::Process;

/// The time before counting begins.
const WARM_UP: Duration = Duration::from_millis(300);

/// The results of a load generator.
pub(crate) struct Driven {
    pub(crate) commands_per_second: f64,
    pub(crate) p50: f64,
    pub(crate) p99: f64,
}

/// Runs the load generator in another process.
pub(crate) fn drive(address: SocketAddr, whom: &str, connections: usize, seconds: f64) -> Driven {
    let words = ["drive", &address.to_string(), whom, &connections.to_string(), &seconds.to_string()];
    let found: Value = serde_json::from_str(&Process::role(&words).line()).expect("figures");
    let figure = |name: &str| found[name].as_f64().expect("a figure");
    Driven { commands_per_second: figure("commands_per_second"), p50: figure("p50"), p99: figure("p99") }
}

/// The role of that process: drives the server, and prints the results.
pub(crate) fn run(address: &str, whom: &str, connections: &str, seconds: &str) {
    let address: SocketAddr = address.parse().expect("an address");
    let connections: usize = connections.parse().expect("a number");
    let seconds: f64 = seconds.parse().expect("a number");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let latencies = Arc::new(Mutex::new(Histogram::default()));
    runtime.block_on(async {
        let mut wires = Vec::new();
        for _ in 0..connections {
            let mut wire = Wire::connect(address).await;
            if whom == "host" {
                wire.join().await;
            }
            wires.push(wire);
        }
        let from = Instant::now() + WARM_UP;
        let until = from + Duration::from_secs_f64(seconds);
        let driving = wires.into_iter().map(|wire| tokio::spawn(wire.play(from, until, latencies.clone())));
        for driven in driving.collect::<Vec<_>>() {
            driven.await.expect("no panic");
        }
    });
    let latencies = latencies.lock().expect("no thread has panicked");
    let micros = |share| latencies.quantile(share).as_secs_f64() * 1e6;
    let rate = latencies.count() as f64 / seconds;
    println!("{}", json!({"commands_per_second": rate, "p50": micros(0.5), "p99": micros(0.99)}));
}

/// A connection and the last frame that was received.
struct Wire {
    stream: TcpStream,
    buffer: Vec<u8>,
    filled: usize,
}

impl Wire {
    async fn connect(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).await.expect("a connection");
        stream.set_nodelay(true).expect("a socket");
        Self { stream, buffer: vec![0; 1 << 20], filled: 0 }
    }

    /// Creates a game and registers in it. The host answers with the welcome and then the scenario.
    async fn join(&mut self) {
        let create = Create { rulebook: None, scenario: "winter".into(), edition: None, seed: Some(1), timeout: None };
        let hello = Hello { protocol: PROTOCOL, want: Want::Create(create), game: None, board: false };
        self.exchange(&frame(&FromClient::Hello(hello))).await;
        self.exchange(&frame(&register())).await;
    }

    async fn play(mut self, from: Instant, until: Instant, latencies: Arc<Mutex<Histogram>>) {
        let frame = frame(&register());
        let mut own = Histogram::default();
        loop {
            let sent = Instant::now();
            if sent >= until {
                break;
            }
            let answer = self.exchange(&frame).await;
            let answered = Instant::now();
            // The number of the event grows, so the length differs slightly.
            assert!(answer.abs_diff(frame.len()) <= 4, "the answer is as long as the command: {answer} bytes");
            if sent >= from && answered < until {
                own.record(answered - sent);
            }
        }
        latencies.lock().expect("no thread has panicked").merge(&own);
    }

    /// Sends a frame and waits for the next one. Returns its length.
    async fn exchange(&mut self, frame: &[u8]) -> usize {
        self.stream.write_all(frame).await.expect("sent");
        loop {
            if let Some((prefix, body)) = self.buffer[..self.filled].split_first_chunk::<4>() {
                let length = u32::from_be_bytes(*prefix) as usize;
                if body.len() >= length {
                    assert_eq!(body.len(), length, "one answer to one command");
                    self.filled = 0;
                    return 4 + length;
                }
            }
            let count = self.stream.read(&mut self.buffer[self.filled..]).await.expect("an answer");
            assert!(count > 0, "the server closed the connection");
            self.filled += count;
        }
    }
}

fn register() -> FromClient<Command> {
    FromClient::Command(Command::Register { name: name().into() })
}

fn frame(message: &FromClient<Command>) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode_from_client(Form::Binary, message, &mut bytes).expect("it fits a frame");
    bytes
}

/// A valid name, so long that a refused registration is about as long as its answer.
fn name() -> String {
    "\u{e9}".repeat(41) + "."
}
