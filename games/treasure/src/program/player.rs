//! `holdfast treasure player`: our player in one game.

use std::{process::ExitCode, time::Duration};

use cli::{output, serving::runtime};
use treasure_rules::Year;

use super::{Protocol, any_seed};
use crate::players::{End, Failure, Names, Style, Told, http::BaseUrl, scene, y2017, y2022};

/// Plays one game to its end: shows the map as far as it is known, and who won and why.
///
/// The exit code is 0 when it has won, 1 when it has lost, and 2 when there was no game. A server that is away for a while only takes time.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Where the server is.
    #[arg(value_name = "BASEURL")]
    base: BaseUrl,
    /// The game to play. The protocol of 2017 has none: two players make a game.
    #[arg(value_name = "GAMEID", value_parser = game)]
    game: Option<String>,
    #[arg(long, value_enum, default_value = "2022")]
    protocol: Protocol,
    /// Print the result only.
    #[arg(long)]
    quiet: bool,
    #[arg(long, default_value = "Holdfast")]
    first_name: String,
    #[arg(long, default_value = "Player")]
    last_name: String,
    /// The account, or the matriculation number in 2017.
    #[arg(long, default_value = "holdfast")]
    account: String,
    /// Of its chances: the same seed builds the same half. [default: another one each time]
    #[arg(long, allow_negative_numbers = true)]
    seed: Option<i64>,
    /// How long a server may be away.
    #[arg(long, default_value_t = 30, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(0..=3600))]
    patience: u64,
}

/// The id of a game, which is part of a path.
fn game(text: &str) -> Result<String, String> {
    let right = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    if text.is_empty() || text.len() > 64 || !text.chars().all(right) {
        return Err("the id of a game has letters and figures".into());
    }
    Ok(text.into())
}

pub(super) fn run(arguments: &Arguments) -> ExitCode {
    match play(arguments) {
        Ok(End { won, reason, actions }) => {
            output::announce(&format!("{} after {actions} actions: {reason}", if won { "won" } else { "lost" }));
            if won { ExitCode::SUCCESS } else { ExitCode::from(1) }
        }
        Err(problem) => output::trouble(&problem),
    }
}

fn play(arguments: &Arguments) -> Result<End, String> {
    let game = match (arguments.protocol, &arguments.game) {
        (Protocol::Y2022, Some(game)) => Some(game.clone()),
        (Protocol::Y2017, None) => None,
        (Protocol::Y2022, None) => return Err("which game? The protocol of 2022 needs a GAMEID".into()),
        (Protocol::Y2017, Some(_)) => return Err("the protocol of 2017 has no ids of games".into()),
    };
    let names = names(arguments)?;
    let seed = arguments.seed.unwrap_or_else(any_seed);
    let patience = Duration::from_secs(arguments.patience);
    let base = arguments.base.clone();
    let mut is_explained = false;
    let mut tell = |told: Told<'_>| match told {
        _ if arguments.quiet => {}
        Told::Line(line) => output::announce(line),
        Told::Scene(scene) => {
            if !std::mem::replace(&mut is_explained, true) {
                output::announce(scene::LEGEND);
            }
            output::announce(&format!("\n{scene}"));
        }
    };
    let ended: Result<End, Failure> = runtime()?.block_on(async {
        match game {
            Some(game) => {
                let poll = y2022::POLL;
                let seat = y2022::Seat { base, game, names, player: None, patience, poll };
                y2022::play(seat, Style::Mind, seed, &mut tell).await
            }
            None => {
                let seat = y2017::Seat { base, names, patience };
                y2017::play(seat, Style::Mind, seed, &mut tell).await
            }
        }
    });
    ended.map_err(|failure| format!("{}: {failure}", arguments.base))
}

/// What it registers with, if the protocol has room for it.
fn names(arguments: &Arguments) -> Result<Names, String> {
    let Arguments { protocol, first_name, last_name, account, .. } = arguments;
    let year = match protocol {
        Protocol::Y2022 => Year::Y2022,
        Protocol::Y2017 => Year::Y2017,
    };
    let profile = year.profile();
    let limits = [(first_name, profile.most_name), (last_name, profile.most_name), (account, profile.most_account)];
    for (name, most) in limits {
        if name.is_empty() || name.chars().count() > most {
            return Err(format!("{name:?} does not have 1 to {most} characters"));
        }
    }
    Ok(Names { first_name: first_name.clone(), last_name: last_name.clone(), account: account.clone() })
}
