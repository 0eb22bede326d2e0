//! `holdfast crazyhouse show`: a position for people.

use std::fmt::Write;

use cli::output::Out;
use crazyhouse_rules::{Kind, MoveList, Piece, Position, Side, Square};

use super::position;

/// Shows the board and the pockets, and says how many moves there are, and whether it is check or mate.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The board, a space, and w or b; or start.
    #[arg(value_parser = position)]
    position: Position,
}

pub(super) fn run(Arguments { position }: &Arguments, out: &mut Out) -> Result<bool, String> {
    let mut text = pocket(position, Side::Black);
    for rank in (0..8).rev() {
        write!(text, "\n{}  ", rank + 1).expect("a string takes everything");
        for file in 0..8 {
            let letter = position.piece_at(Square::at(file, rank)).map_or('.', Piece::letter);
            text.extend([letter, ' ']);
        }
        text.truncate(text.trim_end().len());
    }
    text += "\n\n   a b c d e f g h\n\n";
    text += &pocket(position, Side::White);
    writeln!(text, "\n{}", state(position)).expect("a string takes everything");
    out.write(text);
    Ok(true)
}

fn pocket(position: &Position, side: Side) -> String {
    let held = |kind: &Kind| position.held(side, *kind) > 0;
    let one = |kind: Kind| format!(" {}x{}", Piece { side, kind }.letter(), position.held(side, kind));
    let text: String = Kind::HELD.into_iter().rev().filter(held).map(one).collect();
    format!("{side} holds{}\n", if text.is_empty() { " nothing" } else { &text })
}

fn state(position: &Position) -> String {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let turn = position.turn();
    let count = moves.as_slice().len();
    let number = if count == 1 { "1 move".to_owned() } else { format!("{count} moves") };
    match (position.in_check(turn), count) {
        _ if position.in_check(turn.other()) => {
            format!("{turn} moves and can take the king: no game gets there. {number}.")
        }
        (true, 0) => format!("{turn} is mated. {} wins.", turn.other()),
        (false, 0) => format!("{turn} has no move and is not in check: it can resign or offer a draw."),
        (true, _) => format!("{turn} moves and is in check. {number}."),
        (false, _) => format!("{turn} moves. {number}."),
    }
}
