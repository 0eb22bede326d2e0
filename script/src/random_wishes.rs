//! Wishes for any game: which events its random players must cause.
//!
//! `Refused`, `3 x Played Ana`, `not Finished`, `Played and Finished "a draw"`: `not` binds most, `or` least.

use std::{marker::PhantomData, sync::Arc};

use engine::Emission;
use serde_json::Value;

use crate::{
    adapter::{EventOf, ScriptAdapter, SetupOf, worded},
    call::{EventReader, LineError},
    client::Client,
    erased::scripted,
    pattern::EventPattern,
    random_game::{RandomGame, acts_of, clients},
    received::{ReceivedEvent, Words},
    recorded::RecordedGame,
    recording::{Act, Recording},
    script_error::ScriptError,
    step::{ANY_VALUE, Call},
    token::{Line, Token},
    wanted::Wanted,
    wishes::{Progress, Searched, SeedSearch, WishError, Wishes},
};

/// The search for games of random players, which the default of [`ScriptAdapter::wishes`] returns.
pub const fn random_wishes<A: ScriptAdapter>() -> &'static dyn Wishes {
    &RandomWishes::<A>(PhantomData)
}

struct RandomWishes<A>(PhantomData<fn() -> A>);

const RANDOM: &str = "random";

impl<A: ScriptAdapter> Wishes for RandomWishes<A> {
    fn bots(&self) -> Vec<&'static str> {
        vec![RANDOM]
    }

    fn usual_bot(&self) -> &'static str {
        RANDOM
    }

    fn search(&self, games: &Searched<'_>, _: &str, wish: &str) -> Result<Box<dyn SeedSearch>, WishError> {
        let (setup, clients, first, scenario) = match games {
            Searched::Plain { scenario, edition, players } => {
                let wanted = Wanted { scenario, edition: *edition, timeout_ms: None };
                (A::setup(&wanted).map_err(WishError::Game)?, clients(*players), Vec::new(), *scenario)
            }
            Searched::Script { transcript, scenario } => {
                let (setup, acts) = acts_of::<A>(transcript, scenario).map_err(WishError::Game)?;
                (setup, transcript.clients.clone(), acts, *scenario)
            }
        };
        let wish = Wish::read::<A>(wish, scenario, &clients).map_err(WishError::Unreadable)?;
        Ok(Box::new(RandomSearch::<A> { setup, clients, first, scenario: scenario.into(), wish: Arc::new(wish) }))
    }

    fn shorten(
        &self,
        game: &dyn RecordedGame,
        wish: &str,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Option<Box<dyn RecordedGame>>, WishError> {
        let Some(recording) = game.as_any().downcast_ref::<Recording<A>>() else { return Ok(None) };
        let scenario = A::scenario(&recording.setup);
        let wish = Wish::read::<A>(wish, &scenario, &recording.players()).map_err(WishError::Unreadable)?;
        let mut games_played = 0;
        let mut grants = |acts: &[&Act<A>], commands_left: usize| {
            games_played += 1;
            progress(Progress { games_played, commands_left });
            let played = Recording::<A>::play(&recording.name, &recording.setup, recording.seed, acts.iter().copied());
            let mut watch = Watch::new(&wish);
            let emissions = played.entries.iter().flat_map(|entry| &entry.emissions);
            emissions.for_each(|emission| watch.hear::<A>(emission, &scenario));
            watch.is_granted()
        };
        let mut acts: Vec<&Act<A>> = recording.causes().collect();
        if !grants(&acts, acts.len()) {
            return Ok(None);
        }
        let mut size = acts.len().div_ceil(2);
        while size > 0 {
            let mut begin = 0;
            while begin < acts.len() {
                let end = (begin + size).min(acts.len());
                let rest = [&acts[..begin], &acts[end..]].concat();
                // What was removed may have been the reason to keep something else, so the same place is tried again.
                if grants(&rest, acts.len()) { acts = rest } else { begin = end }
            }
            size = if size == 1 { 0 } else { size.div_ceil(2) };
        }
        let short = Recording::<A>::play(&recording.name, &recording.setup, recording.seed, acts);
        Ok(Some(Box::new(short)))
    }
}

/// Plays games of seeds.
struct RandomSearch<A: ScriptAdapter> {
    setup: SetupOf<A>,
    clients: Vec<Client>,
    /// The commands of a script, which come first.
    first: Vec<Act<A>>,
    scenario: Arc<str>,
    wish: Arc<Wish>,
}

impl<A: ScriptAdapter> RandomSearch<A> {
    /// Plays until the wish is granted or the game ends. Returns whether it is, and everything that was played.
    fn play(&self, seed: i64) -> (bool, Vec<Act<A>>) {
        let mut game = RandomGame::<A>::new(&self.setup, seed, &self.clients);
        let mut watch = Watch::new(&self.wish);
        let mut acts = Vec::new();
        let mut first = self.first.iter();
        while let Some(act) = first.next().cloned().or_else(|| game.next()) {
            acts.push(act.clone());
            game.fold(act).iter().for_each(|emission| watch.hear::<A>(emission, &self.scenario));
            // A wish for something that does not happen is decided at the end.
            if !self.wish.has_not() && watch.is_granted() {
                break;
            }
        }
        (watch.is_granted(), acts)
    }
}

impl<A: ScriptAdapter> SeedSearch for RandomSearch<A> {
    fn copy(&self) -> Box<dyn SeedSearch> {
        let Self { setup, clients, first, scenario, wish } = self;
        Box::new(Self {
            setup: setup.clone(),
            clients: clients.clone(),
            first: first.clone(),
            scenario: scenario.clone(),
            wish: wish.clone(),
        })
    }

    fn grants(&mut self, seed: i64) -> bool {
        self.play(seed).0
    }

    fn record(&mut self, name: &str, seed: i64) -> Box<dyn RecordedGame> {
        Box::new(Recording::<A>::play(name, &self.setup, seed, &self.play(seed).1))
    }
}

/// What a game must show.
#[derive(Debug)]
enum Wish {
    /// At least so many of these events, with the place of their count.
    Events {
        wanted: WantedEvent,
        least: u32,
        at: usize,
    },
    Not(Box<Self>),
    All(Vec<Self>),
    Any(Vec<Self>),
}

impl Wish {
    fn read<A: ScriptAdapter>(text: &str, scenario: &str, players: &[Client]) -> Result<Self, ScriptError> {
        let mistake = |error: LineError| ScriptError {
            file: "--want".into(),
            line: 1,
            column: error.at + 1,
            width: error.width,
            text: text.into(),
            message: error.message,
            help: error.help,
        };
        let line = Line::read(text).map_err(|error| {
            mistake(LineError { at: error.at, width: error.width, message: error.message, help: String::new() })
        })?;
        let reader = EventReader::new(scripted::<A>(), A::names(scenario), players);
        let mut patterns = 0;
        let mut any = Vec::new();
        for part in line.tokens.split(|token| token.word() == Some("or")) {
            let mut all = Vec::new();
            for part in part.split(|token| token.word() == Some("and")) {
                all.push(term::<A>(part, &reader, &mut patterns).map_err(mistake)?);
            }
            any.push(Self::All(all));
        }
        Ok(Self::Any(any))
    }

    fn has_not(&self) -> bool {
        match self {
            Self::Events { .. } => false,
            Self::Not(_) => true,
            Self::All(parts) | Self::Any(parts) => parts.iter().any(Self::has_not),
        }
    }

    fn visit(&self, visit: &mut dyn FnMut(usize, &WantedEvent)) {
        match self {
            Self::Events { wanted, at, .. } => visit(*at, wanted),
            Self::Not(inner) => inner.visit(visit),
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.visit(visit)),
        }
    }

    fn is_granted(&self, counts: &[u32]) -> bool {
        match self {
            Self::Events { least, at, .. } => counts.get(*at).is_some_and(|count| count >= least),
            Self::Not(inner) => !inner.is_granted(counts),
            Self::All(parts) => parts.iter().all(|part| part.is_granted(counts)),
            Self::Any(parts) => parts.iter().any(|part| part.is_granted(counts)),
        }
    }
}

/// Reads `not .. N x EVENT ARGUMENTS`.
fn term<A: ScriptAdapter>(tokens: &[Token], reader: &EventReader, patterns: &mut usize) -> Result<Wish, LineError> {
    let missing = || LineError {
        at: tokens.first().map_or(0, |token| token.at),
        width: 1,
        message: "an event is missing here".into(),
        help: "a wish is `3 x EVENT`, `not EVENT`, `EVENT and EVENT`, `EVENT or EVENT`".into(),
    };
    match tokens {
        [not, rest @ ..] if not.word() == Some("not") => Ok(Wish::Not(Box::new(term::<A>(rest, reader, patterns)?))),
        [least, times, name, arguments @ ..] if times.word() == Some("x") => {
            let count = least.word().and_then(|word| word.parse().ok()).filter(|count| *count > 0);
            let count = count.ok_or_else(|| LineError::new(least, "this is not a number from 1 on", ""))?;
            events::<A>(name, arguments, count, reader, patterns)
        }
        [name, arguments @ ..] => events::<A>(name, arguments, 1, reader, patterns),
        [] => Err(missing()),
    }
}

fn events<A: ScriptAdapter>(
    name: &Token,
    arguments: &[Token],
    least: u32,
    reader: &EventReader,
    patterns: &mut usize,
) -> Result<Wish, LineError> {
    let call = reader.read(name, arguments)?;
    let at = *patterns;
    *patterns += 1;
    let pattern = worded::<A>(&call.name).map(|_| scripted::<A>().pattern(&call));
    Ok(Wish::Events { wanted: WantedEvent { call, pattern }, least, at })
}

/// An event that a game must show.
#[derive(Debug)]
struct WantedEvent {
    call: Call,
    /// For an event with words.
    pattern: Option<Box<dyn EventPattern>>,
}

impl WantedEvent {
    /// Unlike an expectation of a script, a wish also matches an event that leaves out optional values.
    fn matches(&self, event: &ReceivedEvent, scenario: &str) -> bool {
        if let Some(pattern) = &self.pattern {
            return pattern.matches(event, scenario);
        }
        let came = event.call(scenario);
        let fits = |(at, wanted): (usize, &Value)| wanted == ANY_VALUE || came.arguments.get(at) == Some(wanted);
        came.name == self.call.name && self.call.arguments.iter().enumerate().all(fits)
    }
}

/// Counts the events of a game.
struct Watch<'w> {
    wish: &'w Wish,
    counts: Vec<u32>,
}

impl<'w> Watch<'w> {
    fn new(wish: &'w Wish) -> Self {
        let mut count = 0;
        wish.visit(&mut |_, _| count += 1);
        Self { wish, counts: vec![0; count] }
    }

    fn hear<A: ScriptAdapter>(&mut self, emission: &Emission<EventOf<A>>, scenario: &str) {
        let Emission::Event { event, .. } = emission else { return };
        let event = ReceivedEvent::new::<A>(event.clone(), Words::Ours);
        let counts = &mut self.counts;
        self.wish.visit(&mut |at, wanted| counts[at] += u32::from(wanted.matches(&event, scenario)));
    }

    fn is_granted(&self) -> bool {
        self.wish.is_granted(&self.counts)
    }
}
