//! Words and tables of all tasks: times, durations, and texts from a log made safe for a terminal.

use std::{borrow::Cow, fmt::Write};

pub(super) use cli::moment;

/// `0:07`, `12:30` or `1:00:05`.
pub(super) fn span(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// Escapes control characters of a text from a log: players choose their names.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains(char::is_control) {
        return text.into();
    }
    let mut plain = String::new();
    for c in text.chars() {
        if c.is_control() { plain.extend(c.escape_default()) } else { plain.push(c) }
    }
    plain.into()
}

/// Cuts a text that is too long for a table.
pub(super) fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.into();
    }
    text.chars().take(most.saturating_sub(2)).chain("..".chars()).collect()
}

/// The alignment of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Right,
}

/// A table in lines, each column as wide as its widest cell.
pub(super) fn table(columns: &[Align], rows: &[Vec<String>]) -> String {
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns.len()).map(|column| width(column).unwrap_or_default()).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for ((cell, align), &width) in row.iter().zip(columns).zip(&widths) {
            match align {
                Align::Left => write!(line, "{cell:<width$}  "),
                Align::Right => write!(line, "{cell:>width$}  "),
            }
            .expect("a string takes everything");
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments() {
        for (milliseconds, expected) in [
            (0, "1970-01-01 00:00:00"),
            (-1, "1969-12-31 23:59:59"),
            (951_782_399_999, "2000-02-28 23:59:59"),
            (951_782_400_000, "2000-02-29 00:00:00"),
            (951_868_800_000, "2000-03-01 00:00:00"),
            (1_794_823_746_000, "2026-11-16 10:09:06"),
            (4_107_542_400_000, "2100-03-01 00:00:00"),
        ] {
            assert_eq!(moment(milliseconds), expected);
        }
    }

    #[test]
    fn spans() {
        for (milliseconds, expected) in
            [(0, "0:00"), (59_999, "0:59"), (60_000, "1:00"), (3_599_000, "59:59"), (3_605_000, "1:00:05")]
        {
            assert_eq!(span(milliseconds), expected);
        }
    }

    #[test]
    fn untrusted_texts() {
        assert_eq!(plain("Ana, Zoe\u{301}"), "Ana, Zoe\u{301}");
        assert_eq!(plain("\u{1b}[2JAna\n"), "\\u{1b}[2JAna\\n");
        assert_eq!((cut("abcdef", 6), cut("abcdefg", 6)), ("abcdef".into(), "abcd..".into()));
    }

    #[test]
    fn tables() {
        let rows = [["a", "10"], ["bcd", "2"]].map(|row| row.map(String::from).to_vec());
        assert_eq!(table(&[Align::Left, Align::Right], &rows), "a    10\nbcd   2\n");
    }
}
