//! The laws of every rulebook, over random games with all kinds of commands.

use std::{collections::BTreeSet, sync::Arc};

use crazyhouse_rules::{Command, Event, Game, MoveList, Setup, Side, Timer};
use engine::{Cause, CommId, JavaRandom, Message, Rulebook, laws::Trial};

const GAMES: i64 = 1_500;
const LONGEST: u64 = 300;

const SETUPS: [&str; 5] = [
    "{}",
    r#"{"clock": {"initial": 60, "increment": 1}}"#,
    r#"{"board": "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R/BNQbnqr", "next": "black", "most_moves": 100}"#,
    r#"{"bots": {"black": "greedy"}}"#,
    r#"{"board": "4k3/P6P/8/8/8/8/p6p/4K3/BNPQRbnpqr", "bots": {"white": "a", "black": "b"}}"#,
];

#[test]
fn random_games() {
    let mut seen = Seen::default();
    let games = if std::env::var_os("HOLDFAST_LONG").is_some() { 20 * GAMES } else { GAMES };
    for seed in 0..games {
        let text = SETUPS[seed as usize % SETUPS.len()];
        play(&Setup::new(text, Some(30_000)).expect("a setup"), seed, &mut seen);
    }
    let kinds: BTreeSet<&str> = Event::KINDS.iter().map(|kind| kind.name).collect();
    assert_eq!(seen.events, kinds, "every event was seen");
    let ends = [
        "checkmate",
        "resignation",
        "time is up",
        "by agreement",
        "as many moves",
        "did not come",
        "no result",
        "opponent left",
    ];
    for end in ends {
        assert!(seen.ends.iter().any(|seen| seen.contains(end)), "no game ended with {end}: {:?}", seen.ends);
    }
    assert!(seen.refusals.len() > 15, "only these refusals were seen: {:?}", seen.refusals);
}

#[derive(Default)]
struct Seen {
    events: BTreeSet<&'static str>,
    refusals: BTreeSet<&'static str>,
    ends: BTreeSet<String>,
}

fn play(setup: &Setup, seed: i64, seen: &mut Seen) {
    let mut random = JavaRandom::new(seed ^ 0x5DEE_CE66);
    let mut trial = Trial::<Game>::new(setup, seed, (1..=4).map(CommId));
    let (mut clock, mut late) = (0, 0);
    for _ in 0..LONGEST {
        let cause = next(&trial, &mut random);
        clock += match cause {
            // Every timer is due by then.
            Cause::Timer { .. } => 4_000_000,
            Cause::Command { .. } if random.next_below(200) == 0 => 61_000,
            Cause::Command { .. } => random.next_below(700) as u64,
        };
        trial.step(clock, cause);
        for (_, event) in trial.outbox().events() {
            seen.events.insert(event.kind().name);
            if let Event::Refused { refusal } = event {
                seen.refusals.insert(refusal.kind().name);
                assert!(!refusal.to_string().is_empty());
            }
        }
        if let Some(outcome) = trial.game().outcome() {
            seen.ends.insert(outcome.to_string());
            late += 1;
        }
        if late > 2 {
            break;
        }
    }
    trial.finish();
}

/// Mostly a legal move of the side to move, sometimes an answer to the opponent, sometimes any command.
fn next(trial: &Trial<Game>, random: &mut JavaRandom) -> Cause<Command, Timer> {
    let game = trial.game();
    if random.next_below(300) == 0 && game.outcome().is_none() {
        let timer = if game.public().has_begun() { Timer::Flag } else { Timer::Come };
        return Cause::Timer { timer };
    }
    let contest = game.public().contest();
    let opponent_of = |side: Side| (1..=4).map(CommId).find(|client| game.side_of(*client) == Some(side.other()));
    if let Some(client) = contest.offer().or(contest.asked()).and_then(opponent_of)
        && random.next_below(8) == 0
    {
        let answers = match contest.offer() {
            Some(_) => [Command::AcceptDraw {}, Command::DeclineDraw {}],
            None => [Command::AllowTakeback {}, Command::RefuseTakeback {}],
        };
        return Cause::Command { client, command: answers[random.next_below(2) as usize].clone() };
    }
    let position = contest.position();
    let to_move = (1..=4).map(CommId).find(|client| game.side_of(*client) == Some(position.turn()));
    if let Some(client) = to_move.filter(|_| game.public().has_begun() && random.next_below(10) > 0) {
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        if !moves.as_slice().is_empty() {
            let legal = moves.as_slice()[random.next_below(moves.as_slice().len() as i32) as usize];
            return Cause::Command { client, command: Command::Move { text: legal.to_string().into() } };
        }
    }
    Cause::Command { client: CommId(1 + random.next_below(4) as u32), command: anything(random) }
}

fn anything(random: &mut JavaRandom) -> Command {
    let side = [None, Some(Side::White), Some(Side::Black)][random.next_below(3) as usize];
    match random.next_below(22) {
        0..4 => Command::Join { name: "Ana".into(), side },
        4..12 => Command::Move { text: some_text(random) },
        12 => Command::OfferDraw {},
        13 => Command::AcceptDraw {},
        14 => Command::DeclineDraw {},
        15 | 16 => Command::AskTakeback {},
        17 | 18 => Command::AllowTakeback {},
        19 => Command::RefuseTakeback {},
        20 if random.next_below(3) == 0 => Command::Abort {},
        20 if random.next_below(12) == 0 => Command::Claim {},
        _ if random.next_below(6) > 0 => Command::Resign { because: Some("x".repeat(201).into()) },
        _ => Command::Resign { because: None },
    }
}

fn some_text(random: &mut JavaRandom) -> Arc<str> {
    let mut square = || format!("{}{}", (b'a' + random.next_below(8) as u8) as char, 1 + random.next_below(8));
    let (from, to) = (square(), square());
    match random.next_below(8) {
        0 => "e2e4".into(),
        1..4 => {
            let letters = b"PNBRQpnbrq";
            format!("{}-{to}", letters[random.next_below(10) as usize] as char).into()
        }
        _ => format!("{from}-{to}").into(),
    }
}
