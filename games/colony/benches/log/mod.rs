//! Finished games of `winter` among bots.

mod fill;

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    time::Instant,
};

const GAMES: u64 = 10_000;
/// The number of printed lines of an output. Statistics are printed as a whole.
const SHOWN: usize = 14;
const SUMS: usize = 40;
const RUNS: usize = 3;

pub(crate) fn run() {
    // Cargo passes `--bench` to every benchmark.
    let games = std::env::args().skip(1).find(|word| word != "--bench");
    let games = games.map_or(GAMES, |word| word.parse().unwrap_or_else(|_| panic!("{word} is no number of games")));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("log-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("games.log");

    let start = Instant::now();
    let entries = fill::fill(&path, games);
    let took = start.elapsed().as_secs_f64();
    let bytes = fs::metadata(&path).expect("the log").len() as f64 / 1e6;
    println!("games.log: {games} games, {entries} entries, {bytes:.0} MB, played and written in {took:.1} s\n");

    let [some, other] = [fill::name(games / 2), fill::name(games / 2 + 1)];
    let [one, two] = [&some, &other].map(|game| format!("games.log:{game}"));
    for words in [
        &["list", "games.log"][..],
        &["list", "games.log", "--outcome", "won", "--player", "bot 5"],
        &["list", "games.log", "--json"],
        &["show", "games.log", &some],
        &["show", "games.log", &some, "--json"],
        &["verify", "games.log"],
        &["replay", "games.log"],
        &["replay", "games.log", &some],
        &["diff", &one, &two],
        &["export", "games.log", &some, "--format", "jsonl"],
        &["export", "games.log", &some, "--format", "csv"],
        &["export", "games.log", &some, "--format", "script"],
        &["stats", "games.log"],
        &["stats", "games.log", "--by", "seed"],
        &["fork", "games.log", &some, "--at", "20", "--into", "fork.log"],
    ] {
        measure(&folder, words);
    }
    fs::remove_dir_all(&folder).expect("the folder was there");
}

/// Runs a command several times, and prints its output and its best time: the machine may be busy.
fn measure(folder: &Path, words: &[&str]) {
    let mut best = f64::INFINITY;
    let mut text = String::new();
    for _ in 0..RUNS {
        let mut command = Command::new(env!("CARGO_BIN_EXE_holdfast"));
        command.current_dir(folder).arg("log").args(words).stderr(Stdio::inherit());
        let start = Instant::now();
        let output = command.output().expect("the program starts");
        best = best.min(start.elapsed().as_secs_f64());
        text = String::from_utf8(output.stdout).expect("text");
    }
    let lines = text.lines().count();
    println!("$ holdfast log {}    # {:.0} ms, {lines} lines", words.join(" "), 1000.0 * best);
    let shown = if words == ["stats", "games.log"] { SUMS } else { SHOWN };
    for line in text.lines().take(shown) {
        println!("{}", line.chars().take(150).collect::<String>());
    }
    println!("{}", if lines > shown { "..\n" } else { "" });
}
