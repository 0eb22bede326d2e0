//! A small game: players count to three, in any order. The setup can enable one fault in its rules.

use std::{
    fmt,
    sync::atomic::{AtomicU32, Ordering},
};

use engine::{Cause, CommId, Input, JavaRandom, Outbox, Projection, Rulebook, SeatResult, Verdict, Waiting, messages};
use serde::{Deserialize, Serialize};

/// A fault in the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Fault {
    Nothing,
    /// The rules depend on something outside the game.
    HiddenInput,
    /// The rules draw a random number for a refusal.
    RefusalDraws,
    /// The rules change the count without an event.
    SilentChange,
    /// The rules change a view without an event.
    SecretChange,
    SpeaksAfterTheEnd,
    TellsWhoLeft,
    SpeaksAtStart,
    WaitsAfterTheEnd,
    /// The game has results before the end.
    EarlyResults,
    /// The results count a seat twice.
    SecondResult,
    /// The results count a client that never had a seat.
    ResultOfStranger,
    /// The seats of a side have different verdicts.
    SplitSide,
    /// The results differ each time they are computed.
    ResultsChange,
}

messages! {
    pub(crate) enum Command {
        /// Takes a seat.
        Join {},
        /// Counts up.
        Add { amount: u32 },
        /// Gives up the seat.
        Leave {},
    }
}

messages! {
    pub(crate) enum Event {
        /// The new count.
        Counted { count: u32 },
        /// Nothing was added.
        Refused {},
        /// Welcomes the client that joined.
        Welcome {},
        /// A client left, perhaps before the end.
        Gone { early: bool },
        /// The end.
        Done {},
    }
}

/// Version 1 of the rules adds the amount; version 3 may randomly add one more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Counter {
    fault: Fault,
    lucky: bool,
    count: u32,
    /// Not part of the board: only a welcomed client knows that it is welcome.
    welcomed: Vec<CommId>,
    random: JavaRandom,
    over: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    count: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct View {
    count: u32,
    welcome: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Counted;

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("counted")
    }
}

impl Rulebook for Counter {
    const NAME: &'static str = "counter";
    const RULES_VERSION: u32 = 3;
    const VERSIONS: &'static [u32] = &[1, 3];

    type Setup = Fault;
    type Command = Command;
    type Event = Event;
    type Timer = ();
    type Outcome = Counted;
    type Board = Board;
    type View = View;

    fn edition(_: &Fault) -> &'static str {
        "only"
    }

    fn start(fault: &Fault, seed: i64, outbox: &mut Outbox<Event, ()>) -> Self {
        Self::start_version(Self::RULES_VERSION, fault, seed, outbox)
    }

    fn start_version(version: u32, fault: &Fault, seed: i64, outbox: &mut Outbox<Event, ()>) -> Self {
        if *fault == Fault::SpeaksAtStart {
            outbox.all(Event::Done {});
        }
        outbox.set_timer((), 1000);
        let (lucky, random) = (version >= 3, JavaRandom::new(seed));
        Self { fault: *fault, lucky, count: 0, welcomed: Vec::new(), random, over: false }
    }

    fn fold(&mut self, input: &Input<Command, ()>, outbox: &mut Outbox<Event, ()>) {
        static OUTSIDE: AtomicU32 = AtomicU32::new(0);
        if self.over {
            if self.fault == Fault::SpeaksAfterTheEnd {
                outbox.all(Event::Done {});
            }
            return;
        }
        match &input.cause {
            Cause::Timer { timer: () } => {}
            Cause::Command { client, command: Command::Join {} } => {
                outbox.seat(*client);
                if self.fault != Fault::SecretChange {
                    outbox.only(*client, Event::Welcome {});
                }
                self.welcomed.push(*client);
            }
            Cause::Command { client, command: Command::Leave {} } => {
                outbox.unseat(*client);
                outbox.cancel_timer(());
                if self.fault == Fault::TellsWhoLeft {
                    outbox.only(*client, Event::Gone { early: true });
                }
            }
            Cause::Command { client, command: Command::Add { amount: 0 } } => {
                if self.fault == Fault::RefusalDraws {
                    self.random.next_int();
                }
                outbox.only(*client, Event::Refused {});
            }
            Cause::Command { command: Command::Add { amount }, .. } => {
                self.count += amount + u32::from(self.lucky && self.random.next_boolean());
                outbox.set_timer((), 1000);
                if self.fault == Fault::HiddenInput {
                    self.count += OUTSIDE.fetch_add(1, Ordering::Relaxed);
                }
                if self.fault != Fault::SilentChange {
                    outbox.all(Event::Counted { count: self.count });
                }
                if self.count >= 3 {
                    outbox.all(Event::Done {});
                    self.over = true;
                }
            }
        }
    }

    fn waiting_for(&self) -> Waiting {
        if self.over && self.fault != Fault::WaitsAfterTheEnd { Waiting::GameOver } else { Waiting::Anyone }
    }

    fn outcome(&self) -> Option<Counted> {
        self.over.then_some(Counted)
    }

    fn results(&self) -> Vec<SeatResult> {
        static ASKED: AtomicU32 = AtomicU32::new(0);
        if !self.over && self.fault != Fault::EarlyResults {
            return Vec::new();
        }
        let asked = if self.fault == Fault::ResultsChange { ASKED.fetch_add(1, Ordering::Relaxed) } else { 0 };
        let result = |(at, client): (usize, &CommId)| SeatResult {
            client: *client,
            name: format!("player {client}"),
            side: Some("all".into()),
            verdict: if at > 0 && self.fault == Fault::SplitSide { Verdict::Lost } else { Verdict::Won },
            points: asked.into(),
        };
        let stranger = (self.fault == Fault::ResultOfStranger).then_some(CommId(3));
        let mut clients = self.welcomed.clone();
        clients.sort_unstable();
        if self.fault != Fault::SecondResult {
            clients.dedup();
        }
        clients.extend(stranger);
        clients.iter().enumerate().map(result).collect()
    }

    fn board(&self) -> Board {
        Board { count: self.count }
    }

    fn view(&self, client: CommId) -> View {
        View { count: self.count, welcome: self.welcomed.contains(&client) }
    }

    fn is_refusal(event: &Event) -> bool {
        *event == Event::Refused {}
    }
}

impl Projection<Counter> for Board {
    fn new(_: &Fault) -> Self {
        Self { count: 0 }
    }

    fn apply(&mut self, event: &Event) {
        if let Event::Counted { count } = event {
            self.count = *count;
        }
    }
}

impl Projection<Counter> for View {
    fn new(_: &Fault) -> Self {
        Self { count: 0, welcome: false }
    }

    fn apply(&mut self, event: &Event) {
        if let Event::Counted { count } = event {
            self.count = *count;
        }
        self.welcome |= *event == Event::Welcome {};
    }
}
