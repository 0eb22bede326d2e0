//! New games: as a client asks for them, after a finished one, and from the middle of one.

use std::sync::Arc;

use commlib::{Create, Reason, Refused, Token};
use slog::{info, warn};

use super::{Host, Options};
use crate::{
    erased::HostedGame,
    fork::{Fork, ForkError},
    names::{NAME_LENGTH, name_after, random_name},
    room::{game_logger, unknown_token},
};

impl Host {
    /// Makes a game as a client asks for it, and gives its name.
    pub fn create(self: &Arc<Self>, create: &Create, name: Option<&str>) -> Result<String, Refused> {
        self.takes_another()?;
        let rulebook = self.rulebook(create.rulebook.as_deref())?;
        let seed = match create.seed {
            Some(seed) => seed,
            None => i64::from_ne_bytes(self.options.world.random_bytes()?),
        };
        let name = match name {
            Some(name) => name.to_owned(),
            None => self.new_name(rulebook)?,
        };
        self.start(rulebook.create(&self.services, &name, create, seed)?);
        Ok(name)
    }

    /// A name that no game has. Short ones are given out again and again, so the log is asked.
    fn new_name(&self, rulebook: &dyn HostedGame) -> Result<String, Refused> {
        let failed = |_| Refused::new(Reason::StoreFailed, "The log cannot be read now.");
        loop {
            let name = random_name(&*self.options.world, rulebook.name_length())?;
            if rulebook.name_length() >= NAME_LENGTH || self.options.log.find(&name).map_err(failed)?.is_none() {
                return Ok(name);
            }
        }
    }

    /// Makes a game while others play: checking a scenario takes milliseconds.
    pub async fn create_later(self: &Arc<Self>, create: Create) -> Result<String, Refused> {
        self.one_at_a_time(move |host| host.create(&create, None)).await
    }

    /// The game that is played after a finished one, made when the first of its players asks for it. Both may ask at the same
    /// moment, and there is one game for both.
    pub(crate) async fn rematch(self: &Arc<Self>, game: String, token: Token) -> Result<String, Refused> {
        self.one_at_a_time(move |host| host.make_rematch(&game, token)).await
    }

    async fn one_at_a_time(
        self: &Arc<Self>,
        make: impl FnOnce(&Arc<Self>) -> Result<String, Refused> + Send + 'static,
    ) -> Result<String, Refused> {
        let stopped = |_| Refused::new(Reason::ShuttingDown, "The server stops; no new games.");
        let turn = self.creating.clone().acquire_owned().await.map_err(stopped)?;
        let host = self.clone();
        // The turn goes with the work: whoever asked may be gone before it is done.
        let made = self.options.world.blocking(move || {
            let _one_at_a_time = turn;
            make(&host)
        });
        made.await.map_err(|_| Refused::new(Reason::Internal, "The game could not be made."))?
    }

    fn make_rematch(self: &Arc<Self>, game: &str, token: Token) -> Result<String, Refused> {
        let log = &self.options.log;
        let failed = |_| Refused::new(Reason::StoreFailed, "The log cannot be read now.");
        let unknown = || Refused::new(Reason::UnknownGame, format!("There is no game {game} that is over."));
        let head = log.find(game).map_err(failed)?.filter(|head| head.record.end.is_some()).ok_or_else(unknown)?;
        let hash = blake3::hash(token.bytes());
        let clients = log.clients(head.record.key).map_err(failed)?;
        let known = clients.iter().find(|client| blake3::Hash::from_bytes(client.token_hash) == hash);
        let client = known.ok_or_else(unknown_token)?.client;
        // Nobody needs the whole game folded again for a game that is there.
        if let Some(name) = self.after(game)? {
            return Ok(name);
        }
        let rules = self.rulebook_named(&head.record.about.rulebook).ok_or_else(unknown)?;
        let rows = log.read(head.record.key, 1).map_err(failed)?;
        let wanted = rules.rematch(&head.header, &rows, client);
        let wanted = wanted.map_err(|why| Refused::new(Reason::Internal, why))?;
        let create = wanted.ok_or_else(|| Refused::new(Reason::BadMessage, "Only its players play again."))?;
        self.create(&create, Some(&name_after(game)))
    }

    /// The game that is played after another, if it was made. Reads the log.
    pub(crate) fn after(&self, game: &str) -> Result<Option<String>, Refused> {
        let failed = |_| Refused::new(Reason::StoreFailed, "The log cannot be read now.");
        let name = name_after(game);
        let there = self.room(&name).is_some() || self.options.log.find(&name).map_err(failed)?.is_some();
        Ok(there.then_some(name))
    }

    /// Starts a new game with the state after an entry of a finished one, and gives its name. Its seats wait to be
    /// claimed. Reads the log and waits for it: a task calls this where it may block, within a runtime.
    pub fn fork(self: &Arc<Self>, game: &str, sequence: u64) -> Result<String, Refused> {
        if self.options.one_game {
            return Err(Refused::new(Reason::TooMany, "This server serves one game."));
        }
        self.takes_another()?;
        self.begin_fork(game, sequence).map_err(|error| {
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

    fn begin_fork(self: &Arc<Self>, game: &str, sequence: u64) -> Result<String, ForkError> {
        let Options { log, games, logger, world, .. } = &self.options;
        let head = log.find(game)?.ok_or_else(|| ForkError::NoSuchGame { game: game.into() })?;
        if head.record.end.is_none() {
            return Err(ForkError::Running { game: game.into() });
        }
        let rows = log.read(head.record.key, 1)?;
        let fork = Fork::new(&**world, games, &self.services.setups, &head, rows, sequence)?;
        let name = fork.name.clone();
        let (key, replayed) = fork.store(&**log)?;
        self.metrics.games_created.add(1);
        info!(game_logger(logger, &name), "game forked"; "parent" => game, "sequence" => sequence);
        self.start(replayed.start(&self.services, key));
        Ok(name)
    }

    /// Whether there may be one more game.
    fn takes_another(&self) -> Result<(), Refused> {
        if self.is_stopping() {
            return Err(Refused { reason: Reason::ShuttingDown, message: "The server stops; no new games.".into() });
        }
        if self.games().len() >= self.options.limits.games {
            let message = format!("There are {} games already; try again later.", self.options.limits.games);
            return Err(Refused { reason: Reason::TooMany, message });
        }
        Ok(())
    }

    /// Whether strangers may ask for such a game.
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
