//! The configuration of a host: a file in TOML and the environment, beside the command line.
//!
//! The options of the command are the only list. A key of the file is the name of an option, and `HOLDFAST_` with the same name is
//! its environment variable. A value of the file is handed to the command line, so the same code checks it. The command line comes
//! first, then the environment, then the file, then the default.

use std::{
    error::Error,
    ffi::OsString,
    fmt::{self, Write},
    fs, io,
    ops::Range,
    path::{Path, PathBuf},
};

use clap::{
    Arg, ArgAction, ArgMatches,
    error::{ContextKind, ContextValue, ErrorKind},
    parser::ValueSource,
};
use server::log::shown;
use toml::de::{DeTable, DeValue};

/// The options that choose and show a configuration, and so are no part of it.
const ABOUT_FILES: [&str; 2] = ["config", "print-config"];

/// The longest line of a comment.
const WIDTH: usize = 100;

/// A host's command line with the values of its configuration file.
#[derive(Debug)]
pub(crate) struct Configured {
    /// The command line behind the name of the program.
    pub(crate) words: Vec<OsString>,
    file: Option<PathBuf>,
    /// The options from the file, and their lines.
    lines: Vec<(String, usize)>,
}

/// Why a configuration file cannot be used.
#[derive(Debug)]
pub(crate) enum ConfigError {
    Read { path: PathBuf, cause: io::Error },
    At { path: PathBuf, line: usize, problem: Problem },
}

/// What is wrong in a line.
#[derive(Debug)]
pub(crate) enum Problem {
    NotToml(String),
    UnknownKey { key: String, known: Vec<String> },
    WrongType { key: String, expected: &'static str },
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read { path, cause } => write!(f, "cannot read {}: {cause}", path.display()),
            Self::At { path, line, problem } => write!(f, "{}:{line}: {problem}", path.display()),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotToml(words) => f.write_str(words),
            Self::UnknownKey { key, known } => write!(f, "unknown key `{key}`; the keys are {}", known.join(", ")),
            Self::WrongType { key, expected } => write!(f, "`{key}` is {expected}"),
        }
    }
}

impl Error for ConfigError {}

/// Gives every option of a command an environment variable.
pub(crate) fn with_environment(command: clap::Command) -> clap::Command {
    command.mut_args(|arg| match arg.get_long() {
        // The command line lives as long as the process, and clap takes no other text.
        Some(long) if arg.get_env().is_none() && long != "print-config" => {
            let name: &'static str = variable(long).leak();
            arg.env(name).hide_env(true)
        }
        Some(_) | None => arg,
    })
}

fn variable(long: &str) -> String {
    format!("HOLDFAST_{}", long.replace('-', "_").to_uppercase())
}

/// Adds the values of the configuration file to a command line, if it is one of `host` and has a file.
pub(crate) fn configured(host: &clap::Command, words: Vec<OsString>) -> Result<Configured, ConfigError> {
    let environment = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let texts: Vec<&str> = words.iter().map(|word| word.to_str().unwrap_or_default()).collect();
    let Some(at) = command_at(&texts).filter(|&at| texts[at] == "host") else {
        return Ok(Configured { words, file: None, lines: Vec::new() });
    };
    let chosen = chosen_file(&texts[at + 1..]).map(OsString::from).or_else(|| environment("HOLDFAST_CONFIG"));
    let Some(path) = chosen.map(PathBuf::from) else {
        return Ok(Configured { words, file: None, lines: Vec::new() });
    };
    let text = fs::read_to_string(&path).map_err(|cause| ConfigError::Read { path: path.clone(), cause })?;
    let is_given = |arg: &Arg| {
        let is_set = arg.get_env().and_then(|name| environment(name.to_str()?)).is_some();
        is_set || texts.iter().any(|word| names(arg, word))
    };
    let (from_file, lines) = read(host, &path, &text, is_given)?;
    let mut all = words;
    all.splice(at + 1..at + 1, from_file.into_iter().map(OsString::from));
    Ok(Configured { words: all, file: Some(path), lines })
}

/// The words for all values of a configuration file.
pub(crate) fn words(host: &clap::Command, text: &str) -> Result<Vec<OsString>, ConfigError> {
    let (words, _) = read(host, Path::new("the file"), text, |_| false)?;
    Ok(words.into_iter().map(OsString::from).collect())
}

impl Configured {
    /// The error of a command line. If its value is from the file, the error names the line.
    pub(crate) fn located(&self, error: clap::Error) -> clap::Error {
        let Some(file) = &self.file else { return error };
        let named = if let Some(ContextValue::String(named)) = error.get(ContextKind::InvalidArg) {
            named.as_str()
        } else {
            ""
        };
        let option = named.trim_start_matches("--").split([' ', '=']).next().unwrap_or_default();
        let Some((_, line)) = self.lines.iter().find(|(key, _)| key == option) else { return error };
        let words = error.to_string();
        let words = words.trim_start_matches("error: ");
        clap::Error::raw(ErrorKind::InvalidValue, format!("{}:{line}: {words}", file.display()))
    }
}

/// The place of the command: global options may come before it.
fn command_at(words: &[&str]) -> Option<usize> {
    let mut is_value = false;
    words.iter().position(|word| {
        let was_value =
            std::mem::replace(&mut is_value, matches!(*word, "--trace-format" | "--log-format" | "--progress"));
        !was_value && !word.starts_with('-')
    })
}

/// The value of `--config`.
fn chosen_file<'w>(words: &[&'w str]) -> Option<&'w str> {
    let at = words.iter().position(|word| *word == "--config" || word.starts_with("--config="))?;
    words[at].split_once('=').map(|(_, value)| value).or_else(|| words.get(at + 1).copied())
}

/// Whether a word of the command line is this option.
fn names(arg: &Arg, word: &str) -> bool {
    let long =
        |name: &str| word.strip_prefix("--").map(|word| word.split('=').next().unwrap_or_default()) == Some(name);
    let is_short =
        |letter: char| !word.starts_with("--") && word.strip_prefix('-').is_some_and(|word| word.contains(letter));
    arg.get_long().is_some_and(long)
        || arg.get_all_aliases().into_iter().flatten().any(long)
        || arg.get_short().is_some_and(is_short)
}

/// The options of a command that can be configured.
fn options(command: &clap::Command) -> impl Iterator<Item = (&Arg, &str)> {
    let of_host = command.get_arguments().filter_map(|arg| Some((arg, arg.get_long()?)));
    of_host.filter(|(_, long)| !ABOUT_FILES.contains(long) && !["help", "version", "progress"].contains(long))
}

/// Words of a command line, and the lines of the file where they come from.
type FromFile = (Vec<String>, Vec<(String, usize)>);

/// The words for the values of a file, without those of options that are given elsewhere.
fn read(
    host: &clap::Command,
    path: &Path,
    text: &str,
    is_given: impl Fn(&Arg) -> bool,
) -> Result<FromFile, ConfigError> {
    let line = |span: Range<usize>| text[..span.start.min(text.len())].matches('\n').count() + 1;
    let failed = |span, problem| ConfigError::At { path: path.into(), line: line(span), problem };
    let table = DeTable::parse(text)
        .map_err(|error| failed(error.span().unwrap_or_default(), Problem::NotToml(error.message().to_owned())))?;
    let (mut words, mut lines) = (Vec::new(), Vec::new());
    for (key, value) in table.get_ref() {
        let name: &str = key.get_ref();
        let Some((arg, long)) = options(host).find(|(_, long)| *long == name) else {
            let known = options(host).map(|(_, long)| long.to_owned()).collect();
            return Err(failed(key.span(), Problem::UnknownKey { key: name.into(), known }));
        };
        let wrong = |expected| failed(value.span(), Problem::WrongType { key: name.into(), expected });
        let given = words_of(arg, long, value.get_ref()).map_err(wrong)?;
        if !is_given(arg) {
            words.extend(given);
            lines.push((long.to_owned(), line(key.span())));
        }
    }
    Ok((words, lines))
}

/// The words for one value, or what the value must be.
fn words_of(arg: &Arg, long: &str, value: &DeValue<'_>) -> Result<Vec<String>, &'static str> {
    let text = |value: &DeValue<'_>| match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) => Some(number.to_string()),
        DeValue::Float(number) => Some(number.to_string()),
        DeValue::Boolean(_) | DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => None,
    };
    let action = arg.get_action();
    if matches!(action, ArgAction::SetTrue) {
        let DeValue::Boolean(is_on) = value else { return Err("true or false") };
        return Ok(is_on.then(|| format!("--{long}")).into_iter().collect());
    }
    if matches!(action, ArgAction::Count) {
        let count = text(value).and_then(|text| text.parse::<u8>().ok()).filter(|count| *count < 10);
        return Ok(vec![format!("--{long}"); count.ok_or("a number from 0 to 9")?.into()]);
    }
    let option = |text: String| format!("--{long}={text}");
    if let DeValue::Array(values) = value
        && matches!(action, ArgAction::Append)
    {
        let all: Option<Vec<String>> = values.iter().map(|value| text(value.get_ref()).map(option)).collect();
        return all.ok_or("a text, or a list of texts");
    }
    text(value).map(|text| vec![option(text)]).ok_or("a text or a number")
}

/// The effective configuration of a host as TOML. Secrets are left out. Options with their default are comments.
pub(crate) fn print(host: &clap::Command, matches: &ArgMatches) -> String {
    let mut toml = String::from("# The configuration of `holdfast host`: docs/configuration.md.\n");
    for (arg, long) in options(host) {
        let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        toml.push('\n');
        for line in wrapped(&help) {
            let _ = writeln!(toml, "# {line}");
        }
        let id = arg.get_id().as_str();
        let is_set = !matches!(matches.value_source(id), None | Some(ValueSource::DefaultValue));
        if is_set && arg.is_hide_env_values_set() {
            let _ = writeln!(toml, "# {long} is set, and left out because it is a secret.");
            continue;
        }
        let mark = if is_set { "" } else { "# " };
        let _ = writeln!(toml, "{mark}{long} = {}", shown_value(arg, matches, is_set));
    }
    toml
}

/// A value as TOML; an option without one shows what it would be.
fn shown_value(arg: &Arg, matches: &ArgMatches, is_set: bool) -> String {
    let id = arg.get_id().as_str();
    let action = arg.get_action();
    if matches!(action, ArgAction::SetTrue) {
        return matches.get_flag(id).to_string();
    }
    if matches!(action, ArgAction::Count) {
        return matches.get_count(id).to_string();
    }
    let raw: Vec<String> =
        matches.get_raw(id).into_iter().flatten().map(|raw| raw.to_string_lossy().into_owned()).collect();
    let names = || arg.get_value_names().into_iter().flatten().map(ToString::to_string);
    let values: Vec<String> = if raw.is_empty() { names().collect() } else { raw };
    let one = |value: &String| match value.parse::<i64>() {
        Ok(number) => number.to_string(),
        // An address of a database may have a password. TOML has the texts of JSON, but for one character.
        Err(_) => {
            let text = serde_json::Value::from(shown(Path::new(value)).display().to_string()).to_string();
            text.replace('\u{7f}', "\\u007f")
        }
    };
    let all: Vec<String> = values.iter().map(one).collect();
    let is_list = matches!(action, ArgAction::Append) && (is_set || all.len() > 1);
    if is_list { format!("[{}]", all.join(", ")) } else { all.concat() }
}

fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().filter(|line| line.is_empty() || line.len() + word.len() < WIDTH);
        match line {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) => line.extend([" ", word]),
            None => lines.push(word.to_owned()),
        }
    }
    lines
}
