//! Valid messages, damaged at random: whatever comes, a decoder neither panics nor hangs nor takes more memory than it
//! may, and what it hears does not depend on how the bytes were cut.
//!
//! A find goes into `cases.txt`, as the failing test prints it.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use commlib::{
    Decoder, Form, FromClient, Incoming, LONGEST_FRAME, Reason, ToClient, ToClientDecoder, encode, encode_from_client,
};

use crate::{
    example::{self, Command, Event},
    heard::{Decodes, End, Heard, hear},
    notation::hex,
};

const USUAL: u64 = 200_000;
const LONG: u64 = 10_000_000;

/// No input is longer.
const LONGEST_INPUT: usize = 8 << 10;

#[test]
fn nothing_breaks_a_decoder() {
    let count = if std::env::var_os("HOLDFAST_LONG").is_some() { LONG } else { USUAL };
    let corpus = Corpus::new();
    let mut seen = Seen::default();
    for number in 0..count {
        let mut random = Random(number);
        let input = corpus.mutant(&mut random);
        let longest = random.pick(&[LONGEST_FRAME, LONGEST_FRAME, 300, 64, 11]);
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
fn attempt(input: &[u8], longest: usize, random: &mut Random, seen: &mut Seen) {
    let cuts = random.next();
    let heard = twice(input, longest, cuts, || Decoder::new(longest));
    for message in &heard.messages {
        comes_back(message);
    }
    seen.count(&heard);
    let told = twice(input, longest, cuts, || ToClientDecoder::<Event>::new(longest));
    for message in &told.messages {
        let mut out = Vec::new();
        encode(Form::Binary, message, &mut out).expect("what was read can be written");
        let back = hear(ToClientDecoder::<Event>::new(LONGEST_FRAME), LONGEST_FRAME, [&out[..]]);
        assert_eq!(back.messages, std::slice::from_ref(message));
    }
    seen.count(&told);
}

fn twice<D: Decodes<Message: std::fmt::Debug + Eq>>(
    input: &[u8],
    longest: usize,
    cuts: u64,
    decoder: impl Fn() -> D,
) -> Heard<D::Message> {
    let whole = hear(decoder(), longest, [input]);
    let pieces = hear(decoder(), longest, Pieces { rest: input, random: Random(cuts) });
    assert_eq!(whole, pieces, "what is heard depends on the cuts");
    whole
}

/// Written again, a message that was heard is heard again.
fn comes_back(message: &Incoming<'_>) {
    let typed = match message {
        Incoming::Hello(hello) => FromClient::Hello(hello.clone()),
        Incoming::Ping(number) => FromClient::Ping(*number),
        Incoming::Command(raw) => match raw.decode::<Command>() {
            Ok(command) => FromClient::Command(command),
            Err(refused) => return assert_eq!(refused.reason, Reason::BadMessage),
        },
    };
    for form in [Form::Binary, Form::Json] {
        let mut out = Vec::new();
        encode_from_client(form, &typed, &mut out).expect("what was read can be written");
        let heard = hear(Decoder::new(LONGEST_FRAME), LONGEST_FRAME, [&out[..]]);
        let back = match &heard.messages[..] {
            [Incoming::Hello(hello)] => FromClient::Hello(hello.clone()),
            [Incoming::Ping(number)] => FromClient::Ping(*number),
            [Incoming::Command(raw)] => FromClient::Command(raw.decode().expect("a command")),
            other => panic!("one message is {other:?}"),
        };
        assert_eq!(back, typed);
    }
}

/// What became of the mutants, so that a mutator that only makes noise is noticed.
#[derive(Debug, Default)]
struct Seen {
    messages: u64,
    clean: u64,
    cut: u64,
    malformed: u64,
    too_large: u64,
}

impl Seen {
    fn count<M>(&mut self, heard: &Heard<M>) {
        self.messages += heard.messages.len() as u64;
        match &heard.end {
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
            // A handshake and what follows it.
            streams.extend(said.iter().take(7).map(|hello| [&hello[..], &said[7], &said[9]].concat()));
            streams.extend([said, told].concat());
        }
        Self(streams)
    }

    fn mutant(&self, random: &mut Random) -> Vec<u8> {
        let mut bytes = self.stream(random).clone();
        for _ in 0..random.below(5) {
            self.damage(&mut bytes, random);
            bytes.truncate(LONGEST_INPUT);
        }
        bytes
    }

    fn stream(&self, random: &mut Random) -> &Vec<u8> {
        &self.0[random.below(self.0.len())]
    }

    fn damage(&self, bytes: &mut Vec<u8>, random: &mut Random) {
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
        let (from, to) = random.range(bytes.len());
        match random.below(12) {
            0 => bytes.truncate(from),
            1 => drop(bytes.drain(..from)),
            2 => drop(bytes.drain(from..to)),
            3 => {
                let other = self.stream(random);
                let (cut, _) = random.range(other.len());
                bytes.truncate(from);
                bytes.extend_from_slice(&other[cut..]);
            }
            4 => bytes.extend_from_slice(self.stream(random)),
            5 => {
                let at = random.pick(&[0, from]);
                let length = random.pick(LENGTHS).to_be_bytes();
                bytes.splice(at..(at + 4).min(bytes.len()), length);
            }
            6 => {
                let varint = varint(random.pick(VARINTS), random.below(3));
                let until = random.pick(&[from, (from + 1).min(bytes.len())]);
                bytes.splice(from..until, varint);
            }
            7 => {
                if let Some(byte) = bytes.get_mut(from) {
                    *byte ^= 1 << random.below(8);
                }
            }
            8 => {
                if let Some(byte) = bytes.get_mut(from) {
                    *byte = random.next() as u8;
                }
            }
            9 => {
                let part = bytes[from..to.min(from + 64)].repeat(1 + random.below(40));
                bytes.splice(from..from, part);
            }
            10 => drop(bytes.splice(from..from, random.pick(WORDS).bytes())),
            _ => repair(bytes),
        }
    }
}

/// Makes the first length right again, so that damage in a frame is not always hidden by its length.
fn repair(bytes: &mut [u8]) {
    if let Some((prefix, body)) = bytes.split_first_chunk_mut::<4>() {
        *prefix = (body.len() as u32).to_be_bytes();
    }
}

/// With some bytes more than it needs, which the last of them may or may not allow.
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
    random: Random,
}

impl<'a> Iterator for Pieces<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let most = self.random.pick(&[1, 4, 16, 256]);
        let (piece, rest) = self.rest.split_at((1 + self.random.below(most)).min(self.rest.len()));
        self.rest = rest;
        Some(piece)
    }
}

/// SplitMix64: a stream of numbers from any seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// Two places in something of this length, in order.
    fn range(&mut self, length: usize) -> (usize, usize) {
        let (one, other) = (self.below(length + 1), self.below(length + 1));
        (one.min(other), one.max(other))
    }
}
