//! Tells a client what it can do now. The offers are computed when the client asks, and told after the last entry so far.

use std::panic::{AssertUnwindSafe, catch_unwind};

use commlib::{ConnectionId, Offered, Reason, Refused, ToClient};
use engine::{CommId, Rulebook};
use slog::error;

use super::{Room, Waiting};
use crate::{adapter::Adapter, stream::Subscriber};

/// The longest offers, in bytes of JSON. Twice as much still fits a frame, so that escapes do not matter.
const LONGEST_OFFERS: usize = commlib::LONGEST_FRAME / 4;

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
        let text = || serde_json::to_string(&A::Rules::offers(&self.game.view(client)));
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

    /// Sends offers, after all events that they depend on.
    pub(super) fn tell_offers(&mut self, connection: ConnectionId, number: u64, offers: Result<String, Refused>) {
        let Some(peer) = self.peers.iter_mut().find(|peer| peer.connection == connection) else { return };
        let after = self.streams.last(peer.subscriber);
        match offers {
            Ok(offers) => peer.tell(&ToClient::Offers(Offered { number, after, offers })),
            Err(refused) => {
                self.services.metrics.messages_refused.count(refused.reason);
                peer.tell(&ToClient::Refused(refused));
            }
        }
    }
}
