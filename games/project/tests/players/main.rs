//! Players of the project game.

mod acting;
mod arena;
mod exchanging;
mod network;
mod seat;
mod waiting;
