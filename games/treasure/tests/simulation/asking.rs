//! The requests of a player: over one connection as long as it lasts.

use std::time::Duration;

use tokio::time::timeout;
use treasure::documents::y2022::answer::Answer;

use super::Game;
use crate::{
    coverage::Covered,
    http::{HttpConnection, Request},
    ledger::GameBook,
    observer::Check,
    player::Player,
};

/// How long a player waits for an answer.
const ANSWER: Duration = Duration::from_secs(5);

/// How long a player waits for the end of a connection.
const GIVING_UP: Duration = Duration::from_secs(1);

/// A player, and its connection.
pub(super) struct Asker {
    pub(super) player: Player,
    connection: Option<HttpConnection>,
    /// Whether the host may have answered the last request, although no answer has come. A request of a connection that is half
    /// open may even be answered later.
    pub(super) may_be_answered: bool,
    /// The last document that was read, and what it says.
    pub(super) last_read: Option<(Vec<u8>, Answer)>,
}

/// What became of a request.
pub(super) enum Asked {
    /// The document of the answer.
    Answer(Vec<u8>),
    /// The host says that it cannot answer now.
    Unavailable,
    /// There is no answer. The host may have taken the request, or may still take it.
    Nothing,
}

impl Asker {
    pub(super) fn new(player: Player) -> Self {
        Self { player, connection: None, may_be_answered: false, last_read: None }
    }

    /// Sends a request once.
    pub(super) async fn ask(&mut self, request: Request<'_>) -> Asked {
        let (site, sent_ms) = (self.player.site.clone(), self.player.site.observer.now_ms());
        let connection = match self.connection.take() {
            Some(connection) => Some(connection),
            None => site.connect_to_port("treasure", &mut self.player.random).await.map(HttpConnection::new),
        };
        self.may_be_answered = false;
        let Some(mut connection) = connection else { return Asked::Nothing };
        site.observer.step(|| format!("{} asks {request:?}", self.who()));
        let response = match timeout(ANSWER, connection.ask(request)).await {
            Ok(Ok(response)) => response,
            Ok(Err(_)) => {
                site.observer.cover(Covered::Unanswered);
                self.may_be_answered = connection.has_unread();
                return Asked::Nothing;
            }
            Err(_) => {
                site.observer.cover(Covered::Unanswered);
                self.may_be_answered = timeout(GIVING_UP, connection.give_up()).await != Ok(true);
                return Asked::Nothing;
            }
        };
        if !response.closes {
            self.connection = Some(connection);
        }
        site.observer.bytes(&response.body);
        site.observer.step(|| format!("{} hears {}", self.who(), String::from_utf8_lossy(&response.body)));
        match response.status {
            200 => {
                self.player.handle.answered(sent_ms);
                Asked::Answer(response.body)
            }
            503 => {
                site.observer.cover(Covered::AnsweredUnavailable);
                Asked::Unavailable
            }
            status => {
                self.fail(Check::Protocol, &format!("{} is answered {status}", request.path));
                Asked::Nothing
            }
        }
    }

    /// Looks at a stored game.
    pub(super) fn look<T>(&self, game: &str, look: impl FnOnce(&GameBook<Game>) -> T) -> Option<T> {
        self.player.site.ledger.look_as(game, look)
    }

    pub(super) fn fail(&self, check: Check, facts: &str) {
        self.player.site.observer.fail(check, || format!("{}: {facts}", self.who()));
    }

    fn who(&self) -> String {
        format!("player {} of treasure", self.player.number)
    }
}
