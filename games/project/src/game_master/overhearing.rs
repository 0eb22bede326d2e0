//! Follows the exchanges between players. The Communication Server sends copies of them. The page shows them as part of a
//! player's knowledge. They do not affect the game.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use project_rules::{Area, Command, GAME_MASTER, Hearsay};
use tokio::sync::mpsc;

use super::master::GameMaster;
use crate::documents::{
    Content, Document, Guid, Message, Timestamp,
    exchange::{Exchange, KnownTile},
};

/// The rate limit of a player's exchanges in the log: one per this many milliseconds.
const PACE_MS: u64 = 250;
/// The burst that the rate limit allows, in milliseconds.
const BURST_MS: u64 = 4000;

/// The exchanges that the Game Master has observed.
#[derive(Default)]
pub(super) struct Overhearing {
    copies: Option<mpsc::Receiver<Box<[u8]>>>,
    /// The last request of each player to each other player.
    exchanges: BTreeMap<(u32, u32), Asked>,
    /// For each sender: until when its rate limit is used up, on the game's own clock.
    used: BTreeMap<u32, u64>,
}

struct Asked {
    id: Guid,
    allowed: bool,
}

impl Asked {
    fn is(&self, context: Option<Guid>) -> bool {
        context.is_some_and(|context| context.is_same(self.id.as_str()))
    }
}

/// Knowledge that one player sends another.
struct SharedTiles {
    from: u32,
    to: u32,
    tiles: Vec<KnownTile>,
}

impl Overhearing {
    pub(super) fn new(copies: mpsc::Receiver<Box<[u8]>>) -> Self {
        Self { copies: Some(copies), ..Self::default() }
    }

    /// Waits for the next copy. Never returns if no more copies can come.
    pub(super) async fn next(&mut self) -> Box<[u8]> {
        if let Some(copies) = &mut self.copies {
            match copies.recv().await {
                Some(copy) => return copy,
                None => self.copies = None,
            }
        }
        std::future::pending().await
    }

    /// Follows the steps of an exchange. Returns the data if the exchange was requested and allowed.
    fn follow(&mut self, message: Message) -> Option<SharedTiles> {
        let Message { id, context, sender, receiver, content: Content::Exchange(step) } = message else { return None };
        let (from, to) = (u32::try_from(sender).ok()?, u32::try_from(receiver).ok()?);
        match step {
            Exchange::Request => {
                self.exchanges.insert((from, to), Asked { id, allowed: false });
                None
            }
            Exchange::Response { allow } => {
                let asked = self.exchanges.get_mut(&(to, from)).filter(|asked| asked.is(context))?;
                asked.allowed = allow;
                None
            }
            Exchange::Data(tiles) => {
                let belongs = |asked: &Asked| asked.allowed && asked.is(context);
                let pairs = [(from, to), (to, from)];
                let is_known = pairs.iter().any(|pair| self.exchanges.get(pair).is_some_and(belongs));
                is_known.then_some(SharedTiles { from, to, tiles })
            }
        }
    }

    /// Whether the rate limit of a sender allows one more exchange in the log.
    fn has_room(&mut self, sender: u32, clock: u64) -> bool {
        let used = self.used.entry(sender).or_default();
        let until = clock.max(*used);
        if until - clock > BURST_MS - PACE_MS {
            return false;
        }
        *used = until + PACE_MS;
        true
    }
}

impl GameMaster {
    /// Sets the channel that delivers copies of the messages between players.
    pub fn overhear(&mut self, copies: mpsc::Receiver<Box<[u8]>>) {
        self.overhearing = Overhearing::new(copies);
    }

    /// Handles a copy of a document between players.
    pub(super) async fn handle_copy(&mut self, copy: &[u8]) {
        // The receiver cannot read an invalid document, so it is ignored here, too.
        let Ok(Document::Messages(messages)) = Document::read(copy, &Document::LIMITS) else { return };
        for message in messages.messages {
            let (Ok(from), Ok(to)) = (u32::try_from(message.sender), u32::try_from(message.receiver)) else { continue };
            let area = self.handle.look(|last| last.game.may_exchange(from, to).map(|()| last.game.setup().area()));
            if let Ok(area) = area
                && let Some(shared) = self.overhearing.follow(message)
            {
                self.note_exchange(shared, area).await;
            }
        }
    }

    async fn note_exchange(&mut self, SharedTiles { from, to, tiles }: SharedTiles, area: Area) {
        let clock = u64::try_from(self.handle.age().as_millis()).unwrap_or(u64::MAX);
        if !self.overhearing.has_room(from, clock) {
            let line = format_args!("{from} shares tiles with {to}; too many exchanges, not shown");
            return self.options.trace.line(line);
        }
        let now = self.world.now();
        let mut before = BTreeSet::new();
        let tiles: Arc<[Hearsay]> = tiles
            .iter()
            // A document may repeat tiles; each tile of the board counts once.
            .filter(|known| area.zone(known.tile.position).is_some() && before.insert(known.tile.position))
            .map(|known| Hearsay { tile: known.tile, age: age_ms(known, now) })
            .collect();
        self.options.trace.line(format_args!("{from} shares {} tiles with {to}", tiles.len()));
        let _over_meanwhile = self.handle.hand_in(GAME_MASTER, Command::Exchanged { from, to, tiles }).await;
    }
}

/// How long ago a tile was seen, in milliseconds. A time in the future gives 0, and a tile without a time gives the largest
/// age.
fn age_ms(known: &KnownTile, now: i64) -> u64 {
    let at = known.timestamp.as_ref().map_or(0, Timestamp::millis);
    u64::try_from(now.saturating_sub(at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exchanges_are_rate_limited() {
        let mut overhearing = Overhearing::default();
        let taken = |overhearing: &mut Overhearing, sender, clock| {
            (0..100).filter(|_| overhearing.has_room(sender, clock)).count()
        };
        assert_eq!(taken(&mut overhearing, 1, 0), 16, "at once");
        assert_eq!(taken(&mut overhearing, 2, 0), 16, "each sender has its own limit");
        assert_eq!(taken(&mut overhearing, 1, 249), 0);
        assert_eq!(taken(&mut overhearing, 1, 250), 1, "then one per interval");
        assert_eq!(taken(&mut overhearing, 1, 60_000), 16, "the burst is bounded");
    }
}
