//! A player: what it hears, and what it says to that.

use std::sync::Arc;

use engine::JavaRandom;
use project_rules::{
    Area, Position, Team,
    knowledge::{self, Exchanges, Knowledge},
};

use super::{
    Costs, End, Heard, Ids, Say, Strategy, Told,
    errand::{Errand, Wish},
    mates::Mates,
    mind::{Hands, Mind},
    random,
    requests::{PATIENCE, Requests},
};

/// What makes a player another one than others.
#[derive(Clone, Debug)]
pub struct Nature {
    pub strategy: Strategy,
    /// The team that it would like to be in.
    pub team: Team,
    pub costs: Costs,
    /// Of its chances.
    pub seed: i64,
    pub ids: Ids,
    /// Whether it may have played this game before and forgotten.
    pub returns: bool,
}

/// A player. It is told what it hears and when, in milliseconds since 1970, and gives back what it says.
#[derive(Debug)]
pub struct Agent {
    nature: Nature,
    random: JavaRandom,
    player: Option<u32>,
    /// Whether it is heard.
    online: bool,
    /// The request for a team, until it is confirmed: its id, and when it is made again.
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
    /// It does nothing before: it waits, or keeps what an exchange takes.
    busy: u64,
}

impl Agent {
    pub fn new(nature: Nature) -> Self {
        let random = JavaRandom::new(nature.seed);
        Self { nature, random, player: None, online: false, setup: None, play: None, end: None }
    }

    /// Its number in the game.
    pub fn player(&self) -> Option<u32> {
        self.player
    }

    /// Where it stands, once the game runs.
    pub fn position(&self) -> Option<Position> {
        self.play.as_ref().map(|play| play.mind.position())
    }

    /// The end of the game, once it was heard.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// When it has to hear that time has passed, unless it hears something else before.
    pub fn wakes_at(&self) -> Option<u64> {
        if !self.online || self.end.is_some() {
            return None;
        }
        let setup = self.setup.as_ref().map(|(_, again)| *again);
        let play = self.play.as_ref().map(|play| play.requests.due().unwrap_or(play.busy));
        setup.into_iter().chain(play).min()
    }

    pub fn hear(&mut self, now: u64, heard: Heard) -> Vec<Say> {
        let mut said = Vec::new();
        match heard {
            Heard::Confirmed { player } => self.confirmed(player, now, &mut said),
            Heard::TeamGiven { .. } => self.setup = None,
            Heard::Started { players, width, height, position } => {
                self.setup = None;
                match &mut self.play {
                    Some(play) => play.mind.knowledge.stand_at(position, now),
                    None => self.play = self.begin(players, Area { width, height }, position, now),
                }
            }
            Heard::Answered { context, answer } => {
                if let Some(play) = &mut self.play {
                    for (action, answer) in play.requests.hear(&context, &answer) {
                        play.mind.hear(action, &answer, now);
                    }
                }
            }
            Heard::Told { from, id, told } => {
                if let Some(play) = &mut self.play {
                    said.extend(play.told(knowledge::Heard { from, id: &id, now }, &told).map(Say::Tell));
                }
            }
            Heard::Ended(end) => self.end = Some(end),
            Heard::TimePassed => {}
            Heard::Lost => self.online = false,
        }
        self.go_on(now, &mut said);
        said
    }

    fn confirmed(&mut self, player: u32, now: u64, said: &mut Vec<Say>) {
        self.online = true;
        if self.player != Some(player) {
            // Somebody else now: what it knew is of another game.
            (self.player, self.play) = (Some(player), None);
        }
        match &mut self.play {
            Some(play) => {
                said.extend(play.requests.again(&self.nature.costs.actions, now));
                // Who plays is told its team again, or it is another game.
                self.setup = Some((self.nature.ids.next_id(), now + PATIENCE));
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

    /// What is due now.
    fn go_on(&mut self, now: u64, said: &mut Vec<Say>) {
        if !self.online || self.end.is_some() {
            return;
        }
        if let Some((id, again)) = &mut self.setup
            && *again <= now
        {
            *again = now + PATIENCE;
            said.push(Say::Setup { id: id.clone(), team: self.nature.team });
            // If this one goes on after all, there may be a piece in hand.
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

    /// Another player says something. Everybody allows what has to be allowed, and who works together all of its team.
    fn told(&mut self, heard: knowledge::Heard<'_>, told: &Told) -> Option<knowledge::Say> {
        let (from, now) = (heard.from, heard.now);
        match told {
            Told::Request => {
                let willing = self.mates.as_ref().is_some_and(|mates| mates.has(from));
                Some(self.exchanges.hear_request(heard, &self.mind.knowledge, willing))
            }
            Told::Response { allow } => {
                if let Some(mates) = self.mates.as_mut().filter(|_| !allow) {
                    mates.declined(from);
                }
                self.exchanges.hear_response(heard, &self.mind.knowledge, *allow)
            }
            Told::Data { tiles } => {
                let known = self.mind.knowledge.changes();
                let answer = self.exchanges.hear_data(heard, &mut self.mind.knowledge, tiles);
                if self.mind.knowledge.changes() != known {
                    self.mind.learn(tiles, now);
                    self.mates.iter_mut().for_each(|mates| mates.met(from, now));
                }
                answer
            }
        }
    }
}
