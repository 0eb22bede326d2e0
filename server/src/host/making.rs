//! Creates games: new ones, rematches and forks.

use std::{net::IpAddr, sync::Arc};

use commlib::{Create, Reason, Refused, Token};
use slog::{info, warn};

use tokio::{
    sync::OwnedSemaphorePermit,
    task::JoinHandle,
    time::{Instant, timeout},
};

use super::{Host, NewGameIsHidden, Options};
use crate::{
    chronicle::{Turn, unreadable},
    fork::{Fork, ForkError},
    log::{Measures, ReplayError, StoreError},
    names::{NAME_LENGTH, name_after, random_name},
    room::{StartedRoom, game_logger, unknown_token},
};

impl Host {
    /// Creates a game for a client and returns its name.
    ///
    /// # Errors
    /// If the host accepts no more games, or the scenario, rulebook or name cannot be used.
    pub async fn create(self: &Arc<Self>, create: &Create, name: Option<&str>) -> Result<String, Refused> {
        let name = match name {
            Some(name) => name.to_owned(),
            None => self.new_name(create).await?,
        };
        self.make(create, name, None)?.started().await
    }

    fn make(self: &Arc<Self>, create: &Create, name: String, by: Option<IpAddr>) -> Result<Made, Refused> {
        self.takes_another()?;
        let opening = self.opening()?;
        let rulebook = self.rulebook(create.rulebook.as_deref())?;
        let seed = match create.seed {
            Some(seed) => seed,
            None => i64::from_ne_bytes(self.options.world.random_bytes()?),
        };
        let room = rulebook.create(&self.services, &name, create, seed, by)?;
        if self.cluster.is_none() {
            self.start(room);
            self.is_open_to_all(&name);
            return Ok(Made::Started(name));
        }
        // No time of the game passes before clients can enter, however long the store takes. The room lets the clock go.
        room.clock.stand(Instant::now(), 0);
        let host = self.clone();
        // A stored game must be started, even if the caller is dropped.
        Ok(Made::Storing(tokio::spawn(async move {
            let _stop_waits = opening;
            let started = host.services.until_stopped(host.start_stored(room, name)).await;
            started.unwrap_or_else(|| Err(no_new_games()))
        })))
    }

    /// Starts a room as soon as its game is stored: another host may have a game with this name.
    async fn start_stored(self: &Arc<Self>, room: StartedRoom, name: String) -> Result<String, Refused> {
        let watermark = room.watermark.clone();
        match timeout(self.options.limits.store_patience, watermark.stored()).await {
            Ok(Err(error)) => {
                if let StoreError::NameTaken { name } = &*error {
                    return Err(Refused::new(Reason::BadMessage, format!("There is a game {name} already.")));
                }
                Err((&*error).into())
            }
            // A room knows what to do while the store is silent.
            Ok(Ok(())) | Err(_) => {
                self.start(room);
                self.is_open_to_all(&name);
                Ok(name)
            }
        }
    }

    /// A name that no game has. Short random names may repeat, so the log is checked for them.
    async fn new_name(&self, create: &Create) -> Result<String, Refused> {
        self.takes_another()?;
        let length = self.rulebook(create.rulebook.as_deref())?.name_length();
        loop {
            let name = random_name(&*self.options.world, length)?;
            if length >= NAME_LENGTH || self.options.log.find(&name).await.map_err(unreadable)?.is_none() {
                return Ok(name);
            }
        }
    }

    /// Creates a game on a blocking thread, because checking a scenario takes milliseconds.
    ///
    /// # Errors
    /// See [`create`](Self::create).
    pub async fn create_later(self: &Arc<Self>, create: Create) -> Result<String, Refused> {
        self.create_by(create, None).await
    }

    /// Creates a game for a client of this address.
    async fn create_by(self: &Arc<Self>, create: Create, by: Option<IpAddr>) -> Result<String, Refused> {
        self.create_hidden(create, by).await.map(|(name, _shown_at_once)| name)
    }

    /// Creates a game that lists leave out as long as the second part of the result lives.
    pub(crate) async fn create_hidden(
        self: &Arc<Self>,
        create: Create,
        by: Option<IpAddr>,
    ) -> Result<(String, NewGameIsHidden), Refused> {
        let turn = self.creating_turn().await?;
        let name = self.new_name(&create).await?;
        let hidden = self.hide_new(&name);
        let made = self.work(turn, move |host| host.make(&create, name, by)).await?.started().await?;
        Ok((made, hidden))
    }

    /// Returns the rematch of a finished game. The first request creates it. If several players request it at the same time,
    /// they all get the same game.
    pub(crate) async fn rematch(self: &Arc<Self>, game: String, token: Token, by: IpAddr) -> Result<String, Refused> {
        let turn = self.creating_turn().await?;
        let log = &self.options.log;
        let unknown = || Refused::new(Reason::UnknownGame, format!("There is no game {game} that is over."));
        let head = log.find(&game).await.map_err(unreadable)?;
        let head = head.filter(|head| head.record.end.is_some()).ok_or_else(unknown)?;
        let hash = blake3::hash(token.bytes());
        let clients = log.clients(head.record.key).await.map_err(unreadable)?;
        let known = clients.iter().find(|client| blake3::Hash::from_bytes(client.token_hash) == hash);
        let client = known.ok_or_else(unknown_token)?.client;
        // If the rematch exists, there is no need to fold the whole game again.
        if let Some(name) = self.after(&game).await? {
            return Ok(name);
        }
        self.may_create(by)?;
        let rules = self.rulebook_named(&head.record.about.rulebook).ok_or_else(unknown)?;
        let rows = log.rows(head.record.key, 1).await.map_err(unreadable)?;
        let (rematch, after) = (name_after(&game), game);
        let made = self.work(turn, move |host| {
            let wanted = rules.rematch(&head.header, &rows, client);
            let wanted = wanted.map_err(|error| Refused::new(Reason::Internal, error.to_string()))?;
            let create = wanted.ok_or_else(|| Refused::new(Reason::BadMessage, "Only its players play again."))?;
            host.make(&create, rematch, Some(by))
        });
        let _until_it_is_stored = self.hide_new(&name_after(&after));
        match made.await?.started().await {
            Ok(name) => {
                self.inherit_access(&after, &name).await?;
                Ok(name)
            }
            // A player asked another host for it at the same time.
            Err(refused) => self.after(&after).await?.ok_or(refused),
        }
    }

    /// Waits for the permit to create a game; games are created one at a time.
    async fn creating_turn(&self) -> Result<OwnedSemaphorePermit, Refused> {
        self.creating.clone().acquire_owned().await.map_err(|_| no_new_games())
    }

    async fn work(
        self: &Arc<Self>,
        turn: OwnedSemaphorePermit,
        make: impl FnOnce(&Arc<Self>) -> Result<Made, Refused> + Send + 'static,
    ) -> Result<Made, Refused> {
        let host = self.clone();
        // The work holds the permit, because the caller may be dropped before the work is done.
        let made = self.options.world.blocking(move || {
            let _one_at_a_time = turn;
            make(&host)
        });
        made.await.map_err(|_| Refused::new(Reason::Internal, "The game could not be made."))?
    }

    /// The rematch of a game, if it exists.
    pub(crate) async fn after(&self, game: &str) -> Result<Option<String>, Refused> {
        let name = name_after(game);
        let there = self.room(&name).is_some() || self.options.log.find(&name).await.map_err(unreadable)?.is_some();
        Ok(there.then_some(name))
    }

    /// Starts a new game with the state after an entry of a finished one, and returns its name. Players can then claim its
    /// seats. The fork is completed even if the caller is dropped.
    ///
    /// # Errors
    ///
    /// If the game or entry does not exist, the game is not over, or the log fails.
    pub async fn fork(self: &Arc<Self>, game: &str, sequence: u64) -> Result<String, Refused> {
        if self.options.one_game {
            return Err(Refused::new(Reason::TooMany, "This server serves one game."));
        }
        self.takes_another()?;
        let opening = self.opening()?;
        let (host, game) = (self.clone(), game.to_owned());
        // A stored fork must be started, even if the caller is dropped.
        let forked = tokio::spawn(async move {
            let _stop_waits = opening;
            let forked = host.services.until_stopped(host.try_fork(&game, sequence)).await;
            forked.unwrap_or_else(|| Err(no_new_games()))
        });
        forked.await.map_err(|_| Refused::new(Reason::Internal, "The game could not be forked."))?
    }

    async fn try_fork(self: &Arc<Self>, game: &str, sequence: u64) -> Result<String, Refused> {
        let turn = self.viewer.turn().await?;
        self.begin_fork(&turn, game, sequence).await.map_err(|error| {
            let logger = game_logger(&self.options.logger, game);
            match &error {
                ForkError::Store(_) | ForkError::Damaged(_) | ForkError::Rules(_) | ForkError::NoRandomness(_) => {
                    warn!(logger, "the game cannot be forked"; "sequence" => sequence, "cause" => %error);
                }
                ForkError::NoSuchGame { .. }
                | ForkError::Running { .. }
                | ForkError::NoSuchEntry { .. }
                | ForkError::Over { .. } => {}
            }
            error.into()
        })
    }

    async fn begin_fork(self: &Arc<Self>, turn: &Turn, game: &str, sequence: u64) -> Result<String, ForkError> {
        let Options { log, logger, .. } = &self.options;
        let head = log.find(game).await?.ok_or_else(|| ForkError::NoSuchGame { game: game.into() })?;
        if head.record.end.is_none() {
            return Err(ForkError::Running { game: game.into() });
        }
        let rows = log.rows(head.record.key, 1).await?;
        let host = self.clone();
        let folded = self.viewer.work(turn, move || {
            let Options { games, world, .. } = &host.options;
            Ok(Fork::new(&**world, games, &host.services.setups, &head, rows, sequence))
        });
        let fork = folded.await.map_err(|_| ForkError::Rules(ReplayError::Panicked))??;
        let name = fork.name.clone();
        let (key, replayed) = fork.store(&**log).await?;
        self.metrics.games_created.add(1);
        info!(game_logger(logger, &name), "game forked"; "parent" => game, "sequence" => sequence);
        self.start(replayed.start(&self.services, key, None));
        Ok(name)
    }

    /// Checks that the host accepts one more game.
    fn takes_another(&self) -> Result<(), Refused> {
        if self.is_stopping() {
            return Err(no_new_games());
        }
        self.is_member()?;
        if self.options.log.measures().is_some_and(Measures::is_failing) {
            return Err(Refused::new(Reason::StoreUnavailable, "The log cannot be written now; try again later."));
        }
        if self.games().len() >= self.options.limits.games {
            let message = format!("There are {} games already; try again later.", self.options.limits.games);
            return Err(Refused { reason: Reason::TooMany, message });
        }
        Ok(())
    }

    /// Checks that a client may create such a game.
    pub(crate) fn check(&self, create: &Create) -> Result<(), Refused> {
        let longest = self.options.limits.longest_timeout;
        if create.timeout.is_some_and(|timeout| timeout == 0 || timeout > longest) {
            return Err(Refused::new(Reason::BadMessage, format!("A timeout is 1 to {longest} milliseconds.")));
        }
        if self.options.one_game {
            return Err(Refused::new(Reason::TooMany, "This server serves one game; join it."));
        }
        Ok(())
    }
}

fn no_new_games() -> Refused {
    Refused::new(Reason::ShuttingDown, "The server stops; no new games.")
}

/// A game that was created.
enum Made {
    /// It has a room.
    Started(String),
    /// It gets a room when it is stored.
    Storing(JoinHandle<Result<String, Refused>>),
}

impl Made {
    /// Waits until the game has a room, and returns its name.
    async fn started(self) -> Result<String, Refused> {
        match self {
            Self::Started(name) => Ok(name),
            Self::Storing(storing) => {
                storing.await.map_err(|_| Refused::new(Reason::Internal, "The game could not be made."))?
            }
        }
    }
}
