//! Puts wrong expressions beside the right ones in the text of a file.

use std::fmt;

use crate::rows::Row;

/// The text of a file with all its mutants, each with its number. `is_chosen` is the path of the function that chooses.
///
/// # Errors
/// All problems of the mutants.
pub fn plant(text: &str, rows: &[(usize, &Row)], is_chosen: &str) -> Result<String, Vec<String>> {
    let source = Dense::new(text);
    let (mut marks, mut findings) = (Vec::new(), Vec::new());
    for (number, row) in rows {
        match source.find(row) {
            Ok((from, to)) => marks.push(Mark { from, to, number: *number, wrong: &row.wrong }),
            Err(problem) => findings.push(format!("mutant {}, {}: {problem}", row.name, row.file)),
        }
    }
    if findings.is_empty() { Ok(apply(text, marks, is_chosen)) } else { Err(findings) }
}

/// Why the expression of a mutant cannot be located.
enum NotFound {
    NoMarks,
    Nowhere,
    Ambiguous { times: usize },
}

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMarks => f.write_str("the rule has no marks « and »"),
            Self::Nowhere => f.write_str("the rule is not there"),
            Self::Ambiguous { times } => write!(f, "the rule is there {times} times, show more of what is around it"),
        }
    }
}

/// A text without white space, and the position of each character in the original text.
struct Dense {
    letters: String,
    /// The position of each byte of `letters` in the original text.
    places: Vec<usize>,
}

impl Dense {
    fn new(text: &str) -> Self {
        let (mut letters, mut places) = (String::new(), Vec::new());
        for (at, letter) in text.char_indices().filter(|(_, letter)| !letter.is_whitespace()) {
            letters.push(letter);
            places.extend((0..letter.len_utf8()).map(|byte| at + byte));
        }
        Self { letters, places }
    }

    /// The start and the end of a mutant's right expression in the original text.
    fn find(&self, row: &Row) -> Result<(usize, usize), NotFound> {
        let marked = row.rule.split_once('«').and_then(|(before, rest)| Some((before, rest.split_once('»')?)));
        let Some((before, (right, after))) = marked else { return Err(NotFound::NoMarks) };
        let [before, right, after] = [before, right, after].map(|part| Self::new(part).letters);
        let piece = [before.as_str(), &right, &after].concat();
        let mut found = self.letters.match_indices(&piece).map(|(at, _)| at);
        let Some(at) = found.next().filter(|_| !piece.is_empty()) else { return Err(NotFound::Nowhere) };
        let more = found.count();
        if more > 0 {
            return Err(NotFound::Ambiguous { times: more + 1 });
        }
        let from = at + before.len();
        match right.len() {
            0 => Ok((self.place(from), self.place(from))),
            length => Ok((self.place(from), self.place(from + length - 1) + 1)),
        }
    }

    /// The position of a letter in the original text; after the last letter, the end of that letter.
    fn place(&self, at: usize) -> usize {
        self.places.get(at).copied().unwrap_or_else(|| self.places.last().map_or(0, |last| last + 1))
    }
}

/// A wrong expression, and the range that it replaces.
struct Mark<'r> {
    from: usize,
    to: usize,
    number: usize,
    wrong: &'r str,
}

/// Inserts the wrong expressions. They may be nested: the outer ones begin first and end last.
fn apply(text: &str, mut marks: Vec<Mark<'_>>, function: &str) -> String {
    marks.sort_by_key(|mark| (mark.from, usize::MAX - mark.to));
    let mut pieces: Vec<(usize, String)> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for Mark { from, to, number, wrong } in marks {
        while let Some(end) = open.pop_if(|end| *end <= from) {
            pieces.push((end, " })".into()));
        }
        let is_chosen = format!("if {function}({number})");
        if from == to {
            pieces.push((from, format!("{is_chosen} {{ {wrong}; }} ")));
        } else {
            pieces.push((from, format!("({is_chosen} {{ {wrong} }} else {{ ")));
            open.push(to);
        }
    }
    pieces.extend(open.into_iter().rev().map(|end| (end, " })".into())));
    let mut written = String::with_capacity(text.len() * 2);
    let mut copied = 0;
    for (at, piece) in pieces {
        written += &text[copied..at];
        written += &piece;
        copied = at;
    }
    written + &text[copied..]
}

#[cfg(test)]
mod tests {
    use super::{Row, plant};

    const TEXT: &str = "fn f() {\n    let a = one(\n        two,\n    );\n    g();\n    g();\n    a + 1\n}\n";

    fn check(rules: &[(&str, &str)], expected: Result<&str, &[&str]>) {
        let rows: Vec<Row> = rules
            .iter()
            .map(|(rule, wrong)| Row {
                name: "m".into(),
                file: "a.rs".into(),
                rule: (*rule).into(),
                wrong: (*wrong).into(),
                ..Row::default()
            })
            .collect();
        let numbered: Vec<(usize, &Row)> = rows.iter().enumerate().collect();
        let written = plant(TEXT, &numbered, "::engine::mutants::is_chosen");
        let expected = expected.map(|change| {
            let (from, to) = change.split_once(" => ").expect("a change");
            TEXT.replacen(from, to, 1)
        });
        assert_eq!(written, expected.map_err(|problems| problems.iter().map(|&p| p.to_owned()).collect()), "{rules:?}");
    }

    #[test]
    fn marks() {
        let chosen = "if ::engine::mutants::is_chosen";
        check(
            &[("let a = «one(two,)»;", "1")],
            Ok(&format!("one(\n        two,\n    ); => ({chosen}(0) {{ 1 }} else {{ one(\n        two,\n    ) }});")),
        );
        check(&[("a «+» 1", "-")], Ok(&format!("a + 1 => a ({chosen}(0) {{ - }} else {{ + }}) 1")));
        check(&[("g(); «»a", "h()")], Ok(&format!("a + 1 => {chosen}(0) {{ h(); }} a + 1")));
        // The second row is the outer expression.
        check(
            &[("«a» + 1 }", "b"), ("«a + 1» }", "c")],
            Ok(&format!("a + 1 => ({chosen}(1) {{ c }} else {{ ({chosen}(0) {{ b }} else {{ a }}) + 1 }})")),
        );
    }

    #[test]
    fn rules_that_are_not_found_once() {
        check(&[("«h()»", "1")], Err(&["mutant m, a.rs: the rule is not there"]));
        check(&[("«g()»", "1")], Err(&["mutant m, a.rs: the rule is there 2 times, show more of what is around it"]));
        check(&[("g()", "1")], Err(&["mutant m, a.rs: the rule has no marks « and »"]));
        check(&[("«»", "1")], Err(&["mutant m, a.rs: the rule is not there"]));
        check(
            &[("«h()»", "1"), ("«a + 1»", "1"), ("«i()»", "1")],
            Err(&["mutant m, a.rs: the rule is not there", "mutant m, a.rs: the rule is not there"]),
        );
    }
}
