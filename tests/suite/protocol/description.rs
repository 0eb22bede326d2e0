//! The file docs/protocol.json: the messages of the wire protocol, and those of every rulebook.

use std::{env, fs, path::PathBuf};

use commlib::{FromClient, PROTOCOL, ToClient};
use engine::Rulebook;
use serde::Deserialize;

use super::{
    told::Events,
    trace,
    types::{Shape, Types},
};
use crate::rulebooks::{RULEBOOKS, Tested};

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
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/protocol.json")
}

/// Stands for the command of any game.
#[derive(Deserialize)]
#[serde(rename = "command")]
pub(crate) struct AnyCommand;

/// Stands for the event of any game.
#[derive(Deserialize)]
#[serde(rename = "event")]
pub(crate) struct AnyEvent;

/// The messages of the wire protocol, with placeholders for those of a game.
pub(crate) fn wire() -> Types {
    let mut types = trace::types::<FromClient<AnyCommand>>();
    types.join(trace::types::<ToClient<AnyEvent>>());
    types
}

/// The messages of a rulebook.
pub(crate) fn rulebook<R: Rulebook>(told: &Events) -> Types {
    let mut types = trace::types::<R::Command>();
    types.join(trace::types::<R::Event>());
    let Some(Shape::Enum(events)) = types.0.get_mut(EVENT) else { panic!("the events are an enum") };
    for event in events.values_mut() {
        let how = told.get(event.name).unwrap_or_else(|| panic!("no game emits {}", event.name));
        event.audience = how.audience.iter().copied().collect();
        assert_eq!(how.text.len(), 1, "{} always comes with words, or never", event.name);
        event.text = how.text.contains(&true);
    }
    types
}

/// The names of the command type and of the event type in every rulebook.
pub(crate) const COMMAND: &str = "Command";
pub(crate) const EVENT: &str = "Event";

fn text() -> String {
    let wire = wire().text("    ");
    let rulebooks = RULEBOOKS.iter().map(|Tested { name, types, .. }| {
        let types = types().text("        ");
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
        rulebooks.collect::<Vec<_>>().join(",\n")
    )
}
