//! Who may come into the games of this host, and who may change that.

use std::sync::Arc;

use commlib::{Access, AccessChange, Admission, Reason, Refused, Token};
use engine::CommId;
use tokio::{
    sync::oneshot,
    time::{Duration, timeout},
};

use super::Host;
use crate::{
    access::{GameAccess, Manager, hash_of},
    accounts::AccountError,
    handle::unavailable,
    log::End,
    room::ToRoom,
    sync::lock,
};

/// How long the end of a room may take that was asked to end.
const ENDING: Duration = Duration::from_secs(10);

/// Who may come in after a change.
#[derive(Clone, Debug)]
pub(crate) struct Managed {
    pub(crate) access: Arc<GameAccess>,
    /// The code of a new invitation.
    pub(crate) invitation: Option<String>,
}

impl Managed {
    /// The answer to the manager.
    pub(crate) fn into_answer(self) -> Access {
        let Self { access, invitation } = self;
        let for_accounts = access.accounts.iter().map(|account| account.name.as_str());
        Access {
            admission: access.admission,
            closed: access.closed,
            invitations: u32::try_from(access.invitations.len()).unwrap_or(u32::MAX),
            reserved: access.reserved().chain(for_accounts).map(Into::into).collect(),
            invitation,
        }
    }
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
    pub(crate) async fn manage(&self, game: &str, by: Manager, change: AccessChange) -> Result<Managed, Refused> {
        if self.options.one_game {
            return Err(Refused::new(Reason::BadMessage, "This server serves one game, which is open."));
        }
        let _one_at_a_time = self.managing.lock().await;
        let access = self.access(game).await?;
        let room = self.room(game).ok_or_else(unavailable)?;
        let remove = match &change {
            AccessChange::Remove { client } => Some(CommId(*client)),
            AccessChange::Look
            | AccessChange::Admit(_)
            | AccessChange::Closed(_)
            | AccessChange::Invite { .. }
            | AccessChange::End => None,
        };
        let (answer, allowed) = oneshot::channel();
        let question = ToRoom::MayManage { by, creator: access.creator.clone(), remove, answer };
        room.inbox.send(question).await.map_err(|_| unavailable())?;
        let removed = allowed.await.map_err(|_| unavailable())??;

        let mut changed = GameAccess::clone(&access);
        let mut invitation = None;
        match change {
            AccessChange::Look => return Ok(Managed { access, invitation }),
            AccessChange::Admit(admission) => {
                changed.admission = admission;
                if admission == Admission::Invited && changed.invitations.is_empty() {
                    invitation = Some(changed.invite(&*self.options.world, game, None)?);
                }
            }
            AccessChange::Closed(closed) => changed.closed = closed,
            AccessChange::Invite { name: Some(_), account: Some(_) } => {
                return Err(Refused::new(Reason::BadMessage, "An invitation is for a name or for an account."));
            }
            AccessChange::Invite { name: None, account: Some(account) } => {
                if !self.services.accounts.are_on() {
                    return Err(AccountError::Off.into());
                }
                let (id, account) = self.services.accounts.store.named(&account).await?;
                changed.invite_account(id.as_str().to_owned(), account.name)?;
            }
            AccessChange::Invite { name, account: None } => {
                invitation = Some(changed.invite(&*self.options.world, game, name)?);
            }
            AccessChange::Remove { .. } => changed.removed.extend(removed),
            AccessChange::End => {
                let outcome = End::early(match by {
                    Manager::Operator => "the operator",
                    Manager::Creator(_) | Manager::Client(_) => "its creator before it began",
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

    /// Stores who may come into a game that a client creates, before this client enters it.
    pub(crate) async fn admit_some(&self, game: &str, admission: Admission) -> Result<(), Refused> {
        match admission {
            Admission::Open => Ok(()),
            Admission::Unlisted | Admission::Invited => {
                self.set_access(game, GameAccess { admission, ..GameAccess::default() }).await.map(drop)
            }
        }
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
