//! Type-erased setups and commands.

use std::{any::Any, fmt};

use crate::adapter::{CommandOf, ScriptAdapter, SetupOf};

/// A setup of any game.
pub struct AnySetup(pub(crate) Box<dyn Any + Send + Sync>);

/// A command of any game.
pub struct AnyCommand(pub(crate) Box<dyn Any + Send + Sync>);

impl AnySetup {
    /// The setup, if it belongs to this game.
    pub fn downcast<A: ScriptAdapter>(&self) -> Option<&SetupOf<A>> {
        self.0.downcast_ref()
    }
}

impl AnyCommand {
    /// The command, if it belongs to this game.
    pub fn downcast<A: ScriptAdapter>(&self) -> Option<&CommandOf<A>> {
        self.0.downcast_ref()
    }
}

impl fmt::Debug for AnySetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AnySetup")
    }
}

impl fmt::Debug for AnyCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AnyCommand")
    }
}
