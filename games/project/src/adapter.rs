//! The adapter of the project game for hosts. A [`GameMaster`](crate::GameMaster) and a Communication Server run the game. All
//! other clients of a host can only watch it.

use std::borrow::Cow;

use commlib::{Create, Raw};
use project_rules::{Command, Event, Game, Setup};
use server::{Adapter, AdapterError, WebFile, web_files};

/// The adapter of the project game.
#[derive(Clone, Copy, Debug)]
pub struct Project;

impl Adapter for Project {
    type Rules = Game;

    const HANDLE: bool = true;

    fn setup(create: &Create) -> Result<Setup, AdapterError> {
        if let Some(edition) = create.edition.as_ref().filter(|edition| *edition != "standard") {
            return Err(format!("There is no edition {edition:?}; there is one, standard.").into());
        }
        Ok(Setup::new(&create.scenario)?)
    }

    /// The game identifies players by hashes, which only the XML protocol has.
    fn command(_: &Raw<'_>) -> Result<Command, AdapterError> {
        Err("the project game is played over a Communication Server in XML; here it can be watched".into())
    }

    fn words<'a>(_: &'a Setup, event: &'a Event) -> Option<Cow<'a, str>> {
        match event {
            Event::Refused { refusal } => Some(refusal.to_string().into()),
            Event::Noted { note } => Some(note.to_string().into()),
            Event::Ended { outcome } => Some(outcome.to_string().into()),
            Event::Confirmed { .. }
            | Event::TeamGiven { .. }
            | Event::Started { .. }
            | Event::Answered { .. }
            | Event::Repeated { .. }
            | Event::Joined { .. }
            | Event::TeamJoined { .. }
            | Event::Began {}
            | Event::Acted { .. }
            | Event::Scored { .. }
            | Event::Lost { .. }
            | Event::Returned { .. }
            | Event::Left { .. }
            | Event::Learnt { .. }
            | Event::Told { .. } => None,
        }
    }

    /// Hidden, because the setup contains the goals and the hashes of players.
    fn scenario(_: &Setup) -> Option<&str> {
        None
    }

    fn title(_: Option<&str>) -> String {
        "configured".into()
    }

    fn about() -> &'static str {
        "Two teams of agents race for pieces and goals."
    }

    /// Empty, because a game needs a Game Master and so cannot be created by name.
    fn scenarios() -> Vec<&'static str> {
        Vec::new()
    }

    fn web() -> &'static [WebFile] {
        const FILES: &[WebFile] = web_files!("board.js", "draw.css", "draw.js", "players.js", "poster.svg", "tiles.js");
        FILES
    }
}
