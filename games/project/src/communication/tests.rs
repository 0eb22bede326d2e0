//! A server within the process, without sockets, so that tests can drive time.

use tokio::task::JoinHandle;

use super::*;
use crate::{
    LocalConnector,
    documents::{CONNECTION_LOST, Connection, FRAME_END, GAME_OVER, Role, TRY_AGAIN},
    local::{Sent, local},
};

struct Running {
    connector: LocalConnector,
    stop: watch::Sender<bool>,
    task: JoinHandle<Ended>,
}

impl Running {
    async fn new(limits: Limits) -> Self {
        let tcp = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let (connector, local) = local();
        let (stop, stopped) = watch::channel(false);
        let options = Options { limits, ..Options::default() };
        let task = tokio::spawn(serve(Listeners::with_local(tcp, local), options, TraceFile::off(), stopped));
        Self { connector, stop, task }
    }

    async fn connect(&self) -> Client {
        Client(self.connector.connect().await.expect("a server"))
    }

    async fn master(&self) -> Client {
        let mut master = self.connect().await;
        master.says(&asks(0, Role::GameMaster));
        master.hears(&confirmation(0)).await;
        master
    }

    async fn player(&self, master: &mut Client, number: u8) -> Client {
        let mut player = self.connect().await;
        player.says(&asks(number, Role::Player));
        master.hears(&asks(number, Role::Player)).await;
        master.says(&confirmation(number));
        player.hears(&confirmation(number)).await;
        player
    }
}

struct Client(LocalConnection);

impl Client {
    fn says(&self, document: &str) {
        assert_eq!(self.0.writer.send([document.as_bytes(), &[FRAME_END]].concat(), usize::MAX), Sent::Taken);
    }

    async fn next(&mut self) -> Option<String> {
        let mut frame = self.0.reader.next().await?;
        assert_eq!(frame.pop(), Some(FRAME_END));
        Some(String::from_utf8(frame).expect("text"))
    }

    async fn hears(&mut self, expected: &str) {
        assert_eq!(self.next().await.as_deref(), Some(expected));
    }
}

fn hash(number: u8) -> Guid {
    Guid::of_random([number; 16])
}

fn asks(number: u8, role: Role) -> String {
    Connection::Request { hash: hash(number), address: "0.0.0.0:0".into(), role }.write()
}

fn confirmation(number: u8) -> String {
    Connection::Confirmation { hash: hash(number).to_string(), id: number.into() }.write()
}

fn refusal(number: u8, description: &str) -> String {
    Connection::Refusal { hash: hash(number).to_string(), description: description.into() }.write()
}

/// A message of at least this many bytes.
fn message(sender: u8, receiver: u8, length: usize) -> String {
    let (id, content) = (hash(77), "<x/>".repeat(length / 4));
    format!(
        "<Messages xmlns=\"http://messageSchema.something.com\" protocolVersion=\"1\"><Message id=\"{id}\">\
         <Sender id=\"{sender}\"/><Receiver id=\"{receiver}\"/><Content>{content}</Content></Message></Messages>"
    )
}

#[tokio::test(start_paused = true)]
async fn frames_are_as_over_tcp() {
    let running = Running::new(Limits { frame: 1000, ..Limits::default() }).await;
    let mut master = running.master().await;
    let mut player = running.player(&mut master, 1).await;
    player.says(&message(1, 0, 8));
    master.hears(&message(1, 0, 8)).await;
    // The server discards a frame that is too long, and keeps the connection open. It sends a lone end byte back.
    master.says(&message(0, 1, 1000));
    master.says(&message(0, 1, 12));
    master.says("");
    player.hears(&message(0, 1, 12)).await;
    master.hears("").await;
    drop(player);
    master.hears(&refusal(1, CONNECTION_LOST)).await;
    running.stop.send_replace(true);
    assert_eq!(master.next().await, None);
    drop(master);
    assert_eq!(running.task.await.expect("no panic"), Ended::Stopped);
    assert!(running.connector.connect().await.is_err());
}

/// Players wait for a Game Master that does not read. Then the server disconnects it, as over TCP.
#[tokio::test(start_paused = true)]
async fn a_game_master_that_does_not_read() {
    let limits = Limits { courtesy: 1000, ..Limits::default() };
    let running = Running::new(limits).await;
    let mut master = running.master().await;
    let mut player = running.player(&mut master, 1).await;
    let begin = Instant::now();
    for _ in 0..3 {
        player.says(&message(1, 0, 500));
    }
    // The keep-alive is queued after these messages, so it is answered when they are done.
    player.says("");
    player.hears("").await;
    assert_eq!(begin.elapsed(), limits.stall);
    assert_eq!(master.next().await, None, "it is cut");
    let mut late = running.connect().await;
    late.says(&asks(2, Role::Player));
    late.hears(&refusal(2, &format!("the Game Master is away: {TRY_AGAIN}"))).await;

    let mut master = running.master().await;
    player.says(&message(1, 0, 500));
    master.hears(&message(1, 0, 500)).await;
}

/// A Game Master that reads again in time misses nothing.
#[tokio::test(start_paused = true)]
async fn a_game_master_that_reads_slowly() {
    let running = Running::new(Limits { courtesy: 1000, ..Limits::default() }).await;
    let mut master = running.master().await;
    let player = running.player(&mut master, 1).await;
    for length in 0..20 {
        player.says(&message(1, 0, 400 + 4 * length));
    }
    for length in 0..20 {
        sleep(Duration::from_secs(15)).await;
        master.hears(&message(1, 0, 400 + 4 * length)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn how_a_game_master_leaves() {
    let running = Running::new(Limits::default()).await;
    let mut master = running.master().await;
    let mut player = running.player(&mut master, 1).await;
    master.says(&message(0, 1, 8));
    master.says(&refusal(0, GAME_OVER));
    drop(master);
    player.hears(&message(0, 1, 8)).await;
    assert_eq!(player.next().await, None);
    drop(player);
    assert_eq!(running.task.await.expect("no panic"), Ended::Over);

    let running = Running::new(Limits::default()).await;
    let (begin, master) = (Instant::now(), running.master().await);
    drop(master);
    assert_eq!(running.task.await.expect("no panic"), Ended::MasterLost);
    assert_eq!(begin.elapsed(), Duration::from_secs(100), "it is waited for");
}

/// A client notices at once that the server has ended, even without a last message.
#[tokio::test(start_paused = true)]
async fn a_server_that_is_gone() {
    let running = Running::new(Limits::default()).await;
    let mut master = running.master().await;
    running.task.abort();
    assert_eq!(master.next().await, None);
    assert_eq!(master.0.writer.send(vec![FRAME_END], 9), Sent::Gone);
}
