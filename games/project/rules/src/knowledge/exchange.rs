//! An exchange of knowledge, step by step: `Request`, `Response`, the `Data` of the asker, the `Data` of the other player.
//!
//! Every message after the request has the request's id as its context.

use alloc::{collections::BTreeMap, sync::Arc, vec::Vec};

use super::{Knowledge, Shared};
use crate::player::same_id;

/// How long an exchange takes, in milliseconds. The Game Master does not see exchanges, so the players measure the time
/// themselves.
pub const EXCHANGE_COST_MS: u64 = 1200;
/// How long a player waits for the other player, in milliseconds, including the cost of the exchange.
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

/// The open exchanges of a player. With each other player it has at most one that it asked for, and one that it allowed.
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
    /// This player has sent its data, up to the change `told`.
    AwaitsData {
        told: u64,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Allowed {
    AwaitsData,
    /// Both players have sent their data. The exchange is kept in case the asker repeats its data. `before` is the last change
    /// that the asker knew before the exchange.
    Done {
        before: u64,
    },
}

impl Exchanges {
    /// Asks a player for an exchange, unless a request to it is already open.
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

    /// Answers a request. The player allows it if the rules demand that, or if it is `willing`. A repeated request gets the
    /// same answer.
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

    /// Handles the answer to a request. If the other player allows the exchange, this player sends its data first.
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

    /// Handles data of another player. Ignores data that belongs to no open exchange. Answers the data of the asker with the
    /// data of this player.
    pub fn handle_data(&mut self, received: Received<'_>, knowledge: &mut Knowledge, tiles: &[Shared]) -> Option<Say> {
        let Received { from, id, now } = received;
        if let Some(open) = self.asked.get(&from).filter(|open| same_id(&open.id, id)) {
            if let Asked::AwaitsData { told } = open.step {
                // This data is the answer to the data that this player sent.
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

    /// Ends exchanges in which the other player did not answer in time.
    pub fn expire(&mut self, now: u64) {
        self.asked.retain(|_, open| now < open.since.saturating_add(PATIENCE_MS));
        self.allowed.retain(|_, open| now < open.since.saturating_add(PATIENCE_MS));
    }
}
