//! Parses licence expressions and decides whether a dependency may have them.
//!
//! ```text
//! either = both { ("OR" | "/") both }        "/" is how old manifests write OR
//! both   = single { "AND" single }
//! single = "(" either ")" | name [ "WITH" exception ]
//! ```

use std::{fmt, iter::Peekable, vec};

/// Whether the expression can be satisfied with allowed licences alone. A licence with an exception is a separate licence: the
/// list must have it in full, like `Apache-2.0 WITH LLVM-exception`.
pub(crate) fn is_allowed(expression: &str, allowed: &[&str]) -> Result<bool, Malformed> {
    let mut reader = Reader { words: words(expression).into_iter().peekable(), allowed };
    let answer = reader.either()?;
    match reader.words.next() {
        None => Ok(answer),
        Some(word) => Err(Malformed::Unexpected { word }),
    }
}

/// Why a text is not a licence expression.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Malformed {
    /// The text ends where a licence, an exception or a closing parenthesis is expected.
    Ends,
    Unexpected {
        word: String,
    },
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ends => f.write_str("the expression ends too early"),
            Self::Unexpected { word } => write!(f, "`{word}` was not expected there"),
        }
    }
}

fn words(expression: &str) -> Vec<String> {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " / ");
    spaced.split_whitespace().map(str::to_owned).collect()
}

struct Reader<'a> {
    words: Peekable<vec::IntoIter<String>>,
    allowed: &'a [&'a str],
}

impl Reader<'_> {
    fn either(&mut self) -> Result<bool, Malformed> {
        let mut answer = self.both()?;
        while self.take("OR") || self.take("/") {
            // `both` comes first: after `answer ||`, the rest of the expression might not be read.
            answer = self.both()? || answer;
        }
        Ok(answer)
    }

    fn both(&mut self) -> Result<bool, Malformed> {
        let mut answer = self.single()?;
        while self.take("AND") {
            answer = self.single()? && answer;
        }
        Ok(answer)
    }

    fn single(&mut self) -> Result<bool, Malformed> {
        if self.take("(") {
            let answer = self.either()?;
            return match self.words.next() {
                Some(word) if word == ")" => Ok(answer),
                Some(word) => Err(Malformed::Unexpected { word }),
                None => Err(Malformed::Ends),
            };
        }
        let mut licence = self.name()?;
        if self.take("WITH") {
            licence = format!("{licence} WITH {}", self.name()?);
        }
        Ok(self.allowed.contains(&licence.as_str()))
    }

    fn name(&mut self) -> Result<String, Malformed> {
        let word = self.words.next().ok_or(Malformed::Ends)?;
        match word.as_str() {
            "(" | ")" | "/" | "OR" | "AND" | "WITH" => Err(Malformed::Unexpected { word }),
            _ => Ok(word),
        }
    }

    fn take(&mut self, word: &str) -> bool {
        self.words.next_if(|next| next == word).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::is_allowed;

    /// Here A, B and `C WITH e` are allowed.
    fn check(expression: &str, expected: &str) {
        let answer = match is_allowed(expression, &["A", "B", "C WITH e"]) {
            Ok(true) => "allowed".to_owned(),
            Ok(false) => "not allowed".to_owned(),
            Err(malformed) => format!("malformed: {malformed}"),
        };
        assert_eq!(answer, expected, "{expression:?}");
    }

    #[test]
    fn single_licences() {
        check("A", "allowed");
        check("X", "not allowed");
        check("a", "not allowed");
        check("(A)", "allowed");
        check("((X))", "not allowed");
    }

    #[test]
    fn either_and_both() {
        check("A OR X", "allowed");
        check("X OR A", "allowed");
        check("X OR Y", "not allowed");
        check("X/A", "allowed");
        check("X / Y", "not allowed");
        check("A AND B", "allowed");
        check("A AND X", "not allowed");
        check("X AND A", "not allowed");
    }

    #[test]
    fn and_binds_tighter_than_or() {
        check("A OR B AND X", "allowed");
        check("X AND B OR A", "allowed");
        check("(A OR B) AND X", "not allowed");
        check("(X OR B) AND A", "allowed");
        check("A AND (X OR Y)", "not allowed");
    }

    #[test]
    fn exceptions() {
        check("C WITH e", "allowed");
        check("C", "not allowed");
        check("A WITH e", "not allowed");
        check("X OR C WITH e", "allowed");
        check("C WITH e AND X", "not allowed");
    }

    #[test]
    fn malformed() {
        check("", "malformed: the expression ends too early");
        check("A OR", "malformed: the expression ends too early");
        check("(A", "malformed: the expression ends too early");
        check("A WITH", "malformed: the expression ends too early");
        check("A B", "malformed: `B` was not expected there");
        check("A)", "malformed: `)` was not expected there");
        check("(A B)", "malformed: `B` was not expected there");
        check("AND A", "malformed: `AND` was not expected there");
        check("A OR OR B", "malformed: `OR` was not expected there");
    }
}
