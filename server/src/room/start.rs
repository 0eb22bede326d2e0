//! Starts a room for a game.

use std::{
    any::Any,
    fmt,
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex},
};

use engine::Rulebook;
use tokio::sync::{Notify, mpsc};

use super::{EndsAt, LONGEST_INBOX, Room, RoomEnd, ToRoom, Watermark};
use crate::{
    adapter::{Adapter, SetupOf},
    address_limits::Used,
    clock::Clock,
    handle::GameHandle,
    log::GameKey,
};

/// The parts of a new room.
pub(crate) struct Begun<A: Adapter> {
    pub(crate) name: Arc<str>,
    pub(crate) key: GameKey,
    pub(crate) setup: SetupOf<A>,
    pub(crate) game: A::Rules,
    pub(crate) clock: Clock,
    pub(crate) watermark: Arc<Watermark>,
    /// The seats of bots that the setup has, by the address of the creator.
    pub(crate) bot_seats: Used,
}

/// A room of any game that is ready to run.
pub struct StartedRoom {
    pub(crate) name: Arc<str>,
    pub(crate) key: GameKey,
    pub(crate) rulebook: &'static str,
    pub(crate) edition: String,
    pub(crate) players: Arc<Mutex<Vec<String>>>,
    pub(crate) inbox: mpsc::Sender<ToRoom>,
    pub(crate) ends_at: EndsAt,
    /// Wakes the readers of the game's log.
    pub(crate) progress: Arc<Notify>,
    /// The [`GameHandle`], if the rulebook uses one.
    pub(crate) handle: Option<Box<dyn Any + Send + Sync>>,
    /// The clock of the game.
    pub(crate) clock: Clock,
    /// How much of the game is stored.
    pub(crate) watermark: Arc<Watermark>,
    /// Runs until the room ends.
    pub(crate) run: Running,
}

/// A running room. Its result includes a function that tells the clients how the room ended.
pub(crate) type Running = Pin<Box<dyn Future<Output = (RoomEnd, Farewell)> + Send>>;

/// Tells the clients of a room how it ended.
pub(crate) type Farewell = Box<dyn FnOnce(&RoomEnd) + Send>;

impl<A: Adapter> Room<A> {
    /// Prepares the room to run.
    pub(crate) fn start(mut self) -> StartedRoom {
        let (inbox, mut messages) = mpsc::channel(LONGEST_INBOX);
        self.publish_players();
        let mut handle = None;
        if A::HANDLE {
            let (made, mailbox) = GameHandle::new(self.key, self.clock.clone(), self.told, self.game.clone());
            self.mailbox = Some(mailbox);
            handle = Some(Box::new(made) as Box<dyn Any + Send + Sync>);
        }
        StartedRoom {
            name: self.name.clone(),
            key: self.key,
            rulebook: A::Rules::NAME,
            edition: A::Rules::edition(&self.setup).to_owned(),
            players: self.players.clone(),
            inbox,
            ends_at: self.attendance.ends_at(),
            progress: self.progress.clone(),
            handle,
            clock: self.clock.clone(),
            watermark: self.watermark.clone(),
            run: Box::pin(async move {
                let end = self.run(&mut messages).await;
                // The farewell keeps the inbox open, so that a joining client waits for an answer until then.
                let farewell: Farewell = Box::new(move |end| {
                    let _open_until_here = messages;
                    self.farewell(end);
                });
                (end, farewell)
            }),
        }
    }
}

impl fmt::Debug for StartedRoom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StartedRoom").field("name", &self.name).finish_non_exhaustive()
    }
}
