//! The Communication Server over real sockets.
//!
//! - `joining`: roles, confirmations and refusals
//! - `routing`: messages reach their receivers unchanged; invalid ones are discarded
//! - `wire`: frames in any number of pieces, keep-alives, and frames that are too long
//! - `faults`: slow readers, floods, lost connections, and the end of a server
//! - `overtaking`: answers of the Game Master overtake messages between players
//! - `slow_link`: the same over a link of 1 Mb/s
//! - `support`: a server on a port, and a client

#[path = "../../../../server/tests/shared/clock.rs"]
mod clock;
mod faults;
mod joining;
mod overtaking;
mod routing;
mod slow_link;
mod support;
mod wire;
