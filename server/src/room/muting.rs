//! Mutes and reports: what readers of chat do about its writers.

use commlib::{ConnectionId, Mute, Notice, Reason, Refused, ToClient};

use super::{Room, chat::reads, notices::client_of};
use crate::{
    accounts::{CONTEXT, Report},
    adapter::Adapter,
    limits::Allowance,
    peer::Wish,
};

/// The most writers that a connection can mute, and the longest name of one.
const MOST_MUTED: usize = 100;
const LONGEST_NAME: usize = 200;

/// Reports that a connection may send in a minute, and at once.
const REPORTS_PER_MINUTE: u32 = 6;
const REPORTS_AT_ONCE: u32 = 3;

impl<A: Adapter> Room<A> {
    /// A connection wants no lines of a writer, or wants them again.
    pub(super) fn mute(&mut self, connection: ConnectionId, Mute { by, muted }: Mute) {
        let Some(peer) = self.peers.iter_mut().find(|peer| peer.connection == connection) else { return };
        peer.muted.retain(|other| *other != by);
        if !muted {
            return;
        }
        if peer.muted.len() >= MOST_MUTED || by.len() > LONGEST_NAME {
            let words = format!("A connection mutes at most {MOST_MUTED} writers.");
            peer.tell(&ToClient::Notice(Notice::Refused(Refused::new(Reason::TooMany, words))));
            return;
        }
        peer.muted.push(by);
    }

    /// A connection reports a line that it can read.
    pub(super) fn report(&mut self, connection: ConnectionId, number: u64) {
        let Some(at) = self.peers.iter().position(|peer| peer.connection == connection) else { return };
        let report = match self.new_report(at, number) {
            Ok(report) => report,
            Err(refused) => return self.refuse_report(at, refused),
        };
        if self.notices.chat.wants_report(connection, report) {
            self.next_chat();
        } else {
            self.refuse_report(at, Refused::new(Reason::TooFast, "Too much waits to be stored; try again."));
        }
    }

    fn new_report(&mut self, at: usize, number: u64) -> Result<Report, Refused> {
        if self.peers[at].notices != Wish::Told {
            return Err(Refused::new(Reason::BadMessage, "Ask for notices first."));
        }
        let allowance = self.peers[at].report_allowance.get_or_insert_with(|| Allowance::new(REPORTS_AT_ONCE));
        allowance
            .take(REPORTS_PER_MINUTE, REPORTS_AT_ONCE)
            .map_err(|_| Refused::new(Reason::TooFast, "You report too fast; try again later."))?;
        let writes = self.channel_of(&self.peers[at]);
        let lines = self.notices.chat.readable(writes).unwrap_or_default();
        let found = lines.iter().position(|line| line.number == number && reads(writes, line.channel));
        let Some(found) = found else {
            return Err(Refused::new(Reason::BadMessage, format!("There is no line {number} among the last ones.")));
        };
        let by = match client_of(&self.peers[at]) {
            Some(client) => self.name_for_notices(client),
            None => "a spectator".into(),
        };
        let around = found.saturating_sub(CONTEXT)..(found + CONTEXT + 1).min(lines.len());
        let lines = lines[around].to_vec();
        Ok(Report { game: self.name.to_string(), line: number, lines, by, at: self.services.world.now() })
    }

    fn refuse_report(&mut self, at: usize, refused: Refused) {
        self.services.metrics.messages_refused.count(refused.reason);
        self.peers[at].tell(&ToClient::Notice(Notice::Refused(refused)));
    }
}
