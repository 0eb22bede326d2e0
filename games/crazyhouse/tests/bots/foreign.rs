//! Foreign bots as real processes.

use std::{
    fs,
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

use crazyhouse::bots::{
    Bot,
    foreign::{BotProblem, Failure, Foreign, SAID},
};
use crazyhouse_rules::{Move, Position};

const LIMIT: Duration = Duration::from_millis(400);

/// A time limit that is shorter than the sleep of the test programs, and longer than anything else takes on a busy machine.
const LONG: Duration = Duration::from_secs(300);

/// A shell script as a bot; `$1` is the position.
fn bot(script: &str, limit: Duration) -> Foreign {
    let quoted = script.replace('\'', r"'\''");
    Foreign::new(&format!("sh -c '{quoted}' bot"), limit).expect("a command line")
}

fn ask(script: &str, limit: Duration) -> Result<Option<Move>, Failure> {
    bot(script, limit).choose(&Position::start())
}

#[track_caller]
fn check(script: &str, expected: &str) {
    let found = match ask(script, LONG) {
        Ok(Some(chosen)) => chosen.to_string(),
        Ok(None) => "resigns".to_owned(),
        Err(failure) => failure.to_string(),
    };
    assert_eq!(found, expected, "{script}");
}

#[test]
fn answers() {
    check("echo e2-e4", "e2-e4");
    check("printf e2-e4", "e2-e4");
    check("printf '\\n e2-e4\\r\\n'", "e2-e4");
    check("true", "resigns");
    check("echo", "resigns");
    check("echo thinking >&2; echo g1-f3", "g1-f3");
    // The position is the only argument after the words of the command line.
    check("test $# = 1 && test \"$1\" = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/ w' && echo b1-c3", "b1-c3");
    // Its standard input is empty.
    check("cat; echo a2-a3", "a2-a3");
}

#[test]
fn failures() {
    check("echo e2e4", "printed \"e2e4\", which is not a move");
    check("echo e2-e4; echo e2-e4", "printed \"e2-e4\\ne2-e4\", which is not a move");
    check("printf '\\377'", "printed \"\u{fffd}\", which is not a move");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/ w";
    check("echo e2-e5", &format!("printed e2-e5, which is illegal in {start}"));
    check("echo Q-e5", &format!("printed Q-e5, which is illegal in {start}"));
    check("echo e7-e5", &format!("printed e7-e5, which is illegal in {start}"));
    check("exit 3", "crashed (exit status: 3)");
    check("echo e2-e4; echo oh no >&2; exit 1", "crashed (exit status: 1); on standard error:\noh no");
    check("kill -KILL $$", "crashed (signal: 9 (SIGKILL))");
    check("yes", "printed more than 1024 bytes, killed");
}

#[test]
fn a_program_that_is_not_there() {
    let mut bot = Foreign::new("/nowhere/bot --fast", LIMIT).expect("a command line");
    let failure = bot.choose(&Position::start()).expect_err("it cannot be started");
    assert!(
        matches!(&failure.problem, BotProblem::NotStarted { program, .. } if program == "/nowhere/bot"),
        "{failure}"
    );
    assert!(failure.to_string().starts_with("/nowhere/bot could not be started: "), "{failure}");
}

/// Only the end of standard error is kept, and the program never blocks on it.
#[test]
fn much_on_standard_error() {
    let failure = ask("i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done >&2; exit 1", LONG)
        .expect_err("it crashes");
    assert!(failure.said.len() <= SAID, "{}", failure.said.len());
    assert!(failure.said.ends_with("line 19998\nline 19999\n"), "{}", failure.said);
}

/// Processes, zombies included, with this word among their arguments.
fn with_word(word: &str) -> Vec<PathBuf> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten().map(|entry| entry.path());
    let has_word = |path: &PathBuf| {
        let words = fs::read(path.join("cmdline")).unwrap_or_default();
        words.split(|&byte| byte == 0).any(|found| found == word.as_bytes())
    };
    processes.filter(has_word).collect()
}

fn zombies() -> Vec<String> {
    let parent = format!(" Z {} ", std::process::id());
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok())
        .filter(|stat| stat.contains(&parent))
        .collect()
}

/// The program and its children are killed. A surviving child would keep the pipes open.
#[test]
fn hanging() {
    let word = format!("hangs-{}", std::process::id());
    let sleeps = format!("sh -c 'sleep 1000; true' {word} & sh -c 'sleep 1000; true' {word}; wait");
    let since = Instant::now();
    let failure = ask(&format!("echo started >&2; {sleeps}"), LIMIT).expect_err("it hangs");
    assert_eq!(failure.problem, BotProblem::Hung { limit: LIMIT }, "{failure}");
    assert_eq!(failure.said, "started\n");
    assert!(since.elapsed() < LONG, "{:?}", since.elapsed());
    gone(&word);
    // A program that closed its output is killed, too.
    assert!(
        ask("exec >&- 2>&-; sleep 1000", LIMIT)
            .is_err_and(|failure| failure.problem == BotProblem::Hung { limit: LIMIT })
    );
    assert!(ask("trap '' TERM INT HUP; while :; do sleep 1; done", LIMIT).is_err());
}

/// Children of a program that has ended are killed, and do not delay the answer.
#[test]
fn left_behind() {
    let word = format!("stays-{}", std::process::id());
    let since = Instant::now();
    let answer = ask(&format!("sh -c 'sleep 1000; true' {word} & echo e2-e4"), Duration::from_secs(600));
    assert_eq!(answer.map(|chosen| chosen.map(|chosen| chosen.to_string())), Ok(Some("e2-e4".to_owned())));
    assert!(since.elapsed() < LONG, "{:?}", since.elapsed());
    gone(&word);
}

/// A killed process takes a moment to vanish.
#[track_caller]
fn gone(word: &str) {
    let since = Instant::now();
    while !with_word(word).is_empty() {
        assert!(since.elapsed() < LONG, "still there: {:?}", with_word(word));
        thread::sleep(Duration::from_millis(5));
    }
}

/// While a program thinks, the thread that waits for it sleeps. Polling every 5 ms would wake it 200 times.
#[test]
fn waiting_does_not_poll() {
    let before = wakes();
    let answer = ask("exec 2>&-; sleep 1; echo e2-e4", LONG);
    let woken = wakes() - before;
    assert!(answer.is_ok_and(|chosen| chosen.is_some()));
    // The exits of processes of other tests wake it, too.
    assert!(woken < 150, "{woken}");
}

/// The number of times that this thread has slept and been woken.
fn wakes() -> u64 {
    let status = fs::read_to_string("/proc/thread-self/status").expect("Linux has it");
    let count = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
    count.and_then(|count| count.trim().parse().ok()).expect("a number")
}

/// No exit is missed when several bots end at the same time.
#[test]
fn many_at_once() {
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..3).for_each(|_| check("echo e2-e4", "e2-e4")));
        }
    });
}

#[test]
fn no_zombie_is_left() {
    for script in ["echo e2-e4", "exit 1", "yes", "kill -KILL $$"] {
        let _answer = ask(script, LONG);
    }
    // Other tests run at the same time, and may have zombies for a moment.
    let since = Instant::now();
    while !zombies().is_empty() {
        assert!(since.elapsed() < LONG, "{:?}", zombies());
        thread::sleep(Duration::from_millis(5));
    }
}
