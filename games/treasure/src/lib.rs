//! The treasure game, all but its rules: two programs build half a map each, find their treasure and bring it to the other's fort.
//!
//! Start with [`Treasure`], the game as a host and a program know it. [`TreasureGateway`] is the port on which it is played,
//! by HTTP and the XML of [`documents`], in the protocols of 2022 and 2017. [`players`] are clients of that port. The pages
//! are in the folder `web`, the schemas of the documents in `schemas`, and the rules are the crate `treasure_rules`.

mod adapter;
pub mod documents;
mod errors;
mod gateway;
pub mod players;
mod program;
mod records;

pub use adapter::Treasure;
pub use gateway::{DUMMY_ACCOUNT, Dummy, TreasureGateway, TreasureOptions};
