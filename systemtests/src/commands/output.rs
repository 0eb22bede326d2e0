//! What the subcommands say and write in the same way.

use std::{
    fs,
    io::{ErrorKind, IsTerminal, Write},
    path::Path,
    sync::Mutex,
    time::{Duration, Instant},
};

use clap::error::ErrorKind as UsageKind;
use script::{RecordedGame, ScenarioText};

/// A line on standard error that changes; nothing where no person is looking.
pub(super) struct Status {
    shown: bool,
    last: Mutex<Option<Instant>>,
}

impl Status {
    pub(super) fn new() -> Self {
        Self { shown: std::io::stderr().is_terminal(), last: Mutex::new(None) }
    }

    /// Not more often than anybody can read.
    pub(super) fn show(&self, line: impl FnOnce() -> String) {
        const OFTEN: Duration = Duration::from_millis(100);
        let Some(mut last) = self.last.try_lock().ok().filter(|_| self.shown) else { return };
        if last.is_none_or(|last| last.elapsed() > OFTEN) {
            *last = Some(Instant::now());
            let _nobody_looks = std::io::stderr().lock().write_all(format!("\r{}\x1b[K", line()).as_bytes());
        }
    }

    pub(super) fn clear(&self) {
        if self.shown {
            let _nobody_looks = std::io::stderr().lock().write_all(b"\r\x1b[K");
        }
    }
}

/// The script of a game, ready to run. In a file it has a scenario that is not built in beside it.
pub(super) fn write_script(recording: &dyn RecordedGame, from: usize, file: Option<&Path>) -> Result<(), String> {
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

/// Ends as clap does where a value is none: which ones there are is known only here.
pub(super) fn invalid(option: &str, value: &str, why: &str) -> ! {
    let message = format!("invalid value '{value}' for '{option}': {why}\n\nFor more information, try '--help'.\n");
    clap::Error::raw(UsageKind::ValueValidation, message).exit()
}

/// To standard output. Whoever has read enough, like `head`, may close it.
pub(super) fn print(text: &str) -> Result<(), String> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(format!("standard output: {error}")),
        Ok(()) | Err(_) => Ok(()),
    }
}

pub(super) fn write(file: &Path, text: &str) -> Result<(), String> {
    fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}
