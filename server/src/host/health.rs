//! The state of a host for its operator.

use std::sync::Arc;

use slog::{info, warn};
use tokio::time::Instant;

use super::{
    Host,
    lists::MOST_NAMED,
    membership::{Cluster, ClusterHealth},
};
use crate::{
    log::{Fault, Measures},
    metrics::Moment,
    room::{RoomEnd, RoomServices},
    sync::lock,
};

/// The state of a host.
#[derive(Debug)]
pub(crate) struct Health {
    pub(crate) condition: Condition,
    /// Why the log cannot be written, for the operator.
    pub(crate) problem: Option<String>,
    pub(crate) games: usize,
    /// Unfinished games of the log that cannot be continued.
    pub(crate) damaged: usize,
    /// The names of some of them.
    pub(crate) damaged_names: Vec<String>,
    pub(crate) connections: u64,
    /// Finished games that were removed since the start.
    pub(crate) removed: u64,
    /// In seconds.
    pub(crate) uptime: u64,
    /// Set for one of several hosts.
    pub(crate) cluster: Option<ClusterHealth>,
}

/// Whether a host accepts new games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    Ok,
    Stopping,
    /// The last commit failed, or one takes very long. The store tries again by itself.
    LogFailed,
    /// One of several hosts that is not registered, or has not beaten for a while. It tries again by itself.
    NotMember,
    /// Another process has the name of this host.
    Replaced,
}

impl Host {
    /// The state of the host, for its operator.
    pub(crate) fn health(&self) -> Health {
        let measures = self.options.log.measures();
        let cluster = self.cluster.as_ref().map(Cluster::health);
        let condition = if cluster.as_ref().is_some_and(|cluster| cluster.is_replaced) {
            Condition::Replaced
        } else if self.is_stopping() {
            Condition::Stopping
        } else if measures.is_some_and(|log| log.is_failing() || log.is_silent()) {
            Condition::LogFailed
        } else if cluster.as_ref().is_some_and(|cluster| !cluster.is_certain) {
            Condition::NotMember
        } else {
            Condition::Ok
        };
        let stuck = lock(&self.stuck);
        Health {
            condition,
            problem: measures.and_then(Measures::problem).map(|problem| problem.to_string()),
            games: self.games().len(),
            damaged: stuck.len(),
            damaged_names: stuck.keys().take(MOST_NAMED).cloned().collect(),
            connections: self.metrics.connections_open.value(),
            removed: self.metrics.games_removed.value(),
            uptime: self.started.elapsed().as_secs(),
            cluster,
        }
    }

    /// The metrics in the text format of Prometheus.
    pub(crate) fn metrics_page(&self) -> String {
        let no_commits = Measures::default();
        let log = self.options.log.measures().unwrap_or(&no_commits);
        let (games_open, games_damaged) = (self.games().len(), lock(&self.stuck).len());
        let hosts_alive = self.cluster.as_ref().map(|cluster| cluster.health().hosts_alive);
        self.metrics.page(&Moment { games_open, games_damaged, uptime: self.started.elapsed(), log, hosts_alive })
    }

    pub(super) fn count(&self, end: &RoomEnd) {
        match end {
            RoomEnd::Over { .. } => self.metrics.games_finished.add(1),
            RoomEnd::Broken => self.metrics.games_broken.add(1),
            RoomEnd::StoreFailed { fault: Fault::Fenced, .. } => self.metrics.games_fenced.add(1),
            RoomEnd::StoreFailed { fault: Fault::Passing | Fault::Game, .. } => self.metrics.games_store_failed.add(1),
            RoomEnd::NotCreated { .. } | RoomEnd::Stopped => {}
        }
    }
}

/// Logs when the store begins and ceases to fail, until the host stops.
pub(super) async fn report_store(services: Arc<RoomServices>) {
    let Some(measures) = services.log.measures() else { return };
    let (mut since, mut before) = (None, measures.resolved.values());
    while services.stopping.run_until_cancelled(measures.changed()).await.is_some() {
        match (measures.problem(), since) {
            (Some(problem), None) => {
                since = Some(Instant::now());
                warn!(services.logger, "the log cannot be written, trying again"; "cause" => %problem);
            }
            // A fault that is over at once is seen only by what it left.
            (None, begin) if begin.is_some() || measures.resolved.values() != before => {
                since = None;
                let seconds = begin.map_or(0, |begin| begin.elapsed().as_secs());
                let found = measures.resolved.values();
                let [stored, missing, other] = [0, 1, 2].map(|which| found[which] - before[which]);
                before = found;
                info!(services.logger, "the log can be written again"; "after_seconds" => seconds,
                    "writes_found" => stored, "writes_sent_again" => missing, "writes_refused" => other);
            }
            (Some(_) | None, Some(_)) | (None, None) => {}
        }
    }
}
