//! An exchange of knowledge, step by step: `Request`, `Response`, the asker's `Data`, the other's `Data`.
//!
//! Every message but the request has the request's id as its context.

use alloc::{collections::BTreeMap, sync::Arc, vec::Vec};

use super::{Knowledge, Shared};
use crate::player::same_id;

/// What an exchange takes, in milliseconds. The Game Master does not see it: programs keep it themselves.
pub const EXCHANGE_COST: u64 = 1200;
/// How long the other is waited for, in milliseconds: for an answer, and what the exchange costs.
pub const PATIENCE: u64 = 3000 + EXCHANGE_COST;

/// A message to another player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Say {
    Request { to: u32, id: Arc<str> },
    Response { to: u32, context: Arc<str>, allow: bool },
    Data { to: u32, context: Arc<str>, tiles: Vec<Shared> },
}

/// A message from another player.
#[derive(Clone, Copy, Debug)]
pub struct Heard<'h> {
    pub from: u32,
    /// The request's id: of a request its own, of any other message its context.
    pub id: &'h Arc<str>,
    pub now: u64,
}

/// The exchanges that a player has under way: with each other player one that it asked for, and one that it allowed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exchanges {
    asked: BTreeMap<u32, Open<Asked>>,
    allowed: BTreeMap<u32, Open<Allowed>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Open<S> {
    id: Arc<str>,
    /// When the last step was.
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
    /// Both have sent theirs; kept in case the asker did not hear it, with the change up to which it knew before.
    Done {
        before: u64,
    },
}

impl Exchanges {
    /// Asks a player; nothing when an exchange with it is under way already.
    pub fn ask(&mut self, partner: u32, id: &Arc<str>, now: u64) -> Option<Say> {
        self.expire(now);
        if self.asked.contains_key(&partner) {
            return None;
        }
        self.asked.insert(partner, Open { id: id.clone(), since: now, step: Asked::AwaitsResponse });
        Some(Say::Request { to: partner, id: id.clone() })
    }

    /// Whether an own request to this player is under way.
    pub fn is_asking(&self, partner: u32) -> bool {
        self.asked.contains_key(&partner)
    }

    /// Somebody asks. It is allowed when it must be, or when this player is willing. The same request again is answered as
    /// before while it is under way.
    pub fn hear_request(&mut self, heard: Heard<'_>, knowledge: &Knowledge, willing: bool) -> Say {
        let Heard { from, id, now } = heard;
        self.expire(now);
        let again = self.allowed.get(&from).is_some_and(|open| same_id(&open.id, id));
        let allow = again || willing || knowledge.must_allow(from);
        if allow && !again {
            self.allowed.insert(from, Open { id: id.clone(), since: now, step: Allowed::AwaitsData });
        }
        Say::Response { to: from, context: id.clone(), allow }
    }

    /// The answer to an own request: when it is allowed, the own data goes first.
    pub fn hear_response(&mut self, heard: Heard<'_>, knowledge: &Knowledge, allow: bool) -> Option<Say> {
        let Heard { from, id, now } = heard;
        let open = self.asked.get_mut(&from).filter(|open| same_id(&open.id, id))?;
        if !allow {
            self.asked.remove(&from);
            return None;
        }
        let told = knowledge.horizon(from, knowledge.told(from));
        (open.since, open.step) = (now, Asked::AwaitsData { told });
        Some(Say::Data { to: from, context: open.id.clone(), tiles: knowledge.news_for(from) })
    }

    /// Data of another player. Only what belongs to an exchange is learnt from; to the asker's the own data is the answer.
    pub fn hear_data(&mut self, heard: Heard<'_>, knowledge: &mut Knowledge, tiles: &[Shared]) -> Option<Say> {
        let Heard { from, id, now } = heard;
        if let Some(open) = self.asked.get(&from).filter(|open| same_id(&open.id, id)) {
            if let Asked::AwaitsData { told } = open.step {
                // The other answers to our data: it has heard it.
                knowledge.has_told(from, told);
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
        knowledge.has_told(from, knowledge.horizon(from, before));
        knowledge.learn(from, tiles, now);
        Some(Say::Data { to: from, context: open.id.clone(), tiles: news })
    }

    /// Gives up exchanges whose other side is silent.
    pub fn expire(&mut self, now: u64) {
        self.asked.retain(|_, open| now < open.since.saturating_add(PATIENCE));
        self.allowed.retain(|_, open| now < open.since.saturating_add(PATIENCE));
    }
}
