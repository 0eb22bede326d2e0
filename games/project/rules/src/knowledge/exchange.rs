//! An exchange of knowledge, step by step: `Request`, `Response`, the asker's `Data`, the other's `Data`.
//!
//! Every message but the request has the request's id as its context.

use alloc::{collections::BTreeMap, sync::Arc, vec::Vec};

use super::{Knowledge, Shared};
use crate::player::same_id;

/// How long an exchange takes, in milliseconds. The Game Master does not see exchanges: players keep the time themselves.
pub const EXCHANGE_COST_MS: u64 = 1200;
/// How long a player waits for the other, in milliseconds, including the cost of the exchange.
pub const PATIENCE_MS: u64 = 3000 + EXCHANGE_COST_MS;

/// A message to another player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Say {
    /// Asks for an exchange.
    Request {
        /// The receiver.
        to: u32,
        /// The id of the request.
        id: Arc<str>,
    },
    /// Answers a request.
    Response {
        /// The receiver.
        to: u32,
        /// The id of the request.
        context: Arc<str>,
        /// Whether the player agrees.
        allow: bool,
    },
    /// Sends knowledge.
    Data {
        /// The receiver.
        to: u32,
        /// The id of the request.
        context: Arc<str>,
        /// The tiles.
        tiles: Vec<Shared>,
    },
}

/// The envelope of a message from another player.
#[derive(Clone, Copy, Debug)]
pub struct Received<'h> {
    /// The sender.
    pub from: u32,
    /// The id of the request that began the exchange.
    pub id: &'h Arc<str>,
    /// The time.
    pub now: u64,
}

/// The open exchanges of a player: with each other player one that it asked for, and one that it allowed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exchanges {
    asked: BTreeMap<u32, Open<Asked>>,
    allowed: BTreeMap<u32, Open<Allowed>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Open<S> {
    id: Arc<str>,
    /// The time of the last step.
    since: u64,
    step: S,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    AwaitsResponse,
    /// The own data is sent, up to this change.
    AwaitsData {
        told: u64,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Allowed {
    AwaitsData,
    /// Both have sent their data. It is kept in case the asker repeats its data, with the change up to which it knew before.
    Done {
        before: u64,
    },
}

impl Exchanges {
    /// Asks a player, unless it was asked already.
    pub fn ask(&mut self, partner: u32, id: &Arc<str>, now: u64) -> Option<Say> {
        self.expire(now);
        if self.asked.contains_key(&partner) {
            return None;
        }
        self.asked.insert(partner, Open { id: id.clone(), since: now, step: Asked::AwaitsResponse });
        Some(Say::Request { to: partner, id: id.clone() })
    }

    /// Whether a request to this player is open.
    pub fn is_asking(&self, partner: u32) -> bool {
        self.asked.contains_key(&partner)
    }

    /// Answers a request. It is allowed if it must be, or if this player is willing. A repeated request gets the same answer.
    pub fn handle_request(&mut self, received: Received<'_>, knowledge: &Knowledge, willing: bool) -> Say {
        let Received { from, id, now } = received;
        self.expire(now);
        let again = self.allowed.get(&from).is_some_and(|open| same_id(&open.id, id));
        let allow = again || willing || knowledge.must_allow(from);
        if allow && !again {
            self.allowed.insert(from, Open { id: id.clone(), since: now, step: Allowed::AwaitsData });
        }
        Say::Response { to: from, context: id.clone(), allow }
    }

    /// Handles the answer to a request. If it is allowed, this player sends its data first.
    pub fn handle_response(&mut self, received: Received<'_>, knowledge: &Knowledge, allow: bool) -> Option<Say> {
        let Received { from, id, now } = received;
        let open = self.asked.get_mut(&from).filter(|open| same_id(&open.id, id))?;
        if !allow {
            self.asked.remove(&from);
            return None;
        }
        let told = knowledge.horizon(from, knowledge.told(from));
        (open.since, open.step) = (now, Asked::AwaitsData { told });
        Some(Say::Data { to: from, context: open.id.clone(), tiles: knowledge.news_for(from) })
    }

    /// Handles data of another player. Data that belongs to no exchange is ignored. The asker's data is answered with the own.
    pub fn handle_data(&mut self, received: Received<'_>, knowledge: &mut Knowledge, tiles: &[Shared]) -> Option<Say> {
        let Received { from, id, now } = received;
        if let Some(open) = self.asked.get(&from).filter(|open| same_id(&open.id, id)) {
            if let Asked::AwaitsData { told } = open.step {
                // The other has answered the data that was sent to it.
                knowledge.mark_shared(from, told);
                knowledge.learn(from, tiles, now);
                self.asked.remove(&from);
            }
            return None;
        }
        let open = self.allowed.get_mut(&from).filter(|open| same_id(&open.id, id))?;
        let before = match open.step {
            Allowed::AwaitsData => knowledge.told(from),
            Allowed::Done { before } => before,
        };
        (open.since, open.step) = (now, Allowed::Done { before });
        let news = knowledge.news_since(from, before);
        knowledge.mark_shared(from, knowledge.horizon(from, before));
        knowledge.learn(from, tiles, now);
        Some(Say::Data { to: from, context: open.id.clone(), tiles: news })
    }

    /// Ends exchanges whose other side is silent.
    pub fn expire(&mut self, now: u64) {
        self.asked.retain(|_, open| now < open.since.saturating_add(PATIENCE_MS));
        self.allowed.retain(|_, open| now < open.since.saturating_add(PATIENCE_MS));
    }
}
