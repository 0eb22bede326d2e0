//! The clients that receive an event for all.

use alloc::vec::Vec;

use crate::{Audience, CommId, Emission};

/// The clients that have a seat, tracked from emission to emission.
///
/// It computes the receivers of each event from the log alone.
///
/// ```
/// use engine::{CommId, Outbox, Seats};
///
/// let mut outbox: Outbox<&str, ()> = Outbox::new();
/// outbox.all("too early");
/// outbox.seat(CommId(7));
/// outbox.all("hello");
///
/// let (mut seats, mut received) = (Seats::default(), Vec::new());
/// for emission in outbox.emissions() {
///     seats.follow(emission, |client, event| received.push((client, *event)));
/// }
/// assert_eq!(received, [(CommId(7), "hello")]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seats {
    seated: Vec<CommId>,
}

impl Seats {
    /// The clients that have a seat, in the order in which they took it.
    pub fn seated(&self) -> &[CommId] {
        &self.seated
    }

    /// Applies one emission, and calls `deliver` for each client that receives an event.
    ///
    /// # Panics
    /// If a client takes a second seat.
    pub fn follow<'e, E>(&mut self, emission: &'e Emission<E>, mut deliver: impl FnMut(CommId, &'e E)) {
        match emission {
            Emission::Seated { client } => {
                assert!(!self.seated.contains(client), "client {client} has a seat already");
                self.seated.push(*client);
            }
            Emission::Unseated { client } => self.seated.retain(|seated| seated != client),
            Emission::Event { audience: Audience::Only(client), event } => deliver(*client, event),
            Emission::Event { audience: Audience::All, event } => {
                for client in &self.seated {
                    deliver(*client, event);
                }
            }
            Emission::Event { audience: Audience::Board, .. } => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::String};

    use super::*;
    use crate::Outbox;

    #[test]
    fn events_reach_their_audience() {
        let (ana, bo) = (CommId(1), CommId(2));
        let mut outbox: Outbox<char, ()> = Outbox::new();
        outbox.all('a');
        outbox.seat(ana);
        outbox.all('b');
        outbox.only(bo, 'c');
        outbox.seat(bo);
        outbox.board('d');
        outbox.all('e');
        outbox.unseat(ana);
        outbox.all('f');
        outbox.only(ana, 'g');

        let mut seats = Seats::default();
        let mut received = String::new();
        for emission in outbox.emissions() {
            seats.follow(emission, |client, event| received += &format!("{client}{event} "));
        }
        assert_eq!(received, "1b 2c 1e 2e 2f 1g ");
        assert_eq!(seats.seated(), [bo]);
    }
}
