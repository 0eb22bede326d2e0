//! Tests of the wire's public interface.
//!
//! - `example`: the commands and events of an example game without rules
//! - `notation`: a readable notation for bytes
//! - `decoded`: decodes bytes in pieces
//! - `decoding`: rows of bytes and the decoded messages; `cases.txt` has the rows that the mutants found
//! - `encoding`: limits of encoding
//! - `landed`: what clients of earlier versions are sent
//! - `mutants`: valid messages with random damage
//! - `sockets`: connections over TCP
//! - `delimited`: frames that end with a certain byte
//! - `document`: checks the examples of docs/protocol.md

mod decoded;
mod decoding;
mod delimited;
mod document;
mod encoding;
mod example;
mod landed;
mod mutants;
mod notation;
mod sockets;
