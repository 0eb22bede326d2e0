//! Chronicles of whole games: the pictures that people see equal the state of the rules.

use std::sync::Arc;

use colony::{strategy, table::Table};
use colony_rules::{Board, Game, Setup, Timer};
use engine::{Audience, Cause, Chain, Emission, Entry, EntryOf, Header, Input, JavaRandom, Projection, Replay, Shown};
use serde_json::Value;
use server::{
    chronicle::{Chronicle, Detail, EntryLine, Line, Sight, export},
    log::{Acknowledge, Ending, EventLog, GameHead, LogReader, MemoryLog, NewGame, Row, StoreError},
};

struct Ignored;

impl Acknowledge for Ignored {
    fn durable(&self, _: u64) {}

    fn failed(&self, error: Arc<StoreError>) {
        panic!("{error}");
    }
}

/// Plays a game among bots to its end. Returns it as a log stores it.
fn play(scenario: &str, seed: i64) -> (GameHead, Vec<Row>) {
    let text = colony::scenario(scenario).expect("it is built in");
    let setup = Setup::new(text, None, None).expect("a good scenario");
    let bots = ["random", "sensible", "random"].map(|name| strategy(name).expect("there is one").bot);
    let bots = &bots[..if scenario == "first-night" { 2 } else { 3 }];
    let header = Header::new::<Game>("game", 0, setup.clone(), seed);
    let log = MemoryLog::new();
    let key = log.create(NewGame::new("game", &header, None, 0), Arc::new(Ignored));
    let mut chain = Chain::new(&header.encode());
    let mut table = Table::new(&setup, seed, bots);
    while let Some((client, command)) = table.next_command() {
        table.play(client, command.clone());
        let input: Input<_, Timer> = Input { elapsed_ms: 0, cause: Cause::Command { client, command } };
        let link = chain.append(0, &input, table.outbox().emissions());
        let row = Row { sequence: link.sequence, bytes: link.bytes.to_vec(), digest: link.digest };
        log.append(key, row, Vec::new());
    }
    let ending = Ending { outcome: "over".into(), at: 1, players: Vec::new(), results: Vec::new() };
    log.finish(key, ending, Box::new(|_| ()));
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    runtime.block_on(async {
        (log.head(key).await.expect("it is there"), log.rows(key, 1).await.expect("it can be read"))
    })
}

fn chronicle(head: &GameHead, rows: &[Row], sight: Sight) -> Box<dyn Chronicle> {
    let mut chronicle = colony().chronicle(head, sight).expect("a good header");
    chronicle.extend(rows.to_vec()).expect("good entries");
    chronicle
}

/// The picture after each step, computed by folding the rows.
fn pictures(head: &GameHead, rows: &[Row], sight: Sight) -> Vec<Value> {
    let header: Header<Setup> = Header::decode(&head.header).expect("a good header");
    let mut replay: Replay<Game> = Replay::new(&header).expect("our rules");
    let mut board = Board::new(&header.setup);
    let mut pictures = Vec::new();
    let mut take = |board: &Board, replay: &Replay<Game>| {
        let mut picture = Game::picture(board);
        picture["figures"] = Game::figures(board).into();
        picture["hidden"] = match sight {
            Sight::Public => Value::Null,
            Sight::Everything => replay.game().hidden(),
        };
        pictures.push(picture);
    };
    take(&board, &replay);
    for row in rows {
        let entry: EntryOf<Game> = Entry::decode(&row.bytes).expect("a good entry");
        replay.step(&entry).expect("no difference");
        for emission in &entry.emissions {
            if let Emission::Event { audience: Audience::All | Audience::Board, event } = emission {
                board.apply(event);
                take(&board, &replay);
            }
        }
    }
    pictures
}

fn lines(chronicle: &dyn Chronicle, from: u64, steps: u64) -> (u64, Value, Vec<EntryLine>) {
    let (mut checkpoint, mut entries) = (None, Vec::new());
    chronicle.lines(from, steps, Detail::Patches, &mut |line| {
        match line {
            Line::Checkpoint { step, picture } => checkpoint = Some((step, picture.clone())),
            Line::Entry(entry) => entries.push(entry.clone()),
            Line::Game(_) | Line::Index(_) => panic!("not asked for"),
        }
        true
    });
    let (step, picture) = checkpoint.expect("it comes first");
    (step, picture, entries)
}

/// Applies entries forward and back again, and compares the picture at every step.
fn compare(pictures: &[Value], from: u64, mut picture: Value, entries: &[EntryLine]) -> u64 {
    let mut step = from;
    assert_eq!(picture, pictures[step as usize], "the checkpoint at {step}");
    for event in entries.iter().flat_map(|entry| &entry.events).filter(|event| event.step.is_some()) {
        step += 1;
        assert_eq!(event.step, Some(step));
        event.patch.iter().for_each(|change| *picture.pointer_mut(&change.at).expect("a place") = change.is.clone());
        assert_eq!(picture, pictures[step as usize], "after step {step}: {}", event.text);
    }
    let last = step;
    for event in entries.iter().flat_map(|entry| &entry.events).rev().filter(|event| event.step.is_some()) {
        assert_eq!(picture, pictures[step as usize], "back at step {step}");
        let back = event.patch.iter().rev();
        back.for_each(|change| *picture.pointer_mut(&change.at).expect("a place") = change.was.clone());
        step -= 1;
    }
    assert_eq!((picture, step), (pictures[from as usize].clone(), from));
    last
}

fn check(scenario: &str, seed: i64) {
    let (head, rows) = play(scenario, seed);
    let mut random = JavaRandom::new(seed);
    for sight in [Sight::Everything, Sight::Public] {
        let pictures = pictures(&head, &rows, sight);
        let last = pictures.len() as u64 - 1;
        let chronicle = chronicle(&head, &rows, sight);
        assert_eq!(chronicle.index().steps, last);
        assert_eq!(chronicle.difference(), None);
        assert_eq!(chronicle.index().entries.iter().map(|steps| u64::from(*steps)).sum::<u64>(), last);
        let (from, picture, entries) = lines(&*chronicle, 0, u64::MAX);
        assert_eq!(compare(&pictures, from, picture, &entries), last);
        assert_eq!(entries.len(), chronicle.index().entries.len());
        if sight == Sight::Everything {
            assert!(
                entries.iter().map(|entry| entry.number).eq((1..=rows.len() as u64).map(Some)),
                "no entry is left out"
            );
        }
        for _ in 0..20 {
            let from = random.next_below(last as i32 + 1) as u64;
            let steps = random.next_below(600) as u64;
            let (found, picture, entries) = lines(&*chronicle, from, steps);
            assert!(found <= from);
            let reached = compare(&pictures, found, picture, &entries);
            assert!(reached >= (from + steps).min(last), "{from} and {steps} more are covered");
        }
        let mut pieces = colony().chronicle(&head, sight).expect("a good header");
        let mut told = Vec::new();
        for piece in rows.chunks(7) {
            pieces.tell(piece.to_vec(), &mut |entry| told.push(entry.clone())).expect("good entries");
        }
        assert_eq!(pieces.index(), chronicle.index(), "piece by piece it is the same");
        assert_eq!(told, entries);
    }
}

#[test]
fn pictures_are_those_of_the_rules() {
    for seed in 0..3 {
        ["first-night", "winter", "crossroads"].into_iter().for_each(|scenario| check(scenario, seed));
    }
}

#[test]
fn chunks_leave_no_entry_out() {
    let (head, rows) = play("winter", 3);
    let chronicle = chronicle(&head, &rows, Sight::Everything);
    let mut whole = Vec::new();
    export(&*chronicle, &head, &mut |line| {
        whole.extend_from_slice(line);
        true
    });
    let whole = String::from_utf8(whole).expect("UTF-8");
    let parsed = whole.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let numbers: Vec<u64> = parsed.filter_map(|line| line["entry"]["number"].as_u64()).collect();
    assert!(numbers.iter().copied().eq(1..=rows.len() as u64), "each once, in order");
    assert!(whole.lines().filter(|line| line.starts_with(r#"{"checkpoint":"#)).count() > 1);
}

/// No line shows a directed event, a secret command or hidden state.
#[test]
fn a_running_game_keeps_its_secrets() {
    let (head, rows) = play("crossroads", 5);
    let chronicle = chronicle(&head, &rows, Sight::Public);
    let game = chronicle.game(&head.record);
    assert_eq!(game.seed, None);
    let (_, picture, entries) = lines(&*chronicle, 0, u64::MAX);
    assert_eq!(picture["hidden"], Value::Null);
    for entry in &entries {
        assert!(!entry.events.is_empty());
        assert_eq!(
            (entry.number, entry.elapsed, &entry.by, &entry.command, &entry.text),
            (None, None, &None, &None, &None)
        );
        assert!(entry.events.iter().all(|event| event.to == "all" || event.to == "board"));
        assert!(entry.events.iter().all(|event| !event.refused));
    }
}

/// The game whose chronicles are tested.
fn colony() -> &'static dyn server::HostedGame {
    &server::Erased::<colony::Colony>::NEW
}
