//! Tells a client what it can do now. The offers are computed when the client asks, and told after the last entry so far.

use std::panic::{AssertUnwindSafe, catch_unwind};

use commlib::{ConnectionId, Offered, Reason, Refused, ToClient};
use engine::{CommId, Missing, Moment, Rulebook, Shown};
use serde::Serialize;
use serde_json::Value;
use slog::error;

use super::{Room, Waiting};
use crate::{adapter::Adapter, stream::Subscriber};

/// The longest offers, in bytes of JSON. Twice as much still fits a frame, so that escapes do not matter.
const LONGEST_OFFERS: usize = commlib::LONGEST_FRAME / 4;

/// The game around the offers of a client, for pages: what the client may know, as a drawing shows it.
#[derive(Serialize)]
struct Table {
    /// The client's player, once it has one.
    you: Option<String>,
    /// The seat of that player: an index into `players`. Two players may have the same name.
    #[serde(skip_serializing_if = "Option::is_none")]
    seat: Option<usize>,
    /// The players, in the order of their seats.
    players: Vec<String>,
    /// The player whose turn it is.
    turn: Option<String>,
    round: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<Missing>,
    /// The time until the game goes on by itself: a player may be late, or a clock run out.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_ms: Option<u64>,
    picture: Value,
}

#[derive(Serialize)]
#[serde(bound(serialize = "O: Serialize"))]
struct WithTable<'o, O> {
    #[serde(flatten)]
    offers: &'o O,
    table: Table,
}

impl<A: Adapter> Room<A> {
    pub(super) fn offer(&mut self, connection: ConnectionId, number: u64) {
        let Some(peer) = self.peers.iter().find(|peer| peer.connection == connection) else { return };
        let offers = match peer.subscriber {
            Subscriber::Client { client, .. } => self.offers_of(client),
            Subscriber::Watcher => Err(Refused::new(Reason::BadMessage, "Watchers have no offers.")),
        };
        self.waiting.push(Waiting::Offers { after: self.chain.sequence(), connection, number, offers });
    }

    /// The offers of a client as JSON. They do not change the game, so a panic in them does not end it.
    fn offers_of(&self, client: CommId) -> Result<String, Refused> {
        let text = || self.offers_text(client);
        let Ok(Ok(offers)) = catch_unwind(AssertUnwindSafe(text)) else {
            error!(self.logger, "the rules have no offers"; "client" => client.0);
            return Err(Refused::new(Reason::Internal, "The rules failed to list offers. The game goes on."));
        };
        if offers.len() > LONGEST_OFFERS {
            let words = format!("The offers have {} bytes; {LONGEST_OFFERS} are the most.", offers.len());
            return Err(Refused::new(Reason::TooLarge, words));
        }
        Ok(offers)
    }

    /// The offers with the table, or without it if both together are too long.
    fn offers_text(&self, client: CommId) -> serde_json::Result<String> {
        let view = self.game.view(client);
        let offers = A::Rules::offers(&view);
        let board = self.game.board();
        let Moment { round, turn } = A::Rules::moment(&board);
        let table = Table {
            you: self.game.name_of(client),
            seat: self.game.seat_index(client),
            players: A::Rules::players(&board),
            turn,
            round,
            missing: A::Rules::missing(&board),
            left_ms: self.timers.next().map(|due_ms| due_ms.saturating_sub(self.clock.elapsed())),
            picture: A::Rules::picture_of_view(&view).unwrap_or_else(|| A::Rules::picture(&board)),
        };
        let text = serde_json::to_string(&WithTable { offers: &offers, table })?;
        if text.len() <= LONGEST_OFFERS { Ok(text) } else { serde_json::to_string(&offers) }
    }

    /// Sends offers, after all events that they depend on.
    pub(super) fn tell_offers(&mut self, connection: ConnectionId, number: u64, offers: Result<String, Refused>) {
        let Some(peer) = self.peers.iter_mut().find(|peer| peer.connection == connection) else { return };
        let after = self.streams.last(peer.subscriber);
        match offers {
            Ok(offers) => peer.tell(&ToClient::Offers(Offered { number, after, offers })),
            Err(refused) => {
                self.services.metrics.messages_refused.count(refused.reason);
                peer.refuse(refused);
            }
        }
    }
}
