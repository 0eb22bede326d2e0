//! Access to a game for a gateway whose clients use another protocol.
//!
//! A gateway sends typed commands, receives the emissions of each durable entry, and reads the game after the last durable
//! entry. It can also follow the game to receive the effects of all inputs. The handle has its own copy of the game, which
//! folds each input once the input is durable. Gateways only borrow this copy, so it is never cloned for them.

use std::{fmt, sync::Arc, time::Duration};

use commlib::{Reason, Refused};
use engine::{CommId, Emission, Input, Outbox};
use tokio::sync::{Notify, mpsc, oneshot, watch};

use crate::{adapter::HostedRules, clock::Clock, log::GameKey};

/// The maximum number of requests that wait at a handle.
const LONGEST_QUEUE: usize = 64;

/// A gateway's access to one game.
pub struct GameHandle<R: HostedRules> {
    key: GameKey,
    clock: Clock,
    requests: mpsc::Sender<Request<R>>,
    last: watch::Receiver<Durable<R>>,
    /// Wakes those who wait for an entry, in the order in which they came. The channel of `last` has no order.
    changed: Arc<Notify>,
}

/// A game after a durable entry, and the emissions of the entry.
pub struct Durable<R: HostedRules> {
    /// The number of the entry; 0 before the first entry.
    pub sequence: u64,
    /// The emissions of the entry, in order.
    pub emissions: Arc<[Emission<R::Event>]>,
    /// The game after the entry.
    pub game: R,
}

/// The durable entry of a gateway's command.
pub struct Committed<R: HostedRules> {
    /// The number of the entry, from 1.
    pub sequence: u64,
    /// The emissions of the entry, in order.
    pub emissions: Arc<[Emission<R::Event>]>,
}

/// A request of a gateway to a room.
pub(crate) enum Request<R: HostedRules> {
    Join { answer: oneshot::Sender<Result<CommId, Refused>> },
    Submit { client: CommId, command: R::Command, answer: oneshot::Sender<Committed<R>> },
    Stored { answer: oneshot::Sender<()> },
    Follow { follower: Follower<R>, answer: oneshot::Sender<()> },
}

/// Processes a durable entry. Returns false to stop following.
pub(crate) type Follower<R> = Box<dyn FnMut(&Durable<R>) -> bool + Send>;

impl<R: HostedRules> GameHandle<R> {
    /// Creates a handle, and the room's side of it.
    pub(crate) fn new(key: GameKey, clock: Clock, sequence: u64, game: R) -> (Self, GameMailbox<R>) {
        let (requests, received) = mpsc::channel(LONGEST_QUEUE);
        let durable = Durable { sequence, emissions: Arc::new([]), game };
        let (last, watched) = watch::channel(durable);
        let changed = Arc::<Notify>::default();
        let (outbox, followers, waiting) = (Outbox::new(), Vec::new(), Waiting(changed.clone()));
        let mailbox = GameMailbox { requests: received, last, outbox, followers, waiting };
        (Self { key, clock, requests, last: watched, changed }, mailbox)
    }

    /// The key of the game in the log; later games have higher keys.
    pub fn key(&self) -> GameKey {
        self.key
    }

    /// The age of the game by its own clock, which continues after the end of the game.
    pub fn age(&self) -> Duration {
        Duration::from_millis(self.clock.elapsed())
    }

    /// Adds a client. The client is stored before this returns.
    ///
    /// # Errors
    /// If the game is over or its room is gone.
    pub async fn join(&self) -> Result<CommId, Refused> {
        let (answer, answered) = oneshot::channel();
        self.ask(Request::Join { answer }).await?;
        answered.await.map_err(|_| self.why_closed())?
    }

    /// Waits until the game and all earlier requests are durable.
    ///
    /// # Errors
    /// If the room is gone.
    pub async fn stored(&self) -> Result<(), Refused> {
        let (answer, answered) = oneshot::channel();
        self.ask(Request::Stored { answer }).await?;
        answered.await.map_err(|_| self.why_closed())
    }

    /// Submits a command of a client, waits until its entry is durable, and returns the entry. [`CommId`] 0 is the gateway
    /// itself.
    ///
    /// # Errors
    /// If the room is gone.
    pub async fn submit(&self, client: CommId, command: R::Command) -> Result<Committed<R>, Refused> {
        let (answer, answered) = oneshot::channel();
        self.ask(Request::Submit { client, command, answer }).await?;
        answered.await.map_err(|_| self.why_closed())
    }

    /// Submits a command of a client without waiting for its entry, which followers receive. The commands of a client are
    /// folded in order.
    ///
    /// # Errors
    /// If the room is gone.
    pub async fn hand_in(&self, client: CommId, command: R::Command) -> Result<(), Refused> {
        let (answer, _not_awaited) = oneshot::channel();
        self.ask(Request::Submit { client, command, answer }).await
    }

    /// Calls `take` for the last durable entry and for every later one, in order, and returns the stream of its results. No
    /// entry is skipped, so the receiver must keep up. `take` must be fast, because the room waits for it.
    ///
    /// # Errors
    /// If the room is gone.
    pub async fn follow<T: Send + 'static>(
        &self,
        mut take: impl FnMut(&Durable<R>) -> T + Send + 'static,
    ) -> Result<mpsc::UnboundedReceiver<T>, Refused> {
        let (taken, followed) = mpsc::unbounded_channel();
        let follower = Box::new(move |durable: &Durable<R>| taken.send(take(durable)).is_ok());
        let (answer, answered) = oneshot::channel();
        self.ask(Request::Follow { follower, answer }).await?;
        answered.await.map_err(|_| self.why_closed())?;
        Ok(followed)
    }

    /// Whether the room still accepts requests.
    pub fn is_open(&self) -> bool {
        !self.requests.is_closed()
    }

    /// Waits until the room is gone: the host has removed it, and the log has the whole game.
    pub async fn closed(&self) {
        self.requests.closed().await;
    }

    /// Clones the game after the last durable entry, for tools and tests. Gateways use [`look`](Self::look).
    pub fn snapshot(&self) -> R {
        self.look(|last| last.game.clone())
    }

    /// Reads the game after the last durable entry, even if its room is gone. `look` must be fast, because the room waits for
    /// it, and must not call other methods of the handle.
    pub fn look<T>(&self, look: impl FnOnce(&Durable<R>) -> T) -> T {
        look(&self.last.borrow())
    }

    /// Waits until `wanted` returns a value for the durable game, or the room is gone.
    ///
    /// # Errors
    /// If the room is gone before that.
    pub async fn until<T>(&self, mut wanted: impl FnMut(&R) -> Option<T>) -> Result<T, Refused> {
        loop {
            // Created before the look, so that no entry between the two is missed.
            let changed = self.changed.notified();
            let is_gone = self.last.has_changed().is_err();
            if let Some(found) = self.look(|last| wanted(&last.game)) {
                return Ok(found);
            }
            if is_gone {
                return Err(self.why_closed());
            }
            changed.await;
        }
    }

    async fn ask(&self, request: Request<R>) -> Result<(), Refused> {
        self.requests.send(request).await.map_err(|_| self.why_closed())
    }

    /// Why the room accepts no more requests.
    fn why_closed(&self) -> Refused {
        match self.last.borrow().game.outcome() {
            Some(outcome) => Refused::new(Reason::GameOver, format!("The game is over: {outcome}.")),
            // The room is there, but gives no answers while its store is silent.
            None if self.is_open() => unavailable(),
            None => Refused::new(Reason::ShuttingDown, "The server stops; try again when it is back."),
        }
    }
}

/// The refusal while the store is silent.
pub(crate) fn unavailable() -> Refused {
    Refused::new(Reason::StoreUnavailable, "The log cannot be written or read now; resume later.")
}

/// The room's side of a handle.
pub(crate) struct GameMailbox<R: HostedRules> {
    pub(crate) requests: mpsc::Receiver<Request<R>>,
    last: watch::Sender<Durable<R>>,
    /// A reused buffer. Its content is ignored: the first fold already gave the same emissions.
    outbox: Outbox<R::Event, R::Timer>,
    followers: Vec<Follower<R>>,
    // Dropped after `last`, so that those who wait find that it is closed.
    waiting: Waiting,
}

/// Those who wait for an entry. They also hear that no more entries come.
struct Waiting(Arc<Notify>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.notify_waiters();
    }
}

impl<R: HostedRules> GameMailbox<R> {
    /// Folds the input of a durable entry into the copy of the game that gateways read. This is cheaper than cloning the whole
    /// game.
    pub(crate) fn publish(
        &mut self,
        sequence: u64,
        input: &Input<R::Command, R::Timer>,
        emissions: &[Emission<R::Event>],
    ) -> Committed<R> {
        self.last.send_modify(|last| {
            self.outbox.clear();
            last.game.fold(input, &mut self.outbox);
            (last.sequence, last.emissions) = (sequence, emissions.into());
        });
        self.waiting.0.notify_waiters();
        let last = self.last.borrow();
        self.followers.retain_mut(|follower| follower(&last));
        Committed { sequence, emissions: last.emissions.clone() }
    }

    pub(crate) fn follow(&mut self, mut follower: Follower<R>) {
        if follower(&self.last.borrow()) {
            self.followers.push(follower);
        }
    }
}

impl<R: HostedRules> Clone for GameHandle<R> {
    fn clone(&self) -> Self {
        let (requests, last, changed) = (self.requests.clone(), self.last.clone(), self.changed.clone());
        Self { key: self.key, clock: self.clock.clone(), requests, last, changed }
    }
}

impl<R: HostedRules> fmt::Debug for GameHandle<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GameHandle").field("key", &self.key).finish_non_exhaustive()
    }
}

impl<R: HostedRules> fmt::Debug for Durable<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Durable").field("sequence", &self.sequence).finish_non_exhaustive()
    }
}

impl<R: HostedRules> fmt::Debug for Committed<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Committed").field("sequence", &self.sequence).finish_non_exhaustive()
    }
}
