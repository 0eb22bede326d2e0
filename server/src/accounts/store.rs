//! The documents of accounts in a store beside the log.

use std::{collections::BTreeMap, fmt, sync::Arc, time::Duration};

use engine::SeatResult;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use tokio::time::timeout;

use super::{
    AccountError, AccountName, Ban, OpenSeats, PlayedGame, Report, Secret, SecretKind, Standing, StoredSecret,
    rating::{self, Rated},
};
use crate::{
    client_address::Network,
    host_store::{DocumentChange, HostStore},
    log::{GameRecord, Reading},
    world::World,
};

/// The kinds of documents. The keys: the id of an account; a folded name; `ACCOUNT/HASH`; a network; the name of a game;
/// `ACCOUNT/GAME`; `RULEBOOK/ACCOUNT`; the time with a random end; and `names`.
const ACCOUNT: &str = "account";
const NAME: &str = "name";
const SECRET: &str = "secret";
const BAN: &str = "ban";
const OPEN: &str = "open";
const PLAYED: &str = "played";
const STANDING: &str = "standing";
const REPORT: &str = "report";
const META: &str = "meta";

/// The document that changes whenever names do, so that hosts read all names only then.
const NAMES: &str = "names";

/// How long the store may take.
const PATIENCE: Duration = Duration::from_secs(3);

/// How often a change is tried that others change, too.
const ATTEMPTS: usize = 20;

/// The documents of a page.
const PAGE: u32 = 500;

/// How long a session lasts, in milliseconds.
const SESSION_MS: i64 = 30 * 24 * 3600 * 1000;

/// The most tokens and sessions of an account. The oldest session ends if there is one more.
const MOST_TOKENS: usize = 20;
const MOST_SESSIONS: usize = 20;

/// An account, whatever its name: 16 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct AccountId(String);

impl AccountId {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let is_id = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_id.then(|| Self(text.to_owned()))
    }

    /// The digits.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    fn random(world: &dyn World) -> Result<Self, AccountError> {
        let bytes: [u8; 8] = world.random_bytes().map_err(|_| AccountError::Internal)?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }
}

impl fmt::Display for AccountId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether an account may be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AccountState {
    /// It may.
    #[default]
    Active,
    /// The operator has locked it.
    Locked,
    /// The operator has banned it.
    Banned,
}

/// An account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// The name as its owner writes it.
    pub name: String,
    /// The hash of the password, with its parameters.
    pub(crate) password: String,
    /// When it was registered, in milliseconds since 1970.
    pub created: i64,
    /// Whether it may be used.
    #[serde(default)]
    pub state: AccountState,
}

impl Account {
    pub(crate) fn check(&self) -> Result<(), AccountError> {
        match self.state {
            AccountState::Active => Ok(()),
            AccountState::Locked => Err(AccountError::Locked { is_banned: false }),
            AccountState::Banned => Err(AccountError::Locked { is_banned: true }),
        }
    }
}

/// Reads and changes the documents of accounts.
#[derive(Clone, Debug)]
pub struct AccountStore {
    store: Arc<dyn HostStore>,
    world: Arc<dyn World>,
}

/// A document as it was read.
struct Read<T> {
    text: Option<String>,
    value: Option<T>,
}

impl AccountStore {
    /// The accounts of a store.
    pub fn new(store: Arc<dyn HostStore>, world: Arc<dyn World>) -> Self {
        Self { store, world }
    }

    /// An account by its name.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn find(&self, name: &str) -> Result<Option<(AccountId, Account)>, AccountError> {
        let Some(id) = self.read::<AccountId>(NAME, &super::name::folded(name)).await?.value else { return Ok(None) };
        Ok(self.account(&id).await?.map(|account| (id, account)))
    }

    /// The account of this name.
    ///
    /// # Errors
    /// If there is none, or the store fails.
    pub async fn named(&self, name: &str) -> Result<(AccountId, Account), AccountError> {
        self.find(name).await?.ok_or_else(|| AccountError::NoAccount { name: name.into() })
    }

    /// An account by its id.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn account(&self, id: &AccountId) -> Result<Option<Account>, AccountError> {
        Ok(self.read(ACCOUNT, &id.0).await?.value)
    }

    /// All accounts, in the order of their ids.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn accounts(&self) -> Result<Vec<(AccountId, Account)>, AccountError> {
        let all = self.all::<Account>(ACCOUNT, "").await?;
        Ok(all.into_iter().filter_map(|(key, account)| Some((AccountId::parse(&key)?, account))).collect())
    }

    /// Adds an account.
    ///
    /// # Errors
    /// If the name is taken, or the store fails.
    pub(crate) async fn add(&self, name: &AccountName, password: String) -> Result<AccountId, AccountError> {
        let id = AccountId::random(&*self.world)?;
        let account =
            Account { name: name.to_string(), password, created: self.world.now(), state: AccountState::Active };
        for _ in 0..ATTEMPTS {
            if self.read::<AccountId>(NAME, &name.folded()).await?.text.is_some() {
                return Err(AccountError::NameTaken { name: name.to_string() });
            }
            let changes = vec![
                change(NAME, name.folded(), None, Some(&id)),
                change(ACCOUNT, id.0.clone(), None, Some(&account)),
                self.names_changed().await?,
            ];
            if self.change(changes).await? {
                return Ok(id);
            }
        }
        Err(AccountError::Unavailable)
    }

    /// The change that tells other hosts that names have changed.
    async fn names_changed(&self) -> Result<DocumentChange, AccountError> {
        let before = self.within(self.store.document(META, NAMES)).await?;
        let bytes: [u8; 8] = self.world.random_bytes().map_err(|_| AccountError::Internal)?;
        let after = Some(format!("{:016x}", u64::from_be_bytes(bytes)));
        Ok(DocumentChange { kind: META, key: NAMES.into(), before, after })
    }

    /// Which names there are, as a text that changes with them.
    pub(super) async fn names_version(&self) -> Result<Option<String>, AccountError> {
        self.within(self.store.document(META, NAMES)).await
    }

    /// The names of all accounts, folded.
    pub(super) async fn names(&self) -> Result<Vec<(String, AccountId)>, AccountError> {
        self.all(NAME, "").await
    }

    /// Changes an account.
    async fn update(&self, id: &AccountId, update: impl Fn(&mut Account)) -> Result<(), AccountError> {
        for _ in 0..ATTEMPTS {
            let Read { text, value } = self.read::<Account>(ACCOUNT, &id.0).await?;
            let Some(mut account) = value else { return Err(AccountError::UnknownSecret) };
            update(&mut account);
            if self.change(vec![change(ACCOUNT, id.0.clone(), text, Some(&account))]).await? {
                return Ok(());
            }
        }
        Err(AccountError::Unavailable)
    }

    /// Sets the hash of the password, and ends all sessions and tokens but the given one.
    pub(crate) async fn set_password(
        &self,
        id: &AccountId,
        hash: &str,
        but: Option<&Secret>,
    ) -> Result<(), AccountError> {
        self.update(id, |account| hash.clone_into(&mut account.password)).await?;
        self.end_secrets(id, but).await
    }

    /// Hashes a new password for an account, and ends all of its sessions and tokens.
    ///
    /// # Errors
    /// If the password is not allowed, or the store fails.
    pub async fn reset_password(&self, id: &AccountId, password: &str) -> Result<(), AccountError> {
        let hash = super::Passwords::new(self.world.clone()).hash(password).await?;
        self.set_password(id, &hash, None).await
    }

    /// Locks, bans or activates an account.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn set_state(&self, id: &AccountId, state: AccountState) -> Result<(), AccountError> {
        self.update(id, |account| account.state = state).await
    }

    /// Deletes an account with its sessions, tokens, list of games and standings.
    ///
    /// # Errors
    /// If the store fails. What is left is deleted by another attempt.
    pub async fn delete(&self, id: &AccountId) -> Result<(), AccountError> {
        self.end_secrets(id, None).await?;
        let own = format!("{id}/");
        for (key, text) in self.texts(PLAYED, &own).await? {
            self.change(vec![DocumentChange { kind: PLAYED, key, before: Some(text), after: None }]).await?;
        }
        let end = format!("/{id}");
        for (key, text) in self.texts(STANDING, "").await?.into_iter().filter(|(key, _)| key.ends_with(&end)) {
            self.change(vec![DocumentChange { kind: STANDING, key, before: Some(text), after: None }]).await?;
        }
        for _ in 0..ATTEMPTS {
            let Read { text, value } = self.read::<Account>(ACCOUNT, &id.0).await?;
            let Some(account) = value else { return Ok(()) };
            let name = super::name::folded(&account.name);
            let mut changes = vec![change::<Account>(ACCOUNT, id.0.clone(), text, None), self.names_changed().await?];
            let Read { text, value } = self.read::<AccountId>(NAME, &name).await?;
            if value.as_ref() == Some(id) {
                changes.push(change::<AccountId>(NAME, name, text, None));
            }
            if self.change(changes).await? {
                return Ok(());
            }
        }
        Err(AccountError::Unavailable)
    }

    /// The sessions and tokens of an account, with the ids of lists.
    pub(crate) async fn secrets(&self, id: &AccountId) -> Result<Vec<(String, StoredSecret)>, AccountError> {
        let prefix = format!("{id}/");
        let all = self.all::<StoredSecret>(SECRET, &prefix).await?;
        Ok(all.into_iter().map(|(key, secret)| (key[prefix.len()..].chars().take(16).collect(), secret)).collect())
    }

    /// Makes a session or a token.
    pub(crate) async fn add_secret(
        &self,
        id: &AccountId,
        kind: SecretKind,
        label: String,
    ) -> Result<Secret, AccountError> {
        let mut same: Vec<(String, StoredSecret)> = self.secrets(id).await?;
        same.retain(|(_, secret)| secret.kind == kind);
        same.sort_by_key(|(_, secret)| secret.created);
        match kind {
            SecretKind::Token if same.len() >= MOST_TOKENS => {
                return Err(AccountError::TooManyTokens { most: MOST_TOKENS });
            }
            SecretKind::Session if same.len() >= MOST_SESSIONS => self.end_secret(id, &same[0].0).await?,
            SecretKind::Token | SecretKind::Session => {}
        }
        let now = self.world.now();
        let expires = match kind {
            SecretKind::Session => Some(now + SESSION_MS),
            SecretKind::Token => None,
        };
        let secret = Secret::new(&*self.world, kind, id)?;
        let stored = StoredSecret { kind, label, created: now, expires };
        if self.change(vec![change(SECRET, secret.key(), None, Some(&stored))]).await? {
            return Ok(secret);
        }
        Err(AccountError::Unavailable)
    }

    /// The account of a secret that is valid.
    pub(crate) async fn of_secret(&self, secret: &Secret) -> Result<Account, AccountError> {
        let stored = self.read::<StoredSecret>(SECRET, &secret.key()).await?.value;
        let stored = stored.ok_or(AccountError::UnknownSecret)?;
        if stored.expires.is_some_and(|expires| expires <= self.world.now()) {
            return Err(AccountError::UnknownSecret);
        }
        let account = self.account(&secret.account).await?.ok_or(AccountError::UnknownSecret)?;
        account.check()?;
        Ok(account)
    }

    /// Ends a session or revokes a token, by its id in lists.
    pub(crate) async fn end_secret(&self, id: &AccountId, secret: &str) -> Result<(), AccountError> {
        let missing = || AccountError::Missing { what: "such token".into() };
        if secret.len() != 16 || !secret.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(missing());
        }
        let found = self.texts(SECRET, &format!("{id}/{secret}")).await?;
        let (key, text) = found.into_iter().next().ok_or_else(missing)?;
        self.change(vec![DocumentChange { kind: SECRET, key, before: Some(text), after: None }]).await.map(drop)
    }

    async fn end_secrets(&self, id: &AccountId, but: Option<&Secret>) -> Result<(), AccountError> {
        let kept = but.map(Secret::key);
        for (key, text) in self.texts(SECRET, &format!("{id}/")).await? {
            if Some(&key) != kept.as_ref() {
                self.change(vec![DocumentChange { kind: SECRET, key, before: Some(text), after: None }]).await?;
            }
        }
        Ok(())
    }

    /// The banned networks.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn bans(&self) -> Result<Vec<Ban>, AccountError> {
        Ok(self.all(BAN, "").await?.into_iter().map(|(_, ban)| ban).collect())
    }

    /// Bans a network.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn ban(&self, network: Network, why: &str) -> Result<(), AccountError> {
        let ban = Ban { network: network.to_string(), since: self.world.now(), why: why.into() };
        let before = self.within(self.store.document(BAN, &ban.network)).await?;
        self.change(vec![change(BAN, ban.network.clone(), before, Some(&ban))]).await.map(drop)
    }

    /// Ends the ban of a network.
    ///
    /// # Errors
    /// If it is not banned, or the store fails.
    pub async fn unban(&self, network: Network) -> Result<(), AccountError> {
        let key = network.to_string();
        let Some(before) = self.within(self.store.document(BAN, &key)).await? else {
            return Err(AccountError::Missing { what: format!("ban of {key}") });
        };
        self.change(vec![DocumentChange { kind: BAN, key, before: Some(before), after: None }]).await.map(drop)
    }

    /// Keeps a reported line for the operator.
    pub(crate) async fn report(&self, report: &Report) -> Result<String, AccountError> {
        let bytes: [u8; 4] = self.world.random_bytes().map_err(|_| AccountError::Internal)?;
        let key = format!("{:013}-{:08x}", report.at, u32::from_be_bytes(bytes));
        self.change(vec![change(REPORT, key.clone(), None, Some(report))]).await.map(|_| key)
    }

    /// What was reported, oldest first, with the keys.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn reports(&self) -> Result<Vec<(String, Report)>, AccountError> {
        self.all(REPORT, "").await
    }

    /// Deletes a report.
    ///
    /// # Errors
    /// If there is none with this key, or the store fails.
    pub async fn dismiss(&self, key: &str) -> Result<(), AccountError> {
        let Some(before) = self.within(self.store.document(REPORT, key)).await? else {
            return Err(AccountError::Missing { what: format!("report {key}") });
        };
        self.change(vec![DocumentChange { kind: REPORT, key: key.into(), before: Some(before), after: None }])
            .await
            .map(drop)
    }

    /// Replaces a line of chat by words that say that it was deleted.
    ///
    /// # Errors
    /// If there is no such line, or the store fails.
    pub async fn delete_line(&self, game: &str, number: u64) -> Result<(), AccountError> {
        if self.within(self.store.replace_line(game, number, DELETED_LINE)).await? {
            return Ok(());
        }
        Err(AccountError::Missing { what: format!("line {number} of {game}") })
    }

    /// The accounts of the clients of a game.
    pub(crate) async fn open_seats(&self, game: &str) -> Result<OpenSeats, AccountError> {
        Ok(self.read(OPEN, game).await?.value.unwrap_or_default())
    }

    /// Stores that an account is this client of a game.
    pub(crate) async fn take_seat(
        &self,
        game: &str,
        rulebook: &str,
        client: u32,
        id: &AccountId,
    ) -> Result<OpenSeats, AccountError> {
        let played = PlayedGame {
            rulebook: rulebook.into(),
            client,
            joined: self.world.now(),
            ended: None,
            verdict: None,
            points: None,
            rating_change: None,
        };
        for _ in 0..ATTEMPTS {
            let Read { text, value } = self.read::<OpenSeats>(OPEN, game).await?;
            let mut seats = value.unwrap_or_default();
            seats.clients.insert(client, id.clone());
            let own = format!("{id}/{game}");
            let before = self.within(self.store.document(PLAYED, &own)).await?;
            let changes =
                vec![change(OPEN, game.into(), text, Some(&seats)), change(PLAYED, own, before, Some(&played))];
            if self.change(changes).await? {
                return Ok(seats);
            }
        }
        Err(AccountError::Unavailable)
    }

    /// The games that were not counted yet.
    pub(crate) async fn uncounted(&self) -> Result<Vec<String>, AccountError> {
        Ok(self.texts(OPEN, "").await?.into_iter().map(|(game, _)| game).collect())
    }

    /// Counts a finished game for the standings of its players, once. Games that did not end by their rules, and forks, have no effect
    /// on standings.
    pub(crate) async fn count(&self, game: &GameRecord) -> Result<(), AccountError> {
        let Some(end) = &game.end else { return Ok(()) };
        for _ in 0..ATTEMPTS {
            let Read { text, value } = self.read::<OpenSeats>(OPEN, &game.name).await?;
            let Some(text) = text else { return Ok(()) };
            let seats = value.unwrap_or_default().clients;
            let results = game.results.as_deref().filter(|_| game.parent.is_none()).unwrap_or_default();
            let counted = self.counted(&game.about.rulebook, &seats, results).await?;
            let mut changes =
                vec![DocumentChange { kind: OPEN, key: game.name.clone(), before: Some(text), after: None }];
            for (client, id) in &seats {
                let key = format!("{id}/{}", game.name);
                let Read { text, value } = self.read::<PlayedGame>(PLAYED, &key).await?;
                // A client may have joined twice; its last place counts.
                let Some(mut played) = value.filter(|played| played.client == *client) else { continue };
                played.ended = Some(end.at);
                if let Some(counted) = counted.iter().find(|counted| counted.result.client.0 == *client) {
                    played.verdict = Some(counted.result.verdict);
                    played.points = Some(counted.result.points);
                    played.rating_change = counted.rating_change;
                }
                changes.push(change(PLAYED, key, text, Some(&played)));
            }
            changes.extend(counted.into_iter().map(|counted| counted.change));
            if self.change(changes).await? {
                return Ok(());
            }
        }
        Err(AccountError::Unavailable)
    }

    /// The new standings of the accounts of a finished game. An account with several seats counts once, for the first of them.
    async fn counted<'r>(
        &self,
        rulebook: &str,
        seats: &BTreeMap<u32, AccountId>,
        results: &'r [SeatResult],
    ) -> Result<Vec<Counted<'r>>, AccountError> {
        let mut found: Vec<(AccountId, &SeatResult, Option<String>, Standing)> = Vec::new();
        for result in results {
            let Some(id) = seats.get(&result.client.0) else { continue };
            if found.iter().any(|(other, ..)| other == id) {
                continue;
            }
            let Some(account) = self.account(id).await? else { continue };
            let Read { text, value } = self.read::<Standing>(STANDING, &format!("{rulebook}/{id}")).await?;
            let standing = value.unwrap_or_else(|| Standing::new(rulebook, &account.name));
            found.push((id.clone(), result, text, standing));
        }
        let rated: Vec<Rated<'_>> = found
            .iter()
            .map(|(_, result, _, standing)| Rated { result, rating: standing.rating, games: standing.rated })
            .collect();
        let changes = rating::changes(&rated);
        let counted = found.into_iter().zip(changes).map(|((id, result, text, mut standing), rating_change)| {
            standing.count(result.verdict, result.points, rating_change);
            let change = change(STANDING, format!("{rulebook}/{id}"), text, Some(&standing));
            Counted { result, rating_change, change }
        });
        Ok(counted.collect())
    }

    /// The games of an account, with their names.
    pub(crate) async fn played(&self, id: &AccountId) -> Result<Vec<(String, PlayedGame)>, AccountError> {
        let prefix = format!("{id}/");
        let mut games = self.all::<PlayedGame>(PLAYED, &prefix).await?;
        games.iter_mut().for_each(|(key, _)| drop(key.drain(..prefix.len())));
        games.sort_by_key(|(_, game)| std::cmp::Reverse(game.joined));
        Ok(games)
    }

    /// The standings of a rulebook, the best first.
    pub(crate) async fn standings(&self, rulebook: &str) -> Result<Vec<Standing>, AccountError> {
        let all = self.all::<Standing>(STANDING, &format!("{rulebook}/")).await?;
        let mut standings: Vec<Standing> = all.into_iter().map(|(_, standing)| standing).collect();
        standings.sort_by(|one, other| {
            let key = |standing: &Standing| (std::cmp::Reverse((standing.rating, standing.won)), standing.name.clone());
            key(one).cmp(&key(other))
        });
        Ok(standings)
    }

    /// The standings of an account in these rulebooks.
    pub(crate) async fn standings_of<'r>(
        &self,
        id: &AccountId,
        rulebooks: impl Iterator<Item = &'r str>,
    ) -> Result<Vec<Standing>, AccountError> {
        let mut standings = Vec::new();
        for rulebook in rulebooks {
            standings.extend(self.read::<Standing>(STANDING, &format!("{rulebook}/{id}")).await?.value);
        }
        Ok(standings)
    }

    async fn read<T: DeserializeOwned>(&self, kind: &'static str, key: &str) -> Result<Read<T>, AccountError> {
        let text = self.within(self.store.document(kind, key)).await?;
        // What a later program wrote may be unreadable. It must not be overwritten.
        let value = text.as_deref().map(serde_json::from_str).transpose().map_err(|_| AccountError::Unavailable)?;
        Ok(Read { text, value })
    }

    /// All documents with keys that begin like this. Unreadable ones are left out.
    async fn all<T: DeserializeOwned>(
        &self,
        kind: &'static str,
        prefix: &str,
    ) -> Result<Vec<(String, T)>, AccountError> {
        let texts = self.texts(kind, prefix).await?;
        Ok(texts.into_iter().filter_map(|(key, text)| Some((key, serde_json::from_str(&text).ok()?))).collect())
    }

    async fn texts(&self, kind: &'static str, prefix: &str) -> Result<Vec<(String, String)>, AccountError> {
        let mut all: Vec<(String, String)> = Vec::new();
        loop {
            let after = all.last().map_or(String::new(), |(key, _)| key.clone());
            let page = self.within(self.store.documents(kind, prefix, &after, PAGE)).await?;
            let is_last = page.len() < PAGE as usize;
            all.extend(page);
            if is_last {
                return Ok(all);
            }
        }
    }

    async fn change(&self, changes: Vec<DocumentChange>) -> Result<bool, AccountError> {
        self.within(self.store.change_documents(changes)).await
    }

    async fn within<T>(&self, reading: Reading<'_, T>) -> Result<T, AccountError> {
        Ok(timeout(PATIENCE, reading).await.map_err(|_| AccountError::Unavailable)??)
    }
}

/// What readers see in place of a deleted line.
pub(crate) const DELETED_LINE: &str = "[deleted by the operator]";

/// A seat of an account in a finished game.
struct Counted<'r> {
    result: &'r SeatResult,
    rating_change: Option<i64>,
    change: DocumentChange,
}

fn change<T: Serialize>(kind: &'static str, key: String, before: Option<String>, after: Option<&T>) -> DocumentChange {
    let text = |value: &T| serde_json::to_string(value).expect("documents have no maps with other keys than texts");
    DocumentChange { kind, key, before, after: after.map(text) }
}
