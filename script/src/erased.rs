//! Type-erased games and recordings.

use std::{any::Any, marker::PhantomData};

use engine::{ArgumentError, Kind, Rulebook, from_arguments};
use serde_json::Value;

use crate::{
    adapter::{CommandOf, EventOf, EventWords, ScriptAdapter, worded},
    any::{AnyCommand, AnySetup},
    client::SeatEvents,
    game::ScriptedGame,
    local::{Local, LocalGame},
    names::Names,
    pattern::{EventPattern, Pattern},
    print::print,
    received::{EventReadError, ReceivedEvent},
    recorded::RecordedGame,
    recording::Recording,
    step::Call,
    stored::RecordingError,
    transcript::{ScenarioText, Transcript},
    wanted::{GameError, Wanted},
    wire::Wire,
    wishes::Wishes,
};

/// The type-erased game of an adapter, for a list of games.
pub const fn scripted<A: ScriptAdapter>() -> &'static dyn ScriptedGame {
    &Erased::<A>(PhantomData)
}

/// The game of an adapter.
struct Erased<A>(PhantomData<fn() -> A>);

impl<A: ScriptAdapter> ScriptedGame for Erased<A> {
    fn name(&self) -> &'static str {
        A::Rules::NAME
    }

    fn is_named(&self) -> bool {
        A::NAMED
    }

    fn editions(&self) -> &'static [&'static str] {
        A::EDITIONS
    }

    fn naming(&self) -> Option<&'static str> {
        A::NAMING
    }

    fn seats(&self) -> Option<SeatEvents> {
        A::SEATS
    }

    fn commands(&self) -> &'static [Kind] {
        A::commands()
    }

    fn events(&self) -> &'static [Kind] {
        A::events()
    }

    fn worded(&self, event: &str) -> Option<EventWords> {
        worded::<A>(event)
    }

    fn word_types(&self) -> Option<&'static [&'static str]> {
        A::WORD_TYPES
    }

    fn check_command(&self, call: &Call) -> Result<(), ArgumentError> {
        from_arguments::<CommandOf<A>>(&call.name, &call.arguments).map(drop)
    }

    fn check_event(&self, call: &Call) -> Result<(), ArgumentError> {
        from_arguments::<EventOf<A>>(&call.name, &call.arguments).map(drop)
    }

    fn names(&self, scenario: &str) -> Names {
        A::names(scenario)
    }

    fn built_in(&self, name: &str) -> Option<&'static str> {
        A::built_in(name)
    }

    fn scenario_names(&self) -> Vec<&'static str> {
        A::scenario_names()
    }

    fn setup(&self, wanted: &Wanted<'_>) -> Result<AnySetup, GameError> {
        Ok(AnySetup(Box::new(A::setup(wanted)?)))
    }

    fn command(&self, call: &Call) -> Result<AnyCommand, ArgumentError> {
        Ok(AnyCommand(Box::new(A::command(&call.name, &call.arguments)?)))
    }

    fn pattern(&self, expected: &Call) -> Box<dyn EventPattern> {
        Box::new(Pattern::<A>::new(expected))
    }

    fn read_event(&self, event: &Value, words: Option<String>) -> Result<ReceivedEvent, EventReadError> {
        ReceivedEvent::read::<A>(event, words)
    }

    fn start(&self, setup: &AnySetup, seed: i64, clients: &[u32]) -> Box<dyn LocalGame> {
        let setup = setup.downcast::<A>().expect("the setup belongs to this game");
        Box::new(Local::<A>::start(setup, seed, clients))
    }

    fn record(
        &self,
        header: &[u8],
        entries: &mut dyn Iterator<Item = &[u8]>,
    ) -> Result<Box<dyn RecordedGame>, RecordingError> {
        let recording = match A::stored(header, entries)? {
            Some(game) => Recording::<A>::play(&game.name, &game.setup, game.seed, &game.causes),
            None => Recording::of_log(header, entries)?,
        };
        Ok(Box::new(recording))
    }

    fn random_game(&self, name: &str, setup: &AnySetup, seed: i64, players: usize) -> Box<dyn RecordedGame> {
        let setup = setup.downcast::<A>().expect("the setup belongs to this game");
        Box::new(Recording::<A>::random(name, setup, seed, players))
    }

    fn replay(&self, transcript: &Transcript, scenario: &str) -> Result<Box<dyn RecordedGame>, GameError> {
        Ok(Box::new(Recording::<A>::of_script(transcript, scenario)?))
    }

    fn wire(&self) -> Option<&'static dyn Wire> {
        A::wire()
    }

    fn wishes(&self) -> Option<&'static dyn Wishes> {
        A::wishes()
    }
}

impl<A: ScriptAdapter> RecordedGame for Recording<A> {
    fn name(&self) -> &str {
        &self.name
    }

    fn entries(&self) -> usize {
        self.entries.len()
    }

    fn cut(&mut self, entries: usize) {
        if entries < self.entries.len() {
            self.entries.truncate(entries);
            self.over = false;
        }
    }

    fn scenario(&self) -> ScenarioText {
        let text = A::scenario(&self.setup);
        let is_this = |name: &&'static str| A::built_in(name) == Some(text.as_str());
        match A::scenario_names().into_iter().find(is_this) {
            Some(name) => ScenarioText::File(name.into()),
            None => ScenarioText::Text(text),
        }
    }

    fn transcript(&self, from: usize, scenario: ScenarioText) -> Transcript {
        self.transcript(from, scenario)
    }

    fn print(&self, from: usize, scenario: ScenarioText) -> String {
        let names = A::names(&A::scenario(&self.setup));
        print(scripted::<A>(), &self.transcript(from, scenario), &names)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
