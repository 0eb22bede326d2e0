//! Which finished games `holdfast host` keeps, and where the others go.

use std::{error::Error, fmt, path::PathBuf, sync::Arc, time::Duration};

use cli::{
    duration::{self, DurationError},
    serving::LogFileError,
};
use server::{
    Kept, Retention,
    log::{EventLog, Options, SqliteLog, postgres_address},
};

/// Options for finished games.
#[derive(Debug, clap::Args)]
pub(crate) struct KeepOptions {
    /// Keep finished games for so long, or so many: 30d, or 30d,1000, or colony=30d,1000 for one rulebook. `all` keeps all of them. Other
    /// games are removed in the background, and leave tombstones. Can be repeated. [default: all]
    #[arg(long, value_name = "[RULEBOOK=]AGE|COUNT", value_delimiter = ';')]
    keep: Vec<KeepRule>,
    /// Move finished games that are not kept into this log file, instead of deleting them. The operator can also move single games.
    #[arg(long, value_name = "FILE")]
    archive: Option<PathBuf>,
}

impl KeepOptions {
    /// The rules. Of two for the same rulebook, the later one counts.
    pub(crate) fn retention(&self) -> Retention {
        let mut retention = Retention::default();
        for KeepRule { rulebook, kept } in &self.keep {
            match rulebook {
                None => retention.all = *kept,
                Some(name) => {
                    retention.by_rulebook.retain(|(known, _)| known != name);
                    retention.by_rulebook.push((name.clone(), *kept));
                }
            }
        }
        retention
    }

    /// Checks that rules are for rulebooks of this program.
    pub(crate) fn check(&self, known: &[&str]) -> Result<(), KeepError> {
        let unknown =
            self.keep.iter().filter_map(|rule| rule.rulebook.as_ref()).find(|name| !known.contains(&name.as_str()));
        match unknown {
            Some(rulebook) => Err(KeepError::NoRulebook { rulebook: rulebook.clone(), known: known.join(", ") }),
            None => Ok(()),
        }
    }

    /// Opens the log that gets archived games.
    pub(crate) fn open_archive(&self) -> Result<Option<Arc<dyn EventLog>>, KeepError> {
        let Some(path) = &self.archive else { return Ok(None) };
        if postgres_address(path).is_some() {
            return Err(KeepError::NotAFile);
        }
        let log = SqliteLog::open(path, Options::default())
            .map_err(|error| KeepError::Log(LogFileError::new(path, error)))?;
        Ok(Some(Arc::new(log)))
    }
}

/// A rule of `--keep`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct KeepRule {
    rulebook: Option<String>,
    kept: Kept,
}

impl std::str::FromStr for KeepRule {
    type Err = KeepError;

    fn from_str(text: &str) -> Result<Self, KeepError> {
        let (rulebook, rule) = match text.split_once('=') {
            Some((rulebook, rule)) => (Some(rulebook.trim().to_owned()), rule),
            None => (None, text),
        };
        let mut kept = Kept::default();
        if rule.trim() == "all" {
            return Ok(Self { rulebook, kept });
        }
        for part in rule.split(',').map(str::trim) {
            let is_taken = match part.parse::<u64>() {
                Ok(count) => kept.count.replace(count).is_some(),
                Err(_) => {
                    let age = duration::in_seconds(part).map_err(KeepError::Duration)?;
                    kept.age.replace(age.max(Duration::from_millis(1))).is_some()
                }
            };
            if is_taken {
                return Err(KeepError::Twice { text: text.into() });
            }
        }
        Ok(Self { rulebook, kept })
    }
}

/// A mistake in these options.
#[derive(Debug)]
pub(crate) enum KeepError {
    /// A part is neither a number nor a duration.
    Duration(DurationError),
    /// A rule has two ages or two counts.
    Twice { text: String },
    /// A rule is for no rulebook of this program.
    NoRulebook { rulebook: String, known: String },
    /// The archive is a database.
    NotAFile,
    /// The archive cannot be opened.
    Log(LogFileError),
}

impl fmt::Display for KeepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duration(error) => error.fmt(f),
            Self::Twice { text } => write!(f, "`{text}` has two ages or two numbers; write it as 30d,1000"),
            Self::NoRulebook { rulebook, known } => write!(f, "--keep: no rulebook {rulebook}; there are {known}"),
            Self::NotAFile => f.write_str("--archive: an archive is a file, not a database"),
            Self::Log(error) => write!(f, "--archive: {error}"),
        }
    }
}

impl Error for KeepError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Duration(error) => Some(error),
            Self::Log(error) => Some(error),
            Self::Twice { .. } | Self::NoRulebook { .. } | Self::NotAFile => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules() {
        let parse = |text: &str| text.parse::<KeepRule>();
        let day = Duration::from_secs(86_400);
        let check = |text: &str, rulebook: Option<&str>, age: Option<Duration>, count: Option<u64>| {
            let expected = KeepRule { rulebook: rulebook.map(Into::into), kept: Kept { age, count } };
            assert_eq!(parse(text).expect(text), expected);
        };
        check("30d", None, Some(30 * day), None);
        check("1000", None, None, Some(1000));
        check("colony=30d,1000", Some("colony"), Some(30 * day), Some(1000));
        check("colony=1000, 12h", Some("colony"), Some(day / 2), Some(1000));
        check("colony=all", Some("colony"), None, None);
        for bad in ["", "30x", "30d,20d", "1,2", "colony=", "colony", "30d,"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
        let keep = ["1d", "colony=5", "colony=7"].map(|text| parse(text).expect("a rule")).to_vec();
        let options = KeepOptions { keep, archive: None };
        let retention = options.retention();
        assert_eq!((retention.of("colony").count, retention.of("colony").age), (Some(7), None));
        assert_eq!(retention.of("other").age, Some(day));
        assert!(options.check(&["colony"]).is_ok());
        assert!(options.check(&["other"]).is_err());
    }
}
