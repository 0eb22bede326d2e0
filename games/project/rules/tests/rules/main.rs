//! Tests of the rulebook through its public face.
//!
//! - `table`: a game that is told what happens and answers in words
//! - `setups`: what can be wrong with a configuration
//! - `lobby`: hashes, seats, teams, leaders and the start
//! - `moving`: moves, distances and what is discovered
//! - `pieces`: picking up, testing and placing
//! - `queue`: requests that wait, cost time, or come again
//! - `faults`: lost players, and pieces that come by themselves
//! - `ending`: every way in which a game ends
//! - `chance`: where things are put, and what start positions tell of it
//! - `knowing`: what programs know and exchange
//! - `exchanges`: what players learn from each other, where that is heard
//! - `shown`: what people see
//! - `laws`: what every rulebook promises, over random games
//! - `secrecy`: no player knows what it was not told, over random games

mod chance;
mod ending;
mod exchanges;
mod faults;
mod knowing;
mod laws;
mod lobby;
mod moving;
mod pieces;
mod queue;
mod secrecy;
mod setups;
mod shown;
mod table;
