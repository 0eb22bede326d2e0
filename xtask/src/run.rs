//! Child processes.

use std::{
    io::{self, BufRead as _, BufReader},
    path::Path,
    process::{Command, Stdio},
};

use crate::{failure::Failure, project::Project};

/// Runs cargo in the project's directory. Its output is visible.
pub(crate) fn cargo<'a>(project: &Project, arguments: impl IntoIterator<Item = &'a str>) -> Result<(), Failure> {
    finish(&mut command(project, arguments))
}

/// Runs cargo. Returns its standard output.
pub(crate) fn read_cargo<'a>(
    project: &Project,
    arguments: impl IntoIterator<Item = &'a str>,
) -> Result<String, Failure> {
    let mut command = command(project, arguments);
    let output = command.stderr(Stdio::inherit()).output().map_err(|cause| not_started(&command, cause))?;
    if !output.status.success() {
        return Err(Failure::Command { command: spell(&command), status: output.status });
    }
    String::from_utf8(output.stdout)
        .map_err(|cause| Failure::Surprise { what: spell(&command), problem: cause.to_string() })
}

/// Runs a command like [`finish`]. Returns the last line of its standard output.
pub(crate) fn last_line(command: &mut Command) -> Result<String, Failure> {
    println!("$ {}", spell(command));
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(|cause| not_started(command, cause))?;
    let unreadable = |cause: io::Error| Failure::Surprise { what: spell(command), problem: cause.to_string() };
    let mut last = String::new();
    for line in child.stdout.take().into_iter().flat_map(|output| BufReader::new(output).lines()) {
        last = line.map_err(unreadable)?;
        println!("{last}");
    }
    let status = child.wait().map_err(unreadable)?;
    if status.success() { Ok(last) } else { Err(Failure::Command { command: spell(command), status }) }
}

/// A cargo command that is ready to run.
pub(crate) fn command<'a>(project: &Project, arguments: impl IntoIterator<Item = &'a str>) -> Command {
    // Cargo sets `CARGO` to its own path, so a chore uses the toolchain that started it.
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(&project.root).stdin(Stdio::null());
    if project.long {
        command.env("HOLDFAST_LONG", "1");
    }
    command
}

/// Runs a command to its end.
pub(crate) fn finish(command: &mut Command) -> Result<(), Failure> {
    println!("$ {}", spell(command));
    let status = command.status().map_err(|cause| not_started(command, cause))?;
    if status.success() { Ok(()) } else { Err(Failure::Command { command: spell(command), status }) }
}

fn not_started(command: &Command, cause: io::Error) -> Failure {
    Failure::NotStarted { command: spell(command), cause }
}

fn spell(command: &Command) -> String {
    let arguments: Vec<_> = command.get_args().map(|argument| argument.to_string_lossy()).collect();
    let program = Path::new(command.get_program()).file_stem().unwrap_or_default().to_string_lossy();
    format!("{program} {}", arguments.join(" "))
}
