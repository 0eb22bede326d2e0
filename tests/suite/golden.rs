//! What must never change by accident: whole games in words, and the bytes of every message.
//!
//! `cargo xtask bless` writes the files anew; the difference is then for a person to read.

pub(crate) mod bytes;

use std::{env, fmt::Write as _, fs, path::PathBuf};

use colony::{script::Colony, strategy, table::Table};
use colony_rules::{Command, Game, Setup, Timer};
use engine::{Audience, Cause, Chain, CommId, Emission, Header, Input, Message, Outbox, Rulebook, Waiting};
use script::event_arguments;
use serde_json::Value;

use crate::{
    agents::{self, Agents},
    explorers,
};

/// Compares a text with a golden file, or writes it.
#[track_caller]
fn check(name: &str, text: &str) {
    let path = file(name);
    if env::var_os("HOLDFAST_BLESS").is_some() {
        fs::write(&path, text).expect("the golden file can be written");
        return;
    }
    let golden = fs::read_to_string(&path).unwrap_or_default();
    for (at, (now, then)) in text.lines().zip(golden.lines()).enumerate() {
        assert_eq!(now, then, "{name}, line {}; `cargo xtask bless` if it is meant", at + 1);
    }
    assert_eq!(text.lines().count(), golden.lines().count(), "{name} has as many lines as before");
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/suite/golden").join(name)
}

#[test]
fn golden_group() {
    check("group.txt", &playthrough("first-night", 7, "sensible"));
}

#[test]
fn golden_equipment() {
    check("equipment.txt", &playthrough("winter", -3, "sensible"));
}

#[test]
fn golden_fate() {
    check("fate.txt", &playthrough("crossroads", 2026, "sensible"));
}

#[test]
fn golden_refusals() {
    check("refusals.txt", &playthrough("first-night", 4, "random"));
}

/// A whole game of bots: every command, and all that it causes, for whomever.
fn playthrough(scenario: &str, seed: i64, bot: &str) -> String {
    let text = colony::scenario(scenario).expect("a built-in scenario");
    let setup = Setup::new(text, None, None).expect("built-in scenarios are sound");
    let players = usize::from(setup.scenario.max_players);
    let mut table = Table::new(&setup, seed, &vec![strategy(bot).expect("a known bot").bot; players]);
    let header = Header::new::<Game>("golden", 0, setup.clone(), seed).encode();
    let mut chain = Chain::new(&header);
    let mut story = format!("{scenario}, {} edition, seed {seed}, {players} x {bot}\n", setup.edition);
    while let Some((client, command)) = table.next_command() {
        writeln!(story, "> {client} {}{}", command.kind().name, listed(&engine::arguments(&command)))
            .expect("a string");
        let input: Input<Command, Timer> =
            Input { elapsed: 0, cause: Cause::Command { client, command: command.clone() } };
        table.play(client, command);
        chain.append(0, &input, table.outbox().emissions());
        story += &told(table.outbox().emissions(), |event| event_arguments::<Colony>(event, "$SCENARIO"));
    }
    let outcome = table.game().outcome().expect("played to the end");
    writeln!(story, "{outcome}; {} entries, digest {}", chain.sequence(), chain.digest()).expect("a string");
    story
}

/// What a fold said, a line for each.
fn told<E: Message>(emissions: &[Emission<E>], arguments: impl Fn(&E) -> Vec<Value>) -> String {
    let line = |emission: &Emission<E>| match emission {
        Emission::Event { audience, event } => {
            let to = match audience {
                Audience::All => "all".into(),
                Audience::Only(client) => client.to_string(),
                Audience::Board => "board".into(),
            };
            format!("  {to}: {}{}\n", event.kind().name, listed(&arguments(event)))
        }
        Emission::Seated { client } => format!("  {client} has a seat\n"),
        Emission::Unseated { client } => format!("  {client} has no seat\n"),
    };
    emissions.iter().map(line).collect()
}

fn listed(arguments: &[Value]) -> String {
    arguments.iter().map(|argument| format!(" {argument}")).collect()
}

/// A game that is told as it is played: every input, and all that it causes, for whomever.
struct Story<R: Rulebook> {
    game: R,
    outbox: Outbox<R::Event, R::Timer>,
    chain: Chain,
    text: String,
}

impl<R: Rulebook> Story<R> {
    fn new(title: &str, setup: R::Setup, seed: i64) -> Self {
        let mut outbox = Outbox::new();
        let game = R::start(&setup, seed, &mut outbox);
        let chain = Chain::new(&Header::new::<R>("golden", 0, setup, seed).encode());
        Self { game, outbox, chain, text: format!("{title}\n") }
    }

    fn fold(&mut self, elapsed: u64, cause: Cause<R::Command, R::Timer>) {
        let line = match &cause {
            Cause::Command { client, command } => {
                format!("{client} {}{}", command.kind().name, listed(&engine::arguments(command)))
            }
            Cause::Timer { timer } => format!("{timer:?}"),
        };
        writeln!(self.text, "> {line}").expect("a string");
        let input = Input { elapsed, cause };
        self.outbox.clear();
        self.game.fold(&input, &mut self.outbox);
        self.chain.append(0, &input, self.outbox.emissions());
        self.text += &told(self.outbox.emissions(), engine::arguments);
    }

    fn end(self) -> String {
        let Self { game, chain, text, .. } = self;
        let outcome = game.outcome().expect("played to the end");
        format!("{text}{outcome}; {} entries, digest {}\n", chain.sequence(), chain.digest())
    }
}

/// Two bots at a board, from the first seat to the mate.
#[test]
fn golden_crazyhouse() {
    use crazyhouse_rules::{Command, Game, Setup};
    let setup = Setup::new("blitz", None).expect("a built-in scenario");
    let mut story = Story::<Game>::new("blitz, seed 5, greedy against random", setup, 5);
    let bots = ["greedy", "random"].map(|name| crazyhouse::bots::bot(name).expect("a known bot"));
    let mut bots = bots.map(|bot| (bot.make)(crazyhouse::bots::Budget::nodes(1), 5));
    for step in 0.. {
        let (client, command) = match (step, story.game.waiting_for()) {
            (0 | 1, _) => {
                (CommId(step + 1), Command::Join { name: ["greedy", "random"][step as usize].into(), side: None })
            }
            (_, Waiting::One(client)) => {
                let bot = &mut bots[client.0 as usize - 1];
                let chosen = bot.choose(story.game.public().contest().position()).expect("our bots never fail");
                let text = chosen.expect("there is a move").to_string();
                (client, Command::Move { text: text.into() })
            }
            (_, Waiting::Nobody | Waiting::Anybody) => break,
        };
        story.fold(u64::from(step) * 250, Cause::Command { client, command });
    }
    check("crazyhouse.txt", &story.end());
}

/// Both years, from the first player to the fort.
#[test]
fn golden_treasure() {
    for (year, seed) in [("2022", 22), ("2017", 17)] {
        let setup = treasure_rules::Setup::new(year).expect("a built-in scenario");
        let title = format!("{year}, seed {seed}, two who know the way");
        let mut story = Story::<treasure_rules::Game>::new(&title, setup, seed);
        for step in 0.. {
            let Some((client, command)) = explorers::next(&story.game) else { break };
            story.fold(step * 250, Cause::Command { client, command });
        }
        check(&format!("treasure-{year}.txt"), &story.end());
    }
}

/// With its timers, from the lobby to the last goal.
#[test]
fn golden_project() {
    let setup = project_rules::Setup::new(agents::SCENARIO).expect("a sound scenario");
    let mut story = Story::<project_rules::Game>::new("one against one, seed 1", setup, 1);
    let mut agents = Agents::default();
    agents.follow(story.outbox.timers());
    while let Some((elapsed, cause)) = agents.next(&story.game) {
        story.fold(elapsed, cause);
        agents.follow(story.outbox.timers());
    }
    check("project.txt", &story.end());
}
