//! Crazyhouse on a host that is killed: a game between two people, and one between the host's own bots.
//!
//! Neither game can end before the last kill. The people move their knights back and forth, only as often as the gate allows.
//! The bots have nothing but their kings, and one of them is a program that needs a ticket for each move.

#[path = "../tickets.rs"]
mod tickets;

use std::{
    net::SocketAddr,
    path::Path,
    process::Command as Program,
    sync::Arc,
    time::{Duration, Instant},
};

use clients::resuming::{Heard, ResumingClient};
use commlib::{Create, Want};
use crazyhouse_rules::{Command, Event, Game, Outcome, Position, Side};
use engine::{Emission, Entry, EntryOf};
use serde_json::{Value, json};
use tokio::{task::block_in_place, time::timeout};

use self::tickets::Tickets;
use crate::{
    gate::Gate,
    process::{HostProcess, Scratch, check_landed_program_with, landed, today},
    stored::{self, wait},
};

type Place = ResumingClient<Command, Event>;

/// A timeout that is longer than the whole test takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// How often the host is killed.
const KILLS: u32 = 4;

/// The number of moves that people may make between two kills, and in the whole game.
const APART: u32 = 8;
const MOVES: u32 = 60;

/// The number of moves that the program may make between two kills. A program that a killed host leaves behind uses one of
/// them.
const TICKETS: u32 = 3;

#[test]
fn people_and_bots_go_on() {
    go_on("crazyhouse", &today());
}

/// The program of the last landed state starts the games, and is killed. Today's program goes on with them.
#[test]
fn upgrade() {
    let Some(landed) = landed() else { return };
    let scratch = go_on("crazyhouse-upgrade", &landed);
    check_landed_program_with(&landed, &scratch.path("games.log"));
}

/// Starts a host with a program, and kills it several times. Returns the folder with the log.
fn go_on(test: &str, program: &Path) -> Scratch {
    let scratch = Scratch::new(test);
    let log = scratch.path("games.log");
    let tickets = Tickets::new(scratch.path("tickets"));
    // For a program, the thinking time is a limit. Here the program must be able to wait.
    let more = ["--bot", &tickets.bot(), "--bot-time", "600000"];
    let mut host = HostProcess::start_program(program, &log, &["host"], &more, "listening on ");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let gate = Arc::new(Gate::closed());
    let (people, bots, told) = runtime.block_on(async {
        let address = host.address();
        let bots = json!({
            "bots": {"white": "greedy", "black": "patient"},
            "board": "4k3/8/8/8/8/8/8/4K3/",
            "most_moves": MOVES,
        });
        let (line, _) = open(address, None, create(&bots)).await;
        let bots = line.game().to_owned();
        let (ana, _) = open(address, None, create(&json!({"most_moves": MOVES}))).await;
        let people = ana.game().to_owned();
        let (bo, _) = open(address, Some(people.clone()), Want::Join { seat: None }).await;
        let ana = tokio::spawn(play(ana, "Ana", Side::White, gate.clone()));
        let bo = tokio::spawn(play(bo, "Bo", Side::Black, gate.clone()));
        for kill in 1..=KILLS {
            tickets.give(TICKETS);
            gate.open_until(kill * APART);
            // Kills before the last allowed move, when a player has just sent a move or is about to.
            gate.wait_for(kill * APART - APART / 2);
            wait_until("the bots play", || tickets.left() == 0);
            host.kill();
            let file = stored::open(&log).expect("the log can be read");
            let open = wait(file.list()).expect("games").iter().filter(|record| record.end.is_none()).count();
            assert_eq!(open, 2, "both games are in the middle");
            host.restart();
        }
        tickets.end();
        gate.open();
        let played = async { (ana.await.expect("Ana plays"), bo.await.expect("Bo plays")) };
        let told = timeout(PATIENCE, played).await.expect("they play to the end");
        (people, bots, told)
    });
    host.wait_until_all_games_ended();
    host.stop();

    let (ana, bo) = told;
    assert_eq!(ana, bo, "both were told the same");
    assert_eq!(ana, moves_in(&log, &people), "what they were told is what the log has");
    assert_eq!(ana.len(), MOVES as usize, "it was a whole game: {ana:?}");
    assert_eq!(moves_in(&log, &bots).len(), MOVES as usize, "the bots went on");
    for what in ["verify", "replay"] {
        let checked = Program::new(env!("CARGO_BIN_EXE_holdfast")).args(["log", what]).arg(&log).output();
        let checked = checked.expect("the program starts");
        assert!(checked.status.success(), "{what}: {checked:?}");
    }
    scratch
}

#[track_caller]
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < deadline, "never: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn create(scenario: &Value) -> Want {
    let rulebook = Some("crazyhouse".into());
    Want::Create(Create { rulebook, scenario: scenario.to_string(), edition: None, seed: Some(5), timeout: None })
}

async fn open(address: SocketAddr, game: Option<String>, want: Want) -> (Place, commlib::Welcome) {
    Place::open(address, game, want).await.expect("a place")
}

/// Plays as many moves as the gate allows, and remembers every move that it receives.
async fn play(mut line: Place, name: &str, side: Side, gate: Arc<Gate>) -> Vec<String> {
    let join = Command::Join { name: name.into(), side: Some(side) };
    line.send(&join).await.expect("sent");
    let mut told = Vec::new();
    let (mut position, mut outcome): (Option<Position>, Option<Outcome>) = (None, None);
    loop {
        match line.next().await.expect("it comes back by itself") {
            Heard::Event { event, .. } => match event {
                Event::Began { position: start, .. } => position = Some(start),
                Event::Moved { text, position: after, .. } => {
                    told.push(text.to_string());
                    position = Some(after);
                }
                Event::Finished { outcome: how, .. } => outcome = Some(how),
                Event::Refused { refusal } => panic!("{name}: {refusal}"),
                Event::TakebackAsked { .. } | Event::TakebackRefused { .. } | Event::TakenBack { .. } => {
                    panic!("{name}: no player asks for a takeback")
                }
                Event::Seated { .. }
                | Event::Joined { .. }
                | Event::DrawOffered { .. }
                | Event::DrawDeclined { .. } => {}
            },
            Heard::CaughtUp if position.is_none() => line.send(&join).await.expect("sent"),
            Heard::CaughtUp | Heard::Offers(_) | Heard::Notice(_) | Heard::Managed(_) => {}
            Heard::Refused(refused) => panic!("{name}: {refused}"),
            Heard::Over => break,
        }
        let mine = position.filter(|position| position.turn() == side && outcome.is_none());
        if mine.is_some() && !line.is_catching_up() {
            block_in_place(|| gate.pass(told.len() as u32));
            line.send(&knight_move(told.len())).await.expect("sent");
        }
    }
    assert!(outcome.is_some(), "the end is told");
    told
}

/// A knight of each side moves out and back, for as long as the game lasts.
fn knight_move(played: usize) -> Command {
    Command::Move { text: ["g1-f3", "g8-f6", "f3-g1", "f6-g8"][played % 4].into() }
}

/// The moves of a game in the log.
fn moves_in(log: &Path, game: &str) -> Vec<String> {
    let file = stored::open(log).expect("the log can be read");
    let head = wait(file.find(game)).expect("the log can be read").expect("the game is there");
    let rows = wait(file.rows(head.record.key, 1)).expect("entries");
    let mut moves = Vec::new();
    for row in rows {
        let entry: EntryOf<Game> = Entry::decode(&row.bytes).expect("an entry");
        for emission in entry.emissions {
            if let Emission::Event { event: Event::Moved { text, .. }, .. } = emission {
                moves.push(text.to_string());
            }
        }
    }
    moves
}
