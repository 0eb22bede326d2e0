//! The XML documents of the treasure game, by protocol. Each file both reads and writes, because a server and a client need both.

pub mod y2017;
pub mod y2022;

use xml::Limits;

/// The longest document, in bytes: more than ten times the size of a half map with spaces and comments. It is also the longest body of a
/// request.
pub(crate) const LONGEST: usize = 128 * 1024;

const LIMITS: Limits = Limits { bytes: LONGEST, depth: 16, elements: 4096, attributes: 16 };
