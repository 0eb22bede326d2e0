//! The Game Master. Start with [`master`].

mod configuration;
mod delays;
mod hearing;
mod link;
mod mail;
mod master;
mod overhearing;
mod reaching;
mod requests;
mod telling;

pub use configuration::read_configuration;
pub use master::{Finished, GameMaster, MasterOptions};
