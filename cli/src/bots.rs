//! Bots that a host offers to its players. Each game brings its own; they connect like any other client.

use std::{error::Error, num::NonZero, pin::Pin, sync::Arc, thread};

use commlib::ServerAddress;
use server::{Offered, Opponent, Opponents};
use slog::{Logger, o, warn};
use tokio::sync::{Semaphore, mpsc};

/// The most bots at a time: some bots need megabytes each.
const SEATS: usize = 128;

/// The bots of one game.
pub trait HostBots: Send + Sync {
    /// The bots of the game.
    fn offered(&self) -> Vec<Offered>;

    /// Plays a seat to the end of the game. A bot thinks only with a permit of `thinkers`.
    fn play(&self, seat: Opponent, host: ServerAddress, thinkers: Arc<Semaphore>, logger: Logger) -> Playing;
}

/// A bot that plays. It fails if it cannot play on.
pub type Playing = Pin<Box<dyn Future<Output = Result<(), BotFailure>> + Send>>;

/// The reason why a bot cannot play on: an error of any game.
pub type BotFailure = Box<dyn Error + Send + Sync>;

/// Sends bots to the seats for which the host requests one.
#[expect(missing_debug_implementations, reason = "bots have nothing to show")]
pub struct BotServer {
    bots: Vec<Box<dyn HostBots>>,
    /// Seats that wait for a bot.
    calls: mpsc::UnboundedReceiver<Opponent>,
}

impl BotServer {
    /// Creates the list of bots for a host, and the server that sends them.
    pub fn new(bots: Vec<Box<dyn HostBots>>) -> (Arc<Opponents>, Self) {
        let (call, calls) = mpsc::unbounded_channel();
        let offered = bots.iter().flat_map(|bots| bots.offered()).collect();
        let opponents = Opponents::new(offered, SEATS, move |opponent| {
            let _host_is_ending = call.send(opponent);
        });
        (Arc::new(opponents), Self { bots, calls })
    }

    /// Sends a bot to every seat until the host ends.
    pub async fn run(mut self, host: impl Into<ServerAddress>, logger: Logger) {
        let host = host.into();
        let thinkers = Arc::new(Semaphore::new(thinkers()));
        while let Some(seat) = self.calls.recv().await {
            let logger = logger.new(o!("game" => seat.game.clone(), "bot" => seat.bot.clone()));
            let offers = |offered: &Offered| offered.rulebook == seat.rulebook && offered.name == seat.bot;
            match self.bots.iter().find(|bots| bots.offered().iter().any(offers)) {
                Some(bots) => {
                    let playing = bots.play(seat, host.clone(), thinkers.clone(), logger.clone());
                    tokio::spawn(async move {
                        if let Err(error) = playing.await {
                            warn!(logger, "a bot failed"; "cause" => %error);
                        }
                    });
                }
                None => warn!(logger, "the game waits for a bot that is not offered; --bot offers it"),
            }
        }
    }
}

/// The number of bots that may think at a time: all cores but one, which is left for the host.
pub fn thinkers() -> usize {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    cores.saturating_sub(1).max(1)
}
