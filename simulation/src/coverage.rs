//! The faults and states that simulations must reach. A state that no seed reaches is not tested.

/// Declares the covered faults and states with their names: first those of every host, then those that need several hosts.
macro_rules! covered {
    ($($(#[doc = $words:literal])+ $variant:ident,)* -- $($(#[doc = $more:literal])+ $other:ident,)*) => {
        /// A fault, or a state of the host, that a simulation reached.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(usize)]
        pub enum Covered {
            $($(#[doc = $words])+ $variant,)*
            $($(#[doc = $more])+ $other,)*
        }

        impl Covered {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)* $(Self::$other),*];

            /// Those that need several hosts.
            pub const OF_CLUSTERS: &'static [Self] = &[$(Self::$other),*];

            /// What it is, for people.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => concat!($($words),+).trim_ascii(),)*
                    $(Self::$other => concat!($($more),+).trim_ascii(),)*
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
    /// state: a game by invitation from its creation on
    Invited,
    /// state: a stranger is refused at a game by invitation
    StrangerRefused,
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
    --
    /// hosts fault: a host is cut off from the store
    Partition,
    /// hosts fault: two hosts do not reach each other
    HostsApart,
    /// hosts fault: the store fails over
    StoreFailover,
    /// hosts state: a dead host is buried
    Buried,
    /// hosts state: a living host is buried, because it was frozen or cut off
    BuriedAlive,
    /// hosts state: a host registers again after its burial
    Reborn,
    /// hosts state: a write of a dead host is refused
    Fenced,
    /// hosts state: a commit arrives though its host is cut off
    CommitInPartition,
    /// hosts state: a game is claimed from a dead host
    Claim,
    /// hosts state: a client asks for a game, and the host claims it
    ClaimByName,
    /// hosts state: a game is handed over
    HandedOver,
    /// hosts state: a handed-over game is claimed
    ClaimHandedOver,
    /// hosts state: an operation of membership has an unknown outcome
    MembershipUnknown,
    /// hosts state: a client is told that another host has its game
    Elsewhere,
    /// hosts state: a host passes a client on to the owner of its game
    Forwarded,
    /// hosts state: a client resumes with another host
    ResumedWithAnother,
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

    /// Everything that never occurred. With several hosts, that is what needs them; otherwise it is the rest.
    pub fn missing(&self, has_several_hosts: bool) -> impl Iterator<Item = Covered> + '_ {
        let is_expected = move |covered: &Covered| Covered::OF_CLUSTERS.contains(covered) == has_several_hosts;
        Covered::ALL.iter().copied().filter(is_expected).filter(|covered| self.times(*covered) == 0)
    }
}
