//! Registration, before the game starts.

use engine::CommId;

use super::{Flow, Fold, Over};
use crate::{command::Command, event::Event, ids::PlayerId, refusal::Refusal};

impl Fold<'_> {
    pub(super) fn register(&mut self, client: CommId, command: &Command) -> Flow {
        let registered = self.player_of(client);
        match (command, registered) {
            (Command::Register { .. }, Some(player)) => self.refuse(client, Refusal::AlreadyRegistered { player }),
            (Command::Register { name }, None) => {
                // A scenario allows fewer players than it has characters, so the number fits into 16 bits.
                let player = PlayerId(self.clients.len() as u16);
                self.clients.push(client);
                self.outbox.seat(client);
                self.board(Event::Registered { player, name: name.clone() });
                self.outbox.only(client, Event::Config {});
                let most = usize::from(self.setup.scenario.max_players);
                if self.clients.len() == most {
                    return self.start_game();
                }
                self.start_deadline();
            }
            (Command::StartGame {}, Some(_)) => return self.start_game(),
            (Command::StartGame {}, None) => self.refuse(client, Refusal::NotRegistered {}),
            (
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
                | Command::Vote { .. }
                | Command::WrongArguments { .. },
                _,
            ) => return self.abort(),
        }
        Ok(())
    }

    pub(super) fn abort(&mut self) -> Flow {
        self.all(Event::RegistrationAborted {});
        Err(Over)
    }

    fn start_game(&mut self) -> Flow {
        self.all(Event::GameStarted {});
        for at in 0..self.clients.len() {
            let name = self.board.players[at].name.clone();
            self.all(Event::Player { player: PlayerId(at as u16), name });
        }
        self.offer(PlayerId(0));
        Ok(())
    }
}
