//! The Game Master over real sockets, with a real Communication Server and players that write their XML by hand.
//!
//! - `joining`: the handshake, teams, the start, and who is refused
//! - `acting`: every action and its answer, known ids, queues and batches
//! - `faults`: what is forged or broken, lost players, a lost server, and a Game Master that begins again on its log
//! - `overhearing`: what players tell each other, where the Game Master may hear it
//! - `ending`: how the game ends, and how everybody hears of it
//! - `seeing`: the page of the Game Master shows the truth
//! - `world`: a server, a Game Master and players; `wire`: documents in few words, judged by xmllint

mod acting;
mod ending;
mod faults;
mod joining;
mod overhearing;
mod seeing;
mod wire;
mod world;
