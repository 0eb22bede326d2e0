//! The pages of the real program in a real browser.
//!
//! - `driver`: a browser, over the WebDriver protocol
//! - `firefox`: another one, for long test runs
//! - `site`: the program as a process, with its output and its API
//! - `port`: an address that is reserved while the program is down
//! - `stored`: the log of a host, for tests without a runtime
//! - `built_typescript`: the TypeScript client, for a page of another site
//! - `sizes`: the bytes of all pages
//! - `browser`: the tests, all of which need a browser
#![allow(dead_code, reason = "what the tests of games share, whichever games there are")]

mod browser;
#[path = "../support/typescript.rs"]
mod built_typescript;
mod driver;
mod firefox;
#[path = "../support/port.rs"]
mod port;
mod site;
mod sizes;
#[path = "../support/stored.rs"]
mod stored;

use std::{fs, io::Write, path::PathBuf, sync::atomic::AtomicU32};

/// Prints a line past the captured output: figures, and skipped tests.
fn show(line: &str) {
    writeln!(std::io::stderr(), "{line}").expect("stderr is there");
}

/// A folder that is deleted with this value.
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
