//! `holdfast completions` and `holdfast man`: the command line for shells and for `man`.

use std::{fs, path::PathBuf};

use clap_complete::Shell;
use cli::Out;

/// Prints a completion script for a shell.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Completions {
    /// Which shell.
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
    /// The folder that gets a page for each command. It is made if it is missing.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Writes the completion script.
pub(crate) fn complete(mut program: clap::Command, arguments: &Completions, out: &mut Out) -> Result<bool, String> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut program, "holdfast", &mut script);
    out.write(script);
    Ok(true)
}

/// Writes a page for the program, and one for each of its commands.
pub(crate) fn write_pages(program: clap::Command, arguments: &Man, out: &mut Out) -> Result<bool, String> {
    let folder = arguments.folder.as_path();
    fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(program.disable_help_subcommand(true), folder))
        .map_err(|error| format!("cannot write manual pages to {}: {error}", folder.display()))?;
    out.write(format!("manual pages written to {}\n", folder.display()));
    Ok(true)
}
