//! Tests of the rulebook through its public interface.
//!
//! - `table`: a game that handles one input at a time, and halves as rows of letters
//! - `halves`: both sides of every rule of a half; `vectors`: halves of foreign clients, from `../shared/vectors`, if that
//!   folder exists
//! - `setups`: scenarios; `registering`: accepted and refused registrations
//! - `turns`: turns, and the penalties for mistakes; `clocks`: timers, and who loses when they fire
//! - `walking`: the cost of a field in 2022, and the last action; `counting`: the same in 2017
//! - `finding`: seeing and finding things, and winning; `showing`: the view of a player; `pictures`: pictures for people;
//!   `results`: results for programs
//! - `ways`: ways over a map; `wanderer`: random inputs for a game
//! - `laws`: the laws of every rulebook, over random games; `secrets`: no player is told a secret
//! - `offers`: what players can do, and games that are played by offers
//! - `page`: RULES.md, its numbers, its example and its names

mod clocks;
mod counting;
mod finding;
mod halves;
mod laws;
mod offers;
mod page;
mod pictures;
mod profiles;
mod registering;
mod results;
mod secrets;
mod setups;
mod showing;
mod table;
mod turns;
mod vectors;
mod walking;
mod wanderer;
mod ways;
