//! The metrics of a host, for its operator. `docs/operations.md` has the table.

mod page;

use std::{
    sync::OnceLock,
    time::{Duration, Instant},
};

use engine::Cause;

pub(crate) use page::MEDIA_TYPE;
use page::Page;

use crate::{
    counters::{ByReason, Counter, DURATIONS, Gauge, Histogram},
    log::{Measures, RecoveryStats},
};

/// Metrics that are counted as things happen; the others are read on request.
#[derive(Debug)]
pub(crate) struct Metrics {
    pub(crate) games_created: Counter,
    pub(crate) games_finished: Counter,
    pub(crate) games_broken: Counter,
    pub(crate) games_store_failed: Counter,
    /// Finished games that were deleted, archived or too old.
    pub(crate) games_removed: Counter,
    /// Attempts to remove old games that failed.
    pub(crate) removals_failed: Counter,
    pub(crate) connections_open: Gauge,
    pub(crate) connections_accepted: Counter,
    pub(crate) connections_refused: ByReason,
    pub(crate) connections_closed: ByReason,
    pub(crate) resumes: Counter,
    pub(crate) commands: Counter,
    pub(crate) command_latency: Histogram,
    pub(crate) timers_fired: Counter,
    pub(crate) events_told: Counter,
    pub(crate) messages_refused: ByReason,
    pub(crate) bytes_in: Counter,
    pub(crate) bytes_out: Counter,
    pub(crate) log_entries: Counter,
    /// Hosts that this one declared dead.
    pub(crate) takeovers: Counter,
    pub(crate) games_taken_over: Counter,
    pub(crate) games_fenced: Counter,
    /// How often this host was declared dead.
    pub(crate) burials: Counter,
    pub(crate) membership_retries: Counter,
    /// Clients and requests that this host passed on to another.
    pub(crate) forwards: Counter,
    pub(crate) forwards_failed: Counter,
    /// Clients and requests that other hosts passed on to this one.
    pub(crate) forwards_accepted: Counter,
    /// Connections of the cluster port without a valid proof.
    pub(crate) links_refused: Counter,
    /// Connections to an encrypted port that failed before the first message.
    pub(crate) handshakes_failed: Counter,
    /// When the certificate of the encrypted ports expires, in seconds since 1970; 0 without one.
    pub(crate) certificate_expires: Gauge,
    recovered: OnceLock<Recovered>,
}

/// The recovery at the start of the host.
#[derive(Clone, Copy, Debug, Default)]
struct Recovered {
    games: u64,
    entries: u64,
    took: Duration,
}

/// Metrics that are read on request.
#[derive(Debug)]
pub(crate) struct Moment<'h> {
    pub(crate) games_open: usize,
    pub(crate) games_damaged: usize,
    pub(crate) uptime: Duration,
    pub(crate) log: &'h Measures,
    /// Set for one of several hosts.
    pub(crate) hosts_alive: Option<usize>,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        Self {
            games_created: Counter::default(),
            games_finished: Counter::default(),
            games_broken: Counter::default(),
            games_store_failed: Counter::default(),
            games_removed: Counter::default(),
            removals_failed: Counter::default(),
            connections_open: Gauge::default(),
            connections_accepted: Counter::default(),
            connections_refused: ByReason::default(),
            connections_closed: ByReason::default(),
            resumes: Counter::default(),
            commands: Counter::default(),
            command_latency: Histogram::new(DURATIONS),
            timers_fired: Counter::default(),
            events_told: Counter::default(),
            messages_refused: ByReason::default(),
            bytes_in: Counter::default(),
            bytes_out: Counter::default(),
            log_entries: Counter::default(),
            takeovers: Counter::default(),
            games_taken_over: Counter::default(),
            games_fenced: Counter::default(),
            burials: Counter::default(),
            membership_retries: Counter::default(),
            forwards: Counter::default(),
            forwards_failed: Counter::default(),
            forwards_accepted: Counter::default(),
            links_refused: Counter::default(),
            handshakes_failed: Counter::default(),
            certificate_expires: Gauge::default(),
            recovered: OnceLock::new(),
        }
    }

    /// Records the recovery at the start of the host.
    pub(crate) fn recovered(&self, games: usize, stats: RecoveryStats, took: Duration) {
        let _a_host_starts_once = self.recovered.set(Recovered { games: games as u64, entries: stats.entries, took });
    }

    /// Counts an input before it is folded. For a command, returns the time to pass to [`released`](Self::released).
    pub(crate) fn arrived<C, T>(&self, cause: &Cause<C, T>) -> Option<Instant> {
        match cause {
            Cause::Command { .. } => {
                self.commands.add(1);
                Some(Instant::now())
            }
            Cause::Timer { .. } => {
                self.timers_fired.add(1);
                None
            }
        }
    }

    /// Records the latency of a command once its events are durable and sent.
    pub(crate) fn released(&self, arrived: Option<Instant>) {
        arrived.into_iter().for_each(|arrived| self.command_latency.observe_duration(arrived.elapsed()));
    }

    /// All metrics in the text format of Prometheus.
    pub(crate) fn page(&self, moment: &Moment<'_>) -> String {
        let mut page = Page::default();
        self.games(&mut page, moment);
        self.connections(&mut page);
        self.play(&mut page);
        self.log(&mut page, moment.log);
        self.tls(&mut page);
        moment.hosts_alive.into_iter().for_each(|hosts_alive| self.cluster(&mut page, hosts_alive));
        page.into_text()
    }

    fn cluster(&self, page: &mut Page, hosts_alive: usize) {
        page.gauge("holdfast_cluster_hosts_alive", "Hosts that live, as this one sees it.", hosts_alive);
        page.counter("holdfast_cluster_takeovers_total", "Hosts that this one declared dead.", self.takeovers.value());
        page.counter(
            "holdfast_cluster_games_taken_over_total",
            "Games that this host claimed and opened.",
            self.games_taken_over.value(),
        );
        page.counter(
            "holdfast_cluster_games_fenced_total",
            "Games that ended here because another host owns them.",
            self.games_fenced.value(),
        );
        page.counter(
            "holdfast_cluster_burials_total",
            "How often other hosts declared this one dead.",
            self.burials.value(),
        );
        page.counter(
            "holdfast_cluster_retries_total",
            "Beats, claims and registrations that failed and were tried again.",
            self.membership_retries.value(),
        );
        page.counter(
            "holdfast_cluster_forwards_total",
            "Clients and requests that this host passed on to another.",
            self.forwards.value(),
        );
        page.counter(
            "holdfast_cluster_forwards_failed_total",
            "Attempts to pass a client or a request on that failed.",
            self.forwards_failed.value(),
        );
        page.counter(
            "holdfast_cluster_forwards_accepted_total",
            "Clients and requests that other hosts passed on to this one.",
            self.forwards_accepted.value(),
        );
        page.counter(
            "holdfast_cluster_links_refused_total",
            "Connections of the cluster port that did not prove the secret.",
            self.links_refused.value(),
        );
    }

    /// Nothing on a host whose ports are not encrypted.
    fn tls(&self, page: &mut Page) {
        let expires = self.certificate_expires.value();
        if expires == 0 {
            return;
        }
        page.gauge(
            "holdfast_tls_certificate_expires_timestamp_seconds",
            "When the certificate of the encrypted ports expires, since 1970.",
            expires,
        );
        page.counter(
            "holdfast_tls_handshakes_failed_total",
            "Connections to an encrypted port that ended in the TLS handshake.",
            self.handshakes_failed.value(),
        );
    }

    fn games(&self, page: &mut Page, moment: &Moment<'_>) {
        page.gauge("holdfast_uptime_seconds", "Since the host started.", moment.uptime.as_secs_f64());
        page.gauge("holdfast_games_open", "Games that are being played.", moment.games_open);
        page.gauge(
            "holdfast_games_damaged",
            "Unfinished games of the log that cannot be continued.",
            moment.games_damaged,
        );
        page.counter(
            "holdfast_games_created_total",
            "Games that clients created or forked.",
            self.games_created.value(),
        );
        page.counter(
            "holdfast_games_finished_total",
            "Games that were played to their end.",
            self.games_finished.value(),
        );
        page.counter("holdfast_games_broken_total", "Games whose rules broke a promise.", self.games_broken.value());
        page.counter(
            "holdfast_games_store_failed_total",
            "Games that stopped because the log could not be written.",
            self.games_store_failed.value(),
        );
        page.counter(
            "holdfast_games_removed_total",
            "Finished games that were deleted, archived or no longer kept.",
            self.games_removed.value(),
        );
        page.counter(
            "holdfast_removals_failed_total",
            "Attempts to remove games that are no longer kept that failed.",
            self.removals_failed.value(),
        );
        let Recovered { games, entries, took } = self.recovered.get().copied().unwrap_or_default();
        page.gauge("holdfast_recovered_games", "Games that the start of the host brought back.", games);
        page.gauge("holdfast_recovered_entries", "Entries that were read and folded for that.", entries);
        page.gauge("holdfast_recovery_seconds", "How long that took.", took.as_secs_f64());
    }

    fn connections(&self, page: &mut Page) {
        page.gauge("holdfast_connections_open", "Connections of clients.", self.connections_open.value());
        page.counter(
            "holdfast_connections_accepted_total",
            "Connections that were taken.",
            self.connections_accepted.value(),
        );
        page.counters(
            "holdfast_connections_refused_total",
            "Connections that the host closed before they were in a game.",
            "reason",
            by_name(&self.connections_refused),
        );
        page.counters(
            "holdfast_connections_closed_total",
            "Connections in a game that the host closed.",
            "reason",
            by_name(&self.connections_closed),
        );
        page.counter("holdfast_resumes_total", "Clients that resumed with their token.", self.resumes.value());
        page.counter("holdfast_received_bytes_total", "Bytes of messages from clients.", self.bytes_in.value());
        page.counter("holdfast_sent_bytes_total", "Bytes of messages to clients.", self.bytes_out.value());
    }

    fn play(&self, page: &mut Page) {
        page.counter("holdfast_commands_total", "Commands that reached the rules.", self.commands.value());
        page.durations(
            "holdfast_command_latency_seconds",
            "From when a room takes a command until what it caused is durable and told.",
            &self.command_latency,
        );
        page.counters(
            "holdfast_messages_refused_total",
            "Hellos and commands that were refused while the connection went on.",
            "reason",
            by_name(&self.messages_refused),
        );
        page.counter("holdfast_timers_fired_total", "Timers of games that were due.", self.timers_fired.value());
        page.counter(
            "holdfast_events_told_total",
            "Events told to a client when they happened.",
            self.events_told.value(),
        );
    }

    fn log(&self, page: &mut Page, log: &Measures) {
        page.counter("holdfast_log_entries_total", "Entries handed to the log.", self.log_entries.value());
        page.counter("holdfast_log_commits_total", "Commits of the log file.", log.commit_duration.count());
        page.counter(
            "holdfast_log_commits_failed_total",
            "Commits that failed and were tried again.",
            log.failures.value(),
        );
        page.counter(
            "holdfast_log_commits_read_back_total",
            "Commits with an unknown outcome, which the host found out by reading back.",
            log.read_back.value(),
        );
        let [stored, missing, other] = log.resolved.values();
        page.counters(
            "holdfast_log_writes_resolved_total",
            "Writes of these commits, by what the log had of them.",
            "found",
            [("stored", stored), ("missing", missing), ("other", other)].into_iter(),
        );
        page.counter(
            "holdfast_log_commits_fenced_total",
            "Commits that were not stored, because other hosts own the games.",
            log.fenced.value(),
        );
        let failing = usize::from(log.is_failing() || log.is_silent());
        page.gauge("holdfast_log_failing", "1 while the log cannot be written, otherwise 0.", failing);
        page.histogram("holdfast_log_entries_per_commit", "Entries in a commit.", &log.entries_per_commit);
        page.durations(
            "holdfast_log_commit_duration_seconds",
            "From the beginning of a transaction until the disk has it.",
            &log.commit_duration,
        );
    }
}

/// The counters with the wire names of the reasons.
fn by_name(counters: &ByReason) -> impl Iterator<Item = (String, u64)> {
    counters.values().map(|(reason, count)| (reason.name().to_owned(), count))
}
