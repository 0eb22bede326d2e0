//! The project game: two teams look for pieces and bring them to goals that they do not know.
//!
//! Start with [`Project`], the adapter for hosts and the program. The rules are in the crate `project_rules`. A
//! [`GameMaster`], which owns the state of the game, and [`players`] exchange XML ([`documents`]). A Communication Server
//! ([`communication`]) forwards their messages and knows no rules. The command-line programs are in `program`.

mod adapter;
pub mod communication;
pub mod documents;
mod game_master;
mod link_error;
mod local;
pub mod players;
mod program;
mod script;
mod trace;

pub use adapter::Project;
pub use documents::Guid;
pub use game_master::{ConfigurationError, Finished, GameMaster, MasterError, MasterOptions, read_configuration};
pub use link_error::LinkError;
pub use local::{LocalConnector, LocalListener, local};
pub use trace::{TraceError, TraceFile};
