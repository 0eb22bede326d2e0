//! The accounts of a host: passwords, sessions, and who may come in.

use std::{
    net::IpAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use commlib::{Reason, Refused};
use tokio::time::Instant;

use super::{
    Account, AccountError, AccountId, AccountName, AccountStore, AccountsMode, Passwords, Secret, SecretKind,
    directory::Directory,
};
use crate::{host_store::HostStore, log::LogReader, sync::lock, world::World};

/// The time between two looks for finished games that were not counted.
const LOOK_EVERY: Duration = Duration::from_secs(60);

/// The accounts of a host.
#[derive(Debug)]
pub(crate) struct Accounts {
    pub(crate) mode: AccountsMode,
    pub(crate) store: AccountStore,
    passwords: Passwords,
    directory: Directory,
    /// Whether addresses can be banned: not on the server of one game.
    has_bans: bool,
    looked: Mutex<Option<Instant>>,
}

/// Someone with a valid secret.
#[derive(Clone, Debug)]
pub(crate) struct SignedIn {
    pub(crate) id: AccountId,
    pub(crate) account: Account,
    pub(crate) secret: Secret,
}

impl Accounts {
    pub(crate) fn new(mode: AccountsMode, store: Arc<dyn HostStore>, world: Arc<dyn World>, one_game: bool) -> Self {
        Self {
            mode: if one_game { AccountsMode::Off } else { mode },
            store: AccountStore::new(store, world.clone()),
            passwords: Passwords::new(world),
            directory: Directory::default(),
            has_bans: !one_game,
            looked: Mutex::default(),
        }
    }

    /// Reads the names and bans.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub(crate) async fn load(&self) -> Result<(), AccountError> {
        if self.has_bans { self.directory.read(&self.store, self.are_on()).await } else { Ok(()) }
    }

    pub(crate) fn are_on(&self) -> bool {
        self.mode != AccountsMode::Off
    }

    pub(crate) fn are_required(&self) -> bool {
        self.mode == AccountsMode::Required
    }

    fn check_on(&self) -> Result<(), AccountError> {
        if self.are_on() { Ok(()) } else { Err(AccountError::Off) }
    }

    /// Adds an account.
    pub(crate) async fn register(&self, name: &str, password: &str) -> Result<SignedIn, AccountError> {
        self.check_on()?;
        let name = AccountName::parse(name)?;
        if self.store.find(name.as_str()).await?.is_some() {
            return Err(AccountError::NameTaken { name: name.to_string() });
        }
        let hash = self.passwords.hash(password).await?;
        let id = self.store.add(&name, hash).await?;
        // Games know the name before its owner does.
        self.directory.read(&self.store, true).await?;
        self.begin_session(id).await
    }

    /// Begins a session. An unknown name and a wrong password take the same time and get the same answer.
    pub(crate) async fn sign_in(&self, name: &str, password: &str) -> Result<SignedIn, AccountError> {
        self.check_on()?;
        let found = self.store.find(name).await?;
        let hash = found.as_ref().map(|(_, account)| account.password.clone());
        if !self.passwords.check(password, hash).await? {
            return Err(AccountError::WrongPassword);
        }
        let (id, account) = found.ok_or(AccountError::WrongPassword)?;
        account.check()?;
        self.begin_session(id).await
    }

    async fn begin_session(&self, id: AccountId) -> Result<SignedIn, AccountError> {
        let account = self.store.account(&id).await?.ok_or(AccountError::WrongPassword)?;
        let secret = self.store.add_secret(&id, SecretKind::Session, String::new()).await?;
        Ok(SignedIn { id, account, secret })
    }

    /// The account of a secret.
    pub(crate) async fn signed_in(&self, secret: &str) -> Result<SignedIn, AccountError> {
        self.check_on()?;
        let secret = Secret::parse(secret).ok_or(AccountError::UnknownSecret)?;
        let account = self.store.of_secret(&secret).await?;
        Ok(SignedIn { id: secret.account.clone(), account, secret })
    }

    pub(crate) async fn check_password(&self, account: &Account, password: &str) -> Result<(), AccountError> {
        let is_right = self.passwords.check(password, Some(account.password.clone())).await?;
        if is_right { Ok(()) } else { Err(AccountError::WrongPassword) }
    }

    /// Changes a password. Other sessions and all tokens end.
    pub(crate) async fn change_password(&self, who: &SignedIn, old: &str, new: &str) -> Result<(), AccountError> {
        self.check_password(&who.account, old).await?;
        let hash = self.passwords.hash(new).await?;
        self.store.set_password(&who.id, &hash, Some(&who.secret)).await
    }

    pub(crate) async fn delete(&self, who: &SignedIn, password: &str) -> Result<(), AccountError> {
        self.check_password(&who.account, password).await?;
        self.store.delete(&who.id).await?;
        self.directory.read(&self.store, true).await
    }

    /// Checks that an address may come in.
    ///
    /// # Errors
    /// If the operator has banned it.
    pub(crate) async fn check_address(&self, address: IpAddr) -> Result<(), Refused> {
        if !self.has_bans {
            return Ok(());
        }
        self.directory.refresh(&self.store, self.are_on()).await;
        if self.directory.is_banned(address) {
            return Err(Refused::new(Reason::Denied, "The operator has banned your address."));
        }
        Ok(())
    }

    /// Checks that a client may play under a name: one of an account belongs to that account alone.
    ///
    /// # Errors
    /// If it may not.
    pub(crate) fn may_play_as(&self, name: &str, account: Option<&AccountId>) -> Result<(), Refused> {
        if self.are_required() && account.is_none() {
            return Err(account_required());
        }
        match self.directory.owner(name) {
            Some(owner) if Some(&owner) != account => {
                let words = format!("The name {name} belongs to an account; sign in to play under it.");
                Err(Refused::new(Reason::NameTaken, words))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Counts finished games that no host has counted yet: one that ended while its host died.
    pub(crate) async fn count_finished(&self, log: &dyn LogReader) {
        if !self.are_on() {
            return;
        }
        {
            let mut looked = lock(&self.looked);
            if looked.is_some_and(|looked| looked.elapsed() < LOOK_EVERY) {
                return;
            }
            *looked = Some(Instant::now());
        }
        let Ok(games) = self.store.uncounted().await else { return };
        for game in games {
            let _is_tried_again = self.count_game(log, &game).await;
        }
    }

    /// Counts a game, if it is finished.
    pub(crate) async fn count_game(&self, log: &dyn LogReader, game: &str) -> Result<(), AccountError> {
        if !self.are_on() {
            return Ok(());
        }
        match log.find(game).await? {
            Some(head) => self.store.count(&head.record).await,
            None => Ok(()),
        }
    }
}

/// The refusal for a guest where accounts are required.
pub(crate) fn account_required() -> Refused {
    Refused::new(Reason::AccountRequired, "This host requires an account to create games and to play; sign in first.")
}
