//! The game colony without its rules, which are in `rules/`.
//!
//! [`Colony`] is the game on a host, and its entry in the program's registry; `program` has its commands. [`Bot`] decides on
//! commands. [`table`] plays a game among bots in this process, [`remote`] and [`bot_client`] play on a server, and `terminal`
//! lets a person play. [`scenarios`] has the built-in scenarios and checks others. [`script`] supports scripted games.

mod adapter;
pub mod bot_client;
pub mod bots;
mod program;
pub mod remote;
pub mod scenarios;
pub mod script;
pub mod table;
#[cfg(feature = "terminal")]
mod terminal;

pub use adapter::Colony;
pub use bots::{Bot, Budget, ROLLOUTS, STRATEGIES, Strategy, planner, strategy};
pub use scenarios::{LoadError, SCHEMA, check, load, name_of, scenario, scenario_names};
