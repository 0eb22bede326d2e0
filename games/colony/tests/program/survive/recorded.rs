//! A game of a real host becomes a script, and the real one-game server plays it again.

use std::{
    path::Path,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use colony::script::{Recording, Wish, minimise};
use colony_rules::Event;
use engine::Emission;
use script::RecordedGame;
use systemtests::{
    files, games,
    local::InProcess,
    play::Play,
    recording,
    remote::{FreshServer, ServerCommand},
    run::run,
    target::Target,
};

use super::player::{Tables, keep_playing};
use crate::{
    process::{HostProcess, Scratch},
    wire::Wire,
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
    let server = FreshServer::new(ServerCommand::parse(&server).expect("a command"), Duration::from_secs(300));
    let both: [&dyn Target; 2] = [&InProcess, &server];

    let whole = text(&recording, 1);
    assert!(whole.contains("\nscenario: winter\n") && whole.ends_with("\nserver ends\n"), "{whole}");
    let middle = recording.entries.len() / 2;
    let late = text(&recording, middle);
    assert!(late.contains(": ... ") && late.len() < whole.len(), "{late}");
    for script in [&whole, &late] {
        both.iter().for_each(|target| check(script, *target));
    }
    // The script is specific: with another seed it fails.
    let other = whole.replacen("\nseed: ", "\nseed: 9", 1);
    let script = files::parse(Path::new("other.script"), &other, &games()).expect("a script");
    assert!(run(&Play::new(&script), &InProcess).is_err());

    let mut part = recording.clone();
    part.cut(middle);
    assert!(!part.over);
    both.iter().for_each(|target| check(&text(&part, 1), *target));

    let want = "Searched in round 2";
    let wish = Wish::read(want, &recording.setup.scenario, &recording.players()).expect("a wish");
    let short = minimise(&recording, &wish, &mut |_| {}).expect("a character searches in the second round");
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

/// Plays a game of two bots on a host process, from the registration to the end.
fn play_one_game(log: &Path) -> Recording {
    let host = HostProcess::start(log);
    let tables: Arc<Tables> = Arc::default();
    // With `stop` set, the first game is also the last one.
    tables.stop.store(true, Ordering::Release);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(keep_playing(0, host.addresses(), Wire::Binary, Duration::ZERO, tables.clone()));
    host.wait_until_all_games_ended();
    host.stop();
    let told = tables.told.lock().expect("no thread has panicked");
    let name = told.first().expect("a game was played").game.clone();
    let (_, recorded) = recording::read(log, Some(&name), &games()).unwrap_or_else(|problem| panic!("{problem}"));
    recorded.as_any().downcast_ref::<Recording>().expect("a game of colony").clone()
}

fn text(recording: &Recording, from: usize) -> String {
    recording.print(from, recording.scenario())
}

fn check(text: &str, target: &dyn Target) {
    let script =
        files::parse(Path::new("recorded.script"), text, &games()).unwrap_or_else(|problem| panic!("{problem}"));
    run(&Play::new(&script), target).unwrap_or_else(|failure| panic!("{}", failure.message));
}

/// The same condition, computed in another way: a character searches between the start of the second and of the third round.
fn is_granted(recording: &Recording) -> bool {
    let mut round = 0;
    recording.entries.iter().flat_map(|entry| &entry.emissions).any(|emission| {
        let Emission::Event { event, .. } = emission else { return false };
        round += u32::from(matches!(event, Event::NextRound { .. }));
        round == 2 && matches!(event, Event::Searched { .. })
    })
}
