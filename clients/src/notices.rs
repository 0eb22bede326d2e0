//! Notices in words, for people at a terminal.

use commlib::{Channel, ChatLine, Notice, Presence};

/// The lines of an earlier chat that a person sees on joining.
const EARLIER: usize = 10;

/// A notice as lines. `own` is the number of the person's own client, which needs no words.
pub fn notice_lines(notice: &Notice, own: Option<u32>) -> Vec<String> {
    match notice {
        Notice::Snapshot(snapshot) => {
            let away = snapshot.players.iter().filter(|player| player.away_ms.is_some());
            let mut lines: Vec<String> = away.filter_map(|player| presence_line(player, own)).collect();
            let chat = snapshot.chat.as_deref().unwrap_or_default();
            lines.extend(chat[chat.len().saturating_sub(EARLIER)..].iter().map(chat_line));
            lines
        }
        Notice::Presence(presence) => presence_line(presence, own).into_iter().collect(),
        Notice::Chat(line) => vec![chat_line(line)],
        Notice::Refused(refused) => vec![format!("Chat: {refused}")],
        Notice::Reported(number) => vec![format!("Chat: the operator will see line {number}.")],
        // Prompts say whose turn it is, and spectators come and go.
        Notice::Thinks(_) | Notice::Spectators(_) => Vec::new(),
    }
}

fn presence_line(presence: &Presence, own: Option<u32>) -> Option<String> {
    let Presence { client, player, away_ms } = presence;
    if Some(*client) == own {
        return None;
    }
    Some(match away_ms {
        None => format!("{player} is here."),
        Some(..2_000) => format!("{player} has left."),
        Some(ms) => format!("{player} has been away for {} s.", ms / 1000),
    })
}

fn chat_line(line: &ChatLine) -> String {
    let to = match line.channel {
        Channel::Players => "",
        Channel::Spectators => " (to spectators)",
    };
    format!("{}{to}: {}", line.by, line.text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_come_and_leave() {
        let presence = |client, away_ms| Notice::Presence(Presence { client, player: "Bo".into(), away_ms });
        let lines = |notice: Notice| notice_lines(&notice, Some(1)).join("|");
        assert_eq!(lines(presence(2, None)), "Bo is here.");
        assert_eq!(lines(presence(2, Some(3))), "Bo has left.");
        assert_eq!(lines(presence(2, Some(61_900))), "Bo has been away for 61 s.");
        assert_eq!(lines(presence(1, None)), "", "the person itself");
    }
}
