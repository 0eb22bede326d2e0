//! A small server of one game by the rules in this process: the reference for servers under test, and the way to serve a mutant.

use std::{
    io::{self, BufRead, BufReader, ErrorKind, Write},
    net::{Ipv4Addr, Shutdown, TcpListener, TcpStream},
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    thread,
    time::{Duration, Instant},
};

use script::{AnySetup, Call, LocalGame, ScriptedGame, THE_SCENARIO};
use serde_json::{Value, json};

/// How long clients may take to close their side after the end of the game.
const LINGER: Duration = Duration::from_secs(1);
/// The most clients of a game.
const MOST_CLIENTS: u32 = 64;

/// A game to serve.
#[derive(Debug)]
pub struct Served<'a> {
    /// The rules.
    pub game: &'static dyn ScriptedGame,
    /// The setup of the game.
    pub setup: &'a AnySetup,
    /// The text of the scenario.
    pub scenario: &'a str,
    /// The seed.
    pub seed: i64,
}

/// What a connection says: a new client with its socket, or a line of one.
enum Heard {
    Opened(TcpStream, Sender<u32>),
    Line(u32, Value),
}

/// Serves a game on a port of this machine, until it is over.
///
/// # Errors
/// If the port cannot be opened.
pub fn serve(served: &Served<'_>, port: u16) -> io::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    let (heard, inbox) = channel();
    // It ends with the process.
    thread::spawn(move || listener.incoming().flatten().for_each(|stream| accept(stream, heard.clone())));
    let numbers: Vec<u32> = (0..MOST_CLIENTS).collect();
    let game = served.game.start(served.setup, served.seed, &numbers);
    let mut table = Table { served, game, clients: Vec::new(), since: Instant::now() };
    table.play(&inbox);
    table.close(&inbox);
    Ok(())
}

fn accept(stream: TcpStream, heard: Sender<Heard>) {
    // It ends with the connection.
    drop(thread::spawn(move || {
        let _without = stream.set_nodelay(true);
        let Ok(copy) = stream.try_clone() else { return };
        let mut lines = BufReader::new(copy).lines().map_while(Result::ok).filter(|line| !line.trim().is_empty());
        let read = |line: String| serde_json::from_str::<Value>(&line).unwrap_or(Value::Null);
        let Some(hello) = lines.next().map(read) else { return };
        if hello.get("hello").is_none() {
            let mut stream = stream;
            let _gone = stream.write_all(
                b"{\"closing\":{\"reason\":\"bad_message\",\"message\":\"the first message is a hello\"}}\n",
            );
            return;
        }
        let (number, numbered) = channel();
        if heard.send(Heard::Opened(stream, number)).is_err() {
            return;
        }
        let Ok(number) = numbered.recv() else { return };
        for line in lines.map(read) {
            if heard.send(Heard::Line(number, line)).is_err() {
                return;
            }
        }
    }));
}

struct Client {
    stream: TcpStream,
    told: u64,
}

impl Client {
    fn write(&mut self, message: &Value) {
        // A client that has gone is told nothing.
        let _gone = self.stream.write_all(format!("{message}\n").as_bytes());
    }
}

struct Table<'a> {
    served: &'a Served<'a>,
    game: Box<dyn LocalGame>,
    clients: Vec<Client>,
    since: Instant,
}

impl Table<'_> {
    fn play(&mut self, inbox: &Receiver<Heard>) {
        while !self.game.is_over() {
            let due = self.game.next_due_ms().map(Duration::from_millis);
            let heard = match due {
                Some(due) => inbox.recv_timeout(due.saturating_sub(self.since.elapsed())),
                None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            let elapsed = u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX);
            self.game.elapse(elapsed);
            self.tell();
            match heard {
                Ok(Heard::Opened(stream, number)) => self.welcome(stream, &number),
                Ok(Heard::Line(client, line)) => self.hear(client, &line),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            self.tell();
        }
    }

    fn welcome(&mut self, stream: TcpStream, number: &Sender<u32>) {
        let mut client = Client { stream, told: 0 };
        let own = self.clients.len() as u32;
        if own == MOST_CLIENTS {
            client.write(&json!({"refused": {"reason": "full", "message": "there are too many clients"}}));
            return;
        }
        let rulebook = self.served.game.name();
        client.write(&json!({"welcome": {
            "protocol": 1, "game": "game", "client": own, "token": null, "next": 1, "rulebook": rulebook, "edition": "",
            "commands": 0, "scenario": null,
        }}));
        self.clients.push(client);
        let _gone = number.send(own);
    }

    fn hear(&mut self, client: u32, line: &Value) {
        if self.game.is_over() {
            return;
        }
        let refused = |why: String| json!({"refused": {"reason": "bad_message", "message": why}});
        let answer = if let Some(ping) = line.get("ping") {
            json!({ "pong": ping })
        } else if let Some(command) = line.get("command") {
            match self.call(command).map(|call| self.served.game.command(&call)) {
                Some(Ok(command)) => return self.game.send(client, &command),
                Some(Err(error)) => refused(error.to_string()),
                None => refused("a command is [\"Name\", argument, ..]".into()),
            }
        } else {
            refused("this server knows only command and ping".into())
        };
        self.clients[client as usize].write(&answer);
    }

    /// A command by position, `["Move", 1, 20]`, or by its fields, `{"Move": {"character": 1, "location": 20}}`.
    fn call(&self, command: &Value) -> Option<Call> {
        if let Value::Array(items) = command {
            let (name, arguments) = items.split_first()?;
            return Some(Call { name: name.as_str()?.into(), arguments: arguments.to_vec() });
        }
        let (name, fields) = command.as_object()?.iter().next()?;
        let kind = self.served.game.commands().iter().find(|kind| kind.name == name)?;
        let mut arguments: Vec<Value> = kind.fields.iter().map(|field| fields[field.name].clone()).collect();
        while arguments.len() > kind.least() && arguments.last().is_some_and(Value::is_null) {
            arguments.pop();
        }
        Some(Call { name: name.clone(), arguments })
    }

    /// Sends all events that wait.
    fn tell(&mut self) {
        for (number, client) in (0..).zip(&mut self.clients) {
            while let Some(event) = self.game.next(number) {
                let mut call = event.call(self.served.scenario);
                for argument in call.arguments.iter_mut().filter(|argument| **argument == THE_SCENARIO) {
                    *argument = self.served.scenario.into();
                }
                let event: Vec<Value> = std::iter::once(call.name.into()).chain(call.arguments).collect();
                client.told += 1;
                client.write(&json!({"event": {"number": client.told, "event": event, "text": null}}));
            }
        }
    }

    /// Closes all connections, and waits until the clients have closed them, too: unread lines would reset a connection.
    fn close(mut self, inbox: &Receiver<Heard>) {
        for client in &mut self.clients {
            client.write(&json!({"closing": {"reason": "game_over", "message": "the game is over"}}));
            let _gone = client.stream.shutdown(Shutdown::Write);
        }
        let deadline = Instant::now() + LINGER;
        for client in &self.clients {
            let left = deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
            let _without = client.stream.set_read_timeout(Some(left));
            // The thread of the connection reads the lines. This waits for the end.
            while let Err(error) = client.stream.peek(&mut [0]).and_then(|count| match count {
                0 => Ok(()),
                _ => Err(ErrorKind::Interrupted.into()),
            }) {
                if error.kind() != ErrorKind::Interrupted || Instant::now() > deadline {
                    break;
                }
                while inbox.try_recv().is_ok() {}
                thread::sleep(Duration::from_millis(1));
            }
        }
    }
}
