//! The chronicle of a game of one rulebook. It folds the log once, and again from checkpoints for each request.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use engine::{
    Audience, Cause, CommId, Difference, Emission, Entry, EntryOf, Header, Message, Projection, Replay, Rulebook,
    Shown, arguments, json_differences,
};
use serde_json::Value;

use super::{
    Chronicle, Detail, EntryLine, EventLine, GameLine, Index, Line, ParentLine, Sight, Status,
    index::Indexer,
    patch::{self, Change},
};
use crate::{
    adapter::{Adapter, BoardOf, HostedRules, SetupOf},
    log::{GameHead, GameRecord, ReplayError, Row},
};

/// The number of steps between two stored states.
const KEPT: u64 = 256;

pub(crate) struct ChronicleBuilder<A: Adapter> {
    sight: Sight,
    header: Header<SetupOf<A>>,
    rows: Vec<Row>,
    /// A state about every [`KEPT`] steps, starting with the first. Each state lies between two entries.
    kept: Vec<State<A::Rules>>,
    end: State<A::Rules>,
    indexer: Indexer,
    /// The picture at the last step of [`tell`](Chronicle::tell). Hidden facts may have changed since then; the patch of the
    /// next step includes these changes.
    page: Option<Value>,
    /// Why the log cannot be replayed, or where the rules differ from it.
    difference: Option<String>,
}

/// A game between two entries.
#[derive(Clone)]
struct State<R: HostedRules> {
    entries: usize,
    step: u64,
    board: R::Board,
    /// The hidden facts, if everything may be shown and the rules agree with the log so far.
    replay: Option<Replay<R>>,
    /// The game at the first difference between rules and log. It still has the players' names.
    left: Option<Arc<R>>,
}

impl<R: HostedRules> State<R> {
    /// Folds an entry. If the rules differ from it, returns the difference in words.
    fn enter(&mut self, entry: &EntryOf<R>) -> Option<String> {
        self.entries += 1;
        let replay = self.replay.as_mut()?;
        let stepped = catch_unwind(AssertUnwindSafe(|| replay.step(entry)));
        let difference = match stepped {
            Ok(Ok(())) => return None,
            Ok(Err(difference @ Difference::Emission { at, .. })) => {
                let now = replay.outbox().emissions().get(at).cloned();
                self.both(&difference, entry, at, now.as_ref())
            }
            Ok(Err(difference)) => difference.to_string(),
            Err(_) => format!("the rules panicked at entry {}", entry.sequence),
        };
        // The later events can still be read, but the hidden facts cannot.
        self.left = self.replay.take().map(|replay| Arc::new(replay.into_game()));
        Some(difference)
    }

    /// Describes what the log has and what the rules give now.
    fn both(&self, difference: &Difference, entry: &EntryOf<R>, at: usize, now: Option<&Emission<R::Event>>) -> String {
        // A whole view would be a wall of values.
        if let (Some(Emission::Event { event: log, .. }), Some(Emission::Event { event: rules, .. })) =
            (entry.emissions.get(at), now)
            && log.kind().name == rules.kind().name
        {
            const MOST: usize = 5;
            let lines = json_differences(&by_field(log), &by_field(rules));
            let more = lines.len().checked_sub(MOST + 1).map(|more| format!("; and {} more", more + 1));
            if !lines.is_empty() {
                let shown = lines[..lines.len().min(MOST)].join("; ");
                let (kind, more) = (log.kind().name, more.unwrap_or_default());
                return format!("{difference}: {kind} differs from the log to the rules: {shown}{more}");
            }
        }
        let mut board = self.board.clone();
        entry.emissions.iter().take(at).filter_map(public_event).for_each(|event| board.apply(event));
        let [log, rules] = [entry.emissions.get(at), now].map(|emission| match emission {
            None => "nothing more".into(),
            Some(Emission::Seated { client }) => format!("a seat for {}", self.name(*client)),
            Some(Emission::Unseated { client }) => format!("no seat any more for {}", self.name(*client)),
            Some(Emission::Event { audience, event }) => {
                let to = match audience {
                    Audience::All => "to all".to_owned(),
                    Audience::Board => "for the board".to_owned(),
                    Audience::Only(client) => format!("to {}", self.name(*client)),
                };
                let words = match R::tell_event(&board, event) {
                    words if words.is_empty() => words,
                    words => format!(" ({words})"),
                };
                format!("{} {to}{words}", cut(&message(event).to_string()))
            }
        });
        format!("{difference}; the log has: {log}; the rules give: {rules}")
    }

    fn apply(&mut self, event: &R::Event) {
        self.board.apply(event);
        self.step += 1;
    }

    /// Folds a whole entry and ignores differences, which were reported before.
    fn pass(&mut self, entry: &EntryOf<R>) {
        let _known = self.enter(entry);
        public(entry).for_each(|event| self.apply(event));
    }

    /// The board, its figures, and the hidden facts if they may be shown.
    fn picture(&self) -> Value {
        self.picture_with(self.hidden())
    }

    fn picture_with(&self, hidden: Value) -> Value {
        let mut picture = R::picture(&self.board);
        if let Value::Object(keys) = &mut picture {
            keys.insert("figures".into(), R::figures(&self.board).into());
            keys.insert(HIDDEN.into(), hidden);
        }
        picture
    }

    fn hidden(&self) -> Value {
        self.replay.as_ref().map_or(Value::Null, |replay| replay.game().hidden())
    }

    fn name(&self, client: CommId) -> String {
        let game = self.replay.as_ref().map(Replay::game).or(self.left.as_deref());
        let known = game.and_then(|game| game.name_of(client));
        known.unwrap_or_else(|| format!("client {client}"))
    }
}

impl<A: Adapter> ChronicleBuilder<A> {
    pub(crate) fn new(head: &GameHead, sight: Sight) -> Result<Self, ReplayError> {
        let header: Header<SetupOf<A>> = Header::decode(&head.header).map_err(ReplayError::Header)?;
        let (replay, difference) = match sight {
            Sight::Public => (None, None),
            Sight::Everything => match Replay::new(&header) {
                Ok(replay) => (Some(replay), None),
                Err(difference) => (None, Some(difference.to_string())),
            },
        };
        let start = State { entries: 0, step: 0, board: BoardOf::<A>::new(&header.setup), replay, left: None };
        let mut indexer = Indexer::new(A::Rules::FIGURES);
        indexer.end(A::Rules::figures(&start.board));
        Ok(Self {
            sight,
            header,
            rows: Vec::new(),
            kept: vec![start.clone()],
            end: start,
            indexer,
            page: None,
            difference,
        })
    }

    fn decode(row: &Row) -> Result<EntryOf<A::Rules>, ReplayError> {
        Entry::decode(&row.bytes).map_err(|source| ReplayError::Entry { sequence: row.sequence, source })
    }

    /// Folds an entry and adds it to the index.
    fn follow(&mut self, row: Row, entry: &EntryOf<A::Rules>) {
        let Self { end, indexer, .. } = self;
        let before = end.step;
        if let Some(difference) = end.enter(entry) {
            self.difference.get_or_insert(difference);
        }
        for event in public(entry) {
            end.apply(event);
            indexer.step(end.step, A::Rules::moment(&end.board), || A::Rules::figures(&end.board));
        }
        let steps = self.end.step - before;
        if steps > 0 || self.sight == Sight::Everything {
            self.indexer.index.entries.push(u32::try_from(steps).unwrap_or(u32::MAX));
        }
        self.rows.push(row);
        if self.kept.last().is_none_or(|kept| self.end.step - kept.step >= KEPT) {
            self.kept.push(self.end.clone());
        }
    }

    fn go_on(&mut self, rows: Vec<Row>, mut tell: impl FnMut(&Self, &EntryOf<A::Rules>)) -> Result<(), ReplayError> {
        self.indexer.go_on();
        let mut gone_on = Ok(());
        for row in rows {
            match Self::decode(&row) {
                Ok(entry) => {
                    tell(self, &entry);
                    self.follow(row, &entry);
                }
                Err(error) => {
                    gone_on = Err(error);
                    break;
                }
            }
        }
        self.indexer.end(A::Rules::figures(&self.end.board));
        gone_on
    }

    /// The nearest state between two entries before a step. It lies before the entries without steps at that step, so that a
    /// reader who starts there receives them.
    fn seek(&self, step: u64) -> State<A::Rules> {
        let at = self.kept.partition_point(|kept| kept.step < step).saturating_sub(1);
        let mut state = self.kept[at].clone();
        while let Some(Ok(entry)) = self.rows.get(state.entries).map(Self::decode) {
            let steps = public(&entry).count() as u64;
            if state.step + steps > step || state.step == step {
                break;
            }
            state.pass(&entry);
        }
        state
    }

    /// Folds one entry and describes it; `None` if all of it is secret. Updates `picture` from before the entry to after it.
    fn tell_entry(
        &self,
        state: &mut State<A::Rules>,
        entry: &EntryOf<A::Rules>,
        mut picture: Option<&mut Value>,
    ) -> Option<EntryLine> {
        let words = match &entry.input.cause {
            Cause::Command { command, .. } => A::Rules::tell_command(&state.board, command),
            Cause::Timer { .. } => "time is up".to_owned(),
        };
        let _known = state.enter(entry);
        let has_steps = public(entry).next().is_some();
        let mut hidden = (picture.is_some() && has_steps).then(|| state.hidden());
        let mut events = Vec::new();
        for (place, emission) in entry.emissions.iter().enumerate() {
            let Emission::Event { audience, event } = emission else { continue };
            let whole = match self.sight {
                Sight::Public => None,
                Sight::Everything => {
                    let game = state.replay.as_ref().map(Replay::game);
                    A::Rules::tell_whole_event(game, &state.board, &entry.emissions, place)
                }
            };
            let text = whole.unwrap_or_else(|| A::Rules::tell_event(&state.board, event));
            let (step, to, patch) = match audience {
                Audience::Only(_) if self.sight == Sight::Public => continue,
                Audience::Only(client) => (None, state.name(*client), Vec::new()),
                Audience::All | Audience::Board => {
                    state.apply(event);
                    let to = if *audience == Audience::All { "all" } else { "board" };
                    let patch = picture.as_deref_mut().map(|picture| match hidden.take() {
                        Some(hidden) => turn_page(picture, state.picture_with(hidden)),
                        // Hidden facts change once per entry, with its first step.
                        None => {
                            let kept = picture[HIDDEN].take();
                            let patch = turn_page(picture, state.picture_with(Value::Null));
                            picture[HIDDEN] = kept;
                            patch
                        }
                    });
                    (Some(state.step), to.to_owned(), patch.unwrap_or_default())
                }
            };
            events.push(EventLine {
                step,
                to,
                refused: A::Rules::is_refusal(event),
                event: message(event),
                text,
                patch,
            });
        }
        if self.sight == Sight::Public {
            let secret =
                EntryLine { number: None, at: entry.at, elapsed: None, by: None, command: None, text: None, events };
            return (!secret.events.is_empty()).then_some(secret);
        }
        let (by, command) = match &entry.input.cause {
            Cause::Command { client, command } => (Some(state.name(*client)), Some(message(command))),
            Cause::Timer { .. } => (None, None),
        };
        let (number, elapsed) = (Some(entry.sequence), Some(entry.input.elapsed_ms));
        Some(EntryLine { number, at: entry.at, elapsed, by, command, text: Some(words), events })
    }
}

impl<A: Adapter> Chronicle for ChronicleBuilder<A> {
    fn extend(&mut self, rows: Vec<Row>) -> Result<(), ReplayError> {
        self.page = None;
        self.go_on(rows, |_, _| ())
    }

    fn tell(&mut self, rows: Vec<Row>, visit: &mut dyn FnMut(&EntryLine)) -> Result<(), ReplayError> {
        let mut picture = self.page.take().unwrap_or_else(|| self.seek(self.end.step).picture());
        let told = self.go_on(rows, |builder, entry| {
            if let Some(line) = builder.tell_entry(&mut builder.end.clone(), entry, Some(&mut picture)) {
                visit(&line);
            }
        });
        self.page = Some(picture);
        told
    }

    fn entries(&self) -> u64 {
        self.rows.len() as u64
    }

    fn bytes(&self) -> usize {
        // Most of a state is on the heap: about 3 KiB for a board of winter, and as much again for the state of the rules.
        let kept = self.kept.len() * (size_of::<State<A::Rules>>() + (8 << 10));
        self.rows.iter().map(|row| row.bytes.len() + size_of::<Row>()).sum::<usize>() + kept
    }

    fn game(&self, record: &GameRecord) -> GameLine {
        let Header { game, created, rulebook, edition, rules_version, seed, parent, setup, .. } = &self.header;
        let all = self.sight == Sight::Everything;
        GameLine {
            name: game.clone(),
            rulebook: rulebook.clone(),
            edition: edition.clone(),
            rules_version: *rules_version,
            scenario: A::title(A::scenario(setup)),
            created: *created,
            players: A::Rules::players(&self.end.board),
            missing: A::Rules::missing(&self.end.board).filter(|_| record.end.is_none()),
            status: Status::of(record),
            ended: record.end.as_ref().map(|end| end.at),
            outcome: record.end.as_ref().map(|end| end.outcome.clone()),
            results: record.results.clone(),
            seed: all.then(|| seed.to_string()),
            parent: parent.as_ref().map(|parent| ParentLine { game: parent.game.clone(), entry: parent.sequence }),
            note: self.difference.as_ref().map(|difference| format!("Hidden facts cannot be shown: {difference}.")),
            stage: A::Rules::stage(setup),
        }
    }

    fn index(&self) -> &Index {
        &self.indexer.index
    }

    fn picture(&self) -> Value {
        self.end.picture()
    }

    fn lines(&self, from: u64, steps: u64, detail: Detail, visit: &mut dyn FnMut(Line<'_>) -> bool) {
        let mut state = self.seek(from.min(self.end.step));
        let until = from.saturating_add(steps);
        let mut picture = (detail == Detail::Patches).then(|| state.picture());
        if let Some(picture) = &picture
            && !visit(Line::Checkpoint { step: state.step, picture })
        {
            return;
        }
        while (state.step < until || state.step == self.end.step)
            && let Some(Ok(entry)) = self.rows.get(state.entries).map(Self::decode)
        {
            let told = self.tell_entry(&mut state, &entry, picture.as_mut());
            if told.is_some_and(|line| !visit(Line::Entry(&line))) {
                return;
            }
        }
    }

    fn difference(&self) -> Option<&str> {
        self.difference.as_deref()
    }

    fn outcome(&self) -> Option<String> {
        let outcome = self.end.replay.as_ref()?.game().outcome()?;
        Some(outcome.to_string())
    }
}

/// The key of the hidden facts in a picture.
const HIDDEN: &str = "hidden";

/// Replaces the picture by the next one and returns the changes.
fn turn_page(picture: &mut Value, next: Value) -> Vec<Change> {
    let changes = patch::between(picture, &next);
    *picture = next;
    changes
}

/// A message as a list: its name, then its arguments.
/// Shortens a text, which may have a whole view.
fn cut(text: &str) -> String {
    const LONGEST: usize = 200;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}..", &text[..end]),
        None => text.into(),
    }
}

/// The fields of a message, as an object.
fn by_field<M: Message>(message: &M) -> Value {
    let names = message.kind().fields.iter().map(|field| field.name.to_owned());
    names.zip(arguments(message)).collect()
}

fn message<M: Message>(message: &M) -> Value {
    let arguments = arguments(message).into_iter();
    std::iter::once(Value::from(message.kind().name)).chain(arguments).collect()
}

/// The public events of an entry; each is a step.
fn public<C, T, E>(entry: &Entry<C, T, E>) -> impl Iterator<Item = &E> {
    entry.emissions.iter().filter_map(public_event)
}

fn public_event<E>(emission: &Emission<E>) -> Option<&E> {
    match emission {
        Emission::Event { audience: Audience::All | Audience::Board, event } => Some(event),
        Emission::Event { audience: Audience::Only(_), .. } | Emission::Seated { .. } | Emission::Unseated { .. } => {
            None
        }
    }
}
