//! The Communication Server over real sockets.
//!
//! - `joining`: who is taken as whom, and who is told
//! - `routing`: messages reach whom they are for, as they are; what is bad goes nowhere
//! - `wire`: frames however they are cut, keep-alives, and what is too long
//! - `faults`: slow readers, floods, connections that are lost, and how it all ends
//! - `support`: a server on a port, and a client

#[path = "../../../../server/tests/shared/clock.rs"]
mod clock;
mod faults;
mod joining;
mod routing;
mod support;
mod wire;
