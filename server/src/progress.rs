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
    /// The number of entries that were not refused.
    pub accepted: u64,
    /// How many commands of each client were refused.
    pub refused: Vec<(CommId, u64)>,
    /// The seated clients that the game waits for. If it waits for anyone, those who are offered something to do.
    pub awaited: Vec<CommId>,
}

/// Replays the log of a game.
pub(crate) fn progress<A: Adapter>(header: &[u8], rows: &[Row]) -> Result<GameProgress, ReplayError> {
    let header: Header<SetupOf<A>> = Header::decode(header).map_err(ReplayError::Header)?;
    let mut replay = Replay::<A::Rules>::new(&header)?;
    let mut progress = GameProgress::default();
    for row in rows {
        let decoded = Entry::decode(&row.bytes).map_err(|source| ReplayError::Entry { sequence: row.sequence, source });
        let entry: EntryOf<A::Rules> = decoded?;
        replay.step(&entry)?;
        progress.add::<A::Rules>(&entry);
    }
    let game = replay.game();
    let can_act = |client: &&CommId| {
        let offers = A::Rules::offers(&game.view(**client));
        offers.leaves().any(|leaf| !leaf.aside && !matches!(leaf.template.answer, Answer::Impossible { .. }))
    };
    progress.awaited = match game.waiting_for() {
        Waiting::GameOver => Vec::new(),
        Waiting::One(client) => vec![client],
        Waiting::Anyone => progress.seated.iter().filter(can_act).copied().collect(),
    };
    Ok(progress)
}

impl GameProgress {
    fn add<R: Rulebook>(&mut self, entry: &EntryOf<R>) {
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
