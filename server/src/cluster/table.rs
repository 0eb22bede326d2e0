//! The rules of membership as plain data: the table of hosts and the owners of games.

use std::collections::BTreeMap;

use super::{
    Claim, Claimed, HandOver, HostInfo, HostState, Incarnation, ListedGame, Member, MembershipError, Owner, PeerHost,
    SharedText, Sighting,
};
use crate::log::{About, GameKey};

/// The hosts of a store, and the owners of its unfinished games. Every operation of [`Membership`](super::Membership) is a
/// function of this table. The store keeps it under one lock with its games, so that no write passes a burial.
#[derive(Debug, Default)]
pub struct MemberTable {
    last: i64,
    /// All registrations. Dead ones stay: their processes may still ask.
    hosts: BTreeMap<Incarnation, Member>,
    games: BTreeMap<GameKey, OwnedGame>,
    texts: BTreeMap<String, SharedText>,
}

#[derive(Debug)]
struct OwnedGame {
    name: String,
    about: About,
    owner: Option<Incarnation>,
    elapsed_ms: Option<u64>,
    players: Vec<String>,
}

impl OwnedGame {
    fn claimed(&self, key: GameKey) -> Claimed {
        Claimed { key, name: self.name.clone(), elapsed_ms: self.elapsed_ms }
    }
}

impl MemberTable {
    /// Adds a stored game, which belongs to the host that created it.
    pub fn created(&mut self, key: GameKey, name: &str, about: &About, owner: Incarnation) {
        let (name, about, owner) = (name.to_owned(), about.clone(), Some(owner));
        self.games.insert(key, OwnedGame { name, about, owner, elapsed_ms: None, players: Vec::new() });
    }

    /// Removes a game that is over.
    pub fn finished(&mut self, key: GameKey) {
        self.games.remove(&key);
    }

    /// Whether an incarnation is alive and owns a game: whether its writes are stored.
    pub fn may_write(&self, incarnation: Incarnation, game: GameKey) -> bool {
        self.is_alive(incarnation) && self.games.get(&game).is_some_and(|game| game.owner == Some(incarnation))
    }

    /// Whether an incarnation is alive.
    pub fn is_alive(&self, incarnation: Incarnation) -> bool {
        self.hosts.get(&incarnation).is_some_and(|host| host.alive)
    }

    /// The published players of an unfinished game.
    pub fn players(&self, key: GameKey) -> Option<&[String]> {
        self.games.get(&key).map(|game| &*game.players)
    }

    /// See [`Membership::register`](super::Membership::register).
    pub fn register(&mut self, info: HostInfo) -> Incarnation {
        self.last += 1;
        let incarnation = Incarnation(self.last);
        for earlier in self.hosts.values_mut().filter(|host| host.info.name == info.name) {
            earlier.alive = false;
        }
        let state = HostState::default();
        self.hosts.insert(incarnation, Member { incarnation, info, beat: 0, alive: true, state });
        incarnation
    }

    /// See [`Membership::beat`](super::Membership::beat).
    ///
    /// # Errors
    /// If the incarnation is dead.
    pub fn beat(&mut self, incarnation: Incarnation, state: HostState) -> Result<Vec<Member>, MembershipError> {
        let host = self.living(incarnation)?;
        host.beat += 1;
        host.state = state;
        Ok(self.members())
    }

    /// See [`Membership::members`](super::Membership::members).
    pub fn members(&self) -> Vec<Member> {
        let mut members: Vec<Member> = self.hosts.values().cloned().collect();
        for dead in members.iter_mut().filter(|member| !member.alive) {
            dead.state.games = self.games_of(dead.incarnation).count() as u64;
        }
        members.retain(|member| member.alive || member.state.games > 0);
        members
    }

    /// See [`Membership::bury`](super::Membership::bury).
    ///
    /// # Errors
    /// If the incarnation that buries is dead itself.
    pub fn bury(&mut self, by: Incarnation, seen: Sighting) -> Result<bool, MembershipError> {
        self.living(by)?;
        let found = self.hosts.get_mut(&seen.incarnation).filter(|host| host.alive && host.beat == seen.beat);
        let Some(host) = found else { return Ok(false) };
        host.alive = false;
        Ok(true)
    }

    /// See [`Membership::claim`](super::Membership::claim).
    ///
    /// # Errors
    /// If the incarnation is dead.
    pub fn claim(&mut self, by: Incarnation, which: &Claim, limit: usize) -> Result<Vec<Claimed>, MembershipError> {
        let host = self.living(by)?;
        if host.state.draining {
            return Ok(Vec::new());
        }
        let info = host.info.clone();
        let is_wanted = |game: &OwnedGame| match which {
            Claim::Any => true,
            Claim::Named(names) => names.contains(&game.name),
        };
        let is_free =
            |game: &OwnedGame| game.owner.and_then(|owner| self.hosts.get(&owner)).is_none_or(|host| !host.alive);
        let found = self.games.iter().filter(|(_, game)| {
            is_wanted(game) && is_free(game) && info.folds(&game.about.rulebook, game.about.rules_version)
        });
        let keys: Vec<GameKey> = found.map(|(key, _)| *key).take(limit).collect();
        let mut claimed = Vec::with_capacity(keys.len());
        for key in keys {
            if let Some(game) = self.games.get_mut(&key) {
                game.owner = Some(by);
                claimed.push(game.claimed(key));
            }
        }
        Ok(claimed)
    }

    /// See [`Membership::owned`](super::Membership::owned).
    ///
    /// # Errors
    /// If the incarnation is dead.
    pub fn owned(&mut self, by: Incarnation) -> Result<Vec<Claimed>, MembershipError> {
        self.living(by)?;
        Ok(self.games_of(by).map(|(key, game)| game.claimed(*key)).collect())
    }

    /// See [`Membership::hand_over`](super::Membership::hand_over).
    ///
    /// # Errors
    /// If the incarnation is dead.
    pub fn hand_over(&mut self, by: Incarnation, games: &[HandOver]) -> Result<(), MembershipError> {
        self.living(by)?;
        for HandOver { key, elapsed_ms } in games {
            if let Some(game) = self.games.get_mut(key).filter(|game| game.owner == Some(by)) {
                game.owner = None;
                game.elapsed_ms = Some(*elapsed_ms);
            }
        }
        Ok(())
    }

    /// See [`Membership::publish`](super::Membership::publish).
    ///
    /// # Errors
    /// If the incarnation is dead.
    pub fn publish(&mut self, by: Incarnation, players: Vec<(GameKey, Vec<String>)>) -> Result<(), MembershipError> {
        self.living(by)?;
        for (key, players) in players {
            if let Some(game) = self.games.get_mut(&key).filter(|game| game.owner == Some(by)) {
                game.players = players;
            }
        }
        Ok(())
    }

    /// See [`Membership::shared_text`](super::Membership::shared_text).
    pub fn shared_text(&self, name: &str) -> SharedText {
        self.texts.get(name).cloned().unwrap_or_default()
    }

    /// See [`Membership::replace_text`](super::Membership::replace_text).
    ///
    /// # Errors
    /// If the incarnation is dead.
    pub fn replace_text(
        &mut self,
        by: Incarnation,
        name: String,
        version: u64,
        text: String,
    ) -> Result<bool, MembershipError> {
        self.living(by)?;
        let shared = self.texts.entry(name).or_default();
        let is_same = shared.version == version;
        if is_same {
            *shared = SharedText { version: version + 1, text };
        }
        Ok(is_same)
    }

    /// See [`Membership::owner`](super::Membership::owner).
    pub fn owner(&self, asking: Option<Incarnation>, game: &str) -> Option<Owner> {
        let (key, game) = self.games.iter().find(|(_, found)| found.name == game)?;
        let host = game.owner.and_then(|owner| self.hosts.get(&owner)).filter(|host| host.alive);
        Some(match host {
            None => Owner::Free,
            Some(host) if Some(host.incarnation) == asking => Owner::ThisHost(game.claimed(*key)),
            Some(Member { incarnation, info, .. }) => {
                let (name, addresses) = (info.name.clone(), info.addresses.clone());
                Owner::Host(PeerHost { name, incarnation: *incarnation, addresses })
            }
        })
    }

    /// See [`Membership::open_games`](super::Membership::open_games).
    pub fn open_games(&self, limit: usize) -> Vec<ListedGame> {
        let by_name: BTreeMap<&str, &OwnedGame> = self.games.values().map(|game| (&*game.name, game)).collect();
        let listed = by_name.into_values().take(limit).map(|OwnedGame { name, about, players, .. }| ListedGame {
            name: name.clone(),
            rulebook: about.rulebook.clone(),
            edition: about.edition.clone(),
            players: players.clone(),
        });
        listed.collect()
    }

    /// See [`Membership::leave`](super::Membership::leave).
    ///
    /// # Errors
    /// If the incarnation is dead.
    pub fn leave(&mut self, incarnation: Incarnation) -> Result<(), MembershipError> {
        self.living(incarnation)?.alive = false;
        Ok(())
    }

    fn games_of(&self, owner: Incarnation) -> impl Iterator<Item = (&GameKey, &OwnedGame)> {
        self.games.iter().filter(move |(_, game)| game.owner == Some(owner))
    }

    fn living(&mut self, incarnation: Incarnation) -> Result<&mut Member, MembershipError> {
        let name = self.hosts.get(&incarnation).map(|host| host.info.name.clone()).unwrap_or_default();
        let is_later = |host: &&Member| host.alive && host.info.name == name && host.incarnation > incarnation;
        if let Some(later) = self.hosts.values().find(is_later) {
            return Err(MembershipError::Replaced { name, by: later.incarnation });
        }
        let living = self.hosts.get_mut(&incarnation).filter(|host| host.alive);
        living.ok_or(MembershipError::Buried { incarnation })
    }
}
