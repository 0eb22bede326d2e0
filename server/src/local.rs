//! A game in this process, without a log and a clock: for simulations and practice with any rulebook.

use commlib::{Create, Reason, Refused};
use engine::{
    Audience, Cause, CommId, Emission, Input, JavaRandom, Outbox, Projection, Rulebook, SeatResult, Shown,
    random_command, with_name,
};

use crate::{
    adapter::{Adapter, CommandOf, EventOf, TimerOf},
    clock::Timers,
};

/// A game in this process whose players take offers at random. The same setup and seed give the same game.
pub trait LocalGame: Send {
    /// Plays the next command, or fires the next timer if no player can do anything. Returns false if the game is over, or if
    /// nothing can happen any more.
    fn step(&mut self) -> bool;

    /// How the game ended, in words without scores; `None` while it runs.
    fn outcome(&self) -> Option<String>;

    /// The results of the seats, after the end of the game.
    fn results(&self) -> Vec<SeatResult>;

    /// The number of commands and of events so far.
    fn counts(&self) -> (u64, u64);

    /// The number of players who have a seat.
    fn seats(&self) -> usize;

    /// Asks the rules what the player on a seat can do now. Returns the number of commands, possible or not, without those that stand
    /// beside the play.
    fn count_offers(&self, seat: usize) -> usize;
}

/// A game of an adapter's rules.
pub(crate) struct Local<A: Adapter> {
    game: A::Rules,
    outbox: Outbox<EventOf<A>, TimerOf<A>>,
    timers: Timers<TimerOf<A>>,
    elapsed_ms: u64,
    /// The clients, from 1, with their views.
    clients: Vec<(CommId, <A::Rules as Rulebook>::View)>,
    seated: Vec<CommId>,
    /// The clients with reserved seats, and the bots of the others, by their names.
    bots: Vec<(CommId, String)>,
    reserved: Vec<CommId>,
    random: JavaRandom,
    commands: u64,
    events: u64,
}

impl<A: Adapter> Local<A> {
    /// Starts a game for so many clients. Not all of them have to find a seat. The clients without a reserved seat are these bots, in
    /// turn.
    pub(crate) fn new(create: &Create, seed: i64, clients: u32, bots: &[String]) -> Result<Self, Refused> {
        let setup = A::setup(create).map_err(|error| Refused::new(Reason::BadScenario, error.to_string()))?;
        let mut outbox = Outbox::new();
        let game = A::Rules::start(&setup, seed, &mut outbox);
        let mut timers = Timers::new();
        timers.change(outbox.timers(), 0);
        let own: Vec<(CommId, String)> =
            A::bots(&setup).into_iter().map(|(client, bot)| (client, bot.into())).collect();
        let reserved: Vec<CommId> = own.iter().map(|(client, _)| *client).collect();
        let others = (1..=clients).map(CommId).filter(|client| !reserved.contains(client));
        let bots = own.iter().cloned().chain(others.zip(bots.iter().cycle().cloned())).collect();
        let view = |client| (CommId(client), Projection::<A::Rules>::new(&setup));
        Ok(Self {
            game,
            outbox,
            timers,
            elapsed_ms: 0,
            clients: (1..=clients).map(view).collect(),
            seated: Vec::new(),
            bots,
            reserved,
            random: JavaRandom::new(seed.wrapping_mul(31)),
            commands: 0,
            events: 0,
        })
    }

    fn next_cause(&mut self) -> Option<Cause<CommandOf<A>, TimerOf<A>>> {
        // Bots with reserved seats come first: offers tell everyone else about the other seats.
        let late = self.reserved.iter().find(|client| !self.seated.contains(client));
        let may_act = |client: CommId| late.is_none_or(|late| *late == client);
        let views: Vec<_> =
            self.clients.iter().filter(|(client, _)| may_act(*client)).map(|(client, view)| (*client, view)).collect();
        if let Some((client, command)) = random_command::<A::Rules>(&views, None, &mut self.random) {
            self.commands += 1;
            let view = views.iter().find(|(known, _)| *known == client).map(|(_, view)| *view);
            let command = match view {
                Some(view) if !self.seated.contains(&client) => {
                    with_name::<A::Rules>(view, command, &format!("Player {}", self.seated.len() + 1))
                }
                Some(view) => {
                    let bot = self.bots.iter().find(|(known, _)| *known == client);
                    bot.and_then(|(_, bot)| A::choose(bot, view, &mut self.random)).unwrap_or(command)
                }
                None => command,
            };
            return Some(Cause::Command { client, command });
        }
        self.elapsed_ms = self.elapsed_ms.max(self.timers.next()?);
        self.timers.take_due(self.elapsed_ms).map(|timer| Cause::Timer { timer })
    }

    fn fold(&mut self, cause: Cause<CommandOf<A>, TimerOf<A>>) {
        let input = Input { elapsed_ms: self.elapsed_ms, cause };
        self.outbox.clear();
        self.game.fold(&input, &mut self.outbox);
        self.timers.change(self.outbox.timers(), self.elapsed_ms);
        for emission in self.outbox.emissions() {
            match emission {
                Emission::Seated { client } => self.seated.push(*client),
                Emission::Unseated { client } => self.seated.retain(|seated| seated != client),
                Emission::Event { audience, event } => {
                    self.events += 1;
                    let hears = |client: CommId| match audience {
                        Audience::All | Audience::Board => true,
                        Audience::Only(only) => *only == client,
                    };
                    let views = self.clients.iter_mut().filter(|(client, _)| hears(*client));
                    views.for_each(|(_, view)| view.apply(event));
                }
            }
        }
    }
}

impl<A: Adapter> LocalGame for Local<A> {
    fn step(&mut self) -> bool {
        if self.game.outcome().is_some() {
            return false;
        }
        let Some(cause) = self.next_cause() else { return false };
        self.fold(cause);
        true
    }

    fn outcome(&self) -> Option<String> {
        self.game.outcome().map(|outcome| A::Rules::tell_outcome(&outcome))
    }

    fn results(&self) -> Vec<SeatResult> {
        self.game.results()
    }

    fn counts(&self) -> (u64, u64) {
        (self.commands, self.events)
    }

    fn seats(&self) -> usize {
        self.seated.len()
    }

    fn count_offers(&self, seat: usize) -> usize {
        let view = self.seated.get(seat).and_then(|client| self.clients.iter().find(|(known, _)| known == client));
        view.map_or(0, |(_, view)| A::Rules::offers(view).leaves().filter(|leaf| !leaf.aside).count())
    }
}
