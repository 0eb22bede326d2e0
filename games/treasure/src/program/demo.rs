//! The games of a demonstration: two of the built-in players, in one game after the other.

use std::{
    net::{Ipv4Addr, SocketAddr},
    time::Duration,
};

use cli::{Failure, address::reachable, serving::Serving};
use slog::{Logger, debug};
use tokio::time::sleep;

use super::{
    any_seed,
    serve::{self, PortRules},
};
use crate::players::{
    self, Names, Style,
    http::{BaseUrl, HttpClient},
    y2022,
};

/// The usual port of the game. If it is taken, the demonstration takes any.
const PORT: u16 = 18235;
/// The pause between two games, in which people can look at the end of one.
const PAUSE: Duration = Duration::from_secs(15);
/// The longest pause between two status requests. A player has 5 s for an action.
const SLOWEST: Duration = Duration::from_secs(2);
const PATIENCE: Duration = Duration::from_secs(30);

/// The names of the players, and how they play. Each game has two neighbours of this list.
const PLAYERS: [(&str, &str, Style); 5] = [
    ("Nain", "Singh", Style::Mind),
    ("Ida", "Pfeiffer", Style::Mind),
    ("Random", "Wanderer", Style::Walker),
    ("Ibn", "Battuta", Style::Mind),
    ("Zheng", "He", Style::Mind),
];

/// Opens the port of the game, and starts the players.
pub(super) async fn start(serving: &mut Serving, pace: Duration, logger: &Logger) -> Result<(), Failure> {
    let at = |port| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let address = match serve::port(serving, at(PORT), PortRules::default(), logger).await {
        Ok(address) => address,
        Err(_) => serve::port(serving, at(0), PortRules::default(), logger).await?,
    };
    let base: BaseUrl = format!("http://{}", reachable(address)).parse()?;
    let poll = pace.clamp(y2022::POLL, SLOWEST);
    tokio::spawn(keep_playing(base, poll, logger.clone()));
    Ok(())
}

/// Plays one game after the other until the host ends.
async fn keep_playing(base: BaseUrl, poll: Duration, logger: Logger) {
    for first in (0..PLAYERS.len()).cycle() {
        if let Err(failure) = play(&base, poll, [first, first + 1]).await {
            debug!(logger, "a game of the demonstration is not played to its end"; "why" => %failure);
        }
        sleep(PAUSE).await;
    }
}

async fn play(base: &BaseUrl, poll: Duration, places: [usize; 2]) -> Result<(), players::Failure> {
    let game = y2022::create(&mut HttpClient::new(base.clone(), PATIENCE), "").await?;
    let [one, other] = places.map(|place| {
        let (first_name, last_name, style) = PLAYERS[place % PLAYERS.len()];
        let names = Names { first_name: first_name.into(), last_name: last_name.into(), account: "demo".into() };
        let options =
            y2022::Options { base: base.clone(), game: game.clone(), player: None, names, patience: PATIENCE, poll };
        let seed = any_seed().wrapping_add(place as i64);
        async move { y2022::play(options, style, seed, &mut |_| {}).await }
    });
    let (one, other) = tokio::join!(one, other);
    one.and(other).map(drop)
}
