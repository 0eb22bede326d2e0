//! The command line for a list of games.

use std::{
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{ArgMatches, Args, builder::StyledStr, error::ErrorKind};
use cli::{
    Command, Game, Group, Program, command,
    logging::GlobalOptions,
    output, program_name,
    progress::{self, ShowProgress},
    with_program_name,
};
use script::Games;
use server::{Adapter, WebFile, WebSources};
use short::ShortGame;

use crate::{
    GAMES, account, cluster,
    completions::{self, Completions, Man},
    config, dev, host,
    hosted::{Hosted, check_names, check_web},
    log, new, rng,
    shared::{self, named_rulebook},
    short_game::ShortProgram,
};

/// The program for a list of games: the commands that all games share, and those that games add.
///
/// ```no_run
/// # use holdfast::App;
/// # fn of<TicTacToe: holdfast::short::ShortGame>() -> std::process::ExitCode {
/// App::new().game::<TicTacToe>().run()
/// # }
/// ```
#[derive(Default)]
#[expect(missing_debug_implementations, reason = "a table of games has nothing to show")]
pub struct App {
    games: Vec<&'static dyn Game>,
    web: WebSources,
    version: Option<&'static str>,
}

impl App {
    /// The program without games.
    pub fn new() -> Self {
        Self::default()
    }

    /// The program for every game of this package's features.
    pub fn with_all_games() -> Self {
        GAMES.iter().fold(Self::new(), |app, game| app.with(*game))
    }

    /// Adds a game that is a [`ShortGame`].
    #[must_use]
    pub fn game<G: ShortGame>(self) -> Self {
        self.with(&ShortProgram::<G>::NEW)
    }

    /// Adds a game that is an [`Adapter`] for rules of its own.
    #[must_use]
    pub fn adapter<A: Adapter>(self) -> Self {
        self.with(&Hosted::<A>::NEW)
    }

    /// Adds a game with its commands, options and bots. The first game is the default.
    #[must_use]
    pub fn with(mut self, game: &'static dyn Game) -> Self {
        self.games.push(game);
        self
    }

    /// Adds files of pages and drawings for a game, such as `.web("chess", web_files!("draw.js", "draw.css"))`. The macro
    /// [`web_files!`](server::web_files) embeds files of the folder `web` of the author's crate. The host serves them below `/web/chess/`.
    /// A file `draw.js` draws the game's pictures; docs/write-a-game.md describes it.
    #[must_use]
    pub fn web(mut self, game: &str, files: &'static [WebFile]) -> Self {
        self.web.files.push((game.into(), files));
        self
    }

    /// The version of the author's crate for `--version`: `.version(env!("CARGO_PKG_VERSION"))`.
    #[must_use]
    pub fn version(mut self, version: &'static str) -> Self {
        self.version = Some(version);
        self
    }

    /// The words behind the name of the program. An author's program also says which Holdfast it is built on.
    fn version_words(&self) -> String {
        let holdfast = env!("HOLDFAST_VERSION");
        match self.version {
            Some(version) => format!("{version} on Holdfast {holdfast}"),
            None if program_name() == "holdfast" => holdfast.into(),
            None => format!("on Holdfast {holdfast}"),
        }
    }

    fn program(&self) -> Program {
        let mut program = Program::new(self.games.clone());
        program.web = self.web.clone();
        program
    }

    /// The whole command line, with every command.
    pub fn command_line(&self) -> clap::Command {
        self.clap(&self.commands(None))
    }

    /// The configuration of a host with this text as its configuration file and without further options, as `--print-config` prints it.
    ///
    /// # Errors
    /// If the text is no TOML, has an unknown key, or a value that an option does not take.
    pub fn host_configuration(&self, file: &str) -> Result<String, clap::Error> {
        let host = host::command(&self.program()).clap;
        let words = config::words(&host, file)
            .map_err(|error| clap::Error::raw(ErrorKind::InvalidValue, format!("{error}\n")))?;
        let matches = host.clone().try_get_matches_from([OsString::from("host")].into_iter().chain(words))?;
        Ok(config::print(&host, &matches))
    }

    /// Runs the command of this process's command line.
    pub fn run(&self) -> ExitCode {
        let called = std::env::args_os().next().map(PathBuf::from);
        if let Some(name) = called.as_deref().and_then(Path::file_stem).and_then(OsStr::to_str) {
            program_name::choose(name);
        }
        if let Err(error) = check_names(self.games.iter().map(|game| game.hosted().name())) {
            return output::verdict(Err(error));
        }
        if let Err(error) = check_web(&self.web, &self.games) {
            return output::verdict(Err(error));
        }
        let program = self.program();
        let words: Vec<String> = std::env::args().skip(1).collect();
        let course = program.games.iter().find_map(|game| game.course());
        if let Some(course) = course
            && serves_one_game(&words)
        {
            return match course.clap.clone().try_get_matches() {
                Ok(matches) => course.run(&program, &matches),
                Err(usage) => output::usage(&usage),
            };
        }
        let commands = self.commands(named_rulebook(&words));
        let matches = match self.matches(&commands) {
            Ok(matches) => matches,
            Err(usage) => return output::usage(&usage),
        };
        progress::choose(chosen_progress(&matches));
        let chosen = matches
            .subcommand()
            .and_then(|(name, matches)| Some((commands.iter().find(|command| command.name() == name)?, matches)));
        match chosen {
            Some((command, matches)) => command.run(&program, matches),
            None => ExitCode::FAILURE,
        }
    }

    /// The matches of this process's command line, with the configuration file of a host.
    fn matches(&self, commands: &[Command]) -> Result<ArgMatches, clap::Error> {
        let mut words = std::env::args_os();
        let name = words.next().unwrap_or_default();
        let words: Vec<OsString> = words.collect();
        let host = commands.iter().find(|command| command.name() == "host");
        let Some(host) = host else {
            return self.clap(commands).try_get_matches_from([name].into_iter().chain(words));
        };
        let configured = config::configured(&host.clap, words)
            .map_err(|error| clap::Error::raw(ErrorKind::InvalidValue, format!("{error}\n")))?;
        let whole = [name].into_iter().chain(configured.words.iter().cloned());
        self.clap(commands).try_get_matches_from(whole).map_err(|error| configured.located(error))
    }

    fn clap(&self, commands: &[Command]) -> clap::Command {
        let global = GlobalOptions::augment_args(clap::Command::new(program_name())).mut_args(|arg| arg.global(true));
        let program = global
            // The command line lives as long as the process, and clap takes no other text.
            .version(&*self.version_words().leak())
            .about("Hosts multiplayer games as pure folds over an append-only log")
            .subcommand_required(true)
            .arg_required_else_help(true)
            .subcommands(commands.iter().map(|command| command.clap.clone()))
            .help_template(help_template(commands))
            .after_help(if self.games.iter().any(|game| game.course().is_some()) { ONE_GAME } else { HELP });
        renamed(with_exit_codes(program))
    }

    /// The commands that describe the command line, including themselves.
    fn describing(&self, others: &[Command]) -> Vec<Command> {
        let names = [
            command::<Completions>("completions", |_, _| ExitCode::SUCCESS),
            command::<Man>("man", |_, _| ExitCode::SUCCESS),
        ];
        let whole = self.clap(others).subcommands(names.map(|command| command.clap));
        let (completed, described) = (whole.clone(), whole);
        vec![
            Command::with("completions", move |_, arguments| {
                output::streamed(|out| completions::complete(completed.clone(), arguments, out))
            })
            .in_group(Group::Tools),
            Command::with("man", move |_, arguments| {
                output::streamed(|out| completions::write_pages(described.clone(), arguments, out))
            })
            .in_group(Group::Tools),
        ]
    }

    /// All commands. Those that every rulebook has are the ones of this rulebook, or of the first game.
    fn commands(&self, rulebook: Option<&str>) -> Vec<Command> {
        let own = vec![
            command::<rng::Arguments>("rng", |_, arguments| output::answer(&rng::run(arguments)))
                .in_group(Group::Tools),
            command::<new::Arguments>("new", |_, arguments| output::streamed(|out| new::run(arguments, out)))
                .in_group(Group::Start),
            command::<dev::Arguments>("dev", |_, arguments| output::verdict(dev::run(arguments)))
                .in_group(Group::Start),
            host::command(&self.program()).in_group(Group::Host),
            command::<account::Arguments>("account", |_, arguments| {
                output::streamed(|out| account::run(arguments, out))
            })
            .in_group(Group::Host),
            command::<cluster::Arguments>("cluster", |_, arguments| {
                output::streamed(|out| cluster::run(arguments, out))
            })
            .in_group(Group::Host),
            Command::new(runner::command(), |program, matches| runner::run_command(matches, &scripted(program)))
                .in_group(Group::Tools),
            command::<log::Arguments>("log", |program, arguments| {
                output::streamed(|out| log::run(program, arguments, out))
            })
            .in_group(Group::Logs),
        ];
        let of_games = self.games.iter().flat_map(|game| game.commands());
        let of_games = of_games.filter(|command| !shared::NAMES.contains(&command.name()));
        let mut commands: Vec<Command> =
            own.into_iter().chain(shared::commands(&self.games, rulebook)).chain(of_games).collect();
        commands.extend(self.describing(&commands));
        commands
    }
}

/// The games of the program that have scripts.
fn scripted(program: &Program) -> Games {
    Games::new(program.games.iter().filter_map(|game| game.scripted()))
}

/// Whether the command line has options of one game but no command, as a course calls the program. Global options may come
/// before them.
fn serves_one_game(words: &[String]) -> bool {
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let is_short = word
            .strip_prefix('-')
            .is_some_and(|letters| !letters.is_empty() && letters.chars().all(|letter| letter == 'v'));
        match word.split_once('=').map_or(word.as_str(), |(name, _)| name) {
            _ if is_short => {}
            "--verbose" => {}
            "--trace-format" | "--log-format" | "--progress" => {
                if !word.contains('=') {
                    words.next();
                }
            }
            "--help" | "--version" => return false,
            word => return word.starts_with("--"),
        }
    }
    false
}

/// The value of `--progress`, which may be before or after any part of a command's name.
fn chosen_progress(matches: &ArgMatches) -> ShowProgress {
    let mut last = matches;
    while let Some((_, matches)) = last.subcommand() {
        last = matches;
    }
    last.get_one("progress").copied().unwrap_or_default()
}

/// The help of the program, with its commands in groups.
fn help_template(commands: &[Command]) -> String {
    let width = commands.iter().map(|command| command.name().len()).max().unwrap_or_default();
    let mut groups = String::new();
    for group in Group::ALL {
        let lines: String = commands
            .iter()
            .filter(|command| command.group == group)
            .map(|command| {
                let about = command.clap.get_about().map(ToString::to_string).unwrap_or_default();
                format!("  {:<width$}  {about}\n", command.name())
            })
            .collect();
        if !lines.is_empty() {
            groups.push_str(&format!("{}:\n{lines}\n", group.heading()));
        }
    }
    let groups = groups.replace(['{', '}'], "");
    format!("{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}Options:\n{{options}}{{after-help}}")
}

/// Adds the exit codes to the end of the help of every command that does not explain its own.
fn with_exit_codes(command: clap::Command) -> clap::Command {
    let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let command = if after.contains("Exit codes:") || command.has_subcommands() && command.get_name() != program_name()
    {
        command
    } else {
        let gap = if after.is_empty() { "" } else { "\n\n" };
        command.after_help(format!("{after}{gap}{EXIT_CODES}"))
    };
    command.mut_subcommands(with_exit_codes)
}

const EXIT_CODES: &str = "Exit codes: 0 done, 1 failed or negative verdict, 2 wrong command line.";

/// The command line with the name of this program in its examples.
fn renamed(command: clap::Command) -> clap::Command {
    if program_name() == "holdfast" {
        return command;
    }
    let text = |text: Option<&StyledStr>| text.map(|text| with_program_name(&text.to_string()));
    let (about, long_about) = (text(command.get_about()), text(command.get_long_about()));
    let (after, after_long) = (text(command.get_after_help()), text(command.get_after_long_help()));
    let command = about.into_iter().fold(command, clap::Command::about);
    let command = long_about.into_iter().fold(command, clap::Command::long_about);
    let command = after.into_iter().fold(command, clap::Command::after_help);
    let command = after_long.into_iter().fold(command, clap::Command::after_long_help);
    let command = command.mut_args(|arg| {
        let (help, long_help) = (text(arg.get_help()), text(arg.get_long_help()));
        let arg = help.into_iter().fold(arg, clap::Arg::help);
        long_help.into_iter().fold(arg, clap::Arg::long_help)
    });
    command.mut_subcommands(renamed)
}

const HELP: &str = "`holdfast help COMMAND` explains a command.";

const ONE_GAME: &str = "\
`holdfast help COMMAND` explains a command.

Without a command it serves exactly one game, as a course does, and ends with it:
  holdfast --config FILE --port INT|--listen ADDR --seed LONG --timeout SECONDS [--edition E] [--log FILE]";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_without_a_command() {
        let check = |line: &str, expected: bool| {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            assert_eq!(serves_one_game(&words), expected, "holdfast {line}");
        };
        check("", false);
        check("host", false);
        check("--help", false);
        check("-v", false);
        check("--verbose host --listen 7700", false);
        check("-vv --trace-format json host", false);
        check("--log-format=json --progress never log list x", false);
        check("--config x --port 1", true);
        check("--verbose --config x --port 1", true);
        check("--trace-format json --config x", true);
        check("--port=1", true);
    }

    #[test]
    fn global_options_stand_anywhere() {
        let app = App::with_all_games();
        let check = |line: &str, expected: ShowProgress| {
            let matches = app.command_line().try_get_matches_from(line.split_whitespace()).expect("a command line");
            assert_eq!(chosen_progress(&matches), expected, "{line}");
        };
        check("holdfast --progress never log list x", ShowProgress::Never);
        check("holdfast log --progress never list x", ShowProgress::Never);
        check("holdfast log list x --progress always", ShowProgress::Always);
        check("holdfast log list x", ShowProgress::Auto);
        for line in ["holdfast --verbose host", "holdfast host --verbose", "holdfast -v --log-format json host"] {
            let matches = app.command_line().try_get_matches_from(line.split_whitespace()).expect("a command line");
            let (_, host) = matches.subcommand().expect("a command");
            assert_eq!(host.get_count("verbose"), 1, "{line}");
        }
    }
}
