//! `holdfast dev`: builds the crate of a game, hosts it, and does both again when its sources change. Running games go on: they
//! are in the log.
//!
//! This process never folds a game. It starts cargo and the program that cargo built, and waits for news of them.

mod child;
mod sources;

use std::{
    error::Error,
    fmt, fs, io,
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::mpsc::{Receiver, Sender, channel},
    thread,
};

use cli::{
    address::listen_address,
    output,
    serving::{ServeError, interrupted, runtime},
};

use child::Child;

/// Builds the game of a crate and hosts it. Builds and restarts it when its sources change; running games go on.
///
/// Run it in the folder of the crate. The games are kept in a log, so a restart continues them, and open pages come back by
/// themselves. If a build fails, the program of the last build keeps running.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The folder of the crate.
    #[arg(long, default_value = ".", value_name = "DIR")]
    folder: PathBuf,
    /// The program to build, if the crate has several.
    #[arg(long, value_name = "NAME")]
    bin: Option<String>,
    /// The log that keeps the games. [default: holdfast-dev.log in the target folder of the crate]
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Listen for clients of games on this address: HOST:PORT, or a port of this machine.
    #[arg(long, default_value = "127.0.0.1:7700", value_name = "ADDR", value_parser = listen_address)]
    listen: SocketAddr,
    /// Serve the pages on this address.
    #[arg(long, default_value = "127.0.0.1:7780", value_name = "ADDR", value_parser = listen_address)]
    http: SocketAddr,
    /// Also build when something in this folder changes, such as a crate that the game depends on. May be repeated.
    #[arg(long, value_name = "DIR")]
    watch: Vec<PathBuf>,
    /// More options for `host`, after `--`.
    #[arg(last = true, value_name = "OPTIONS")]
    host: Vec<String>,
}

/// The reasons why nothing can be built.
#[derive(Debug)]
pub(crate) enum DevError {
    NoCrate { folder: PathBuf },
    NoFolder { folder: PathBuf },
    Start { program: String, cause: io::Error },
    Serve(ServeError),
}

impl fmt::Display for DevError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCrate { folder } => {
                write!(f, "{} has no Cargo.toml; `holdfast new game NAME` writes a crate", folder.display())
            }
            Self::NoFolder { folder } => write!(f, "--watch: there is no folder {}", folder.display()),
            Self::Start { program, cause } => write!(f, "cannot start {program}: {cause}"),
            Self::Serve(error) => error.fmt(f),
        }
    }
}

impl Error for DevError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Start { cause, .. } => Some(cause),
            Self::Serve(error) => Some(error),
            Self::NoCrate { .. } | Self::NoFolder { .. } => None,
        }
    }
}

/// What the threads of this process report.
#[derive(Debug)]
enum News {
    /// A source has changed.
    Changed,
    /// A line of a child's output.
    Said { child: u32, line: String },
    /// A child has closed its output: it has ended.
    Ended { child: u32 },
    /// SIGTERM or Ctrl-C.
    Stop,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), DevError> {
    let folder = &arguments.folder;
    if !folder.join("Cargo.toml").is_file() {
        return Err(DevError::NoCrate { folder: folder.clone() });
    }
    if let Some(missing) = arguments.watch.iter().find(|folder| !folder.is_dir()) {
        return Err(DevError::NoFolder { folder: missing.clone() });
    }
    let (send, news) = channel();
    await_stop(send.clone())?;
    sources::watch(folder, &arguments.watch, {
        let send = send.clone();
        move || send.send(News::Changed).is_ok()
    });
    Dev {
        arguments,
        send,
        addresses: [arguments.listen, arguments.http],
        build: None,
        host: None,
        wanted: None,
        is_stale: false,
        is_stopping: false,
    }
    .run(&news)
}

/// Reports SIGTERM and Ctrl-C from a thread of its own.
fn await_stop(send: Sender<News>) -> Result<(), DevError> {
    let runtime = runtime().map_err(DevError::Serve)?;
    thread::spawn(move || {
        let _cannot_receive_signals = runtime.block_on(interrupted());
        let _over = send.send(News::Stop);
    });
    Ok(())
}

/// The state of this process.
struct Dev<'a> {
    arguments: &'a Arguments,
    send: Sender<News>,
    /// The addresses for clients and pages. After the first start they are those that the system chose, so that pages come back.
    addresses: [SocketAddr; 2],
    build: Option<Build>,
    host: Option<Child>,
    /// The program to run as soon as the running one has ended.
    wanted: Option<PathBuf>,
    /// Whether a source has changed during the build.
    is_stale: bool,
    is_stopping: bool,
}

struct Build {
    cargo: Child,
    /// The program that cargo has named.
    program: Option<PathBuf>,
}

impl Dev<'_> {
    fn run(mut self, news: &Receiver<News>) -> Result<(), DevError> {
        self.build()?;
        // The threads keep their senders, so there is always news to wait for.
        while let Ok(news) = news.recv() {
            match news {
                News::Changed if self.build.is_some() => self.is_stale = true,
                News::Changed => self.build()?,
                News::Said { child, line } => self.said(child, &line),
                News::Ended { child } => self.ended(child)?,
                News::Stop => self.stop(),
            }
            if self.is_stopping && self.build.is_none() && self.host.is_none() {
                break;
            }
        }
        Ok(())
    }

    fn build(&mut self) -> Result<(), DevError> {
        if self.is_stopping {
            return Ok(());
        }
        output::announce("building ..");
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = std::process::Command::new(cargo);
        command.args(["build", "--message-format=json-render-diagnostics"]).current_dir(&self.arguments.folder);
        if let Some(bin) = &self.arguments.bin {
            command.args(["--bin", bin]);
        }
        let cargo = Child::start("cargo", command, &self.send)?;
        self.build = Some(Build { cargo, program: None });
        Ok(())
    }

    fn said(&mut self, child: u32, line: &str) {
        if let Some(build) = self.build.as_mut().filter(|build| build.cargo.id == child) {
            build.program = sources::built_program(line).or(build.program.take());
        } else if self.host.as_ref().is_some_and(|host| host.id == child) {
            output::announce(line);
            let [clients, pages] = &mut self.addresses;
            for (before, address) in [("listening on ", clients), ("http on http://", pages)] {
                if let Some(said) = line.strip_prefix(before).and_then(|said| said.parse().ok()) {
                    *address = said;
                }
            }
        }
    }

    fn ended(&mut self, child: u32) -> Result<(), DevError> {
        if let Some(build) = self.build.take_if(|build| build.cargo.id == child) {
            return self.built(build);
        }
        if let Some(mut host) = self.host.take_if(|host| host.id == child) {
            let status = host.wait();
            if self.wanted.is_some() {
                return self.start();
            }
            if !self.is_stopping {
                output::announce(&format!(
                    "the program has ended ({status}); it is started again after the next build"
                ));
            }
        }
        Ok(())
    }

    fn built(&mut self, mut build: Build) -> Result<(), DevError> {
        let is_built = build.cargo.succeeded();
        if std::mem::take(&mut self.is_stale) {
            return self.build();
        }
        match build.program.filter(|_| is_built && !self.is_stopping) {
            Some(program) => {
                self.wanted = Some(program);
                match &mut self.host {
                    Some(host) => host.terminate(),
                    None => return self.start(),
                }
            }
            None if self.is_stopping => {}
            None if is_built => output::announce("the crate has no program, or several: choose one with --bin"),
            None => output::announce(match self.host {
                Some(_) => "the build failed; the last program keeps running",
                None => "the build failed; change the sources",
            }),
        }
        Ok(())
    }

    /// Starts the program that was built last.
    fn start(&mut self) -> Result<(), DevError> {
        let Some(program) = self.wanted.take().filter(|_| !self.is_stopping) else { return Ok(()) };
        let Arguments { folder, log, host, .. } = self.arguments;
        let log = log.clone().unwrap_or_else(|| default_log(folder, &program));
        let [clients, pages] = self.addresses.map(|address| address.to_string());
        let mut command = std::process::Command::new(&program);
        command.arg("host").args(["--listen", &clients, "--http", &pages]).arg("--log").arg(log);
        // Drawings are served from the folder, so they need no build.
        let web = folder.join("web");
        if web.is_dir() {
            command.arg("--web").arg(web);
        }
        command.args(host);
        self.host = Some(Child::start(&program.display().to_string(), command, &self.send)?);
        Ok(())
    }

    fn stop(&mut self) {
        self.is_stopping = true;
        self.wanted = None;
        if let Some(build) = &mut self.build {
            build.cargo.terminate();
        }
        if let Some(host) = &mut self.host {
            host.terminate();
        }
    }
}

/// The log beside the built program, in the target folder.
fn default_log(folder: &Path, program: &Path) -> PathBuf {
    let target = program.parent().and_then(Path::parent).map_or_else(|| folder.join("target"), Path::to_owned);
    // If it cannot be made, the host says so.
    let _made = fs::create_dir_all(&target);
    target.join("holdfast-dev.log")
}
