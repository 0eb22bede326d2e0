//! The commands that a player could try now: the ideas of `sensible`, and more.
//!
//! The rules may refuse some of them; the caller removes those.

use colony_rules::{
    Board, CardIx, CharacterIx, Command, Entrance, EntranceState, LocationIx, Player, PlayerId,
    scenario::{CardKind, Scenario},
};

use super::sensible;

/// Distinct commands for a turn. The first one is the choice of `sensible`.
pub(crate) fn choices(board: &Board, player: PlayerId) -> Vec<Command> {
    let seat = SeatView { board, scenario: &board.setup().scenario, me: board.player(player) };
    let mut choices = Vec::new();
    let mut add = |command| {
        if !choices.contains(&command) {
            choices.push(command);
        }
    };
    sensible::ideas(board, player).into_iter().for_each(&mut add);
    add(Command::EndTurn {});
    seat.cards(&mut add);
    for &own in &seat.me.survivors {
        seat.on_the_spot(own, &mut add);
        seat.elsewhere(own, &mut add);
    }
    choices
}

struct SeatView<'b> {
    board: &'b Board,
    scenario: &'b Scenario,
    me: &'b Player,
}

impl SeatView<'_> {
    /// Adds cards that are played alone or given to the crisis.
    fn cards(&self, add: &mut impl FnMut(Command)) {
        if let Some(crisis) = self.board.crisis.map(|crisis| self.scenario.crisis(crisis))
            && self.board.contributed < crisis.required_cards.saturating_add(2)
            && let Some(card) = self.held(|kind| kind.counts_as() == crisis.kind)
        {
            add(Command::ContributeCard { card: self.scenario.card(card).id });
        }
        let alone =
            [self.held(|kind| matches!(kind, CardKind::Food { .. })), self.held(|kind| kind == CardKind::Stuff)];
        for card in alone.into_iter().flatten() {
            add(Command::UseCard { card: self.scenario.card(card).id, character: None, target: None });
        }
    }

    /// Adds commands of a survivor at its location.
    fn on_the_spot(&self, own: CharacterIx, add: &mut impl FnMut(Command)) {
        let character = self.scenario.character(own).id;
        let place = self.board.survivor(own).location;
        if self.board.stack(place) > 0 {
            add(Command::Search { character });
        }
        let zombies = self.entrance(place, |entrance| entrance.zombies > 0);
        let free = self.entrance(place, |entrance| entrance.free() > 0);
        if let Some(entrance) = zombies {
            add(Command::Attack { character, entrance });
            self.play(CardKind::Scissors, own, entrance.0, add);
        }
        if let Some(entrance) = free {
            add(Command::Barricade { character, entrance });
            self.play(CardKind::Lock, own, entrance.0, add);
        }
        if place == self.scenario.colony && self.board.waste > 2 {
            add(Command::CleanWaste { character });
        }
        if self.board.survivor(own).injuries() > 0 {
            self.play(CardKind::Medicine, own, character.0, add);
        }
    }

    /// Adds the moves of a survivor: home, or to one of the places with the most cards and the most room for zombies.
    fn elsewhere(&self, own: CharacterIx, add: &mut impl FnMut(Command)) {
        const PLACES: usize = 2;
        let survivor = self.board.survivor(own);
        if survivor.moved {
            return;
        }
        let all = (0..self.scenario.locations.len()).map(LocationIx::from);
        let (home, mut away): (Vec<_>, Vec<_>) =
            all.filter(|&place| place != survivor.location).partition(|&place| place == self.scenario.colony);
        away.retain(|&place| self.board.stack(place) > 0);
        let worth = |place: LocationIx| {
            let room = |entrance: &EntranceState| i64::from(entrance.free() + 2 * entrance.barricades);
            let room: i64 = self.board.entrances(place).iter().map(room).sum();
            (room - 2 * i64::from(self.board.crowd(place))) * 10 + self.board.stack(place) as i64
        };
        away.sort_by_key(|&place| core::cmp::Reverse(worth(place)));
        for place in home.into_iter().chain(away.into_iter().take(PLACES)) {
            let (character, location) = (self.scenario.character(own).id, self.scenario.location(place).id);
            let by_move = self.board.setup().switches.fuel_by_move;
            let fuel = self.held(|kind| kind == CardKind::Fuel);
            add(Command::Move { character, location, fuel: by_move.then_some(false) });
            match fuel {
                Some(_) if by_move => add(Command::Move { character, location, fuel: Some(true) }),
                Some(_) => self.play(CardKind::Fuel, own, location.0, add),
                None => {}
            }
        }
    }

    fn held(&self, wanted: impl Fn(CardKind) -> bool) -> Option<CardIx> {
        self.me.hand.iter().copied().find(|&card| wanted(self.board.card_kind(card)))
    }

    /// Adds playing a card of a kind, if the player has one.
    fn play(&self, kind: CardKind, user: CharacterIx, target: i32, add: &mut impl FnMut(Command)) {
        if let Some(card) = self.held(|held| held == kind) {
            let character = Some(self.scenario.character(user).id);
            add(Command::UseCard { card: self.scenario.card(card).id, character, target: Some(target) });
        }
    }

    /// The entrance with the most zombies among the wanted ones.
    fn entrance(&self, place: LocationIx, wanted: impl Fn(EntranceState) -> bool) -> Option<Entrance> {
        let like = self.board.entrances(place).iter().zip(0..).filter(|(entrance, _)| wanted(**entrance));
        like.max_by_key(|(entrance, _)| entrance.zombies).map(|(_, at)| Entrance(at))
    }
}
