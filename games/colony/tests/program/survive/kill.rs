//! Kills a real host with -9 many times: under load, while it recovers, and while it shuts down. Afterwards compares the events
//! that clients received over all wire forms with the log.

use std::{
    collections::HashMap,
    fmt,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use colony_rules::{Event, Game};
use engine::{Audience, CommId, Emission, Entry, EntryOf, JavaRandom};
use server::log::{GameRecord, LogReader, Report, verify};

use super::player::{self, Tables};
use crate::{
    process::{HostProcess, Scratch},
    show,
    stored::{self, wait},
    wire::Wire,
};

const GAMES: usize = 50;
/// The number of clients that resume before the next kill under load.
const BACK: usize = 2;
/// The number of events that clients receive between two kills under load: at least `LEAST`, and up to `MORE` more.
const LEAST: usize = 400;
const MORE: i32 = 1200;
/// The log is verified after this many kills under load.
const VERIFIED: usize = 20;
/// A kill that comes too late is tried again with less time, at most this many times for each kill that is wanted.
const TRIES: usize = 50;
/// The longest wait, with room for a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

#[test]
fn nothing_told_is_lost() {
    let scratch = Scratch::new("kill");
    kill_many_times(&scratch.path("games.log"), 1);
}

/// The same on a PostgreSQL database, with a fifth of the kills.
#[cfg(feature = "postgres")]
#[test]
fn nothing_told_is_lost_on_postgres() {
    let Some(server) = testkit::Postgres::shared() else { return };
    kill_many_times(Path::new(&server.store()), 5);
}

/// Plays on a host that keeps its games here, and kills it at all moments, a share of the usual times.
fn kill_many_times(log: &Path, share: usize) {
    let mut host = HostProcess::start(log);
    let shared: Arc<Tables> = Arc::default();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let play = |table| {
        let wire = Wire::of_table(table);
        runtime.spawn(player::keep_playing(table, host.addresses(), wire, Duration::ZERO, shared.clone()))
    };
    let tables: Vec<_> = (0..GAMES).map(play).collect();

    let mut killing = Killing::new(20_261_116, share);
    while let Some(moment) = killing.next() {
        killing.kill(moment, &mut host, &shared, log);
    }
    shared.stop.store(true, Ordering::Release);
    runtime.block_on(async {
        for table in tables {
            table.await.expect("a table never panics");
        }
    });
    player::break_off_all(&runtime, host.addresses(), log);
    host.wait_until_all_games_ended();
    host.stop();

    let (games, events, resumed) = compare(log, &shared);
    show(&format!(
        "{killing}: {games} games, clients resumed {resumed} times and were told {events} events, all in the log"
    ));
    let rounds = killing.hit[Moment::Load as usize];
    assert!(resumed >= (rounds - 1) * BACK && events >= rounds * LEAST, "{resumed} resumed, {events} events");
    for wire in Wire::ALL {
        let told = shared.told.lock().expect("no thread has panicked");
        let resumed: usize = told.iter().filter(|client| client.wire == wire).map(|client| client.resumed).sum();
        assert!(resumed > 0, "clients resumed over {wire:?}");
    }
}

/// When a kill comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moment {
    /// While many clients play.
    Load,
    /// After a started process has opened the log, and before it announces that it listens.
    Recovery,
    /// Shortly after it has announced that.
    Listening,
    /// After SIGTERM, while the process still runs.
    Shutdown,
}

impl Moment {
    const ALL: [Self; 4] = [Self::Load, Self::Recovery, Self::Listening, Self::Shutdown];

    /// The number of kills that must hit, in a share of the usual test.
    fn wanted(self, share: usize) -> usize {
        let short = match self {
            Self::Load => 50,
            Self::Recovery | Self::Shutdown => 20,
            Self::Listening => 10,
        };
        if std::env::var_os("HOLDFAST_LONG").is_some() { 11 * short } else { short / share }
    }
}

/// Kills a host at random moments, until there were enough kills of each kind.
struct Killing {
    random: JavaRandom,
    share: usize,
    /// The number of resumed connections at the start of the last round.
    resumed: usize,
    hit: [usize; 4],
    missed: [usize; 4],
    /// The longest time until a kill. It becomes shorter with each kill that comes too late, and longer with each other one.
    within: [Duration; 4],
}

impl Killing {
    fn new(seed: i64, share: usize) -> Self {
        let within = [Duration::from_millis(20); 4];
        Self { random: JavaRandom::new(seed), share, resumed: 0, hit: [0; 4], missed: [0; 4], within }
    }

    /// A moment that has not had enough kills.
    fn next(&mut self) -> Option<Moment> {
        let open: Vec<Moment> =
            Moment::ALL.into_iter().filter(|&moment| self.hit[moment as usize] < moment.wanted(self.share)).collect();
        let count = i32::try_from(open.len()).expect("four moments");
        (count > 0).then(|| open[self.random.next_below(count) as usize])
    }

    /// Kills the host, and starts it again.
    fn kill(&mut self, moment: Moment, host: &mut HostProcess, tables: &Tables, log: &Path) {
        self.wait_for_load(tables);
        self.resumed = tables.resumed.load(Ordering::Relaxed);
        match moment {
            Moment::Load => self.kill_under_load(host, log),
            Moment::Recovery => {
                self.kill_under_load(host, log);
                // A host may crash several times in a row.
                for _ in 0..=self.random.next_below(3) {
                    let hit = host.kill_in_recovery(self.time(moment));
                    self.count(moment, hit);
                }
            }
            Moment::Listening => {
                self.kill_under_load(host, log);
                host.restart();
                std::thread::sleep(self.time(moment));
                host.kill();
                self.hit[moment as usize] += 1;
            }
            Moment::Shutdown => {
                let hit = host.kill_in_shutdown(self.time(moment));
                self.count(moment, hit);
            }
        }
        host.restart();
    }

    /// Every first kill of a round comes under load, at a random moment.
    fn wait_for_load(&mut self, tables: &Tables) {
        if self.hit != [0; 4] {
            wait_for("clients come back", &tables.resumed, self.resumed + BACK);
        }
        let told = tables.events.load(Ordering::Relaxed);
        wait_for("events are told", &tables.events, told + LEAST + self.random.next_below(MORE) as usize);
    }

    fn kill_under_load(&mut self, host: &mut HostProcess, log: &Path) {
        host.kill();
        let hit = &mut self.hit[Moment::Load as usize];
        *hit += 1;
        if hit.is_multiple_of(VERIFIED) {
            let report = verified(log);
            assert!(report.is_sound(), "after {self}: {report}");
        }
    }

    fn time(&mut self, moment: Moment) -> Duration {
        self.within[moment as usize] * self.random.next_below(1000).cast_unsigned() / 1000
    }

    fn count(&mut self, moment: Moment, hit: bool) {
        let (hits, missed, within) =
            (&mut self.hit[moment as usize], &mut self.missed[moment as usize], &mut self.within[moment as usize]);
        if hit {
            *hits += 1;
            *within = (*within * 5 / 4).min(Duration::from_secs(1));
        } else {
            *missed += 1;
            *within /= 2;
        }
        assert!(*missed < TRIES * moment.wanted(self.share), "{moment:?}: the kills never come in time");
    }
}

impl fmt::Display for Killing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [load, recovery, listening, shutdown] = self.hit;
        let [_, late_recovery, _, late_shutdown] = self.missed;
        // A kill that was too late for the recovery comes to a host that has just begun to listen.
        let listening = listening + late_recovery;
        write!(f, "{} kills ({load} under load, ", load + recovery + listening + shutdown)?;
        write!(f, "{recovery} in recovery before \"listening on\", {listening} shortly after it, ")?;
        write!(f, "{shutdown} after SIGTERM and before the end; {late_shutdown} came after the end)")
    }
}

/// Checks that the log is sound, that all games have ended, and that the log has every event that a client received. Returns the
/// number of games, of events, and of resumed connections.
pub(super) fn compare(log: &Path, tables: &Tables) -> (usize, usize, usize) {
    let report = verified(log);
    assert!(report.is_sound(), "{report}");
    let file = stored::open(log).expect("the log can be read");
    let records = wait(file.list()).expect("the games can be listed");
    let unfinished: Vec<&GameRecord> = records.iter().filter(|record| record.end.is_none()).collect();
    assert!(unfinished.is_empty(), "all games end: {unfinished:?}");

    let games: HashMap<&str, &GameRecord> = records.iter().map(|record| (record.name.as_str(), record)).collect();
    let told = tables.told.lock().expect("no thread has panicked");
    let mut events = 0;
    for client in told.iter() {
        let record = games.get(client.game.as_str()).unwrap_or_else(|| panic!("game {} is lost", client.game));
        let entries = entries(&*file, record);
        let stream: Vec<&Event> = stream(&entries, client.client).collect();
        assert!(client.events.len() <= stream.len(), "{} was told more than the log has", client.game);
        for (at, event) in client.events.iter().enumerate() {
            assert_eq!(event, stream[at], "game {}, client {}, event {}", client.game, client.client, at + 1);
        }
        events += client.events.len();
    }
    (records.len(), events, told.iter().map(|client| client.resumed).sum())
}

/// Waits until a counter reaches a number.
#[track_caller]
pub(super) fn wait_for(what: &str, number: &AtomicUsize, reached: usize) {
    let deadline = Instant::now() + PATIENCE;
    while number.load(Ordering::Relaxed) < reached {
        assert!(Instant::now() < deadline, "never: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

pub(super) fn verified(log: &Path) -> Report {
    let file = stored::open(log).expect("the log can be opened");
    wait(verify(&*file, |_| ())).expect("the log can be read")
}

/// The entries of a game.
pub(super) fn entries(file: &dyn LogReader, record: &GameRecord) -> Vec<EntryOf<Game>> {
    let rows = wait(file.rows(record.key, 1)).expect("the entries can be read");
    rows.iter().map(|row| Entry::decode(&row.bytes).expect("an entry")).collect()
}

/// The events that a client with `board` must have received, computed from the entries of the log alone.
pub(super) fn stream(entries: &[EntryOf<Game>], client: CommId) -> impl Iterator<Item = &Event> {
    entries.iter().flat_map(|entry| &entry.emissions).filter_map(move |emission| match emission {
        Emission::Event { audience: Audience::Only(other), .. } if *other != client => None,
        Emission::Event { event, .. } => Some(event),
        Emission::Seated { .. } | Emission::Unseated { .. } => None,
    })
}
