//! The Game Master over real sockets, with a real Communication Server and players with handwritten XML.
//!
//! - `joining`: the handshake, teams, the start, and refusals
//! - `acting`: every action and its answer, known ids, queues and batches
//! - `faults`: invalid messages, lost players, a lost server, and a restarted Game Master
//! - `overhearing`: exchanges between players; the Game Master gets copies of them
//! - `ending`: the end of a game, and how the players receive it
//! - `seeing`: the page of the Game Master
//! - `world`: a server, a Game Master and players; `wire`: short notations for documents, checked by xmllint

mod acting;
mod ending;
mod faults;
mod joining;
mod overhearing;
mod seeing;
mod wire;
mod world;
