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
/// With several hosts there are more of them.
const MORE_OF_CLUSTERS: u64 = 4;
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
    Partition,
    HostsApart,
    Failover,
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

/// With several hosts, these are drawn, too.
const OF_CLUSTERS: &[Fault] = &[
    Fault::Crash,
    Fault::Stop,
    Fault::Stop,
    Fault::Freeze,
    Fault::Freeze,
    Fault::Partition,
    Fault::Partition,
    Fault::Partition,
    Fault::Failover,
    Fault::Failover,
    Fault::HostsApart,
    Fault::HostsApart,
];

impl Fault {
    /// Whether the fault is one of the host's life, of which only one happens at a time.
    fn is_of_host(self) -> bool {
        match self {
            Self::Crash
            | Self::CrashInRecovery
            | Self::CrashAtEnd
            | Self::Stop
            | Self::Freeze
            | Self::Sleep
            | Self::Partition => true,
            Self::Cut
            | Self::CutAll
            | Self::HalfOpen
            | Self::SlowReader
            | Self::Order(_)
            | Self::Store(_)
            | Self::GameFails
            | Self::HostsApart
            | Self::Failover => false,
        }
    }
}

/// Lets all faults of a seed happen, and returns when the last one is over.
pub(crate) async fn happen(seed: u64, site: &Arc<Site>, players: &[Arc<PlayerHandle>]) {
    let mut random = Random::new(seed, 3);
    let hosts = site.hosts();
    let count = random.within(COUNT.0..=COUNT.1) + if hosts > 1 { MORE_OF_CLUSTERS } else { 0 };
    let faults: Vec<Fault> = if hosts > 1 { [FAULTS, OF_CLUSTERS].concat() } else { FAULTS.to_vec() };
    let mut others: Vec<(u64, Fault)> = Vec::new();
    // The faults of a host happen one after the other; those of different hosts may overlap.
    let mut of_hosts: Vec<Vec<(u64, Fault)>> = vec![Vec::new(); hosts];
    let mut plan: Vec<(u64, Fault)> = Vec::new();
    for _ in 0..count {
        let at_ms = random.within(BETWEEN_MS.0..=BETWEEN_MS.1);
        plan.extend(random.pick(&faults).map(|fault| (at_ms, *fault)));
    }
    plan.sort_by_key(|(at_ms, _)| *at_ms);
    for (at_ms, fault) in plan {
        match (fault.is_of_host(), hosts) {
            (false, _) => others.push((at_ms, fault)),
            (true, 1) => of_hosts[0].push((at_ms, fault)),
            (true, hosts) => of_hosts[random.below(hosts as u64) as usize].push((at_ms, fault)),
        }
    }
    let lane = |host, stream| Lane {
        site: site.clone(),
        players: players.to_vec(),
        random: Random::new(seed, stream),
        lasts_until: Instant::now(),
        host,
    };
    let mut lanes = vec![tokio::spawn(lane(0, 5).run(others))];
    for (host, plan) in of_hosts.into_iter().enumerate() {
        let stream = if host == 0 { 4 } else { 40 + host as u64 };
        lanes.push(tokio::spawn(lane(host, stream).run(plan)));
    }
    for lane in lanes {
        // A lane that panics is a mistake of the simulation.
        lane.await.expect("a lane ends");
    }
}

/// Faults that happen one after the other.
struct Lane {
    site: Arc<Site>,
    players: Vec<Arc<PlayerHandle>>,
    random: Random,
    /// When the faults are over that last while others happen.
    lasts_until: Instant,
    /// The host of the faults of a host.
    host: usize,
}

impl Lane {
    async fn run(mut self, plan: Vec<(u64, Fault)>) {
        for (at_ms, fault) in plan {
            let now_ms = self.site.observer.now_ms();
            sleep(Duration::from_millis(at_ms.saturating_sub(now_ms))).await;
            self.site.observer.step(|| format!("fault: {fault:?}"));
            self.happen(fault).await;
        }
        sleep_until(self.lasts_until).await;
    }

    async fn happen(&mut self, fault: Fault) {
        match fault {
            Fault::Crash => {
                self.site.crash(self.host);
                self.start_again().await;
            }
            Fault::CrashInRecovery => {
                self.site.crash(self.host);
                let patience = Duration::from_micros(self.random.within(100..=3000));
                let _it_may_be_quicker = self.site.start(self.host, patience).await;
                self.site.crash(self.host);
                self.start_again().await;
            }
            Fault::CrashAtEnd => {
                let patience = self.random.millis(1000..=8000);
                if timeout(patience, self.site.disk.next_end()).await.is_ok() {
                    self.site.observer.cover(Covered::CrashAtEnd);
                }
                self.site.crash(self.host);
                self.start_again().await;
            }
            Fault::Stop => {
                self.site.stop(self.host).await;
                self.start_again().await;
            }
            Fault::Freeze => {
                let most = if self.site.hosts() > 1 { 10_000 } else { 6000 };
                let time = self.random.millis(100..=most);
                self.site.freeze(self.host, time);
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
            Fault::Partition => {
                let time = self.random.millis(500..=10_000);
                self.site.cut_off(self.host, time);
                sleep(time).await;
            }
            Fault::HostsApart => {
                let time = self.random.millis(500..=10_000);
                self.site.separate(&mut self.random, time);
                self.lasts_until = self.lasts_until.max(Instant::now() + time);
            }
            Fault::Failover => {
                self.site.observer.cover(Covered::StoreFailover);
                let time = self.random.millis(2000..=12_000);
                self.site.disk.trouble(Trouble::Silent, time);
                sleep(time).await;
                let last = if self.random.chance(50) { Trouble::Lost } else { Trouble::Unknown };
                self.site.disk.trouble(last, Duration::ZERO);
            }
            Fault::Store(trouble) => self.trouble(trouble).await,
            Fault::GameFails => self.site.fail_game(),
        }
    }

    async fn start_again(&mut self) {
        sleep(self.random.millis(10..=3000)).await;
        while !self.site.start(self.host, Duration::from_secs(60)).await {
            sleep(self.random.millis(10..=1000)).await;
        }
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
        self.lasts_until = self.lasts_until.max(Instant::now() + time);
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
