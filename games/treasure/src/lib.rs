//! The treasure game without its rules: two programs build half a map each, find their treasure and bring it to the opponent's fort.
//!
//! Start with [`Treasure`], the game's entry in a host and in the program. [`TreasureGateway`] is the port on which it is played,
//! with HTTP and the XML of [`documents`], in the protocols of 2022 and 2017. [`players`] are clients of that port. The web pages
//! are in the folder `web`, the schemas of the documents in `schemas`, and the rules in the crate `treasure_rules`.

mod adapter;
pub mod documents;
mod errors;
mod gateway;
pub mod players;
mod program;
mod records;
mod script;

pub use adapter::Treasure;
pub use gateway::{DUMMY_ACCOUNT, Dummy, GameResult, GatewayError, ServedProfile, TreasureGateway, TreasureOptions};
