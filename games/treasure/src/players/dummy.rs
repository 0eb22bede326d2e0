//! The dummy opponent of a host: sends a random valid half and walks between random fields. It uses only the public protocol.

use std::time::Duration;

use super::{End, Failure, Names, Style, http::BaseUrl, y2017, y2022};

/// How long the dummy waits for a server that is away.
const PATIENCE: Duration = Duration::from_secs(30);

/// Plays a game of 2022 to its end. Registers, unless it has the id of a registered player.
///
/// # Errors
///
/// As [`y2022::play`].
pub async fn play(base: BaseUrl, game: &str, player: Option<String>, seed: i64) -> Result<End, Failure> {
    let options =
        y2022::Options { base, game: game.into(), player, names: names(), patience: PATIENCE, poll: y2022::POLL };
    y2022::play(options, Style::Walker, seed, &mut |_| {}).await
}

/// Registers for the next game of 2017 and plays it to its end.
///
/// # Errors
///
/// As [`y2017::play`].
pub async fn play_2017(base: BaseUrl, seed: i64) -> Result<End, Failure> {
    let options = y2017::Options { base, names: names(), patience: PATIENCE };
    y2017::play(options, Style::Walker, seed, &mut |_| {}).await
}

fn names() -> Names {
    Names { first_name: "Random".into(), last_name: "Walker".into(), account: "dummy".into() }
}
