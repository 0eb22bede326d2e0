//! Tests of the rulebook through its public face.
//!
//! - `vectors`: positions and games that others found, from `../shared/vectors`, when it is there.

#![expect(clippy::print_stderr, reason = "says what was skipped")]

mod vectors;
