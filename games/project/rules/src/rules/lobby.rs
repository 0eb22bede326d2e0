//! The lobby: seats, teams and the start.

use alloc::{sync::Arc, vec::Vec};

use engine::CommId;

use super::Fold;
use crate::{
    area::Zone,
    asked::{Admission, check_length},
    board::Seat,
    event::Event,
    game::{GAME_MASTER, Timer},
    player::{Connection, Player, same_id},
    refusal::Refusal,
    team::Team,
    words::Position,
};

impl Fold<'_> {
    pub(super) fn join(&mut self, client: CommId, hash: &Arc<str>) -> Result<(), Refusal> {
        if client == GAME_MASTER {
            return Err(Refusal::NoGameMaster {});
        }
        check_length(hash)?;
        if let Some(own) = self.game.player_of(client).filter(|own| !same_id(&own.hash, hash)) {
            return Err(Refusal::AlreadyJoined { player: own.id });
        }
        let known = match self.game.admits(hash)? {
            Admission::Here(player) | Admission::Back(player) => self.player(player.id),
            Admission::New => None,
        };
        if let Some(at) = known {
            self.come_back(at, client);
            return Ok(());
        }

        self.game.last_id += 1;
        let player = self.game.last_id;
        self.game.players.push(Player::new(player, client, hash));
        self.outbox.seat(client);
        self.board(Event::Joined { player });
        self.tell(self.game.players.len() - 1, Event::Confirmed { player });
        Ok(())
    }

    /// Reconnects a lost player, perhaps with another client. The player keeps its seat, team, position and piece.
    fn come_back(&mut self, at: usize, client: CommId) {
        let player = &mut self.game.players[at];
        let (id, was) = (player.id, player.connection);
        player.connection = Connection::Here;
        let missed = core::mem::take(&mut player.missed_start);
        let before = core::mem::replace(&mut player.client, client);
        let is_new = before != client;
        if is_new {
            self.outbox.unseat(before);
            self.outbox.seat(client);
        }
        if was == Connection::Lost {
            self.outbox.cancel_timer(Timer::Return { player: id });
            self.board(Event::Returned { player: id });
        }
        self.tell(at, Event::Confirmed { player: id });
        if missed || is_new && self.game.board.begun {
            self.tell_start(at);
        }
        self.begin_if_full();
    }

    /// Assigns a team. A player that already has a team gets it again, with its position, because its program may have been
    /// restarted.
    pub(super) fn choose_team(&mut self, client: CommId, id: &Arc<str>, wanted: Team) -> Result<(), Refusal> {
        let at = self.seat(client)?;
        check_length(id)?;

        if let Some(team) = self.game.players[at].team {
            self.tell_team(at, team, Some(id.clone()));
            if self.game.board.begun {
                self.tell_start(at);
            }
            return Ok(());
        }
        let team = if self.game.board.has_room(wanted) { wanted } else { wanted.other() };
        self.game.players[at].team = Some(team);
        self.board(Event::TeamJoined { player: self.game.players[at].id, team });
        self.tell_team(at, team, Some(id.clone()));
        self.begin_if_full();
        Ok(())
    }

    fn tell_team(&mut self, at: usize, team: Team, context: Option<Arc<str>>) {
        let leader = self.game.leader(team) == Some(self.game.players[at].id);
        self.tell(at, Event::TeamGiven { context, team, leader });
    }

    /// Removes a player from the lobby. If it was the leader, the next player of its team becomes the leader.
    pub(super) fn free_seat(&mut self, at: usize) {
        let player = self.game.players.remove(at);
        let led = player.team.filter(|team| self.game.leader(*team) == Some(player.id));
        self.board(Event::Left { player: player.id });
        self.outbox.unseat(player.client);
        let Some(team) = led else { return };
        let next = self.game.leader(team).and_then(|leader| self.player(leader));
        if let Some(next) = next {
            self.tell_team(next, team, None);
        }
    }

    /// Begins the game in the lobby if all seats are taken. A lost player is waited for.
    fn begin_if_full(&mut self) {
        let has_room = Team::BOTH.into_iter().any(|team| self.game.board.has_room(team));
        let is_lost = |player: &Player| player.connection == Connection::Lost;
        let waits = self.game.switches.waits_for_lost && self.game.players.iter().any(is_lost);
        if !self.game.board.begun && !has_room && !waits {
            self.begin();
        }
    }

    fn begin(&mut self) {
        for team in Team::BOTH {
            self.place_pawns(team);
        }
        self.board(Event::Began {});
        for at in 0..self.game.players.len() {
            self.game.players[at].missed_start = self.game.players[at].connection == Connection::Lost;
            self.tell_start(at);
        }
        self.outbox.cancel_timer(Timer::Join);
        self.await_progress();
        self.await_respawn();
    }

    /// Puts the players of a team on different tiles of their goal area.
    fn place_pawns(&mut self, team: Team) {
        let game = &mut *self.game;
        let mut tiles: Vec<Position> = game.setup.area().tiles(Zone::Goal(team)).collect();
        game.lots.draw(&mut tiles, game.setup.seats() / 2);
        let members = game.players.iter_mut().filter(|player| player.team == Some(team));
        for (player, tile) in members.zip(tiles) {
            player.position = Some(tile);
        }
    }

    fn tell_start(&mut self, at: usize) {
        let board = &self.game.board;
        let of_team = |team: Team| -> Vec<(u32, Team)> {
            let seats: Vec<&Seat> = match self.game.switches.leader_follows {
                true => board.team(team).collect(),
                false => board.seats_of(team).collect(),
            };
            seats.into_iter().map(|seat| (seat.player, team)).collect()
        };
        let players = Team::BOTH.into_iter().flat_map(of_team).collect();
        let position = self.game.players[at].position.expect("who plays has a pawn");
        let (width, height) = (board.area.width, board.area.height);
        self.tell(at, Event::Started { players, width, height, position });
    }
}
