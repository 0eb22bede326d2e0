//! The bots of the host in a room: those that the setup seats, and those that a player adds while the game waits for players.

use std::net::IpAddr;

use commlib::{Reason, Refused, Token};
use engine::{CommId, Rulebook, Shown};

use super::{Room, admission::new_token, unknown_token};
use crate::{adapter::Adapter, bots::Opponent};

/// A stored client with this mark is a bot. The mark and the name of the bot stand where other clients have the hash of their
/// token. No token has such a hash, so no client can take the place of the bot, and a restarted host knows which bot to start.
const MARK: &[u8; 4] = b"bot:";
/// The bytes for a marked name.
const HASH: usize = 32;

/// The mark of a bot; `None` if its name cannot be stored.
fn bot_mark(bot: &str) -> Option<[u8; HASH]> {
    let mut mark = [0; HASH];
    let (start, name) = mark.split_at_mut(MARK.len());
    start.copy_from_slice(MARK);
    let is_plain = !bot.is_empty() && bot.bytes().all(|byte| byte.is_ascii_graphic());
    name.get_mut(..bot.len()).filter(|_| is_plain)?.copy_from_slice(bot.as_bytes());
    Some(mark)
}

/// The name of the bot, if a stored client is one.
pub(super) fn marked_bot(hash: &[u8; HASH]) -> Option<&str> {
    let name = str::from_utf8(hash.strip_prefix(MARK)?).ok()?.trim_end_matches('\0');
    (!name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic())).then_some(name)
}

impl<A: Adapter> Room<A> {
    /// Reserves seats for the bots of the host, and starts the bots. Their tokens are valid as long as this process runs, so
    /// they are not stored.
    pub(super) fn call_bots(&mut self) {
        if self.game.outcome().is_some() {
            return;
        }
        let seated: Vec<(CommId, String)> =
            A::bots(&self.setup).into_iter().map(|(client, bot)| (client, bot.to_owned())).collect();
        // Even if a bot fails, no other client can take its seat.
        seated.iter().chain(&self.added_bots).for_each(|(client, _)| self.clients.mention(*client));
        for (client, bot) in seated.into_iter().chain(self.added_bots.clone()) {
            let player = self.player_name(client, &bot);
            self.call_bot(client, &bot, player);
        }
    }

    fn call_bot(&mut self, client: CommId, bot: &str, player: String) {
        let Ok(token) = new_token(&*self.services.world, &self.logger) else { return };
        self.attendance.is_bot(client);
        self.bots.push(self.services.opponents.take(1));
        self.clients.add(client, blake3::hash(token.bytes()));
        self.services.opponents.start(Opponent {
            rulebook: A::Rules::NAME,
            bot: bot.into(),
            player,
            game: self.name.to_string(),
            token,
        });
    }

    /// The name that a bot plays under. Several bots of the same name are numbered, those of the setup first.
    fn player_name(&self, client: CommId, bot: &str) -> String {
        let seated = A::bots(&self.setup);
        let added = self.added_bots.iter().map(|(client, bot)| (*client, bot.as_str()));
        let before = seated.into_iter().chain(added).take_while(|(other, _)| *other != client);
        match before.filter(|(_, other)| *other == bot).count() {
            0 => bot.into(),
            before => format!("{bot} {}", before + 1),
        }
    }

    /// Adds a bot to a game that waits for players, or to the first unclaimed seat of a fork, as a client of the
    /// game asks.
    pub(super) async fn add_bot(&mut self, token: Token, bot: String, by: IpAddr) -> Result<(), Refused> {
        self.clients.of(token).ok_or_else(unknown_token)?;
        let waits = A::Rules::missing(&self.game.board()).map_or(0, |missing| missing.most as usize);
        // The board has a player before its entry is durable; the streams have it only then.
        let coming = self.added_bots.iter().filter(|(client, _)| !self.seated.contains(client)).count();
        let unclaimed = self.unclaimed_seat();
        if (coming >= waits && unclaimed.is_none()) || A::HANDLE {
            return Err(Refused::new(Reason::Full, "This game takes no more players."));
        }
        self.services.opponents.check(A::Rules::NAME, [&*bot].into_iter())?;
        let seat = self.services.addresses.bots(Some(by), 1)?;
        let no_name =
            || Refused::new(Reason::BadScenario, format!("The bot {bot:?} plays only where a scenario seats it."));
        let mark = bot_mark(&bot).ok_or_else(no_name)?;
        let client = unclaimed.unwrap_or_else(|| self.clients.next());
        self.store_client(client, mark).await?;
        self.bot_seats.push(seat);
        let player = {
            self.added_bots.push((client, bot.clone()));
            self.player_name(client, &bot)
        };
        self.call_bot(client, &bot, player);
        Ok(())
    }

    /// The first seat of a fork that waits to be claimed.
    fn unclaimed_seat(&self) -> Option<CommId> {
        let waits = |client: &CommId| self.streams.is_seated(*client) && !self.clients.is_taken(*client);
        self.streams.players().iter().copied().find(waits)
    }
}

#[cfg(test)]
mod tests {
    use super::{bot_mark, marked_bot};

    #[test]
    fn marks_of_bots() {
        for name in ["random", "a", "level-8", &"b".repeat(28)] {
            assert_eq!(marked_bot(&bot_mark(name).expect("it fits")), Some(name));
        }
        for name in ["", "two words", "b\u{f6}t", "nul\0", &"b".repeat(29)] {
            assert_eq!(bot_mark(name), None, "{name:?}");
        }
        assert_eq!(marked_bot(blake3::hash(b"a token").as_bytes()), None);
        let mut hole = bot_mark("ab").expect("it fits");
        hole[10] = b'c';
        assert_eq!(marked_bot(&hole), None, "nothing stands behind the name");
    }
}
