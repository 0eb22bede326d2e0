//! `holdfast log backup`: a copy of a log, also while a host writes it.

use std::path::PathBuf;

use serde_json::json;
use server::log::backup;

use super::{error::LogError, games::check_file};
use cli::{
    output::{Out, ReportArgs},
    progress::Progress,
    serving::LogFileError,
};

/// Copies a log to a new file, as it is at one moment, also while a host writes it.
///
/// The host is not held up. The copy is a log like any other: `verify` checks it, and a host continues it. It gets its name when it is
/// complete and on the disk. An existing file is never overwritten.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The log file that `holdfast host --log FILE` writes.
    from: PathBuf,
    /// The new file.
    to: PathBuf,
    #[command(flatten)]
    report: ReportArgs,
}

const EXAMPLES: &str = "\
Examples:
  holdfast log backup games.log copy.log && holdfast log verify copy.log
  holdfast host --log copy.log    # continues the games of the copy";

pub(super) fn run(arguments: &Arguments, out: &mut Out) -> Result<bool, LogError> {
    let Arguments { from, to, report } = arguments;
    check_file(from)?;
    let mut bar: Option<Progress> = None;
    let copied = backup(from, to, |done, total| {
        bar.get_or_insert_with(|| Progress::new("bytes", total)).show(done.min(total));
    });
    drop(bar);
    let bytes = copied.map_err(|error| LogFileError::new(from, error))?;
    let (from, to) = (from.display().to_string(), to.display().to_string());
    out.write(report.report(
        || format!("{to}: a copy of {from} ({bytes} bytes)\n"),
        || json!({ "from": from, "to": to, "bytes": bytes }),
    ));
    Ok(true)
}
