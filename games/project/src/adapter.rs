//! The project game on a host. It is played over a Communication Server, where [`GameMaster`](crate::GameMaster) answers;
//! everywhere else it can be looked at.

use std::borrow::Cow;

use commlib::{Create, Raw};
use project_rules::{Command, Event, Game, Setup};
use server::{Adapter, AdapterError, WebFile, web_files};

/// Project on a host.
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

    /// Who plays is known by a hash that only the Game Master's own wire has.
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

    /// It would tell where the goals are, and by which hashes players are known.
    fn scenario(_: &Setup) -> Option<&str> {
        None
    }

    fn title(_: Option<&str>) -> String {
        "configured".into()
    }

    /// A game without a Game Master is none, so there are none to be made by their name.
    fn scenarios() -> Vec<&'static str> {
        Vec::new()
    }

    fn web() -> &'static [WebFile] {
        const FILES: &[WebFile] = web_files!("board.js", "draw.css", "draw.js", "players.js", "tiles.js");
        FILES
    }
}
