//! The faults and states that simulations must reach. A state that no seed reaches is not tested.

/// Declares the covered faults and states with their names.
macro_rules! covered {
    ($($(#[doc = $words:literal])+ $variant:ident,)*) => {
        /// A fault, or a state of the host, that a simulation reached.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(usize)]
        pub enum Covered {
            $($(#[doc = $words])+ $variant,)*
        }

        impl Covered {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// What it is, for people.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => concat!($($words),+).trim_ascii(),)*
                }
            }
        }
    };
}

covered! {
    /// fault: the host crashes
    Crash,
    /// fault: the host crashes while it recovers
    CrashInRecovery,
    /// fault: the host crashes when the last entry of a game is stored, and its end is not
    CrashAtEnd,
    /// fault: the host is stopped and started
    Stop,
    /// fault: the host is frozen and thaws
    Freeze,
    /// fault: a connection is cut
    Cut,
    /// fault: all connections are cut
    CutAll,
    /// fault: a connection is half open
    HalfOpen,
    /// fault: a client reads slowly
    SlowReader,
    /// fault: a client resumes while its connection is open
    ResumeTwice,
    /// fault: a client resumes elsewhere, without its memory
    ResumeElsewhere,
    /// fault: the store is slow
    StoreSlow,
    /// fault: the store is silent
    StoreSilent,
    /// fault: the store is full
    StoreFull,
    /// fault: a commit fails and is lost
    StoreLost,
    /// fault: a commit fails though it is stored
    StoreUnknown,
    /// fault: the store gives up one game
    GameFails,
    /// fault: the whole machine sleeps
    Sleep,
    /// state: a crash with unacknowledged writes
    CrashWithWrites,
    /// state: a crash keeps a part of the unacknowledged writes
    CrashKeepsPart,
    /// state: a crash loses all unacknowledged writes
    CrashKeepsNone,
    /// state: a crash during a store fault
    CrashInStoreFault,
    /// state: a client waits for a recovery and resumes
    ResumedAfterRecovery,
    /// state: a client resumes during a store fault
    ResumedInStoreFault,
    /// state: a client catches up on missed events
    CaughtUp,
    /// state: a command is lost with a connection
    CommandLost,
    /// state: an earlier connection is replaced
    Replaced,
    /// state: a game ends
    GameOver,
    /// state: a client resumes a game that is over
    ResumedOver,
    /// state: a spectator watches
    Watched,
    /// state: a player of a game over HTTP reads a new state
    StateRead,
    /// state: a request over HTTP has no answer
    Unanswered,
    /// state: a request over HTTP is answered that the host is away
    AnsweredUnavailable,
    /// state: an update of 2017 is answered
    UpdateAnswered,
    /// state: a player of 2017 repeats a request that has no answer
    HeldRepeated,
    /// state: an agent comes back to its Game Master
    AgentBack,
    /// state: an agent repeats a request
    RequestRepeated,
    /// state: a timer is due
    Timer,
    /// state: a command is refused by the rules
    Refused,
    /// state: a game is created during a store fault
    CreateInStoreFault,
    /// state: a game is forked
    Forked,
    /// state: a client claims a seat of a fork
    Claimed,
    /// state: a host recovers games
    Recovered,
    /// state: a host stops during a store fault
    StopInStoreFault,
}

/// How often each fault and state occurred.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    counts: Vec<u64>,
}

impl Coverage {
    /// Counts one.
    pub fn count(&mut self, covered: Covered) {
        self.counts.resize(Covered::ALL.len(), 0);
        self.counts[covered as usize] += 1;
    }

    /// Adds the counts of another simulation.
    pub fn add(&mut self, other: &Self) {
        self.counts.resize(Covered::ALL.len(), 0);
        self.counts.iter_mut().zip(&other.counts).for_each(|(count, more)| *count += more);
    }

    /// How often it occurred.
    pub fn times(&self, covered: Covered) -> u64 {
        self.counts.get(covered as usize).copied().unwrap_or_default()
    }

    /// Everything that never occurred.
    pub fn missing(&self) -> impl Iterator<Item = Covered> + '_ {
        Covered::ALL.iter().copied().filter(|covered| self.times(*covered) == 0)
    }
}
