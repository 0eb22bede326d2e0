//! Colony in the simulation: settlers who send random commands, most of them legal.

use std::cell::RefCell;

use colony_rules::{Asked, Command, Edition, Event, Phase, Setup, View};
use commlib::Create;
use engine::{JavaRandom, Projection};

use crate::{bot::Bot, random::Random};

/// A settler.
pub(crate) struct Settler {
    number: usize,
    /// The settler's view, as soon as the scenario is known.
    view: Option<View>,
    /// Events before the scenario.
    early: Vec<Event>,
}

impl Bot for Settler {
    type Game = colony::Colony;

    const MOST_PLAYERS: u64 = 3;

    fn create(random: &mut Random) -> Create {
        // The large scenario takes long to read, and the host does the same with it.
        let scenario = if random.chance(25) { "crossroads" } else { "first-night" };
        let timeout = if random.chance(50) { Some(random.within(400..=8000)) } else { None };
        Create {
            rulebook: Some("colony".into()),
            scenario: scenario.into(),
            edition: None,
            seed: random.chance(50).then(|| random.below(1000) as i64),
            timeout,
        }
    }

    fn new(number: usize) -> Self {
        Self { number, view: None, early: Vec::new() }
    }

    fn hear(&mut self, edition: &str, event: &Event, text: Option<&str>) {
        if let Some(view) = &mut self.view {
            return view.apply(event);
        }
        self.early.push(event.clone());
        if *event == (Event::Config {})
            && let Ok(edition) = edition.parse()
            && let Some(setup) = setup(text.unwrap_or_default(), edition)
        {
            let mut view = View::new(&setup);
            self.early.drain(..).for_each(|event| view.apply(&event));
            self.view = Some(view);
        }
    }

    fn act(&mut self, random: &mut Random) -> Option<Command> {
        // A host refuses such a command of a client that has no seat.
        if self.view.is_some() && random.chance(4) {
            return Some(Command::Search { character: colony_rules::CharacterId(random.below(40) as i32) });
        }
        let Some(view) = &self.view else {
            return Some(Command::Register { name: format!("settler {}", self.number).into() });
        };
        if view.board.phase == Phase::Registration {
            return (self.number == 0 && view.board.players.len() > 1).then_some(Command::StartGame {});
        }
        let decide = colony::strategy(if random.chance(50) { "random" } else { "sensible" })?.bot;
        (view.asked != Asked::Nothing).then(|| decide.decide(view, &mut JavaRandom::new(random.next() as i64)))
    }
}

/// Reads a scenario. The same few are read again and again, so they are kept.
fn setup(text: &str, edition: Edition) -> Option<Setup> {
    thread_local!(static KNOWN: RefCell<Vec<(String, Edition, Setup)>> = const { RefCell::new(Vec::new()) });
    KNOWN.with_borrow_mut(|known| {
        if let Some((_, _, setup)) = known.iter().find(|(other, of, _)| other == text && *of == edition) {
            return Some(setup.clone());
        }
        let setup = Setup::new(text, Some(edition), None).ok()?;
        known.push((text.into(), edition, setup.clone()));
        Some(setup)
    })
}
