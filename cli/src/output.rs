//! The only place that prints.

use std::{
    fs::File,
    io::{self, BufWriter, IsTerminal, Write},
    path::Path,
    process::ExitCode,
    time::Instant,
};

/// What a command has to say, and whether all went well.
#[derive(Debug)]
pub struct Answer {
    pub text: String,
    pub ok: bool,
}

/// Prints an answer. Whoever stopped reading (`holdfast .. | head`) has had enough and is no error.
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

/// Prints how the program is called, which was asked for or is needed.
pub fn usage(usage: &clap::Error) -> ExitCode {
    let printed = usage.print();
    let code = u8::try_from(usage.exit_code()).unwrap_or(1);
    match printed {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => ExitCode::FAILURE,
        Ok(()) | Err(_) => ExitCode::from(code),
    }
}

/// The end of something that has no answer but that it went well. Why it did not is said on standard error, so that nobody
/// takes it for an answer.
pub fn verdict(verdict: Result<(), String>) -> ExitCode {
    match verdict {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            message.lines().for_each(complain);
            ExitCode::FAILURE
        }
    }
}

/// The end of something whose exit code 1 has a meaning of its own.
pub fn trouble(message: &str) -> ExitCode {
    message.lines().for_each(complain);
    ExitCode::from(2)
}

/// An answer, or why there is none.
pub fn answer_or(given: Result<Answer, String>) -> ExitCode {
    match given {
        Ok(given) => answer(&given),
        Err(problems) => verdict(Err(problems)),
    }
}

/// An answer that is written as it comes; true at its end means that all went well.
pub fn streamed(run: impl FnOnce(&mut Out) -> Result<bool, String>) -> ExitCode {
    let mut out = Out::new(Box::new(io::stdout().lock()));
    let told = run(&mut out);
    match (told, out.end()) {
        (Ok(ok), Ok(())) => {
            if ok {
                ExitCode::SUCCESS
            } else {
                ExitCode::FAILURE
            }
        }
        (Err(problems), _) => verdict(Err(problems)),
        (Ok(_), Err(fault)) => verdict(Err(format!("cannot write: {fault}"))),
    }
}

/// Where a long answer goes.
#[expect(missing_debug_implementations, reason = "a writer has nothing to show")]
pub struct Out {
    to: BufWriter<Box<dyn Write>>,
    fault: Option<io::Error>,
}

impl Out {
    fn new(to: Box<dyn Write>) -> Self {
        Self { to: BufWriter::new(to), fault: None }
    }

    /// Into a file instead of standard output.
    pub fn file(path: &Path) -> io::Result<Self> {
        Ok(Self::new(Box::new(File::create(path)?)))
    }

    /// False: nobody takes more of it, and the rest need not be made.
    pub fn write(&mut self, text: impl AsRef<[u8]>) -> bool {
        if self.fault.is_none() {
            self.fault = self.to.write_all(text.as_ref()).err();
        }
        self.fault.is_none()
    }

    /// For somebody who waits for what was written until now. False as with [`write`](Self::write).
    pub fn pass_on(&mut self) -> bool {
        if self.fault.is_none() {
            self.fault = self.to.flush().err();
        }
        self.fault.is_none()
    }

    /// Whoever stopped reading has had enough and is no error.
    pub fn end(mut self) -> io::Result<()> {
        let flushed = match self.fault.take() {
            Some(fault) => Err(fault),
            None => self.to.flush(),
        };
        flushed.or_else(|fault| if fault.kind() == io::ErrorKind::BrokenPipe { Ok(()) } else { Err(fault) })
    }
}

/// When there are colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Colour {
    /// On a terminal, unless NO_COLOR is set.
    #[default]
    Auto,
    Always,
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

/// A line for whoever started a server: where it listens.
pub fn announce(line: &str) {
    let mut out = io::stdout().lock();
    let _nobody_listens = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// A terminal whose whole screen is ours until this is dropped, also by a panic.
#[cfg(feature = "terminal")]
#[derive(Debug)]
pub struct FullScreen(ratatui::DefaultTerminal);

#[cfg(feature = "terminal")]
impl FullScreen {
    pub fn open() -> io::Result<Self> {
        ratatui::try_init().map(Self)
    }

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

/// To standard error; where that is gone too, nobody can be told.
fn complain(message: &str) {
    let _nobody_listens = writeln!(io::stderr().lock(), "holdfast: {message}");
}

/// A bar on standard error that shows how far long work has come; nothing where no person is looking.
#[derive(Debug)]
pub struct Progress {
    shown: bool,
    noun: &'static str,
    all: u64,
    since: Instant,
}

impl Progress {
    pub fn new(noun: &'static str, all: u64) -> Self {
        Self { shown: io::stderr().is_terminal(), noun, all, since: Instant::now() }
    }

    pub fn show(&self, done: u64) {
        let rate = done as f64 / self.since.elapsed().as_secs_f64().max(0.001);
        self.show_with(done, &format!("{rate:.0} {}/s", self.noun));
    }

    /// With other figures than how many a second.
    pub fn show_with(&self, done: u64, figures: &str) {
        const WIDTH: u64 = 30;
        if !self.shown {
            return;
        }
        let filled = done * WIDTH / self.all.max(1);
        let bar: String = (0..WIDTH).map(|at| if at < filled { '#' } else { '.' }).collect();
        let Self { all, noun, .. } = self;
        let _nobody_listens = write!(io::stderr().lock(), "\r[{bar}] {done} of {all} {noun}, {figures}\x1b[K");
    }
}

impl Drop for Progress {
    /// Clears the line for what comes after it.
    fn drop(&mut self) {
        if self.shown {
            let _nobody_listens = write!(io::stderr().lock(), "\r\x1b[K");
        }
    }
}
