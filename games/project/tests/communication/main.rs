//! The Communication Server over real sockets.
//!
//! - `joining`: roles, confirmations and refusals
//! - `routing`: messages reach their receivers unchanged; invalid ones are discarded
//! - `wire`: frames in any number of pieces, keep-alives, and frames that are too long
//! - `faults`: slow readers, floods, lost connections, and the end of a server
//! - `support`: a server on a port, and a client

#[path = "../../../../server/tests/shared/clock.rs"]
mod clock;
mod faults;
mod joining;
mod routing;
mod support;
mod wire;
