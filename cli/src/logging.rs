//! Where the server's log lines go: to the terminal, for people or as JSON.

use slog::{Drain, Level, Logger, o};

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum Format {
    Text,
    Json,
}

/// How a server tells what it does.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Logging {
    /// The form of the lines on standard error.
    #[arg(long, value_enum, default_value = "text")]
    log_format: Format,
    /// More lines: -v what happens, -vv every connection, -vvv everything.
    #[arg(short, long, action = clap::ArgAction::Count)]
    verbose: u8,
}

/// A logger, and what must live until the last line is written.
pub fn logger(arguments: Logging) -> (Logger, slog_async::AsyncGuard) {
    let level = match arguments.verbose {
        0 => Level::Warning,
        1 => Level::Info,
        2 => Level::Debug,
        _ => Level::Trace,
    };
    let drain: Box<dyn Drain<Ok = (), Err = slog::Never> + Send> = match arguments.log_format {
        Format::Text => {
            let decorator = slog_term::TermDecorator::new().stderr().build();
            Box::new(slog_term::FullFormat::new(decorator).build().ignore_res())
        }
        Format::Json => Box::new(slog_json::Json::default(std::io::stderr()).ignore_res()),
    };
    // Rooms never wait for a terminal; when it is too slow, lines are dropped and counted.
    let (drain, guard) = slog_async::Async::new(drain).chan_size(4096).build_with_guard();
    (Logger::root(drain.filter_level(level).fuse(), o!()), guard)
}
