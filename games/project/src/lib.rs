//! The project game: two teams look for pieces and bring them to goals that they do not know.
//!
//! Start with [`Project`], by which the program and a host know the game. Its rules are in the crate `project_rules`. It is
//! played in XML ([`documents`]) between a [`GameMaster`], which owns the truth, and [`players`]; a Communication Server
//! ([`communication`]) passes everything between them and knows no rules. The programs of the command line are in `program`.

mod adapter;
pub mod communication;
pub mod documents;
mod game_master;
mod local;
pub mod players;
mod program;
mod trace;

pub use adapter::Project;
pub use documents::Guid;
pub use game_master::{Finished, GameMaster, MasterOptions, read_configuration};
pub use local::{LocalConnector, LocalListener, local};
pub use trace::TraceFile;
