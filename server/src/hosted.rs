//! What a rulebook brings besides its rules to be hosted.

use std::borrow::Cow;

use commlib::{Create, Raw};
use engine::{Rulebook, Shown};

/// A rulebook that can be hosted: how its games are asked for, and how its messages look on the wire.
pub trait Hosted:
    Shown
    + Rulebook<Setup: Send + Sync, Command: Send, Event: Send + Sync, Timer: Send + Sync, Board: Send + Sync>
    + Send
    + Sync
    + 'static
{
    /// The setup that a client asks for; otherwise everything that is wrong with it.
    fn setup(create: &Create) -> Result<Self::Setup, String>;

    /// Reads a command in either form. What is no command at all is the gateway's to answer, with these words.
    fn command(raw: &Raw<'_>) -> Result<Self::Command, String>;

    /// The words that go with an event on the wire: texts that the log does not repeat, or that are made from facts.
    fn words<'a>(setup: &'a Self::Setup, event: &'a Self::Event) -> Option<Cow<'a, str>>;

    /// The text that the setup was made from, for those who watch and people who look into the store.
    fn scenario(setup: &Self::Setup) -> Option<&str>;

    /// What a scenario is called, for lists of games.
    fn title(scenario: Option<&str>) -> String;

    /// Scenarios that need no more than their name.
    fn scenarios() -> Vec<&'static str>;

    /// The script that plays a game again, of its header and the entries of its log, or why there is none; `None` where the
    /// rulebook has no scripts.
    fn script(header: &[u8], entries: &mut dyn Iterator<Item = &[u8]>) -> Option<Result<String, String>> {
        let _no_scripts = (header, entries);
        None
    }
}
