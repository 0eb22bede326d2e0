//! Which finished games a host keeps.

use std::time::Duration;

/// Which finished games a host keeps. Without any rule it keeps all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Retention {
    /// For rulebooks without a rule of their own.
    pub all: Kept,
    /// By rulebook.
    pub by_rulebook: Vec<(String, Kept)>,
    /// The pause between two looks at the log; zero is [`Retention::EVERY`].
    pub every: Duration,
}

/// How long games are kept, and how many. Each of both removes games on its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// Since the end of a game.
    pub age: Option<Duration>,
    /// The last games to end.
    pub count: Option<u64>,
}

impl Kept {
    /// Whether every game is kept.
    pub fn is_all(&self) -> bool {
        self.age.is_none() && self.count.is_none()
    }
}

impl Retention {
    /// The usual pause between two looks at the log.
    pub const EVERY: Duration = Duration::from_secs(60);

    /// Which games of a rulebook are kept.
    pub fn of(&self, rulebook: &str) -> Kept {
        self.by_rulebook.iter().find(|(name, _)| name == rulebook).map_or(self.all, |(_, kept)| *kept)
    }

    /// Whether every game is kept.
    pub fn is_all(&self) -> bool {
        self.all.is_all() && self.by_rulebook.iter().all(|(_, kept)| kept.is_all())
    }

    /// When a game that ended at a moment is removed because of its age. Both are in milliseconds since 1970.
    pub(crate) fn expires_at(&self, rulebook: &str, ended: i64) -> Option<i64> {
        let age = i64::try_from(self.of(rulebook).age?.as_millis()).unwrap_or(i64::MAX);
        Some(ended.saturating_add(age))
    }

    pub(crate) fn pause(&self) -> Duration {
        if self.every.is_zero() { Self::EVERY } else { self.every }
    }
}
