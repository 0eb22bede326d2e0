//! Faults that tests plant to prove that the checks can fail. Each breaks a promise of the log store; `mutants.txt` has those of
//! the host itself.

/// A planted fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Planted {
    /// An entry is acknowledged when it is written, before it is stored.
    TellEarly,
    /// A commit is acknowledged when it begins: a crash loses acknowledged entries.
    AcknowledgeEarly,
    /// Reading a game leaves out an entry.
    SkipRow,
    /// Reading a game repeats an entry.
    RepeatRow,
    /// The token of a client is not stored.
    LoseToken,
    /// A new game and its first client are acknowledged before they are stored.
    AnswerCreateEarly,
    /// The end of a game is not stored.
    LoseEnd,
    /// Writes of a dead host are stored.
    ForgetFence,
    /// A host counts as dead when its last beat is old by the wall clock.
    BuryByWallClock,
    /// A host claims games that living hosts own.
    DoubleClaim,
    /// A host passes clients on to the first owner of a game that it has heard of, also after the game has moved.
    StaleForward,
}

impl Planted {
    /// The planted faults that need several hosts.
    pub const OF_CLUSTERS: &'static [Self] =
        &[Self::ForgetFence, Self::BuryByWallClock, Self::DoubleClaim, Self::StaleForward];

    /// The planted faults that one host is enough for.
    pub const ALL: &'static [Self] = &[
        Self::TellEarly,
        Self::AcknowledgeEarly,
        Self::SkipRow,
        Self::RepeatRow,
        Self::LoseToken,
        Self::AnswerCreateEarly,
        Self::LoseEnd,
    ];
}
