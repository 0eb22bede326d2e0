//! The programs of the game: `serve`, with Communication Server and Game Master in the host process, or `gm` in the host process
//! and `cs` beside it. An operator starts each again when it ends.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::{Arc, Mutex},
    time::Duration,
};

use project::{
    Finished, GameMaster, MasterOptions, TraceFile,
    communication::{self, AcceptedStream, Listeners, Options},
    local,
};
use project_rules::Setup;
use server::{Host, sync::lock};
use tokio::{
    sync::{mpsc, watch},
    task::{JoinHandle, JoinSet},
    time::{sleep, timeout},
};

use crate::{
    link::End,
    network::Network,
    port::{Opened, Port, Work},
    random::Random,
    site::address,
};

/// The address of a Communication Server beside the host.
pub(super) const SERVER: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 8000);

/// How long an operator needs to start a program again.
const RESTART: Duration = Duration::from_millis(300);
/// How long a program may take to stop.
const STOPPING: Duration = Duration::from_secs(15);

/// One against one: actions take time, and pieces keep appearing.
const TIMED: &str = r#"{"width": 4, "height": 8, "players_per_team": 1, "pieces": 5, "shams_percentage": 20,
    "goals": [{"x": 0, "y": 1}, {"x": 3, "y": 0}],
    "costs": {"move": 100, "discover": 450, "test": 300, "pick_up": 100, "place": 100},
    "reconnection_attempts": 5, "reconnection_interval": 2, "respawn_interval": 4000, "no_progress": 20000}"#;
/// The same without any waiting.
const QUICK: &str = r#"{"width": 4, "height": 8, "players_per_team": 1, "pieces": 5, "shams_percentage": 20,
    "goals": [{"x": 0, "y": 1}], "reconnection_attempts": 5, "reconnection_interval": 2}"#;

/// Whether the Communication Server of a seed runs beside the host.
pub(super) fn is_beside(seed: u64) -> bool {
    Random::new(seed, 7).chance(50)
}

fn setup(seed: u64) -> Setup {
    let text = if Random::new(seed, 8).chance(70) { TIMED } else { QUICK };
    Setup::new(text).expect("a scenario of ours")
}

fn options(setup: &Setup) -> Options {
    let interval = Duration::from_secs(setup.reconnection_interval.into());
    Options { attempts: setup.reconnection_attempts, interval, ..Options::default() }
}

/// Runs the Communication Server beside the host, game after game.
pub(super) async fn pass_messages(seed: u64, network: Arc<Network>) {
    let setup = setup(seed);
    loop {
        let arrivals = network.listen(SERVER);
        let (_never_sent, never) = watch::channel(false);
        let listeners = Listeners::from_streams(arrivals, None);
        communication::serve(listeners, options(&setup), TraceFile::off(), never).await;
        sleep(RESTART).await;
    }
}

/// Starts the program of the host process.
pub(super) fn open(Opened { host, seed }: Opened) -> Arc<dyn Port> {
    let (stop, stopping) = watch::channel(false);
    let arrived = Arc::default();
    let program = if is_beside(seed) {
        tokio::spawn(run_master(host, setup(seed), stopping))
    } else {
        tokio::spawn(run_both(host, setup(seed), Arc::clone(&arrived), stopping))
    };
    Arc::new(Program { stop, program: Mutex::new(Some(program)), arrived })
}

/// A program of the host process.
struct Program {
    stop: watch::Sender<bool>,
    program: Mutex<Option<JoinHandle<()>>>,
    arrived: Arrivals,
}

/// Where a Communication Server takes its connections from, while it runs.
type Arrivals = Arc<Mutex<Option<mpsc::UnboundedSender<AcceptedStream>>>>;

impl Port for Program {
    fn serve(&self, stream: End, _: watch::Receiver<bool>) -> Work {
        if let Some(arrived) = &*lock(&self.arrived) {
            let _nobody_listens = arrived.send((Box::new(stream), address()));
        }
        Box::pin(async {})
    }

    fn stop(&self) -> Work {
        self.stop.send_replace(true);
        let program = lock(&self.program).take();
        Box::pin(async {
            if let Some(mut program) = program
                && timeout(STOPPING, &mut program).await.is_err()
            {
                program.abort();
            }
        })
    }
}

/// A crash ends the program at once.
impl Drop for Program {
    fn drop(&mut self) {
        lock(&self.program).iter().for_each(JoinHandle::abort);
    }
}

fn master_options() -> MasterOptions {
    MasterOptions { server: SERVER, hash: None, seed: None, trace: TraceFile::off() }
}

/// `gm`: the Game Master alone.
async fn run_master(host: Arc<Host>, setup: Setup, stopping: watch::Receiver<bool>) {
    while !*stopping.borrow() {
        let late = GameMaster::tell_late(&host, &setup, master_options()).await;
        if matches!(late, Ok(None))
            && let Ok(master) = GameMaster::open(&host, &setup, master_options()).await
            && matches!(master.run(stopping.clone()).await, Ok(Finished::Stopped))
        {
            return;
        }
        sleep(RESTART).await;
    }
}

/// `serve`: Communication Server and Game Master.
async fn run_both(host: Arc<Host>, setup: Setup, arrived: Arrivals, stopping: watch::Receiver<bool>) {
    while !*stopping.borrow() {
        if let Ok(mut master) = GameMaster::open(&host, &setup, master_options()).await {
            let (connector, local) = local();
            master.connect_locally(connector);
            let options = Options { gm_hash: Some(master.hash()), ..options(&setup) };
            let (arrives, arrivals) = mpsc::unbounded_channel();
            let (stop, stops) = watch::channel(false);
            let listeners = Listeners::from_streams(arrivals, Some(local));
            let mut passing = JoinSet::new();
            passing.spawn(communication::serve(listeners, options, TraceFile::off(), stops));
            *lock(&arrived) = Some(arrives);
            let finished = master.run(stopping.clone()).await;
            if !matches!(finished, Ok(Finished::Over(_))) {
                stop.send_replace(true);
            }
            passing.join_next().await;
            *lock(&arrived) = None;
        }
        sleep(RESTART).await;
    }
}
