//! A player: turns inputs into messages.

use std::sync::Arc;

use engine::JavaRandom;
use project_rules::{
    Area, Position, Team,
    knowledge::{self, Exchanges, Knowledge},
};

use super::{
    AgentInput, Costs, End, ExchangeStep, Ids, Say, Strategy,
    errand::{Errand, Wish},
    mates::Mates,
    mind::{Hands, Mind},
    random,
    requests::{PATIENCE_MS, Requests},
};

/// The properties of a player.
#[derive(Clone, Debug)]
pub struct Nature {
    /// The strategy of the player.
    pub strategy: Strategy,
    /// The team that the player prefers.
    pub team: Team,
    /// How long the player expects actions to take.
    pub costs: Costs,
    /// The seed of the player's random choices.
    pub seed: i64,
    /// The generator of the player's message ids.
    pub ids: Ids,
    /// Whether the player may have played this game before, in another process.
    pub returns: bool,
}

/// A player. It gets inputs with their times, in milliseconds since 1970, and returns messages to send.
#[derive(Debug)]
pub struct Agent {
    nature: Nature,
    random: JavaRandom,
    player: Option<u32>,
    /// Whether the player is connected.
    online: bool,
    /// The open request for a team: its id, and when it is repeated.
    setup: Option<(Arc<str>, u64)>,
    play: Option<Play>,
    end: Option<End>,
}

/// A game that runs.
#[derive(Debug)]
struct Play {
    mind: Mind,
    mates: Option<Mates>,
    requests: Requests,
    exchanges: Exchanges,
    /// Until when the player does nothing, because it waits or an exchange takes time.
    busy: u64,
}

impl Agent {
    /// Creates a player that has not joined yet.
    pub fn new(nature: Nature) -> Self {
        let random = JavaRandom::new(nature.seed);
        Self { nature, random, player: None, online: false, setup: None, play: None, end: None }
    }

    /// The player's number in the game.
    pub fn player(&self) -> Option<u32> {
        self.player
    }

    /// The player's position, once the game runs.
    pub fn position(&self) -> Option<Position> {
        self.play.as_ref().map(|play| play.mind.position())
    }

    /// The end of the game, if the Game Master has sent it.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// When the agent needs [`AgentInput::TimePassed`], unless another input comes before.
    pub fn wakes_at(&self) -> Option<u64> {
        if !self.online || self.end.is_some() {
            return None;
        }
        let setup = self.setup.as_ref().map(|(_, again)| *again);
        let play = self.play.as_ref().map(|play| play.requests.due().unwrap_or(play.busy));
        setup.into_iter().chain(play).min()
    }

    /// Handles an input, and returns the messages to send.
    pub fn handle(&mut self, now: u64, input: AgentInput) -> Vec<Say> {
        let mut said = Vec::new();
        match input {
            AgentInput::Confirmed { player } => self.confirmed(player, now, &mut said),
            AgentInput::TeamGiven { .. } => self.setup = None,
            AgentInput::Started { players, width, height, position } => {
                self.setup = None;
                match &mut self.play {
                    Some(play) => play.mind.knowledge.stand_at(position, now),
                    None => self.play = self.begin(players, Area { width, height }, position, now),
                }
            }
            AgentInput::Answered { context, answer } => {
                if let Some(play) = &mut self.play {
                    for (action, answer) in play.requests.answer(&context, &answer) {
                        play.mind.hear(action, &answer, now);
                    }
                }
            }
            AgentInput::Exchange { from, id, step } => {
                if let Some(play) = &mut self.play {
                    said.extend(play.exchange(knowledge::Received { from, id: &id, now }, &step).map(Say::Tell));
                }
            }
            AgentInput::Ended(end) => self.end = Some(end),
            AgentInput::TimePassed => {}
            AgentInput::Lost => self.online = false,
        }
        self.go_on(now, &mut said);
        said
    }

    fn confirmed(&mut self, player: u32, now: u64, said: &mut Vec<Say>) {
        self.online = true;
        if self.player != Some(player) {
            // A new number means a new game.
            (self.player, self.play) = (Some(player), None);
        }
        match &mut self.play {
            Some(play) => {
                said.extend(play.requests.repeat_all(&self.nature.costs.actions, now));
                // In the same game, the Game Master sends the team again. If it does not, this is another game.
                self.setup = Some((self.nature.ids.next_id(), now + PATIENCE_MS));
            }
            None => self.setup = Some((self.nature.ids.next_id(), now)),
        }
    }

    fn begin(&self, players: Arc<[(u32, Team)]>, area: Area, position: Position, now: u64) -> Option<Play> {
        let me = self.player?;
        let team = players.iter().find(|(id, _)| *id == me).map(|(_, team)| *team)?;
        let members = Mind::members(&players, team);
        let hands = if self.nature.returns { Hands::Unsure } else { Hands::Empty };
        let mind = Mind::new(Knowledge::new(me, players, area, position, now), team, self.nature.costs, hands);
        let mates = (self.nature.strategy == Strategy::Team).then(|| Mates::new(&mind, members));
        Some(Play { mind, mates, requests: Requests::default(), exchanges: Exchanges::default(), busy: now })
    }

    /// Sends the repeated requests that are due, and the next actions.
    fn go_on(&mut self, now: u64, said: &mut Vec<Say>) {
        if !self.online || self.end.is_some() {
            return;
        }
        if let Some((id, again)) = &mut self.setup
            && *again <= now
        {
            *again = now + PATIENCE_MS;
            said.push(Say::Setup { id: id.clone(), team: self.nature.team });
            // If the game continues after all, the player may hold a piece.
            self.nature.returns |= self.play.take().is_some();
        }
        let Some(play) = &mut self.play else { return };
        let (again, silent) = play.requests.overdue(&self.nature.costs.actions, now);
        said.extend(again);
        for (action, answer) in silent {
            play.mind.hear(action, &answer, now);
        }
        while play.requests.is_empty() && play.busy <= now {
            let wish = play.wish(self.nature.strategy, &mut self.random, now);
            play.grant(wish, &mut self.nature, now, said);
        }
    }
}

impl Play {
    fn wish(&mut self, strategy: Strategy, random: &mut JavaRandom, now: u64) -> Wish {
        match strategy {
            Strategy::Random => random::decide(&self.mind, random, now),
            Strategy::Solo | Strategy::Team => {
                Errand { mind: &mut self.mind, mates: self.mates.as_mut(), random, now }.decide()
            }
        }
    }

    fn grant(&mut self, wish: Wish, nature: &mut Nature, now: u64, said: &mut Vec<Say>) {
        let costs = nature.costs;
        let mut ask = |action| said.push(self.requests.send(nature.ids.next_id(), action, &costs.actions, now));
        match wish {
            Wish::Act(action) => ask(action),
            Wish::Both(first, second) => {
                ask(first);
                ask(second);
            }
            Wish::Ask(partner) => {
                if let Some(mates) = &mut self.mates {
                    mates.met(partner, now);
                }
                said.extend(self.exchanges.ask(partner, &nature.ids.next_id(), now).map(Say::Tell));
                self.busy = now + costs.exchange.max(1);
            }
            Wish::Wait(time) => self.busy = now + time.max(1),
        }
    }

    /// Handles a step of an exchange. Every player allows the exchanges that the rules demand. With the strategy `team` it
    /// allows all requests of its team.
    fn exchange(&mut self, heard: knowledge::Received<'_>, step: &ExchangeStep) -> Option<knowledge::Say> {
        let (from, now) = (heard.from, heard.now);
        match step {
            ExchangeStep::Request => {
                let willing = self.mates.as_ref().is_some_and(|mates| mates.has(from));
                Some(self.exchanges.handle_request(heard, &self.mind.knowledge, willing))
            }
            ExchangeStep::Response { allow } => {
                if let Some(mates) = self.mates.as_mut().filter(|_| !allow) {
                    mates.declined(from);
                }
                self.exchanges.handle_response(heard, &self.mind.knowledge, *allow)
            }
            ExchangeStep::Data { tiles } => {
                let known = self.mind.knowledge.changes();
                let answer = self.exchanges.handle_data(heard, &mut self.mind.knowledge, tiles);
                if self.mind.knowledge.changes() != known {
                    self.mind.learn(tiles, now);
                    self.mates.iter_mut().for_each(|mates| mates.met(from, now));
                }
                answer
            }
        }
    }
}
