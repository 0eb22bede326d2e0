//! Names of accounts. Two names that differ only in case or in space around them are the same.

use std::fmt;

use super::AccountError;

/// The fewest and the most characters of a name.
const FEWEST: usize = 2;
const MOST: usize = 32;

/// A name that an account can have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountName(String);

impl AccountName {
    /// Reads a name.
    ///
    /// # Errors
    /// If it is too short or too long, or has other characters than letters, digits, space, `-`, `_` and `.`.
    pub fn parse(text: &str) -> Result<Self, AccountError> {
        let name = text.trim();
        let length = name.chars().count();
        let is_usual = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.');
        let problem = if !(FEWEST..=MOST).contains(&length) {
            "it has 2 to 32 characters"
        } else if !name.chars().all(is_usual) {
            "it has letters, digits, spaces, and - _ ."
        } else if name.contains("  ") || !name.chars().any(char::is_alphanumeric) {
            "it has letters or digits, and no two spaces in a row"
        } else {
            return Ok(Self(name.to_owned()));
        };
        Err(AccountError::BadName { problem })
    }

    /// The name as it is compared.
    pub(crate) fn folded(&self) -> String {
        folded(&self.0)
    }

    /// The name as its owner writes it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for AccountName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A name of a player as it is compared with names of accounts: without case, and with single spaces.
pub(crate) fn folded(name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    // Upper case first: some letters have one upper and several lower forms.
    words.join(" ").to_uppercase().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for good in ["Ana", "bo_2", "J. R.", "\u{c4}nne", "\u{674e}\u{660e}", "a-b", &"x".repeat(32)] {
            assert_eq!(AccountName::parse(good).expect(good).as_str(), good);
        }
        for bad in ["", "a", " a ", "a\nb", "a\u{202e}b", "<b>", "..", "a  b", "a/b", &"x".repeat(33)] {
            assert!(AccountName::parse(bad).is_err(), "{bad:?}");
        }
        for same in ["ana m", "ANA M", "  Ana \t M ", "ana\u{a0}m"] {
            assert_eq!(folded(same), "ana m", "{same:?}");
        }
        assert_eq!(folded("Stra\u{df}e"), folded("STRASSE"));
    }
}
