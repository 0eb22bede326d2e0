//! What the creator of a game and the operator may do with its clients, and seats that are reserved by name.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use commlib::{Reason, Refused};
use engine::{Cause, CommId, Emission, Input, Outbox, Rulebook as _, Shown as _};

use super::{Room, unknown_token};
use crate::{
    access::{GameAccess, Manager, hash_of, is_same},
    accounts::AccountId,
    adapter::{Adapter, CommandOf, EventOf, TimerOf},
    stream::Subscriber,
};

/// A copy of a game after a command, and what the rules said.
pub(super) type Trial<A> = (<A as Adapter>::Rules, Outbox<EventOf<A>, TimerOf<A>>);

impl<A: Adapter> Room<A> {
    /// Whether a manager may change who comes in: the creator until the game has begun, the operator always. Returns the hash of the
    /// token of the client to remove.
    ///
    /// The creator has the secret with the hash `creator`, or it is the first client: a new game is in no list before its creator
    /// is in it.
    pub(super) fn may_manage(
        &self,
        by: Manager,
        creator: Option<&str>,
        remove: Option<CommId>,
    ) -> Result<Option<String>, Refused> {
        let first = || self.clients.first(|client| !self.attendance.has_bot(client));
        let is_creator = match (by, creator) {
            (Manager::Operator, _) => None,
            (Manager::Creator(token), Some(creator)) => Some(is_same(&hash_of(token.bytes()), creator)),
            (Manager::Creator(token), None) => Some(first() == Some(self.clients.of(token).ok_or_else(unknown_token)?)),
            (Manager::Client(client), None) => Some(client.is_some() && first() == client),
            (Manager::Client(_), Some(_)) => Some(false),
        };
        if let Some(is_creator) = is_creator {
            if !is_creator {
                return Err(Refused::new(Reason::UnknownToken, "Only the creator of this game may do this."));
            }
            if self.has_begun() {
                let words = "The game has begun; from now on, only the operator may do this.";
                return Err(Refused::new(Reason::BadMessage, words));
            }
        }
        if self.game.outcome().is_some() {
            return Err(Refused::new(Reason::GameOver, "This game is over."));
        }
        let Some(client) = remove else { return Ok(None) };
        let hash = self.clients.token_hash(client).filter(|_| !self.attendance.has_bot(client));
        let unknown =
            || Refused::new(Reason::BadMessage, format!("There is no client {client} to remove.", client = client.0));
        hash.ok_or_else(unknown).map(Some)
    }

    /// Takes over who may come in. The tokens of removed clients become void: their connections end, and their seats can be claimed.
    pub(super) fn apply_access(&mut self, access: Arc<GameAccess>) {
        for hash in &access.removed {
            let Some(removed) = self.clients.void(hash) else { continue };
            let is_removed = |subscriber| match subscriber {
                Subscriber::Client { client, .. } => client == removed,
                Subscriber::Watcher => false,
            };
            self.peers.retain(|peer| {
                let is_removed = is_removed(peer.subscriber);
                if is_removed {
                    peer.sink.close(Reason::UnknownToken, "You were removed from this game.");
                }
                !is_removed
            });
            self.notices.is_stale = true;
        }
        for (seat, hash) in &access.claims {
            let claimed = self.streams.players().get(usize::from(*seat)).copied();
            let is_void = access.removed.iter().any(|removed| is_same(removed, hash));
            if let (Some(client), Ok(hash), false) = (claimed, blake3::Hash::from_hex(hash), is_void)
                && !self.clients.is_taken(client)
            {
                self.clients.add(client, hash);
            }
        }
        // A hello may bring what was read before a change. Invitations only become more.
        let invited = |access: &GameAccess| access.invitations.len() + access.accounts.len();
        if invited(&access) >= invited(&self.access) {
            self.access = access;
        }
    }

    /// What the rules would say to a command now; `None` if they panic, which happens again where it is handled.
    pub(super) fn trial(&self, client: CommId, command: &CommandOf<A>) -> Option<Trial<A>> {
        let cause = Cause::Command { client, command: command.clone() };
        let input = Input { elapsed_ms: self.clock.elapsed(), cause };
        let (mut copy, mut outbox) = (self.game.clone(), Outbox::new());
        catch_unwind(AssertUnwindSafe(|| copy.fold(&input, &mut outbox))).ok()?;
        Some((copy, outbox))
    }

    /// Checks that a command takes no seat that is reserved for another player, and no name that belongs to another account.
    ///
    /// # Errors
    /// If it does.
    pub(super) fn keeps_reservations(&self, client: CommId, command: &CommandOf<A>) -> Result<(), Refused> {
        let reserved: Vec<&str> = self.access.reserved().collect();
        let has_accounts = self.services.accounts.are_on() && !self.attendance.has_bot(client);
        let for_accounts = &self.access.accounts;
        let is_reserved = !reserved.is_empty() || !for_accounts.is_empty();
        if (!is_reserved && !has_accounts) || self.seated.contains(&client) {
            return Ok(());
        }
        let Some((game, outbox)) = self.trial(client, command) else { return Ok(()) };
        if !outbox
            .emissions()
            .iter()
            .any(|emission| matches!(emission, Emission::Seated { client: seated } if *seated == client))
        {
            return Ok(());
        }
        let full = |words: String| Err(Refused::new(Reason::Full, words));
        let name = game.name_of(client).unwrap_or_default();
        if has_accounts {
            self.services.accounts.may_play_as(&name, self.accounts.get(&client))?;
        }
        let account = self.accounts.get(&client).map(AccountId::as_str);
        if !is_reserved || self.access.is_for(account) {
            return Ok(());
        }
        let own = self.guests.iter().find(|(guest, _)| *guest == client).map(|(_, name)| &**name);
        match own {
            Some(own) if own != name => return full(format!("Your invitation is for {own}; play under this name.")),
            Some(_) => return Ok(()),
            None if reserved.contains(&&*name) => {
                return full(format!("A seat is reserved for {name}, who has an invitation."));
            }
            None => {}
        }
        let missing = |game: &A::Rules| A::Rules::missing(&game.board());
        let left = missing(&game).map_or(0, |missing| missing.most as usize);
        let players = A::Rules::players(&game.board());
        let names = reserved.iter().filter(|name| !players.iter().any(|player| player == *name)).count();
        let is_seated =
            |id: &str| self.seated.iter().any(|seated| self.accounts.get(seated).is_some_and(|own| own.as_str() == id));
        let waited_for = names + for_accounts.iter().filter(|reserved| !is_seated(&reserved.id)).count();
        if missing(&self.game).is_some() && left < waited_for {
            return full("The seats that are left are reserved.".into());
        }
        Ok(())
    }
}
