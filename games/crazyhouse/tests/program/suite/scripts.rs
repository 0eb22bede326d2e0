//! Scripts of crazyhouse, which provides little more than its types. Its own scripts are in `games/crazyhouse/scripts`.

use std::path::Path;

use crazyhouse::Crazyhouse;
use crazyhouse_rules::{Game, Setup};
use engine::{Cause, Chain, CommId, Header, Input, Outbox, Rulebook};
use script::{Games, Transcript, scripted};
use systemtests::{files, games, local::InProcess, play::Play, run::run};

/// A registry with only crazyhouse, which is then the default game of scripts.
fn alone() -> Games {
    Games::new([scripted::<Crazyhouse>()])
}

const SCRIPT: &str = r#"name: a short game
rulebook: crazyhouse
scenario: {}
seed: 1
players: Ana, Bo

Ana: Move e2-e4
  Ana: Refused
Ana: Join Ana white
  Ana: Seated white
  Ana: Joined white Ana
Bo: Join Bo
  Bo: Seated black
  all: Joined black Bo
  all: Began Ana Bo _
Ana: Move e2-e4
  all: Moved white e2-e4 _ false
Bo: Resign "no time"
  all: Finished _ "no time"

server ends
"#;

/// The first line of the error of a script, when it is read or played.
fn play(text: &str) -> Result<(), String> {
    let first = |words: String| words.lines().next().unwrap_or_default().to_owned();
    let script = files::parse(Path::new("t.script"), text, &alone()).map_err(|error| first(error.to_string()))?;
    run(&Play::new(&script), &InProcess).map_err(|failure| first(failure.message))
}

#[test]
fn a_script_names_its_game() {
    assert_eq!(play(SCRIPT), Ok(()));
    assert_eq!(
        play(&SCRIPT.replace("Ana: Seated white", "Ana: Seated black")),
        Err("t.script:10: Ana: Seated black".into())
    );
    let mistakes = [
        ("rulebook: crazyhouse", "rulebook: crazyhose", "there are no scripts for a rulebook crazyhose"),
        ("Bo: Resign", "Bo: Resing", "there is no command Resing"),
        ("_ false", "_ maybe", "maybe is not true or false"),
        ("seed: 1", "seed: 1\nedition: fate", "an edition is auto"),
        ("seed: 1", "seed: 1\nrulebook: crazyhouse", "rulebook occurs twice"),
    ];
    for (right, wrong, words) in mistakes {
        assert_eq!(play(&SCRIPT.replacen(right, wrong, 1)), Err(words.into()));
    }
    // A script without this line belongs to the first game.
    assert_eq!(play(&SCRIPT.replace("rulebook: crazyhouse\n", "")), Ok(()));
}

#[test]
fn both_forms_say_the_same() {
    let script = files::parse(Path::new("t.script"), SCRIPT, &alone()).expect("a script");
    let json = script.transcript.json(script.game);
    assert!(json.contains(r#""rulebook":"crazyhouse""#), "{json}");
    let (same, game) = Transcript::parse(&json, &alone()).expect("JSON");
    assert_eq!((&same, game.name()), (&script.transcript, "crazyhouse"));
    let text = script::print(game, &same, &script.names);
    let again = files::parse(Path::new("t.script"), &text, &alone()).expect("a script");
    assert_eq!(again.transcript, same, "{text}");
    let others = Games::new(games().iter().filter(|other| other.name() != "crazyhouse"));
    assert!(Transcript::parse(&json, &others).is_err_and(|error| error.to_string().contains("rulebook crazyhouse")));
}

/// Exports the log of a game as a script, and plays the same game with it.
#[test]
fn a_recorded_game() {
    use crazyhouse_rules::Command;
    let setup = Setup::new("{}", None).expect("a sound scenario");
    let header = Header::new::<Game>("recorded", 0, setup.clone(), 3).encode();
    let (mut chain, mut outbox) = (Chain::new(&header), Outbox::new());
    let mut game = Game::start(&setup, 3, &mut outbox);
    let join = |name: &str| Command::Join { name: name.into(), side: None };
    let mut entries = Vec::new();
    let commands = [(1, join("Ana")), (2, join("Bo")), (2, Command::OfferDraw {}), (1, Command::AcceptDraw {})];
    for (client, command) in commands {
        outbox.clear();
        let input = Input { elapsed_ms: 0, cause: Cause::Command { client: CommId(client), command } };
        game.fold(&input, &mut outbox);
        entries.push(chain.append(0, &input, outbox.emissions()).bytes.to_vec());
    }
    let crazyhouse = scripted::<Crazyhouse>();
    let recorded = crazyhouse.record(&header, &mut entries.iter().map(Vec::as_slice)).expect("a log of these rules");
    let text = recorded.print(1, recorded.scenario());
    assert!(text.contains("\nrulebook: crazyhouse\n"), "{text}");
    assert!(text.contains("\nAna: AcceptDraw\n") && text.ends_with("\nserver ends\n"), "{text}");
    assert_eq!(play(&text), Ok(()), "{text}");
    assert_ne!(play(&text.replace("Ana: AcceptDraw", "Ana: DeclineDraw")), Ok(()));
}
