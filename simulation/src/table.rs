//! The players of a game, and the orders that faults give them.

use std::{collections::VecDeque, sync::Mutex};

use server::sync::lock;
use tokio::sync::Notify;

/// The players of one game, who begin the next when it is over.
#[derive(Debug, Default)]
pub(crate) struct Table {
    rounds: Mutex<Vec<Option<Round>>>,
    changed: Notify,
}

/// The game of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Round {
    pub(crate) game: String,
    /// The code that lets others in, if the game is by invitation.
    pub(crate) invitation: Option<String>,
    /// Whether it is a fork, so that its seats wait to be claimed.
    pub(crate) is_fork: bool,
    /// Whether a player has left it, because it cannot take its place.
    pub(crate) is_abandoned: bool,
}

impl Table {
    /// The game of a round, if it is created.
    pub(crate) fn game(&self, round: usize) -> Option<String> {
        lock(&self.rounds).get(round)?.as_ref().map(|round| round.game.clone())
    }

    /// The invitation to the game of a round, if it needs one.
    pub(crate) fn invitation(&self, round: usize) -> Option<String> {
        lock(&self.rounds).get(round)?.as_ref()?.invitation.clone()
    }

    /// Waits until the game of a round is created.
    pub(crate) async fn begun(&self, round: usize) -> String {
        loop {
            let changed = self.changed.notified();
            if let Some(game) = self.game(round) {
                return game;
            }
            changed.await;
        }
    }

    /// Whether the game of a round is a fork.
    pub(crate) fn is_fork(&self, round: usize) -> bool {
        lock(&self.rounds).get(round).is_some_and(|round| round.as_ref().is_some_and(|round| round.is_fork))
    }

    /// Whether a player has left the game of a round.
    pub(crate) fn is_abandoned(&self, round: usize) -> bool {
        lock(&self.rounds).get(round).is_some_and(|round| round.as_ref().is_some_and(|round| round.is_abandoned))
    }

    /// Tells the others to leave the game of a round.
    pub(crate) fn abandon(&self, round: usize) {
        if let Some(Some(round)) = lock(&self.rounds).get_mut(round) {
            round.is_abandoned = true;
        }
    }

    /// Tells the others of a created game.
    pub(crate) fn created(&self, round: usize, game: &str) {
        self.begin(round, game, None, false);
    }

    /// Tells the others of a created game that they need an invitation for.
    pub(crate) fn invited(&self, round: usize, game: &str, invitation: &str) {
        self.begin(round, game, Some(invitation.to_owned()), false);
    }

    /// Tells the others of a forked game.
    pub(crate) fn forked(&self, round: usize, game: &str) {
        self.begin(round, game, None, true);
    }

    fn begin(&self, round: usize, game: &str, invitation: Option<String>, is_fork: bool) {
        let mut rounds = lock(&self.rounds);
        if rounds.len() <= round {
            rounds.resize(round + 1, None);
        }
        rounds[round].get_or_insert_with(|| Round { game: game.to_owned(), invitation, is_fork, is_abandoned: false });
        drop(rounds);
        self.changed.notify_waiters();
    }
}

/// What a player is told to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Resumes while its connection is open.
    ResumeTwice,
    /// Resumes elsewhere, without its memory.
    ResumeElsewhere,
}

/// What a simulation knows of a player.
#[derive(Debug, Default)]
pub(crate) struct PlayerHandle {
    orders: Mutex<VecDeque<Order>>,
    ordered: Notify,
    status: Mutex<Status>,
}

/// How a player is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Status {
    /// When the last ping was sent that the host has answered, or when the host said that the game is over or full.
    pub(crate) answered_ms: u64,
    /// What the player does, for reports.
    pub(crate) doing: String,
}

impl PlayerHandle {
    pub(crate) fn order(&self, order: Order) {
        lock(&self.orders).push_back(order);
        self.ordered.notify_one();
    }

    /// Waits for the next order.
    pub(crate) async fn next_order(&self) -> Order {
        loop {
            if let Some(order) = lock(&self.orders).pop_front() {
                return order;
            }
            self.ordered.notified().await;
        }
    }

    pub(crate) fn status(&self) -> Status {
        lock(&self.status).clone()
    }

    pub(crate) fn answered(&self, sent_ms: u64) {
        lock(&self.status).answered_ms = sent_ms;
    }

    pub(crate) fn doing(&self, doing: String) {
        lock(&self.status).doing = doing;
    }
}
