//! A game on a server, as the clients of one script see it.

use std::{
    collections::BTreeMap,
    thread,
    time::{Duration, Instant},
};

use script::ReceivedEvent;
use serde_json::{Value, json};

use super::{SHORTLY, server};
use crate::{
    connection::Connection,
    play::{Play, Sent},
    process::ServerProcess,
    table::{Failure, Outcome, Table},
};

/// A game of one script.
pub(super) struct RemoteGame<'a> {
    play: &'a Play<'a>,
    /// `None`: a host that others use too.
    pub(super) process: Option<ServerProcess>,
    pub(super) clients: BTreeMap<u32, Connection>,
    patience: Duration,
}

impl<'a> RemoteGame<'a> {
    pub(super) fn new(play: &'a Play<'_>, process: Option<ServerProcess>, patience: Duration) -> Self {
        Self { play, process, clients: BTreeMap::new(), patience }
    }

    /// Reads from every client; the one who sent first: when its answer is there, the others have theirs on the way.
    fn listen(&mut self, first: Option<u32>) -> Result<(), Failure> {
        let sender = first.and_then(|first| self.clients.get_mut(&first));
        let mut heard = sender.map_or(Ok(()), Connection::barrier);
        for connection in self.clients.values_mut() {
            heard = heard.and_then(|()| connection.barrier());
        }
        // A server that fell over explains everything else.
        self.crashed()?;
        heard
    }

    /// Whether a closed connection means that the server is dead.
    fn crashed(&mut self) -> Result<(), Failure> {
        const DYING: Duration = Duration::from_millis(500);
        let closed = self.clients.values().any(|connection| connection.closed);
        let Some(process) = self.process.as_mut().filter(|_| closed) else { return Ok(()) };
        let all_closed = self.clients.values().all(|connection| connection.closed);
        let status = if all_closed { process.status_within(DYING) } else { process.status() };
        match status {
            Some(status) if !status.success() => {
                Err(server(format!("the server crashed in the middle of the game: {}", process.obituary(status))))
            }
            Some(_) | None => Ok(()),
        }
    }
}

impl Table for RemoteGame<'_> {
    fn send(&mut self, client: u32, sent: &Sent<'_>) -> Result<(), Failure> {
        let mut list = vec![Value::from(sent.call.name.as_str())];
        list.extend_from_slice(&sent.call.arguments);
        let sender = self.clients.get_mut(&client).expect("the runner knows its clients");
        sender.say(&json!({ "command": list }))?;
        self.listen(Some(client))
    }

    fn wait_for_deadline(&mut self) -> Result<(), Failure> {
        let count = |game: &Self| -> (usize, usize) {
            let connections = game.clients.values();
            connections
                .fold((0, 0), |(told, closed), next| (told + next.queue.len(), closed + usize::from(next.closed)))
        };
        let before = count(self);
        let timeout = Duration::from_secs(self.play.script.transcript.timeout.unwrap_or_default().into());
        let since = Instant::now();
        // Somebody is told that the time is up, or the game ends with it.
        while count(self) == before && since.elapsed() < timeout + self.patience {
            thread::sleep(Duration::from_millis(10));
            self.listen(None)?;
        }
        self.listen(None)
    }

    fn next(&mut self, client: u32) -> Result<Option<ReceivedEvent>, Failure> {
        let connection = self.clients.get_mut(&client).expect("the runner knows its clients");
        Ok(connection.queue.pop_front())
    }

    fn ended(&mut self) -> Result<(), Failure> {
        self.listen(None)?;
        let Some(process) = &mut self.process else {
            let since = Instant::now();
            while !self.clients.values().all(|connection| connection.closed) {
                if since.elapsed() > self.patience {
                    return Err(Failure::new(Outcome::Fail, "the game is not over: the host keeps the connections"));
                }
                thread::sleep(SHORTLY);
                self.listen(None)?;
            }
            return Ok(());
        };
        match process.status_within(self.patience) {
            Some(status) if status.success() => Ok(()),
            Some(status) => {
                Err(server(format!("the server should end with exit code 0: {}", process.obituary(status))))
            }
            None => Err(Failure::new(Outcome::Fail, "the game is not over: the server still runs")),
        }
    }
}
