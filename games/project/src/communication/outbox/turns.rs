//! The frames of players that wait for the Game Master. Players take turns, so that none of them can keep the Game Master's
//! link to itself.
//!
//! This is deficit round robin: a player whose turn it is gets [`QUANTUM`] bytes of credit, and sends the frames that its credit
//! covers. So players share the link by bytes, whatever the length of their frames. The frames of one player keep their order.

use std::collections::VecDeque;

use crate::documents::Guid;

/// The bytes of one turn: about ten requests.
const QUANTUM: usize = 4 << 10;

/// Whose frame it is.
#[derive(Clone, Copy, Debug)]
pub(in crate::communication) enum Turn {
    /// A player's frame, or news of this player from the server.
    Player(Guid),
    /// A request to join. It comes after all frames of the player with this hash, if some wait. Otherwise all clients that have
    /// not joined share one turn.
    Stranger(Guid),
}

#[derive(Debug, Default)]
pub(super) struct Turns {
    /// The queues with frames. The first one has its turn.
    queues: VecDeque<Queue>,
    /// How many bytes of the first frame of the first queue are written.
    begun: usize,
}

#[derive(Debug)]
struct Queue {
    /// `None` for the clients that have not joined.
    player: Option<Guid>,
    frames: VecDeque<Box<[u8]>>,
    bytes: usize,
    credit: usize,
}

impl Turns {
    pub(super) fn is_empty(&self) -> bool {
        self.queues.is_empty()
    }

    /// Whether a frame has begun and is not complete.
    pub(super) fn has_begun(&self) -> bool {
        self.begun > 0
    }

    /// Whether the queue of this turn has room for a frame. An empty queue has room for any frame.
    pub(super) fn has_room(&self, turn: Turn, length: usize, most: usize) -> bool {
        self.place(turn).is_none_or(|place| self.queues[place].bytes + length <= most)
    }

    /// Queues a frame of which some bytes may be written already, if no other frame waits.
    pub(super) fn push(&mut self, turn: Turn, frame: &[u8], written: usize) {
        if self.is_empty() {
            self.begun = written;
        }
        let place = self.place(turn).unwrap_or_else(|| {
            let player = match turn {
                Turn::Player(hash) => Some(hash),
                Turn::Stranger(_) => None,
            };
            self.queues.push_back(Queue { player, frames: VecDeque::new(), bytes: 0, credit: 0 });
            self.queues.len() - 1
        });
        let queue = &mut self.queues[place];
        queue.bytes += frame.len();
        queue.frames.push_back(frame.into());
    }

    /// The part of the next frame that is not written yet.
    pub(super) fn rest(&mut self) -> Option<&[u8]> {
        if self.begun == 0 && self.queues.len() > 1 {
            // Each queue gets credit whenever it comes up, so one of them soon has enough.
            while self.queues.front().is_some_and(|first| first.credit < first.next_len()) {
                self.queues.rotate_left(1);
                if let Some(first) = self.queues.front_mut() {
                    first.credit += QUANTUM;
                }
            }
        }
        let frame = self.queues.front()?.frames.front()?;
        Some(&frame[self.begun..])
    }

    pub(super) fn written(&mut self, count: usize) {
        self.begun += count;
        let Some(first) = self.queues.front_mut() else { return };
        if self.begun < first.next_len() {
            return;
        }
        self.begun = 0;
        let length = first.frames.pop_front().map_or(0, |frame| frame.len());
        first.bytes -= length;
        first.credit = first.credit.saturating_sub(length);
        if first.frames.is_empty() {
            self.queues.pop_front();
            // The next one has its turn now.
            if let Some(next) = self.queues.front_mut() {
                next.credit += QUANTUM;
            }
        }
    }

    fn place(&self, turn: Turn) -> Option<usize> {
        let of = |player: Option<Guid>| {
            let is_same = |known: Guid| player.is_some_and(|player| player.is_same(known.as_str()));
            self.queues.iter().position(|queue| queue.player.map_or(player.is_none(), is_same))
        };
        match turn {
            Turn::Player(hash) => of(Some(hash)),
            Turn::Stranger(hash) => of(Some(hash)).or_else(|| of(None)),
        }
    }
}

impl Queue {
    fn next_len(&self) -> usize {
        self.frames.front().map_or(0, |frame| frame.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(number: u8) -> Turn {
        Turn::Player(Guid::of_random([number; 16]))
    }

    /// Writes everything, `step` bytes at a time, and returns the first byte of each frame in their order.
    fn order(turns: &mut Turns, step: usize) -> String {
        let mut order = String::new();
        while let Some(rest) = turns.rest() {
            let (first, count) = (char::from(rest[0]), rest.len().min(step));
            if !turns.has_begun() {
                order.push(first);
            }
            turns.written(count);
        }
        assert!(turns.is_empty() && !turns.has_begun());
        order
    }

    #[test]
    fn players_take_turns() {
        let mut turns = Turns::default();
        for _ in 0..5 {
            turns.push(player(1), &[b'a'; QUANTUM], 0);
        }
        turns.push(player(2), &[b'b'; QUANTUM], 0);
        turns.push(player(3), &[b'c'; QUANTUM / 2], 0);
        turns.push(player(3), &[b'd'; QUANTUM / 2], 0);
        turns.push(player(3), &[b'e'; QUANTUM / 2], 0);
        assert_eq!(order(&mut turns, 1000), "bcdaeaaaa");
    }

    #[test]
    fn a_long_frame_costs_as_many_bytes_as_short_ones() {
        let mut turns = Turns::default();
        turns.push(player(1), &[b'L'; 4 * QUANTUM], 0);
        for _ in 0..8 {
            turns.push(player(2), &[b's'; QUANTUM], 0);
        }
        assert_eq!(order(&mut turns, usize::MAX), "ssssLssss");
    }

    #[test]
    fn a_frame_that_has_begun_ends_first() {
        let mut turns = Turns::default();
        turns.push(player(1), &[b'a'; 100], 40);
        turns.push(player(2), b"b", 0);
        assert!(turns.has_begun());
        assert_eq!(turns.rest().map(<[u8]>::len), Some(60));
        assert_eq!(order(&mut turns, 7), "b", "the beginning of the first frame was written before");
    }

    #[test]
    fn a_request_to_join_stays_behind_the_frames_of_its_player() {
        let hash = Guid::of_random([1; 16]);
        let mut turns = Turns::default();
        turns.push(Turn::Stranger(Guid::of_random([9; 16])), b"x", 0);
        turns.push(player(1), &[b'l'; 2 * QUANTUM], 0);
        turns.push(Turn::Stranger(hash), b"j", 0);
        turns.push(Turn::Stranger(Guid::of_random([8; 16])), b"y", 0);
        assert_eq!(turns.queues.len(), 2, "strangers share one turn");
        assert_eq!(order(&mut turns, usize::MAX), "xylj");
        assert!(turns.has_room(player(1), usize::MAX, 0));
        turns.push(player(1), b"1", 0);
        assert!(turns.has_room(player(1), 1, 2) && !turns.has_room(player(1), 2, 2));
    }
}
