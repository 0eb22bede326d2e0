//! Crazyhouse for people: pictures, words and figures.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use engine::{CommId, Missing, Moment, Shown};
use serde_json::{Value, json};

use crate::{
    board::Board,
    command::Command,
    event::Event,
    game::Game,
    moves::{Move, Origin},
    piece::{Kind, Side},
    position::Position,
    setup::Setup,
};

impl Shown for Game {
    const FIGURES: &'static [&'static str] = &["material", "white", "black", "W pocket", "B pocket", "moves"];

    fn stage(setup: &Setup) -> Value {
        let clock = setup.clock.map(|clock| json!({"initial": clock.initial, "increment": clock.increment}));
        json!({
            "start": setup.start.to_string(),
            "clock": clock,
            "bots": {"white": setup.bots[0].as_deref(), "black": setup.bots[1].as_deref()},
            "most_moves": setup.most_moves,
        })
    }

    fn picture(board: &Board) -> Value {
        let contest = board.contest();
        let position = contest.position();
        let player = |side| json!({"name": board.player(side).map(|name| &**name), "left": board.left(side)});
        json!({
            "board": contest.board(),
            "next": position.turn(),
            "check": position.in_check(position.turn()),
            "last": contest.history().last().map(|last| last.played.to_string()),
            "moves": contest.history().len(),
            "begun": board.has_begun(),
            "players": {"white": player(Side::White), "black": player(Side::Black)},
            "offer": contest.offer(),
            "asked": contest.asked(),
            "outcome": contest.outcome().map(|outcome| outcome.to_string()),
        })
    }

    /// Crazyhouse has no secrets: everything is on the board.
    fn hidden(&self) -> Value {
        json!({})
    }

    fn moment(board: &Board) -> Moment {
        let turn = board.contest().position().turn();
        let waits = board.has_begun() && board.outcome().is_none();
        let player = board.player(turn).filter(|_| waits);
        let round = if board.has_begun() { board.contest().history().len() as u32 / 2 + 1 } else { 0 };
        Moment { round, turn: player.map(|name| name.to_string()) }
    }

    fn figures(board: &Board) -> Vec<i64> {
        let position = board.contest().position();
        let [white, black] = Side::BOTH.map(|side| worth(position, side));
        let count = |side| i64::from((position.all_of(side)).count_ones());
        let pocket = |side| Kind::HELD.iter().map(|kind| i64::from(position.held(side, *kind))).sum();
        Vec::from([
            white - black,
            count(Side::White),
            count(Side::Black),
            pocket(Side::White),
            pocket(Side::Black),
            board.contest().history().len() as i64,
        ])
    }

    fn tell_event(board: &Board, event: &Event) -> String {
        match event {
            Event::Seated { side } => format!("You play {side}."),
            Event::Refused { refusal } => refusal.to_string(),
            Event::Joined { side, name } => format!("{name} plays {side}."),
            Event::Began { white, black, .. } => format!("{white} (White) against {black} (Black)."),
            Event::Moved { side, text, check, .. } => {
                let position = board.contest().position();
                format!("{side}: {}{}", tell_move(position, text), if *check { ", check." } else { "." })
            }
            Event::DrawOffered { side } => format!("{side} offers a draw."),
            Event::DrawDeclined { side } => format!("{side} declines the draw."),
            Event::TakebackAsked { side } => format!("{side} asks to take a move back."),
            Event::TakebackRefused { side } => format!("{side} does not allow the takeback."),
            Event::TakenBack { side, moves: 1, .. } => format!("{side} takes the last move back."),
            Event::TakenBack { side, .. } => format!("{side} takes a move and the answer to it back."),
            Event::Finished { outcome, because: None } => format!("{outcome}."),
            Event::Finished { outcome, because: Some(because) } => format!("{outcome} ({because})."),
        }
    }

    fn tell_command(_: &Board, command: &Command) -> String {
        match command {
            Command::Join { name, side: Some(side) } => format!("{name} joins as {side}"),
            Command::Join { name, side: None } => format!("{name} joins"),
            Command::Move { text } => format!("move {text}"),
            Command::OfferDraw {} => "offer a draw".into(),
            Command::AcceptDraw {} => "accept the draw".into(),
            Command::DeclineDraw {} => "decline the draw".into(),
            Command::Resign { .. } => "resign".into(),
            Command::Abort {} => "abort the game".into(),
            Command::AskTakeback {} => "ask to take a move back".into(),
            Command::AllowTakeback {} => "allow the takeback".into(),
            Command::RefuseTakeback {} => "refuse the takeback".into(),
            Command::Claim {} => "claim the win".into(),
        }
    }

    fn name_of(&self, client: CommId) -> Option<String> {
        self.side_of(client).and_then(|side| self.public().player(side)).map(|name| name.to_string())
    }

    fn players(board: &Board) -> Vec<String> {
        Side::BOTH.iter().filter_map(|side| board.player(*side)).map(|name| name.to_string()).collect()
    }

    fn missing(board: &Board) -> Option<Missing> {
        let free = Side::BOTH.iter().filter(|side| board.player(**side).is_none()).count() as u32;
        let waits = !board.has_begun() && board.outcome().is_none();
        waits.then_some(Missing { least: free, most: free })
    }
}

/// The value of a side's pieces, on the board and in the pocket.
fn worth(position: &Position, side: Side) -> i64 {
    const WORTH: [i64; 5] = [1, 3, 3, 5, 9];
    let pieces = |kind| i64::from(position.pieces(side, kind).count_ones()) + i64::from(position.held(side, kind));
    Kind::HELD.into_iter().zip(WORTH).map(|(kind, worth)| pieces(kind) * worth).sum()
}

/// A move in words, on the position before it.
fn tell_move(position: &Position, text: &str) -> String {
    let Some(made) = Move::read(text) else { return text.into() };
    let to = made.to();
    let from = match made.origin() {
        Origin::Pocket(piece) => return format!("{text}, drops a {} on {to}", piece.kind.name()),
        Origin::Board(from) => from,
    };
    let kind = position.piece_at(from).map_or("piece", |piece| piece.kind.name());
    let taken = position.piece_at(to).map_or(String::new(), |taken| format!(" takes a {}", taken.kind.name()));
    let queens = if kind == "pawn" && matches!(to.rank(), 0 | 7) { " and becomes a queen" } else { "" };
    if taken.is_empty() && queens.is_empty() {
        format!("{text}, {kind}")
    } else {
        format!("{text}, {kind}{taken}{queens}")
    }
}
