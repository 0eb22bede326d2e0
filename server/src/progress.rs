//! How far a game has come, computed from its log: for programs that let foreign players play.

use engine::{Answer, Audience, Cause, CommId, Emission, Entry, EntryOf, Header, Replay, Rulebook, Waiting};

use crate::{
    adapter::{Adapter, SetupOf},
    log::{ReplayError, Row},
};

/// How far a game has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct GameProgress {
    /// The clients that took a seat, in this order, even those who left.
    pub seated: Vec<CommId>,
    /// The number of entries.
    pub entries: u64,
    /// The number of entries that were not refused.
    pub accepted: u64,
    /// How many commands of each client were refused.
    pub refused: Vec<(CommId, u64)>,
}

/// A game that is replayed as its log grows.
pub trait FollowedGame: Send {
    /// Folds the next rows of the log.
    ///
    /// # Errors
    /// If a row cannot be decoded, or does not agree with the rules.
    fn add(&mut self, rows: &[Row]) -> Result<(), ReplayError>;

    /// How far the game has come.
    fn progress(&self) -> &GameProgress;

    /// The seated clients that the game waits for. If it waits for anyone, those who are offered something to do.
    fn awaited(&self) -> Vec<CommId>;
}

/// Begins to follow a game.
pub(crate) fn follow<A: Adapter>(header: &[u8]) -> Result<Box<dyn FollowedGame>, ReplayError> {
    let header: Header<SetupOf<A>> = Header::decode(header).map_err(ReplayError::Header)?;
    Ok(Box::new(Followed::<A::Rules> { replay: Replay::new(&header)?, progress: GameProgress::default() }))
}

struct Followed<R: Rulebook> {
    replay: Replay<R>,
    progress: GameProgress,
}

impl<R: Rulebook + Send> FollowedGame for Followed<R>
where
    Replay<R>: Send,
{
    fn add(&mut self, rows: &[Row]) -> Result<(), ReplayError> {
        for row in rows {
            let sequence = row.sequence;
            let decoded = Entry::decode(&row.bytes).map_err(|source| ReplayError::Entry { sequence, source });
            let entry: EntryOf<R> = decoded?;
            self.replay.step(&entry)?;
            self.progress.add::<R>(&entry);
        }
        Ok(())
    }

    fn progress(&self) -> &GameProgress {
        &self.progress
    }

    fn awaited(&self) -> Vec<CommId> {
        let game = self.replay.game();
        let can_act = |client: &&CommId| {
            let offers = R::offers(&game.view(**client));
            offers.leaves().any(|leaf| !leaf.aside && !matches!(leaf.template.answer, Answer::Impossible { .. }))
        };
        match game.waiting_for() {
            Waiting::GameOver => Vec::new(),
            Waiting::One(client) => vec![client],
            Waiting::Anyone => self.progress.seated.iter().filter(can_act).copied().collect(),
        }
    }
}

impl GameProgress {
    fn add<R: Rulebook>(&mut self, entry: &EntryOf<R>) {
        self.entries += 1;
        let mut is_refused = false;
        for emission in &entry.emissions {
            match emission {
                Emission::Seated { client } if !self.seated.contains(client) => self.seated.push(*client),
                Emission::Seated { .. } | Emission::Unseated { .. } => {}
                Emission::Event { audience: Audience::Only(_), event } => is_refused |= R::is_refusal(event),
                Emission::Event { .. } => {}
            }
        }
        match &entry.input.cause {
            Cause::Command { client, .. } if is_refused => {
                match self.refused.iter_mut().find(|(known, _)| known == client) {
                    Some((_, count)) => *count += 1,
                    None => self.refused.push((*client, 1)),
                }
            }
            Cause::Command { .. } | Cause::Timer { .. } => self.accepted += 1,
        }
    }
}
