//! The strategy `random`: random commands that are mostly legal.

use clients::pick;
use colony_rules::{
    Asked, CardIx, CharacterId, CharacterIx, Command, Entrance, LocationId, View,
    scenario::{Ability, CardTarget},
};
use engine::JavaRandom;

/// An idea for a character; `None` if it is not possible.
type Idea = fn(&View, CharacterIx, &mut JavaRandom) -> Option<Command>;

/// The ideas from which a turn's command is drawn. A repeated idea is more likely.
const IDEAS: &[Idea] =
    &[walk, walk, attack, attack, barricade, search, search, search, clean, contribute, card, card, ability, end];

pub(crate) fn decide(view: &View, random: &mut JavaRandom) -> Command {
    match view.asked {
        Asked::Characters(offered) => {
            let first = random.next_below(4) as usize;
            let second = (first + 1 + random.next_below(3) as usize) % 4;
            Command::SelectCharacters { first: offered[first], second: offered[second] }
        }
        Asked::Vote => Command::Vote { answer: random.next_boolean() },
        Asked::Act => act(view, random).unwrap_or(Command::EndTurn {}),
        Asked::Nothing => Command::EndTurn {},
    }
}

fn act(view: &View, random: &mut JavaRandom) -> Option<Command> {
    let character = pick(&view.me()?.survivors, random)?;
    pick(IDEAS, random)?(view, character, random)
}

fn end(_: &View, _: CharacterIx, _: &mut JavaRandom) -> Option<Command> {
    Some(Command::EndTurn {})
}

fn walk(view: &View, character: CharacterIx, random: &mut JavaRandom) -> Option<Command> {
    let fuel = view.board.setup().switches.fuel_by_move && random.next_below(4) == 0;
    Some(Command::Move { character: id(view, character), location: some_location(view, random)?, fuel: Some(fuel) })
}

fn attack(view: &View, character: CharacterIx, random: &mut JavaRandom) -> Option<Command> {
    Some(Command::Attack { character: id(view, character), entrance: some_entrance(view, character, random) })
}

fn barricade(view: &View, character: CharacterIx, random: &mut JavaRandom) -> Option<Command> {
    Some(Command::Barricade { character: id(view, character), entrance: some_entrance(view, character, random) })
}

fn search(view: &View, character: CharacterIx, _: &mut JavaRandom) -> Option<Command> {
    Some(Command::Search { character: id(view, character) })
}

fn clean(view: &View, character: CharacterIx, _: &mut JavaRandom) -> Option<Command> {
    Some(Command::CleanWaste { character: id(view, character) })
}

fn contribute(view: &View, _: CharacterIx, random: &mut JavaRandom) -> Option<Command> {
    Some(Command::ContributeCard { card: card_id(view, pick(&view.me()?.hand, random)?) })
}

fn card(view: &View, character: CharacterIx, random: &mut JavaRandom) -> Option<Command> {
    let card = pick(&view.me()?.hand, random)?;
    let target = match view.board.card_kind(card).target() {
        None => None,
        Some(CardTarget::Entrance) => Some(some_entrance(view, character, random).0),
        Some(CardTarget::Location) => Some(some_location(view, random)?.0),
        Some(CardTarget::Character) => Some(some_neighbour(view, character, random)?.0),
    };
    let character = target.map(|_| id(view, character));
    Some(Command::UseCard { card: card_id(view, card), character, target })
}

fn ability(view: &View, character: CharacterIx, random: &mut JavaRandom) -> Option<Command> {
    let target = match view.board.setup().scenario.character(character).ability {
        Ability::Heal => Some(some_neighbour(view, character, random)?.0),
        Ability::Barricade { .. } | Ability::Kill { .. } => Some(some_entrance(view, character, random).0),
        Ability::Feed { .. } => None,
        Ability::Wound { .. } | Ability::NoInfection | Ability::Search { .. } | Ability::Trash { .. } => None,
    };
    Some(Command::UseAbility { character: id(view, character), target })
}

fn some_location(view: &View, random: &mut JavaRandom) -> Option<LocationId> {
    let locations = &view.board.setup().scenario.locations;
    Some(locations[random.next_below(locations.len().try_into().ok()?) as usize].id)
}

fn some_entrance(view: &View, character: CharacterIx, random: &mut JavaRandom) -> Entrance {
    let entrances = view.board.entrances(view.board.survivor(character).location).len();
    Entrance(random.next_below(entrances.try_into().unwrap_or(1)))
}

/// A character at the same location, perhaps the character itself.
fn some_neighbour(view: &View, character: CharacterIx, random: &mut JavaRandom) -> Option<CharacterId> {
    let here: Vec<_> = view.board.survivors_at(view.board.survivor(character).location).collect();
    Some(id(view, pick(&here, random)?))
}

fn id(view: &View, character: CharacterIx) -> CharacterId {
    view.board.setup().scenario.character(character).id
}

fn card_id(view: &View, card: CardIx) -> colony_rules::CardId {
    view.board.setup().scenario.card(card).id
}
