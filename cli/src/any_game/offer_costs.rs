//! What offers cost: how long the rules need to say what a player can do now.

use std::{
    fmt,
    hint::black_box,
    time::{Duration, Instant},
};

use commlib::{Create, Refused};
use serde_json::{Value, json};
use server::HostedGame;

/// The most commands of a game.
const MOST_COMMANDS: u64 = 2_000;

/// The cost of offers at many moments of random games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OfferCosts {
    /// How often the rules were asked for the offers of a player who can do something.
    pub moments: usize,
    /// The number of commands of an answer, on average.
    pub commands: f64,
    /// Half of the answers took at most this time.
    pub p50: Duration,
    /// 99 of 100 answers took at most this time.
    pub p99: Duration,
    /// The average time.
    pub mean: Duration,
}

impl OfferCosts {
    /// Plays random games from this seed on, one after the other, and asks for the offers of every player with a seat before each
    /// step. Players who can only wait cost next to nothing, so only those count who can do something, until there are so many such
    /// moments. `None` if there is none.
    ///
    /// # Errors
    /// If the setup is refused.
    pub fn measure(
        game: &dyn HostedGame,
        create: &Create,
        players: u32,
        seed: i64,
        moments: usize,
    ) -> Result<Option<Self>, Refused> {
        let (mut times, mut commands) = (Vec::with_capacity(moments), 0);
        for seed in seed.. {
            let (mut local, before) = (game.local(create, seed, players, &[])?, times.len());
            loop {
                for seat in 0..local.seats() {
                    let since = Instant::now();
                    let offered = black_box(local.count_offers(black_box(seat)));
                    let took = since.elapsed();
                    if offered > 0 {
                        times.push(took);
                    }
                    commands += offered;
                }
                if local.counts().0 >= MOST_COMMANDS || !local.step() {
                    break;
                }
            }
            // The next games of a scenario without anything to do would have nothing, either.
            if times.len() >= moments || times.len() == before {
                break;
            }
        }
        Ok(Self::of(times, commands))
    }

    fn of(mut times: Vec<Duration>, commands: usize) -> Option<Self> {
        times.sort_unstable();
        let at = |hundredths: usize| times.get(times.len() * hundredths / 100).or(times.last()).copied();
        Some(Self {
            moments: times.len(),
            commands: commands as f64 / times.len() as f64,
            p50: at(50)?,
            p99: at(99)?,
            mean: times.iter().sum::<Duration>().div_f64(times.len() as f64),
        })
    }

    pub(super) fn json(&self) -> Value {
        let [p50, p99, mean] = [self.p50, self.p99, self.mean].map(micros);
        json!({"moments": self.moments, "commands": self.commands, "p50_us": p50, "p99_us": p99, "mean_us": mean})
    }
}

impl fmt::Display for OfferCosts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [p50, p99, mean] = [self.p50, self.p99, self.mean].map(micros);
        let Self { moments, commands, .. } = self;
        write!(
            f,
            "{commands:.1} commands, {p50:.1} us (p50), {p99:.1} us (p99), {mean:.1} us (mean) at {moments} moments"
        )
    }
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures() {
        assert_eq!(OfferCosts::of(Vec::new(), 0), None);
        let times = (1..=200).rev().map(Duration::from_micros).collect();
        let costs = OfferCosts::of(times, 500).expect("figures");
        assert_eq!(costs.to_string(), "2.5 commands, 101.0 us (p50), 199.0 us (p99), 100.5 us (mean) at 200 moments");
        let one = OfferCosts::of(vec![Duration::from_micros(7)], 1).expect("figures");
        assert_eq!((one.p50, one.p99), (Duration::from_micros(7), Duration::from_micros(7)));
    }
}
