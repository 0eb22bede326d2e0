//! Damaged texts: reading any damaged scenario ends with a scenario or with problems.

use colony_rules::scenario::{self, ProblemKind};
use rand::{Rng as _, SeedableRng as _, rngs::StdRng};

use crate::BASE;

const MUTATIONS: usize = 100_000;
/// One text in this many is also checked with the schema, if it has problems. The schema is slower, and reads only JSON.
const WITH_SCHEMA: usize = 20;

/// A generator with a fixed seed, so that every run has the same texts.
struct Random(StdRng);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0.random_range(0..bound)
    }
}

fn damage(random: &mut Random, text: &mut Vec<u8>) {
    let at = random.below(text.len());
    let to = (at + random.below(60)).min(text.len());
    match random.below(6) {
        0 => text[at] ^= 1 << random.below(8),
        // Replaces a digit by another digit or a sign: the text mostly stays JSON.
        1 | 2 => match text.iter().skip(at).position(u8::is_ascii_digit) {
            Some(ahead) => text[at + ahead] = b"0123456789-.e"[random.below(13)],
            None => text[at] = b'0',
        },
        3 => drop(text.drain(at..to)),
        4 => {
            let piece = text[at..to].to_vec();
            let target = random.below(text.len());
            text.splice(target..target, piece);
        }
        _ => {
            let token: &[u8] =
                [&b"{"[..], b"}", b"[", b"]", b",", b":", b"\"", b"null", b"\\u", b"{}", b"[]"][random.below(11)];
            text.splice(at..at, token.iter().copied());
        }
    }
    if text.is_empty() {
        text.push(b' ');
    }
}

#[test]
fn damaged_texts() {
    let mut random = Random(StdRng::seed_from_u64(20));
    let (mut sound, mut json, mut not_json) = (0, 0, 0);
    for round in 0..MUTATIONS {
        let mut bytes = BASE.as_bytes().to_vec();
        for _ in 0..=random.below(3) {
            damage(&mut random, &mut bytes);
        }
        let text = String::from_utf8_lossy(&bytes);
        match scenario::read(&text) {
            Ok(_) => sound += 1,
            Err(problems) => {
                assert!(!problems.is_empty());
                match problems.iter().all(|problem| problem.kind == ProblemKind::Text) {
                    true => not_json += 1,
                    false => json += 1,
                }
                if round % WITH_SCHEMA == 0 {
                    let checked = colony::check(&text);
                    assert!(problems.iter().all(|problem| checked.contains(problem)), "the schema hides {text}");
                }
            }
        }
    }
    // The test needs texts of all degrees of damage.
    assert!(sound > MUTATIONS / 50 && json > MUTATIONS / 10 && not_json > MUTATIONS / 10, "{sound} {json} {not_json}");
}
