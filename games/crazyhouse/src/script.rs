//! Crazyhouse in scripts.

use crazyhouse_rules::{Event, Game, SCENARIOS, Setup};
use script::{EventWords, GameError, ScriptAdapter, SeatEvents, Wanted, Wishes, random_wishes};

use crate::Crazyhouse;

impl ScriptAdapter for Crazyhouse {
    type Rules = Game;

    const NAMING: Option<&'static str> = Some("Join");
    // Players do not leave a game, and sides have words. So no event and no type has these names.
    const SEATS: Option<SeatEvents> = Some(SeatEvents { joined: "Seated", left: "", player: "" });
    const WORDED: &'static [(&'static str, EventWords)] = &[("Refused", EventWords::Rules)];

    fn setup(wanted: &Wanted<'_>) -> Result<Setup, GameError> {
        Setup::new(wanted.scenario, wanted.timeout_ms).map_err(|error| error.to_string().into())
    }

    fn scenario(setup: &Setup) -> String {
        (*setup.text).into()
    }

    fn timeout_ms(setup: &Setup) -> Option<u64> {
        // Without a timeout, a script has the usual one.
        let usual = Setup::new("{}", None).map_or(0, |usual| usual.timeout_ms);
        Some(setup.timeout_ms).filter(|timeout| *timeout != usual)
    }

    fn built_in(name: &str) -> Option<&'static str> {
        SCENARIOS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
    }

    fn scenario_names() -> Vec<&'static str> {
        SCENARIOS.iter().map(|(name, _)| *name).collect()
    }

    fn words(event: &Event) -> String {
        if let Event::Refused { refusal } = event { refusal.to_string() } else { String::new() }
    }

    fn wishes() -> Option<&'static dyn Wishes> {
        Some(random_wishes::<Self>())
    }
}
