//! The registration of players.

use alloc::sync::Arc;

use engine::CommId;

use super::Fold;
use crate::{
    event::Event,
    game::{HOST, Timer},
    mask::Key,
    player::Player,
    profile::Profile,
    refusal::{Named, Refusal},
};

/// The longest id, in characters.
const LONGEST_ID: usize = 64;

impl Fold<'_> {
    /// Registers a client with a first name, a last name and an account.
    pub(super) fn register(&mut self, client: CommId, id: &Arc<str>, names: [&Arc<str>; 3]) -> Result<(), Refusal> {
        if self.game.player_of(client).is_some() {
            return Err(Refusal::AlreadyRegistered {});
        }
        let player = self.game.vacancy()?;
        // The host itself never plays.
        if client == HOST {
            return Err(Refusal::GameFull {});
        }
        check_names(self.game.board.profile(), names)?;
        if id.is_empty()
            || id.chars().count() > LONGEST_ID
            || self.game.private.iter().flatten().any(|private| private.id == *id)
        {
            return Err(Refusal::UnusableId {});
        }

        self.game.clients[player as usize] = Some(client);
        self.outbox.seat(client);
        let [first_name, last_name, account] = names.map(Arc::clone);
        let key = Key::new(self.game.seed, player);
        self.only(player, Event::Seated { player, id: id.clone(), account: account.clone(), key });
        let account = self.game.board.profile().tells_other.then_some(account);
        self.all(Event::Registered { player, first_name, last_name, account });
        if player == Player::Second {
            self.begin();
        }
        Ok(())
    }

    fn begin(&mut self) {
        let draws = self.game.board.profile().draws_starter;
        let starter = if draws && self.game.random.next_boolean() { Player::Second } else { Player::First };
        self.all(Event::Began { starter });
        self.outbox.cancel_timer(Timer::Lobby);
        self.start_thinking();
    }
}

fn check_names(profile: &Profile, names: [&Arc<str>; 3]) -> Result<(), Refusal> {
    let &Profile { least_name: least, most_name, most_account, .. } = profile;
    let limits = [(Named::FirstName, most_name), (Named::LastName, most_name), (Named::Account, most_account)];
    for (name, (named, most)) in names.into_iter().zip(limits) {
        let found = name.chars().count();
        if !(least..=most).contains(&found) {
            return Err(Refusal::WrongLength { named, found: found as u32, least: least as u32, most: most as u32 });
        }
    }
    Ok(())
}
