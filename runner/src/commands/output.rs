//! All output of the subcommands: standard output, standard error, and written files.

use std::{
    fmt::Display,
    fs,
    io::{ErrorKind, Write},
    path::Path,
    time::Duration,
};

use clap::error::ErrorKind as UsageKind;
use script::{RecordedGame, ScenarioText};

use super::error::CommandError;

/// The name of a report file that means standard output.
pub(super) const STANDARD_OUTPUT: &str = "-";

/// Prints to standard output. A closed pipe (`| head`) is not an error.
pub(super) fn print(text: &str) -> Result<(), CommandError> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(CommandError::Output(error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Prints a message to standard error, with the name of the program.
pub(super) fn complain(message: &dyn Display) {
    note(&format!("systest: {message}"));
}

/// Prints a line to standard error. A failure is ignored, because the exit code reports the result, too.
pub(super) fn note(line: &str) {
    let _closed = std::io::stderr().lock().write_all(format!("{line}\n").as_bytes());
}

/// Writes a file.
pub(super) fn write(file: &Path, text: &str) -> Result<(), CommandError> {
    fs::write(file, text).map_err(|error| CommandError::File(file.into(), error))
}

/// Writes a report to a file; `-` is standard output.
pub(super) fn write_report(file: &Path, text: &str) -> Result<(), CommandError> {
    if is_standard_output(file) { print(text) } else { write(file, text) }
}

/// Whether the name of a report file means standard output.
pub(super) fn is_standard_output(file: &Path) -> bool {
    file == Path::new(STANDARD_OUTPUT)
}

/// Writes the script of a game. A scenario that is not built in goes into a file beside the script.
pub(super) fn write_script(recording: &dyn RecordedGame, from: usize, file: Option<&Path>) -> Result<(), CommandError> {
    let mut scenario = recording.scenario();
    if let (Some(file), ScenarioText::Text(text)) = (file, &scenario) {
        let beside = file.with_extension("json");
        write(&beside, text)?;
        let name = beside.file_name().unwrap_or_default().to_string_lossy().into_owned();
        scenario = ScenarioText::File(name);
    }
    let text = recording.print(from, scenario);
    match file {
        Some(file) => write(file, &text),
        None => print(&text),
    }
}

/// Exits as clap does for an invalid value of an option. Clap cannot check these values, because the games define them.
pub(super) fn invalid(option: &str, value: &str, why: &str) -> ! {
    let message = format!("invalid value '{value}' for '{option}': {why}\n\nFor more information, try '--help'.\n");
    clap::Error::raw(UsageKind::ValueValidation, message).exit()
}

/// A speed as text: the number per second, or the number of seconds for one.
pub(super) fn rate(count: u64, elapsed: Duration) -> String {
    let per_second = count as f64 / elapsed.as_secs_f64().max(0.001);
    match count {
        0 => "none yet".into(),
        _ if per_second >= 10.0 => format!("{per_second:.0} a second"),
        _ if per_second >= 1.0 => format!("{per_second:.1} a second"),
        _ => format!("one every {:.0} s", 1.0 / per_second),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates() {
        let check = |count, seconds, expected: &str| assert_eq!(rate(count, Duration::from_secs(seconds)), expected);
        check(0, 9, "none yet");
        check(1000, 2, "500 a second");
        check(15, 2, "7.5 a second");
        check(2, 2, "1.0 a second");
        check(1, 4, "one every 4 s");
        check(1, 90, "one every 90 s");
        assert_eq!(rate(5, Duration::ZERO), "5000 a second");
    }
}
