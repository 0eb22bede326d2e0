//! A server on a port, and a client.

use std::{
    fs,
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use commlib::{Delimited, Frame};
use project::TraceFile;
use project::communication::{Ended, Limits, Options, serve};
use project::documents::{Connection, FRAME_END, Guid, Role};
use server::RealWorld;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpSocket, TcpStream},
    sync::watch,
    task::JoinHandle,
    time::timeout,
};

/// The timeout of every test.
pub(crate) const PATIENCE: Duration = Duration::from_secs(300);

pub(crate) const ROOT: &str = "<Messages xmlns=\"http://messageSchema.something.com\" protocolVersion=\"1\">";

/// A UUID for each small number.
pub(crate) fn hash(number: u8) -> Guid {
    Guid::of_random([number; 16])
}

/// The default options, with a short time for closing.
pub(crate) fn options() -> Options {
    let limits = Limits { farewell: Duration::from_millis(200), ..Limits::default() };
    Options { limits, ..Options::default() }
}

/// A running server.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) stop: watch::Sender<bool>,
    task: JoinHandle<Ended>,
    trace: PathBuf,
}

impl Running {
    pub(crate) async fn new(options: Options) -> Self {
        Self::at(Ipv4Addr::LOCALHOST, options).await
    }

    pub(crate) async fn at(address: Ipv4Addr, options: Options) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("holdfast-cs-{}-{number}.txt", std::process::id()));
        let trace = TraceFile::open(Arc::new(RealWorld), &path, TraceFile::MAX_BYTES).expect("a trace file");
        let listener = TcpListener::bind((address, 0)).await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (stop, stopped) = watch::channel(false);
        let task = tokio::spawn(serve(listener, options, trace, stopped));
        Self { address, stop, task, trace: path }
    }

    pub(crate) async fn with_master() -> (Self, Client) {
        let running = Self::new(options()).await;
        let master = running.master(0).await;
        (running, master)
    }

    /// Connects a client that does not join.
    pub(crate) async fn stranger(&self) -> Client {
        let stream = TcpStream::connect(self.address).await.expect("a connection");
        stream.set_nodelay(true).expect("no delay");
        Client { stream, frames: Delimited::new(FRAME_END, 2 << 20) }
    }

    /// Connects a player for which the system buffers little.
    pub(crate) async fn slow_player(&self, master: &mut Client, number: u8) -> Client {
        let mut player = self.slow_stranger().await;
        self.join(master, &mut player, number).await;
        player
    }

    /// Connects the Game Master over a connection on which the system keeps few bytes.
    pub(crate) async fn slow_master(&self, number: u8) -> Client {
        let mut master = self.slow_stranger().await;
        self.become_master(&mut master, number).await;
        master
    }

    async fn slow_stranger(&self) -> Client {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.set_recv_buffer_size(4096).expect("a small buffer");
        let stream = socket.connect(self.address).await.expect("a connection");
        Client { stream, frames: Delimited::new(FRAME_END, 2 << 20) }
    }

    /// Connects the Game Master, with the hash of a number.
    pub(crate) async fn master(&self, number: u8) -> Client {
        let mut master = self.stranger().await;
        self.become_master(&mut master, number).await;
        master
    }

    async fn become_master(&self, client: &mut Client, number: u8) {
        client.say(&request(number, Role::GameMaster)).await;
        client.hears(&Connection::Confirmation { hash: hash(number).to_string(), id: 0 }.write()).await;
    }

    /// Connects a player, with the hash of a number and the number as its id.
    pub(crate) async fn player(&self, master: &mut Client, number: u8) -> Client {
        let mut player = self.stranger().await;
        self.join(master, &mut player, number).await;
        player
    }

    pub(crate) async fn join(&self, master: &mut Client, player: &mut Client, number: u8) {
        let asks = request(number, Role::Player);
        player.say(&asks).await;
        master.hears(&asks).await;
        let confirmation = Connection::Confirmation { hash: hash(number).to_string(), id: i32::from(number) }.write();
        master.say(&confirmation).await;
        player.hears(&confirmation).await;
    }

    /// Returns how the server ended, and its trace.
    pub(crate) async fn ended(self) -> (Ended, String) {
        let ended = timeout(PATIENCE, self.task).await.expect("it ends").expect("without a panic");
        let trace = fs::read_to_string(&self.trace).expect("a trace file");
        fs::remove_file(&self.trace).expect("the file of this test");
        (ended, trace)
    }

    pub(crate) fn trace_so_far(&self) -> String {
        fs::read_to_string(&self.trace).expect("a trace file")
    }

    pub(crate) async fn stopped(self) -> String {
        self.stop.send_replace(true);
        let (ended, log) = self.ended().await;
        assert_eq!(ended, Ended::Stopped);
        log
    }
}

/// A client.
pub(crate) struct Client {
    pub(crate) stream: TcpStream,
    frames: Delimited,
}

impl Client {
    pub(crate) async fn say(&mut self, document: &str) {
        let mut frame = document.as_bytes().to_vec();
        frame.push(FRAME_END);
        self.raw(&frame).await;
    }

    pub(crate) async fn raw(&mut self, bytes: &[u8]) {
        timeout(PATIENCE, self.stream.write_all(bytes)).await.expect("the server reads").expect("a connection");
    }

    /// The next frame; `None` at the end of the connection.
    pub(crate) async fn next(&mut self) -> Option<String> {
        loop {
            match self.frames.next_frame() {
                Some(Frame::Whole(at)) => {
                    return Some(String::from_utf8(self.frames.bytes(at).to_vec()).expect("text"));
                }
                Some(Frame::TooLong) => panic!("a frame is too long"),
                None => {}
            }
            let read = timeout(PATIENCE, self.stream.read(self.frames.space())).await.expect("the server writes");
            match read {
                Ok(0) | Err(_) => return None,
                Ok(count) => self.frames.filled(count),
            }
        }
    }

    /// Waits until the system has bytes that this client has not read yet.
    pub(crate) async fn has_more(&mut self) {
        let peeked = timeout(PATIENCE, self.stream.peek(&mut [0])).await;
        assert_eq!(peeked.expect("the server writes").expect("a connection"), 1);
    }

    pub(crate) async fn hears(&mut self, expected: &str) {
        assert_eq!(self.next().await.as_deref(), Some(expected));
    }

    /// Sends a keep-alive, and returns whether the server answers.
    pub(crate) async fn is_echoed(&mut self) -> bool {
        self.stream.write_all(&[FRAME_END]).await.is_ok() && self.next().await.is_some()
    }

    /// Waits until the server has handled all earlier messages, and checks that this client received nothing else.
    pub(crate) async fn settles(&mut self) {
        self.raw(&[FRAME_END]).await;
        self.hears("").await;
    }
}

pub(crate) fn request(number: u8, role: Role) -> String {
    Connection::Request { hash: hash(number), address: "127.0.0.1:2000".into(), role }.write()
}

pub(crate) fn refusal(number: u8, description: &str) -> String {
    Connection::Refusal { hash: hash(number).to_string(), description: description.into() }.write()
}

/// A message with any content.
pub(crate) fn message(sender: i32, receiver: i32, content: &str) -> String {
    let id = hash(77);
    format!(
        "<Message id=\"{id}\"><Sender id=\"{sender}\"/><Receiver id=\"{receiver}\"/><Content>{content}</Content></Message>"
    )
}

/// A document with one message.
pub(crate) fn one(sender: i32, receiver: i32, content: &str) -> String {
    format!("{ROOT}{}</Messages>", message(sender, receiver, content))
}
