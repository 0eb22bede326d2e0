//! A game on a server, with the clients of one script.

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
    target::{Failure, GameUnderTest, Outcome},
};

/// A game of one script.
pub(super) struct RemoteGame<'a> {
    play: &'a Play<'a>,
    /// `None` for a running host, which other programs use, too.
    pub(super) process: Option<ServerProcess>,
    pub(super) clients: BTreeMap<u32, Connection>,
    patience: Duration,
}

impl<'a> RemoteGame<'a> {
    pub(super) fn new(play: &'a Play<'_>, process: Option<ServerProcess>, patience: Duration) -> Self {
        Self { play, process, clients: BTreeMap::new(), patience }
    }

    /// Reads the events of every client, those of the sender first: when the answer to the sender has arrived, the other events
    /// are on their way.
    fn read_events(&mut self, first: Option<u32>) -> Result<(), Failure> {
        let sender = first.and_then(|first| self.clients.get_mut(&first));
        let mut read = sender.map_or(Ok(()), Connection::barrier);
        for connection in self.clients.values_mut() {
            read = read.and_then(|()| connection.barrier());
        }
        // A crash explains all other failures, so check it first.
        self.check_crash()?;
        read
    }

    /// Checks whether a closed connection means that the server has crashed.
    fn check_crash(&mut self) -> Result<(), Failure> {
        const DYING: Duration = Duration::from_millis(500);
        let closed = self.clients.values().any(|connection| connection.closed);
        let Some(process) = self.process.as_mut().filter(|_| closed) else { return Ok(()) };
        let all_closed = self.clients.values().all(|connection| connection.closed);
        let status = if all_closed { process.status_within(DYING) } else { process.status() };
        match status {
            Some(status) if !status.success() => {
                Err(server(format!("the server crashed in the middle of the game: {}", process.describe_end(status))))
            }
            Some(_) | None => Ok(()),
        }
    }
}

impl GameUnderTest for RemoteGame<'_> {
    fn send(&mut self, client: u32, sent: &Sent<'_>) -> Result<(), Failure> {
        let mut list = vec![Value::from(sent.call.name.as_str())];
        list.extend_from_slice(&sent.call.arguments);
        let sender = self.clients.get_mut(&client).expect("the runner knows its clients");
        sender.send(&json!({ "command": list }))?;
        self.read_events(Some(client))
    }

    fn wait_for_deadline(&mut self) -> Result<(), Failure> {
        let count = |game: &Self| -> (usize, usize) {
            let connections = game.clients.values();
            connections
                .fold((0, 0), |(events, closed), next| (events + next.queue.len(), closed + usize::from(next.closed)))
        };
        let before = count(self);
        let timeout = Duration::from_secs(self.play.script.transcript.timeout.unwrap_or_default().into());
        let since = Instant::now();
        // Wait until a client receives an event about the timeout, or the game ends.
        while count(self) == before && since.elapsed() < timeout + self.patience {
            thread::sleep(Duration::from_millis(10));
            self.read_events(None)?;
        }
        self.read_events(None)
    }

    fn next(&mut self, client: u32) -> Result<Option<ReceivedEvent>, Failure> {
        let connection = self.clients.get_mut(&client).expect("the runner knows its clients");
        Ok(connection.queue.pop_front())
    }

    fn ended(&mut self) -> Result<(), Failure> {
        self.read_events(None)?;
        let Some(process) = &mut self.process else {
            let since = Instant::now();
            while !self.clients.values().all(|connection| connection.closed) {
                if since.elapsed() > self.patience {
                    return Err(Failure::new(Outcome::Fail, "the game is not over: the host keeps the connections"));
                }
                thread::sleep(SHORTLY);
                self.read_events(None)?;
            }
            return Ok(());
        };
        match process.status_within(self.patience) {
            Some(status) if status.success() => Ok(()),
            Some(status) => {
                Err(server(format!("the server should end with exit code 0: {}", process.describe_end(status))))
            }
            None => Err(Failure::new(Outcome::Fail, "the game is not over: the server still runs")),
        }
    }
}
