//! `holdfast rng`: the first random numbers of a seed, to compare with Java.

use engine::JavaRandom;
use serde_json::Value;

use cli::{Answer, output::ReportArgs};

/// Prints the first random numbers of a seed, the same as java.util.Random gives.
///
/// Every line starts with a new generator of the seed.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The seed: any 64-bit number.
    #[arg(long, allow_negative_numbers = true)]
    seed: i64,
    /// The number of values on each line.
    #[arg(long, default_value_t = 10)]
    count: u16,
    #[command(flatten)]
    report: ReportArgs,
}

pub(crate) fn run(arguments: &Arguments) -> Answer {
    let mut lines: Vec<(&str, Vec<Value>)> = Vec::new();
    let mut line = |name, next: &dyn Fn(&mut JavaRandom) -> Value| {
        let mut random = JavaRandom::new(arguments.seed);
        lines.push((name, (0..arguments.count).map(|_| next(&mut random)).collect()));
    };
    line("nextInt()", &|random| random.next_int().into());
    line("nextInt(6)+1", &|random| (random.next_below(6) + 1).into());
    line("nextInt(12)", &|random| random.next_below(12).into());
    line("nextInt(4)", &|random| random.next_below(4).into());
    line("nextInt(100)", &|random| random.next_below(100).into());
    line("nextLong()", &|random| random.next_long().into());
    line("nextBoolean()", &|random| random.next_boolean().into());
    line("nextDouble()", &|random| random.next_double().into());

    let mut list: Vec<u32> = (0..u32::from(arguments.count)).collect();
    JavaRandom::new(arguments.seed).shuffle(&mut list);
    lines.push(("shuffle", list.into_iter().map(Value::from).collect()));
    arguments.report.answer(true, || lines.iter().map(text).collect(), || lines.iter().cloned().collect())
}

fn text((name, values): &(&str, Vec<Value>)) -> String {
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    format!("{name:<14} {}\n", values.join(" "))
}
