//! The game of these tests: players count to the number in the scenario. It has commands for every situation that a host must
//! handle.

use std::{borrow::Cow, fmt, time::Duration};

use commlib::{Create, Raw};
use engine::{
    Argument, Cause, CommId, Input, Moment, Offer, Offers, OffersOf, Outbox, Projection, Rulebook, SeatResult, Shown,
    Verdict, Waiting, messages,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use server::{Adapter, AdapterError, CommandSender};

messages! {
    pub(crate) enum Command {
        /// Takes a seat.
        Join { name: String },
        /// Counts up; zero is refused.
        Add { amount: u32 },
        /// Says something so long.
        Shout { length: u32 },
        /// Sets a timer.
        Wait { timer: u8, after: u64 },
        /// Breaks a promise in the fold.
        Panic {},
        /// Breaks a promise when its event is told.
        PanicLater {},
        /// Gives the seat back.
        Leave {},
    }
}

messages! {
    pub(crate) enum Event {
        /// To the client that joined.
        Greeted {},
        /// To all.
        Joined { name: String },
        /// To all.
        Counted { count: u32 },
        /// To the board: who it was.
        Moved { client: u32 },
        /// To the sender: nothing was added.
        Nothing {},
        /// To all.
        Shouted { text: String },
        /// To all: a timer was due.
        Rang { timer: u8 },
        /// Has no words: `Adapter::words` panics.
        Unspeakable {},
        /// To all: the end.
        Done {},
    }
}

/// Two bots of the host play in a game with this goal.
pub(crate) const WITH_BOTS: u32 = 7_777;

/// The number to count to, and the duration of timer 0, which starts with the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Setup {
    goal: u32,
    timeout: Option<u64>,
    text: String,
}

/// The rules. With fault 1 they count in hundreds, with fault 2 they panic when they count. From version 3 on, they count
/// everything twice, and also support version 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Counter<const VERSION: u32 = 1, const FAULT: u8 = 0> {
    twice: bool,
    goal: u32,
    count: u32,
    players: Vec<String>,
    /// The clients of the players.
    clients: Vec<CommId>,
}

/// The outcome of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Counted;

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("counted")
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    count: u32,
    players: Vec<String>,
}

impl<const VERSION: u32, const FAULT: u8> Rulebook for Counter<VERSION, FAULT> {
    const NAME: &'static str = "counter";
    const RULES_VERSION: u32 = VERSION;
    const VERSIONS: &'static [u32] = if VERSION == 3 { &[1, 3] } else { &[VERSION] };

    type Setup = Setup;
    type Command = Command;
    type Event = Event;
    type Timer = u8;
    type Outcome = Counted;
    type Board = Board;
    type View = Board;

    fn edition(_: &Setup) -> &'static str {
        "only"
    }

    fn start(setup: &Setup, seed: i64, outbox: &mut Outbox<Event, u8>) -> Self {
        Self::start_version(VERSION, setup, seed, outbox)
    }

    fn start_version(version: u32, setup: &Setup, _: i64, outbox: &mut Outbox<Event, u8>) -> Self {
        if let Some(timeout) = setup.timeout {
            outbox.set_timer(0, timeout);
        }
        Self { twice: version == 3, goal: setup.goal, count: 0, players: Vec::new(), clients: Vec::new() }
    }

    fn fold(&mut self, input: &Input<Command, u8>, outbox: &mut Outbox<Event, u8>) {
        assert!(self.outcome().is_none(), "folded after the end");
        let (client, command) = match &input.cause {
            Cause::Timer { timer } => return outbox.all(Event::Rang { timer: *timer }),
            Cause::Command { client, command } => (*client, command),
        };
        match command {
            Command::Join { name } => {
                outbox.only(client, Event::Greeted {});
                outbox.seat(client);
                outbox.all(Event::Joined { name: name.clone() });
                self.players.push(name.clone());
                self.clients.push(client);
            }
            Command::Add { amount: 0 } => outbox.only(client, Event::Nothing {}),
            Command::Add { amount } => {
                assert!(FAULT != 2, "on purpose");
                self.count += if FAULT == 1 { amount * 100 } else { amount * if self.twice { 2 } else { 1 } };
                outbox.board(Event::Moved { client: client.0 });
                outbox.all(Event::Counted { count: self.count });
                if self.count >= self.goal {
                    outbox.all(Event::Done {});
                }
            }
            Command::Shout { length } => outbox.all(Event::Shouted { text: "x".repeat(*length as usize) }),
            Command::Wait { timer, after } => outbox.set_timer(*timer, *after),
            Command::Panic {} => panic!("on purpose"),
            Command::PanicLater {} => outbox.all(Event::Unspeakable {}),
            Command::Leave {} => outbox.unseat(client),
        }
    }

    fn waiting_for(&self) -> Waiting {
        if self.count >= self.goal { Waiting::GameOver } else { Waiting::Anyone }
    }

    fn outcome(&self) -> Option<Counted> {
        (self.count >= self.goal).then_some(Counted)
    }

    fn results(&self) -> Vec<SeatResult> {
        let points = i64::from(self.count);
        let seat = |(client, name): (&CommId, &String)| SeatResult {
            client: *client,
            name: name.clone(),
            side: None,
            verdict: Verdict::Won,
            points,
        };
        self.outcome().map(|Counted| self.clients.iter().zip(&self.players).map(seat).collect()).unwrap_or_default()
    }

    fn board(&self) -> Board {
        Board { count: self.count, players: self.players.clone() }
    }

    fn view(&self, _: CommId) -> Board {
        self.board()
    }

    fn is_refusal(event: &Event) -> bool {
        *event == Event::Nothing {}
    }

    /// At 13 it panics, and at 14 there are too many offers for a message.
    fn candidates(view: &Board) -> OffersOf<Self> {
        assert!(view.count != 13, "on purpose");
        let amount = Argument::range("amount", "How much", 1, 9);
        let add = Offer::fill_in("Add", Command::Add { amount: 1 }, [amount]);
        let many = if view.count == 14 { 10_000 } else { 1 };
        Offers::new(format!("The count is {}.", view.count), vec![add; many])
    }
}

impl<const VERSION: u32, const FAULT: u8> Projection<Counter<VERSION, FAULT>> for Board {
    fn new(_: &Setup) -> Self {
        Self { count: 0, players: Vec::new() }
    }

    fn apply(&mut self, event: &Event) {
        match event {
            Event::Counted { count } => self.count = *count,
            Event::Joined { name } => self.players.push(name.clone()),
            Event::Greeted {}
            | Event::Moved { .. }
            | Event::Nothing {}
            | Event::Shouted { .. }
            | Event::Rang { .. }
            | Event::Unspeakable {}
            | Event::Done {} => {}
        }
    }
}

impl<const VERSION: u32, const FAULT: u8> Adapter for Counter<VERSION, FAULT> {
    type Rules = Self;

    const HANDLE: bool = true;

    fn setup(create: &Create) -> Result<Setup, AdapterError> {
        let goal = create.scenario.parse().map_err(|_| "a scenario is the number to count to")?;
        Ok(Setup { goal, timeout: create.timeout, text: create.scenario.clone() })
    }

    fn command(raw: &Raw<'_>) -> Result<Command, AdapterError> {
        raw.decode().map_err(|refused| refused.message.into())
    }

    /// Shouting so long is for players, while the first client has been away for a minute.
    fn admits(_: &Self, command: &Command, sender: &CommandSender<'_>) -> Result<(), AdapterError> {
        let away = sender.presence.away(CommId(1)).is_some_and(|away| away >= Duration::from_secs(60));
        match command {
            Command::Shout { length: 61 } if !sender.is_player => Err("strangers do not shout".into()),
            Command::Shout { length: 61 } if !away => Err("the first client is there".into()),
            Command::Shout { .. }
            | Command::Join { .. }
            | Command::Add { .. }
            | Command::Wait { .. }
            | Command::Panic {}
            | Command::PanicLater {}
            | Command::Leave {} => Ok(()),
        }
    }

    fn words<'a>(_: &'a Setup, event: &'a Event) -> Option<Cow<'a, str>> {
        assert!(*event != Event::Unspeakable {}, "on purpose");
        (*event == Event::Nothing {}).then(|| "Zero is nothing.".into())
    }

    fn scenario(setup: &Setup) -> Option<&str> {
        Some(&setup.text)
    }

    fn bots(setup: &Setup) -> Vec<(CommId, &str)> {
        if setup.goal == WITH_BOTS { vec![(CommId(1), "tim"), (CommId(2), "tim")] } else { Vec::new() }
    }

    fn rematch(game: &Self, client: CommId) -> Option<Create> {
        let played = (1..=game.players.len()).contains(&(client.0 as usize));
        let scenario = game.goal.to_string();
        played.then_some(Create { rulebook: None, scenario, edition: None, seed: None, timeout: None })
    }

    fn title(scenario: Option<&str>) -> String {
        format!("count to {}", scenario.unwrap_or_default())
    }

    fn scenarios() -> Vec<&'static str> {
        vec!["3"]
    }
}

impl<const VERSION: u32, const FAULT: u8> Shown for Counter<VERSION, FAULT> {
    const FIGURES: &'static [&'static str] = &["count"];

    fn stage(setup: &Setup) -> Value {
        json!({"goal": setup.goal})
    }

    fn picture(board: &Board) -> Value {
        json!({"count": board.count, "players": board.players})
    }

    fn hidden(&self) -> Value {
        json!({"left": self.goal.saturating_sub(self.count)})
    }

    /// A round is ten counts.
    fn moment(board: &Board) -> Moment {
        Moment { round: board.count / 10, turn: None }
    }

    fn figures(board: &Board) -> Vec<i64> {
        vec![board.count.into()]
    }

    fn tell_event(board: &Board, event: &Event) -> String {
        format!("after {}: {event:?}", board.count)
    }

    fn tell_command(board: &Board, command: &Command) -> String {
        format!("after {}: {command:?}", board.count)
    }

    fn name_of(&self, client: CommId) -> Option<String> {
        let seat = self.clients.iter().position(|seated| *seated == client)?;
        self.players.get(seat).cloned()
    }

    fn players(board: &Board) -> Vec<String> {
        board.players.clone()
    }
}
