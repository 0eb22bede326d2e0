//! Connects the Game Master to the Communication Server, and finds out which players are connected.

use std::time::Duration;

use tokio::time::{Instant, sleep_until, timeout};

use super::{
    error::MasterError,
    link::{Link, Received},
    mail::Confirmed,
    master::GameMaster,
    telling::here,
};
use crate::{
    LinkError,
    documents::{Connection, Document, Role},
};

/// How long the server may take to answer the request to join.
pub(super) const HANDSHAKE: Duration = Duration::from_secs(5);

impl GameMaster {
    /// Connects and joins. Makes at most `attempts` attempts.
    pub(super) async fn reach(&self, attempts: u32) -> Result<Link, MasterError> {
        let interval = self.handle.look(|last| last.game.setup().reconnection_interval);
        let (server, trace) = (self.options.server, &self.options.trace);
        let mut last = LinkError::NoAttempts;
        for attempt in 1..=attempts {
            let next = Instant::now() + Duration::from_secs(interval.into());
            match timeout(HANDSHAKE, self.shake_hands()).await {
                Ok(Ok(link)) => {
                    let hash = self.hash;
                    match link.local {
                        Some(local) => trace
                            .line(format_args!("connected to {server} from {local} as the Game Master, hash {hash}")),
                        None => trace.line(format_args!("connected in this process as the Game Master, hash {hash}")),
                    }
                    return Ok(link);
                }
                Ok(Err(error)) => last = error,
                Err(_) => last = LinkError::NoAnswer,
            }
            trace.line(format_args!("attempt {attempt} of {attempts} to reach the server at {server}: {last}"));
            if attempt < attempts {
                sleep_until(next).await;
            }
        }
        Err(MasterError::Unreachable { server, attempts, last })
    }

    pub(super) async fn shake_hands(&self) -> Result<Link, LinkError> {
        let connected = match &self.local {
            Some(server) => Link::connect(server).await,
            None => Link::dial(&*self.world, self.options.server).await,
        };
        let mut link = connected?;
        let address = link.address().to_string();
        link.send(Connection::Request { hash: self.hash, address, role: Role::GameMaster }.write())?;
        loop {
            let Received::Document(bytes) = link.next().await? else { continue };
            match Document::read(&bytes, &Document::LIMITS) {
                Ok(Document::Connection(Connection::Confirmation { hash, id: 0 })) if self.hash.is_same(&hash) => {
                    return Ok(link);
                }
                Ok(Document::Connection(Connection::Refusal { hash, description })) if self.hash.is_same(&hash) => {
                    return Err(LinkError::Refused { description });
                }
                Ok(_) => self.discard("before the handshake"),
                Err(problem) => self.discard(problem),
            }
        }
    }

    /// Confirms all players again after every handshake, because the server or this process may have been restarted. The server
    /// forwards each confirmation to its player, or reports that the connection of the player is lost.
    pub(super) fn ask_who_is_there(&mut self, link: &mut Link) -> Result<(), LinkError> {
        let playing: Vec<Confirmed> = self.handle.look(|last| {
            let playing = last.game.all_players().iter().filter(|player| !player.is_gone());
            playing.map(|player| Confirmed::new(&last.game, player)).collect()
        });
        if let Some(over) = &mut self.over {
            over.owed = playing.iter().map(|confirmed| confirmed.player).collect();
        }
        playing.iter().for_each(|confirmed| self.mail.confirm(confirmed));
        self.send(link)?;
        self.probing = true;
        link.probe()
    }

    /// Handles the server's answer: sends the connected players the messages that they may have missed.
    pub(super) fn all_are_here(&mut self) {
        self.probing = false;
        match &mut self.over {
            None => {
                let all: Vec<Confirmed> = self
                    .handle
                    .look(|last| here(&last.game).map(|player| Confirmed::new(&last.game, player)).collect());
                all.into_iter().for_each(|confirmed| self.mail.catch_up(confirmed));
            }
            Some(over) => {
                let absent = std::mem::take(&mut over.absent);
                let told = std::mem::replace(&mut over.owed, absent);
                let end = over.end;
                over.informed += told.difference(&over.owed).count();
                told.difference(&over.owed).for_each(|player| self.mail.end(*player, end));
            }
        }
    }
}
