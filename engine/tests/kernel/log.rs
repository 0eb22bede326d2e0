//! Logs can be read, verified and replayed. The reader detects changes.

use engine::{
    BrokenChain, Cause, Chain, CommId, Difference, Digest, Emission, Entry, EntryOf, Header, Input, Outbox, Parent,
    Replay, Rulebook, Undecodable,
};

use crate::counter::{Command, Counter, Event, Fault};

/// The log of a short game.
struct Log {
    header: Header<Fault>,
    entries: Vec<(Vec<u8>, Digest)>,
}

fn written() -> Log {
    let header = Header::new::<Counter>("a", 0, Fault::Nothing, -7);
    let mut chain = Chain::new(&header.encode());
    let mut outbox = Outbox::new();
    let mut game = Counter::start(&header.setup, header.seed, &mut outbox);
    let mut entries = Vec::new();
    for (at, command) in
        [Command::Join {}, Command::Add { amount: 0 }, Command::Add { amount: 1 }].into_iter().enumerate()
    {
        let input = Input { elapsed_ms: at as u64 * 300, cause: Cause::Command { client: CommId(1), command } };
        outbox.clear();
        game.fold(&input, &mut outbox);
        let link = chain.append(1_700_000_000_000, &input, outbox.emissions());
        assert_eq!(link.sequence, at as u64 + 1);
        entries.push((link.bytes.to_vec(), link.digest));
    }
    Log { header, entries }
}

fn verify(log: &Log) -> Result<(), BrokenChain> {
    let mut chain = Chain::new(&log.header.encode());
    log.entries.iter().try_for_each(|(bytes, digest)| chain.verify(bytes, digest))
}

#[test]
fn a_written_log_verifies() {
    assert_eq!(verify(&written()), Ok(()));
}

#[test]
fn changes_are_found() {
    let broken = |tamper: fn(&mut Log)| {
        let mut log = written();
        tamper(&mut log);
        verify(&log).map_err(|BrokenChain { sequence }| sequence)
    };
    assert_eq!(broken(|log| log.entries[1].0[0] ^= 1), Err(2), "a changed entry");
    assert_eq!(broken(|log| log.entries[1].1.0[31] ^= 1), Err(2), "a changed digest");
    assert_eq!(broken(|log| drop(log.entries.remove(1))), Err(2), "a missing entry");
    assert_eq!(broken(|log| log.entries.swap(0, 1)), Err(1), "entries in another order");
    assert_eq!(broken(|log| log.entries[0].0.push(0)), Err(1), "a longer entry");
    assert_eq!(broken(|log| log.header.seed = 8), Err(1), "another header");
    // A log without its last entries still verifies, because the chain does not contain the length of the log.
    assert_eq!(broken(|log| drop(log.entries.pop())), Ok(()), "the last entry cut off");
}

/// A broken entry does not change the chain, so that the next entry can be checked.
#[test]
fn a_broken_entry_changes_nothing() {
    let log = written();
    let mut chain = Chain::new(&log.header.encode());
    let (bytes, digest) = &log.entries[0];
    assert_eq!(chain.verify(b"nonsense", digest), Err(BrokenChain { sequence: 1 }));
    assert_eq!(chain.verify(bytes, digest), Ok(()));
    assert_eq!((chain.sequence(), chain.digest()), (1, *digest));
}

#[test]
fn copied_entries_belong_to_the_new_header() {
    let mut log = written();
    log.header.game = "b".into();
    assert_eq!(verify(&log), Err(BrokenChain { sequence: 1 }));
    let mut chain = Chain::new(&log.header.encode());
    log.entries.iter_mut().for_each(|(bytes, digest)| *digest = chain.copy(bytes));
    assert_eq!(chain.sequence(), 3);
    assert_eq!(verify(&log), Ok(()));
}

#[test]
fn the_bytes_of_an_entry() {
    let entry: EntryOf<Counter> = Entry {
        sequence: 300,
        at: -2,
        input: Input {
            elapsed_ms: 1000,
            cause: Cause::Command { client: CommId(7), command: Command::Add { amount: 5 } },
        },
        emissions: vec![
            Emission::Seated { client: CommId(9) },
            Emission::Event { audience: engine::Audience::Only(CommId(7)), event: Event::Counted { count: 6 } },
            Emission::Event { audience: engine::Audience::Board, event: Event::Done {} },
            Emission::Event { audience: engine::Audience::All, event: Event::Gone { early: true } },
            Emission::Unseated { client: CommId(9) },
        ],
    };
    let bytes = [
        0xac, 0x02, // sequence 300, least significant seven bits first
        0x03, // -2 zigzag: 3
        0xe8, 0x07, // elapsed 1000
        0x00, 0x07, 0x01, 0x05, // a command, of client 7: Add, 5
        0x05, // five emissions
        0x01, 0x09, // seated: 9
        0x00, 0x01, 0x07, 0x00, 0x06, // an event, only for 7: Counted, 6
        0x00, 0x02, 0x04, // an event, for the board: Done
        0x00, 0x00, 0x03, 0x01, // an event, for all: Gone, true
        0x02, 0x09, // unseated: 9
    ];
    let mut chain = Chain::after(299, Digest([0; 32]));
    assert_eq!(chain.append(entry.at, &entry.input, &entry.emissions).bytes, bytes);
    assert_eq!(Entry::decode(&bytes), Ok(entry));
    assert_eq!(EntryOf::<Counter>::decode(&[&bytes[..], &[0]].concat()), Err(Undecodable::TooLong { extra: 1 }));
    for cut in 0..bytes.len() {
        assert!(EntryOf::<Counter>::decode(&bytes[..cut]).is_err(), "{cut} bytes are not an entry");
    }
}

#[test]
fn the_bytes_of_a_header() {
    let mut header = Header::new::<Counter>("h", -2, Fault::SilentChange, -1);
    header.parent = Some(Parent { game: "g".into(), sequence: 2, digest: Digest([0xEE; 32]) });
    let mut bytes = vec![1, 1, b'h', 3]; // format; the game's name; created -2 zigzag: 3
    bytes.extend(b"\x07counter\x04only"); // names, with their lengths
    bytes.extend([3, 1]); // rules version; seed -1 zigzag: 1
    bytes.extend([1, 1, b'g', 2]); // a parent: its name and the entry
    bytes.extend([0xEE; 32]);
    bytes.push(3); // the setup: the fault's number
    assert_eq!(header.encode(), bytes);
    assert_eq!(Header::decode(&bytes), Ok(header.clone()));

    // A reader without the rulebook, or with another format.
    let Header { game, rulebook, seed, .. } = Header::decode_without_setup(&bytes).expect("all but the setup");
    assert_eq!((game, rulebook, seed), (header.game, header.rulebook, header.seed));
    bytes[0] = 2;
    assert_eq!(Header::<Fault>::decode(&bytes), Err(Undecodable::OtherFormat { format: 2 }));
    assert_eq!(Header::decode_without_setup(&bytes), Err(Undecodable::OtherFormat { format: 2 }));
    let words = Undecodable::OtherFormat { format: 2 }.to_string();
    assert_eq!(words, "in format 2, and this program reads format 1");
    assert!(Header::<Fault>::decode(&[]).is_err());
}

fn timer(sequence: u64, elapsed_ms: u64) -> EntryOf<Counter> {
    Entry { sequence, at: 0, input: Input { elapsed_ms, cause: Cause::Timer { timer: () } }, emissions: vec![] }
}

fn leave(sequence: u64) -> EntryOf<Counter> {
    let cause = Cause::Command { client: CommId(1), command: Command::Leave {} };
    let emissions = vec![Emission::Unseated { client: CommId(1) }];
    Entry { sequence, at: 0, input: Input { elapsed_ms: 0, cause }, emissions }
}

#[test]
fn a_replay_reports_the_first_difference() {
    let replayed = |tamper: fn(&mut Header<Fault>, &mut Vec<EntryOf<Counter>>)| {
        let log = written();
        let mut header = log.header;
        let mut entries: Vec<EntryOf<Counter>> =
            log.entries.iter().map(|(bytes, _)| Entry::decode(bytes).expect("an entry")).collect();
        tamper(&mut header, &mut entries);
        let mut replay = Replay::<Counter>::new(&header)?;
        entries.iter().try_for_each(|entry| replay.step(entry))
    };
    assert_eq!(replayed(|_, _| ()), Ok(()));
    assert_eq!(
        replayed(|header, _| header.rules_version = 2),
        Err(Difference::Rules { rulebook: "counter", ours: &[1, 3], theirs: 2 })
    );
    assert_eq!(
        replayed(|header, _| header.rulebook = "other".into()),
        Err(Difference::Rules { rulebook: "counter", ours: &[1, 3], theirs: 3 })
    );
    assert_eq!(replayed(|header, _| header.edition = "other".into()), Err(Difference::Edition { setup: "only" }));
    // The game sets its timer to a second at the start, resets it at 600 ms when a player adds, and cancels it when a player
    // leaves.
    let timers = |replayed: Result<(), Difference>, expected| assert_eq!(replayed, expected);
    timers(replayed(|_, entries| *entries = vec![timer(1, 999)]), Err(Difference::TimerNotDue { sequence: 1 }));
    timers(replayed(|_, entries| *entries = vec![timer(1, 1000)]), Ok(()));
    let twice = replayed(|_, entries| *entries = vec![timer(1, 1000), timer(2, 9000)]);
    timers(twice, Err(Difference::TimerNotDue { sequence: 2 }));
    timers(replayed(|_, entries| entries.push(timer(4, 1599))), Err(Difference::TimerNotDue { sequence: 4 }));
    timers(replayed(|_, entries| entries.push(timer(4, 1600))), Ok(()));
    let twice = replayed(|_, entries| entries.extend([timer(4, 1600), timer(5, 9000)]));
    timers(twice, Err(Difference::TimerNotDue { sequence: 5 }));
    let left = replayed(|_, entries| *entries = vec![leave(1), timer(2, 1000)]);
    timers(left, Err(Difference::TimerNotDue { sequence: 2 }));
    assert_eq!(replayed(|_, entries| drop(entries.remove(0))), Err(Difference::Sequence { expected: 1, found: 2 }));
    assert_eq!(replayed(|_, entries| entries[2].input.elapsed_ms = 299), Err(Difference::TimeGoesBack { sequence: 3 }));
    assert_eq!(
        replayed(|_, entries| entries[1].emissions.truncate(0)),
        Err(Difference::Emission { sequence: 2, at: 0 })
    );
    assert_eq!(
        replayed(|_, entries| entries[0].emissions.push(Emission::Seated { client: CommId(3) })),
        Err(Difference::Emission { sequence: 1, at: 2 })
    );
    assert_eq!(
        replayed(|_, entries| entries[2].input.cause =
            Cause::Command { client: CommId(1), command: Command::Add { amount: 9 } }),
        Err(Difference::Emission { sequence: 3, at: 0 })
    );
}

/// A game keeps the version of the rules that its header names.
#[test]
fn a_replay_uses_the_version_of_its_header() {
    let counts = |version: u32| {
        let header = Header { rules_version: version, ..Header::new::<Counter>("a", 0, Fault::Nothing, -7) };
        let replay = Replay::<Counter>::new(&header).map_err(|difference| difference.to_string())?;
        let mut game = replay.into_game();
        let counted = |amount| {
            let mut outbox = Outbox::new();
            let cause = Cause::Command { client: CommId(1), command: Command::Add { amount } };
            game.fold(&Input { elapsed_ms: 0, cause }, &mut outbox);
            format!("{:?}", outbox.events().next().expect("an event").1)
        };
        Ok([1, 1].map(counted).join(", "))
    };
    assert_eq!(counts(1), Ok("Counted { count: 1 }, Counted { count: 2 }".into()));
    assert_eq!(counts(3), Ok("Counted { count: 1 }, Counted { count: 3 }".into()));
    let unknown = "the log is not of counter with rules version 1 or 3; its version is 2";
    assert_eq!(counts(2), Err(unknown.to_owned()));
}

/// After each step, a replay shows its clock, the game and the last output.
#[test]
fn a_replay_shows_where_it_is() {
    let log = written();
    let mut replay = Replay::<Counter>::new(&log.header).expect("these rules");
    let mut outbox = Outbox::new();
    let mut game = Counter::start(&log.header.setup, log.header.seed, &mut outbox);
    assert_eq!((replay.elapsed_ms(), replay.game(), replay.outbox()), (0, &game, &outbox));
    for (at, (bytes, _)) in log.entries.iter().enumerate() {
        let entry: EntryOf<Counter> = Entry::decode(bytes).expect("an entry");
        outbox.clear();
        game.fold(&entry.input, &mut outbox);
        assert_eq!(replay.step(&entry), Ok(()));
        assert_eq!((replay.elapsed_ms(), replay.game(), replay.outbox()), (at as u64 * 300, &game, &outbox));
    }
    assert_eq!(replay.into_game(), game);
}

/// A chain can continue after an entry that is already verified.
#[test]
fn a_chain_continues_anywhere() {
    let log = written();
    let mut chain = Chain::after(1, log.entries[0].1);
    assert_eq!((chain.sequence(), chain.digest()), (1, log.entries[0].1));
    for (bytes, digest) in &log.entries[1..] {
        assert_eq!(chain.verify(bytes, digest), Ok(()));
    }
    assert_eq!(chain.sequence(), 3);
}

#[test]
fn a_header_without_its_setup_and_with_it_again() {
    let header = Header::new::<Counter>("h", 5, Fault::SilentChange, 9);
    let bytes = header.encode();
    let (without, setup) = Header::split(&bytes).expect("a header");
    assert_eq!(setup, [3]);
    let setup: Fault = engine::decode_setup(setup).expect("a setup");
    assert_eq!(without.with_setup(setup), header);
    assert_eq!(engine::decode_setup::<Fault>(&[3, 3]), Err(Undecodable::TooLong { extra: 1 }));
}

#[test]
fn error_messages() {
    let check = |fault: &dyn std::fmt::Display, words: &str| assert_eq!(fault.to_string(), words);
    check(
        &Difference::Rules { rulebook: "counter", ours: &[3], theirs: 2 },
        "the log is not of counter with rules version 3; its version is 2",
    );
    check(&Difference::Edition { setup: "only" }, "the header names another edition than its setup, which is for only");
    check(&Difference::Sequence { expected: 1, found: 2 }, "expected entry 1, found entry 2");
    check(&Difference::TimeGoesBack { sequence: 3 }, "the game's clock goes back at entry 3");
    check(&Difference::AfterTheEnd { sequence: 4 }, "entry 4 comes after the end of the game");
    check(&Difference::TimerNotDue { sequence: 5 }, "the timer of entry 5 was not due");
    check(&Difference::Emission { sequence: 6, at: 7 }, "entry 6 differs when replayed, from its emission 7 on");
    check(&BrokenChain { sequence: 8 }, "the digest of entry 8 does not follow from the log before it");
    check(&Undecodable::TooLong { extra: 9 }, "9 bytes too many");
    let digest = Digest(std::array::from_fn(|at| at as u8 * 8));
    check(&digest, "0008101820283038404850586068707880889098a0a8b0b8c0c8d0d8e0e8f0f8");
}
