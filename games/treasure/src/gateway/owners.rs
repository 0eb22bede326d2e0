//! Finds the game of a request, so that one of several hosts can pass the request on to the host that plays the game.

use std::{pin::Pin, sync::Arc};

use axum::http::Uri;
use engine::Rulebook;
use server::{NamePlace, RequestGame, log::Cell};
use treasure_rules::{Game, Year};

use super::{LONGEST_BODY, Treasure, meeting};
use crate::{
    documents::y2017::request::{NewPlayer, Trouble},
    records::{PLAY, PLAYER_IDS},
};

/// The games of all hosts, by requests.
pub(super) struct Owners(pub(super) Arc<Treasure>);

impl RequestGame for Owners {
    /// The protocol of 2022 has the game in its addresses. The protocol of 2017 has only the player, in the body.
    fn place(&self, uri: &Uri) -> NamePlace {
        let mut parts = uri.path().trim_start_matches('/').split('/');
        match (parts.next(), parts.next()) {
            (Some("games"), Some(game)) if !game.is_empty() => NamePlace::Address(game.to_owned()),
            (Some("NewPlayer" | "MapCreation" | "Updates" | "Update" | "Problem"), None) => {
                NamePlace::Body { longest: LONGEST_BODY }
            }
            (_, _) => NamePlace::Nowhere,
        }
    }

    fn in_body<'r>(
        &'r self,
        uri: &'r Uri,
        body: &'r [u8],
    ) -> Pin<Box<dyn Future<Output = Option<String>> + Send + 'r>> {
        Box::pin(async move {
            let document = xml::to_utf8(body).ok()?;
            let body = &*document;
            if uri.path() == "/NewPlayer" {
                // A request that registers no player must not take the place of one.
                NewPlayer::read(body).ok()?;
                return meeting::next_game_of_2017(&self.0).await.ok();
            }
            // Every request but a registration has the id in the same place.
            let id = match Trouble::read(body) {
                Ok(parsed) => parsed.request.id,
                Err(garbled) => garbled.id?,
            };
            self.game_of(id).await
        })
    }
}

impl Owners {
    /// The game of a player of 2017 that this host does not know.
    async fn game_of(&self, id: i32) -> Option<String> {
        let games = &self.0.games;
        if games.participant(id).is_some_and(|participant| participant.game.is_current()) {
            return None;
        }
        // Anyone can ask for a player that does not exist. One search at a time keeps that cheap for the store.
        let _one_at_a_time = self.0.searching.lock().await;
        let (host, log) = (games.host(), games.host().log());
        for column in PLAYER_IDS {
            let rows = log.records(PLAY, Some((column, Cell::Integer(id.into())))).await.ok()?;
            if let Some(Cell::Game(key)) = rows.first().and_then(|row| row.first()) {
                let name = log.head(*key).await.ok()?.record.name;
                // This host answers for a game that is over.
                return if games.find_past(&name).await.is_some() { None } else { Some(name) };
            }
        }
        // The table has games of two players only.
        let lately = meeting::games_of_2017(&self.0).await;
        for name in lately.into_iter().chain(self.half_full_games().await) {
            let Ok(Some(head)) = log.find(&name).await else { continue };
            let Ok(Some((_, handle))) = host.past_handle::<crate::Treasure>(&head.record).await else {
                continue;
            };
            if handle.look(|last| last.game.players().iter().any(|player| player.id.parse() == Ok(id))) {
                return Some(name);
            }
        }
        None
    }

    /// The games of 2017 with one player, on all hosts.
    async fn half_full_games(&self) -> Vec<String> {
        let listed = self.0.games.host().list_all().await.unwrap_or_default();
        let is_half_full = |game: &commlib::GameInfo| {
            game.rulebook == Game::NAME && game.edition == Year::Y2017.name() && game.players.len() == 1
        };
        listed.into_iter().filter(is_half_full).map(|game| game.game).collect()
    }
}
