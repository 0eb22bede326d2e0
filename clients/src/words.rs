//! Splits a command line into words.

use std::fmt;

/// The reasons why a command line cannot be split.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// The command line has no words, or its first word is empty.
    Empty,
    /// A quote is not closed.
    OpenQuote {
        /// The quote.
        quote: char,
    },
    /// The command line ends with a backslash.
    OpenEscape,
}

/// Splits at white space. Single quotes keep every character. In double quotes a backslash escapes `"` and `\`; outside of
/// quotes it escapes any character. Nothing else is special: no variables, no patterns.
///
/// # Errors
///
/// A quote or an escape is not closed, or there is no program.
pub fn split(line: &str) -> Result<Vec<String>, Unreadable> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut rest = line.chars();
    while let Some(next) = rest.next() {
        match next {
            '\'' | '"' => quoted(next, &mut rest, word.get_or_insert_default())?,
            '\\' => word.get_or_insert_default().push(rest.next().ok_or(Unreadable::OpenEscape)?),
            space if space.is_whitespace() => words.extend(word.take()),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    if words.first().is_none_or(String::is_empty) { Err(Unreadable::Empty) } else { Ok(words) }
}

fn quoted(quote: char, rest: &mut std::str::Chars<'_>, word: &mut String) -> Result<(), Unreadable> {
    while let Some(next) = rest.next() {
        match next {
            end if end == quote => return Ok(()),
            '\\' if quote == '"' => {
                let escaped = rest.next().ok_or(Unreadable::OpenQuote { quote })?;
                if !matches!(escaped, '"' | '\\') {
                    word.push('\\');
                }
                word.push(escaped);
            }
            other => word.push(other),
        }
    }
    Err(Unreadable::OpenQuote { quote })
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "it names no program"),
            Self::OpenQuote { quote } => write!(f, "a {quote} is not closed"),
            Self::OpenEscape => write!(f, "it ends with a \\"),
        }
    }
}

impl std::error::Error for Unreadable {}

#[cfg(test)]
mod tests {
    use super::split;

    #[track_caller]
    fn check(line: &str, expected: &str) {
        let found = match split(line) {
            Ok(words) => words.join("|"),
            Err(problem) => format!("refused: {problem}"),
        };
        assert_eq!(found, expected, "{line:?}");
    }

    #[test]
    fn words() {
        check("bot", "bot");
        check("  python3  my_bot.py\t--deep\n", "python3|my_bot.py|--deep");
        check("'my bot' \"a b\" c\\ d", "my bot|a b|c d");
        check("a'b c'd\"e f\"", "ab cde f");
        check(r#"x '\' "\"\\\n" \'"#, r#"x|\|"\\n|'"#);
        check("x '' \"\"", "x||");
        check("$HOME *", "$HOME|*");
        check("", "refused: it names no program");
        check("  ", "refused: it names no program");
        check("'' x", "refused: it names no program");
        check("x 'y", "refused: a ' is not closed");
        check("x \"y\\", "refused: a \" is not closed");
        check("x \\", "refused: it ends with a \\");
    }
}
