//! A foreign bot that moves only as often as the test allows.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::PathBuf,
    sync::atomic::{AtomicU32, Ordering},
};

/// The tickets of the program: a file for each of its moves. A program that a killed host leaves behind also takes one.
#[derive(Debug)]
pub(crate) struct Tickets {
    folder: PathBuf,
    given: AtomicU32,
}

impl Tickets {
    pub(crate) fn new(folder: PathBuf) -> Self {
        fs::create_dir_all(&folder).expect("a folder can be made");
        let program = format!(
            r#"#!/bin/sh
while [ ! -e '{0}/end' ] && ! mv "$(ls -d '{0}'/ticket-* | head -n 1)" '{0}/used'; do
    [ -d '{0}' ] || exit 1
    sleep 0.02
done 2> /dev/null
'{1}' crazyhouse moves "$1" | cut -d ' ' -f 1
"#,
            folder.display(),
            env!("CARGO_BIN_EXE_holdfast")
        );
        let tickets = Self { folder, given: AtomicU32::new(0) };
        fs::write(tickets.program(), program).expect("written");
        fs::set_permissions(tickets.program(), fs::Permissions::from_mode(0o755)).expect("executable");
        tickets
    }

    fn program(&self) -> PathBuf {
        self.folder.join("patient.sh")
    }

    /// The value of `--bot` for this program.
    pub(crate) fn bot(&self) -> String {
        format!("patient={}", self.program().display())
    }

    /// Allows this number of further moves.
    pub(crate) fn give(&self, moves: u32) {
        for _ in 0..moves {
            let number = self.given.fetch_add(1, Ordering::Relaxed);
            fs::write(self.folder.join(format!("ticket-{number}")), "").expect("written");
        }
    }

    /// The number of allowed moves that are not made yet.
    pub(crate) fn left(&self) -> usize {
        let files = fs::read_dir(&self.folder).expect("the folder").flatten();
        files.filter(|file| file.file_name().to_string_lossy().starts_with("ticket-")).count()
    }

    /// Allows all moves.
    pub(crate) fn end(&self) {
        fs::write(self.folder.join("end"), "").expect("written");
    }
}
