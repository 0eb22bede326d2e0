//! The numbered events of each client: a pure function of the log.

use commlib::{Form, NumberedEvent, ToClient};
use engine::{Audience, CommId, Emission, Seats};

use crate::adapter::{Adapter, EventOf, SetupOf};

/// The owner of an event stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subscriber {
    /// A client of the game. With `board` it also receives the events for the board, in the same numbering.
    Client { client: CommId, board: bool },
    /// A spectator, who receives events for all and for the board.
    Watcher,
}

/// The number of events in every stream of a game.
#[derive(Clone, Debug, Default)]
pub(crate) struct Streams {
    seats: Seats,
    /// All clients that ever took a seat, in that order.
    players: Vec<CommId>,
    /// Events for all and for the board.
    public: u64,
    clients: Vec<Heard>,
}

/// The number of events that one client was told.
#[derive(Clone, Copy, Debug, Default)]
struct Heard {
    /// Events for this client alone.
    directed: u64,
    /// Events for all, while it had a seat.
    seated: u64,
}

impl Streams {
    /// The number of the last event in a stream.
    ///
    /// A client that subscribes to the board receives every public event from the first, with or without a seat: otherwise it
    /// could not know the board.
    pub(crate) fn last(&self, subscriber: Subscriber) -> u64 {
        let heard = |client: CommId| self.clients.get(client.0 as usize).copied().unwrap_or_default();
        match subscriber {
            Subscriber::Watcher => self.public,
            Subscriber::Client { client, board: true } => self.public + heard(client).directed,
            Subscriber::Client { client, board: false } => heard(client).seated + heard(client).directed,
        }
    }

    /// All clients that ever took a seat; the index is the number of the seat.
    pub(crate) fn players(&self) -> &[CommId] {
        &self.players
    }

    pub(crate) fn is_seated(&self, client: CommId) -> bool {
        self.seats.seated().contains(&client)
    }

    /// Counts one emission. If it is an event, returns it with its audience.
    pub(crate) fn follow<'e, E>(&mut self, emission: &'e Emission<E>) -> Option<(Hearers<'_>, &'e E)> {
        let Emission::Event { audience, event } = emission else {
            self.seats.follow(emission, |_, _| ());
            if let Emission::Seated { client } = emission
                && !self.players.contains(client)
            {
                self.players.push(*client);
            }
            return None;
        };
        match *audience {
            Audience::Only(client) => self.heard(client).directed += 1,
            Audience::Board => self.public += 1,
            Audience::All => {
                self.public += 1;
                for at in 0..self.seats.seated().len() {
                    self.heard(self.seats.seated()[at]).seated += 1;
                }
            }
        }
        Some((Hearers { streams: self, audience: *audience }, event))
    }

    fn heard(&mut self, client: CommId) -> &mut Heard {
        let at = client.0 as usize;
        if self.clients.len() <= at {
            self.clients.resize(at + 1, Heard::default());
        }
        &mut self.clients[at]
    }
}

/// The recipients of an event.
pub(crate) struct Hearers<'s> {
    streams: &'s Streams,
    audience: Audience,
}

impl Hearers<'_> {
    /// The number of the event in a subscriber's stream, if the subscriber receives it.
    pub(crate) fn number(&self, subscriber: Subscriber) -> Option<u64> {
        let hears = match (self.audience, subscriber) {
            (Audience::Only(_), Subscriber::Watcher) => false,
            (Audience::Only(to), Subscriber::Client { client, .. }) => to == client,
            (Audience::All | Audience::Board, Subscriber::Watcher | Subscriber::Client { board: true, .. }) => true,
            (Audience::Board, Subscriber::Client { board: false, .. }) => false,
            (Audience::All, Subscriber::Client { client, board: false }) => self.streams.is_seated(client),
        };
        hears.then(|| self.streams.last(subscriber))
    }
}

/// Appends an event to the buffer as one subscriber receives it.
pub(crate) fn encode_event<A: Adapter>(
    form: Form,
    setup: &SetupOf<A>,
    number: u64,
    event: &EventOf<A>,
    out: &mut Vec<u8>,
) {
    let text = A::words(setup, event).map(String::from);
    // A scenario has at most 256 KiB, and its JSON encoding is at most twice as long.
    commlib::encode(form, &ToClient::Event(NumberedEvent { number, event, text }), out).expect("an event fits a frame");
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

        let told = |subscriber: Subscriber| {
            let mut streams = Streams::default();
            let mut told = String::new();
            for emission in outbox.emissions() {
                if let Some((hearers, event)) = streams.follow(emission)
                    && let Some(number) = hearers.number(subscriber)
                {
                    told += &format!("{number}{event} ");
                }
            }
            assert_eq!(told.split_whitespace().count() as u64, streams.last(subscriber));
            told
        };
        assert_eq!(told(Subscriber::Client { client: ana, board: false }), "1b 2e ");
        assert_eq!(told(Subscriber::Client { client: ana, board: true }), "1a 2b 3c 4e ");
        assert_eq!(told(Subscriber::Client { client: bo, board: false }), "1d 2e ");
        assert_eq!(told(Subscriber::Client { client: bo, board: true }), "1a 2b 3c 4d 5e ");
        assert_eq!(told(Subscriber::Watcher), "1a 2b 3c 4e ");
    }
}
