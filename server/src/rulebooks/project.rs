//! The project game on a host. It is played over a Communication Server, where [`GameMaster`] answers; everywhere else it can
//! be looked at.

mod configuration;
mod delays;
mod hearing;
mod link;
mod mail;
mod master;
mod overhearing;
mod reaching;
mod requests;
mod telling;

use std::borrow::Cow;

use commlib::{Create, Raw};
use project::{Command, Event, Game, Setup};

pub use configuration::read_configuration;
pub use master::{Finished, GameMaster, MasterOptions};
pub use xml::project::Guid;

use crate::hosted::Hosted;

impl Hosted for Game {
    const DESK: bool = true;

    fn setup(create: &Create) -> Result<Setup, String> {
        if let Some(edition) = create.edition.as_ref().filter(|edition| *edition != "standard") {
            return Err(format!("There is no edition {edition:?}; there is one, standard."));
        }
        Setup::new(&create.scenario).map_err(|error| error.to_string())
    }

    /// Who plays is known by a hash that only the Game Master's own wire has.
    fn command(_: &Raw<'_>) -> Result<Command, String> {
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
}
