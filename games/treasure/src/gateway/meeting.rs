//! What several hosts agree on, in two texts that they share: the game in which a player of 2017 waits, and the running games of 2022.

use std::sync::Arc;

use axum::{
    Extension,
    body::Body,
    extract::{Request, State},
    http::{Method, StatusCode},
};
use commlib::Refused;
use engine::Rulebook;
use server::{PassedGame, Shared};
use treasure_rules::{Game, Year};

use super::{
    Treasure,
    games::{KnownGame, MOST_GAMES},
};

/// The shared text whose first line names the games of 2017 that wait for their second player, the one to be filled next first. Usually it
/// is one. The lines after it have the games that were given to players lately, the last one first: a host looks there for a player whom
/// it does not know.
const WAITING: &str = "treasure 2017: waiting";

/// The number of these games.
const LATELY: usize = 32;

/// The shared text with the names of the running games of 2022, a line each, the oldest first.
const RUNNING: &str = "treasure 2022: running";

/// The address by which another host removes a game of 2022 of this host. Its beginning is none of the protocol, so no request of a client is
/// passed on to it.
pub(super) const REMOVAL: &str = "/removal";

/// The game for the next player of 2017: the one in which a player waits, on any host, or a new one of this host, in which this player waits.
/// No other player gets the same answer, but one opponent.
pub(super) async fn next_game_of_2017(treasure: &Treasure) -> Result<String, Refused> {
    let host = treasure.games.host();
    let mut spare = treasure.spare.lock().await;
    loop {
        let own = spare.as_ref().filter(|game| game.handle.is_open()).map(|game| game.name.clone());
        let found = host.change_shared(WAITING, |text| {
            let (waiting, given) = text.split_once('\n').unwrap_or((text, ""));
            match (waiting.split_once(' ').unwrap_or((waiting, "")), &own) {
                (("", _), Some(own)) => Shared::Replace(format!("{own}\n{given}"), Some(own.to_string())),
                (("", _), None) => Shared::Keep(None),
                ((next, others), _) => {
                    let given: Vec<&str> = [next].into_iter().chain(given.lines()).take(LATELY).collect();
                    Shared::Replace(format!("{others}\n{}", given.join("\n")), Some(next.to_owned()))
                }
            }
        });
        match found.await?.flatten() {
            Some(game) => {
                if own.is_some_and(|own| *own == *game) {
                    *spare = None;
                }
                return Ok(game);
            }
            None => {
                let scenario = treasure.options.profile.scenario(Year::Y2017, false, false);
                *spare = Some(treasure.games.create(&scenario, treasure.options.profile.seed()).await?);
            }
        }
    }
}

/// The games that players of 2017 got lately, on all hosts.
pub(super) async fn games_of_2017(treasure: &Treasure) -> Vec<String> {
    let known = treasure.games.host().change_shared(WAITING, |text| Shared::Keep(text.to_owned())).await;
    let known = known.ok().flatten().unwrap_or_default();
    known.split_whitespace().map(ToOwned::to_owned).collect()
}

/// Says again that a player waits in a game of this host. It may have been forgotten: the host of the next player died, or that player was
/// refused.
pub(super) async fn still_waits(treasure: &Treasure, game: &KnownGame) {
    if game.handle.look(|last| last.game.outcome().is_none() && last.game.players().len() == 1) {
        change_waiting(treasure, |waiting| {
            if !waiting.iter().any(|name| **name == *game.name) {
                waiting.push(game.name.to_string());
            }
        })
        .await;
    }
}

/// Takes back that a player waits in a game of this host: the player was refused. The game is for the next one.
pub(super) async fn does_not_wait(treasure: &Treasure, game: Arc<KnownGame>) {
    if game.handle.look(|last| last.game.players().is_empty()) {
        change_waiting(treasure, |waiting| waiting.retain(|name| **name != *game.name)).await;
        *treasure.spare.lock().await = Some(game);
    }
}

/// Changes the list of games that wait for a second player.
async fn change_waiting(treasure: &Treasure, mut change: impl FnMut(&mut Vec<String>)) {
    let changed = treasure.games.host().change_shared(WAITING, |text| {
        let (before, given) = text.split_once('\n').unwrap_or((text, ""));
        let mut waiting: Vec<String> = before.split_whitespace().map(ToOwned::to_owned).collect();
        change(&mut waiting);
        let now = waiting.join(" ");
        if now == before { Shared::Keep(()) } else { Shared::Replace(format!("{now}\n{given}"), ()) }
    });
    // If the store fails, the player who waits says it again.
    let _the_next_time = changed.await;
}

/// Counts a new game of 2022 among the running ones of all hosts. If they are too many, the oldest are removed.
pub(super) async fn count_game_of_2022(treasure: &Treasure, game: &str) -> Result<(), Refused> {
    let host = treasure.games.host();
    let added = host.change_shared(RUNNING, |running| {
        let with: Vec<&str> = running.lines().chain([game]).collect();
        Shared::Replace(with.join("\n"), with.len() > MOST_GAMES)
    });
    if added.await? != Some(true) {
        return Ok(());
    }
    // Games end without a word about it here. So they are looked up when there seem to be too many.
    let mut over = Vec::new();
    let known = host.change_shared(RUNNING, |running| Shared::Keep(running.to_owned())).await?;
    for name in known.unwrap_or_default().lines() {
        let found = host.log().find(name).await;
        if found.is_ok_and(|found| found.is_none_or(|head| head.record.end.is_some())) {
            over.push(name.to_owned());
        }
    }
    let too_many = host.change_shared(RUNNING, |running| {
        let all: Vec<&str> = running.lines().filter(|name| !over.iter().any(|gone| gone == name)).collect();
        let (oldest, rest) = all.split_at(all.len().saturating_sub(MOST_GAMES));
        Shared::Replace(rest.join("\n"), oldest.iter().map(ToString::to_string).collect::<Vec<_>>())
    });
    for name in too_many.await?.unwrap_or_default() {
        remove_anywhere(treasure, &name).await;
    }
    Ok(())
}

/// Removes a game of 2022, on whichever host it is.
async fn remove_anywhere(treasure: &Treasure, name: &str) {
    if let Some(game) = treasure.games.find(name).await {
        return game.remove();
    }
    let request = Request::builder().method(Method::POST).uri(REMOVAL).body(Body::empty());
    if let Ok(request) = request {
        // A host that cannot be reached keeps its game until the game ends by its own time.
        let _removed = treasure.games.host().ask_owner(Game::NAME, name, request).await;
    }
}

/// Another host removes a game of this one.
pub(super) async fn remove(
    State(treasure): State<Arc<Treasure>>,
    Extension(PassedGame(game)): Extension<PassedGame>,
) -> StatusCode {
    match treasure.games.find(&game).await {
        Some(game) if game.year == Year::Y2022 => {
            game.remove();
            StatusCode::NO_CONTENT
        }
        Some(_) | None => StatusCode::NOT_FOUND,
    }
}
