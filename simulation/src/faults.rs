//! The faults of a seed: what happens when, and for how long.

use std::{sync::Arc, time::Duration};

use tokio::time::{Instant, sleep, sleep_until, timeout};

use crate::{
    coverage::Covered,
    link::Control,
    random::Random,
    site::Site,
    store::Trouble,
    table::{Order, PlayerHandle},
};

/// The fewest and the most faults of a seed.
const COUNT: (u64, u64) = (5, 9);
/// The first and the last moment of a fault, in milliseconds.
const BETWEEN_MS: (u64, u64) = (1500, 42_000);

/// A fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Crash,
    CrashInRecovery,
    CrashAtEnd,
    Stop,
    Freeze,
    Sleep,
    Cut,
    CutAll,
    HalfOpen,
    SlowReader,
    Order(Order),
    Store(Trouble),
    GameFails,
}

/// Each fault is drawn as often as it is here.
const FAULTS: &[Fault] = &[
    Fault::Crash,
    Fault::Crash,
    Fault::Crash,
    Fault::CrashInRecovery,
    Fault::CrashAtEnd,
    Fault::Stop,
    Fault::Freeze,
    Fault::Sleep,
    Fault::Cut,
    Fault::Cut,
    Fault::CutAll,
    Fault::HalfOpen,
    Fault::SlowReader,
    Fault::Order(Order::ResumeTwice),
    Fault::Order(Order::ResumeElsewhere),
    Fault::Store(Trouble::Slow),
    Fault::Store(Trouble::Silent),
    Fault::Store(Trouble::Silent),
    Fault::Store(Trouble::Full),
    Fault::Store(Trouble::Lost),
    Fault::Store(Trouble::Unknown),
    Fault::GameFails,
];

impl Fault {
    /// Whether the fault is one of the host's life, of which only one happens at a time.
    fn is_of_host(self) -> bool {
        match self {
            Self::Crash | Self::CrashInRecovery | Self::CrashAtEnd | Self::Stop | Self::Freeze | Self::Sleep => true,
            Self::Cut
            | Self::CutAll
            | Self::HalfOpen
            | Self::SlowReader
            | Self::Order(_)
            | Self::Store(_)
            | Self::GameFails => false,
        }
    }
}

/// Lets all faults of a seed happen, and returns when the last one is over.
pub(crate) async fn happen(seed: u64, site: &Arc<Site>, players: &[Arc<PlayerHandle>]) {
    let mut random = Random::new(seed, 3);
    let count = random.within(COUNT.0..=COUNT.1);
    let mut plan: Vec<(u64, Fault)> = Vec::new();
    for _ in 0..count {
        let at_ms = random.within(BETWEEN_MS.0..=BETWEEN_MS.1);
        plan.extend(random.pick(FAULTS).map(|fault| (at_ms, *fault)));
    }
    plan.sort_by_key(|(at_ms, _)| *at_ms);
    let (of_host, others): (Vec<_>, Vec<_>) = plan.into_iter().partition(|(_, fault)| fault.is_of_host());
    let lane = |stream| Lane {
        site: site.clone(),
        players: players.to_vec(),
        random: Random::new(seed, stream),
        slow_until: Instant::now(),
    };
    tokio::join!(lane(4).run(of_host), lane(5).run(others));
}

/// Faults that happen one after the other.
struct Lane {
    site: Arc<Site>,
    players: Vec<Arc<PlayerHandle>>,
    random: Random,
    /// When the last slow reader is quick again.
    slow_until: Instant,
}

impl Lane {
    async fn run(mut self, plan: Vec<(u64, Fault)>) {
        for (at_ms, fault) in plan {
            let now_ms = self.site.observer.now_ms();
            sleep(Duration::from_millis(at_ms.saturating_sub(now_ms))).await;
            self.site.observer.step(|| format!("fault: {fault:?}"));
            self.happen(fault).await;
        }
        sleep_until(self.slow_until).await;
    }

    async fn happen(&mut self, fault: Fault) {
        match fault {
            Fault::Crash => {
                self.site.crash();
                self.start_again().await;
            }
            Fault::CrashInRecovery => {
                self.site.crash();
                let patience = Duration::from_micros(self.random.within(100..=3000));
                let _it_may_be_quicker = self.site.start(patience).await;
                self.site.crash();
                self.start_again().await;
            }
            Fault::CrashAtEnd => {
                let patience = self.random.millis(1000..=8000);
                if timeout(patience, self.site.disk.next_end()).await.is_ok() {
                    self.site.observer.cover(Covered::CrashAtEnd);
                }
                self.site.crash();
                self.start_again().await;
            }
            Fault::Stop => {
                self.site.stop().await;
                self.start_again().await;
            }
            Fault::Freeze => {
                let time = self.random.millis(100..=6000);
                self.site.freeze(time);
                sleep(time).await;
            }
            Fault::Sleep => {
                self.site.observer.cover(Covered::Sleep);
                let time = self.random.millis(100..=5000);
                // The clock moves before any task runs.
                self.site.disk.woke_up_after(time);
                tokio::time::advance(time).await;
                // Between two sleeps, everything that is due happens.
                sleep(Duration::from_millis(50)).await;
            }
            Fault::Cut => self.break_one(Covered::Cut, Control::cut),
            Fault::CutAll => {
                self.site.observer.cover(Covered::CutAll);
                self.site.links().iter().for_each(Control::cut);
            }
            Fault::HalfOpen => self.break_one(Covered::HalfOpen, Control::stick),
            Fault::SlowReader => self.slow_reader(),
            Fault::Order(order) => {
                if let Some(player) = self.random.pick(&self.players) {
                    player.order(order);
                }
            }
            Fault::Store(trouble) => self.trouble(trouble).await,
            Fault::GameFails => self.site.fail_game(),
        }
    }

    async fn start_again(&mut self) {
        sleep(self.random.millis(10..=3000)).await;
        self.site.start(Duration::from_secs(60)).await;
    }

    fn break_one(&mut self, covered: Covered, break_link: fn(&Control)) {
        if let Some(link) = self.random.pick(&self.site.links()) {
            self.site.observer.cover(covered);
            break_link(link);
        }
    }

    fn slow_reader(&mut self) {
        let Some(link) = self.random.pick(&self.site.links()).cloned() else { return };
        self.site.observer.cover(Covered::SlowReader);
        let (pause, time) = (self.random.millis(100..=3000), self.random.millis(2000..=15_000));
        link.slow(Some(pause));
        self.slow_until = self.slow_until.max(Instant::now() + time);
        tokio::spawn(async move {
            sleep(time).await;
            link.slow(None);
        });
    }

    async fn trouble(&mut self, trouble: Trouble) {
        let (covered, time) = match trouble {
            Trouble::Slow => (Covered::StoreSlow, self.random.millis(1000..=8000)),
            Trouble::Silent => (Covered::StoreSilent, self.random.millis(200..=7000)),
            Trouble::Full => (Covered::StoreFull, self.random.millis(200..=7000)),
            Trouble::Lost => (Covered::StoreLost, Duration::ZERO),
            Trouble::Unknown => (Covered::StoreUnknown, Duration::ZERO),
        };
        self.site.observer.cover(covered);
        self.site.disk.trouble(trouble, time);
        // Another fault may come before this one is over.
        sleep(time / 2).await;
    }
}
