//! The XML documents of the treasure game, by protocol. Each file both reads and writes, because a server and a client need both.

pub mod y2017;
pub mod y2022;

use xml::Limits;

/// More than ten times the size of a half map with spaces and comments.
const LIMITS: Limits = Limits { bytes: 128 * 1024, depth: 16, elements: 4096, attributes: 16 };
