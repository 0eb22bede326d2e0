//! What the targets know about a game.

use std::{pin::Pin, sync::Arc};

use script::ScriptedGame;
use server::{Adapter, Erased, Host, HostedGame, RulebookPort, SetupOf};

use super::{log_entry, scenario, stream::Stream, wire};

/// A game that takes part in the targets. The file `tests/fuzz/mod.rs` of the game implements it.
pub(super) trait Fuzzed {
    /// The game on a host.
    type Adapter: Adapter;

    /// The game's own documents, each with the letter by which an input chooses it.
    const DOCUMENTS: &'static [Document] = &[];

    /// The editions that a client can ask for.
    const EDITIONS: &'static [&'static str] = &["standard"];

    /// Other forms of setups than scenarios, each with the letter by which an input chooses it. The second argument has inputs
    /// for a game of the setup.
    const SETUPS: &'static [OtherSetup] = &[];

    /// The game for scripts, if it has some.
    const SCRIPTS: Option<&'static dyn ScriptedGame> = None;

    /// The routes of the game's own HTTP port, if it has one.
    const ROUTES: Option<Routes> = None;

    /// Setups to begin games with, at least one.
    fn setups() -> &'static [SetupOf<Self::Adapter>];
}

/// Reads a document, and writes it again.
pub(super) type Document = (u8, fn(&[u8]));

/// Reads a setup, and plays a game of it.
pub(super) type OtherSetup = (u8, fn(&[u8], &[u8]));

/// Makes the routes of a game's own HTTP port.
pub(super) type Routes = fn(Arc<Host>) -> Pin<Box<dyn Future<Output = RulebookPort> + Send>>;

/// A [`Fuzzed`] game without its types.
pub(super) struct Game {
    pub(super) from_client: fn(&Stream<'_>),
    pub(super) to_client: fn(&Stream<'_>),
    pub(super) header: fn(&[u8]),
    pub(super) entry: fn(&[u8]),
    pub(super) rows: fn(&[u8]),
    pub(super) played: fn(&[u8]),
    pub(super) changed: fn(&[u8]),
    pub(super) scenario: fn(&str, [u8; 2], &[u8]),
    pub(super) documents: &'static [Document],
    pub(super) setups: &'static [OtherSetup],
    pub(super) scripts: Option<&'static dyn ScriptedGame>,
    pub(super) hosted: &'static dyn HostedGame,
    pub(super) routes: Option<Routes>,
}

impl Game {
    pub(super) const fn of<F: Fuzzed>() -> Self {
        Self {
            from_client: wire::from_client::<F::Adapter>,
            to_client: wire::to_client::<F::Adapter>,
            header: log_entry::header::<F::Adapter>,
            entry: log_entry::entry::<F::Adapter>,
            rows: log_entry::rows::<F>,
            played: log_entry::played::<F>,
            changed: log_entry::changed::<F>,
            scenario: scenario::scenario::<F>,
            documents: F::DOCUMENTS,
            setups: F::SETUPS,
            scripts: F::SCRIPTS,
            hosted: const { &Erased::<F::Adapter>::NEW },
            routes: F::ROUTES,
        }
    }
}
