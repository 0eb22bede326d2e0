//! The offers of a client: registering, sending half a map, and steps.
//!
//! The rules punish mistakes instead of refusing them, so only what is no mistake is offered, and the rules need not be asked.

use alloc::{format, vec::Vec};

use engine::{Answer, Argument, JavaRandom, Offer, OfferOf, Offers, OffersOf};

use crate::{
    asked::direction_of,
    board::Board,
    border::blocked_border,
    chart::Chart,
    command::Command,
    game::Game,
    half,
    map::{Direction, Field, Position, Terrain},
    player::Player,
    private::Private,
    profile::Profile,
    view::View,
};

pub(crate) fn candidates(view: &View) -> OffersOf<Game> {
    let board = &view.board;
    if board.outcome().is_some() {
        return Offers::none("The game is over.");
    }
    let Some(private) = &view.private else { return newcomer(board) };
    let player = private.player;
    let has_half = board.entrant(player).is_some_and(|entrant| entrant.half);
    let is_turn = board.turn() == Some(player);
    if !has_half && (board.profile().halves_any_order || is_turn) {
        return Offers::new("Send your half of the map.", [send_half(board)]);
    }
    match private.at {
        Some(at) if is_turn && board.halves() == 2 => Offers::new("Your turn. Where to?", steps(board, private, at)),
        Some(_) | None if board.has_begun() => Offers::none("It is the opponent's turn."),
        Some(_) | None => Offers::none("The game begins when the second player registers."),
    }
}

/// Draws what a client fills in freely: its id, or its half.
pub(crate) fn fill_free(view: &View, command: &Command, random: &mut JavaRandom) -> Command {
    match command {
        Command::Register { first_name, last_name, account, .. } => Command::Register {
            id: format!("{:016x}", random.next_long()).into(),
            first_name: first_name.clone(),
            last_name: last_name.clone(),
            account: account.clone(),
        },
        Command::SendHalf { coding, .. } => {
            Command::SendHalf { fields: fitting_half(&view.board, random), coding: *coding }
        }
        Command::Move { .. } | Command::Update { .. } | Command::Garbled { .. } | Command::Remove {} => command.clone(),
    }
}

/// A random half that is valid in every version of the rulebook, and that fits to the other half.
fn fitting_half(board: &Board, random: &mut JavaRandom) -> Vec<Field> {
    let strictest = board.profile().halves_in_version(1);
    loop {
        let fields = half::random(&strictest, random);
        let is_open = |chart: &Chart| {
            let terrain = |at: Position| fields.iter().find(|field| field.at == at).map(|field| field.terrain);
            blocked_border(&strictest, chart, terrain).is_none()
        };
        if board.chart().is_none_or(is_open) {
            return fields;
        }
    }
}

fn newcomer(board: &Board) -> OffersOf<Game> {
    let registered = Player::BOTH.into_iter().filter(|player| board.entrant(*player).is_some()).count();
    if registered == Player::BOTH.len() {
        return Offers::none("Two players are registered already.");
    }
    let &Profile { least_name: least, most_name, most_account, .. } = &**board.profile();
    let command = Command::Register {
        id: format!("player-{}", registered + 1).into(),
        first_name: "Ana".into(),
        last_name: "Lund".into(),
        account: "a1".into(),
    };
    let arguments = [
        Argument::free("id", "Your secret id", "a text that no other player knows, of at most 64 characters"),
        Argument::text("first_name", "Your first name", least, most_name),
        Argument::text("last_name", "Your last name", least, most_name),
        Argument::text("account", "Your account", least, most_account),
    ];
    Offers::new("You are not in the game yet.", [possible(Offer::fill_in("Register", command, arguments))])
}

fn send_half(board: &Board) -> OfferOf<Game> {
    let fields = fitting_half(board, &mut JavaRandom::new(0));
    let size = board.profile().size();
    let about = format!("a list of {size} fields: {{\"at\": {{\"x\", \"y\"}}, \"terrain\", \"fort\"}}");
    let fields = (Command::SendHalf { fields, coding: None }, [Argument::free("fields", "Your half", about)]);
    possible(Offer::fill_in("Send half a map", fields.0, fields.1))
}

/// The steps to dry fields, and waiting where that is possible.
fn steps(board: &Board, private: &Private, at: Position) -> Vec<OfferOf<Game>> {
    let dry = |direction: &Direction| {
        let chart = board.chart()?;
        let to = chart.step(at, *direction)?;
        chart.terrain(to).filter(|terrain| *terrain != Terrain::Water).map(|_| (*direction, to))
    };
    let here = (i32::from(at.x), i32::from(at.y));
    let update = |wanted: (i32, i32), turns: u8| Command::Update {
        x: here.0,
        y: here.1,
        wanted_x: wanted.0,
        wanted_y: wanted.1,
        turns: turns.into(),
    };
    let mut offers: Vec<OfferOf<Game>> = Direction::ALL
        .iter()
        .filter_map(dry)
        .map(|(direction, to)| {
            let left =
                private.progress.filter(|progress| progress.direction == direction).map(|progress| progress.left);
            let cost = board.chart().map_or(0, |chart| chart.cost(at, direction));
            let wanted = (i32::from(to.x), i32::from(to.y));
            debug_assert_eq!(direction_of(here, wanted), Some(direction), "the next field is a neighbour");
            let (command, left) = if board.profile().counts_down {
                let turns = left.map_or(cost, |left| left - 1);
                (update(wanted, turns), turns)
            } else {
                (Command::Move { direction }, left.unwrap_or(cost) - 1)
            };
            let more = if left == 0 { ", arrive now".into() } else { format!(", {left} more after this") };
            possible(Offer::send(format!("Go {} to {to}{more}", direction.word()), command))
        })
        .collect();
    if board.profile().counts_down {
        offers.push(possible(Offer::send("Wait", update(here, 0))));
    }
    offers
}

fn possible(offer: OfferOf<Game>) -> OfferOf<Game> {
    offer.answered(&Answer::Possible)
}
