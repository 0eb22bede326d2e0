//! The treasure game over real HTTP: both protocol years, as clients that exist speak them.
//!
//! - `y2022`: games, registration, halves, moves, status, and what real clients need of every answer
//! - `y2017`: two who meet, requests that are held, counts, endings, both spellings
//! - `bad`: bad requests get an answer that names the error, and do not touch other games
//! - `errors`: what people find on the page: where the port is, and what went wrong for whom
//! - `gone`: senders that are gone before they are answered, games whose room is gone, a host that stops
//! - `limits`: 99 games, ten minutes, the polling rule
//! - `restart`: a host that was cut off goes on, and clients notice only a delay
//! - `records`: the four tables of 2017
//! - `random`: a hundred games at random: what no answer tells, and every answer against the schemas and read by Python
//! - `support`: a host on a port, halves as pictures, players in few words

mod bad;
#[path = "../../../../server/tests/shared/clock.rs"]
mod clock;
mod errors;
mod gone;
mod limits;
mod random;
mod records;
mod restart;
mod support;
mod y2017;
mod y2022;
