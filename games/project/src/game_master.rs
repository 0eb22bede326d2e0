//! The Game Master. Start with [`master`].

mod configuration;
mod delays;
mod error;
mod hearing;
mod link;
mod mail;
mod master;
mod overhearing;
mod reaching;
mod requests;
mod telling;

pub use configuration::{ConfigurationError, read_configuration};
pub use error::MasterError;
pub use master::{Finished, GameMaster, MasterOptions};
