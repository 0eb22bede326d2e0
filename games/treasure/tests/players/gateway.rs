//! A server of both protocols for one game, over real sockets. It loses requests and answers, and goes away, as a test
//! requires.

use std::{
    io,
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use engine::{Cause, CommId, Input, Outbox, Rulebook};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    sync::mpsc,
    task::{JoinHandle, JoinSet},
    time::sleep,
};
use treasure_rules::{Command, Game, Setup};

/// The server's treatment of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Answered,
    /// The server closes the connection without processing the request.
    Ignored,
    /// The server processes the request, and closes the connection without an answer.
    Taken,
}

/// Chooses the fate of a request by its path, its body, and the number of earlier requests.
pub(crate) type Plan = fn(&str, &str, usize) -> Fate;

/// A game, and the counts of its requests.
pub(crate) struct Hosted {
    pub(crate) game: Game,
    outbox: Outbox<treasure_rules::Event, treasure_rules::Timer>,
    plan: Plan,
    requests: usize,
    pub(crate) lost: usize,
}

/// Answers a request. `None` if it must be held.
pub(crate) type Answering = fn(&mut Hosted, path: &str, body: &str) -> Option<String>;

impl Hosted {
    /// Submits a command. Returns the refusal, if it is refused.
    #[expect(clippy::wildcard_enum_match_arm, reason = "all other events are of no interest")]
    pub(crate) fn take(&mut self, client: CommId, command: Command) -> Option<treasure_rules::Refusal> {
        self.outbox.clear();
        self.game.fold(&Input { elapsed_ms: 0, cause: Cause::Command { client, command } }, &mut self.outbox);
        self.outbox.events().find_map(|(_, event)| match event {
            treasure_rules::Event::Refused { refusal } | treasure_rules::Event::Failed { refusal } => {
                Some(refusal.clone())
            }
            _ => None,
        })
    }

    /// The client with this id.
    pub(crate) fn client(&self, id: &str) -> Option<CommId> {
        self.game.players().into_iter().find(|member| &*member.id == id).map(|member| member.client)
    }

    /// The id of the next client that registers.
    pub(crate) fn newcomer(&self) -> CommId {
        CommId(1 + self.game.players().len() as u32)
    }
}

/// A server that runs until it is dropped.
pub(crate) struct Gateway {
    pub(crate) address: SocketAddr,
    pub(crate) hosted: Arc<Mutex<Hosted>>,
    away: mpsc::Sender<Duration>,
    serving: JoinHandle<()>,
}

impl Gateway {
    pub(crate) async fn start(scenario: &str, seed: i64, plan: Plan, answer: Answering) -> Self {
        let setup = Setup::new(scenario).expect("a scenario");
        let mut outbox = Outbox::new();
        let game = Game::start(&setup, seed, &mut outbox);
        let hosted = Arc::new(Mutex::new(Hosted { game, outbox, plan, requests: 0, lost: 0 }));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (away, asked) = mpsc::channel(1);
        let serving = tokio::spawn(serve(listener, address, hosted.clone(), answer, asked));
        Self { address, hosted, away, serving }
    }

    /// Closes the port and all connections, and opens the port again after a while.
    pub(crate) async fn be_away(&self, long: Duration) {
        self.away.send(long).await.expect("it serves");
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn serve(
    mut listener: TcpListener,
    address: SocketAddr,
    hosted: Arc<Mutex<Hosted>>,
    answer: Answering,
    mut asked: mpsc::Receiver<Duration>,
) {
    let mut open = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                let (stream, _) = accepted.expect("a connection");
                open.spawn(converse(stream, hosted.clone(), answer));
            }
            Some(long) = asked.recv() => {
                drop(listener);
                open.shutdown().await;
                sleep(long).await;
                listener = TcpListener::bind(address).await.expect("the port is free again");
            }
        }
    }
}

/// Answers one request after the other.
async fn converse(stream: TcpStream, hosted: Arc<Mutex<Hosted>>, answer: Answering) -> io::Result<()> {
    let mut stream = BufReader::new(stream);
    loop {
        let (path, body) = request(&mut stream).await?;
        let fate = {
            let mut hosted = hosted.lock().expect("no panic");
            hosted.requests += 1;
            let fate = (hosted.plan)(&path, &body, hosted.requests);
            hosted.lost += usize::from(fate != Fate::Answered);
            fate
        };
        if fate == Fate::Ignored {
            return Ok(());
        }
        let text = loop {
            let said = answer(&mut hosted.lock().expect("no panic"), &path, &body);
            match said {
                Some(text) => break text,
                None => sleep(Duration::from_millis(1)).await,
            }
        };
        if fate == Fate::Taken {
            return Ok(());
        }
        let head =
            format!("HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\nContent-Length: {}\r\n\r\n", text.len());
        stream.get_mut().write_all((head + &text).as_bytes()).await?;
    }
}

async fn request(stream: &mut BufReader<TcpStream>) -> io::Result<(String, String)> {
    let mut first = String::new();
    if stream.read_line(&mut first).await? == 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let path = first.split(' ').nth(1).expect("a request has a path").to_owned();
    let mut length = 0;
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).await?;
        match line.trim_end().split_once(": ") {
            Some(("Content-Length", value)) => length = value.parse().expect("a number"),
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await?;
    Ok((path, String::from_utf8(body).expect("UTF-8")))
}
