//! A game among bots in this process, from registration to its end.

use std::sync::Arc;

use colony_rules::{Command, Event, Game, Outcome, Setup, Timer, View};
use engine::{Audience, Cause, CommId, Emission, Input, JavaRandom, Outbox, Projection, Rulebook, Waiting};

use crate::Bot;

/// A running game. Each bot sees only the view of its own seat.
#[derive(Debug)]
pub struct Table {
    game: Game,
    outbox: Outbox<Event, Timer>,
    seats: Vec<BotSeat>,
    /// The number of commands so far.
    pub commands: u64,
    /// The number of events so far.
    pub events: u64,
}

#[derive(Debug)]
struct BotSeat {
    view: View,
    bot: Bot,
    random: JavaRandom,
}

/// More commands than any real game has. A bot that sends this many never ends its turn.
pub const MOST_COMMANDS: u64 = 1_000_000;

impl Table {
    /// Seats the bots. The game starts with the first command. The bots' generators are derived from the game's seed.
    pub fn new(setup: &Setup, seed: i64, bots: &[Bot]) -> Self {
        let mut outbox = Outbox::new();
        let game = Game::start(setup, seed, &mut outbox);
        let seat = |(bot, at): (&Bot, i64)| BotSeat {
            view: View::new(setup),
            bot: *bot,
            random: JavaRandom::new(seed.wrapping_mul(31).wrapping_add(at)),
        };
        Self { game, outbox, seats: bots.iter().zip(1..).map(seat).collect(), commands: 0, events: 0 }
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The emissions of the last command.
    pub fn outbox(&self) -> &Outbox<Event, Timer> {
        &self.outbox
    }

    /// The next command of the game; `None` once it is over.
    pub fn next_command(&mut self) -> Option<(CommId, Command)> {
        match self.game.waiting_for() {
            Waiting::GameOver => None,
            Waiting::Anyone => {
                if let Some(new) = self.seats.iter().position(|seat| seat.view.player.is_none()) {
                    let name: Arc<str> = format!("bot {}", new + 1).into();
                    return Some((client(new), Command::Register { name }));
                }
                Some((client(0), Command::StartGame {}))
            }
            Waiting::One(CommId(awaited)) => {
                let seat = &mut self.seats[awaited as usize - 1];
                Some((CommId(awaited), seat.bot.decide(&seat.view, &mut seat.random)))
            }
        }
    }

    /// Folds a command.
    pub fn play(&mut self, client: CommId, command: Command) {
        self.commands += 1;
        self.take(Cause::Command { client, command });
    }

    /// Folds a command or a timer. Clients are numbered from 1 in the order of the bots.
    pub fn take(&mut self, cause: Cause<Command, Timer>) {
        self.outbox.clear();
        self.game.fold(&Input { elapsed_ms: 0, cause }, &mut self.outbox);
        for emission in self.outbox.emissions() {
            let Emission::Event { audience, event } = emission else { continue };
            self.events += 1;
            match audience {
                Audience::Only(CommId(client)) => self.seats[*client as usize - 1].view.apply(event),
                Audience::All | Audience::Board => self.seats.iter_mut().for_each(|seat| seat.view.apply(event)),
            }
        }
    }

    /// Plays to the end.
    ///
    /// # Panics
    /// If the game does not end within a million commands.
    pub fn finish(&mut self) -> Outcome {
        while let Some((client, command)) = self.next_command() {
            self.play(client, command);
            assert!(self.commands < MOST_COMMANDS, "a bot never ends its turn");
        }
        self.game.outcome().expect("no command is awaited because the game is over")
    }
}

/// Clients are numbered from 1 in the order of their seats.
fn client(seat: usize) -> CommId {
    CommId(seat as u32 + 1)
}
