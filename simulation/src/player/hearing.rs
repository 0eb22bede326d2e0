//! What a player hears, and how it is checked: events, pongs, the end, and an earlier connection.

use commlib::{Reason, Refused, ToClient};
use engine::{Message, Rulebook};
use server::{Adapter, EventOf};
use tokio::time::sleep;

use super::{Ended, OLD_CONNECTION, OLD_PASSED_CONNECTION, Seat};
use crate::{
    bot::Bot,
    coverage::Covered,
    ledger::{Cursor, Finding, Listener, encode},
    observer::Check,
    site::Site,
    wire::Wire,
};

impl<B: Bot> Seat<B> {
    /// Checks a message. Returns how the connection ends, if it does.
    pub(super) fn hear(&mut self, message: ToClient<EventOf<B::Game>>) -> Option<Ended> {
        let observer = self.player.site.observer.clone();
        match message {
            ToClient::Event(told) => {
                let event = encode(&told.event);
                observer.bytes(&event);
                observer.bytes(told.text.as_deref().unwrap_or_default().as_bytes());
                observer.step(|| format!("{} of {:?} hears {} {:?}", self.who(), self.game, told.number, told.event));
                if <B::Game as Adapter>::Rules::is_refusal(&told.event) {
                    observer.cover(Covered::Refused);
                }
                self.check_heard(told.number, &event);
                self.bot.hear(&self.edition, &told.event, told.text.as_deref());
                None
            }
            ToClient::Pong(number) => {
                self.pong(number);
                None
            }
            ToClient::Managed(access) if self.needs_invitation() => {
                observer.debug(&access);
                match (access.invitation, &self.game) {
                    (Some(code), Some(game)) => {
                        self.player.table.invited(self.round, game, &code);
                        self.invitation = Some(code);
                    }
                    (_, _) => self.fail(Check::Access, "the creator gets no invitation"),
                }
                None
            }
            // The room may end just now, or the host.
            ToClient::Refused(refused)
                if self.needs_invitation()
                    && [Reason::StoreUnavailable, Reason::ShuttingDown].contains(&refused.reason) =>
            {
                observer.bytes(refused.message.as_bytes());
                Some(Ended::Lost)
            }
            ToClient::Refused(refused) => {
                observer.bytes(refused.message.as_bytes());
                if refused.reason == Reason::GameOver {
                    self.is_late = true;
                } else {
                    self.fail(Check::Protocol, &format!("a command is refused: {refused}"));
                }
                None
            }
            ToClient::Closing(refused) => Some(self.closing(&refused)),
            ToClient::Welcome(_)
            | ToClient::Games(_)
            | ToClient::Offers(_)
            | ToClient::Notice(_)
            | ToClient::Managed(_) => {
                self.fail(Check::Protocol, "a second welcome, or offers that it did not ask for");
                None
            }
        }
    }

    fn check_heard(&mut self, number: u64, event: &[u8]) {
        let Some(game) = self.game.clone() else { return };
        let site = self.player.site.clone();
        let listener = self.listener();
        check_heard(&site, &game, &mut self.cursor, listener, number, event);
    }

    /// A pong confirms all commands before its ping.
    fn pong(&mut self, number: u64) {
        let Some(ping) = self.pings.pop_front().filter(|ping| ping.number == number) else {
            self.fail(Check::Protocol, &format!("pong {number} answers no ping"));
            return;
        };
        self.player.handle.answered(ping.sent_ms);
        if !self.is_late {
            self.confirmed = self.confirmed.max(ping.commands);
        }
        self.compare_commands();
    }

    /// Compares the commands in the log with those that were sent.
    fn compare_commands(&mut self) {
        let confirmed = self.confirmed;
        let (Some(client), Some(game)) = (self.client, &self.game) else { return };
        let differs = self.player.site.ledger.look(game, |book| {
            let (stored, sent, from) = (book.commands(client), &self.sent, self.compared);
            let is_other = stored.len() > sent.len() || stored[from.min(stored.len())..] != sent[from..stored.len()];
            (stored.len(), is_other)
        });
        let Some((stored, is_other)) = differs else { return };
        if is_other {
            self.fail(Check::Commands, &format!("the log has {stored} commands, and not the {} sent", self.sent.len()));
        } else if stored < confirmed {
            self.fail(Check::Commands, &format!("{confirmed} commands are confirmed, and the log has {stored}"));
        }
        self.compared = stored.min(self.confirmed);
    }

    fn closing(&mut self, refused: &Refused) -> Ended {
        let observer = self.player.site.observer.clone();
        observer.bytes(refused.message.as_bytes());
        observer.step(|| format!("{} of {:?} is told: {refused}", self.who(), self.game));
        match refused.reason {
            Reason::GameOver => {
                self.check_end();
                self.answered_finally();
                return Ended::Over;
            }
            Reason::ShuttingDown | Reason::StoreUnavailable | Reason::Timeout | Reason::TooSlow => {}
            Reason::BadMessage
            | Reason::WrongProtocol
            | Reason::UnknownGame
            | Reason::UnknownToken
            | Reason::Full
            | Reason::BadScenario
            | Reason::TooLarge
            | Reason::TooFast
            | Reason::TooMany
            | Reason::StoreFailed
            | Reason::Replaced
            | Reason::Damaged
            | Reason::AccountRequired
            | Reason::NameTaken
            | Reason::Denied
            | Reason::Internal => self.fail(Check::Protocol, &format!("the host closes: {refused}")),
        }
        Ended::Lost
    }

    /// No pong follows: the game is over, or has no place for it.
    pub(super) fn answered_finally(&self) {
        self.player.handle.answered(self.player.site.observer.now_ms());
    }

    /// A game that is over is over in the log, and everything of it was told.
    fn check_end(&mut self) {
        let Some(game) = self.game.clone() else { return };
        let site = &self.player.site;
        let listener = self.listener();
        let told = site.ledger.look(&game, |book| (book.is_over(), book.has_heard_all(&self.cursor, listener)));
        match told {
            Some((true, true)) if site.disk.has_ended(&game) => {}
            Some((true, true)) => self.fail(Check::End, "the end is told before it is stored"),
            Some((true, false)) => self.fail(Check::End, "it is told of the end before the last events"),
            Some((false, _)) | None => self.fail(Check::End, "it is told of an end that the log does not have"),
        }
    }

    /// Reads the earlier connection until the host closes it. What it says must be right, too.
    pub(super) fn keep_listening(&mut self, wire: Wire<EventOf<B::Game>>) {
        let site = self.player.site.clone();
        site.observer.cover(Covered::ResumeTwice);
        let Some(game) = self.game.clone() else { return };
        let (cursor, listener) = (self.cursor, self.listener());
        let (mut welcomes, link) = (self.welcomes.subscribe(), wire.control());
        let patience = if site.forwards() { OLD_PASSED_CONNECTION } else { OLD_CONNECTION };
        let welcomed = async move {
            // If the player is gone first, the simulation ends.
            let _is_over = welcomes.changed().await;
            sleep(patience).await;
        };
        tokio::spawn(async move {
            tokio::select! {
                biased;
                () = listen(&site, &game, cursor, listener, wire) => {}
                // A client does not hear of the end of a half-open connection, so the host's end counts.
                () = welcomed => if link.is_open_at_host() {
                    site.observer.fail(Check::Resume, || format!("game {game}: {listener:?} keeps two connections"));
                }
            }
        });
    }
}

/// Listens to a connection until it ends.
async fn listen<E: Message>(site: &Site, game: &str, mut cursor: Cursor, listener: Listener, mut wire: Wire<E>) {
    while let Ok(message) = wire.next().await {
        match message {
            ToClient::Event(told) => {
                check_heard(site, game, &mut cursor, listener, told.number, &encode(&told.event));
            }
            ToClient::Closing(refused) => {
                if refused.reason == Reason::Replaced {
                    site.observer.cover(Covered::Replaced);
                }
                return;
            }
            ToClient::Pong(_)
            | ToClient::Offers(_)
            | ToClient::Notice(_)
            | ToClient::Managed(_)
            | ToClient::Refused(_)
            | ToClient::Welcome(_)
            | ToClient::Games(_) => {}
        }
    }
}

fn check_heard(site: &Site, game: &str, cursor: &mut Cursor, listener: Listener, number: u64, event: &[u8]) {
    let heard = site.ledger.look(game, |book| book.hear(cursor, listener, number, event));
    if let Some(Err(Finding { check, facts })) = heard {
        site.observer.fail(check, || format!("game {game}: {facts}"));
    }
}
