//! Crazyhouse in the program: its command, and its bots on a host.

use cli::{Command, Game, HostBots, HostOptions, command, output};
use commlib::Create;
use engine::Rulebook;
use script::ScriptedGame;
use server::{Erased, HostedGame};

use crate::{
    Crazyhouse,
    bots::BOTS,
    commands,
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

    fn bot_game(&self) -> Option<Create> {
        let bot = BOTS.last()?.name;
        let scenario = format!(r#"{{"bots": {{"white": "{bot}", "black": "{bot}"}}}}"#);
        let rulebook = Some(crazyhouse_rules::Game::NAME.into());
        Some(Create { rulebook, scenario, edition: None, seed: None, timeout: None })
    }
}
