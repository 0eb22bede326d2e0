//! What a client can do now.

use alloc::{format, string::String, vec::Vec};

use engine::{Answer, Argument, CommId, Imagined, JavaRandom, Offer, Offers, OffersOf, Then};

use crate::{
    board::View,
    chance::Chance,
    command::{Command, Common},
    game::{Resign, ShortGame},
    rules::Short,
    seat::Seat,
    setup::LONGEST_NAME,
};

/// The client of a view in an imagined game, unless it has a seat. Clients with seats are 1 and more.
const STRANGER: CommId = CommId(0);

fn client_of(seat: Seat) -> CommId {
    CommId(seat.0 as u32 + 1)
}

pub(crate) fn candidates<G: ShortGame>(view: &View<G>) -> OffersOf<Short<G>> {
    let board = &view.board;
    match (view.seat, view.game()) {
        _ if board.ending.is_some() => Offers::none("The game is over."),
        (None, _) => join(view),
        (Some(_), None) => {
            let begin = Offer::send("Begin the game", Command::Common(Common::Start {})).aside();
            let (joined, seats) = (board.names().count(), board.setup.seats());
            Offers::new(format!("{joined} of {seats} players are here."), [begin])
        }
        (Some(seat), Some(game)) => {
            let title = match view.turn() {
                Some(_) => "It is your turn.".into(),
                None => waiting(view, game),
            };
            let mut offers = Offers::of_commands(title, view.moves().into_iter().map(Command::Move));
            offers.offers = offers.offers.into_iter().map(|offer| offer.answered(&Answer::Possible)).collect();
            label(&mut offers, game);
            let give_up = || Offer::send("Give up", Command::Common(Common::Resign {})).aside();
            match game.resign(seat) {
                Resign::Loses | Resign::Plays(_) => offers.offers.push(give_up().answered(&Answer::Possible)),
                Resign::Refused(_) => {}
            }
            offers
        }
    }
}

/// Whether a client without a seat can take one: the game has not begun, and no bot has reserved all.
fn has_room<G: ShortGame>(view: &View<G>) -> bool {
    let setup = &view.board.setup;
    if view.board.seats.is_some() {
        return false;
    }
    let for_people = setup.seats() - setup.bots().count();
    view.board.names.iter().take(for_people).any(Option::is_none)
}

fn join<G: ShortGame>(view: &View<G>) -> OffersOf<Short<G>> {
    let board = &view.board;
    let name = format!("Player {}", board.names().count() + 1);
    let join = Command::Common(Common::Join { name: name.into() });
    if !has_room(view) {
        return Offers::none("There is no free seat; you can watch.");
    }
    Offers::new("Take a seat.", [Offer::fill_in("Join", join, [Argument::name("name", "Name", LONGEST_NAME)])])
}

fn waiting<G: ShortGame>(view: &View<G>, game: &G) -> String {
    match game.turn().seats() {
        [seat] => format!("It is the turn of {}.", view.board.name(*seat).map_or("another player", |name| name)),
        _ => "Other players move.".into(),
    }
}

/// Gives every move its label of the game, with a capital letter.
fn label<G: ShortGame>(offers: &mut OffersOf<Short<G>>, game: &G) {
    for offer in &mut offers.offers {
        match &mut offer.then {
            Then::Choose(offers) => label(offers, game),
            Then::Send(template) => {
                if let Command::Move(play) = &template.command {
                    let words = game.label(play);
                    let mut letters = words.chars();
                    offer.label = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
                }
            }
        }
    }
}

pub(crate) fn imagine<G: ShortGame>(view: &View<G>, random: &mut JavaRandom) -> Option<Imagined<Short<G>>> {
    let board = view.board.clone();
    let secret = match &view.own {
        None => None,
        Some(own) => Some(own.imagine(view.seat, &mut Chance::new(random.clone()))?),
    };
    let mut clients: Vec<Option<CommId>> =
        (0..).map(Seat).zip(&board.names).map(|(seat, name)| name.as_ref().map(|_| client_of(seat))).collect();
    let since = board.seats.map_or_else(Vec::new, |seats| (0..seats).map(|_| Some(0)).collect());
    // A seat without a name comes from a faulty server.
    let client = match view.seat {
        Some(seat) => (*clients.get_mut(seat.0)?)?,
        None => STRANGER,
    };
    let version = G::VERSIONS.last().copied().unwrap_or_default();
    Some(Imagined { game: Short { board, secret, clients, random: random.clone(), version, since }, client })
}

/// One of the moves, without the words for all of them; before the beginning, a seat.
pub(crate) fn sample<G: ShortGame>(view: &View<G>, random: &mut JavaRandom) -> Option<Command<G::Move>> {
    if view.seat.is_none() && view.board.ending.is_none() {
        return join(view).leaves().next().map(|leaf| leaf.template.command.clone());
    }
    let mut moves = view.moves();
    let count = i32::try_from(moves.len()).ok().filter(|count| *count > 0)?;
    Some(Command::Move(moves.swap_remove(random.next_below(count) as usize)))
}
