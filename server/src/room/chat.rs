//! The chat of a room. A line is told once it is stored. One operation of the store is under way at a time, in a task of its own:
//! the room never waits for it.

use std::{collections::VecDeque, future::pending};

use commlib::{Channel, ChatLine, ConnectionId, Notice, Reason, Refused, ToClient};
use engine::CommId;
use slog::warn;
use tokio::{sync::oneshot, time::timeout};

use super::{Room, notices::client_of};
use crate::{
    accounts::{DELETED_LINE, Report},
    adapter::Adapter,
    host_store::NewChatLine,
    limits::{Allowance, ChatLimits},
    peer::Wish,
};

/// The number of lines in a snapshot.
const LAST_LINES: u32 = 50;

/// The maximum number of operations that wait for the store.
const MOST_WAITING: usize = 16;

/// The chat of a room.
pub(crate) struct Chat {
    /// The last lines of each channel, once they were read.
    lines: Option<LastLines>,
    waiting: VecDeque<Work>,
    pub(super) under_way: Option<oneshot::Receiver<Done>>,
    /// What each client with a seat may still write.
    allowances: Vec<(CommId, Allowance)>,
    /// What all others together may still write.
    spectators: Allowance,
    /// How many spectators have written.
    named: u32,
}

struct LastLines {
    players: VecDeque<ChatLine>,
    spectators: VecDeque<ChatLine>,
}

/// An operation of the store.
enum Work {
    Read,
    Store {
        connection: ConnectionId,
        line: NewChatLine,
    },
    /// Keeps a reported line for the operator.
    Report {
        connection: ConnectionId,
        report: Report,
    },
}

/// The result of an operation; `None` if it failed or took too long.
pub(crate) enum Done {
    Read(Option<[Vec<ChatLine>; 2]>),
    Stored {
        connection: ConnectionId,
        line: Option<ChatLine>,
    },
    /// The number of the line, if it was kept.
    Reported {
        connection: ConnectionId,
        line: Option<u64>,
    },
}

impl Chat {
    pub(super) fn new(at_once: u32) -> Self {
        Self {
            lines: None,
            waiting: VecDeque::new(),
            under_way: None,
            allowances: Vec::new(),
            spectators: Allowance::new(at_once),
            named: 0,
        }
    }

    pub(super) fn is_read(&self) -> bool {
        self.lines.is_some()
    }

    /// The last lines that a connection may read which writes to this channel; `None` if they could not be read.
    pub(super) fn readable(&self, writes: Channel) -> Option<Vec<ChatLine>> {
        let LastLines { players, spectators } = self.lines.as_ref()?;
        let mut lines: Vec<ChatLine> = players.iter().cloned().collect();
        if reads(writes, Channel::Spectators) {
            lines.extend(spectators.iter().cloned());
            lines.sort_by_key(|line| line.number);
            lines.drain(..lines.len().saturating_sub(LAST_LINES as usize));
        }
        Some(lines)
    }

    /// The operator has deleted a line.
    pub(super) fn delete(&mut self, number: u64) {
        let Some(LastLines { players, spectators }) = &mut self.lines else { return };
        for line in players.iter_mut().chain(spectators).filter(|line| line.number == number) {
            DELETED_LINE.clone_into(&mut line.text);
        }
    }

    /// Begins to keep a reported line, if not too much waits for the store.
    pub(super) fn wants_report(&mut self, connection: ConnectionId, report: Report) -> bool {
        let has_space = self.waiting.len() < MOST_WAITING;
        if has_space {
            self.waiting.push_back(Work::Report { connection, report });
        }
        has_space
    }

    fn keep(&mut self, line: &ChatLine) {
        let Some(lines) = &mut self.lines else { return };
        let lines = match line.channel {
            Channel::Players => &mut lines.players,
            Channel::Spectators => &mut lines.spectators,
        };
        lines.push_back(line.clone());
        if lines.len() > LAST_LINES as usize {
            lines.pop_front();
        }
    }
}

/// Whether a connection that writes to one channel reads another.
pub(super) fn reads(writes: Channel, line: Channel) -> bool {
    match (writes, line) {
        (_, Channel::Players) | (Channel::Spectators, Channel::Spectators) => true,
        (Channel::Players, Channel::Spectators) => false,
    }
}

/// Waits for the operation under way; `None` if its task failed.
pub(super) async fn chat_done(under_way: &mut Option<oneshot::Receiver<Done>>) -> Option<Done> {
    let Some(receiver) = under_way else { return pending().await };
    let done = receiver.await.ok();
    *under_way = None;
    done
}

impl<A: Adapter> Room<A> {
    /// A connection writes a line.
    pub(super) fn chat(&mut self, connection: ConnectionId, text: &str) {
        let Some(at) = self.peers.iter().position(|peer| peer.connection == connection) else { return };
        if self.peers[at].notices != Wish::Told {
            let words = if self.services.one_game { "This server has no chat." } else { "Ask for notices first." };
            self.services.metrics.messages_refused.count(Reason::BadMessage);
            self.peers[at].refuse(Refused::new(Reason::BadMessage, words));
            return;
        }
        match self.new_line(at, text) {
            Ok(line) => {
                self.notices.chat.waiting.push_back(Work::Store { connection, line });
                self.next_chat();
            }
            Err(refused) => {
                self.services.metrics.messages_refused.count(refused.reason);
                self.peers[at].tell(&ToClient::Notice(Notice::Refused(refused)));
            }
        }
    }

    /// A line of a connection, if it is within the limits.
    fn new_line(&mut self, at: usize, text: &str) -> Result<NewChatLine, Refused> {
        let limits = self.services.limits.chat;
        let text = checked(text, limits.longest)?;
        self.services.moderation.check(text)?;
        if self.notices.chat.waiting.len() >= MOST_WAITING {
            return Err(Refused::new(Reason::TooFast, "Too many lines wait to be stored; try again."));
        }
        let channel = self.channel_of(&self.peers[at]);
        let client = client_of(&self.peers[at]);
        self.take_allowance(at, client.filter(|_| channel == Channel::Players), limits)?;
        let by = match client {
            Some(client) => self.name_for_notices(client),
            None => format!("Spectator {}", self.spectator_number(at)),
        };
        let at = self.services.world.now();
        Ok(NewChatLine { channel, client: client.map(|client| client.0), by, text: text.to_owned(), at })
    }

    fn take_allowance(&mut self, at: usize, player: Option<CommId>, limits: ChatLimits) -> Result<(), Refused> {
        let ChatLimits { per_minute, at_once, .. } = limits;
        let chat = &mut self.notices.chat;
        let taken = match player {
            // A player keeps its allowance over connections.
            Some(client) => {
                if !chat.allowances.iter().any(|(known, _)| *known == client) {
                    chat.allowances.push((client, Allowance::new(at_once)));
                }
                let own = chat.allowances.iter_mut().find(|(known, _)| *known == client);
                own.map_or(Ok(()), |(_, allowance)| allowance.take(per_minute, at_once))
            }
            None => {
                let own = self.peers[at].chat_allowance.get_or_insert_with(|| Allowance::new(at_once));
                own.take(per_minute.div_ceil(2), at_once).and_then(|()| chat.spectators.take(per_minute, at_once))
            }
        };
        taken.map_err(|wait| {
            let seconds = wait.as_millis().div_ceil(1000);
            Refused::new(Reason::TooFast, format!("You write too fast; the next line can come in {seconds} s."))
        })
    }

    fn spectator_number(&mut self, at: usize) -> u32 {
        let named = &mut self.notices.chat.named;
        *self.peers[at].spectator.get_or_insert_with(|| {
            *named += 1;
            *named
        })
    }

    /// Reads the last lines, for snapshots.
    pub(super) fn read_chat(&mut self) {
        let chat = &mut self.notices.chat;
        let is_read = |work: &Work| matches!(work, Work::Read);
        if !chat.waiting.iter().any(is_read) {
            chat.waiting.push_back(Work::Read);
        }
        self.next_chat();
    }

    /// Starts the next operation of the store, if none is under way.
    pub(super) fn next_chat(&mut self) {
        let chat = &mut self.notices.chat;
        if chat.under_way.is_some() {
            return;
        }
        let Some(work) = chat.waiting.pop_front() else { return };
        let (done, under_way) = oneshot::channel();
        chat.under_way = Some(under_way);
        let (store, game, limits) = (self.services.host_store.clone(), self.name.clone(), self.services.limits.chat);
        let (logger, services) = (self.logger.clone(), self.services.clone());
        tokio::spawn(async move {
            let result = match work {
                Work::Read => {
                    let reading = async {
                        let players = store.chat(&game, Some(Channel::Players), LAST_LINES).await?;
                        Ok([players, store.chat(&game, Some(Channel::Spectators), LAST_LINES).await?])
                    };
                    Done::Read(finished(&logger, timeout(limits.patience, reading).await))
                }
                Work::Store { connection, line } => {
                    let storing = store.add_chat(&game, line.clone(), limits.kept);
                    let number = finished(&logger, timeout(limits.patience, storing).await);
                    Done::Stored { connection, line: number.map(|number| line.numbered(number)) }
                }
                Work::Report { connection, report } => {
                    let kept = services.accounts.store.report(&report).await;
                    if let Err(error) = &kept {
                        warn!(logger, "a report cannot be stored"; "cause" => %error);
                    }
                    Done::Reported { connection, line: kept.ok().map(|_| report.line) }
                }
            };
            let _room_is_gone = done.send(result);
        });
    }

    /// Takes the result of an operation.
    pub(super) fn take_chat(&mut self, done: Option<Done>) {
        match done {
            Some(Done::Read(Some([players, spectators]))) => {
                let lines = LastLines { players: players.into(), spectators: spectators.into() };
                self.notices.chat.lines = Some(lines);
                self.tell_waiting();
            }
            Some(Done::Stored { line: Some(line), .. }) => self.tell_line(&line),
            Some(Done::Stored { connection, line: None }) => {
                self.refuse_line(connection);
                self.give_up_chat();
            }
            Some(Done::Reported { connection, line }) => {
                let notice = match line {
                    Some(number) => Notice::Reported(number),
                    None => Notice::Refused(Refused::new(
                        Reason::StoreUnavailable,
                        "The report cannot be stored now; try again later.",
                    )),
                };
                if let Some(peer) = self.peers.iter_mut().find(|peer| peer.connection == connection) {
                    peer.tell(&ToClient::Notice(notice));
                }
            }
            Some(Done::Read(None)) | None => self.give_up_chat(),
        }
        self.next_chat();
    }

    fn tell_line(&mut self, line: &ChatLine) {
        self.notices.chat.keep(line);
        let streams = &self.streams;
        let is_seated = |client: CommId| streams.is_seated(client);
        let message = ToClient::Notice(Notice::Chat(line.clone()));
        for peer in self.peers.iter_mut().filter(|peer| peer.notices == Wish::Told) {
            let writes = if client_of(peer).is_some_and(is_seated) { Channel::Players } else { Channel::Spectators };
            if reads(writes, line.channel) && !peer.muted.contains(&line.by) {
                peer.tell(&message);
            }
        }
    }

    /// The store does not answer, so nothing waits for it any longer.
    fn give_up_chat(&mut self) {
        for work in std::mem::take(&mut self.notices.chat.waiting) {
            match work {
                Work::Store { connection, .. } | Work::Report { connection, .. } => self.refuse_line(connection),
                Work::Read => {}
            }
        }
        self.tell_waiting();
    }

    fn refuse_line(&mut self, connection: ConnectionId) {
        let Some(peer) = self.peers.iter_mut().find(|peer| peer.connection == connection) else { return };
        let refused = Refused::new(Reason::StoreUnavailable, "Chat cannot be stored now. Your line may be missing.");
        peer.tell(&ToClient::Notice(Notice::Refused(refused)));
    }
}

/// The result of an operation that was in time and did not fail.
fn finished<T>(
    logger: &slog::Logger,
    result: Result<Result<T, crate::log::StoreError>, tokio::time::error::Elapsed>,
) -> Option<T> {
    match result {
        Ok(Ok(value)) => return Some(value),
        Ok(Err(error)) => warn!(logger, "chat cannot be stored or read"; "cause" => %error),
        Err(_) => warn!(logger, "chat cannot be stored or read"; "cause" => "the store does not answer"),
    }
    None
}

/// The text of a line without space around it, if it is one that people can read.
fn checked(text: &str, longest: usize) -> Result<&str, Refused> {
    let text = text.trim();
    let length = text.chars().count();
    if length > longest {
        let words = format!("A line has at most {longest} characters, this one has {length}.");
        return Err(Refused::new(Reason::TooLarge, words));
    }
    if length == 0 {
        return Err(Refused::new(Reason::BadMessage, "The line is empty."));
    }
    // These hide, reorder or restart what others read.
    let is_unreadable = |c: char| c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if text.chars().any(is_unreadable) {
        return Err(Refused::new(Reason::BadMessage, "A line has no control characters and no line ends."));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_people_can_read() {
        let check = |text: &str| checked(text, 5).map(str::to_owned).map_err(|refused| refused.reason);
        assert_eq!(check(" hi \u{1F600} "), Ok("hi \u{1F600}".into()));
        assert_eq!(check("\u{e4}bcde"), Ok("\u{e4}bcde".into()), "characters count, not bytes");
        assert_eq!(check("abcdef"), Err(Reason::TooLarge));
        assert_eq!(check(" \n "), Err(Reason::BadMessage));
        for bad in ["a\nb", "a\0b", "\u{1b}[2", "a\u{202e}b", "a\u{2066}b", "a\u{2028}b", "a\u{9b}b"] {
            assert_eq!(check(bad), Err(Reason::BadMessage), "{bad:?}");
        }
    }
}
