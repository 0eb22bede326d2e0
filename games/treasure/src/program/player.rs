//! `holdfast treasure player`: plays one game with the built-in bot.

use std::{error::Error, fmt, io, process::ExitCode, time::Duration};

use cli::{
    Failure, duration,
    output::{self, ReportArgs},
    serving::runtime,
};
use commlib::{Fingerprint, Pins};
use serde_json::json;
use treasure_rules::Year;

use super::{Protocol, any_seed};
use crate::players::{
    End, Names, Notice, Style,
    http::{self, BaseUrl, BaseUrlError},
    scene, y2017, y2022,
};

/// Plays one game to its end with the built-in bot. Prints the known map after each action, then who won and why.
///
/// The exit code is 0 if the bot has won, 1 if it has lost, and 2 if there was no game. A server that goes away during the game costs
/// only time.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The URL of the server and the id of the game to play; the protocol of 2017 has none, because two players make a game. The word TR
    /// may come first, as courses start clients.
    #[arg(value_names = ["BASEURL", "GAMEID"], num_args = 1..=3, required = true)]
    target: Vec<String>,
    /// Trust only the certificate with this fingerprint (SHA-256), if the URL is https. Can be repeated.
    #[arg(long, value_name = "SHA256")]
    tls_pin: Vec<Fingerprint>,
    /// The protocol of the server.
    #[arg(long, value_enum, default_value = "2022")]
    protocol: Protocol,
    /// Print only the result.
    #[arg(long)]
    quiet: bool,
    /// The first name to register with.
    #[arg(long, default_value = "Holdfast", value_name = "NAME")]
    first_name: String,
    /// The last name to register with. [default: Player and some letters, so that two of them can be told apart]
    #[arg(long, value_name = "NAME")]
    last_name: Option<String>,
    /// The account to register with; in 2017 the matriculation number.
    #[arg(long, default_value = "holdfast", value_name = "ACCOUNT")]
    account: String,
    /// The seed of the bot: the same seed builds the same half. [default: a different one each time]
    #[arg(long, allow_negative_numbers = true, value_name = "N")]
    seed: Option<i64>,
    /// How long the server may be away during the game; a number without a unit is seconds.
    #[arg(long, default_value = "30s", value_name = "TIME",
          value_parser = duration::within(duration::in_seconds, Duration::ZERO..=Duration::from_secs(3600)))]
    patience: Duration,
    #[command(flatten)]
    report: ReportArgs,
}

/// The reasons why the options are invalid, or no game can start.
#[derive(Debug)]
enum PlayerError {
    BadTarget,
    BadUrl(BaseUrlError),
    BadGameId,
    NoGameId,
    NeedlessGameId,
    BadName {
        name: String,
        most: usize,
    },
    /// No server accepts connections there.
    NoServer {
        base: BaseUrl,
        cause: io::Error,
    },
}

impl fmt::Display for PlayerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadTarget => f.write_str("give BASEURL [GAMEID], or TR BASEURL [GAMEID]"),
            Self::BadUrl(error) => error.fmt(f),
            Self::BadGameId => f.write_str("a game id has 1 to 64 letters and digits"),
            Self::NoGameId => f.write_str("the protocol of 2022 needs a GAMEID"),
            Self::NeedlessGameId => f.write_str("the protocol of 2017 has no game ids"),
            Self::BadName { name, most } => write!(f, "{name:?} does not have 1 to {most} characters"),
            Self::NoServer { base, cause } if cause.kind() == io::ErrorKind::ConnectionRefused => {
                write!(f, "nothing listens on {}; start a server with `holdfast treasure serve`", base.address())
            }
            Self::NoServer { base, cause } => {
                write!(f, "{base}: no connection: {cause}; start a server with `holdfast treasure serve`")
            }
        }
    }
}

impl Error for PlayerError {}

/// Parses the id of a game, which becomes part of a path.
fn game_id(text: &str) -> Result<String, PlayerError> {
    let is_valid = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    if text.is_empty() || text.len() > 64 || !text.chars().all(is_valid) {
        return Err(PlayerError::BadGameId);
    }
    Ok(text.into())
}

pub(super) fn run(arguments: &Arguments) -> ExitCode {
    match play(arguments) {
        Ok(End { won, reason, actions }) => {
            let text = || format!("{} after {actions} actions: {reason}", if won { "won" } else { "lost" });
            let json = || json!({"won": won, "actions": actions, "reason": reason});
            output::announce(arguments.report.report(text, json).trim_end());
            if won { ExitCode::SUCCESS } else { ExitCode::from(1) }
        }
        Err(error) => output::trouble(error),
    }
}

fn play(arguments: &Arguments) -> Result<End, Failure> {
    let (mut base, game) = target(&arguments.target)?;
    let game = match (arguments.protocol, game) {
        (Protocol::Y2022, Some(game)) => Some(game),
        (Protocol::Y2017, None) => None,
        (Protocol::Y2022, None) => return Err(PlayerError::NoGameId.into()),
        (Protocol::Y2017, Some(_)) => return Err(PlayerError::NeedlessGameId.into()),
    };
    let seed = arguments.seed.unwrap_or_else(any_seed);
    let names = names(arguments, seed)?;
    let (url, patience) = (base.clone(), arguments.patience);
    if !arguments.tls_pin.is_empty() {
        base = base.pinned(Pins::new(arguments.tls_pin.clone()))?;
    }
    let is_quiet = arguments.quiet || arguments.report.json;
    let mut is_explained = false;
    let mut notify = |notice: Notice<'_>| match notice {
        _ if is_quiet => {}
        Notice::Line(line) => output::announce(line),
        Notice::Scene(scene) => {
            if !std::mem::replace(&mut is_explained, true) {
                output::announce(scene::LEGEND);
            }
            output::announce(&format!("\n{scene}"));
        }
    };
    runtime()?.block_on(async {
        // The bot does not wait for a server that was never there.
        http::connect(&base.server()).await.map_err(|cause| PlayerError::NoServer { base: base.clone(), cause })?;
        let ended = match game {
            Some(game) => {
                let poll = y2022::POLL;
                let options = y2022::Options { base, game, names, player: None, patience, poll };
                y2022::play(options, Style::Mind, seed, &mut notify).await
            }
            None => y2017::play(y2017::Options { base, names, patience }, Style::Mind, seed, &mut notify).await,
        };
        ended.map_err(|failure| format!("{url}: {failure}").into())
    })
}

/// The server and the game of the words on the command line.
fn target(words: &[String]) -> Result<(BaseUrl, Option<String>), PlayerError> {
    let words = match words {
        [mode, rest @ ..] if mode == "TR" => rest,
        [_, _, _, ..] => return Err(PlayerError::BadTarget),
        words => words,
    };
    let [base, game @ ..] = words else { return Err(PlayerError::BadTarget) };
    let base = base.parse().map_err(PlayerError::BadUrl)?;
    Ok((base, game.first().map(|game| game_id(game)).transpose()?))
}

/// The names to register with, if they fit into the protocol.
fn names(arguments: &Arguments, seed: i64) -> Result<Names, PlayerError> {
    let Arguments { protocol, first_name, last_name, account, .. } = arguments;
    // Seeds that are drawn from the clock differ in all of their bits after this.
    let letters = (seed as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    let last_name = &last_name.clone().unwrap_or_else(|| format!("Player {letters:06x}"));
    let year = match protocol {
        Protocol::Y2022 => Year::Y2022,
        Protocol::Y2017 => Year::Y2017,
    };
    let profile = year.profile();
    let limits = [(first_name, profile.most_name), (last_name, profile.most_name), (account, profile.most_account)];
    for (name, most) in limits {
        if name.is_empty() || name.chars().count() > most {
            return Err(PlayerError::BadName { name: name.clone(), most });
        }
    }
    Ok(Names { first_name: first_name.clone(), last_name: last_name.clone(), account: account.clone() })
}
