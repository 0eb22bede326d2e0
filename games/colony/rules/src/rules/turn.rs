//! Rounds and turns: the order of the players, and the commands of a turn.

use alloc::vec::Vec;

use super::{Deed, Flow, Fold, Stop, is_late};
use crate::{
    board::DEADLY,
    command::Command,
    event::Event,
    game::{Omen, Stage, Turn},
    ids::{CharacterIx, PlayerId},
    opening,
    refusal::Refusal,
};

impl Fold<'_> {
    /// Starts a round, up to its first turn.
    pub(super) fn next_round(&mut self) {
        let (now, rounds) = (self.board.round + 1, self.setup.scenario.goal.rounds);
        let round = if self.setup.switches.rounds_count_up { now } else { rounds + 1 - now };
        self.all(Event::NextRound { round });
        let crisis = self.setup.scenario.crisis(self.crises[now as usize - 1]).id;
        self.all(Event::Crisis { crisis });
        for at in 0..self.board.players.len() {
            let player = PlayerId(at as u16);
            if self.board.player(player).present {
                let survivors = self.board.player(player).survivors.len();
                for _ in 0..=survivors {
                    self.roll_die(player);
                }
            }
        }
        let player = self.board.first_present();
        self.stage = Stage::Playing(Turn { player, begun: false, omen: None, vote: None });
    }

    pub(super) fn roll_die(&mut self, player: PlayerId) {
        let value = opening::roll(&mut self.random);
        self.all(Event::DieRolled { player, value });
    }

    /// Advances the game until a player is asked for a command.
    pub(super) fn settle(&mut self) -> Flow {
        loop {
            let turn = *self.turn();
            if turn.vote.is_some() {
                return Ok(());
            }
            match turn.player {
                Some(player) if turn.begun => {
                    self.ask(player, Event::ActNow {});
                    return Ok(());
                }
                Some(player) => self.begin_turn(player)?,
                None => {
                    self.colony_phase()?;
                    self.next_round();
                }
            }
        }
    }

    fn begin_turn(&mut self, player: PlayerId) -> Flow {
        self.board(Event::TurnBegan { player });
        let waste = self.board.waste;
        let omen = self.fates.pop().map(|fate| Omen { fate, player, waste });
        *self.turn() = Turn { player: Some(player), begun: true, omen, vote: None };

        let frozen = |&character: &CharacterIx| self.board.survivor(character).frostbites > 0;
        let frozen: Vec<CharacterIx> = self.board.player(player).survivors.iter().copied().filter(frozen).collect();
        for character in frozen {
            for _ in 0..self.board.survivor(character).frostbites {
                self.all(Event::Wounded { character: self.character_id(character) });
                if self.board.survivor(character).injuries() >= DEADLY {
                    self.kill(character, Event::SurvivorKilled { character: self.character_id(character) })?;
                    break;
                }
            }
        }
        Ok(())
    }

    /// Ends the turn at once. An action that is still in progress is completed before the next turn begins.
    pub(super) fn pass_turn(&mut self, player: PlayerId) {
        self.board(Event::TurnEnded { player });
        let next = self.board.next_present(player);
        let turn = self.turn();
        turn.player = next;
        turn.begun = false;
    }

    /// Ends the turn if it is this player's.
    pub(super) fn pass_turn_of(&mut self, player: PlayerId) {
        if self.turn().player == Some(player) {
            self.pass_turn(player);
        }
    }

    /// Handles a command during the rounds.
    pub(super) fn play(&mut self, turn: Turn, player: PlayerId, command: &Command) -> Flow {
        if let Some(vote) = turn.vote {
            return self.take_vote(vote, player, command);
        }
        // `settle` returns only when a player is asked for a command.
        let active = turn.player.expect("a player has the turn");
        if player != active {
            let late = is_late(command);
            let refusal = if late { Refusal::AlreadyStarted {} } else { Refusal::NotYourTurn { turn: active } };
            self.refuse_player(player, refusal);

            return Ok(());
        }
        match self.act(player, command) {
            Ok(deed) => {
                self.meet_fate(deed)?;
                self.settle()
            }
            Err(Stop::Refused(refusal)) => {
                self.refuse_player(player, refusal);
                self.ask(player, Event::ActNow {});
                Ok(())
            }
            Err(Stop::Over) => Err(super::Over),
        }
    }

    fn act(&mut self, player: PlayerId, command: &Command) -> Result<Deed, Stop> {
        match *command {
            Command::Move { character, location, fuel } => {
                self.move_character(player, character, location, fuel.unwrap_or(false))
            }
            Command::Attack { character, entrance } => self.attack(player, character, entrance),
            Command::Barricade { character, entrance } => self.barricade(player, character, entrance),
            Command::Search { character } => self.search(player, character),
            Command::CleanWaste { character } => self.clean_waste(player, character),
            Command::ContributeCard { card } => self.contribute(player, card),
            Command::UseCard { card, character, target } => self.use_card(player, card, character, target),
            Command::UseAbility { character, target } => self.use_ability(player, character, target),
            Command::EndTurn {} => {
                self.turn().omen = None;
                self.pass_turn(player);
                Ok(Deed::Other)
            }
            Command::Leave {} => {
                self.turn().omen = None;
                self.leave(player)?;
                Ok(Deed::Other)
            }
            Command::Vote { .. } if self.setup.switches.fate => Err(Refusal::NoVoteNow {}.into()),
            Command::Vote { .. } => Err(Refusal::NotInEdition { edition: self.setup.edition }.into()),
            Command::Register { .. } | Command::StartGame {} => Err(Refusal::AlreadyStarted {}.into()),
            Command::SelectCharacters { .. } => Err(Refusal::NothingToChoose {}.into()),
            Command::WrongArguments { command, given } => Err(Refusal::WrongArguments { command, given }.into()),
        }
    }
}
