//! The trace of a running command: lines on standard error, for people or as JSON.

use crate::progress::ShowProgress;
use slog::{Drain, Level, Logger, o};

/// The format of trace lines.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// One object per line.
    Json,
}

/// The options for the trace.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Logging {
    /// Format of the trace on standard error.
    #[arg(long, alias = "log-format", value_enum, default_value = "text", help_heading = GLOBAL, value_name = "FORMAT")]
    trace_format: Format,
    /// Trace more: -v what happens, -vv every connection, -vvv everything.
    #[arg(short, long, action = clap::ArgAction::Count, help_heading = GLOBAL)]
    verbose: u8,
}

/// The options of every command. They may stand before or after its name.
#[derive(Clone, Copy, Debug, clap::Args)]
// No group: commands that read some of these options have groups of the same name.
#[group(skip)]
pub struct GlobalOptions {
    #[command(flatten)]
    logging: Logging,
    /// When to show the progress of long work on standard error.
    #[arg(long, value_enum, default_value_t, help_heading = GLOBAL, value_name = "WHEN")]
    pub progress: ShowProgress,
}

const GLOBAL: &str = "Global options";

/// Creates a logger, and a guard that must live until the last line is written.
pub fn logger(arguments: Logging) -> (Logger, slog_async::AsyncGuard) {
    let level = match arguments.verbose {
        0 => Level::Warning,
        1 => Level::Info,
        2 => Level::Debug,
        _ => Level::Trace,
    };
    let drain: Box<dyn Drain<Ok = (), Err = slog::Never> + Send> = match arguments.trace_format {
        Format::Text => {
            let decorator = slog_term::TermDecorator::new().stderr().build();
            Box::new(slog_term::FullFormat::new(decorator).build().ignore_res())
        }
        Format::Json => Box::new(slog_json::Json::default(std::io::stderr()).ignore_res()),
    };
    // Rooms must not wait for a terminal: if it is too slow, lines are dropped and counted.
    let (drain, guard) = slog_async::Async::new(drain).chan_size(4096).build_with_guard();
    (Logger::root(drain.filter_level(level).fuse(), o!()), guard)
}
