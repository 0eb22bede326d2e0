//! Games between agents in simulated time. The same seed gives the same game on every machine.

use std::collections::BTreeMap;

use engine::{Audience, Cause, CommId, Input, Outbox, Rulebook, TimerChange};
use project_rules::{Action, Command, Event, Game, Outcome, Setup, Team, Timer, knowledge};

use super::{Agent, AgentInput, Costs, End, ExchangeStep, Ids, Nature, Say, Strategy};

/// The latency between a player and the Game Master, in milliseconds. The latency between players is twice as long.
const LATENCY_MS: u64 = 2;
/// When games begin, in milliseconds since 1970.
const BEGINNING_MS: u64 = 1_600_000_000_000;
/// The length after which an undecided game is stopped, in milliseconds.
const MAX_GAME_MS: u64 = 3_600_000;

/// The result of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// `None` if the game was not decided after an hour.
    pub outcome: Option<Outcome>,
    /// The time from the start to the end, in milliseconds.
    pub length_ms: u64,
    /// Goals that each team has completed, Blue first.
    pub goals: [u32; 2],
    /// The number of exchanges that each team asked for, Blue first.
    pub exchanges: [u32; 2],
}

impl Played {
    /// The winner; `None` in a tie, or if the game was not decided.
    pub fn winner(&self) -> Option<Team> {
        self.outcome.as_ref().filter(|outcome| !outcome.tie).map(|outcome| outcome.winner)
    }
}

/// Plays a game to its end. All players of a team have the same strategy; Blue's comes first. The players know the costs of
/// actions.
pub fn play(setup: &Setup, seed: i64, strategies: [Strategy; 2]) -> Played {
    let mut arena = Arena::new(setup, seed, strategies);
    while let Some(((now, _), happening)) = arena.queue.pop_first() {
        arena.now = now;
        if arena.game.outcome().is_some() || now > MAX_GAME_MS {
            break;
        }
        arena.happen(happening);
    }
    let goals = Team::BOTH.map(|team| arena.game.public().goals(team));
    Played {
        outcome: arena.game.outcome(),
        length_ms: arena.now.saturating_sub(arena.began),
        goals,
        exchanges: arena.exchanges,
    }
}

struct Arena {
    game: Game,
    outbox: Outbox<Event, Timer>,
    agents: Vec<Agent>,
    /// When each agent wakes up.
    wakes: Vec<Option<Moment>>,
    /// Future events in their order.
    queue: BTreeMap<Moment, Happening>,
    timers: BTreeMap<Timer, Moment>,
    /// The number of moments so far.
    moments: u64,
    now: u64,
    began: u64,
    exchanges: [u32; 2],
}

/// A time, and a unique number.
type Moment = (u64, u64);

enum Happening {
    Timer(Timer),
    Command { agent: usize, command: Command },
    Input { agent: usize, input: AgentInput },
}

impl Arena {
    fn new(setup: &Setup, seed: i64, strategies: [Strategy; 2]) -> Self {
        let mut outbox = Outbox::new();
        let game = Game::start(setup, seed, &mut outbox);
        let seats = setup.seats();
        let costs = Costs { actions: setup.costs, exchange: knowledge::EXCHANGE_COST_MS };
        let agent = |at: usize| {
            let (team, strategy) =
                if at.is_multiple_of(2) { (Team::Blue, strategies[0]) } else { (Team::Red, strategies[1]) };
            let mut source = [0; 10];
            source[..8].copy_from_slice(&(at as u64).to_be_bytes());
            let seed = seed.wrapping_mul(1_000_003).wrapping_add(at as i64);
            Agent::new(Nature { strategy, team, costs, seed, ids: Ids::new(source), returns: false })
        };
        let mut arena = Self {
            game,
            outbox,
            agents: (0..seats).map(agent).collect(),
            wakes: vec![None; seats],
            queue: BTreeMap::new(),
            timers: BTreeMap::new(),
            moments: 0,
            now: 0,
            began: 0,
            exchanges: [0; 2],
        };
        arena.take_outbox();
        for agent in 0..seats {
            let hash = format!("{agent}").into();
            arena.later(0, Happening::Command { agent, command: Command::Join { hash } });
        }
        arena
    }

    fn later(&mut self, after: u64, happening: Happening) -> Moment {
        self.moments += 1;
        let moment = (self.now + after, self.moments);
        self.queue.insert(moment, happening);
        moment
    }

    fn happen(&mut self, happening: Happening) {
        match happening {
            Happening::Timer(timer) => {
                self.timers.remove(&timer);
                self.fold(Cause::Timer { timer });
            }
            Happening::Command { agent, command } => self.fold(Cause::Command { client: client(agent), command }),
            Happening::Input { agent, input } => self.input(agent, input),
        }
    }

    fn fold(&mut self, cause: Cause<Command, Timer>) {
        self.outbox.clear();
        self.game.fold(&Input { elapsed_ms: self.now, cause }, &mut self.outbox);
        self.take_outbox();
    }

    fn take_outbox(&mut self) {
        let outbox = std::mem::take(&mut self.outbox);
        for change in outbox.timers() {
            if let Some(before) = self.timers.remove(change.timer()) {
                self.queue.remove(&before);
            }
            if let TimerChange::Set { timer, after_ms } = change {
                let moment = self.later(*after_ms, Happening::Timer(*timer));
                self.timers.insert(*timer, moment);
            }
        }
        for (audience, event) in outbox.events() {
            let Some(input) = input(event) else { continue };
            if matches!(input, AgentInput::Started { .. }) {
                self.began = self.now;
            }
            for agent in 0..self.agents.len() {
                if audience == Audience::All || audience == Audience::Only(client(agent)) {
                    self.later(LATENCY_MS, Happening::Input { agent, input: input.clone() });
                }
            }
        }
        self.outbox = outbox;
    }

    fn input(&mut self, at: usize, input: AgentInput) {
        let said = self.agents[at].handle(BEGINNING_MS + self.now, input);
        for say in said {
            self.send(at, say);
        }
        if let Some(before) = self.wakes[at].take() {
            self.queue.remove(&before);
        }
        self.wakes[at] = self.agents[at].wakes_at().map(|at_time| {
            let after = at_time.saturating_sub(BEGINNING_MS + self.now);
            self.later(after.max(1), Happening::Input { agent: at, input: AgentInput::TimePassed })
        });
    }

    fn send(&mut self, at: usize, say: Say) {
        let command = match say {
            Say::Setup { id, team } => Command::ChooseTeam { id, team },
            Say::Request { id, action } => match action {
                Action::Move(direction) => Command::Move { id, direction },
                Action::Discover => Command::Discover { id },
                Action::PickUp => Command::PickUp { id },
                Action::Test => Command::Test { id },
                Action::Place => Command::Place { id },
            },
            Say::Tell(say) => return self.send_to_player(at, say),
        };
        self.later(LATENCY_MS, Happening::Command { agent: at, command });
    }

    /// Sends a message from player to player. The Game Master does not see it.
    fn send_to_player(&mut self, at: usize, say: knowledge::Say) {
        let Some(from) = self.agents[at].player() else { return };
        let (to, id, step) = match say {
            knowledge::Say::Request { to, id } => {
                self.exchanges[at % 2] += 1;
                (to, id, ExchangeStep::Request)
            }
            knowledge::Say::Response { to, context, allow } => (to, context, ExchangeStep::Response { allow }),
            knowledge::Say::Data { to, context, tiles } => (to, context, ExchangeStep::Data { tiles }),
        };
        if let Some(agent) = self.agents.iter().position(|agent| agent.player() == Some(to)) {
            self.later(2 * LATENCY_MS, Happening::Input { agent, input: AgentInput::Exchange { from, id, step } });
        }
    }
}

/// Clients are numbered from 1 in the order of their seats; 0 is the Game Master.
fn client(agent: usize) -> CommId {
    CommId(agent as u32 + 1)
}

/// The agent input for an event, as it would come over the wire.
fn input(event: &Event) -> Option<AgentInput> {
    Some(match event {
        Event::Confirmed { player } => AgentInput::Confirmed { player: *player },
        Event::TeamGiven { team, leader, .. } => AgentInput::TeamGiven { team: *team, leader: *leader },
        Event::Started { players, width, height, position } => {
            AgentInput::Started { players: players.clone(), width: *width, height: *height, position: *position }
        }
        Event::Answered { context, answer } | Event::Repeated { context, answer } => {
            AgentInput::Answered { context: context.clone(), answer: answer.clone() }
        }
        Event::Ended { outcome } => {
            AgentInput::Ended(End { reason: outcome.reason, winner: outcome.winner, goals: outcome.goals })
        }
        Event::Refused { .. }
        | Event::Noted { .. }
        | Event::Joined { .. }
        | Event::TeamJoined { .. }
        | Event::Began {}
        | Event::Acted { .. }
        | Event::Scored { .. }
        | Event::Lost { .. }
        | Event::Returned { .. }
        | Event::Left { .. }
        | Event::Learnt { .. }
        | Event::Told { .. } => return None,
    })
}
