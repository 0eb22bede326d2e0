//! Mistakes in a script, and their positions.

use std::fmt;

/// A mistake at a position in a file. `Display` shows the line with a caret below the mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptError {
    /// The file.
    pub file: String,
    /// The number of the line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The width of the mistake, in characters.
    pub width: usize,
    /// The description of the mistake.
    pub message: String,
    /// A hint how to correct the mistake.
    pub help: String,
    /// The text of the whole line.
    pub text: String,
}

impl std::error::Error for ScriptError {}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, width, message, help, text } = self;
        let number = line.to_string();
        let margin = " ".repeat(number.len());
        // Keep tabs, so that the caret is below the mistake.
        let before: String = text.chars().take(column - 1).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        writeln!(f, "{message}")?;
        writeln!(f, "{margin}--> {file}:{line}:{column}")?;
        writeln!(f, "{number} | {text}")?;
        write!(f, "{margin} | {before}{}", "^".repeat((*width).max(1)))?;
        if help.is_empty() { Ok(()) } else { write!(f, " {help}") }
    }
}

/// The known name that is close enough to `word` to be a misspelling of it.
pub fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let (distance, name) = known.map(|name| (distance(&word.to_lowercase(), &name.to_lowercase()), name)).min()?;
    (distance <= (word.chars().count() / 3).max(1)).then_some(name)
}

/// A hint for an unknown word: "did you mean Moved?", or a list of the known names.
pub fn suggest<'a>(word: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    const MOST: usize = 12;
    if let Some(name) = nearest(word, known.clone()) {
        return format!("did you mean {name}?");
    }
    let names: Vec<&str> = known.clone().take(MOST).collect();
    match names.len() {
        0 => String::new(),
        MOST if known.count() > MOST => format!("there are {}, ..", names.join(", ")),
        _ => format!("there are {}", names.join(", ")),
    }
}

/// The edit distance: the number of letters to change, insert, delete or swap with a neighbour.
fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=other.len()).collect()];
    for i in 1..=one.len() {
        let mut row = vec![i];
        for j in 1..=other.len() {
            let change = rows[i - 1][j - 1] + usize::from(one[i - 1] != other[j - 1]);
            let mut least = change.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[one.len()][other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggestions() {
        let known = ["Move", "Attack", "EndTurn"];
        for (word, expected) in [
            ("Mvoe", "did you mean Move?"),
            ("move", "did you mean Move?"),
            ("EndTrun", "did you mean EndTurn?"),
            ("Atack", "did you mean Attack?"),
            ("Sing", "there are Move, Attack, EndTurn"),
        ] {
            assert_eq!(suggest(word, known.into_iter()), expected);
        }
        assert_eq!(suggest("x", [].into_iter()), "");
    }
}
