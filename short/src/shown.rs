//! A game for people: pictures, words and figures.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use engine::{CommId, Emission, Missing, Moment, Shown};
use serde_json::{Value, json};

use crate::{
    board::{Board, View},
    command::{Command, Common},
    event::{Event, move_words},
    game::{ShortGame, Told},
    outcome::Ending,
    rules::Short,
    seat::Seat,
    setup::Setup,
};

impl<G: ShortGame> Shown for Short<G> {
    const FIGURES: &'static [&'static str] = G::FIGURES;

    fn stage(setup: &Setup<G>) -> Value {
        json!({"seats": setup.seats(), "clock": setup.clock(), "timeout": setup.timeout_ms()})
    }

    fn picture(board: &Board<G>) -> Value {
        picture(board, board.game())
    }

    fn picture_of_view(view: &View<G>) -> Option<Value> {
        Some(picture(&view.board, view.game()))
    }

    fn hidden(&self) -> Value {
        self.secret.as_ref().map_or_else(|| json!({}), G::picture)
    }

    fn moment(board: &Board<G>) -> Moment {
        let turn = board.turn();
        let player = if let [seat] = turn.seats() { board.name(*seat) } else { None };
        // A round has as many moves as players, unless the game says otherwise.
        let usual = || board.seats.map_or(0, |seats| board.moves / (seats.max(1) as u32) + 1);
        let round = board.game().and_then(G::round).unwrap_or_else(usual);
        Moment { round, turn: player.map(|name| name.to_string()) }
    }

    fn figures(board: &Board<G>) -> Vec<i64> {
        board.game().map_or_else(|| G::FIGURES.iter().map(|_| 0).collect(), G::figures)
    }

    fn tell_event(board: &Board<G>, event: &Self::Event) -> String {
        tell(board, board.game(), event)
    }

    fn tell_event_of_view(view: &View<G>, event: &Self::Event) -> Option<String> {
        let text = tell(&view.board, view.game(), event);
        (!text.is_empty()).then_some(text)
    }

    /// The story of a game with secrets as those tell it who know the whole state.
    fn tell_whole_event(
        game: Option<&Self>,
        board: &Board<G>,
        emissions: &[Emission<Self::Event>],
        place: usize,
    ) -> Option<String> {
        let secret = game?.secret.as_ref();
        let Emission::Event { event, .. } = emissions.get(place)? else { return None };
        secret.map(|secret| tell(board, Some(secret), event))
    }

    fn tell_outcome(ending: &Ending) -> String {
        let mut ending = ending.clone();
        ending.outcome.points.clear();
        ending.to_string()
    }

    fn tell_command(board: &Board<G>, command: &Self::Command) -> String {
        match command {
            Command::Common(Common::Join { name }) => format!("{name} joins"),
            Command::Common(Common::Start {}) => "begin".into(),
            Command::Common(Common::Resign {}) => "give up".into(),
            Command::Move(play) => board.game().map_or_else(|| move_words(play), |game| game.label(play)),
        }
    }

    fn name_of(&self, client: CommId) -> Option<String> {
        self.board.name(self.seat_of(client)?).map(|name| name.to_string())
    }

    fn seat_index(&self, client: CommId) -> Option<usize> {
        self.seat_of(client).map(|seat| seat.0)
    }

    fn players(board: &Board<G>) -> Vec<String> {
        board.names().map(|name| name.to_string()).collect()
    }

    fn missing(board: &Board<G>) -> Option<Missing> {
        if board.seats.is_some() || board.ending.is_some() {
            return None;
        }
        let (joined, seats) = (board.names().count(), board.setup.seats());
        // With bots, a game begins only when all seats are taken.
        let least = if board.setup.bots().next().is_some() { seats } else { *G::SEATS.start() };
        Some(Missing { least: least.saturating_sub(joined) as u32, most: seats.saturating_sub(joined) as u32 })
    }
}

/// An event in words, with the state of the game that its reader may know.
fn tell<G: ShortGame>(board: &Board<G>, game: Option<&G>, event: &Event<G::Move, G>) -> String {
    let story = |seat: Seat, play: Option<&G::Move>| {
        let told = Told::new(seat, play, &board.names);
        match (game, play) {
            (Some(game), _) => game.story(&told),
            (None, Some(play)) => format!("{}: {}", told.mover(), move_words(play)),
            (None, None) => format!("{} moves.", told.mover()),
        }
    };
    match event {
        Event::Refused { refusal } => refusal.to_string(),
        Event::Seated { seat } => format!("You have {seat}."),
        Event::Joined { seat, name } => format!("{name} takes {seat}."),
        Event::Began { .. } => {
            let names: Vec<&str> = board.names().map(|name| &**name).collect();
            format!("The game begins: {}.", names.join(", "))
        }
        Event::Played { seat, play, .. } => story(*seat, Some(play)),
        Event::Moved { seat, play, .. } => story(*seat, play.as_ref()),
        // The move that follows says what happened.
        Event::Seen { .. } => String::new(),
        Event::Finished { ending } => format!("{ending}."),
    }
}

/// The picture of a board, with the state of the game that its reader may know.
fn picture<G: ShortGame>(board: &Board<G>, game: Option<&G>) -> Value {
    let turn = board.turn();
    json!({
        "players": (0..board.names.len()).map(|at| board.name(Seat(at))).collect::<Vec<_>>(),
        "turn": turn.seats(),
        "moves": board.moves,
        "clocks": board.left_ms,
        "game": game.map(G::picture),
        "outcome": board.ending().map(ToString::to_string),
    })
}
