//! One simulation from its first to its last step.

use std::{sync::Arc, time::Duration};

use server::log::verify;
use tokio::{
    runtime::{Builder, Handle},
    task::JoinHandle,
    time::sleep,
};

use crate::{
    faults,
    games::{self, KINDS, Kind},
    ledger::{Finding, TIMER_SLACK_MS},
    observer::{Check, Observer, Outcome, Recording},
    planted::Planted,
    player::Player,
    random::Random,
    site::{Brought, Site},
    table::{PlayerHandle, Table},
};

/// How long everything may take to go on after the last fault.
const QUIET: Duration = Duration::from_secs(10);

/// The games of a seed, at the same time.
const GAMES: (u64, u64) = (4, 5);

/// In so many of a hundred cases, a client knows one of several hosts only.
const KNOW_ONE: u64 = 40;

/// In so many of a hundred seeds, games of a rulebook with a port of its own are played. Their documents cost most of the time.
const OWN_PORT: u64 = 20;

/// The tasks that may be left when host and players are gone.
const TASKS_LEFT: usize = 3;

/// How many hosts share the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hosts {
    /// One host with a store of its own, and games of every kind.
    One,
    /// Two or three hosts, as the seed wants, and games that are played over the wire.
    Several,
}

/// Plays one seed.
///
/// # Panics
/// If the system gives no runtime.
pub fn simulate(seed: u64, hosts: Hosts, planted: Option<Planted>, recording: Recording) -> Outcome {
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().expect("a runtime");
    runtime.block_on(async {
        let observer = Arc::new(Observer::new(recording));
        let hosts = match hosts {
            Hosts::One => 1,
            Hosts::Several => Random::new(seed, 7).within(2..=3) as usize,
        };
        let brought = Brought {
            games: games::table(),
            open_book: games::open_book,
            opens_again: games::opens_again,
            open_ports: games::open_ports,
        };
        let site = Site::new(seed, hosts, brought, observer.clone(), planted);
        let site = Arc::new(site);
        tokio::select! {
            biased;
            () = observer.failed() => {}
            () = run(seed, site) => {}
        }
        observer.finish()
    })
}

async fn run(seed: u64, site: Arc<Site>) {
    for host in 0..site.hosts() {
        while !site.start(host, Duration::from_secs(60)).await {
            sleep(Duration::from_millis(100)).await;
        }
    }
    let (handles, playing) = sit_down(seed, &site);
    faults::happen(seed, &site, &handles).await;
    while site.disk.is_in_trouble() {
        sleep(Duration::from_millis(100)).await;
    }
    site.observer.step(|| "the last fault is over".into());
    let quiet_ms = site.observer.now_ms();
    sleep(QUIET).await;
    for handle in &handles {
        let status = handle.status();
        if status.answered_ms < quiet_ms {
            let facts = format!("since {} ms without an answer: {}", status.answered_ms, status.doing);
            site.observer.fail(Check::Progress, || facts);
        }
    }
    check_timers(&site, QUIET);
    check_rooms(&site);
    for host in 0..site.hosts() {
        site.stop(host).await;
    }
    playing.iter().for_each(JoinHandle::abort);
    check_log(&site).await;
    // Connections that no side closes end by their time limits.
    sleep(Duration::from_secs(20)).await;
    let left = Handle::current().metrics().num_alive_tasks();
    if left > TASKS_LEFT {
        site.observer.fail(Check::Memory, || format!("{left} tasks are left when all is over"));
    }
}

/// No game has a timer that is overdue, after its clock has surely run for this time.
fn check_timers(site: &Site, quiet: Duration) {
    let now_ms = site.disk.now_ms();
    let quiet_ms = i64::try_from(quiet.as_millis()).unwrap_or_default();
    let mut late = None;
    site.ledger.all(|name, book| {
        let ran_ms = quiet_ms.min(now_ms - book.last_at());
        let checked = book.check_timers(u64::try_from(ran_ms).unwrap_or_default(), TIMER_SLACK_MS);
        late = late.take().or(checked.err().map(|finding| (name.to_owned(), finding)));
    });
    if let Some((name, Finding { check, facts })) = late {
        site.observer.fail(check, || format!("game {name}: {facts}"));
    }
}

/// Each unfinished game has one room, and no other game has one. A game without entries of its own may have none: if the store gave it up before
/// its first client was in, nothing waits for it, and the next client opens it.
fn check_rooms(site: &Site) {
    let mut rooms = site.rooms();
    rooms.sort_unstable();
    if let Some(pair) = rooms.windows(2).find(|pair| pair[0] == pair[1]) {
        return site.observer.fail(Check::OneOwner, || format!("game {} has two rooms", pair[0]));
    }
    let mut without = None;
    site.ledger.all(|name, book| {
        if !book.is_over() && book.has_own_entries() && rooms.binary_search_by(|room| room.as_str().cmp(name)).is_err()
        {
            without = Some(name.to_owned());
        }
    });
    if let Some(name) = without.filter(|_| site.hosts() > 1) {
        site.observer.fail(Check::Progress, || format!("game {name} has no room"));
    }
}

/// Starts the players of all games.
fn sit_down(seed: u64, site: &Arc<Site>) -> (Vec<Arc<PlayerHandle>>, Vec<JoinHandle<()>>) {
    let mut random = Random::new(seed, 6);
    let (mut handles, mut playing) = (Vec::new(), Vec::new());
    // Games with a port of their own are not forwarded between hosts.
    let mut is_in = |kind: &&Kind| kind.is_of_wire || site.hosts() == 1 && random.chance(OWN_PORT);
    let kinds: Vec<&Kind> = KINDS.iter().filter(&mut is_in).collect();
    let first = random.below(kinds.len() as u64);
    for game in 0..random.within(GAMES.0..=GAMES.1) {
        let table = Arc::new(Table::default());
        let kind = kinds[((first + game) % kinds.len() as u64) as usize];
        if kind.is_single && game >= kinds.len() as u64 {
            continue;
        }
        playing.extend((kind.run_beside)(seed, site.network.clone()).map(tokio::spawn));
        let players = random.within(2..=kind.most_players) as usize;
        let spectators = usize::from(kind.is_of_wire && random.chance(40));
        for number in 0..players + spectators {
            let handle = Arc::new(PlayerHandle::default());
            let knows_one = site.forwards() && random.chance(KNOW_ONE);
            let known = knows_one.then(|| random.below(site.hosts() as u64) as usize);
            let player = Player {
                site: site.clone(),
                table: table.clone(),
                handle: handle.clone(),
                number,
                is_spectator: number >= players,
                known,
                random: Random::new(seed, 100 + handles.len() as u64),
            };
            handles.push(handle);
            playing.push(tokio::spawn((kind.play)(player)));
        }
    }
    (handles, playing)
}

/// The log is whole, and has what the ledger saw being stored.
async fn check_log(site: &Site) {
    let observer = &site.observer;
    match verify(site.disk.reader(), |_| {}).await {
        Ok(report) if report.is_sound() => {}
        Ok(report) => observer.fail(Check::Durability, || format!("the log is damaged: {report:?}")),
        Err(error) => observer.fail(Check::Durability, || format!("the log cannot be read: {error}")),
    }
    let mut games = Vec::new();
    site.ledger.all(|name, book| games.push((name.to_owned(), book.entries(), book.is_over())));
    for (name, entries, is_over) in games {
        let head = site.disk.reader().find(&name).await;
        let Ok(Some(head)) = head else {
            return observer.fail(Check::Durability, || format!("game {name} is not in the log"));
        };
        let record = head.record;
        if record.tail.entries != entries || record.end.is_some() != is_over {
            let (has, end) = (record.tail.entries, record.end);
            let facts = format!("game {name} has {has} entries and the end {end:?}; {entries} entries were stored");
            observer.fail(Check::End, || facts);
        }
    }
}
