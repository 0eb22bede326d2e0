//! `systest` with the games of this repository: [`games()`] are those that have scripts. Everything else is the [`runner`].

mod games;

pub use games::games;
pub use runner::*;
