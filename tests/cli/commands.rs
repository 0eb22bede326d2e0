//! The whole command line: every command has a description, every option has a sentence, and `docs/commands.md` lists all
//! commands.

use std::{env, fs, path::Path};

use clap::{Arg, Command};
use holdfast::App;

/// Every command with its full name, parents before their subcommands.
fn walk<'c>(command: &'c Command, parent: &str, found: &mut Vec<(String, &'c Command)>) {
    let name = format!("{parent}{}", command.get_name());
    let below = format!("{name} ");
    found.push((name, command));
    for command in command.get_subcommands() {
        walk(command, &below, found);
    }
}

fn check_all(check: impl Fn(&str, &Command) -> Vec<String>) {
    let program = App::with_all_games().command_line();
    let mut commands = Vec::new();
    walk(&program, "", &mut commands);
    let missing: Vec<String> = commands.iter().flat_map(|(name, command)| check(name, command)).collect();
    assert!(missing.is_empty(), "\n{}", missing.join("\n"));
}

#[test]
fn every_command_says_what_it_does() {
    check_all(|name, command| match command.get_about() {
        Some(about) if about.to_string().len() > 10 => Vec::new(),
        Some(_) | None => vec![format!("{name}: no sentence about the command")],
    });
}

#[test]
fn every_option_has_a_sentence() {
    let has_a_sentence = |arg: &Arg| arg.get_help().is_some_and(|help| help.to_string().len() > 5);
    check_all(|name, command| {
        let silent = command.get_arguments().filter(|arg| !has_a_sentence(arg));
        silent.map(|arg| format!("{name}: no help for {}", arg.get_id())).collect()
    });
}

#[test]
fn golden_table_of_commands() {
    let program = App::with_all_games().command_line();
    let mut commands = Vec::new();
    walk(&program, "", &mut commands);
    let rows: String = commands.iter().map(|(name, command)| row(name, command)).collect();
    let text = format!("{HEAD}{rows}");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/commands.md");
    if env::var_os("HOLDFAST_BLESS").is_some() {
        fs::write(&path, text).expect("docs/commands.md can be written");
        return;
    }
    let golden = fs::read_to_string(&path).unwrap_or_default();
    for (now, then) in text.lines().zip(golden.lines()) {
        assert_eq!(now, then, "docs/commands.md; `cargo xtask bless` writes it again");
    }
    assert_eq!(text.lines().count(), golden.lines().count(), "docs/commands.md; `cargo xtask bless` writes it again");
}

/// docs/configuration.md has a row for every option of a host.
#[test]
fn golden_table_of_a_hosts_options() {
    let program = App::with_all_games().command_line();
    let host = program.find_subcommand("host").expect("the command");
    let one_line = |text: String| text.replace('|', "\\|").replace('\n', " ");
    let rows: String = host
        .get_arguments()
        .filter_map(|arg| Some((arg, arg.get_long()?, arg.get_env()?.to_str()?)))
        .map(|(arg, long, variable)| {
            let default: Vec<_> = arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
            let default = if default.is_empty() { String::new() } else { format!("`{}`", default.join(" ")) };
            let help = one_line(arg.get_help().map(ToString::to_string).unwrap_or_default());
            format!("| `{long}` | `{variable}` | {default} | {help} |\n")
        })
        .collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/configuration.md");
    let page = fs::read_to_string(&path).expect("the page");
    let (before, table) = page.split_once(OPTIONS).expect("the page has the table at its end");
    if env::var_os("HOLDFAST_BLESS").is_some() {
        fs::write(&path, format!("{before}{OPTIONS}{rows}")).expect("docs/configuration.md can be written");
        return;
    }
    assert_eq!(table, rows, "docs/configuration.md; `cargo xtask bless` writes it again");
}

/// The head of the table of options.
const OPTIONS: &str = "| key, option | environment | default | meaning |\n|---|---|---|---|\n";

const HEAD: &str = "\
# Commands

Every command of the program, from its own help. `cargo xtask bless` writes this table; `tests/cli/commands.rs` compares it.

| command | `--json` | exit codes | first line of help |
|---|---|---|---|
";

fn row(name: &str, command: &Command) -> String {
    let json = if command.get_arguments().any(|arg| arg.get_id() == "json") { "yes" } else { "" };
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let about = about.lines().next().unwrap_or_default().replace('|', "\\|");
    format!("| `{name}` | {json} | {} | {about} |\n", exit_codes(command))
}

/// The last line of a command's help; the usual one is shortened.
fn exit_codes(command: &Command) -> String {
    let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let line = after.lines().find_map(|line| line.strip_prefix("Exit codes: ")).unwrap_or_default();
    let is_usual = line == "0 done, 1 failed or negative verdict, 2 wrong command line.";
    if is_usual { "0, 1, 2".into() } else { line.trim_end_matches('.').replace('|', "\\|") }
}
