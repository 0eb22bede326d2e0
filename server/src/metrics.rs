//! What a host counts, in the text form that Prometheus reads.

use std::{
    fmt::Write,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

#[derive(Debug, Default)]
pub(crate) struct Metrics {
    pub(crate) games_open: AtomicU64,
    pub(crate) games_created: AtomicU64,
    pub(crate) connections: AtomicU64,
    pub(crate) refused: AtomicU64,
    pub(crate) entries: AtomicU64,
}

impl Metrics {
    #[expect(dead_code, reason = "no gateway shows it yet")]
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for (name, kind, help, value) in [
            ("games_open", "gauge", "Games that have a room.", &self.games_open),
            ("games_created_total", "counter", "Games created since the start.", &self.games_created),
            ("connections_total", "counter", "Connections taken since the start.", &self.connections),
            ("refused_total", "counter", "Connections and messages refused by the gateway.", &self.refused),
            ("entries_total", "counter", "Entries appended to the log since the start.", &self.entries),
        ] {
            let value = value.load(Relaxed);
            write!(text, "# HELP holdfast_{name} {help}\n# TYPE holdfast_{name} {kind}\nholdfast_{name} {value}\n")
                .expect("a string takes everything");
        }
        text
    }
}
