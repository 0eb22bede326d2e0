//! `holdfast rng`: the first numbers of a seed, to compare with Java.

use std::fmt::Write;

use engine::JavaRandom;

use cli::Answer;

/// Prints the first numbers that a seed gives, as java.util.Random does.
///
/// Every line starts with a new generator of that seed.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Any 64-bit number.
    #[arg(long, allow_negative_numbers = true)]
    seed: i64,
    /// How many numbers of each kind.
    #[arg(long, default_value_t = 10)]
    count: u16,
}

pub(crate) fn run(arguments: &Arguments) -> Answer {
    let mut text = String::new();
    let mut line = |name: &str, next: &dyn Fn(&mut JavaRandom) -> String| {
        let mut random = JavaRandom::new(arguments.seed);
        let numbers: Vec<String> = (0..arguments.count).map(|_| next(&mut random)).collect();
        writeln!(text, "{name:<14} {}", numbers.join(" ")).expect("a string takes everything");
    };
    line("nextInt()", &|random| random.next_int().to_string());
    line("nextInt(6)+1", &|random| (random.next_below(6) + 1).to_string());
    line("nextInt(12)", &|random| random.next_below(12).to_string());
    line("nextInt(4)", &|random| random.next_below(4).to_string());
    line("nextInt(100)", &|random| random.next_below(100).to_string());
    line("nextLong()", &|random| random.next_long().to_string());
    line("nextBoolean()", &|random| random.next_boolean().to_string());
    line("nextDouble()", &|random| random.next_double().to_string());

    let mut list: Vec<u32> = (0..u32::from(arguments.count)).collect();
    JavaRandom::new(arguments.seed).shuffle(&mut list);
    let list: Vec<String> = list.iter().map(u32::to_string).collect();
    writeln!(text, "{:<14} {}", "shuffle", list.join(" ")).expect("a string takes everything");
    Answer { text, ok: true }
}
