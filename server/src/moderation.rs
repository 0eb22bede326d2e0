//! What may be written in chat, as the operator decides.

use commlib::{Reason, Refused};

/// The rules of the operator for chat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moderation {
    /// Whether there is no chat at all. Presence is told as ever.
    pub is_off: bool,
    /// Words that no line may have, in lower case.
    words: Vec<Vec<String>>,
}

impl Moderation {
    /// Reads a list of words: one word or phrase on each line; empty lines, and lines that begin with `#`, do not count.
    pub fn with_words(text: &str) -> Self {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        Self { is_off: false, words: lines.map(words_of).filter(|words| !words.is_empty()).collect() }
    }

    /// The number of words and phrases.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Checks a line of chat.
    ///
    /// # Errors
    /// If there is no chat, or the line has a word of the list.
    pub(crate) fn check(&self, line: &str) -> Result<(), Refused> {
        if self.is_off {
            return Err(Refused::new(Reason::BadMessage, "This server has no chat."));
        }
        let written = words_of(line);
        let has = |wanted: &Vec<String>| written.windows(wanted.len()).any(|words| words == wanted.as_slice());
        if self.words.iter().any(has) {
            return Err(Refused::new(Reason::BadMessage, "The operator does not allow a word of this line."));
        }
        Ok(())
    }
}

/// The words of a text, without case. Everything but letters and digits separates them.
fn words_of(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_operator() {
        let list = Moderation::with_words("# a list\n\nweed\n  Bad  Apple\n!?\n\u{fc}bel");
        assert_eq!(list.len(), 3);
        for (line, is_allowed) in [
            ("hello", true),
            ("weed", false),
            ("WEED!", false),
            ("seaweed", true),
            ("a bad day, apple", true),
            ("bad... apple", false),
            ("\u{dc}BEL", false),
            ("", true),
        ] {
            assert_eq!(list.check(line).is_ok(), is_allowed, "{line}");
        }
        assert!(Moderation::default().check("weed").is_ok());
        assert!(Moderation { is_off: true, ..Moderation::default() }.check("hello").is_err());
    }
}
