//! Golden files, which must never change by accident: whole games as text, and the bytes of every message.
//!
//! `cargo xtask bless` writes the files again. Read the diff afterwards.

pub(crate) mod bytes;

use std::{env, fmt::Write as _, fs, path::PathBuf};

use engine::{Audience, Cause, Chain, Emission, Header, Input, Message, Outbox, Rulebook};
use serde_json::Value;

/// Compares a text with a golden file of a game. When blessing, writes the file instead.
#[track_caller]
pub(crate) fn check(game: &str, name: &str, text: &str) {
    let path = file(game, name);
    if env::var_os("HOLDFAST_BLESS").is_some() {
        fs::write(&path, text).expect("the golden file can be written");
        return;
    }
    let golden = fs::read_to_string(&path).unwrap_or_default();
    for (at, (now, then)) in text.lines().zip(golden.lines()).enumerate() {
        assert_eq!(now, then, "{game}: {name}, line {}; `cargo xtask bless` if it is meant", at + 1);
    }
    assert_eq!(text.lines().count(), golden.lines().count(), "{game}: {name} has as many lines as before");
}

fn file(game: &str, name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("games").join(game).join("tests/golden").join(name)
}

/// The emissions of a fold, one per line.
pub(crate) fn told<E: Message>(emissions: &[Emission<E>], arguments: impl Fn(&E) -> Vec<Value>) -> String {
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

pub(crate) fn listed(arguments: &[Value]) -> String {
    arguments.iter().map(|argument| format!(" {argument}")).collect()
}

/// The text of a game that is being played: every input with all its emissions.
pub(crate) struct Story<R: Rulebook> {
    pub(crate) game: R,
    pub(crate) outbox: Outbox<R::Event, R::Timer>,
    chain: Chain,
    text: String,
}

impl<R: Rulebook> Story<R> {
    pub(crate) fn new(title: &str, setup: R::Setup, seed: i64) -> Self {
        let mut outbox = Outbox::new();
        let game = R::start(&setup, seed, &mut outbox);
        let chain = Chain::new(&Header::new::<R>("golden", 0, setup, seed).encode());
        Self { game, outbox, chain, text: format!("{title}\n") }
    }

    pub(crate) fn fold(&mut self, elapsed: u64, cause: Cause<R::Command, R::Timer>) {
        let line = match &cause {
            Cause::Command { client, command } => {
                format!("{client} {}{}", command.kind().name, listed(&engine::arguments(command)))
            }
            Cause::Timer { timer } => format!("{timer:?}"),
        };
        writeln!(self.text, "> {line}").expect("a string");
        let input = Input { elapsed_ms: elapsed, cause };
        self.outbox.clear();
        self.game.fold(&input, &mut self.outbox);
        self.chain.append(0, &input, self.outbox.emissions());
        self.text += &told(self.outbox.emissions(), engine::arguments);
    }

    pub(crate) fn end(self) -> String {
        let Self { game, chain, text, .. } = self;
        let outcome = game.outcome().expect("played to the end");
        format!("{text}{outcome}; {} entries, digest {}\n", chain.sequence(), chain.digest())
    }
}
