//! All output of the subcommands: standard output, standard error, and written files.

use std::{
    fmt::Display,
    fs,
    io::{ErrorKind, IsTerminal, Write},
    path::Path,
    sync::Mutex,
    time::{Duration, Instant},
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

/// Prints a line to standard error. It must not fail: the exit code reports the result, too.
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

/// Exits like clap for an invalid value of an option. Clap cannot check these values, because the games define them.
pub(super) fn invalid(option: &str, value: &str, why: &str) -> ! {
    let message = format!("invalid value '{value}' for '{option}': {why}\n\nFor more information, try '--help'.\n");
    clap::Error::raw(UsageKind::ValueValidation, message).exit()
}

/// The progress of a long run, on standard error. On a terminal it is one line that changes; elsewhere it is a new line every
/// now and then, if the run takes long.
pub(super) struct Progress {
    terminal: bool,
    since: Instant,
    /// When the last line was shown.
    last: Mutex<Instant>,
}

impl Progress {
    pub(super) fn new() -> Self {
        let now = Instant::now();
        Self { terminal: std::io::stderr().is_terminal(), since: now, last: Mutex::new(now) }
    }

    /// How long the run has taken.
    pub(super) fn elapsed(&self) -> Duration {
        self.since.elapsed()
    }

    /// Shows a line, unless the last one is too recent. `line` gets the time so far.
    pub(super) fn show(&self, line: impl FnOnce(Duration) -> String) {
        let pause = if self.terminal { Duration::from_millis(100) } else { Duration::from_secs(15) };
        // Another thread is showing its line.
        let Ok(mut last) = self.last.try_lock() else { return };
        if last.elapsed() < pause {
            return;
        }
        *last = Instant::now();
        let line = line(self.elapsed());
        if self.terminal {
            let _closed = std::io::stderr().lock().write_all(format!("\r{line}\x1b[K").as_bytes());
        } else {
            complain(&line);
        }
    }

    /// Removes the line from the terminal.
    pub(super) fn clear(&self) {
        if self.terminal {
            let _closed = std::io::stderr().lock().write_all(b"\r\x1b[K");
        }
    }
}

/// A bar with the time so far and the time left.
pub(super) fn bar(done: usize, all: usize, elapsed: Duration) -> String {
    const WIDTH: usize = 30;
    let filled = done.min(all) * WIDTH / all.max(1);
    let (full, empty) = ("#".repeat(filled), ".".repeat(WIDTH - filled));
    let left = time_left(done as u64, all as u64, elapsed);
    let left = left.map(|left| format!(", about {} left", span(left))).unwrap_or_default();
    format!("[{full}{empty}] {done} of {all} scripts, {}{left}", span(elapsed))
}

/// How long the rest takes at the same speed; `None` before anything is done.
pub(super) fn time_left(done: u64, all: u64, elapsed: Duration) -> Option<Duration> {
    let rest = all.checked_sub(done).filter(|_| done > 0)?;
    Duration::try_from_secs_f64(elapsed.as_secs_f64() * rest as f64 / done as f64).ok()
}

/// A duration, to the precision that people need.
pub(super) fn span(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..60 => format!("{seconds} s"),
        seconds @ 60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        seconds => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

/// A speed: per second, or how many seconds one takes.
pub(super) fn rate(count: u64, elapsed: Duration) -> String {
    let per_second = count as f64 / elapsed.as_secs_f64().max(0.001);
    match count {
        0 => "none yet".into(),
        _ if per_second >= 10.0 => format!("{per_second:.0} a second"),
        _ if per_second >= 1.0 => format!("{per_second:.1} a second"),
        _ => format!("one every {}", span(Duration::from_secs_f64(1.0 / per_second).max(Duration::from_secs(1)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars() {
        let check = |done, all, seconds, expected: &str| {
            let line = bar(done, all, Duration::from_secs(seconds));
            assert_eq!(line.split_once("] ").expect("a bar").1, expected);
        };
        check(0, 10, 3, "0 of 10 scripts, 3 s");
        check(1, 10, 3, "1 of 10 scripts, 3 s, about 27 s left");
        check(10, 10, 61, "10 of 10 scripts, 1 min 1 s, about 0 s left");
        check(1, 3601, 1, "1 of 3601 scripts, 1 s, about 1 h 0 min left");
        assert_eq!(bar(0, 0, Duration::ZERO), format!("[{}] 0 of 0 scripts, 0 s", ".".repeat(30)));
        assert!(bar(5, 10, Duration::ZERO).starts_with("[###############...............] "));
    }

    #[test]
    fn rates() {
        let check = |count, seconds, expected: &str| assert_eq!(rate(count, Duration::from_secs(seconds)), expected);
        check(0, 9, "none yet");
        check(1000, 2, "500 a second");
        check(15, 2, "7.5 a second");
        check(2, 2, "1.0 a second");
        check(1, 4, "one every 4 s");
        check(1, 90, "one every 1 min 30 s");
        assert_eq!(rate(5, Duration::ZERO), "5000 a second");
    }
}
