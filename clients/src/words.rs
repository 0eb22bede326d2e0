//! The words of a command line.

use std::fmt;

/// Why a command line cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    Empty,
    OpenQuote {
        quote: char,
    },
    /// A backslash with nothing behind it.
    OpenEscape,
}

/// Words with white space between. In single quotes everything is itself; in double quotes a backslash takes the meaning
/// of a `"` or `\` behind it, and elsewhere of whatever is behind it. Nothing else is special: no variables, no patterns.
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
    // A program has a name.
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
            Self::Empty => write!(f, "there is no program in it"),
            Self::OpenQuote { quote } => write!(f, "a {quote} has no other one"),
            Self::OpenEscape => write!(f, "there is nothing behind its last \\"),
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
        check("", "refused: there is no program in it");
        check("  ", "refused: there is no program in it");
        check("'' x", "refused: there is no program in it");
        check("x 'y", "refused: a ' has no other one");
        check("x \"y\\", "refused: a \" has no other one");
        check("x \\", "refused: there is nothing behind its last \\");
    }
}
