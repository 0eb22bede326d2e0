//! Players choose their characters and get their first cards.

use super::{Flow, Fold};
use crate::{
    command::Command,
    event::Event,
    game::Stage,
    ids::{CharacterId, CharacterIx, PlayerId},
    opening,
    refusal::Refusal,
};

/// The number of cards that a player starts with.
const START_CARDS: usize = 5;

impl Fold<'_> {
    /// Offers four characters to a player.
    pub(super) fn offer(&mut self, player: PlayerId) {
        let game = &mut *self.game;
        let offered = opening::offer(&mut game.random, &mut game.unused);
        game.unused.drain(..offered.len());
        game.stage = Stage::Preparation { player, offered };
        self.board(Event::ChoiceOffered { player });
        let [c0, c1, c2, c3] = offered.map(|character| self.character_id(character));
        self.ask(player, Event::Characters { c0, c1, c2, c3 });
    }

    pub(super) fn prepare(
        &mut self,
        player: PlayerId,
        choosing: PlayerId,
        offered: [CharacterIx; 4],
        command: &Command,
    ) -> Flow {
        let refusal = match *command {
            Command::SelectCharacters { first, second } if player == choosing => {
                match self.choose(offered, first, second) {
                    Ok(chosen) => return self.take_characters(player, offered, chosen),
                    Err(refusal) => refusal,
                }
            }
            Command::Register { .. } | Command::StartGame {} => Refusal::AlreadyStarted {},
            Command::WrongArguments { command, given } => Refusal::WrongArguments { command, given },
            Command::SelectCharacters { .. }
            | Command::Move { .. }
            | Command::Attack { .. }
            | Command::Barricade { .. }
            | Command::Search { .. }
            | Command::CleanWaste { .. }
            | Command::ContributeCard { .. }
            | Command::UseCard { .. }
            | Command::UseAbility { .. }
            | Command::EndTurn {}
            | Command::Leave {}
            | Command::Vote { .. } => Refusal::StillChoosing { player: choosing },
        };
        self.refuse_player(player, refusal);
        Ok(())
    }

    /// Checks a choice, and returns the two characters by ascending identifier.
    fn choose(
        &self,
        offered: [CharacterIx; 4],
        first: CharacterId,
        second: CharacterId,
    ) -> Result<[CharacterIx; 2], Refusal> {
        if first == second {
            return Err(Refusal::SameCharacterTwice { character: first });
        }
        let find = |character: CharacterId| {
            let found = offered.into_iter().find(|&ix| self.character_id(ix) == character);
            found.ok_or_else(|| Refusal::NotOffered {
                character,
                offered: offered.iter().map(|&ix| self.character_id(ix).0).collect(),
            })
        };
        Ok([find(first.min(second))?, find(first.max(second))?])
    }

    fn take_characters(&mut self, player: PlayerId, offered: [CharacterIx; 4], chosen: [CharacterIx; 2]) -> Flow {
        for character in chosen {
            self.all(Event::CharacterSpawned { player, character: self.character_id(character) });
        }
        self.unused.extend(offered.into_iter().filter(|character| !chosen.contains(character)));
        for _ in 0..START_CARDS {
            self.draw(player, self.setup.scenario.colony);
        }
        self.go_on_preparing(player)
    }

    /// Removes a player who did not choose in time. The offered characters stay unused.
    pub(super) fn leave_preparation(&mut self, player: PlayerId, offered: [CharacterIx; 4]) -> Flow {
        self.unused.extend(offered);
        self.say_left(player)?;
        self.go_on_preparing(player)
    }

    fn go_on_preparing(&mut self, player: PlayerId) -> Flow {
        if let Some(next) = self.board.next_present(player) {
            self.offer(next);
            return Ok(());
        }
        let game = &mut *self.game;
        game.random.shuffle(&mut game.unused);
        self.next_round();
        self.settle()
    }
}
