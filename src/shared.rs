//! Commands that every rulebook has. A game may bring its own; without one, a command that knows only offers does it.

use clap::Arg;
use cli::{
    Command, Game, Group,
    any_game::{arena, bot, load, play, simulate},
    command, output,
};

/// The names of the commands.
pub(crate) const NAMES: &[&str] = &["simulate", "arena", "load", "bot", "play"];

/// The commands of the rulebook with this name, or of the first game.
pub(crate) fn commands(games: &[&'static dyn Game], rulebook: Option<&str>) -> Vec<Command> {
    let game = match rulebook {
        Some(name) => games.iter().find(|game| game.hosted().name() == name),
        None => games.first(),
    };
    let own = game.map(|game| game.commands()).unwrap_or_default();
    let mut own: Vec<Command> = own.into_iter().filter(|command| NAMES.contains(&command.name())).collect();
    own.iter_mut().for_each(|command| command.clap = command.clap.clone().arg(rulebook_option()));
    let missing = of_any_game().into_iter().filter(|any| !own.iter().any(|own| own.name() == any.name()));
    let mut missing: Vec<Command> = missing.collect();
    if let (Some(game), Some(bot)) = (game, missing.iter_mut().find(|command| command.name() == "bot")) {
        bot.clap = bot.clap.clone().after_help(bot::strategies(*game));
    }
    own.into_iter().chain(missing).collect()
}

/// The commands that know only offers.
fn of_any_game() -> Vec<Command> {
    vec![
        command::<simulate::Arguments>("simulate", |program, arguments| {
            output::answer_or(simulate::run(program, arguments))
        }),
        command::<arena::Arguments>("arena", |program, arguments| output::answer_or(arena::run(program, arguments))),
        command::<load::Arguments>("load", |program, arguments| output::answer_or(load::run(program, arguments)))
            .in_group(Group::Host),
        command::<bot::Arguments>("bot", |program, arguments| output::answer_or(bot::run(program, arguments)))
            .in_group(Group::Host),
        command::<play::Arguments>("play", |program, arguments| output::verdict(play::run(program, arguments)))
            .in_group(Group::Start),
    ]
}

fn rulebook_option() -> Arg {
    let help =
        "The rulebook. Each rulebook may have options of its own: `--rulebook NAME --help`. [default: the first one]";
    Arg::new("rulebook").long("rulebook").value_name("NAME").help(help)
}

/// The value of `--rulebook`, which decides on the options of a command and so is read before them.
pub(crate) fn named_rulebook(words: &[String]) -> Option<&str> {
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.split_once('=') {
            Some(("--rulebook", name)) => return Some(name),
            None if word == "--rulebook" => return words.next().map(String::as_str),
            Some(_) | None => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rulebook_is_read_before_the_other_options() {
        let check = |line: &str, expected: Option<&str>| {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            assert_eq!(named_rulebook(&words), expected, "{line}");
        };
        check("simulate", None);
        check("simulate --rulebook crazyhouse --games 5", Some("crazyhouse"));
        check("simulate --games 5 --rulebook=go", Some("go"));
        check("simulate --rulebook", None);
    }

    #[test]
    fn every_rulebook_has_every_command() {
        for rulebook in crate::GAMES.iter().map(|game| game.hosted().name()) {
            let commands = commands(crate::GAMES, Some(rulebook));
            let mut names: Vec<&str> = commands.iter().map(Command::name).collect();
            names.sort_unstable();
            assert_eq!(names, ["arena", "bot", "load", "play", "simulate"], "{rulebook}");
            for command in &commands {
                assert!(command.clap.get_arguments().any(|arg| arg.get_id() == "rulebook"), "{rulebook}");
            }
        }
    }
}
