//! `holdfast completions` and `holdfast man`: the command line for shells and for `man`.

use std::{convert::Infallible, error::Error, fmt, fs, io, path::PathBuf};

use clap_complete::Shell;
use cli::Out;

/// Prints a completion script for a shell.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Completions {
    /// The shell.
    shell: Shell,
}

const EXAMPLES: &str = "\
Examples:
  holdfast completions bash > ~/.local/share/bash-completion/completions/holdfast
  holdfast completions zsh > ~/.zfunc/_holdfast
  holdfast completions fish > ~/.config/fish/completions/holdfast.fish";

/// Writes the manual pages of all commands.
#[derive(Debug, clap::Args)]
pub(crate) struct Man {
    /// The folder to write into, with a page for each command. It is created if it is missing.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Writes the completion script.
pub(crate) fn complete(mut program: clap::Command, arguments: &Completions, out: &mut Out) -> Result<bool, Infallible> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut program, cli::program_name(), &mut script);
    out.write(script);
    Ok(true)
}

/// Writes a page for the program, and one for each of its commands.
pub(crate) fn write_pages(program: clap::Command, arguments: &Man, out: &mut Out) -> Result<bool, ManError> {
    let folder = arguments.folder.as_path();
    fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(program.disable_help_subcommand(true), folder))
        .map_err(|cause| ManError { folder: folder.into(), cause })?;
    out.write(format!("manual pages written to {}\n", folder.display()));
    Ok(true)
}

/// The manual pages cannot be written.
#[derive(Debug)]
pub(crate) struct ManError {
    folder: PathBuf,
    cause: io::Error,
}

impl fmt::Display for ManError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot write manual pages to {}: {}", self.folder.display(), self.cause)
    }
}

impl Error for ManError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.cause)
    }
}
