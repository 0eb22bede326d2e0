//! Benchmarks of the host over real sockets and on a real disk. Each figure is printed beside its limit from the same run.
//!
//! Run it with `cargo xtask bench net [PART]`. The parts are in the folders of the games that they use. The host, the echo
//! server and the load generators are separate processes; the last two are this program with a role.
//!
//! - `process`: these processes; `table`: prints figures
//! - `echo`, `bare`: the servers that set the limits
#![allow(clippy::print_stdout, reason = "a benchmark is its output")]
#![allow(dead_code, reason = "what the benchmarks of games share, whichever games there are")]

mod bare;
#[cfg(feature = "colony")]
#[path = "../../games/colony/benches/net/mod.rs"]
mod colony;
mod echo;
mod process;
#[cfg(feature = "project")]
#[path = "../../games/project/benches/net/mod.rs"]
mod project;
mod table;
#[cfg(feature = "treasure")]
#[path = "../../games/treasure/benches/net/mod.rs"]
mod treasure;

/// The benchmarks of a game.
struct Measured {
    parts: &'static [Part],
    /// Runs a role of the game. Returns whether the game has a role of this name.
    role: fn(&[&str]) -> bool,
}

type Part = (&'static str, fn());

const GAMES: &[Measured] = &[
    #[cfg(feature = "colony")]
    colony::MEASURED,
    #[cfg(feature = "treasure")]
    treasure::MEASURED,
    #[cfg(feature = "project")]
    project::MEASURED,
];

fn main() {
    // Cargo passes `--bench` to every benchmark.
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let parts: Vec<&Part> = GAMES.iter().flat_map(|game| game.parts).collect();
    match words[..] {
        ["role", "echo"] => echo::serve(),
        ["role", "bare", path, row] => bare::serve(path, row),
        ["role", ..] if GAMES.iter().any(|game| (game.role)(&words[1..])) => {}
        [] => parts.iter().for_each(|(_, run)| run()),
        [name] => match parts.iter().find(|(known, _)| *known == name) {
            Some((_, run)) => run(),
            None => unknown(name, &parts),
        },
        [_, word, ..] => unknown(word, &parts),
    }
}

fn unknown(word: &str, parts: &[&Part]) {
    let names: Vec<&str> = parts.iter().map(|(name, _)| *name).collect();
    panic!("no part {word}; there are {}", names.join(", "));
}
