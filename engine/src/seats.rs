//! Who receives an event for all.

use alloc::vec::Vec;

use crate::{Audience, CommId, Emission};

/// The clients that have a seat, followed from emission to emission.
///
/// What each client is told is a pure function of the log: this is that function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seats {
    seated: Vec<CommId>,
}

impl Seats {
    pub fn seated(&self) -> &[CommId] {
        &self.seated
    }

    /// Goes on over one emission, and calls `deliver` for each client that is told an event.
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
    fn who_is_told_what() {
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
        let mut told = String::new();
        for emission in outbox.emissions() {
            seats.follow(emission, |client, event| told += &format!("{client}{event} "));
        }
        assert_eq!(told, "1b 2c 1e 2e 2f 1g ");
        assert_eq!(seats.seated(), [bo]);
    }
}
