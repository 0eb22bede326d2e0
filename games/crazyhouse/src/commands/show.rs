//! `holdfast crazyhouse show`: prints a position for people.

use std::fmt::Write;

use cli::{
    Failure,
    output::{Out, ReportArgs},
};
use crazyhouse_rules::{Kind, MoveList, Piece, Position, Side, Square};
use serde_json::json;

use super::position;

/// Prints the board, the pockets, the number of legal moves, and whether it is check or mate.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The position: the board, a space, and w or b; or start.
    #[arg(value_parser = position)]
    position: Position,
    #[command(flatten)]
    report: ReportArgs,
}

pub(super) fn run(Arguments { position, report }: &Arguments, out: &mut Out) -> Result<bool, Failure> {
    let json = || {
        let moves = position.moves_text();
        json!({
            "board": position.board(), "turn": position.turn(), "check": position.in_check(position.turn()),
            "mate": position.is_mate(), "moves": moves.split_whitespace().collect::<Vec<_>>(),
        })
    };
    out.write(report.report(|| drawing(position), json));
    Ok(true)
}

fn drawing(position: &Position) -> String {
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
    text
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
            format!("{turn} can take the king: no game reaches this position. {number}.")
        }
        (true, 0) => format!("{turn} is mated. {} wins.", turn.other()),
        (false, 0) => format!("{turn} has no move and is not in check: it can resign or offer a draw."),
        (true, _) => format!("{turn} moves and is in check. {number}."),
        (false, _) => format!("{turn} moves. {number}."),
    }
}
