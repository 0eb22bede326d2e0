//! Bots in a seat of any host: they take offers at random, or are bots that the game brings.

use std::{error::Error, fmt, sync::Arc, time::Duration};

use clients::{
    offers::{JsonOffers, JsonTable, OfferClient, OfferNews, begin_command, random_command},
    resuming::{Heard, ResumingClient},
};
use commlib::{ClientError, Form, ServerAddress, Token, Want};
use engine::{JavaRandom, json_words};
use serde_json::Value;
use server::{HostedGame, Offered, Opponent};
use slog::{Discard, Logger, o};
use tokio::{sync::Semaphore, time::sleep};

use crate::{Failure, Game, HostBots, Playing, thinkers};

/// The name of the bot that plays every game.
pub(super) const RANDOM: &str = "random";

/// How a bot plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Strategy {
    /// Takes any offer.
    Random,
    /// A bot of the game.
    Own(String),
}

impl Strategy {
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Random => RANDOM,
            Self::Own(name) => name,
        }
    }
}

/// No bot of the game has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UnknownBot {
    name: String,
    known: Vec<String>,
}

impl fmt::Display for UnknownBot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no bot {}; there are {}", self.name, self.known.join(", "))
    }
}

impl Error for UnknownBot {}

/// The bots of a game: those that it brings, and `random`.
pub(super) struct Bots {
    game: &'static dyn HostedGame,
    own: Option<Box<dyn HostBots>>,
    thinkers: Arc<Semaphore>,
}

/// A seat for a bot that the game brings.
pub(super) struct OwnSeat<'b> {
    pub(super) bot: &'b str,
    /// The name that it plays under.
    pub(super) player: String,
    pub(super) game: String,
    pub(super) token: Token,
}

impl Bots {
    pub(super) fn of(game: &dyn Game) -> Self {
        Self { own: game.host_bots(), ..Self::none(game.hosted()) }
    }

    /// Only `random`.
    pub(super) fn none(game: &'static dyn HostedGame) -> Self {
        Self { game, own: None, thinkers: Arc::new(Semaphore::new(thinkers())) }
    }

    fn offered(&self) -> Vec<Offered> {
        let offered = self.own.as_ref().map(|own| own.offered()).unwrap_or_default();
        offered.into_iter().filter(|offered| offered.rulebook == self.game.name()).collect()
    }

    /// The names of all bots.
    pub(super) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.offered().into_iter().map(|offered| offered.name).collect();
        if !names.iter().any(|name| name == RANDOM) {
            names.push(RANDOM.into());
        }
        names
    }

    /// The names of all bots with what they are, as lines of a help text.
    pub(super) fn help(&self) -> String {
        let mut offered: Vec<(String, String)> =
            self.offered().into_iter().map(|offered| (offered.name, offered.about)).collect();
        if !offered.iter().any(|(name, _)| name == RANDOM) {
            offered.push((RANDOM.into(), "does anything that is possible".into()));
        }
        let width = offered.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
        offered.iter().map(|(name, about)| format!("\n  {name:<width$}  {about}").trim_end().to_owned()).collect()
    }

    /// The bot with this name. A game may bring a `random` of its own.
    pub(super) fn find(&self, name: &str) -> Result<Strategy, UnknownBot> {
        if self.offered().iter().any(|offered| offered.name == name) {
            Ok(Strategy::Own(name.into()))
        } else if name == RANDOM {
            Ok(Strategy::Random)
        } else {
            Err(UnknownBot { name: name.into(), known: self.names() })
        }
    }

    /// Lets a bot of the game play a seat to the end.
    pub(super) fn play(&self, seat: OwnSeat<'_>, host: ServerAddress) -> Playing {
        let OwnSeat { bot, player, game, token } = seat;
        let opponent = Opponent { rulebook: self.game.name(), bot: bot.into(), player, game, token };
        match &self.own {
            // A bot that cannot play on returns the reason.
            Some(own) => own.play(opponent, host, self.thinkers.clone(), Logger::root(Discard, o!())),
            None => Box::pin(async { Err(UnknownBot { name: opponent.bot, known: vec![RANDOM.into()] }.into()) }),
        }
    }
}

/// A bot that takes a seat.
#[derive(Clone, Debug)]
pub(super) struct BotPlayer {
    /// The name in the game.
    pub(super) name: String,
    /// Begins the game once it has so many players.
    pub(super) begins_with: Option<usize>,
    /// The time before each command of a random player.
    pub(super) pace: Duration,
}

impl BotPlayer {
    /// Plays to the end of the game, and returns its last event in words.
    pub(super) async fn play(
        &self,
        client: OfferClient,
        strategy: &Strategy,
        bots: &Bots,
        random: JavaRandom,
    ) -> Result<String, Failure> {
        match strategy {
            Strategy::Random => Ok(self.play_random(client, random).await?),
            Strategy::Own(bot) => self.play_own(client, bot, bots, random).await,
        }
    }

    /// Plays any offer to the end of the game, and returns its last event in words.
    pub(super) async fn play_random(
        &self,
        mut client: OfferClient,
        mut random: JavaRandom,
    ) -> Result<String, ClientError> {
        let mut last = String::new();
        loop {
            match client.next().await? {
                OfferNews::Event(event, text) => last = text.unwrap_or_else(|| json_words(&event)),
                OfferNews::Offers(offers, table) => {
                    if let Some(command) = self.command(&offers, &table, &mut random) {
                        sleep(self.pace).await;
                        client.send(&command).await?;
                    }
                }
                OfferNews::Refused(words) => last = words,
                OfferNews::Notice(_) => {}
                OfferNews::Over => return Ok(last),
            }
        }
    }

    fn command(&self, offers: &JsonOffers, table: &JsonTable, random: &mut JavaRandom) -> Option<Value> {
        let begin = || begin_command(offers, table, self.begins_with?);
        random_command(offers, &self.name, random).or_else(begin)
    }

    /// Takes a seat and waits for the beginning, then leaves the seat to a bot of the game. Returns the last event in words.
    async fn play_own(
        &self,
        mut client: OfferClient,
        bot: &str,
        bots: &Bots,
        mut random: JavaRandom,
    ) -> Result<String, Failure> {
        loop {
            match client.next().await? {
                OfferNews::Offers(_, table) if table.you.is_some() && table.missing.is_none() => break,
                OfferNews::Offers(offers, table) => {
                    if let Some(command) = self.command(&offers, &table, &mut random) {
                        client.send(&command).await?;
                    }
                }
                OfferNews::Refused(words) => return Err(words.into()),
                OfferNews::Event(..) | OfferNews::Notice(_) => {}
                OfferNews::Over => break,
            }
        }
        let (game, host) = (client.game().to_owned(), client.address().clone());
        let token = client.token().ok_or(ClientError::Closed)?;
        drop(client);
        let seat = OwnSeat { bot, player: self.name.clone(), game: game.clone(), token };
        bots.play(seat, host.clone()).await?;
        Ok(last_words(host, game).await?)
    }
}

/// The last event of a finished game in words.
async fn last_words(host: ServerAddress, game: String) -> Result<String, ClientError> {
    let want = Want::Watch { seen: 0 };
    let (mut client, _) = ResumingClient::<Value, Value>::open_in(Form::Json, host, Some(game), want).await?;
    let mut last = String::new();
    loop {
        match client.next().await? {
            Heard::Event { event, text } => last = text.unwrap_or_else(|| json_words(&event)),
            Heard::Over => return Ok(last),
            Heard::CaughtUp | Heard::Offers(_) | Heard::Notice(_) | Heard::Managed(_) | Heard::Refused(_) => {}
        }
    }
}
