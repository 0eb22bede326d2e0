//! The project game in the fuzz targets.

use std::{cell::RefCell, sync::LazyLock};

use ::project::{
    documents::{
        Connection, Document as OnWire, Guid, Messages,
        configuration::{GameConfiguration, PlayerConfiguration},
        envelope::{Batch, Envelope, Routed, Scanner},
    },
    read_configuration,
};
use project_rules::{SCENARIOS, Setup};

use super::{
    game::{Document, Fuzzed, OtherSetup},
    scenario,
};

pub(super) struct Project;

impl Fuzzed for Project {
    type Adapter = ::project::Project;

    const DOCUMENTS: &'static [Document] = &[
        (b'd', document),
        (b'e', envelope),
        (b'g', |bytes| {
            let read = GameConfiguration::read(bytes);
            assert!(read.is_ok() || read_configuration(bytes).is_err());
        }),
        (b'p', |bytes| drop(PlayerConfiguration::read(bytes))),
    ];

    const SETUPS: &'static [OtherSetup] = &[(b'x', |bytes, inputs| {
        if let Ok(setup) = read_configuration(bytes) {
            scenario::play::<::project::Project>(&setup, inputs);
        }
    })];

    fn setups() -> &'static [Setup] {
        static SETUPS: LazyLock<Vec<Setup>> =
            LazyLock::new(|| SCENARIOS.iter().map(|(name, _)| Setup::new(name).expect("a scenario of ours")).collect());
        &SETUPS
    }
}

/// A document that is written and read again is the same.
fn document(bytes: &[u8]) {
    let Ok(document) = OnWire::read(bytes, &OnWire::LIMITS) else { return };
    let again = OnWire::read(document.write().as_bytes(), &OnWire::LIMITS).expect("what was read can be written");
    assert_eq!(again, document, "it is written as it was read");
}

/// A router sees the messages that the receivers see, on its fast and on its slow path.
fn envelope(bytes: &[u8]) {
    let read = OnWire::read(bytes, &OnWire::LIMITS).ok();
    let mut fresh = Scanner::default();
    let carefully = fresh.scan(bytes);
    if let Ok(Envelope::Messages(batch)) = &carefully {
        compare(bytes, batch, fresh.routed(), read.as_ref());
        // The scanner knows the beginning of the document now, so it may take the fast path.
        let before = fresh.routed().to_vec();
        assert_eq!(fresh.scan(bytes).as_ref(), carefully.as_ref(), "both paths read the same");
        assert_eq!(fresh.routed(), before);
    }
    if let Ok(Envelope::Connection(connection)) = &carefully {
        assert_eq!(read, Some(OnWire::Connection(Connection::clone(connection))));
    }

    // A scanner that has seen usual documents takes the fast path for documents that it would refuse otherwise.
    thread_local! {
        static USED: RefCell<Scanner> = RefCell::new(usual_scanner());
    }
    USED.with_borrow_mut(|used| {
        if let Ok(Envelope::Messages(batch)) = used.scan(bytes) {
            compare(bytes, &batch, used.routed(), read.as_ref());
        }
    });
}

fn usual_scanner() -> Scanner {
    let mut scanner = Scanner::default();
    let usual = "<Messages xmlns=\"http://messageSchema.something.com\" protocolVersion=\"1\"><Message id=\"1\">\
                 <Sender id=\"1\"/><Receiver id=\"0\"/><Content><Action/></Content></Message></Messages>";
    scanner.scan(usual.as_bytes()).expect("a usual document");
    scanner
}

/// Compares what a router and a receiver read, and what the router sends to each receiver.
fn compare(bytes: &[u8], batch: &Batch, routed: &[Routed], read: Option<&OnWire>) {
    for message in routed {
        let _ = (message.id(bytes), message.kind(bytes).count());
    }
    let Some(read) = read else { return };
    let OnWire::Messages(Messages { sender_hash, messages }) = read else { panic!("a router reads {read:?}") };
    assert_eq!(batch.sender_hash.as_ref().map(Guid::as_str), sender_hash.as_ref().map(Guid::as_str));
    let seen: Vec<(i32, i32)> = routed.iter().map(|message| (message.sender, message.receiver)).collect();
    let sent: Vec<(i32, i32)> = messages.iter().map(|message| (message.sender, message.receiver)).collect();
    assert_eq!(seen, sent, "no message is hidden");
    for receiver in sent.iter().map(|(_, receiver)| *receiver) {
        let mut out = Vec::new();
        batch.write(bytes, routed, receiver, &mut out);
        let mine = messages.iter().filter(|message| message.receiver == receiver).cloned().collect();
        let expected = OnWire::Messages(Messages { sender_hash: None, messages: mine });
        assert_eq!(OnWire::read(&out, &OnWire::LIMITS).as_ref(), Ok(&expected), "a receiver gets its own messages");
    }
}
