//! The file: the messages of the wire, and those of every rulebook.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::PathBuf,
};

use colony::{Edition, Game, Setup};
use commlib::{FromClient, PROTOCOL, ToClient};
use engine::{Audience, Cause, CommId, Message as _, Rulebook, laws::Trial};
use serde::Deserialize;
use server::Hosted;
use systemtests::generate;

use super::{
    trace,
    types::{Shape, Types},
};
use crate::chaos::Chaos;

/// How the events of a rulebook are told, by their kinds.
type Events = BTreeMap<&'static str, How>;

#[derive(Default)]
pub(crate) struct How {
    /// The kinds of audience.
    audience: BTreeSet<&'static str>,
    /// Whether words came with them.
    text: BTreeSet<bool>,
}

#[test]
fn file_is_what_the_types_say() {
    let (path, now) = (path(), text());
    if env::var_os("HOLDFAST_BLESS").is_some() {
        fs::write(&path, now).expect("the description can be written");
        return;
    }
    let then = fs::read_to_string(&path).unwrap_or_default();
    let mend = "if it is meant: cargo xtask protocol";
    for (at, (now, then)) in now.lines().zip(then.lines()).enumerate() {
        assert_eq!(now, then, "docs/protocol.json, line {}; {mend}", at + 1);
    }
    assert_eq!(now, then, "docs/protocol.json has other lines than before; {mend}");
}

pub(crate) fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/protocol.json")
}

/// The messages of the wire, with a place for those of a game.
pub(crate) fn wire() -> Types {
    /// Stands for the command of any game.
    #[derive(Deserialize)]
    #[serde(rename = "command")]
    struct AnyCommand;
    /// Stands for the event of any game.
    #[derive(Deserialize)]
    #[serde(rename = "event")]
    struct AnyEvent;

    let mut types = trace::types::<FromClient<AnyCommand>>();
    types.join(trace::types::<ToClient<AnyEvent>>());
    types
}

/// The messages of a rulebook. Commands and events are found by their own names.
pub(crate) fn rulebook<R: Rulebook>(told: &Events) -> Types {
    let mut types = trace::types::<R::Command>();
    types.join(trace::types::<R::Event>());
    let Some(Shape::Enum(events)) = types.0.get_mut(EVENT) else { panic!("the events are an enum") };
    for event in events.values_mut() {
        let how = told.get(event.name).unwrap_or_else(|| panic!("nobody was told {}", event.name));
        event.audience = how.audience.iter().copied().collect();
        assert_eq!(how.text.len(), 1, "{} always comes with words, or never", event.name);
        event.text = how.text.contains(&true);
    }
    types
}

/// What a rulebook calls them.
pub(crate) const COMMAND: &str = "Command";
pub(crate) const EVENT: &str = "Event";

/// Who is told what in colony, seen in random games, and what the server says to it.
pub(crate) fn colony_events() -> Events {
    let mut told = Events::new();
    for edition in Edition::ALL {
        for seed in 0..300 {
            let text = generate::scenario(edition, seed);
            let setup = Setup::new(&text, Some(edition), Some(30_000)).expect("generated scenarios are sound");
            let mut chaos = Chaos::new(&setup, seed);
            let mut trial = Trial::<Game>::new(&setup, seed, chaos.clients());
            for clock in 0..600 {
                if trial.game().outcome().is_some() {
                    break;
                }
                let cause = chaos.next(&trial);
                trial.step(clock * 30_000, cause);
                for (audience, event) in trial.outbox().events() {
                    note::<Game>(&mut told, &setup, audience, event);
                }
            }
        }
    }
    told
}

/// Who is told what in crazyhouse, seen in games that end in every way.
pub(crate) fn crazyhouse_events() -> Events {
    use crazyhouse::{Command, Game, Setup};
    let mut told = Events::new();
    let setup = Setup::new("standard", None).expect("it is built in");
    let mut trial = Trial::<Game>::new(&setup, 1, [CommId(1), CommId(2)]);
    let join = |name: &str| Command::Join { name: name.into(), side: None };
    let played = [
        (1, join("Ana")),
        (1, join("Ana")),
        (2, join("Bo")),
        (1, Command::Move { text: "e2-e4".into() }),
        (2, Command::Move { text: "e2-e4".into() }),
        (1, Command::OfferDraw {}),
        (2, Command::DeclineDraw {}),
        (2, Command::Resign { because: None }),
    ];
    for (client, command) in played {
        trial.step(0, Cause::Command { client: CommId(client), command });
        for (audience, event) in trial.outbox().events() {
            note::<Game>(&mut told, &setup, audience, event);
        }
    }
    told
}

fn note<R: Hosted>(told: &mut Events, setup: &R::Setup, audience: Audience, event: &R::Event) {
    let how = told.entry(event.kind().name).or_default();
    how.audience.insert(match audience {
        Audience::All => "all",
        Audience::Only(_) => "only",
        Audience::Board => "board",
    });
    how.text.insert(R::words(setup, event).is_some());
}

fn text() -> String {
    let wire = wire().text("    ");
    let rulebooks = [
        (Game::NAME, rulebook::<Game>(&colony_events())),
        (crazyhouse::Game::NAME, rulebook::<crazyhouse::Game>(&crazyhouse_events())),
    ];
    let rulebooks = rulebooks.map(|(name, types)| {
        let types = types.text("        ");
        format!(
            r#"    "{name}": {{
      "command": "{COMMAND}",
      "event": "{EVENT}",
      "types": {{{types}
      }}
    }}"#
        )
    });
    format!(
        r#"{{
  "protocol": {PROTOCOL},
  "from_client": "FromClient",
  "to_client": "ToClient",
  "types": {{{wire}
  }},
  "rulebooks": {{
{}
  }}
}}
"#,
        rulebooks.join(",\n")
    )
}
