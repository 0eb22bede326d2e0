//! The browser of this machine.

use std::process::{Command, Stdio};

use crate::output;

/// The programs that open an address in the browser; the first that is there does it.
const OPENERS: [(&str, &[&str]); 3] = [("xdg-open", &[]), ("open", &[]), ("cmd", &["/C", "start"])];

/// Opens an address in the browser of this machine. Without a program that does it, only a line is printed.
pub fn open(address: &str) {
    let opens = |(program, arguments): &(&str, &[&str])| {
        let mut command = Command::new(program);
        command.args(*arguments).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().is_ok()
    };
    if !OPENERS.iter().any(opens) {
        output::announce("No program here opens a browser; open the address yourself.");
    }
}
