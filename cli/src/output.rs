//! The only module that prints.
//!
//! Exit codes are the same for every command: 0 if the work is done, 1 if it failed or its verdict is negative, 2 if the
//! command line is wrong.

use std::{
    fmt::Display,
    fs::File,
    io::{self, BufWriter, IsTerminal, Write},
    path::Path,
    process::ExitCode,
};

use serde_json::Value;

use crate::program_name::{program_name, with_program_name};

/// The option `--json` of a command that reports. Flatten it into the command's arguments.
///
/// ```
/// use cli::output::{Answer, ReportArgs};
///
/// #[derive(clap::Args)]
/// struct Arguments {
///     #[command(flatten)]
///     report: ReportArgs,
/// }
///
/// fn run(arguments: &Arguments) -> Answer {
///     let games = 7;
///     arguments.report.answer(true, || format!("{games} games\n"), || serde_json::json!({ "games": games }))
/// }
/// assert_eq!(run(&Arguments { report: ReportArgs { json: true } }).text, "{\"games\":7}\n");
/// ```
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct ReportArgs {
    /// Print JSON for programs instead of text, one object per line.
    #[arg(long)]
    pub json: bool,
}

impl ReportArgs {
    /// The answer in the form that was asked for.
    pub fn answer(self, ok: bool, text: impl FnOnce() -> String, json: impl FnOnce() -> Value) -> Answer {
        Answer { text: self.report(text, json), ok }
    }

    /// The report in the form that was asked for: the text, or the JSON in one line.
    pub fn report(self, text: impl FnOnce() -> String, json: impl FnOnce() -> Value) -> String {
        if self.json { format!("{}\n", json()) } else { text() }
    }
}

/// The report of a command.
#[derive(Debug)]
pub struct Answer {
    /// Printed to standard output.
    pub text: String,
    /// False: the verdict is negative, and the exit code is 1.
    pub ok: bool,
}

/// Prints an answer. A closed pipe (`| head`) is not an error.
pub fn answer(answer: &Answer) -> ExitCode {
    let mut out = io::stdout().lock();
    match out.write_all(answer.text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            complain(&format!("cannot write: {error}"));
            ExitCode::FAILURE
        }
        Ok(()) | Err(_) if answer.ok => ExitCode::SUCCESS,
        Ok(()) | Err(_) => ExitCode::FAILURE,
    }
}

/// Prints help, the version, or the reason why the command line is wrong.
pub fn usage(usage: &clap::Error) -> ExitCode {
    let printed = usage.print();
    let code = u8::try_from(usage.exit_code()).unwrap_or(1);
    match printed {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => ExitCode::FAILURE,
        Ok(()) | Err(_) => ExitCode::from(code),
    }
}

/// Ends a command without a report. An error is printed to standard error.
pub fn verdict<E: Display>(verdict: Result<(), E>) -> ExitCode {
    match verdict {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            error.to_string().lines().for_each(complain);
            ExitCode::FAILURE
        }
    }
}

/// Ends with exit code 2 a command for which exit code 1 has another meaning.
pub fn trouble(error: impl Display) -> ExitCode {
    error.to_string().lines().for_each(complain);
    ExitCode::from(2)
}

/// Prints an answer, or the error.
pub fn answer_or<E: Display>(given: Result<Answer, E>) -> ExitCode {
    match given {
        Ok(given) => answer(&given),
        Err(error) => verdict(Err(error)),
    }
}

/// Prints a report while it is made. `run` returns whether the verdict is positive.
pub fn streamed<E: Display>(run: impl FnOnce(&mut Out) -> Result<bool, E>) -> ExitCode {
    let mut out = Out::new(Box::new(io::stdout().lock()));
    let verdict_or_error = run(&mut out);
    match (verdict_or_error, out.end()) {
        (Ok(true), Ok(())) => ExitCode::SUCCESS,
        (Ok(false), Ok(())) => ExitCode::FAILURE,
        (Err(error), _) => verdict(Err(error)),
        (Ok(_), Err(error)) => verdict(Err(format!("cannot write: {error}"))),
    }
}

/// The destination of a long report.
#[expect(missing_debug_implementations, reason = "a writer has nothing to show")]
pub struct Out {
    to: BufWriter<Box<dyn Write>>,
    error: Option<io::Error>,
}

impl Out {
    fn new(to: Box<dyn Write>) -> Self {
        Self { to: BufWriter::new(to), error: None }
    }

    /// Creates a file to write into, instead of standard output.
    ///
    /// # Errors
    ///
    /// The file cannot be created.
    pub fn file(path: &Path) -> io::Result<Self> {
        Ok(Self::new(Box::new(File::create(path)?)))
    }

    /// Writes a part of the report. Returns false once writing has failed, so that the caller can stop.
    pub fn write(&mut self, text: impl AsRef<[u8]>) -> bool {
        if self.error.is_none() {
            self.error = self.to.write_all(text.as_ref()).err();
        }
        self.error.is_none()
    }

    /// Flushes, for a reader that waits for the parts. Returns false as [`write`](Self::write) does.
    pub fn flush(&mut self) -> bool {
        if self.error.is_none() {
            self.error = self.to.flush().err();
        }
        self.error.is_none()
    }

    /// Flushes at the end. A closed pipe (`| head`) is not an error.
    ///
    /// # Errors
    ///
    /// A part of the report could not be written.
    pub fn end(mut self) -> io::Result<()> {
        let flushed = match self.error.take() {
            Some(error) => Err(error),
            None => self.to.flush(),
        };
        flushed.or_else(|error| if error.kind() == io::ErrorKind::BrokenPipe { Ok(()) } else { Err(error) })
    }
}

/// When the output has colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Colour {
    /// On a terminal, unless NO_COLOR is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Colour {
    /// Whether standard output gets colours.
    pub fn is_wanted(self) -> bool {
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = || std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
        match self {
            Self::Auto => io::stdout().is_terminal() && !set("NO_COLOR") && !dumb(),
            Self::Always => true,
            Self::Never => false,
        }
    }
}

/// Prints a line while a command runs, such as the address on which it listens.
pub fn announce(line: &str) {
    let mut out = io::stdout().lock();
    let _stdout_is_closed = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// A terminal whose whole screen belongs to this program until the value is dropped, even by a panic.
#[cfg(feature = "terminal")]
#[derive(Debug)]
pub struct FullScreen(ratatui::DefaultTerminal);

#[cfg(feature = "terminal")]
impl FullScreen {
    /// Takes over the terminal.
    ///
    /// # Errors
    ///
    /// The terminal cannot be set up.
    pub fn open() -> io::Result<Self> {
        ratatui::try_init().map(Self)
    }

    /// Draws the screen.
    ///
    /// # Errors
    ///
    /// The terminal cannot be written.
    pub fn draw(&mut self, draw: impl FnOnce(&mut ratatui::Frame<'_>)) -> io::Result<()> {
        self.0.draw(draw).map(drop)
    }
}

#[cfg(feature = "terminal")]
impl Drop for FullScreen {
    fn drop(&mut self) {
        ratatui::restore();
    }
}

fn complain(message: &str) {
    let message = with_program_name(message);
    let _stderr_is_closed = writeln!(io::stderr().lock(), "{}: {message}", program_name());
}

pub(crate) fn stderr_is_terminal() -> bool {
    io::stderr().is_terminal()
}

/// Draws over the current line of standard error; an empty text clears it.
pub(crate) fn draw_bar(text: &str) {
    let _stderr_is_closed = write!(io::stderr().lock(), "\r{text}\x1b[K");
}

pub(crate) fn progress_line(text: &str) {
    let _stderr_is_closed = writeln!(io::stderr().lock(), "{text}");
}
