//! What players tell each other, as far as the Communication Server lets it be heard. The page shows it among what a player
//! knows; the rules take no notice of it.

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

/// How much of one player's knowledge goes into the log: once in so many milliseconds.
const PACE: u64 = 250;
/// And so many milliseconds of that at once.
const AHEAD: u64 = 4000;

/// What is heard of exchanges.
#[derive(Default)]
pub(super) struct Overhearing {
    copies: Option<mpsc::Receiver<Box<[u8]>>>,
    /// The last exchange that each asker asked each other player for.
    exchanges: BTreeMap<(u32, u32), Asked>,
    /// Until when, by the game's own clock, each sender has used up its share of the log.
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

/// Knowledge on its way.
struct Told {
    from: u32,
    to: u32,
    tiles: Vec<KnownTile>,
}

impl Overhearing {
    pub(super) fn new(copies: mpsc::Receiver<Box<[u8]>>) -> Self {
        Self { copies: Some(copies), ..Self::default() }
    }

    /// The next copy; never, when nothing can be heard any more.
    pub(super) async fn next(&mut self) -> Box<[u8]> {
        if let Some(copies) = &mut self.copies {
            match copies.recv().await {
                Some(copy) => return copy,
                None => self.copies = None,
            }
        }
        std::future::pending().await
    }

    /// Follows an exchange by its steps. Gives what its receiver learns from: data of an exchange that was asked for and allowed.
    fn follow(&mut self, message: Message) -> Option<Told> {
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
                is_known.then_some(Told { from, to, tiles })
            }
        }
    }

    /// Whether there is room in the log for something more of a sender.
    fn has_room(&mut self, sender: u32, clock: u64) -> bool {
        let used = self.used.entry(sender).or_default();
        let until = clock.max(*used);
        if until - clock > AHEAD - PACE {
            return false;
        }
        *used = until + PACE;
        true
    }
}

impl GameMaster {
    /// From now on this Game Master hears what players tell each other.
    pub fn overhear(&mut self, copies: mpsc::Receiver<Box<[u8]>>) {
        self.overhearing = Overhearing::new(copies);
    }

    /// Players have told each other something.
    pub(super) async fn overheard(&mut self, copy: &[u8]) {
        // What cannot be read, its receiver does not understand either.
        let Ok(Document::Messages(messages)) = Document::read(copy, &Document::LIMITS) else { return };
        for message in messages.messages {
            let (Ok(from), Ok(to)) = (u32::try_from(message.sender), u32::try_from(message.receiver)) else { continue };
            let area = self.handle.look(|last| last.game.may_exchange(from, to).map(|()| last.game.setup().area()));
            if let Ok(area) = area
                && let Some(told) = self.overhearing.follow(message)
            {
                self.note_exchange(told, area).await;
            }
        }
    }

    async fn note_exchange(&mut self, Told { from, to, tiles }: Told, area: Area) {
        let clock = u64::try_from(self.handle.age().as_millis()).unwrap_or(u64::MAX);
        if !self.overhearing.has_room(from, clock) {
            let line = format_args!("{from} tells {to} more than is taken down for the view");
            return self.options.trace.line(line);
        }
        let now = self.world.now();
        let mut before = BTreeSet::new();
        let tiles: Arc<[Hearsay]> = tiles
            .iter()
            // However much a document repeats, there is no more to tell than the board.
            .filter(|known| area.zone(known.tile.position).is_some() && before.insert(known.tile.position))
            .map(|known| Hearsay { tile: known.tile, age: age(known, now) })
            .collect();
        self.options.trace.line(format_args!("{from} tells {to} of {} tiles", tiles.len()));
        let _over_meanwhile = self.handle.hand_in(GAME_MASTER, Command::Exchanged { from, to, tiles }).await;
    }
}

/// How long ago a tile was seen, in milliseconds. Nobody sees the future, and what was seen nobody knows when is older than all else.
fn age(known: &KnownTile, now: i64) -> u64 {
    let at = known.timestamp.as_ref().map_or(0, Timestamp::millis);
    u64::try_from(now.saturating_sub(at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sender_has_its_share() {
        let mut overhearing = Overhearing::default();
        let heard = |overhearing: &mut Overhearing, sender, clock| {
            (0..100).filter(|_| overhearing.has_room(sender, clock)).count()
        };
        assert_eq!(heard(&mut overhearing, 1, 0), 16, "at once");
        assert_eq!(heard(&mut overhearing, 2, 0), 16, "each its own");
        assert_eq!(heard(&mut overhearing, 1, 249), 0);
        assert_eq!(heard(&mut overhearing, 1, 250), 1, "then at its pace");
        assert_eq!(heard(&mut overhearing, 1, 60_000), 16, "no more is saved up");
    }
}
