//! The treasure game over real HTTP, in the protocols of both years, as existing clients speak them.
//!
//! - `y2022`: games, registration, halves, moves, status, and the parts of answers that real clients need
//! - `y2017`: two players who meet, held requests, counts, ends, both spellings
//! - `bad`: bad requests get an answer that names the error, and do not touch other games
//! - `browsers`: pages of other sites cannot use the port
//! - `courses`: profiles, other encodings, shuffled nodes, who has won
//! - `errors`: the page for people: the address of the port, and the errors of clients
//! - `forwarding`: several hosts: any of them answers for any game
//! - `gone`: clients that disconnect before the answer, games that have no room any more, a host that stops
//! - `limits`: 99 games, ten minutes, the polling rule
//! - `restart`: a host that was cut off resumes its games, and clients notice only a delay
//! - `records`: the four tables of 2017
//! - `random`: a hundred random games: no answer reveals a secret, and every answer fits the schemas and is read by Python
//! - `support`: a host on a port, halves as pictures, players with short methods

mod bad;
mod browsers;
#[path = "../../../../server/tests/shared/clock.rs"]
mod clock;
mod courses;
mod errors;
mod forwarding;
mod gone;
mod limits;
mod random;
mod records;
mod restart;
mod support;
mod y2017;
mod y2022;
