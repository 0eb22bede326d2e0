//! Decodes valid messages with random damage. A decoder must not panic, hang or use too much memory, and its result must not
//! depend on how the bytes are split.
//!
//! A failing test prints a line for `cases.txt`.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use commlib::{
    Decoder, Form, FromClient, Incoming, LONGEST_FRAME, Reason, ToClient, ToClientDecoder, encode, encode_from_client,
};

use rand::{Rng as _, SeedableRng as _, rngs::StdRng, seq::IndexedRandom as _};

use crate::{
    decoded::{Decoded, Decodes, End, decode},
    example::{self, Command, Event},
    notation::hex,
};

const USUAL: u64 = 200_000;
const LONG: u64 = 10_000_000;

/// The maximum length of an input.
const LONGEST_INPUT: usize = 8 << 10;

#[test]
fn nothing_breaks_a_decoder() {
    let count = if std::env::var_os("HOLDFAST_LONG").is_some() { LONG } else { USUAL };
    let corpus = Corpus::new();
    let mut seen = Seen::default();
    for number in 0..count {
        let mut random = StdRng::seed_from_u64(number);
        let input = corpus.mutant(&mut random);
        let longest = pick(&mut random, &[LONGEST_FRAME, LONGEST_FRAME, 300, 64, 11]);
        let tried = catch_unwind(AssertUnwindSafe(|| attempt(&input, longest, &mut random, &mut seen)));
        if let Err(panic) = tried {
            println!("mutant {number}:\n{longest} | {} | ?", hex(&input));
            resume_unwind(panic);
        }
    }
    println!("{count} mutants: {seen:?}");
    seen.assert_enough(count);
}

/// Both decoders read the input, in one piece and in many.
fn attempt(input: &[u8], longest: usize, random: &mut StdRng, seen: &mut Seen) {
    let cuts = random.random();
    let decoded = twice(input, longest, cuts, || Decoder::new(longest));
    for message in &decoded.messages {
        comes_back(message);
    }
    seen.count(&decoded);
    let decoded = twice(input, longest, cuts, || ToClientDecoder::<Event>::new(longest));
    for message in &decoded.messages {
        let mut out = Vec::new();
        encode(Form::Binary, message, &mut out).expect("what was read can be written");
        let back = decode(ToClientDecoder::<Event>::new(LONGEST_FRAME), LONGEST_FRAME, [&out[..]]);
        assert_eq!(back.messages, std::slice::from_ref(message));
    }
    seen.count(&decoded);
}

fn twice<D: Decodes<Message: std::fmt::Debug + Eq>>(
    input: &[u8],
    longest: usize,
    cuts: u64,
    decoder: impl Fn() -> D,
) -> Decoded<D::Message> {
    let whole = decode(decoder(), longest, [input]);
    let pieces = decode(decoder(), longest, Pieces { rest: input, random: StdRng::seed_from_u64(cuts) });
    assert_eq!(whole, pieces, "the result depends on the pieces");
    whole
}

/// A decoded message that is encoded again decodes to the same message.
fn comes_back(message: &Incoming<'_>) {
    let typed = match message {
        Incoming::Hello(hello) => FromClient::Hello(hello.clone()),
        Incoming::Ping(number) => FromClient::Ping(*number),
        Incoming::Offers(number) => FromClient::Offers(*number),
        Incoming::Notices(wanted) => FromClient::Notices(*wanted),
        Incoming::Chat(text) => FromClient::Chat(text.clone()),
        Incoming::Account(token) => FromClient::Account(token.clone()),
        Incoming::Mute(mute) => FromClient::Mute(mute.clone()),
        Incoming::Report(number) => FromClient::Report(*number),
        Incoming::Manage(change) => FromClient::Manage(change.clone()),
        Incoming::Command(raw) => match raw.decode::<Command>() {
            Ok(command) => FromClient::Command(command),
            Err(refused) => return assert_eq!(refused.reason, Reason::BadMessage),
        },
    };
    for form in [Form::Binary, Form::Json] {
        let mut out = Vec::new();
        encode_from_client(form, &typed, &mut out).expect("what was read can be written");
        let decoded = decode(Decoder::new(LONGEST_FRAME), LONGEST_FRAME, [&out[..]]);
        let back = match &decoded.messages[..] {
            [Incoming::Hello(hello)] => FromClient::Hello(hello.clone()),
            [Incoming::Ping(number)] => FromClient::Ping(*number),
            [Incoming::Offers(number)] => FromClient::Offers(*number),
            [Incoming::Notices(wanted)] => FromClient::Notices(*wanted),
            [Incoming::Chat(text)] => FromClient::Chat(text.clone()),
            [Incoming::Account(token)] => FromClient::Account(token.clone()),
            [Incoming::Mute(mute)] => FromClient::Mute(mute.clone()),
            [Incoming::Report(number)] => FromClient::Report(*number),
            [Incoming::Manage(change)] => FromClient::Manage(change.clone()),
            [Incoming::Command(raw)] => FromClient::Command(raw.decode().expect("a command")),
            other => panic!("one message is {other:?}"),
        };
        assert_eq!(back, typed);
    }
}

/// The results of the mutants, to check that the damage is neither too little nor too much.
#[derive(Debug, Default)]
struct Seen {
    messages: u64,
    clean: u64,
    cut: u64,
    malformed: u64,
    too_large: u64,
}

impl Seen {
    fn count<M>(&mut self, decoded: &Decoded<M>) {
        self.messages += decoded.messages.len() as u64;
        match &decoded.end {
            End::Clean => self.clean += 1,
            End::Cut => self.cut += 1,
            End::Refused(refused) if refused.reason == Reason::TooLarge => self.too_large += 1,
            End::Refused(_) => self.malformed += 1,
        }
    }

    fn assert_enough(&self, count: u64) {
        for kind in [self.messages, self.clean, self.cut, self.malformed, self.too_large] {
            assert!(kind > count / 50, "mutants of every kind: {self:?}");
        }
    }
}

/// Valid streams in both forms and both directions.
struct Corpus(Vec<Vec<u8>>);

impl Corpus {
    fn new() -> Self {
        let mut streams = Vec::new();
        for form in [Form::Binary, Form::Json] {
            let said = |message: &FromClient<Command>| {
                let mut out = Vec::new();
                encode_from_client(form, message, &mut out).expect("an example fits");
                out
            };
            let told = |message: &ToClient<Event>| {
                let mut out = Vec::new();
                encode(form, message, &mut out).expect("an example fits");
                out
            };
            let said: Vec<_> = example::from_client().iter().map(said).collect();
            let told: Vec<_> = example::to_client().iter().map(told).collect();
            streams.extend([said.concat(), told.concat()]);
            // A handshake and the messages after it.
            streams.extend(said.iter().take(7).map(|hello| [&hello[..], &said[7], &said[9]].concat()));
            streams.extend([said, told].concat());
        }
        Self(streams)
    }

    fn mutant(&self, random: &mut StdRng) -> Vec<u8> {
        let mut bytes = self.stream(random).clone();
        for _ in 0..random.random_range(0..5) {
            self.damage(&mut bytes, random);
            bytes.truncate(LONGEST_INPUT);
        }
        bytes
    }

    fn stream(&self, random: &mut StdRng) -> &Vec<u8> {
        &self.0[random.random_range(0..self.0.len())]
    }

    fn damage(&self, bytes: &mut Vec<u8>, random: &mut StdRng) {
        const LENGTHS: &[u32] = &[0, 1, 2, 10, 11, 12, 63, 64, 65, 299, 300, 301, 1 << 20, (1 << 20) + 1, u32::MAX];
        const VARINTS: &[u64] =
            &[0, 1, 2, 127, 128, 255, 256, 16_383, 16_384, 65_535, 65_536, u32::MAX as u64, 1 << 32, 1 << 63, u64::MAX];
        const WORDS: &[&str] = &[
            "{",
            "}",
            "[",
            "]",
            "\"",
            "\\",
            ",",
            ":",
            "\n",
            "\r\n",
            "\r",
            " ",
            "\0",
            "\u{feff}",
            "null",
            "true",
            "-1",
            "1e400",
            "-0.0",
            "18446744073709551615",
            "18446744073709551616",
            "\\ud800",
            "\\u0000",
            "{\"ping\":",
            "[[[[[[",
            "\"hello\"",
            "\"want\":\"list\"",
            "{\"command\":",
            "\"seen\":",
            "\"token\":\"",
        ];
        let (from, to) = range(random, bytes.len());
        match random.random_range(0..12) {
            0 => bytes.truncate(from),
            1 => drop(bytes.drain(..from)),
            2 => drop(bytes.drain(from..to)),
            3 => {
                let other = self.stream(random);
                let (cut, _) = range(random, other.len());
                bytes.truncate(from);
                bytes.extend_from_slice(&other[cut..]);
            }
            4 => bytes.extend_from_slice(self.stream(random)),
            5 => {
                let at = pick(random, &[0, from]);
                let length = pick(random, LENGTHS).to_be_bytes();
                bytes.splice(at..(at + 4).min(bytes.len()), length);
            }
            6 => {
                let varint = varint(pick(random, VARINTS), random.random_range(0..3));
                let until = pick(random, &[from, (from + 1).min(bytes.len())]);
                bytes.splice(from..until, varint);
            }
            7 => {
                if let Some(byte) = bytes.get_mut(from) {
                    *byte ^= 1 << random.random_range(0..8);
                }
            }
            8 => {
                if let Some(byte) = bytes.get_mut(from) {
                    *byte = random.random();
                }
            }
            9 => {
                let part = bytes[from..to.min(from + 64)].repeat(random.random_range(1..=40));
                bytes.splice(from..from, part);
            }
            10 => drop(bytes.splice(from..from, pick(random, WORDS).bytes())),
            _ => repair(bytes),
        }
    }
}

/// Corrects the first length, so that a wrong length does not always hide other damage.
fn repair(bytes: &mut [u8]) {
    if let Some((prefix, body)) = bytes.split_first_chunk_mut::<4>() {
        *prefix = (body.len() as u32).to_be_bytes();
    }
}

/// A varint with up to two bytes more than necessary.
fn varint(mut value: u64, overlong: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    for _ in 0..overlong {
        if let Some(last) = bytes.last_mut() {
            *last |= 0x80;
        }
        bytes.push(0);
    }
    bytes
}

/// A slice in pieces of random sizes.
struct Pieces<'a> {
    rest: &'a [u8],
    random: StdRng,
}

impl<'a> Iterator for Pieces<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let most = pick(&mut self.random, &[1, 4, 16, 256]);
        let (piece, rest) = self.rest.split_at(self.random.random_range(1..=most).min(self.rest.len()));
        self.rest = rest;
        Some(piece)
    }
}

fn pick<T: Copy>(random: &mut StdRng, list: &[T]) -> T {
    *list.choose(random).expect("the list is not empty")
}

/// Two indices up to `length`, in order.
fn range(random: &mut StdRng, length: usize) -> (usize, usize) {
    let (one, other) = (random.random_range(0..=length), random.random_range(0..=length));
    (one.min(other), one.max(other))
}
