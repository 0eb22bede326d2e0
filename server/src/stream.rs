//! What each client is told, with numbers: a pure function of the log.

use commlib::{Form, ToClient, Told};
use engine::{Audience, CommId, Emission, Seats};

use crate::hosted::Hosted;

/// Whose stream it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listener {
    /// A client of the game; with `board` also the facts for the board, in one numbering.
    Client { client: CommId, board: bool },
    /// Somebody who watches: events for all and for the board.
    Watcher,
}

/// How many events every stream of a game has had.
#[derive(Clone, Debug, Default)]
pub(crate) struct Streams {
    seats: Seats,
    /// By client: events for the client, and those with the board's among them.
    clients: Vec<(u64, u64)>,
    watchers: u64,
}

impl Streams {
    /// The number of the last event in a stream.
    pub(crate) fn last(&self, listener: Listener) -> u64 {
        match listener {
            Listener::Watcher => self.watchers,
            Listener::Client { client, board } => {
                let (plain, full) = self.clients.get(client.0 as usize).copied().unwrap_or_default();
                if board { full } else { plain }
            }
        }
    }

    /// Goes on over one emission. `tell` is called for every stream that has an event, with its number.
    pub(crate) fn follow<'e, E>(&mut self, emission: &'e Emission<E>, mut tell: impl FnMut(Listener, u64, &'e E)) {
        let Emission::Event { audience, event } = emission else {
            self.seats.follow(emission, |_, _| ());
            return;
        };
        match *audience {
            Audience::Only(client) => self.count(client, event, &mut tell),
            Audience::All => {
                for at in 0..self.seats.seated().len() {
                    self.count(self.seats.seated()[at], event, &mut tell);
                }
                self.watchers += 1;
                tell(Listener::Watcher, self.watchers, event);
            }
            Audience::Board => {
                for at in 0..self.seats.seated().len() {
                    let client = self.seats.seated()[at];
                    let full = &mut self.client(client).1;
                    *full += 1;
                    tell(Listener::Client { client, board: true }, *full, event);
                }
                self.watchers += 1;
                tell(Listener::Watcher, self.watchers, event);
            }
        }
    }

    fn count<'e, E>(&mut self, client: CommId, event: &'e E, tell: &mut impl FnMut(Listener, u64, &'e E)) {
        let (plain, full) = self.client(client);
        (*plain, *full) = (*plain + 1, *full + 1);
        let (plain, full) = (*plain, *full);
        tell(Listener::Client { client, board: false }, plain, event);
        tell(Listener::Client { client, board: true }, full, event);
    }

    fn client(&mut self, client: CommId) -> &mut (u64, u64) {
        let at = client.0 as usize;
        if self.clients.len() <= at {
            self.clients.resize(at + 1, (0, 0));
        }
        &mut self.clients[at]
    }
}

/// An event as one listener gets it, behind what is in the buffer.
pub(crate) fn encode_event<R: Hosted>(form: Form, setup: &R::Setup, number: u64, event: &R::Event, out: &mut Vec<u8>) {
    let text = R::words(setup, event).map(String::from);
    // A scenario has at most 256 KiB, and JSON makes a text of JSON at most twice as long.
    commlib::encode(form, &ToClient::Event(Told { number, event, text }), out).expect("an event fits a frame");
}

#[cfg(test)]
mod tests {
    use engine::Outbox;

    use super::*;

    #[test]
    fn every_stream_has_its_own_numbers() {
        let (ana, bo) = (CommId(1), CommId(2));
        let mut outbox: Outbox<char, ()> = Outbox::new();
        outbox.board('a');
        outbox.seat(ana);
        outbox.all('b');
        outbox.board('c');
        outbox.only(bo, 'd');
        outbox.seat(bo);
        outbox.all('e');

        let told = |listener: Listener| {
            let mut streams = Streams::default();
            let mut told = String::new();
            for emission in outbox.emissions() {
                streams.follow(emission, |to, number, event| {
                    if to == listener {
                        told += &format!("{number}{event} ");
                    }
                });
            }
            assert_eq!(told.split_whitespace().count() as u64, streams.last(listener));
            told
        };
        assert_eq!(told(Listener::Client { client: ana, board: false }), "1b 2e ");
        assert_eq!(told(Listener::Client { client: ana, board: true }), "1b 2c 3e ");
        assert_eq!(told(Listener::Client { client: bo, board: false }), "1d 2e ");
        assert_eq!(told(Listener::Client { client: bo, board: true }), "1d 2e ");
        assert_eq!(told(Listener::Watcher), "1a 2b 3c 4e ");
    }
}
