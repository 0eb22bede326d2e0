//! The wire from outside, in one binary.
//!
//! - `example`: the commands and events of a game that has no rules
//! - `notation`: bytes written down for people
//! - `heard`: what a decoder makes of bytes, however they are cut
//! - `decoding`: rows of bytes and what is heard; `cases.txt` has those that the mutants found
//! - `encoding`: what cannot be written
//! - `mutants`: valid messages, damaged at random, by the hundred thousand
//! - `sockets`: connections over TCP
//! - `delimited`: frames that end with a byte
//! - `document`: the examples of docs/protocol.md are what the code does

mod decoding;
mod delimited;
mod document;
mod encoding;
mod example;
mod heard;
mod mutants;
mod notation;
mod sockets;
