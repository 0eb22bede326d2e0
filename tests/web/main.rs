//! The pages in a real browser, which plays against the real program.
//!
//! - `driver`: a browser, over the WebDriver protocol
//! - `site`: a host or a demo as a process, games on it, and what its API says
//! - `explorers`: clients of the treasure game
//! - `long`: a game of more than 100,000 events
//! - `line`: a player of the project game on the wire
//! - `stored`: the log of a host, for tests without a runtime
//! - `browser`: the tests; a browser is needed for all of them

mod browser;
mod driver;
mod explorers;
#[path = "../players/line.rs"]
mod line;
mod long;
mod site;
#[path = "../players/stored.rs"]
mod stored;

use std::{fs, io::Write, path::PathBuf, sync::atomic::AtomicU32};

/// A line past the captured output: figures to look at, and what was skipped.
fn show(line: &str) {
    writeln!(std::io::stderr(), "{line}").expect("stderr is there");
}

/// A folder that is gone with its value.
#[derive(Debug)]
struct Scratch(PathBuf);

impl Scratch {
    fn new(what: &str) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("holdfast-web-{what}-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder can be made");
        Self(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _gone_already = fs::remove_dir_all(&self.0);
    }
}
