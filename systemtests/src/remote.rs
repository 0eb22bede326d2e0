//! A server process of its own for one transcript, over JSON lines.

use std::{
    collections::{BTreeMap, VecDeque},
    fs,
    io::{BufRead, BufReader, ErrorKind, Read, Write},
    net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream},
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};

use colony::Event;
use engine::Message;
use script::{Transcript, event_arguments};
use serde_json::{Value, json};

use crate::table::{Came, Table};

/// How long a server may take to open its port, and to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// How to start a server: a program and its arguments, with `{config}`, `{port}`, `{seed}`, `{timeout}` and `{edition}`.
#[derive(Clone, Debug)]
pub struct ServerCommand {
    words: Vec<String>,
}

impl ServerCommand {
    /// Words are parted by white space.
    pub fn parse(text: &str) -> Result<Self, String> {
        let words: Vec<String> = text.split_whitespace().map(Into::into).collect();
        if words.is_empty() {
            return Err("a server command is a program and its arguments".into());
        }
        if !text.contains("{port}") {
            return Err("a server command needs {port} somewhere: that is where the clients connect".into());
        }
        Ok(Self { words })
    }
}

/// A game on a server of its own.
#[derive(Debug)]
pub struct Remote {
    process: Child,
    config: PathBuf,
    clients: BTreeMap<u32, Client>,
}

#[derive(Debug)]
struct Client {
    stream: TcpStream,
    lines: BufReader<TcpStream>,
    queue: VecDeque<Came>,
    /// The server has closed the connection.
    closed: bool,
    pings: u64,
}

impl Remote {
    pub fn start(server: &ServerCommand, transcript: &Transcript, scenario: &str) -> Result<Self, String> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let config = std::env::temp_dir().join(format!("systest-{}-{number}.json", std::process::id()));
        fs::write(&config, scenario).map_err(|error| format!("{}: {error}", config.display()))?;
        let port = free_port().map_err(|error| format!("no free port: {error}"))?;
        let fill = |word: &String| {
            word.replace("{config}", &config.to_string_lossy())
                .replace("{port}", &port.to_string())
                .replace("{seed}", &transcript.seed.to_string())
                .replace("{timeout}", "60")
                .replace("{edition}", &transcript.edition)
        };
        let words: Vec<String> = server.words.iter().map(fill).collect();
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let process = command.spawn().map_err(|error| format!("{} cannot be started: {error}", words[0]))?;
        let mut remote = Self { process, config, clients: BTreeMap::new() };
        for client in &transcript.clients {
            // A connection that ends at once was taken by something that is on its way out: as good as refused.
            let since = Instant::now();
            let connected = loop {
                match remote.connect(port)? {
                    Some(connected) => break connected,
                    None if since.elapsed() < PATIENCE => thread::sleep(Duration::from_millis(2)),
                    None => return Err("the server closed the connection instead of a welcome".into()),
                }
            };
            remote.clients.insert(*client, connected);
        }
        Ok(remote)
    }

    /// A client with its welcome; `None` when the connection was closed instead.
    fn connect(&mut self, port: u16) -> Result<Option<Client>, String> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let since = Instant::now();
        let stream = loop {
            match TcpStream::connect(address) {
                Ok(stream) => break stream,
                Err(error) if error.kind() == ErrorKind::ConnectionRefused && since.elapsed() < PATIENCE => {
                    if let Ok(Some(status)) = self.process.try_wait() {
                        return Err(format!("the server ended with {status}: {}", self.complaint()));
                    }
                    thread::sleep(Duration::from_millis(2));
                }
                Err(error) => return Err(format!("no connection to the server: {error}")),
            }
        };
        let prepare = || -> std::io::Result<BufReader<TcpStream>> {
            stream.set_nodelay(true)?;
            stream.set_read_timeout(Some(PATIENCE))?;
            Ok(BufReader::new(stream.try_clone()?))
        };
        let lines = prepare().map_err(|error| error.to_string())?;
        let mut client = Client { stream, lines, queue: VecDeque::new(), closed: false, pings: 0 };
        client.say(&json!({"hello": {"protocol": 1, "want": {"join": {}}}}))?;
        match client.hear()? {
            Some(answer) if answer.get("welcome").is_some() => Ok(Some(client)),
            Some(answer) => Err(format!("the server does not welcome a client: {answer}")),
            None => Ok(None),
        }
    }

    /// What the server said on standard error before it ended.
    fn complaint(&mut self) -> String {
        let mut text = String::new();
        if let Some(stderr) = &mut self.process.stderr {
            let _unreadable = stderr.take(2000).read_to_string(&mut text);
        }
        text.trim().to_owned()
    }
}

impl Table for Remote {
    fn send(&mut self, client: u32, command: &str, arguments: &[Value]) -> Result<(), String> {
        let mut list = vec![Value::from(command)];
        list.extend_from_slice(arguments);
        let sender = self.clients.get_mut(&client).ok_or("an unknown client")?;
        if !sender.closed {
            sender.say(&json!({"command": list}))?;
        }
        // Whoever sent it first: when its answer is there, the others have theirs on the way.
        sender.barrier()?;
        self.clients.values_mut().try_for_each(Client::barrier)
    }

    fn next(&mut self, client: u32) -> Option<Came> {
        self.clients.get_mut(&client)?.queue.pop_front()
    }

    fn ended(&mut self) -> Result<(), String> {
        for (id, client) in &mut self.clients {
            client.barrier()?;
            if let Some(came) = client.queue.front() {
                return Err(format!("client {id} is told more: {came}"));
            }
        }
        let since = Instant::now();
        while since.elapsed() < PATIENCE {
            match self.process.try_wait() {
                Ok(Some(status)) if status.success() => return Ok(()),
                Ok(Some(status)) => return Err(format!("the server ended with {status}: {}", self.complaint())),
                Ok(None) => thread::sleep(Duration::from_millis(2)),
                Err(error) => return Err(error.to_string()),
            }
        }
        Err("the game is not over: the server still runs".into())
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        // It may have ended by itself, which is just as well.
        let _ended = self.process.kill();
        let _status = self.process.wait();
        let _left_behind = fs::remove_file(&self.config);
    }
}

impl Client {
    fn say(&mut self, message: &Value) -> Result<(), String> {
        let sent = self.stream.write_all(format!("{message}\n").as_bytes());
        match sent {
            Err(error) if matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset) => {
                self.closed = true;
                Ok(())
            }
            other => other.map_err(|error| format!("a command cannot be sent: {error}")),
        }
    }

    /// The next message; `None` once the server has closed the connection.
    fn hear(&mut self) -> Result<Option<Value>, String> {
        let mut line = String::new();
        match self.lines.read_line(&mut line) {
            Ok(0) => Ok(None),
            Ok(_) => serde_json::from_str(&line).map(Some).map_err(|error| format!("no JSON: {error}: {line}")),
            Err(error) if error.kind() == ErrorKind::ConnectionReset => Ok(None),
            Err(error) => Err(format!("nothing came for {PATIENCE:?}: {error}")),
        }
    }

    /// Reads until the server has answered a ping: everything that it said before is in the queue then.
    fn barrier(&mut self) -> Result<(), String> {
        if self.closed {
            return Ok(());
        }
        self.pings += 1;
        self.say(&json!({"ping": self.pings}))?;
        while let Some(message) = self.hear()? {
            if message.get("pong").and_then(Value::as_u64) == Some(self.pings) {
                return Ok(());
            }
            if let Some(told) = message.get("event") {
                self.queue.push_back(came(told)?);
            } else if message.get("closing").is_none() {
                return Err(format!("the server says {message}"));
            }
        }
        self.hang_up();
        Ok(())
    }

    /// Lets a server that has said its last word go.
    fn hang_up(&mut self) {
        self.closed = true;
        let _gone_already = self.stream.shutdown(Shutdown::Both);
    }
}

fn came(told: &Value) -> Result<Came, String> {
    let event: Event =
        serde_json::from_value(told["event"].clone()).map_err(|error| format!("no event: {error}: {told}"))?;
    let name = event.kind().name;
    let arguments = match name {
        "Config" | "CommandFailed" => told["text"].as_str().map(Value::from).into_iter().collect(),
        _ => event_arguments(&event, ""),
    };
    Ok(Came { name: name.into(), arguments })
}

/// A port that nobody listens on, each time another one.
///
/// Not one that the system picks: it may pick the same again for somebody else, before the server has opened it.
fn free_port() -> std::io::Result<u16> {
    static TRIED: AtomicU32 = AtomicU32::new(0);
    const FIRST: u32 = 20_000;
    const COUNT: u32 = 12_000;
    loop {
        let tried = TRIED.fetch_add(1, Ordering::Relaxed);
        // Programs that run at the same time begin at different places.
        let port = FIRST + (std::process::id().wrapping_mul(997).wrapping_add(tried)) % COUNT;
        match TcpListener::bind((Ipv4Addr::LOCALHOST, port as u16)) {
            Ok(_) => return Ok(port as u16),
            Err(error) if tried > COUNT => return Err(error),
            Err(_) => {}
        }
    }
}
