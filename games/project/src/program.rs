//! `holdfast project`: the programs of the project game. Each task has its own file.

mod arena;
mod cs;
mod gm;
mod player;
mod serve;

use std::{
    net::{Ipv4Addr, SocketAddr, SocketAddrV4},
    path::Path,
    sync::Arc,
};

use cli::{Command, Game, Program, command, output};
use server::{Erased, HostedGame, World};

use crate::{Guid, Project, TraceFile};

impl Game for Project {
    fn hosted(&self) -> &'static dyn HostedGame {
        const { &Erased::<Self>::NEW }
    }

    fn commands(&self) -> Vec<Command> {
        vec![command::<Arguments>("project", run)]
    }
}

/// The programs of the project game: a Communication Server, a Game Master, and players; and an arena for these.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

const EXAMPLES: &str = "\
Examples, each in its own terminal:
  holdfast project cs
  holdfast project gm --config game.xml --log game.log
or both in one:
  holdfast project serve --config game.xml --log game.log
then as many players as have a seat:
  holdfast project player --connect 127.0.0.1:8000 --team blue --strategy team
and without any of them, which strategy is better:
  holdfast project arena --strategies solo,team";

#[derive(Debug, clap::Subcommand)]
enum Task {
    Cs(cs::Arguments),
    Gm(gm::Arguments),
    Serve(serve::Arguments),
    Player(player::Arguments),
    Arena(arena::Arguments),
}

fn run(program: &Program, arguments: &Arguments) -> std::process::ExitCode {
    match &arguments.task {
        Task::Cs(arguments) => output::verdict(cs::run(arguments)),
        Task::Gm(arguments) => output::verdict(gm::run(program, arguments)),
        Task::Serve(arguments) => output::verdict(serve::run(program, arguments)),
        Task::Player(arguments) => output::verdict(player::run(arguments)),
        Task::Arena(arguments) => output::answer_or(arena::run(arguments)),
    }
}

/// The port of the Communication Server when an address has none.
const PORT: u16 = 8000;

/// An IPv4 address, perhaps with a port.
fn address(text: &str) -> Result<SocketAddr, String> {
    let with_port = text.parse::<SocketAddrV4>();
    let address = with_port.or_else(|_| text.parse::<Ipv4Addr>().map(|address| SocketAddrV4::new(address, PORT)));
    address.map(SocketAddr::V4).map_err(|_| format!("no IPv4 address like 127.0.0.1 or 127.0.0.1:{PORT}"))
}

fn hash(text: &str) -> Result<Guid, String> {
    Guid::parse(text).ok_or_else(|| "no UUID of version 4 like 2707d2ff-e818-4ea9-be4b-fbce3486431e".into())
}

/// Opens the trace file of a program; `off` means none.
fn open_trace(world: Arc<dyn World>, file: &Path) -> Result<TraceFile, String> {
    if is_off(file) {
        return Ok(TraceFile::off());
    }
    TraceFile::open(world, file, TraceFile::MAX_BYTES)
        .map_err(|error| format!("cannot write the trace file {}: {error}", file.display()))
}

fn is_off(file: &Path) -> bool {
    file.as_os_str() == "off"
}

/// Says where the trace is: the first line that a program prints.
fn announce_trace<'f>(files: impl IntoIterator<Item = &'f Path>) {
    let names: Vec<String> =
        files.into_iter().filter(|file| !is_off(file)).map(|file| file.display().to_string()).collect();
    match names.as_slice() {
        [] => {}
        [name] => output::announce(&format!("trace file: {name}")),
        [..] => output::announce(&format!("trace files: {}", names.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn addresses() {
        for (text, expected) in [("127.0.0.1", "127.0.0.1:8000"), ("10.1.2.3:77", "10.1.2.3:77")] {
            assert_eq!(address(text).map(|address| address.to_string()), Ok(expected.to_owned()));
        }
        assert!(address("localhost").is_err() && address("[::1]:8000").is_err());
    }
}
