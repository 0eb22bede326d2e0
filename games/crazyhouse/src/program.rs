//! Crazyhouse in the program: its command, and its bots on a host.

use cli::{Command, Game, HostBots, HostOptions, command, output};
use script::ScriptedGame;
use server::{Erased, HostedGame};

use crate::{
    Crazyhouse, commands,
    opponents::{Cast, CrazyhouseOptions},
};

impl Game for Crazyhouse {
    fn hosted(&self) -> &'static dyn HostedGame {
        &Erased::<Self>::NEW
    }

    fn scripted(&self) -> Option<&'static dyn ScriptedGame> {
        Some(script::scripted::<Self>())
    }

    fn commands(&self) -> Vec<Command> {
        vec![command::<commands::Arguments>("crazyhouse", |program, arguments| {
            output::streamed(|out| commands::run(program, arguments, out))
        })]
    }

    fn host_options(&self) -> Option<Box<dyn HostOptions>> {
        Some(Box::new(CrazyhouseOptions))
    }

    fn host_bots(&self) -> Option<Box<dyn HostBots>> {
        Some(Box::new(Cast::usual()))
    }
}
