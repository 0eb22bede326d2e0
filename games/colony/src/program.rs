//! Colony's commands, and the server for one game, which runs if the command line has no command.

mod arena;
mod bot;
mod check;
mod demo;
mod error;
mod games;
mod host_bots;
mod load;
mod one_game;
#[cfg(feature = "terminal")]
mod play;
mod simulate;

use cli::{Command, Game, Group, HostBots, command, output};
use script::ScriptedGame;
use server::{Erased, HostedGame};

use crate::Colony;
use host_bots::ColonyBots;
use one_game::OneGame;

impl Game for Colony {
    fn hosted(&self) -> &'static dyn HostedGame {
        &Erased::<Self>::NEW
    }

    fn scripted(&self) -> Option<&'static dyn ScriptedGame> {
        Some(script::scripted::<Self>())
    }

    fn commands(&self) -> Vec<Command> {
        vec![
            command::<demo::Arguments>("demo", |program, arguments| output::verdict(demo::run(program, arguments)))
                .in_group(Group::Start),
            command::<check::Arguments>("check", |_, arguments| output::answer(&check::run(arguments))),
            command::<simulate::Arguments>("simulate", |_, arguments| output::answer_or(simulate::run(arguments))),
            command::<arena::Arguments>("arena", |_, arguments| output::answer_or(arena::run(arguments))),
            command::<load::Arguments>("load", |_, arguments| output::answer_or(load::run(arguments)))
                .in_group(Group::Host),
            command::<bot::Arguments>("bot", |_, arguments| output::answer_or(bot::run(arguments)))
                .in_group(Group::Host),
            #[cfg(feature = "terminal")]
            command::<play::Arguments>("play", |_, arguments| output::verdict(play::run(arguments)))
                .in_group(Group::Start),
        ]
    }

    fn host_bots(&self) -> Option<Box<dyn HostBots>> {
        Some(Box::new(ColonyBots))
    }

    fn course(&self) -> Option<Command> {
        let run = |program: &_, arguments: &_| output::verdict(one_game::run(program, arguments));
        Some(command::<OneGame>("holdfast", run))
    }
}
