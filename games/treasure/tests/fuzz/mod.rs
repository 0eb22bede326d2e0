//! The treasure game in the fuzz targets.

use std::{fmt::Debug, sync::LazyLock};

use ::treasure::{
    ServedProfile, TreasureGateway, TreasureOptions,
    documents::{
        y2017::{
            Spelling, answer as answer2017, map_text,
            request::{Garbled, NewMap, NewPlayer, Parsed, Trouble, Update},
        },
        y2022::{answer as answer2022, request as request2022},
    },
};
use treasure_rules::{SCENARIOS, Setup};

use super::game::{Document, Fuzzed, Routes};

pub(super) struct Treasure;

impl Fuzzed for Treasure {
    type Adapter = ::treasure::Treasure;

    const EDITIONS: &'static [&'static str] = &["2022", "2017"];

    const DOCUMENTS: &'static [Document] = &[
        (b'R', |bytes| same(bytes, request2022::Registration::read, request2022::Registration::write)),
        (b'H', |bytes| {
            same(bytes, request2022::HalfMap::read, request2022::HalfMap::write);
            assert!(request2022::HalfMap::read(bytes).is_err() || request2022::sender(bytes).is_some());
        }),
        (b'M', |bytes| same(bytes, request2022::Move::read, request2022::Move::write)),
        (b'I', |bytes| same(bytes, answer2022::GameIdentifier::read, answer2022::GameIdentifier::write)),
        (b'A', |bytes| same(bytes, answer2022::Answer::read, answer2022::Answer::write)),
        (b'n', |bytes| request(NewPlayer::read(bytes), NewPlayer::read, NewPlayer::write)),
        (b'm', |bytes| {
            if let Ok(Parsed { request, .. }) = NewMap::read(bytes) {
                map(&request.half);
            }
            request(NewMap::read(bytes), NewMap::read, NewMap::write);
        }),
        (b'u', |bytes| request(Update::read(bytes), Update::read, Update::write)),
        (b't', |bytes| request(Trouble::read(bytes), Trouble::read, Trouble::write)),
        (b'a', |bytes| {
            let write = |answer: &answer2017::Answer| answer.write(&Spelling::default());
            same(bytes, answer2017::Answer::read, write);
        }),
    ];

    const ROUTES: Option<Routes> = Some(|host| {
        Box::pin(async move {
            let options = TreasureOptions {
                dummy: Box::new(|_| {}),
                polling_delay: false,
                profile: ServedProfile::default(),
                shuffle_nodes: false,
            };
            TreasureGateway::routes(&host, options).await.expect("a log in memory")
        })
    });

    fn setups() -> &'static [Setup] {
        static SETUPS: LazyLock<Vec<Setup>> =
            LazyLock::new(|| SCENARIOS.iter().map(|(name, _)| Setup::new(name).expect("a scenario of ours")).collect());
        &SETUPS
    }
}

/// A document that is written and read again is the same.
fn same<T: Debug + PartialEq, E: Debug>(bytes: &[u8], read: fn(&[u8]) -> Result<T, E>, write: impl Fn(&T) -> String) {
    if let Ok(document) = read(bytes) {
        let again = read(write(&document).as_bytes()).expect("what was read can be written");
        assert_eq!(again, document, "it is written as it was read");
    }
}

/// The same for a request of 2017. Its answer can be read, however the request was spelt.
fn request<T: Debug + PartialEq>(
    found: Result<Parsed<T>, Garbled>,
    read: fn(&[u8]) -> Result<Parsed<T>, Garbled>,
    write: fn(&T) -> String,
) {
    let spelling = match found {
        Ok(Parsed { request, spelling }) => {
            let again = read(write(&request).as_bytes()).expect("what was read can be written");
            assert_eq!(again.request, request, "it is written as it was read");
            spelling
        }
        Err(Garbled { spelling, .. }) => spelling,
    };
    let moved = answer2017::Updated { x: 1, y: 2, enemy_x: 3, enemy_y: 4, treasure: true, win: false, loss: true };
    for answer in [answer2017::Answer::Trouble { loss: true }, answer2017::Answer::Update(moved)] {
        let read = answer2017::Answer::read(answer.write(&spelling).as_bytes());
        assert_eq!(read.as_ref(), Ok(&answer), "an answer can be read");
    }
}

/// A map that is written and read again is the same.
fn map(text: &str) {
    let Ok((fields, coding)) = map_text::read(text) else { return };
    let written = map_text::write(fields.iter().map(|field| (field.terrain, field.fort)), coding);
    let (again, _) = map_text::read(&written).expect("what was read can be written");
    assert_eq!(again, fields, "it is written as it was read");
}
