//! A folder for each test.

use std::{
    fs,
    path::PathBuf,
    sync::atomic::{AtomicU32, Ordering},
};

/// A scenario for one or two players.
pub(super) const FIRST_NIGHT: &str = include_str!("../../../scenarios/first-night.json");

pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("systest-{}-{number}", std::process::id()));
        fs::create_dir_all(path.join("scenarios")).expect("a folder can be made");
        fs::write(path.join("scenarios/first-night.json"), FIRST_NIGHT).expect("a file can be written");
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).expect("a file can be written");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // An error here must not cause a second panic while a failed test unwinds.
        let _left_behind = fs::remove_dir_all(&self.0);
    }
}
