//! How a player enters a game: its hello, a fork and its seats, and what the answer promises.

use commlib::{Admission, FromClient, Hello, PROTOCOL, Reason, Refused, ToClient, Want, Welcome};
use engine::CommId;
use server::{CommandOf, EventOf};
use tokio::time::{sleep, timeout};

use super::{FORKS, Greeted, HELLO, INVITED, STRANGERS, Seat};
use crate::{
    bot::Bot,
    coverage::Covered,
    observer::Check,
    wire::{Lost, Wire},
};

impl<B: Bot> Seat<B> {
    /// The next hello. Waits for the first player to create the game.
    pub(super) async fn want(&mut self) -> Want {
        if self.game.is_none() && (self.player.number > 0 || self.player.is_spectator) {
            self.game = Some(self.player.table.begun(self.round).await);
            self.invitation = self.player.table.invitation(self.round);
            self.is_stranger = self.invitation.is_some() && self.player.random.chance(STRANGERS);
            let pause = self.player.random.millis(0..=100);
            sleep(pause).await;
        }
        if self.game.is_none() && self.round > 0 && self.player.random.chance(FORKS) {
            self.game = self.fork().await;
        }
        match (&self.game, self.token) {
            (None, _) => {
                let create = B::create(&mut self.player.random);
                self.is_inviting = self.player.random.chance(INVITED);
                if self.is_inviting {
                    Want::Private { create, admission: Admission::Invited }
                } else {
                    Want::Create(create)
                }
            }
            (Some(_), Some(token)) => Want::Resume { token, seen: self.cursor.number },
            (Some(_), None) if self.player.is_spectator => Want::Watch { seen: self.cursor.number },
            (Some(_), None) => Want::Join { seat: self.seat() },
        }
    }

    /// The seat to claim, if the game is a fork. Several players try the same seats.
    fn seat(&self) -> Option<u16> {
        let is_fork = self.player.table.is_fork(self.round);
        (is_fork && u64::from(self.claims) < B::MOST_PLAYERS).then_some(self.claims)
    }

    /// Forks the game of the last round, somewhere before its end.
    async fn fork(&mut self) -> Option<String> {
        let (site, table) = (self.player.site.clone(), self.player.table.clone());
        let before = table.game(self.round - 1)?;
        let entries = site.ledger.look(&before, |book| book.entries())?;
        let (host, sequence) = (site.host()?, self.player.random.below(entries.max(1)));
        let game = timeout(HELLO, host.fork(&before, sequence)).await.ok()?.ok()?;
        site.observer.step(|| format!("{before} is forked after entry {sequence}: {game}"));
        site.observer.cover(Covered::Forked);
        if site.ledger.look(&game, |_| ()).is_none() {
            self.fail(Check::Create, &format!("the fork {game} is not stored"));
        }
        table.forked(self.round, &game);
        // An earlier hello may have asked for a game by invitation, in vain.
        self.is_inviting = false;
        Some(game)
    }

    pub(super) async fn greet(&mut self, wire: &mut Wire<EventOf<B::Game>>, want: Want) -> Greeted {
        let observer = self.player.site.observer.clone();
        let is_resumed = matches!(want, Want::Resume { .. });
        if self.player.site.disk.is_in_trouble() {
            match want {
                Want::Create(_) | Want::Private { .. } => observer.cover(Covered::CreateInStoreFault),
                Want::Resume { .. } => observer.cover(Covered::ResumedInStoreFault),
                Want::Join { .. } | Want::Watch { .. } | Want::List => {}
            }
        }
        observer.step(|| format!("{} of {:?} says {want:?}", self.who(), self.game));
        // A client with a token needs no invitation.
        let code = self.invitation.clone().filter(|_| self.token.is_none() && !self.is_stranger);
        let hello = Hello { protocol: PROTOCOL, want, game: code.or_else(|| self.game.clone()), board: self.board };
        let answer = timeout(HELLO, async {
            wire.send(FromClient::<CommandOf<B::Game>>::Hello(hello)).await.map_err(|_| Lost::Gone)?;
            wire.next().await
        });
        match answer.await {
            Err(_) | Ok(Err(Lost::Gone)) => Greeted::Again,
            Ok(Err(Lost::Malformed(refused))) => {
                self.fail(Check::Protocol, &refused.to_string());
                Greeted::Again
            }
            Ok(Ok(ToClient::Welcome(_))) if self.is_stranger => {
                self.fail(Check::Access, "a stranger is in a game by invitation");
                Greeted::Again
            }
            Ok(Ok(ToClient::Refused(refused))) if self.is_stranger && refused.reason == Reason::UnknownGame => {
                observer.cover(Covered::StrangerRefused);
                self.is_stranger = false;
                Greeted::Again
            }
            Ok(Ok(ToClient::Welcome(welcome))) => self.enter(welcome, is_resumed),
            Ok(Ok(ToClient::Refused(refused) | ToClient::Closing(refused))) => self.turned_away(&refused),
            Ok(Ok(
                ToClient::Games(_)
                | ToClient::Event(_)
                | ToClient::Pong(_)
                | ToClient::Offers(_)
                | ToClient::Notice(_)
                | ToClient::Managed(_),
            )) => {
                self.fail(Check::Protocol, "a hello is answered by something else");
                Greeted::Again
            }
        }
    }

    fn enter(&mut self, welcome: Welcome, is_resumed: bool) -> Greeted {
        let observer = self.player.site.observer.clone();
        observer.debug(&welcome);
        let site = self.player.site.clone();
        self.welcomes.send_modify(|welcomes| *welcomes += 1);
        if self.game.as_ref().is_some_and(|game| *game != welcome.game) {
            self.fail(Check::Resume, "another game answers");
        }
        let game = welcome.game.clone();
        self.game = Some(game.clone());
        self.edition = welcome.edition;
        let client = welcome.client.map(CommId);
        if is_resumed && client != self.client || client.is_none() != self.player.is_spectator {
            self.fail(Check::Resume, &format!("the host takes it for client {client:?}"));
        }
        self.client = client;
        if !is_resumed
            && let Some(client) = client
            && !site.claim(&game, client)
        {
            self.fail(Check::Resume, "two players are the same client");
        }
        if !is_resumed && self.player.table.is_fork(self.round) {
            self.take_over();
        }
        self.token = self.token.or(welcome.token);
        if welcome.next != self.cursor.number + 1 {
            let facts = format!("after event {} comes event {}", self.cursor.number, welcome.next);
            self.fail(Check::Numbering, &facts);
        }
        let Some(is_behind) = site.ledger.look(&game, |book| !book.has_heard_all(&self.cursor, self.listener())) else {
            self.fail(Check::Create, "it is in a game that is not stored");
            return Greeted::Again;
        };
        if is_resumed && is_behind {
            observer.cover(Covered::CaughtUp);
        }
        if self.player.is_spectator {
            observer.cover(Covered::Watched);
        }
        if !self.player.is_spectator {
            self.count_commands(usize::try_from(welcome.commands).unwrap_or(usize::MAX));
        }
        if self.is_inviting {
            observer.cover(Covered::Invited);
        } else {
            self.player.table.created(self.round, &game);
        }
        self.pings.clear();
        Greeted::In
    }

    /// A client that claims a seat goes on after the commands of the player before.
    fn take_over(&mut self) {
        let (Some(client), Some(game)) = (self.client, &self.game) else { return };
        let before = self.player.site.ledger.look(game, |book| book.commands(client).to_vec()).unwrap_or_default();
        if !before.is_empty() {
            self.player.site.observer.cover(Covered::Claimed);
        }
        (self.confirmed, self.compared) = (before.len(), before.len());
        self.sent = before;
    }

    /// The host says how many commands the game has received: the others are lost.
    fn count_commands(&mut self, received: usize) {
        let (sent, confirmed) = (self.sent.len(), self.confirmed);
        if received > sent || received < confirmed {
            let facts = format!("{received} commands were received of {sent}, of which {confirmed} were confirmed");
            self.fail(Check::Commands, &facts);
        }
        if received < sent {
            self.player.site.observer.cover(Covered::CommandLost);
            self.sent.truncate(received);
        }
    }

    fn turned_away(&mut self, refused: &Refused) -> Greeted {
        self.player.site.observer.step(|| format!("{} is turned away: {refused}", self.who()));
        if refused.message.contains("is played by host") {
            self.player.site.observer.cover(Covered::Elsewhere);
        }
        match refused.reason {
            Reason::BadMessage | Reason::Full if self.token.is_none() && self.seat().is_some() => {
                self.claims += 1;
                Greeted::Again
            }
            Reason::GameOver if self.game.is_none() => {
                self.fail(Check::Clock, "the game that it creates is over before it is in it");
                Greeted::Again
            }
            Reason::GameOver | Reason::Full if self.token.is_none() => {
                self.answered_finally();
                Greeted::Over
            }
            Reason::ShuttingDown | Reason::StoreUnavailable | Reason::Timeout => Greeted::Again,
            Reason::BadMessage
            | Reason::WrongProtocol
            | Reason::UnknownGame
            | Reason::UnknownToken
            | Reason::GameOver
            | Reason::Full
            | Reason::BadScenario
            | Reason::TooLarge
            | Reason::TooSlow
            | Reason::TooFast
            | Reason::TooMany
            | Reason::StoreFailed
            | Reason::Replaced
            | Reason::Damaged
            | Reason::AccountRequired
            | Reason::NameTaken
            | Reason::Denied
            | Reason::Internal => {
                self.fail(Check::Resume, &format!("it may not enter: {refused}"));
                Greeted::Again
            }
        }
    }
}
