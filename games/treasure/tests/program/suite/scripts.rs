//! Scripts of treasure: what makes them different from those of a game on the common wire.

use std::path::Path;

use engine::{Cause, Chain, CommId, Header, Input, Outbox, Rulebook};
use script::{Games, Transcript, scripted};
use systemtests::{files, local::InProcess, play::Play, run::run};
use treasure::Treasure;
use treasure_rules::{Command, Direction, Field, Game, Position, Setup, Terrain};

const HALF: &str = "FGGGGGGGGG GWGWGWGWGG GGGGGGGGGG GWGWGWGMMM MMGGGGGGGG";

fn alone() -> Games {
    Games::new([scripted::<Treasure>()])
}

/// The first line of the error of a script, when it is read or played.
fn play(text: &str) -> Result<(), String> {
    let first = |words: String| words.lines().next().unwrap_or_default().to_owned();
    let script = files::parse(Path::new("t.script"), text, &alone()).map_err(|error| first(error.to_string()))?;
    run(&Play::new(&script), &InProcess).map_err(|failure| first(failure.message))
}

fn script(header: &str, steps: &str) -> String {
    format!(
        "name: t\nrulebook: treasure\n{header}\nplayers: Ana\n\nAna: Register Ana Ant ana01\n  Ana: Registered\n{steps}"
    )
}

#[test]
fn requests_and_answers() {
    let debug = "scenario: 2022-debug\nseed: 1";
    assert_eq!(play(&script(debug, "Ana: Move Up\n  Ana: Refused MoveBeforeHalves\n")), Ok(()));
    let rows = [
        (debug, "Ana: Move Sideways\n", "unknown variant `Sideways`, expected one of `Up`, `Down`"),
        (debug, "Ana: SendHalf \"GXG\"\n", "\"GXG\" is no part of a half"),
        (debug, "Ana: Move Up\n  Ana: Refused IntoWater\n", "t.script:10: Ana: Refused IntoWater"),
        (
            "scenario: 2017\nseed: 1",
            "",
            "the scenario is refused: scripts are written in the protocol of 2022, and the scenario is for 2017",
        ),
        (
            "scenario: 2022\nseed: 1\ntimeout: 3",
            "",
            "the scenario is refused: the timeout of a script is the time to think, which is 5000 ms here",
        ),
    ];
    for (header, steps, words) in rows {
        let came = play(&script(header, steps)).expect_err(steps);
        assert!(came.starts_with(words), "{came}");
    }
}

/// The fields of [`HALF`].
fn half() -> Vec<Field> {
    let rows = (0..).zip(HALF.split(' '));
    let field = |x: u8, y: u8, letter: char| Field {
        at: Position::new(x, y),
        terrain: match letter {
            'M' => Terrain::Mountain,
            'W' => Terrain::Water,
            _ => Terrain::Grass,
        },
        fort: letter == 'F',
    };
    rows.flat_map(|(y, row)| (0..).zip(row.chars()).map(move |(x, letter)| field(x, y, letter))).collect()
}

/// A log has the commands of the rules. Its script has the requests that make them, and what the players see after each.
#[test]
fn a_recorded_game() {
    let setup = Setup::new("2022-debug").expect("a scenario");
    let header = Header::new::<Game>("recorded", 0, setup.clone(), 42).encode();
    let (mut chain, mut outbox) = (Chain::new(&header), Outbox::new());
    let mut game = Game::start(&setup, 42, &mut outbox);
    let register = |id: &str| Command::Register {
        id: id.into(),
        first_name: id.into(),
        last_name: "B".into(),
        account: "c".into(),
    };
    let commands = [
        (1, register("Ana")),
        (2, register("Bo")),
        (2, Command::SendHalf { fields: half(), coding: None }),
        (1, Command::Move { direction: Direction::Up }),
    ];
    let mut entries = Vec::new();
    for (client, command) in commands {
        outbox.clear();
        let input = Input { elapsed_ms: 0, cause: Cause::Command { client: CommId(client), command } };
        game.fold(&input, &mut outbox);
        entries.push(chain.append(0, &input, outbox.emissions()).bytes.to_vec());
    }
    let treasure = scripted::<Treasure>();
    let recorded = treasure.record(&header, &mut entries.iter().map(Vec::as_slice)).expect("a log of these rules");
    let text = recorded.print(1, recorded.scenario());
    assert!(text.contains(&format!("\nBo: SendHalf \"{HALF}\"\n  Bo: Okay\n")), "{text}");
    assert!(text.contains("\nAna: Move Up\n  Ana: Refused MoveBeforeHalves\n"), "{text}");
    assert_eq!(play(&text), Ok(()), "{text}");
    assert_ne!(play(&text.replace("Ana: Move Up\n", "Ana: Status\n")), Ok(()));
    // The form for programs says the same.
    let script = files::parse(Path::new("t.script"), &text, &alone()).expect("a script");
    let (same, _) = Transcript::parse(&script.transcript.json(script.game), &alone()).expect("JSON");
    assert_eq!(same, script.transcript);
}
