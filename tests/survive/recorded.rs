//! A game of a real host becomes a script, which the real one-game server plays as well.

use std::{
    path::Path,
    sync::{Arc, Mutex, atomic::AtomicBool},
    time::{Duration, Instant},
};

use colony::Event;
use engine::Emission;
use script::{Recording, Wish};
use systemtests::{
    files,
    local::InProcess,
    minimise::minimise,
    play::Play,
    recording::{self, scenario_text},
    remote::{FreshServer, ServerCommand},
    run::run,
    table::Target,
};

use crate::{
    player::keep_playing,
    process::{HostProcess, Scratch},
};

#[test]
fn a_recorded_game() {
    let scratch = Scratch::new("recorded");
    let log = scratch.path("games.log");
    let recording = play_one_game(&log);
    assert!(recording.over && recording.entries.len() > 50, "{} entries", recording.entries.len());
    let server = format!(
        "{} --config {{config}} --port {{port}} --seed {{seed}} --timeout {{timeout}} --edition {{edition}}",
        env!("CARGO_BIN_EXE_holdfast")
    );
    let server =
        FreshServer { command: ServerCommand::parse(&server).expect("a command"), patience: Duration::from_secs(60) };
    let both: [&dyn Target; 2] = [&InProcess::ours(), &server];

    let whole = text(&recording, 1);
    assert!(whole.contains("\nscenario: winter\n") && whole.ends_with("\nserver ends\n"), "{whole}");
    let middle = recording.entries.len() / 2;
    let late = text(&recording, middle);
    assert!(late.contains(": ... ") && late.len() < whole.len(), "{late}");
    for script in [&whole, &late] {
        both.iter().for_each(|target| check(script, *target));
    }
    // It says something: another seed is another game.
    let other = whole.replacen("\nseed: ", "\nseed: 9", 1);
    let script = files::parse(Path::new("other.script"), &other).expect("a script");
    assert!(run(&Play::new(&script), &InProcess::ours()).is_err());

    let mut part = recording.clone();
    part.cut(middle);
    assert!(!part.over);
    both.iter().for_each(|target| check(&text(&part, 1), *target));

    let want = "Searched in round 2";
    let wish = Wish::read(want, &recording.setup.scenario, &recording.players()).expect("a wish");
    let short = minimise(&recording, &wish, &mut |_| {}).expect("somebody searches in the second round");
    assert!(short.entries.len() < recording.entries.len() / 4, "{} entries", short.entries.len());
    assert!(is_granted(&short), "{}", text(&short, 1));
    assert!(minimise(&short, &wish, &mut |_| {}).is_some_and(|same| same.entries.len() == short.entries.len()));
    for at in 0..short.entries.len() {
        let without = short.causes().enumerate().filter(|(other, _)| *other != at).map(|(_, cause)| cause);
        let without = Recording::play("shorter", &short.setup, short.seed, without);
        assert!(!is_granted(&without), "entry {} is not needed", at + 1);
    }
    both.iter().for_each(|target| check(&text(&short, 1), *target));
}

/// Two bots on a host process, from the registration to the end.
fn play_one_game(log: &Path) -> Recording {
    let host = HostProcess::start(log, 28_000);
    let (told, stop) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicBool::new(false)));
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let playing = keep_playing(0, host.address(), Duration::ZERO, told.clone(), stop.clone());
    runtime.block_on(async {
        let playing = tokio::spawn(playing);
        // The game that has begun is played to its end.
        tokio::time::sleep(Duration::from_millis(5)).await;
        stop.store(true, std::sync::atomic::Ordering::Release);
        playing.await.expect("they play");
    });
    host.wait_until_all_games_ended(Instant::now() + Duration::from_secs(60));
    host.stop();
    let told = told.lock().expect("nobody panicked");
    let name = told.first().expect("a game was played").game.clone();
    recording::read(log, Some(&name)).unwrap_or_else(|problem| panic!("{problem}"))
}

fn text(recording: &Recording, from: usize) -> String {
    recording.print(from, scenario_text(&recording.setup))
}

fn check(text: &str, target: &dyn Target) {
    let script = files::parse(Path::new("recorded.script"), text).unwrap_or_else(|problem| panic!("{problem}"));
    run(&Play::new(&script), target).unwrap_or_else(|failure| panic!("{}", failure.message));
}

/// Found out in another way: somebody searches between the second and the third round.
fn is_granted(recording: &Recording) -> bool {
    let mut round = 0;
    recording.entries.iter().flat_map(|entry| &entry.emissions).any(|emission| {
        let Emission::Event { event, .. } = emission else { return false };
        round += u32::from(matches!(event, Event::NextRound { .. }));
        round == 2 && matches!(event, Event::Searched { .. })
    })
}
