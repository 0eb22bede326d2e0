//! Scripts of project: what makes them different from those of a game on the common wire.

use std::path::Path;

use engine::{Cause, Chain, CommId, Header, Input, Outbox, Rulebook};
use project::Project;
use project_rules::{Command, Direction, Game, Setup, Team};
use script::{Games, scripted};
use systemtests::{files, local::InProcess, play::Play, run::run};

/// The first line of the error of a script, when it is read or played.
fn play(text: &str) -> Result<(), String> {
    let first = |words: String| words.lines().next().unwrap_or_default().to_owned();
    let games = Games::new([scripted::<Project>()]);
    let script = files::parse(Path::new("t.script"), text, &games).map_err(|error| first(error.to_string()))?;
    run(&Play::new(&script), &InProcess).map_err(|failure| first(failure.message))
}

/// A log has UUIDs of any agents. Its script has numbers, and only what agents are told.
#[test]
fn a_recorded_game() {
    let setup = Setup::new("small").expect("a scenario");
    let header = Header::new::<Game>("recorded", 0, setup.clone(), 42).encode();
    let (mut chain, mut outbox) = (Chain::new(&header), Outbox::new());
    let mut game = Game::start(&setup, 42, &mut outbox);
    let id = |number: u32| format!("{number:08}-aaaa-4aaa-8aaa-aaaaaaaaaaaa").into();
    let commands = [
        (1, Command::Join { hash: id(1) }),
        (2, Command::Join { hash: id(2) }),
        (1, Command::ChooseTeam { id: id(3), team: Team::Blue }),
        (2, Command::ChooseTeam { id: id(4), team: Team::Blue }),
        (1, Command::Move { id: id(5), direction: Direction::Up }),
        (1, Command::Move { id: id(5), direction: Direction::Up }),
    ];
    let mut entries = Vec::new();
    for (client, command) in commands {
        outbox.clear();
        let input = Input { elapsed_ms: 0, cause: Cause::Command { client: CommId(client), command } };
        game.fold(&input, &mut outbox);
        entries.push(chain.append(0, &input, outbox.emissions()).bytes.to_vec());
    }
    let project = scripted::<Project>();
    let recorded = project.record(&header, &mut entries.iter().map(Vec::as_slice)).expect("a log of these rules");
    let text = recorded.print(1, recorded.scenario());
    // RULES.md#randomness: Blue starts at (2, 1). The second request is a repetition, and moves nothing.
    assert_eq!(text.matches(r#" true {"x":2,"y":2} 1"#).count(), 2, "{text}");
    assert!(!text.contains("Joined") && text.contains(": Confirmed 2\n"), "{text}");
    assert_eq!(play(&text), Ok(()), "{text}");
    assert_ne!(play(&text.replacen(r#""y":2} 1"#, r#""y":2} 2"#, 1)), Ok(()));
}
