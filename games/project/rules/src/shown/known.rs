//! The knowledge of a player as a compact text, because a game has many players and many tiles.

use alloc::{string::String, vec::Vec};

use serde_json::{Value, json};

use crate::{
    game::Game,
    player::{Player, Source},
    seen::{Goal, Seen},
    team::Team,
    view::Carried,
};

/// The number of characters for a tile.
const WIDTH: usize = 10;
const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
/// The unit of the times in the picture, in milliseconds.
const TICK_MS: u64 = 100;

/// The tiles row by row from the bottom. Each tile has [`WIDTH`] characters, which are spaces if the tile is unknown:
///
/// - the object: `.` nothing, `p` a piece, `g` a completed goal, `n` no goal, `N` no goal and a piece;
/// - the player on the tile: `b` of Blue, `r` of Red, `-` none;
/// - the distance to a piece in two digits of base 36, or `--` if there is no piece;
/// - when the tile was seen, in tenths of a second of the game's own clock, in four digits of base 36;
/// - the player that shared the tile, in two digits of base 36, or `--` for the Game Master.
pub(super) fn picture(game: &Game, player: &Player) -> Value {
    let mut rows: Vec<String> = Vec::new();
    rows.resize(usize::try_from(game.ground.area().height).unwrap_or(0), String::new());
    let view = game.views.get(&player.client);
    for (at, seen) in view.iter().flat_map(|view| &view.tiles) {
        // Tiles come column by column, so the tiles to the left are already written.
        let (Ok(x), Some(row)) = (usize::try_from(at.x), usize::try_from(at.y).ok().and_then(|y| rows.get_mut(y)))
        else {
            continue;
        };
        let missing = (x * WIDTH).saturating_sub(row.len());
        row.extend(core::iter::repeat_n(' ', missing));
        write(row, seen, player.told.get(at).copied().unwrap_or(Source { at: 0, from: None }));
    }
    let carries = view.and_then(|view| view.carries).map(|carried| match carried {
        Carried::Untested => "untested",
        Carried::Piece => "piece",
    });
    json!({"rows": rows, "carries": carries})
}

fn write(row: &mut String, seen: &Seen, source: Source) {
    row.push(match (seen.goal, seen.piece) {
        (Some(Goal::Completed), _) => 'g',
        (Some(Goal::Absent), true) => 'N',
        (Some(Goal::Absent), false) => 'n',
        (None, true) => 'p',
        (None, false) => '.',
    });
    row.push(match seen.player {
        Some((_, Team::Blue)) => 'b',
        Some((_, Team::Red)) => 'r',
        None => '-',
    });
    match u64::try_from(seen.distance) {
        Ok(distance) => digits::<2>(row, distance),
        Err(_) => row.push_str("--"),
    }
    digits::<4>(row, source.at / TICK_MS);
    match source.from {
        Some(player) => digits::<2>(row, player.into()),
        None => row.push_str("--"),
    }
}

/// Writes a number in base 36. A number that is too large is written as the largest one that fits.
fn digits<const N: usize>(row: &mut String, number: u64) {
    let mut text = [b'z'; N];
    if number < 36_u64.pow(N as u32) {
        let mut rest = number;
        for digit in text.iter_mut().rev() {
            *digit = DIGITS[(rest % 36) as usize];
            rest /= 36;
        }
    }
    row.extend(text.map(char::from));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_written() {
        let check = |seen: &Seen, at: u64, from: Option<u32>, expected: &str| {
            let mut row = String::new();
            write(&mut row, seen, Source { at, from });
            assert_eq!(row, expected);
            assert_eq!(row.len(), WIDTH);
        };
        check(&Seen::UNKNOWN, 0, None, ".---0000--");
        check(&Seen { distance: 36, ..Seen::UNKNOWN }, 3_600, Some(37), ".-10001011");
        check(&Seen { distance: 0, piece: true, player: Some((3, Team::Red)), goal: None }, 999, None, "pr000009--");
        check(&Seen { goal: Some(Goal::Absent), piece: true, ..Seen::UNKNOWN }, u64::MAX, None, "N---zzzz--");
        check(&Seen { goal: Some(Goal::Completed), ..Seen::UNKNOWN }, 100, Some(5), "g---000105");
        check(&Seen { distance: 5000, player: Some((1, Team::Blue)), ..Seen::UNKNOWN }, 0, Some(1296), ".bzz0000zz");
    }
}
