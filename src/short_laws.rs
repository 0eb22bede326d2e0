//! The laws of short games for the tests of authors: a long run prints where it stands.

use std::time::{Duration, Instant};

use engine::laws::Coverage;
use short::ShortGame;

/// The time between two lines. A shorter run prints none.
const EVERY: Duration = Duration::from_secs(10);

/// Plays this many random games, with the seeds from 0, all scenarios and all numbers of players. A run of more than ten seconds prints
/// every ten seconds how far it is and which kinds of moves were not made yet; `cargo test -- --nocapture` shows it.
///
/// # Panics
/// If a law is broken. The message names the law and the facts.
#[expect(clippy::print_stdout, reason = "tests print, and the test harness captures it")]
pub fn random_games<G: ShortGame>(games: u32) -> Coverage {
    let (started, mut progress) = (Instant::now(), Progress::new(games));
    short::laws::watched_games::<G>(games, |played, coverage| {
        let missing = || coverage.missing::<G::Move>("move");
        if let Some(line) = progress.line(started.elapsed(), played, missing) {
            println!("{}: {line}", G::NAME);
        }
    })
}

/// When a run prints, and what.
struct Progress {
    games: u32,
    /// The time of the next line.
    next: Duration,
}

impl Progress {
    fn new(games: u32) -> Self {
        Self { games, next: EVERY }
    }

    /// The line after so many games, if it is time for one.
    fn line(&mut self, elapsed: Duration, played: u32, missing: impl Fn() -> Vec<&'static str>) -> Option<String> {
        if elapsed < self.next || played >= self.games {
            return None;
        }
        self.next = elapsed + EVERY;
        let left = elapsed.as_secs_f64() / f64::from(played.max(1)) * f64::from(self.games - played);
        let missing = missing();
        let missing =
            if missing.is_empty() { String::new() } else { format!("; not made yet: {}", missing.join(", ")) };
        let Self { games, .. } = self;
        Some(format!("{played} of {games} games in {} s, about {left:.0} s to go{missing}", elapsed.as_secs()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_run_prints_every_ten_seconds() {
        let mut progress = Progress::new(1_000);
        let mut check = |seconds: u64, played: u32, missing: &[&'static str], expected: Option<&str>| {
            let line = progress.line(Duration::from_secs(seconds), played, || missing.to_vec());
            assert_eq!(line.as_deref(), expected, "{seconds} s");
        };
        check(0, 1, &["Leave"], None);
        check(9, 90, &["Leave"], None);
        let leave = "100 of 1000 games in 10 s, about 90 s to go; not made yet: Leave";
        check(10, 100, &["Leave"], Some(leave));
        check(11, 110, &["Leave"], None);
        check(25, 250, &[], Some("250 of 1000 games in 25 s, about 75 s to go"));
        check(34, 340, &[], None);
        check(99, 1_000, &[], None);
    }
}
