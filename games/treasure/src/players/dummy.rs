//! An opponent for hosts: any half that is valid, and walks between random fields. It knows the public protocol and nothing else.

use std::time::Duration;

use super::{End, Failure, Names, Style, http::BaseUrl, y2017, y2022};

/// How long the dummy waits for a server that is away.
const PATIENCE: Duration = Duration::from_secs(30);

/// Plays a game of 2022 to its end; without the id of somebody who is registered already it registers.
pub async fn play(base: BaseUrl, game: &str, player: Option<String>, seed: i64) -> Result<End, Failure> {
    let seat = y2022::Seat { base, game: game.into(), player, names: names(), patience: PATIENCE, poll: y2022::POLL };
    y2022::play(seat, Style::Walker, seed, &mut |_| {}).await
}

/// Registers for the next game of 2017 and plays it to its end.
pub async fn play_2017(base: BaseUrl, seed: i64) -> Result<End, Failure> {
    let seat = y2017::Seat { base, names: names(), patience: PATIENCE };
    y2017::play(seat, Style::Walker, seed, &mut |_| {}).await
}

fn names() -> Names {
    Names { first_name: "Random".into(), last_name: "Walker".into(), account: "dummy".into() }
}
