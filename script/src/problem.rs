//! What is wrong with a script, shown so that its author sees it at once.

use std::fmt;

/// A mistake at a place of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where it is written.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// How many characters it is about.
    pub width: usize,
    /// What is wrong.
    pub message: String,
    /// What would work.
    pub help: String,
    /// The line as it stands in the file.
    pub text: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, width, message, help, text } = self;
        let number = line.to_string();
        let margin = " ".repeat(number.len());
        // A tab stays a tab, so that the caret stands below its place.
        let before: String = text.chars().take(column - 1).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        writeln!(f, "{message}")?;
        writeln!(f, "{margin}--> {file}:{line}:{column}")?;
        writeln!(f, "{number} | {text}")?;
        write!(f, "{margin} | {before}{}", "^".repeat((*width).max(1)))?;
        if help.is_empty() { Ok(()) } else { write!(f, " {help}") }
    }
}

/// "did you mean Moved?", or what there is.
pub fn suggest<'a>(word: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    const MOST: usize = 12;
    let near = known.clone().map(|name| (distance(&word.to_lowercase(), &name.to_lowercase()), name)).min();
    if let Some((distance, name)) = near
        && distance <= (word.chars().count() / 3).max(1)
    {
        return format!("did you mean {name}?");
    }
    let names: Vec<&str> = known.clone().take(MOST).collect();
    match names.len() {
        0 => String::new(),
        MOST if known.count() > MOST => format!("there are {}, ..", names.join(", ")),
        _ => format!("there are {}", names.join(", ")),
    }
}

/// How many letters have to be changed, put in, left out or swapped with their neighbour.
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
