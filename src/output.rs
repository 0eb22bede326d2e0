//! The only place that prints.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use crate::Answer;

/// Prints an answer. Whoever stopped reading (`holdfast .. | head`) has had enough and is no error.
pub(crate) fn answer(answer: &Answer) -> ExitCode {
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
pub(crate) fn usage(usage: &clap::Error) -> ExitCode {
    let printed = usage.print();
    let code = u8::try_from(usage.exit_code()).unwrap_or(1);
    match printed {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => ExitCode::FAILURE,
        Ok(()) | Err(_) => ExitCode::from(code),
    }
}

/// To standard error; where that is gone too, nobody can be told.
fn complain(message: &str) {
    let _nobody_listens = writeln!(io::stderr().lock(), "holdfast: {message}");
}
