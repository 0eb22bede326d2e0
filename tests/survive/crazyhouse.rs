//! Crazyhouse on a host that is killed: a game among people, and one among the host's own bots.

use std::{
    net::SocketAddr,
    process::Command as Program,
    time::{Duration, Instant},
};

use clients::line::{Heard, Line};
use commlib::{Create, Want};
use crazyhouse::{Command, Event, Game, MoveList, Outcome, Position, Side};
use engine::{Emission, Entry, EntryOf, JavaRandom};
use server::log::LogFile;
use tokio::time::{sleep, timeout};

use crate::process::{HostProcess, Scratch};

type Place = Line<Command, Event>;

/// More than everything takes, on a machine with other things to do.
const PATIENCE: Duration = Duration::from_secs(120);

/// How often the host is killed.
const KILLS: u32 = 4;

#[test]
fn people_and_bots_go_on() {
    let scratch = Scratch::new("crazyhouse");
    let log = scratch.path("games.log");
    let mut host = HostProcess::start_with(&log, 30_500, &["--bot-time", "100"]);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let (people, bots, told) = runtime.block_on(async {
        let address = host.address();
        let bots = r#"{"bots": {"white": "search", "black": "search"}, "most_moves": 80}"#;
        let (line, _) = open(address, None, create(bots)).await;
        let bots = line.game().to_owned();
        let (ana, _) = open(address, None, create(r#"{"most_moves": 60}"#)).await;
        let people = ana.game().to_owned();
        let (bo, _) = open(address, Some(people.clone()), Want::Join { seat: None }).await;
        let ana = tokio::spawn(play(ana, "Ana", Side::White));
        let bo = tokio::spawn(play(bo, "Bo", Side::Black));
        for _ in 0..KILLS {
            sleep(Duration::from_millis(700)).await;
            host.kill();
            let file = LogFile::open(&log).expect("the log can be read");
            let open = file.list().expect("games").iter().filter(|record| record.end.is_none()).count();
            assert_eq!(open, 2, "both games are in the middle");
            host.restart();
        }
        let played = async { (ana.await.expect("Ana plays"), bo.await.expect("Bo plays")) };
        let told = timeout(PATIENCE, played).await.expect("they play to the end");
        (people, bots, told)
    });
    host.wait_until_all_games_ended(Instant::now() + PATIENCE);
    host.stop();

    let (ana, bo) = told;
    assert_eq!(ana, bo, "both were told the same");
    assert_eq!(ana, moves_in(&log, &people), "what they were told is what the log has");
    assert!(ana.len() > 20, "it was a whole game: {ana:?}");
    assert!(moves_in(&log, &bots).len() > 10, "the bots went on");
    for what in ["verify", "replay"] {
        let checked = Program::new(env!("CARGO_BIN_EXE_holdfast")).args(["log", what]).arg(&log).output();
        let checked = checked.expect("the program starts");
        assert!(checked.status.success(), "{what}: {checked:?}");
    }
}

fn create(scenario: &str) -> Want {
    let rulebook = Some("crazyhouse".into());
    Want::Create(Create { rulebook, scenario: scenario.into(), edition: None, seed: Some(5), timeout: None })
}

async fn open(address: SocketAddr, game: Option<String>, want: Want) -> (Place, commlib::Welcome) {
    Place::open(address, game, want).await.expect("a place")
}

/// Plays at random and not too fast, and remembers every move that it is told.
async fn play(mut line: Place, name: &str, side: Side) -> Vec<String> {
    let join = Command::Join { name: name.into(), side: Some(side) };
    line.send(&join).await.expect("sent");
    let (mut random, mut told) = (JavaRandom::new(side as i64), Vec::new());
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
                Event::Seated { .. }
                | Event::Joined { .. }
                | Event::DrawOffered { .. }
                | Event::DrawDeclined { .. } => {}
            },
            Heard::CaughtUp if position.is_none() => line.send(&join).await.expect("sent"),
            Heard::CaughtUp => {}
            Heard::Refused(refused) => panic!("{name}: {refused}"),
            Heard::Over => break,
        }
        let mine = position.filter(|position| position.turn() == side && outcome.is_none());
        if let Some(position) = mine.filter(|_| !line.is_catching_up()) {
            sleep(Duration::from_millis(60)).await;
            line.send(&some_move(&position, &mut random)).await.expect("sent");
        }
    }
    assert!(outcome.is_some(), "the end is told");
    told
}

fn some_move(position: &Position, random: &mut JavaRandom) -> Command {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    match moves.as_slice() {
        [] => Command::Resign { because: None },
        moves => Command::Move { text: moves[random.next_below(moves.len() as i32) as usize].to_string().into() },
    }
}

/// The moves of a game in the log.
fn moves_in(log: &std::path::Path, game: &str) -> Vec<String> {
    let file = LogFile::open(log).expect("the log can be read");
    let head = file.find(game).expect("the log can be read").expect("the game is there");
    let rows = file.read(head.record.key, 1).expect("entries");
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
