//! The power is lost at any moment of a real host's life. A host that is started on what the disk has kept has every event that
//! a client was told.
//!
//! 1. A host plays under load. `recorder.c` records every write, truncation, sync, rename and removal of its log, and what it
//!    hands to its sockets, in one order. The host starts on an empty folder, copies its write-ahead log into the file, shuts
//!    down under load, starts again, and shuts down again.
//! 2. The replayed recording must give the files that are really there. So no call was missed.
//! 3. At many moments, `power` builds a disk that may be left. What clients were told by then is what was sent by then.
//! 4. The program starts on each disk. Clients resume and play, the log is verified and compared with what was told.

use std::{
    collections::{BTreeMap, HashMap},
    fmt,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    path::{Path, PathBuf},
    sync::{Arc, atomic::Ordering},
    thread,
    time::{Duration, Instant},
};

use colony_rules::{Command, Event};
use commlib::{ClientError, Reason, ToClient, Want};
use engine::JavaRandom;
use server::log::GameRecord;
use testkit::{Need, has};

use super::{
    kill::{entries, stream, verified, wait_for},
    player::{self, Tables, enter},
    sent::{self, Client},
};
use crate::{
    power::{Disk, write_files},
    preload,
    process::{HostProcess, Scratch},
    recording::{Recording, Step, Synced},
    show,
    stored::{self, wait},
    wire::Wire,
};

/// The number of games at a time while the host is recorded.
const GAMES: usize = 12;
/// The events that clients are told at least in each of the two lives of a recorded host.
const EVENTS: usize = 1_500;
/// The images that are checked at a time.
const AT_ONCE: usize = 2;
/// The clients that resume on each image.
const RESUMED: usize = 3;
/// The longest wait, with room for a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

fn is_long() -> bool {
    std::env::var_os("HOLDFAST_LONG").is_some()
}

#[test]
fn nothing_told_is_lost_with_the_power() {
    if !has(&[Need::Program("cc")]) {
        return;
    }
    let (recordings, images) = if is_long() { (25, 100) } else { (1, 80) };
    let mut all = Findings::default();
    for seed in 0..recordings {
        all.add(&check("full", seed, images));
    }
    show(&format!("power loss: {all}"));
    assert_eq!((all.images, all.lost_in), (recordings as usize * images, 0));
    assert!(all.told > all.images && all.resumed > all.images, "{all}");
}

/// The test of the test: it finds losses where there are some. Even then every log is sound.
#[test]
fn with_normal_durability_the_last_events_may_be_lost_with_the_power() {
    if !has(&[Need::Program("cc")]) {
        return;
    }
    let found = check("normal", 0, if is_long() { 200 } else { 20 });
    show(&format!("power loss with normal durability: {found}"));
    assert!(found.lost_in > 0, "no loss was found: {found}");
}

/// What was found on images of disks.
#[derive(Default)]
struct Findings {
    images: usize,
    /// The steps that were recorded, without those of sockets.
    steps: usize,
    /// The events that were told before the cuts, and the clients that resumed.
    told: usize,
    resumed: usize,
    /// The number of images that lack something that was told.
    lost_in: usize,
}

impl Findings {
    fn add(&mut self, other: &Self) {
        self.images += other.images;
        self.steps += other.steps;
        self.told += other.told;
        self.resumed += other.resumed;
        self.lost_in += other.lost_in;
    }
}

impl fmt::Display for Findings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { images, steps, told, resumed, lost_in } = self;
        write!(
            f,
            "{images} images of {steps} recorded calls, {told} told events and {resumed} resumed clients checked, "
        )?;
        write!(f, "all logs sound, something told is lost in {lost_in}")
    }
}

/// Records a host, and checks images of its disk.
fn check(durability: &str, seed: i64, images: usize) -> Findings {
    let scratch = Scratch::new(&format!("power-{durability}-{seed}"));
    let recording = record(&scratch, durability);
    let clients = sent::clients(&recording);
    let mut random = JavaRandom::new(seed);
    let mut cuts = cuts(&recording, images, &mut random);
    cuts.sort_unstable();

    let calls = recording.steps.iter().filter(|step| !matches!(step, Step::Sent { .. })).count();
    let mut all = Findings { steps: calls, ..Findings::default() };
    let mut disk = Disk::new(&recording);
    for (index, cuts) in cuts.chunks(AT_ONCE).enumerate() {
        let mut checks = Vec::new();
        for (at_once, &cut) in cuts.iter().enumerate() {
            disk.advance(cut);
            let folder = scratch.path(&format!("image-{}", index * AT_ONCE + at_once));
            let files = disk.lose_power(&mut random);
            let may_lose = durability != "full";
            checks.push(ImageCheck { files, folder, may_lose, cut, seed: seed ^ cut as i64, clients: &clients });
        }
        let found: Vec<Findings> = thread::scope(|scope| {
            let checking: Vec<_> = checks.iter().map(|check| scope.spawn(|| check.run())).collect();
            checking.into_iter().map(|check| check.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
        });
        found.iter().for_each(|found| all.add(found));
    }
    all
}

/// Plays on a host that is recorded.
fn record(scratch: &Scratch, durability: &str) -> Recording {
    let library = preload::build("recorder", scratch);
    let (folder, path) = (scratch.path("recorded"), scratch.path("recording"));
    std::fs::create_dir_all(&folder).expect("a folder");
    // SQLite resolves links in the path of a file.
    let log = folder.canonicalize().expect("the folder is there").join("games.log");
    let preloaded = [
        ("LD_PRELOAD", library.display().to_string()),
        ("HOLDFAST_RECORDING", path.display().to_string()),
        ("HOLDFAST_RECORDED_FILE", log.display().to_string()),
    ];
    let mut host = HostProcess::start_in(&log, &preloaded, &["--durability", durability]);
    let empty = std::fs::metadata(&log).expect("a log").len();

    let shared: Arc<Tables> = Arc::default();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    for table in 0..GAMES {
        let wire = Wire::of_table(table);
        runtime.spawn(player::keep_playing(table, host.addresses(), wire, Duration::ZERO, shared.clone()));
    }
    wait_for("events are told", &shared.events, EVENTS);
    wait_for_checkpoint(&log, empty);
    host.end();
    let told = shared.events.load(Ordering::Relaxed);
    host.restart();
    wait_for("events are told", &shared.events, told + EVENTS);
    host.end();
    runtime.shutdown_background();

    let recording = Recording::read(&path);
    let mut disk = Disk::new(&recording);
    disk.advance(recording.steps.len());
    assert!(disk.seen() == files_of(&log), "the recording has every change of the files");
    recording
}

/// Waits until the host has copied its write-ahead log into the file, so that the file has grown.
fn wait_for_checkpoint(log: &Path, empty: u64) {
    let deadline = Instant::now() + PATIENCE;
    while std::fs::metadata(log).expect("a log").len() < empty + (1 << 16) {
        assert!(Instant::now() < deadline, "the write-ahead log is never copied into the file");
        thread::sleep(Duration::from_millis(5));
    }
}

/// The files of a log that a disk keeps.
fn files_of(log: &Path) -> BTreeMap<String, Vec<u8>> {
    let file = |suffix: &str| {
        let name = format!("games.log{suffix}");
        std::fs::read(log.with_file_name(&name)).ok().map(|content| (name, content))
    };
    ["", "-wal", "-journal"].into_iter().filter_map(file).collect()
}

/// Moments of a recording: half of them anywhere, and half of them around calls of each kind, because some are rare.
fn cuts(recording: &Recording, count: usize, random: &mut JavaRandom) -> Vec<usize> {
    let kinds: Vec<Vec<usize>> = kinds(recording).into_values().collect();
    let mut below = |bound: usize| random.next_below(i32::try_from(bound).expect("fewer steps")) as usize;
    let anywhere = |index: &usize| index.is_multiple_of(2);
    let mut cut = |index: usize| {
        if anywhere(&index) {
            return below(recording.steps.len() + 1);
        }
        let steps = &kinds[below(kinds.len())];
        // Before the call, after it, and after those that follow.
        (steps[below(steps.len())] + below(4)).min(recording.steps.len())
    };
    (0..count).map(&mut cut).collect()
}

/// The steps of each kind of call and file.
fn kinds(recording: &Recording) -> BTreeMap<(&'static str, String), Vec<usize>> {
    let mut names: HashMap<u64, String> = HashMap::new();
    let mut kinds: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (index, step) in recording.steps.iter().enumerate() {
        let name_of = |file: &u64| names[file].clone();
        let synced = |of: &Synced| match of {
            Synced::File(file) => name_of(file),
            Synced::Folder => "folder".into(),
        };
        let kind = match step {
            Step::Opened { file, name, .. } => {
                names.insert(*file, name.clone());
                ("open", name.clone())
            }
            Step::Written { file, .. } => ("write", name_of(file)),
            Step::LengthSet { file, .. } => ("truncate", name_of(file)),
            Step::SyncBegan { of, .. } => ("sync begins", synced(of)),
            Step::SyncEnded { of, .. } => ("sync ends", synced(of)),
            Step::Removed { name } => ("remove", name.clone()),
            Step::Renamed { from, .. } => ("rename", from.clone()),
            Step::Sent { .. } => ("send", String::new()),
        };
        kinds.entry(kind).or_default().push(index);
    }
    kinds
}

/// A disk after a loss of power, and what had been told by then.
struct ImageCheck<'r> {
    files: BTreeMap<String, Vec<u8>>,
    folder: PathBuf,
    may_lose: bool,
    cut: usize,
    seed: i64,
    clients: &'r [Client],
}

impl ImageCheck<'_> {
    fn run(&self) -> Findings {
        write_files(&self.files, &self.folder);
        match catch_unwind(AssertUnwindSafe(|| self.check())) {
            Ok(findings) => {
                std::fs::remove_dir_all(&self.folder).expect("the folder of this image");
                findings
            }
            Err(panic) => {
                let kept = std::env::temp_dir().join(format!("holdfast-bad-image-{}-{}", std::process::id(), self.cut));
                write_files(&self.files, &kept);
                show(&format!("power lost after {} calls: the image is in {}", self.cut, kept.display()));
                resume_unwind(panic)
            }
        }
    }

    fn log(&self) -> PathBuf {
        self.folder.join("games.log")
    }

    fn welcomed(&self) -> impl Iterator<Item = &Client> {
        self.clients.iter().filter(|client| client.has_welcome(self.cut))
    }

    fn check(&self) -> Findings {
        let mut host = HostProcess::start(&self.log());
        let mut random = JavaRandom::new(self.seed);
        let welcomed: Vec<&Client> = self.welcomed().collect();
        let mut found = Findings { images: 1, ..Findings::default() };
        let mut lost = false;
        if let Ok(count @ 1..) = i32::try_from(welcomed.len()) {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            for _ in 0..RESUMED {
                let client = welcomed[random.next_below(count) as usize];
                let resumed = runtime.block_on(self.resume(&host, client));
                found.resumed += usize::from(resumed);
                lost |= !resumed;
                assert!(resumed || self.may_lose, "{}: client {} cannot resume", client.game, client.client);
            }
        }
        host.kill();
        let (told, missing) = self.compare();
        found.told = told;
        found.lost_in = usize::from(lost || missing);
        found
    }

    /// Resumes, and sends a command, which the host answers after it has stored it. Returns whether the host knows the client and
    /// what it was told.
    async fn resume(&self, host: &HostProcess, client: &Client) -> bool {
        let want = Want::Resume { token: client.token, seen: client.told(self.cut).len() as u64 };
        let entered = enter(host.addresses(), Wire::of_table(self.cut), Some(&client.game), want).await;
        let (mut connection, welcome) = match entered {
            Ok(entered) => entered,
            Err(ClientError::Refused(_) | ClientError::Closing(_)) => return false,
            Err(error) => panic!("{}: {error}", client.game),
        };
        assert_eq!(welcome.next, client.told(self.cut).len() as u64 + 1);
        connection.ping(1).await.expect("sent");
        loop {
            match connection.next().await.expect("an answer").expect("no end") {
                ToClient::Event(_) => {}
                ToClient::Pong(_) => break,
                ToClient::Closing(refused) if refused.reason == Reason::GameOver => return true,
                other @ (ToClient::Welcome(_)
                | ToClient::Games(_)
                | ToClient::Offers(_)
                | ToClient::Notice(_)
                | ToClient::Managed(_)
                | ToClient::Refused(_)
                | ToClient::Closing(_)) => {
                    panic!("{}: {other:?}", client.game)
                }
            }
        }
        connection.send(&Command::EndTurn {}).await.expect("sent");
        let answer = connection.next().await.expect("an answer");
        let is_over = |refused: &commlib::Refused| refused.reason == Reason::GameOver;
        match answer {
            Some(ToClient::Event(_)) => true,
            // The registration of this client was lost, so it has no seat.
            Some(ToClient::Refused(refused)) if refused.reason == Reason::BadMessage => true,
            Some(ToClient::Refused(refused) | ToClient::Closing(refused)) if is_over(&refused) => true,
            other => panic!("{}: {other:?}", client.game),
        }
    }

    /// Verifies the log. Returns the number of events that were told, and whether the log lacks something of that.
    fn compare(&self) -> (usize, bool) {
        let report = verified(&self.log());
        assert!(report.is_sound(), "{report}");
        let file = stored::open(&self.log()).expect("the log can be read");
        let records = wait(file.list()).expect("the games can be listed");
        let games: HashMap<&str, &GameRecord> = records.iter().map(|record| (record.name.as_str(), record)).collect();
        let mut stored: HashMap<&str, _> = HashMap::new();
        let (mut told, mut lost) = (0, false);
        for client in self.welcomed() {
            told += client.told(self.cut).len();
            let Some(record) = games.get(client.game.as_str()) else {
                assert!(self.may_lose, "game {} is lost", client.game);
                lost = true;
                continue;
            };
            let (entries, clients) = stored.entry(client.game.as_str()).or_insert_with(|| {
                (entries(&*file, record), wait(file.clients(record.key)).expect("the clients can be read"))
            });
            let stream: Vec<&Event> = stream(entries, client.client).collect();
            let is_known = clients.iter().any(|stored| stored.client == client.client);
            let is_complete = is_known && stream.len() >= client.told(self.cut).len();
            assert!(is_complete || self.may_lose, "game {}: {} is lost", client.game, client.client);
            lost |= !is_complete;
            for (number, (told, stored)) in client.told(self.cut).zip(stream).enumerate() {
                assert_eq!(told, stored, "game {}, client {}, event {}", client.game, client.client, number + 1);
            }
        }
        (told, lost)
    }
}
