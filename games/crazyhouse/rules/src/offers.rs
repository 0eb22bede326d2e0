//! The offers of a client: taking a side, moves and drops, draws, resigning.
//!
//! Legal moves are generated, so the rules need not be asked about each of them.

use alloc::{
    format,
    string::{String, ToString},
    sync::Arc,
    vec::Vec,
};

use engine::{Answer, Argument, CommId, Imagined, JavaRandom, Offer, OfferOf, Offers, OffersOf, Rulebook as _};

use crate::{
    board::Board,
    command::Command,
    contest::Contest,
    event::Event,
    game::Game,
    moves::{Move, MoveList, Origin},
    piece::{Kind, Side},
    position::Position,
    refusal::Refusal,
    view::View,
};

/// The longest name of a player that clients are asked for, in characters.
const LONGEST_NAME: usize = 64;

/// A client that has no side in an imagined game.
const STRANGER: CommId = CommId(3);

pub(crate) fn candidates(view: &View) -> OffersOf<Game> {
    let board = &view.board;
    if let Some(outcome) = board.outcome() {
        return Offers::none(format!("The game is over: {outcome}."));
    }
    match view.side {
        None => newcomer(board),
        Some(_) if !board.has_begun() => {
            let abort = Offer::send("Cancel the game", Command::Abort {}).answered(&Answer::Possible).aside();
            Offers::new("The opponent is not there yet.", [abort])
        }
        Some(side) => player(board, side),
    }
}

/// The legal moves of the client, if it is its turn.
pub(crate) fn moves(view: &View) -> Vec<Move> {
    if view.is_my_turn() { legal(view.board.contest().position()) } else { Vec::new() }
}

/// The two answers to the opponent's offer or question, if there is one.
pub(crate) fn answers(view: &View) -> Vec<Command> {
    let contest = view.board.contest();
    match view.side.filter(|_| view.board.has_begun()) {
        Some(side) if contest.check_answer(side).is_ok() => {
            Vec::from([Command::AcceptDraw {}, Command::DeclineDraw {}])
        }
        Some(side) if contest.check_asked(side).is_ok() => {
            Vec::from([Command::AllowTakeback {}, Command::RefuseTakeback {}])
        }
        Some(_) | None => Vec::new(),
    }
}

pub(crate) fn imagine(view: &View, random: &mut JavaRandom) -> Imagined<Game> {
    // The host's bots have these numbers, too.
    let client = |side: Side| CommId(side as u32 + 1);
    let seated = |side: Side| view.board.player(side).map(|_| client(side));
    let game = Game {
        version: Game::RULES_VERSION,
        board: view.board.clone(),
        clients: Side::BOTH.map(seated),
        random: JavaRandom::new(random.next_long()),
        since: 0,
    };
    Imagined { game, client: view.side.map_or(STRANGER, client) }
}

/// The offers of a client without a side. A side that is reserved for a bot is not offered.
fn newcomer(board: &Board) -> OffersOf<Game> {
    let is_free = |side: &Side| board.player(*side).is_none() && board.setup().bot(*side).is_none();
    let free: Vec<Side> = Side::BOTH.into_iter().filter(is_free).collect();
    let join = |label: &str, side: Option<Side>| {
        let name = Argument::name("name", "Your name", LONGEST_NAME);
        Offer::fill_in(label, Command::Join { name: "Ana".into(), side }, [name]).answered(&Answer::Possible)
    };
    match free[..] {
        [] => Offers::none("Both sides are taken."),
        [side] => Offers::new(format!("{side} is free."), [join(&format!("Play {side}"), Some(side))]),
        _ => {
            let any = join("Play either side", None);
            let sides = free.iter().map(|side| join(&format!("Play {side}"), Some(*side)));
            Offers::new("Both sides are free.", [any].into_iter().chain(sides))
        }
    }
}

fn player(board: &Board, side: Side) -> OffersOf<Game> {
    let contest = board.contest();
    let position = contest.position();
    let mut offers = Vec::new();
    let title: String = if position.turn() == side {
        offers.extend(pieces(position));
        if position.in_check(side) { "Your move. You are in check.".into() } else { "Your move.".into() }
    } else {
        format!("{} is to move.", position.turn())
    };
    offers.extend(beside(contest, side));
    Offers::new(title, offers)
}

/// What a player can do beside moving, in any turn.
fn beside(contest: &Contest, side: Side) -> Vec<OfferOf<Game>> {
    let mut offers = Vec::new();
    let aside =
        |label: &str, command: Command, answer: Answer<Event>| Offer::send(label, command).answered(&answer).aside();
    if contest.check_answer(side).is_ok() {
        offers.push(aside("Accept the draw", Command::AcceptDraw {}, Answer::Possible));
        offers.push(aside("Decline the draw", Command::DeclineDraw {}, Answer::Possible));
    } else {
        offers.push(aside("Offer a draw", Command::OfferDraw {}, answer(contest.check_offer(side))));
    }
    if contest.check_asked(side).is_ok() {
        offers.push(aside("Allow the takeback", Command::AllowTakeback {}, Answer::Possible));
        offers.push(aside("Refuse the takeback", Command::RefuseTakeback {}, Answer::Possible));
    } else {
        offers.push(aside("Ask for a takeback", Command::AskTakeback {}, answer(contest.check_ask(side))));
    }
    if contest.check_abort().is_ok() {
        offers.push(aside("Abort the game", Command::Abort {}, Answer::Possible));
    }
    offers.push(aside("Resign", Command::Resign { because: None }, Answer::Possible));
    // The rules do not know who is connected; the host does.
    offers.push(aside("Claim the win, if the opponent has left", Command::Claim {}, Answer::Uncertain));
    offers
}

fn answer(checked: Result<(), Refusal>) -> Answer<Event> {
    match checked {
        Ok(()) => Answer::Possible,
        Err(refusal) => {
            let words = refusal.to_string();
            Answer::Impossible { refusal: Event::Refused { refusal }, words }
        }
    }
}

/// The legal moves of the side to move. A king is never taken.
fn legal(position: &Position) -> Vec<Move> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let king = position.pieces(position.turn().other(), Kind::King);
    moves.as_slice().iter().copied().filter(|legal| king & legal.to().bit() == 0).collect()
}

/// One offer for each piece that can move and each kind of piece that can be dropped, with its squares.
fn pieces(position: &Position) -> Vec<OfferOf<Game>> {
    let group = |(origin, offers): (Origin, Vec<OfferOf<Game>>)| match origin {
        Origin::Board(square) => {
            let label = format!("{} {square}", position.kind_at(square).name());
            Offer::choose(capital(&label), Offers::new(format!("Where does the {label} go?"), offers))
        }
        Origin::Pocket(piece) => Offer::choose(format!("Drop a {}", piece.kind.name()), Offers::new("Where?", offers)),
    };
    by_origin(position).into_iter().map(group).collect()
}

/// The legal moves of each piece.
fn by_origin(position: &Position) -> Vec<(Origin, Vec<OfferOf<Game>>)> {
    let mut groups: Vec<(Origin, Vec<OfferOf<Game>>)> = Vec::new();
    for legal in legal(position) {
        let text: Arc<str> = legal.to_string().into();
        let taken = position.piece_at(legal.to()).map(|piece| format!(", takes {}", piece.kind.name()));
        let label = format!("{}{}", legal.to(), taken.unwrap_or_default());
        let offer = Offer::send(label, Command::Move { text }).answered(&Answer::Possible);
        match groups.iter_mut().find(|(known, _)| *known == legal.origin()) {
            Some((_, offers)) => offers.push(offer),
            None => groups.push((legal.origin(), Vec::from([offer]))),
        }
    }
    groups
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
