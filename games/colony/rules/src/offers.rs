//! The offers of a client: what it can think of doing, in words. The rules themselves decide what is possible.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use engine::{Argument, Offer, OfferOf, Offers, OffersOf};

use crate::{
    board::{Board, Phase, Player},
    command::Command,
    game::Game,
    ids::{CardIx, CharacterId, CharacterIx, Entrance, LocationIx},
    scenario::{Ability, CardTarget, Scenario},
    view::{Asked, View},
};

/// The longest name of a player that clients are asked for, in characters.
const LONGEST_NAME: usize = 64;

/// The candidates for the client of a view. If it has none, the title tells what the game is waiting for.
pub(crate) fn candidates(view: &View) -> OffersOf<Game> {
    let board = &view.board;
    let Some(me) = view.me() else { return newcomer(board) };
    if !me.present {
        return Offers::none("You are out of the game.");
    }
    let context = Context { board, me };
    match view.asked {
        Asked::Characters(offered) => choose_characters(&context, offered),
        Asked::Act => act(&context),
        Asked::Vote => vote(&context),
        Asked::Nothing => waiting(board),
    }
}

/// A client that has not registered.
fn newcomer(board: &Board) -> OffersOf<Game> {
    if board.phase != Phase::Registration {
        return Offers::none("You are not in the game.");
    }
    let name = Argument::name("name", "Your name", LONGEST_NAME);
    let register = Offer::fill_in("Take part", Command::Register { name: "Ana".into() }, [name]);
    Offers::new("You are not in the game yet.", [register])
}

fn waiting(board: &Board) -> OffersOf<Game> {
    let name = |player| board.player(player).name.to_string();
    match board.phase {
        Phase::Registration => {
            let most = board.setup().scenario.max_players;
            let title = format!("{} of at most {most} players are here. Start?", board.players.len());
            Offers::new(title, [Offer::send("Start the game", Command::StartGame {}).aside()])
        }
        Phase::Preparation { player: Some(player) } => {
            Offers::none(format!("{} is choosing characters.", name(player)))
        }
        Phase::Turns { player: Some(player) } => match board.vote {
            Some(asked) => Offers::none(format!("{} is asked for a vote.", name(asked))),
            None => Offers::none(format!("{} has the turn.", name(player))),
        },
        Phase::Over { outcome } => Offers::none(format!("The game is over: {outcome}.")),
        Phase::Preparation { player: None } | Phase::Turns { player: None } | Phase::Colony => {
            Offers::none("The game goes on.")
        }
    }
}

fn choose_characters(context: &Context<'_>, offered: [CharacterId; 4]) -> OffersOf<Game> {
    let label = |id: CharacterId| match context.board.setup().character_ix(id) {
        Some(character) => context.board.tell_character(character),
        None => format!("character {id}"),
    };
    let second = |first: CharacterId| {
        let others = offered.into_iter().filter(|&other| other != first);
        let items = others.map(|second| Offer::send(label(second), Command::SelectCharacters { first, second }));
        Offers::new(format!("Who comes along with {}?", context.name(first)), items)
    };
    let items = offered.map(|first| Offer::choose(label(first), second(first)));
    Offers::new("Choose two characters. The first?", items)
}

fn vote(context: &Context<'_>) -> OffersOf<Game> {
    let [yes, no] = context.board.tell_choice().unwrap_or_default();
    let items = [
        Offer::send(format!("Yes: {yes}"), Command::Vote { answer: true }),
        Offer::send(format!("No: {no}"), Command::Vote { answer: false }),
    ];
    Offers::new("Vote. With as many yes as no it is yes.", items)
}

fn act(context: &Context<'_>) -> OffersOf<Game> {
    let own = || context.me.survivors.iter().copied();
    let each = |title: &str, of: &dyn Fn(CharacterIx) -> OfferOf<Game>| Offers::new(title, own().map(of));
    let leave = Offer::send("Yes: your characters die, and the morale falls", Command::Leave {});
    let items = [
        Offer::choose("Move", each("Who moves?", &|who| context.moves(who))),
        Offer::choose("Attack", each("Who attacks?", &|who| context.attacks(who))),
        Offer::choose("Barricade", each("Who builds?", &|who| context.barricades(who))),
        Offer::choose("Search", each("Who searches?", &|who| context.search(who))),
        Offer::choose("Dispose of waste", each("Who disposes of waste?", &|who| context.clean(who))),
        Offer::choose("Give to the crisis", context.contributions()),
        Offer::choose("Play a card", context.cards()),
        Offer::choose("Use an ability", each("Whose ability?", &|who| context.ability(who))),
        Offer::send("End the turn", Command::EndTurn {}),
        Offer::choose("Leave the game", Offers::new("Leave the game for good?", [leave])).aside(),
    ];
    Offers::new("Your turn. What will you do?", items)
}

/// The facts that the offers of a player are made from.
struct Context<'d> {
    board: &'d Board,
    me: &'d Player,
}

impl Context<'_> {
    fn scenario(&self) -> &Scenario {
        &self.board.setup().scenario
    }

    fn id(&self, character: CharacterIx) -> CharacterId {
        self.scenario().character(character).id
    }

    fn name(&self, character: CharacterId) -> String {
        let at = self.board.setup().character_ix(character);
        at.map_or_else(|| character.to_string(), |at| self.scenario().character(at).name.to_string())
    }

    /// One of the player's characters and its location.
    fn who(&self, character: CharacterIx) -> String {
        let place = self.place(self.board.survivor(character).location);
        format!("{} at {place}", self.scenario().character(character).name)
    }

    fn place(&self, location: LocationIx) -> String {
        self.board.location_name(location)
    }

    fn locations(&self) -> impl Iterator<Item = LocationIx> + use<> {
        (0..self.scenario().locations.len()).map(LocationIx::from)
    }

    /// The entrances of a character's location, each with its zombies and barricades.
    fn entrances(&self, character: CharacterIx) -> impl Iterator<Item = (Entrance, String)> {
        let place = self.board.survivor(character).location;
        let entrances = self.board.entrances(place).iter().zip(0..);
        entrances.map(move |(state, at)| {
            let (zombies, barricades) = (state.zombies, state.barricades);
            (
                Entrance(at),
                format!("entrance {at} of {} ({zombies} zombies, {barricades} barricades)", self.place(place)),
            )
        })
    }

    fn moves(&self, who: CharacterIx) -> OfferOf<Game> {
        let by_move = self.board.setup().switches.fuel_by_move;
        let ways: &[Option<bool>] = if by_move { &[Some(false), Some(true)] } else { &[None] };
        let items = self.locations().flat_map(|place| ways.iter().map(move |&fuel| (place, fuel)));
        let items = items.map(|(place, fuel)| {
            let location = self.scenario().location(place).id;
            let how = if fuel == Some(true) { " with fuel, without danger" } else { "" };
            Offer::send(
                format!("to {}{how}", self.place(place)),
                Command::Move { character: self.id(who), location, fuel },
            )
        });
        let title = format!("Where does {} go?", self.scenario().character(who).name);
        Offer::choose(self.who(who), Offers::new(title, items))
    }

    fn attacks(&self, who: CharacterIx) -> OfferOf<Game> {
        let character = self.id(who);
        let items =
            self.entrances(who).map(|(entrance, text)| Offer::send(text, Command::Attack { character, entrance }));
        let needed = self.scenario().character(who).attack;
        Offer::choose(format!("{}, with a die of {needed}+", self.who(who)), Offers::new("Where?", items))
    }

    fn barricades(&self, who: CharacterIx) -> OfferOf<Game> {
        let character = self.id(who);
        let items =
            self.entrances(who).map(|(entrance, text)| Offer::send(text, Command::Barricade { character, entrance }));
        Offer::choose(self.who(who), Offers::new("Where?", items))
    }

    fn search(&self, who: CharacterIx) -> OfferOf<Game> {
        let needed = self.scenario().character(who).search;
        Offer::send(format!("{}, with a die of {needed}+", self.who(who)), Command::Search { character: self.id(who) })
    }

    fn clean(&self, who: CharacterIx) -> OfferOf<Game> {
        Offer::send(self.who(who), Command::CleanWaste { character: self.id(who) })
    }

    /// One card of each kind in the hand, and the number of cards of that kind.
    fn hand(&self) -> Vec<(CardIx, String)> {
        let mut sorts: Vec<(CardIx, usize)> = Vec::new();
        for &card in &self.me.hand {
            let kind = self.board.card_kind(card);
            match sorts.iter_mut().find(|(known, _)| self.board.card_kind(*known) == kind) {
                Some((_, count)) => *count += 1,
                None => sorts.push((card, 1)),
            }
        }
        let label = |card: CardIx, count: usize| {
            let times = if count > 1 { format!("{count} x ") } else { String::new() };
            (card, format!("{times}{}", self.board.setup().tell_card(card)))
        };
        sorts.into_iter().map(|(card, count)| label(card, count)).collect()
    }

    fn contributions(&self) -> OffersOf<Game> {
        let items = self.hand().into_iter().map(|(card, label)| {
            let card = self.scenario().card(card).id;
            Offer::send(label, Command::ContributeCard { card })
        });
        Offers::new("Which card?", items)
    }

    fn cards(&self) -> OffersOf<Game> {
        let items = self.hand().into_iter().map(|(card, label)| self.card(card, label));
        Offers::new("Which card?", items)
    }

    fn card(&self, at: CardIx, label: String) -> OfferOf<Game> {
        let card = self.scenario().card(at).id;
        let own = || self.me.survivors.iter().copied();
        let play = |who: CharacterIx, target: i32| Command::UseCard {
            card,
            character: Some(self.id(who)),
            target: Some(target),
        };
        match self.board.card_kind(at).target() {
            None => Offer::send(label, Command::UseCard { card, character: None, target: None }),
            Some(CardTarget::Location) => {
                let users = own().map(|who| {
                    let places = self.locations().map(|place| {
                        Offer::send(
                            format!("to {}", self.place(place)),
                            play(who, self.scenario().location(place).id.0),
                        )
                    });
                    Offer::choose(self.who(who), Offers::new("Where to?", places))
                });
                Offer::choose(label, Offers::new("Who moves?", users))
            }
            Some(CardTarget::Entrance) => {
                let items = self.one_at_each_place().into_iter().flat_map(|who| {
                    self.entrances(who).map(move |(entrance, text)| Offer::send(text, play(who, entrance.0)))
                });
                Offer::choose(label, Offers::new("Where?", items))
            }
            Some(CardTarget::Character) => {
                let items = self.one_at_each_place().into_iter().flat_map(|who| {
                    self.beside(who).map(move |target| Offer::send(self.patient(target), play(who, self.id(target).0)))
                });
                Offer::choose(label, Offers::new("For whom?", items))
            }
        }
    }

    fn ability(&self, who: CharacterIx) -> OfferOf<Game> {
        let character = self.id(who);
        let label = format!("{}: {}", self.scenario().character(who).name, self.board.setup().tell_ability(who));
        let on = |target: i32| Command::UseAbility { character, target: Some(target) };
        match self.scenario().character(who).ability {
            Ability::Feed { .. }
            | Ability::Wound { .. }
            | Ability::NoInfection
            | Ability::Search { .. }
            | Ability::Trash { .. } => Offer::send(label, Command::UseAbility { character, target: None }),
            Ability::Heal => {
                let items = self.beside(who).map(|target| Offer::send(self.patient(target), on(self.id(target).0)));
                Offer::choose(label, Offers::new("For whom?", items))
            }
            Ability::Barricade { .. } | Ability::Kill { .. } => {
                let items = self.entrances(who).map(|(entrance, text)| Offer::send(text, on(entrance.0)));
                Offer::choose(label, Offers::new("Where?", items))
            }
        }
    }

    /// All characters at the same location, including the character itself.
    fn beside(&self, who: CharacterIx) -> impl Iterator<Item = CharacterIx> {
        self.board.survivors_at(self.board.survivor(who).location)
    }

    fn patient(&self, target: CharacterIx) -> String {
        let survivor = self.board.survivor(target);
        format!("{} ({} wounds, {} frostbites)", self.who(target), survivor.wounds, survivor.frostbites)
    }

    /// One of the player's characters at each location. It makes no difference which one plays a card.
    fn one_at_each_place(&self) -> Vec<CharacterIx> {
        let mut there: Vec<CharacterIx> = Vec::new();
        for &own in &self.me.survivors {
            let place = self.board.survivor(own).location;
            if there.iter().all(|&other| self.board.survivor(other).location != place) {
                there.push(own);
            }
        }
        there
    }
}

/// Names for people.
impl Board {
    /// A character with its skills and ability.
    pub fn tell_character(&self, character: CharacterIx) -> String {
        let skills = self.setup().scenario.character(character);
        let ability = self.setup().tell_ability(character);
        format!("{} (attack {}+, search {}+): {ability}", skills.name, skills.attack, skills.search)
    }

    /// The name of a location. The scenario has no name for the colony.
    pub fn location_name(&self, location: LocationIx) -> String {
        let scenario = &self.setup().scenario;
        if location == scenario.colony { "the colony".into() } else { scenario.location(location).name.to_string() }
    }
}
