//! Players of the treasure game that are programs, and the protocols that they speak.
//!
//! What needs no network comes first: [`half`] builds halves, [`mind`] decides where to go, [`walker`] goes anywhere.

pub mod half;
pub mod land;
pub mod mind;
mod plan;
pub mod walker;
