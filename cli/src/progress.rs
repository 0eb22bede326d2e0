//! Progress of long work, for people: done, rate and time left.

use std::{
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use crate::output;

/// When progress is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ShowProgress {
    /// If standard error is a terminal.
    #[default]
    Auto,
    /// Always: as a bar on a terminal, elsewhere as a line every few seconds.
    Always,
    /// Never.
    Never,
}

static CHOSEN: OnceLock<ShowProgress> = OnceLock::new();

/// Sets how this process shows progress. Only the first call counts; without one it is [`ShowProgress::Auto`].
pub fn choose(show: ShowProgress) {
    let _the_first_counts = CHOSEN.set(show);
}

/// Time between two lines if standard error is not a terminal.
const BETWEEN_LINES_MS: u64 = 5000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Silent,
    Bar,
    Lines,
}

/// Shows on standard error how far long work has come. Dropping it clears the bar.
#[derive(Debug)]
pub struct Progress {
    form: Form,
    noun: &'static str,
    all: u64,
    since: Instant,
    next_line_ms: AtomicU64,
}

impl Progress {
    /// The progress of work on `all` things, which are called `noun` in the plural.
    pub fn new(noun: &'static str, all: u64) -> Self {
        let form = match (CHOSEN.get().copied().unwrap_or_default(), output::stderr_is_terminal()) {
            (ShowProgress::Auto | ShowProgress::Always, true) => Form::Bar,
            (ShowProgress::Always, false) => Form::Lines,
            (ShowProgress::Auto, false) | (ShowProgress::Never, _) => Form::Silent,
        };
        Self { form, noun, all, since: Instant::now(), next_line_ms: AtomicU64::new(BETWEEN_LINES_MS) }
    }

    /// Shows how many things are done, the rate per second, and the remaining time at this rate.
    pub fn show(&self, done: u64) {
        let Self { noun, all, since, .. } = self;
        self.write(done, || format!("{done} of {all} {noun}{}", rate_and_rest(noun, done, *all, since.elapsed())));
    }

    /// Shows how many things are done, with other figures instead of the rate.
    pub fn show_with(&self, done: u64, figures: &str) {
        let Self { noun, all, .. } = self;
        self.write(done, || format!("{done} of {all} {noun}, {figures}"));
    }

    fn write(&self, done: u64, text: impl FnOnce() -> String) {
        match self.form {
            Form::Silent => {}
            Form::Bar => output::draw_bar(&format!("[{}] {}", bar(done, self.all), text())),
            Form::Lines => {
                let elapsed_ms = self.since.elapsed().as_millis() as u64;
                if elapsed_ms >= self.next_line_ms.load(Relaxed) {
                    self.next_line_ms.store(elapsed_ms + BETWEEN_LINES_MS, Relaxed);
                    output::progress_line(&text());
                }
            }
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.form == Form::Bar {
            output::draw_bar("");
        }
    }
}

fn bar(done: u64, all: u64) -> String {
    const WIDTH: u64 = 30;
    let filled = u128::from(done) * u128::from(WIDTH) / u128::from(all.max(1));
    (0..WIDTH).map(|at| if u128::from(at) < filled { '#' } else { '.' }).collect()
}

/// The rate and the remaining time. Empty until there is a rate.
fn rate_and_rest(noun: &str, done: u64, all: u64, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    if done == 0 || seconds < 0.2 {
        return String::new();
    }
    let rate = done as f64 / seconds;
    let rest = all.saturating_sub(done) as f64 / rate;
    let rate = match rate {
        rate if rate >= 10.0 => format!("{rate:.0} {noun}/s"),
        rate if rate >= 1.0 => format!("{rate:.1} {noun}/s"),
        rate if rate * 60.0 >= 1.0 => format!("{:.1} {noun}/min", rate * 60.0),
        rate => format!("{:.1} {noun}/h", rate * 3600.0),
    };
    format!(", {rate}, {} left", rough_time(rest.ceil() as u64))
}

/// Formats a time in words, to about two digits.
fn rough_time(seconds: u64) -> String {
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7200 => format!("{} min", seconds.div_ceil(60)),
        _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_and_times_left() {
        let check = |done: u64, all: u64, elapsed_ms: u64, expected: &str| {
            let words = rate_and_rest("games", done, all, Duration::from_millis(elapsed_ms));
            assert_eq!(words, expected, "{done} of {all} after {elapsed_ms} ms");
        };
        check(0, 100, 60_000, "");
        check(5, 100, 199, "");
        check(50, 100, 1000, ", 50 games/s, 1 s left");
        check(100, 100, 1000, ", 100 games/s, 0 s left");
        check(15, 100, 10_000, ", 1.5 games/s, 57 s left");
        check(1, 100, 10_000, ", 6.0 games/min, 17 min left");
        check(1, 100, 100_000, ", 36.0 games/h, 2 h 45 min left");
        check(3, 2, 1000, ", 3.0 games/s, 0 s left");
    }

    #[test]
    fn bars() {
        let filled = |done, all| bar(done, all).chars().filter(|char| *char == '#').count();
        assert_eq!([filled(0, 0), filled(0, 10), filled(5, 10), filled(10, 10), filled(20, 10)], [0, 0, 15, 30, 30]);
        assert_eq!(filled(u64::MAX, u64::MAX), 30);
    }
}
