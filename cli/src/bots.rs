//! Bots that a host offers to its players. Each game brings its own; they play over the network like everybody else.

use std::{net::SocketAddr, num::NonZero, pin::Pin, sync::Arc, thread};

use server::{Offered, Opponent, Opponents};
use slog::{Logger, o, warn};
use tokio::sync::{Semaphore, mpsc};

/// How many seats bots may have at a time: some keep megabytes for each.
const SEATS: usize = 128;

/// The bots of one game.
pub trait HostBots: Send + Sync {
    /// Which bots there are.
    fn offered(&self) -> Vec<Offered>;

    /// Plays at a seat to the end of the game. What is thought needs a permit of `thinkers`.
    fn play(&self, seat: Opponent, host: SocketAddr, thinkers: Arc<Semaphore>, logger: Logger) -> Playing;
}

/// A bot at its seat.
pub type Playing = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Sends bots to the seats that a host has for them.
#[expect(missing_debug_implementations, reason = "bots have nothing to show")]
pub struct BotServer {
    bots: Vec<Box<dyn HostBots>>,
    /// Seats wait here until the host takes connections.
    calls: mpsc::UnboundedReceiver<Opponent>,
}

impl BotServer {
    /// What a host is told of these bots, and what sends them.
    pub fn new(bots: Vec<Box<dyn HostBots>>) -> (Arc<Opponents>, Self) {
        let (call, calls) = mpsc::unbounded_channel();
        let offered = bots.iter().flat_map(|bots| bots.offered()).collect();
        let opponents = Opponents::new(offered, SEATS, move |opponent| {
            let _host_is_ending = call.send(opponent);
        });
        (Arc::new(opponents), Self { bots, calls })
    }

    /// Sends a bot to every seat, for as long as the host lives.
    pub async fn run(mut self, host: SocketAddr, logger: Logger) {
        let thinkers = Arc::new(Semaphore::new(thinkers()));
        while let Some(seat) = self.calls.recv().await {
            let logger = logger.new(o!("game" => seat.game.clone(), "bot" => seat.bot.clone()));
            let offers = |offered: &Offered| offered.rulebook == seat.rulebook && offered.name == seat.bot;
            match self.bots.iter().find(|bots| bots.offered().iter().any(offers)) {
                Some(bots) => drop(tokio::spawn(bots.play(seat, host, thinkers.clone(), logger))),
                None => warn!(logger, "the game waits for a bot that is not offered; --bot offers it"),
            }
        }
    }
}

/// How many bots may think at a time: a core is left to those who play themselves.
pub fn thinkers() -> usize {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    cores.saturating_sub(1).max(1)
}
