//! Scripts of authors' games, from their messages alone.

use std::{fmt, marker::PhantomData};

use commlib::Create;
use engine::Rulebook;
use script::{EventWords, GameError, ScriptAdapter, SeatEvents, Wanted, Wishes, random_wishes, scripted};
use server::{Adapter, AdapterError};
use short::{Event, Setup, Short, ShortGame};

/// Scripts of a short game: players are called by their names, and refusals and results are in words.
pub(crate) struct ShortScripts<G>(PhantomData<fn() -> G>);

/// Scripts of an adapter: messages have all their fields.
pub(crate) struct AdapterScripts<A>(PhantomData<fn() -> A>);

impl<G: ShortGame> ScriptAdapter for ShortScripts<G> {
    type Rules = Short<G>;

    const NAMING: Option<&'static str> = Some("Join");
    // Players do not leave a short game, so no event has this name.
    const SEATS: Option<SeatEvents> = Some(SeatEvents { joined: "Seated", left: "", player: "Seat" });
    const WORDED: &'static [(&'static str, EventWords)] =
        &[("Refused", EventWords::Rules), ("Finished", EventWords::Rules)];

    fn setup(wanted: &Wanted<'_>) -> Result<Setup<G>, GameError> {
        if let Some(edition) = wanted.edition {
            return Err(format!("there is no edition {edition}").into());
        }
        Setup::new(wanted.scenario, wanted.timeout_ms).map_err(|error| error.to_string().into())
    }

    fn scenario(setup: &Setup<G>) -> String {
        setup.text().into()
    }

    // A clock goes before a timeout, but a script in which someone is silent must name one.
    fn timeout_ms(setup: &Setup<G>) -> Option<u64> {
        setup.timeout_ms().or_else(|| Some(setup.clock()?.initial.saturating_mul(1000)))
    }

    fn built_in(name: &str) -> Option<&'static str> {
        let known = [("standard", "{}")].into_iter().chain(G::SCENARIOS.iter().copied());
        known.into_iter().find(|(known, _)| *known == name).map(|(_, text)| text)
    }

    fn scenario_names() -> Vec<&'static str> {
        ["standard"].into_iter().chain(G::SCENARIOS.iter().map(|(name, _)| *name)).collect()
    }

    fn words(event: &Event<G::Move, G>) -> String {
        event.words().unwrap_or_default()
    }

    fn wishes() -> Option<&'static dyn Wishes> {
        Some(random_wishes::<Self>())
    }
}

impl<A: Adapter> ScriptAdapter for AdapterScripts<A> {
    type Rules = A::Rules;

    fn setup(wanted: &Wanted<'_>) -> Result<<A::Rules as Rulebook>::Setup, GameError> {
        let create = Create {
            rulebook: Some(A::Rules::NAME.into()),
            scenario: wanted.scenario.into(),
            edition: wanted.edition.map(Into::into),
            seed: None,
            timeout: wanted.timeout_ms,
        };
        A::setup(&create).map_err(|error| error.to_string().into())
    }

    fn scenario(setup: &<A::Rules as Rulebook>::Setup) -> String {
        A::scenario(setup).map_or_else(|| serde_json::to_string(setup).unwrap_or_default(), Into::into)
    }

    // An adapter reads the name of a scenario as well as its text.
    fn built_in(name: &str) -> Option<&'static str> {
        A::scenarios().into_iter().find(|known| *known == name)
    }

    fn scenario_names() -> Vec<&'static str> {
        A::scenarios()
    }

    fn wishes() -> Option<&'static dyn Wishes> {
        Some(random_wishes::<Self>())
    }
}

/// The log of a game as a script: a default for [`Adapter::script`].
pub(crate) fn script<S: ScriptAdapter>(
    header: &[u8],
    entries: &mut dyn Iterator<Item = &[u8]>,
) -> Result<String, AdapterError> {
    let recorded = scripted::<S>().record(header, entries)?;
    Ok(recorded.print(1, recorded.scenario()))
}

impl<T> Clone for ShortScripts<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for ShortScripts<T> {}

impl<T> fmt::Debug for ShortScripts<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ShortScripts")
    }
}

impl<T> Clone for AdapterScripts<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for AdapterScripts<T> {}

impl<T> fmt::Debug for AdapterScripts<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AdapterScripts")
    }
}
