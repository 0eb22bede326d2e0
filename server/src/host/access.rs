//! Who may come into the games of this host, and who may change that.

use std::sync::Arc;

use commlib::{Reason, Refused, Token};
use engine::CommId;
use serde::Deserialize;
use tokio::{
    sync::oneshot,
    time::{Duration, timeout},
};

use super::Host;
use crate::{
    access::{Admission, GameAccess, hash_of},
    accounts::AccountError,
    handle::unavailable,
    log::End,
    room::ToRoom,
    sync::lock,
    whole::whole,
};

/// How long the end of a room may take that was asked to end.
const ENDING: Duration = Duration::from_secs(10);

/// Who asks to change something.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Manager {
    /// May do everything at any time.
    Operator,
    /// May do everything before the game has begun, if the secret is that of the creator.
    Creator(Token),
}

/// A change of who may come into a game.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum AccessChange {
    /// Sets who may come in.
    Admission(Admission),
    /// Closes or opens registration.
    Closed(bool),
    /// Makes an invitation, for anyone or for a player of this name; or reserves a seat for an account, which needs no code.
    Invite {
        #[serde(default)]
        name: Option<String>,
        #[serde(default)]
        account: Option<String>,
    },
    /// Makes the token of a client void. If it has a seat, another client can claim it.
    Remove {
        #[serde(deserialize_with = "whole")]
        client: u32,
    },
    /// Ends the game.
    End,
}

/// Who may come in after a change.
#[derive(Clone, Debug)]
pub(crate) struct Managed {
    pub(crate) access: Arc<GameAccess>,
    /// The code of a new invitation.
    pub(crate) invitation: Option<String>,
}

/// A new game that lists leave out until its creator is in it. So the creator is its first client.
pub(crate) struct NewGameIsHidden {
    host: Arc<Host>,
    game: String,
}

impl Drop for NewGameIsHidden {
    fn drop(&mut self) {
        lock(&self.host.coming).remove(&self.game);
    }
}

impl Host {
    /// Hides a game that is about to be created.
    pub(super) fn hide_new(self: &Arc<Self>, game: &str) -> NewGameIsHidden {
        lock(&self.coming).insert(game.to_owned());
        NewGameIsHidden { host: self.clone(), game: game.to_owned() }
    }

    /// Whether lists leave a game out.
    pub(crate) fn is_hidden(&self, game: &str) -> bool {
        lock(&self.hidden).contains(game) || lock(&self.coming).contains(game)
    }

    /// Reads which games are hidden. Other hosts of the store may have changed it.
    pub(crate) async fn refresh_hidden(&self) -> Result<(), Refused> {
        if self.cluster.is_none() {
            return Ok(());
        }
        let read = timeout(self.options.limits.chat.patience, self.options.host_store.hidden()).await;
        let Ok(Ok(hidden)) = read else { return Err(unavailable()) };
        *lock(&self.hidden) = hidden.into_iter().collect();
        Ok(())
    }

    /// Who may come into a game.
    ///
    /// # Errors
    /// If the store beside the log cannot be read.
    pub(crate) async fn access(&self, game: &str) -> Result<Arc<GameAccess>, Refused> {
        if self.options.one_game {
            return Ok(Arc::default());
        }
        if let Some(known) = self.games().get(game).and_then(|open| open.access.clone()) {
            return Ok(known);
        }
        let read = timeout(self.options.limits.chat.patience, self.options.host_store.access(game)).await;
        let Ok(Ok(stored)) = read else { return Err(unavailable()) };
        let access = match stored {
            None => Arc::default(),
            // An unreadable row, written by a later program, lets no client in.
            Some(rules) => Arc::new(serde_json::from_str(&rules).map_err(|_| unavailable())?),
        };
        self.know(game, &access);
        Ok(access)
    }

    /// A new game is open, without asking the store.
    pub(super) fn is_open_to_all(&self, game: &str) {
        self.know(game, &Arc::default());
    }

    /// Keeps in memory who may come into an open game. A change is never overwritten by what was read before it.
    fn know(&self, game: &str, access: &Arc<GameAccess>) {
        if let Some(open) = self.games().get_mut(game) {
            open.access.get_or_insert_with(|| access.clone());
        }
    }

    /// Stores who may come into a game.
    pub(crate) async fn set_access(&self, game: &str, access: GameAccess) -> Result<Arc<GameAccess>, Refused> {
        let rules = serde_json::to_string(&access).map_err(|_| unavailable())?;
        let hidden = access.is_hidden();
        let stored = self.options.host_store.set_access(game, hidden, rules);
        let Ok(Ok(())) = timeout(self.options.limits.chat.patience, stored).await else { return Err(unavailable()) };
        let access = Arc::new(access);
        let inbox = self.games().get_mut(game).map(|open| {
            open.access = Some(access.clone());
            open.inbox.clone()
        });
        if hidden {
            lock(&self.hidden).insert(game.to_owned());
        } else {
            lock(&self.hidden).remove(game);
        }
        if let Some(inbox) = inbox {
            let _room_is_gone = inbox.send(ToRoom::Access { access: access.clone() }).await;
        }
        Ok(access)
    }

    /// Changes who may come into an open game of this host, or looks at it.
    ///
    /// # Errors
    /// If the manager may not do this, or it cannot be stored.
    pub(crate) async fn manage(
        &self,
        game: &str,
        by: Manager,
        change: Option<AccessChange>,
    ) -> Result<Managed, Refused> {
        if self.options.one_game {
            return Err(Refused::new(Reason::BadMessage, "This server serves one game, which is open."));
        }
        let _one_at_a_time = self.managing.lock().await;
        let access = self.access(game).await?;
        let room = self.room(game).ok_or_else(unavailable)?;
        let token = match by {
            Manager::Operator => None,
            Manager::Creator(token) => Some(token),
        };
        let remove = match &change {
            Some(AccessChange::Remove { client }) => Some(CommId(*client)),
            Some(_) | None => None,
        };
        let (answer, allowed) = oneshot::channel();
        let question = ToRoom::MayManage { token, creator: access.creator.clone(), remove, answer };
        room.inbox.send(question).await.map_err(|_| unavailable())?;
        let removed = allowed.await.map_err(|_| unavailable())??;

        let mut changed = GameAccess::clone(&access);
        let mut invitation = None;
        match change {
            None => return Ok(Managed { access, invitation }),
            Some(AccessChange::Admission(admission)) => {
                changed.admission = admission;
                if admission == Admission::Invited && changed.invitations.is_empty() {
                    invitation = Some(changed.invite(&*self.options.world, game, None)?);
                }
            }
            Some(AccessChange::Closed(closed)) => changed.closed = closed,
            Some(AccessChange::Invite { name: Some(_), account: Some(_) }) => {
                return Err(Refused::new(Reason::BadMessage, "An invitation is for a name or for an account."));
            }
            Some(AccessChange::Invite { name: None, account: Some(account) }) => {
                if !self.services.accounts.are_on() {
                    return Err(AccountError::Off.into());
                }
                let (id, account) = self.services.accounts.store.named(&account).await?;
                changed.invite_account(id.as_str().to_owned(), account.name)?;
            }
            Some(AccessChange::Invite { name, account: None }) => {
                invitation = Some(changed.invite(&*self.options.world, game, name)?);
            }
            Some(AccessChange::Remove { .. }) => changed.removed.extend(removed),
            Some(AccessChange::End) => {
                let outcome = End::early(match by {
                    Manager::Operator => "the operator",
                    Manager::Creator(_) => "its creator before it began",
                });
                room.inbox.send(ToRoom::EndEarly { outcome }).await.map_err(|_| unavailable())?;
                timeout(ENDING, room.gone.cancelled()).await.map_err(|_| unavailable())?;
                return Ok(Managed { access, invitation });
            }
        }
        let access = self.set_access(game, changed).await?;
        Ok(Managed { access, invitation })
    }

    /// Stores who may come into a game that was just created over HTTP. Returns the secret of its creator, and an invitation if the
    /// game needs one.
    pub(crate) async fn set_creator(
        &self,
        game: &str,
        admission: Admission,
    ) -> Result<(Token, Option<String>), Refused> {
        let secret = Token::new(self.options.world.random_bytes()?);
        let mut access = GameAccess { admission, creator: Some(hash_of(secret.bytes())), ..GameAccess::default() };
        let invitation = match admission {
            Admission::Invited => Some(access.invite(&*self.options.world, game, None)?),
            Admission::Open | Admission::Unlisted => None,
        };
        self.set_access(game, access).await?;
        Ok((secret, invitation))
    }

    /// Stores the token of a client that claimed the seat of a removed one.
    pub(crate) async fn claim(&self, game: &str, seat: u16, token: Token) -> Result<(), Refused> {
        let _one_at_a_time = self.managing.lock().await;
        let mut access = GameAccess::clone(&*self.access(game).await?);
        access.claims.push((seat, hash_of(token.bytes())));
        self.set_access(game, access).await.map(drop)
    }

    /// A token for a client that claims the seat of a removed one.
    pub(crate) fn new_token(&self) -> Result<Token, Refused> {
        Ok(Token::new(self.options.world.random_bytes()?))
    }

    /// A game that follows another one has the same rules for who may come in.
    pub(crate) async fn inherit_access(&self, parent: &str, game: &str) -> Result<(), Refused> {
        let access = self.access(parent).await?;
        if !access.is_hidden() {
            return Ok(());
        }
        let inherited = GameAccess {
            creator: None,
            removed: Vec::new(),
            claims: Vec::new(),
            closed: false,
            ..GameAccess::clone(&access)
        };
        self.set_access(game, inherited).await.map(drop)
    }
}
