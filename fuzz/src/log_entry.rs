//! Logs: headers, entries and whole games, as they were stored or as someone changed them.

use std::{fmt::Debug, sync::Arc};

use engine::{Chain, CommId, Digest, Entry, EntryOf, Header, Outbox, Replay, Rulebook};
use serde::{Serialize, de::DeserializeOwned};
use server::{
    Adapter, Erased, HostedGame, SetupOf,
    chronicle::{Detail, Sight},
    log::{
        Acknowledge, EventLog, GameHead, LogReader, MemoryLog, NewGame, Recovered, Report, Row, Selection, StoreError,
        verify, visit,
    },
};

use super::{GAMES, choose, game::Fuzzed, inputs::Inputs, ready::ready};

/// The most entries of a game, so that an input is quick.
const MOST_ENTRIES: usize = 64;

const NAME: &str = "fuzz";

/// The first byte chooses the game, the second what is read, and the rest are its bytes.
pub fn run(input: &[u8]) {
    let [game, what, bytes @ ..] = input else { return };
    let Some(game) = choose(GAMES, *game) else { return };
    let readers =
        [(b'h', game.header), (b'e', game.entry), (b'r', game.rows), (b'g', game.played), (b'c', game.changed)];
    if let Some(reader) = choose(&readers, *what) {
        reader(bytes);
    }
}

/// A header is refused, or written as it was read. The game of a header that can be read can be started.
pub(super) fn header<A: Adapter>(bytes: &[u8]) {
    let split = Header::split(bytes);
    let Ok(header) = Header::<SetupOf<A>>::decode(bytes) else { return };
    let (without, _) = split.expect("a header can be read without its setup");
    assert_eq!(without.with_setup(header.setup.clone()), header);
    same(&header);
    let _ = Erased::<A>::NEW.scenario(bytes).expect("the header can be read");
    let _refused_or_started = Replay::<A::Rules>::new(&header);
}

/// An entry is refused, or written as it was read.
pub(super) fn entry<A: Adapter>(bytes: &[u8]) {
    if let Ok(entry) = EntryOf::<A::Rules>::decode(bytes) {
        same(&entry);
    }
}

fn same<T: Serialize + DeserializeOwned + Eq + Debug>(value: &T) {
    let bytes = postcard::to_allocvec(value).expect("a value that was read can be written");
    assert_eq!(postcard::from_bytes::<T>(&bytes).as_ref(), Ok(value), "it is written as it was read");
}

/// A log whose entries are any bytes. The first byte chooses a setup and a way to look at the log; each row is its length in two bytes and its content.
pub(super) fn rows<F: Fuzzed>(bytes: &[u8]) {
    let Some((setup, mut rest)) = bytes.split_first() else { return };
    let mut contents = Vec::new();
    while let [high, low, behind @ ..] = rest
        && contents.len() < MOST_ENTRIES
    {
        let length = usize::from(u16::from_be_bytes([*high, *low])).min(behind.len());
        let (content, behind) = behind.split_at(length);
        contents.push(content.to_vec());
        rest = behind;
    }
    read::<F::Adapter>(setup >> 4, &header_of::<F>(*setup, 1), contents);
}

/// A log of a game that was played, with some bytes changed: the setup and the way to look at it, the number of changes, the changes (entry, place and
/// byte), and the inputs.
pub(super) fn changed<F: Fuzzed>(bytes: &[u8]) {
    let [setup, count, rest @ ..] = bytes else { return };
    let (changes, inputs) = rest.split_at(rest.len().min(3 * usize::from(count % 8)));
    let header = header_of::<F>(*setup, 1);
    let mut contents: Vec<Vec<u8>> = play::<F::Adapter>(&header, inputs).into_iter().map(|row| row.bytes).collect();
    for change in changes.chunks_exact(3) {
        let at = usize::from(change[0]) % contents.len().max(1);
        let Some(entry) = contents.get_mut(at) else { break };
        let place = usize::from(change[1]) % entry.len();
        if change[0] < 128 {
            entry[place] = change[2];
        } else {
            entry.insert(place, change[2]);
        }
    }
    read::<F::Adapter>(setup >> 4, &header, contents);
}

/// Verifies, replays and looks at a log with these entries. The digests are right, so that all readers reach the contents.
fn read<A: Adapter>(way: u8, header: &Header<SetupOf<A>>, contents: Vec<Vec<u8>>) {
    let mut chain = Chain::new(&header.encode());
    let row = |bytes: Vec<u8>| {
        let digest = chain.copy(&bytes);
        Row { sequence: chain.sequence(), bytes, digest }
    };
    let rows: Vec<Row> = contents.into_iter().map(row).collect();
    let (head, report) = verified(&stored(header, &rows));
    assert_eq!(report.games[0].damage, None, "the digests are right");
    look::<A>(way, &head, &rows, replayed::<A>(header, &rows));
}

/// A game that is played: each input of the bytes is folded, if it is possible. Its log is sound, and replays to the same game.
/// The first two bytes choose a setup, a way to look at the log, and a byte of it to change, which is found.
pub(super) fn played<F: Fuzzed>(bytes: &[u8]) {
    let [setup, change, inputs @ ..] = bytes else { return };
    let header = header_of::<F>(*setup, i64::from(*change));
    let mut rows = play::<F::Adapter>(&header, inputs);
    let log = stored(&header, &rows);
    let (head, report) = verified(&log);
    assert_eq!(report.games[0].damage, None, "the log is sound");
    assert!(replayed::<F::Adapter>(&header, &rows), "the log replays");
    look::<F::Adapter>(setup >> 4, &head, &rows, true);

    let place = usize::from(*change) % rows.len().max(1);
    let Some(byte) = rows.get_mut(place).and_then(|row| row.bytes.last_mut()) else { return };
    *byte ^= 1;
    let (_, report) = verified(&stored(&header, &rows));
    assert!(report.games[0].damage.is_some(), "a changed byte is found");
}

/// A header with the setup that the lower half of a byte chooses.
fn header_of<F: Fuzzed>(setup: u8, seed: i64) -> Header<SetupOf<F::Adapter>> {
    let setups = F::setups();
    let setup = setups[usize::from(setup & 15) % setups.len()].clone();
    Header::new::<<F::Adapter as Adapter>::Rules>(NAME, 0, setup, seed)
}

/// Folds the inputs, and returns the entries.
fn play<A: Adapter>(header: &Header<SetupOf<A>>, inputs: &[u8]) -> Vec<Row> {
    let mut outbox = Outbox::new();
    let mut game = A::Rules::start(&header.setup, header.seed, &mut outbox);
    let mut inputs = Inputs::new(inputs, &outbox);
    let mut chain = Chain::new(&header.encode());
    let mut rows = Vec::new();
    while game.outcome().is_none()
        && rows.len() < MOST_ENTRIES
        && let Some(input) = inputs.next()
    {
        outbox.clear();
        game.fold(&input, &mut outbox);
        inputs.follow(&outbox);
        let link = chain.append(0, &input, outbox.emissions());
        rows.push(Row { sequence: link.sequence, bytes: link.bytes.to_vec(), digest: link.digest });
    }
    rows
}

fn stored<S: Serialize + DeserializeOwned>(header: &Header<S>, rows: &[Row]) -> MemoryLog {
    let log = MemoryLog::new();
    let key = log.create(NewGame::new(NAME, header, None, 0), Arc::new(Taken));
    rows.iter().for_each(|row| log.append(key, row.clone(), Vec::new()));
    log
}

/// The log takes every row, because their numbers are right.
struct Taken;

impl Acknowledge for Taken {
    fn durable(&self, _: u64) {}

    fn failed(&self, error: Arc<StoreError>) {
        panic!("{error}");
    }
}

/// Verifies the log, and reads it as a recovery does: both must see the same.
fn verified(log: &MemoryLog) -> (GameHead, Report) {
    let report = ready(verify(log, |_| {})).expect("a log in memory can be read");
    let (mut damaged, mut entries, mut last) = (false, 0, Digest([0; 32]));
    let stats = ready(visit(log, Selection::Unfinished, |found| match found {
        Recovered::Entry { digest, .. } => (entries, last) = (entries + 1, digest),
        Recovered::Damaged { .. } => damaged = true,
        Recovered::Game { .. } | Recovered::Client { .. } => {}
    }));
    let stats = stats.expect("a log in memory can be read");
    assert_eq!((stats.entries, stats.damaged), (entries, u64::from(damaged)));
    assert_eq!(damaged, report.games[0].damage.is_some());
    let head = ready(log.find(NAME)).expect("a log in memory can be read").expect("the game is there");
    assert!(damaged || entries == 0 || head.record.tail.digest == last);
    (head, report)
}

/// Whether all entries can be read and give the same as before.
fn replayed<A: Adapter>(header: &Header<SetupOf<A>>, rows: &[Row]) -> bool {
    let mut replay = Replay::<A::Rules>::new(header).expect("the header is ours");
    rows.iter().all(|row| {
        let entry: Result<EntryOf<A::Rules>, _> = Entry::decode(&row.bytes);
        entry.is_ok_and(|entry| replay.step(&entry).is_ok())
    })
}

/// Looks at a log in one of the ways that people have. Some are slow, so an input chooses one.
fn look<A: Adapter>(way: u8, head: &GameHead, rows: &[Row], is_sound: bool) {
    let game = Erased::<A>::NEW;
    match way % 4 {
        0 => tell::<A>(Sight::Public, head, rows, is_sound),
        1 => tell::<A>(Sight::Everything, head, rows, is_sound),
        2 => {
            let script = game.script(&head.header, rows);
            assert!(!is_sound || script.is_none_or(|script| script.is_ok()), "a game can be written as a script");
        }
        _ => {
            let rematch = game.rematch(&head.header, rows, CommId(0));
            assert_eq!(rematch.is_ok(), is_sound, "a rematch needs the whole game");
        }
    }
}

/// Tells the game to spectators, as during the game or as after its end.
fn tell<A: Adapter>(sight: Sight, head: &GameHead, rows: &[Row], is_sound: bool) {
    let mut chronicle = Erased::<A>::NEW.chronicle(head, sight).expect("the header is ours");
    let whole = chronicle.extend(rows.to_vec()).is_ok();
    assert!(whole || !is_sound, "a sound log is told");
    assert!(!whole || chronicle.entries() == rows.len() as u64);
    assert!(!is_sound || chronicle.difference().is_none());
    let _ = (chronicle.game(&head.record), chronicle.picture());
    chronicle.lines(0, u64::MAX, Detail::Patches, &mut |_| true);
}
