//! The menus for a person. The rules decide which commands are possible, and give the reason for the others.

use std::collections::BTreeMap;

use colony_rules::{
    Asked, Board, CardIx, CharacterId, CharacterIx, Command, Entrance, LocationIx, Phase, Player, Refusal, Trial, View,
    scenario::{Ability, CardTarget, Scenario},
};

/// A question with its answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Menu {
    pub(crate) title: String,
    pub(crate) items: Vec<Item>,
}

/// One answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) label: String,
    pub(crate) then: Then,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Then {
    /// Sends a command. If the rules would refuse it, `refusal` has the refusal and its text.
    Send { command: Command, refusal: Option<(Refusal, String)> },
    /// Opens another menu.
    Open(Menu),
}

impl Item {
    /// The reason why this is not possible now; `None` if it is possible.
    pub(crate) fn why_not(&self) -> Option<String> {
        match &self.then {
            Then::Send { refusal, .. } => refusal.as_ref().map(|(_, why)| why.clone()),
            Then::Open(menu) => menu.why_not(),
        }
    }
}

impl Menu {
    /// If no item is possible, the most frequent reason.
    fn why_not(&self) -> Option<String> {
        let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
        for item in &self.items {
            *reasons.entry(item.why_not()?).or_default() += 1;
        }
        let most = reasons.into_iter().max_by_key(|(_, count)| *count).map(|(reason, _)| reason);
        Some(most.unwrap_or_else(|| "There is nothing to choose from.".into()))
    }
}

/// The menu for the client of a view. If the client has no choices, the title tells what the game is waiting for.
pub(crate) fn menu(view: &View) -> Menu {
    let board = &view.board;
    let Some(me) = view.me() else { return told("You are not in the game yet.") };
    if !me.present {
        return told("You are out of the game.");
    }
    match (view.asked, view.trial()) {
        (Asked::Characters(offered), Some(trial)) => choose_characters(&MenuContext { board, me, trial }, offered),
        (Asked::Act, Some(trial)) => act(&MenuContext { board, me, trial }),
        (Asked::Vote, Some(trial)) => vote(&MenuContext { board, me, trial }),
        (Asked::Nothing, _) | (_, None) => waiting(board),
    }
}

fn told(title: &str) -> Menu {
    Menu { title: title.into(), items: Vec::new() }
}

fn waiting(board: &Board) -> Menu {
    let name = |player| board.player(player).name.to_string();
    match board.phase {
        Phase::Registration => {
            let most = board.setup().scenario.max_players;
            let title = format!("{} of at most {most} players are here. Start?", board.players.len());
            let start = Then::Send { command: Command::StartGame {}, refusal: None };
            Menu { title, items: vec![Item { label: "Start the game".into(), then: start }] }
        }
        Phase::Preparation { player: Some(player) } => told(&format!("{} is choosing characters.", name(player))),
        Phase::Turns { player: Some(player) } => match board.vote {
            Some(asked) => told(&format!("{} is asked for a vote.", name(asked))),
            None => told(&format!("{} has the turn.", name(player))),
        },
        Phase::Over { outcome } => told(&format!("The game is over: {outcome}.")),
        Phase::Preparation { player: None } | Phase::Turns { player: None } | Phase::Colony => {
            told("The game goes on.")
        }
    }
}

fn choose_characters(context: &MenuContext<'_>, offered: [CharacterId; 4]) -> Menu {
    let label = |id: CharacterId| match context.board.setup().character_ix(id) {
        Some(character) => describe(context.board, character),
        None => format!("character {id}"),
    };
    let second = |first: CharacterId| {
        let others = offered.into_iter().filter(|&other| other != first);
        let items = others.map(|second| context.send(label(second), Command::SelectCharacters { first, second }));
        Menu { title: format!("Who comes along with {}?", context.name(first)), items: items.collect() }
    };
    let items = offered.map(|first| Item { label: label(first), then: Then::Open(second(first)) });
    Menu { title: "Choose two characters. The first?".into(), items: items.into() }
}

/// A character with its skills and ability.
pub(crate) fn describe(board: &Board, character: CharacterIx) -> String {
    let skills = board.setup().scenario.character(character);
    let ability = board.setup().tell_ability(character);
    format!("{} (attack {}+, search {}+): {ability}", skills.name, skills.attack, skills.search)
}

fn vote(context: &MenuContext<'_>) -> Menu {
    let [yes, no] = context.board.tell_choice().unwrap_or_default();
    let items = vec![
        context.send(format!("Yes: {yes}"), Command::Vote { answer: true }),
        context.send(format!("No: {no}"), Command::Vote { answer: false }),
    ];
    Menu { title: "Vote. With as many yes as no it is yes.".into(), items }
}

fn act(context: &MenuContext<'_>) -> Menu {
    let own = || context.me.survivors.iter().copied();
    let each =
        |title: &str, of: &dyn Fn(CharacterIx) -> Item| Menu { title: title.into(), items: own().map(of).collect() };
    let leave = context.send("Yes: your characters die, and the morale falls".into(), Command::Leave {});
    let items = vec![
        open("Move", each("Who moves?", &|who| context.moves(who))),
        open("Attack", each("Who attacks?", &|who| context.attacks(who))),
        open("Barricade", each("Who builds?", &|who| context.barricades(who))),
        open("Search", each("Who searches?", &|who| context.search(who))),
        open("Dispose of waste", each("Who disposes of waste?", &|who| context.clean(who))),
        open("Give to the crisis", context.contributions()),
        open("Play a card", context.cards()),
        open("Use an ability", each("Whose ability?", &|who| context.ability(who))),
        context.send("End the turn".into(), Command::EndTurn {}),
        open("Leave the game", Menu { title: "Leave the game for good?".into(), items: vec![leave] }),
    ];
    Menu { title: "Your turn. What will you do?".into(), items }
}

fn open(label: impl Into<String>, menu: Menu) -> Item {
    Item { label: label.into(), then: Then::Open(menu) }
}

/// Builds the menus of a player's turn.
struct MenuContext<'d> {
    board: &'d Board,
    me: &'d Player,
    trial: Trial,
}

impl MenuContext<'_> {
    fn scenario(&self) -> &Scenario {
        &self.board.setup().scenario
    }

    fn send(&self, label: String, command: Command) -> Item {
        let refusal = self.trial.refusal(&command).map(|refusal| (refusal, self.board.tell_refusal(&refusal)));
        Item { label, then: Then::Send { command, refusal } }
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
        place_name(self.board, location)
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

    fn moves(&self, who: CharacterIx) -> Item {
        let by_move = self.board.setup().switches.fuel_by_move;
        let ways: &[Option<bool>] = if by_move { &[Some(false), Some(true)] } else { &[None] };
        let items = self.locations().flat_map(|place| ways.iter().map(move |&fuel| (place, fuel)));
        let items = items.map(|(place, fuel)| {
            let location = self.scenario().location(place).id;
            let how = if fuel == Some(true) { " with fuel, without danger" } else { "" };
            self.send(
                format!("to {}{how}", self.place(place)),
                Command::Move { character: self.id(who), location, fuel },
            )
        });
        let title = format!("Where does {} go?", self.scenario().character(who).name);
        open(self.who(who), Menu { title, items: items.collect() })
    }

    fn attacks(&self, who: CharacterIx) -> Item {
        let character = self.id(who);
        let items =
            self.entrances(who).map(|(entrance, text)| self.send(text, Command::Attack { character, entrance }));
        let needed = self.scenario().character(who).attack;
        open(
            format!("{}, with a die of {needed}+", self.who(who)),
            Menu { title: "Where?".into(), items: items.collect() },
        )
    }

    fn barricades(&self, who: CharacterIx) -> Item {
        let character = self.id(who);
        let items =
            self.entrances(who).map(|(entrance, text)| self.send(text, Command::Barricade { character, entrance }));
        open(self.who(who), Menu { title: "Where?".into(), items: items.collect() })
    }

    fn search(&self, who: CharacterIx) -> Item {
        let needed = self.scenario().character(who).search;
        self.send(format!("{}, with a die of {needed}+", self.who(who)), Command::Search { character: self.id(who) })
    }

    fn clean(&self, who: CharacterIx) -> Item {
        self.send(self.who(who), Command::CleanWaste { character: self.id(who) })
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

    fn contributions(&self) -> Menu {
        let items = self.hand().into_iter().map(|(card, label)| {
            let card = self.scenario().card(card).id;
            self.send(label, Command::ContributeCard { card })
        });
        Menu { title: "Which card?".into(), items: items.collect() }
    }

    fn cards(&self) -> Menu {
        let items = self.hand().into_iter().map(|(card, label)| self.card(card, label));
        Menu { title: "Which card?".into(), items: items.collect() }
    }

    fn card(&self, at: CardIx, label: String) -> Item {
        let card = self.scenario().card(at).id;
        let own = || self.me.survivors.iter().copied();
        let play = |who: CharacterIx, target: i32| Command::UseCard {
            card,
            character: Some(self.id(who)),
            target: Some(target),
        };
        match self.board.card_kind(at).target() {
            None => self.send(label, Command::UseCard { card, character: None, target: None }),
            Some(CardTarget::Location) => {
                let users = own().map(|who| {
                    let places = self.locations().map(|place| {
                        self.send(format!("to {}", self.place(place)), play(who, self.scenario().location(place).id.0))
                    });
                    open(self.who(who), Menu { title: "Where to?".into(), items: places.collect() })
                });
                open(label, Menu { title: "Who moves?".into(), items: users.collect() })
            }
            Some(CardTarget::Entrance) => {
                let items = self.one_at_each_place().into_iter().flat_map(|who| {
                    self.entrances(who).map(move |(entrance, text)| self.send(text, play(who, entrance.0)))
                });
                open(label, Menu { title: "Where?".into(), items: items.collect() })
            }
            Some(CardTarget::Character) => {
                let items = self.one_at_each_place().into_iter().flat_map(|who| {
                    self.beside(who).map(move |target| self.send(self.patient(target), play(who, self.id(target).0)))
                });
                open(label, Menu { title: "For whom?".into(), items: items.collect() })
            }
        }
    }

    fn ability(&self, who: CharacterIx) -> Item {
        let character = self.id(who);
        let label = format!("{}: {}", self.scenario().character(who).name, self.board.setup().tell_ability(who));
        let on = |target: i32| Command::UseAbility { character, target: Some(target) };
        match self.scenario().character(who).ability {
            Ability::Feed { .. }
            | Ability::Wound { .. }
            | Ability::NoInfection
            | Ability::Search { .. }
            | Ability::Trash { .. } => self.send(label, Command::UseAbility { character, target: None }),
            Ability::Heal => {
                let items = self.beside(who).map(|target| self.send(self.patient(target), on(self.id(target).0)));
                open(label, Menu { title: "For whom?".into(), items: items.collect() })
            }
            Ability::Barricade { .. } | Ability::Kill { .. } => {
                let items = self.entrances(who).map(|(entrance, text)| self.send(text, on(entrance.0)));
                open(label, Menu { title: "Where?".into(), items: items.collect() })
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

/// The name of a location. The scenario has no name for the colony.
pub(super) fn place_name(board: &Board, location: LocationIx) -> String {
    let scenario = &board.setup().scenario;
    if location == scenario.colony { "the colony".into() } else { scenario.location(location).name.to_string() }
}
