//! The games of a host in lists.

use std::sync::{Arc, atomic::Ordering};

use commlib::{GameInfo, Refused};

use super::{Host, claiming::refused};
use crate::{cluster::ListedGame, sync::lock};

/// The maximum number of games in a list of all hosts.
const MOST_LISTED: usize = 10_000;

/// The maximum number of open games in the answer to a hello without a game name.
pub(super) const MOST_NAMED: usize = 5;

impl Host {
    /// The names of the players in an open game.
    pub(crate) fn players(&self, game: &str) -> Option<Vec<String>> {
        self.games().get(game).map(|game| lock(&game.players).clone())
    }

    /// When an open game of this host ends by itself if no player comes back, in milliseconds since 1970.
    pub(crate) fn ends_at(&self, game: &str) -> Option<i64> {
        let ends_at = self.games().get(game)?.ends_at.load(Ordering::Relaxed);
        (ends_at != 0).then_some(ends_at)
    }

    /// The game of a process that serves only one.
    pub(crate) fn only_game(&self) -> Option<String> {
        self.options.one_game.then(|| self.games().keys().next().map(ToString::to_string))?
    }

    /// The names of all open games of this host, also of those that lists leave out. For the operator.
    pub fn open_names(&self) -> Vec<String> {
        self.games().keys().map(ToString::to_string).collect()
    }

    /// The open games of this host, by name.
    pub fn list(&self) -> Vec<GameInfo> {
        let mut list: Vec<GameInfo> = self
            .games()
            .iter()
            .filter(|(name, _)| !self.is_hidden(name))
            .map(|(name, game)| GameInfo {
                game: name.to_string(),
                rulebook: game.rulebook.into(),
                edition: game.edition.clone(),
                players: lock(&game.players).clone(),
                status: "open".into(),
            })
            .collect();
        list.sort_by(|one, other| one.game.cmp(&other.game));
        list
    }

    /// The open games of all hosts, by name.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn list_all(&self) -> Result<Vec<GameInfo>, Refused> {
        let Some(cluster) = &self.cluster else { return Ok(self.list()) };
        self.refresh_hidden().await?;
        let listed = cluster.membership.open_games(MOST_LISTED).await.map_err(refused)?;
        let info = |ListedGame { name, rulebook, edition, players }| GameInfo {
            // This host knows its own players before they are published.
            players: self.players(&name).unwrap_or(players),
            game: name,
            rulebook,
            edition,
            status: "open".into(),
        };
        Ok(listed.into_iter().filter(|game| !self.is_hidden(&game.name)).map(info).collect())
    }

    /// The names of at most [`MOST_NAMED`] open games in words, for a client that named none.
    pub(crate) async fn open_games(&self) -> String {
        let (names, count) = match &self.cluster {
            None => self.first_names(),
            Some(cluster) => match cluster.membership.open_games(MOST_LISTED).await {
                Ok(mut listed) => {
                    listed.retain(|game| !self.is_hidden(&game.name));
                    let count = listed.len();
                    (listed.into_iter().take(MOST_NAMED).map(|game| game.name.into()).collect(), count)
                }
                // The answer is only help for people.
                Err(_) => self.first_names(),
            },
        };
        let more = count.saturating_sub(MOST_NAMED);
        match (names.is_empty(), more) {
            (true, _) => "none is open".into(),
            (false, 0) => format!("open: {}", names.join(", ")),
            (false, more) => format!("open: {} and {more} more", names.join(", ")),
        }
    }

    /// The first names of open games of this host, and how many there are.
    fn first_names(&self) -> (Vec<Arc<str>>, usize) {
        let games = self.games();
        let listed: Vec<Arc<str>> = games.keys().filter(|name| !self.is_hidden(name)).cloned().collect();
        let count = listed.len();
        (listed.into_iter().take(MOST_NAMED).collect(), count)
    }
}
