//! Tests of the rulebook through its public face.
//!
//! - `table`: a game that is told what happens line by line, and halves as rows of letters
//! - `halves`: both sides of every rule of a half; `vectors`: halves of others, from `../shared/vectors`, when they are there
//! - `setups`: scenarios; `registering`: who plays, and who may not
//! - `turns`: who may act when, and what it costs to be wrong; `clocks`: timers, and who loses when they ring
//! - `walking`: what a field costs in 2022, and the last action; `counting`: the same in 2017
//! - `finding`: what is seen, found and won; `showing`: what a player is shown of it; `pictures`: what people see; `results`: what programs do
//! - `ways`: random halves, and ways over a map; `wanderer`: who plays all parts of a game
//! - `laws`: what every rulebook promises, over random games; `secrets`: who is told what

mod clocks;
mod counting;
mod finding;
mod halves;
mod laws;
mod pictures;
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
