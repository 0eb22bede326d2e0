//! Counts the words and forms that the style avoids, over the whole tree. Each has a budget, because a quotation or a released
//! name may keep one. Lower a budget when there is room, and never raise it.

use crate::{failure::Failure, project::Project};

/// Words that make a sentence hard to read.
const AVOIDED: &[&str] = &["whoever", "somebody", "nobody", "anew", "of ours", "for ever", "what became of"];

/// How many of these words may remain.
const AVOIDED_BUDGET: usize = 40;

/// How many functions may return an error as a string: those at the last step of the command line.
const STRING_ERRORS_BUDGET: usize = 15;

/// The files in which words count.
const TEXTS: &[&str] =
    &["css", "html", "java", "js", "json", "md", "mjs", "py", "rs", "script", "sh", "toml", "ts", "txt"];

/// Counts both over all files, except this one, which has to contain them.
pub(crate) fn check(project: &Project) -> Result<Vec<String>, Failure> {
    let (mut avoided, mut string_errors) = (Vec::new(), Vec::new());
    for path in project.files()? {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        if !TEXTS.contains(&extension) || path.ends_with("xtask/src/words.rs") {
            continue;
        }
        let text = project.read(&path)?;
        for (number, line) in (1..).zip(text.lines()) {
            if let Some(word) = avoided_word(line) {
                avoided.push(format!("{}:{number}: {word}", path.display()));
            }
            if extension == "rs" && fails_with_a_string(line) {
                string_errors.push(format!("{}:{number}: an error that is a String", path.display()));
            }
        }
    }
    Ok([over(avoided, AVOIDED_BUDGET), over(string_errors, STRING_ERRORS_BUDGET)].concat())
}

/// All findings if there are more than the budget allows.
fn over(mut found: Vec<String>, budget: usize) -> Vec<String> {
    if found.len() <= budget {
        return Vec::new();
    }
    found.push(format!("{} of these; at most {budget} may stay", found.len()));
    found
}

fn avoided_word(line: &str) -> Option<&'static str> {
    let line = line.to_ascii_lowercase();
    AVOIDED.iter().copied().find(|word| line.match_indices(word).any(|(at, _)| is_whole(&line, at, word.len())))
}

/// Whether a part of a line is a whole word: no letter, digit or underscore is next to it.
fn is_whole(line: &str, at: usize, length: usize) -> bool {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    !line[..at].ends_with(is_word) && !line[at + length..].starts_with(is_word)
}

/// Whether a line has `Result<T, String>` for any `T`.
fn fails_with_a_string(line: &str) -> bool {
    line.match_indices("Result<").any(|(at, start)| error_of(&line[at + start.len()..]) == Some("String"))
}

/// The second argument of a generic type. `arguments` begins after the opening bracket.
fn error_of(arguments: &str) -> Option<&str> {
    let (mut depth, mut comma) = (0_usize, None);
    for (at, letter) in arguments.char_indices() {
        match letter {
            '<' | '(' | '[' => depth += 1,
            // The arrow of a function type does not close a bracket.
            '>' if arguments[..at].ends_with('-') => {}
            '>' | ')' | ']' if depth == 0 => return comma.map(|comma: usize| arguments[comma + 1..at].trim()),
            '>' | ')' | ']' => depth -= 1,
            ',' if depth == 0 => comma = Some(at),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{avoided_word, fails_with_a_string, over};

    #[test]
    fn words() {
        fn check(line: &str, expected: Option<&str>) {
            assert_eq!(avoided_word(line), expected, "{line:?}");
        }
        check("// Whoever reads this", Some("whoever"));
        check("a list of ours.", Some("of ours"));
        check("a list of oursins", None);
        check("_nobody_waits", None);
        check("\"nobody\"", Some("nobody"));
        check("what a canewas", None);
        check("", None);
    }

    #[test]
    fn errors() {
        fn check(line: &str, expected: bool) {
            assert_eq!(fails_with_a_string(line), expected, "{line:?}");
        }
        check("fn a() -> Result<(), String> {", true);
        check("fn a() -> Result<Vec<(u8, String)>, String>;", true);
        check("fn a() -> Result<String, Error> {", false);
        check("fn a() -> Result<(u8, String), Error> {", false);
        check("fn a() -> io::Result<String> {", false);
        check("fn a(run: impl Fn() -> Result<(), String>) -> Result<(), Error> {", true);
        check("fn a() -> Result<Box<dyn Fn() -> u8>, String> {", true);
        check("Result<", false);
    }

    #[test]
    fn budgets() {
        let found = |count: usize| vec!["a:1: nobody".to_owned(); count];
        assert_eq!(over(found(2), 2), Vec::<String>::new());
        assert_eq!(over(found(3), 2).last().map(String::as_str), Some("3 of these; at most 2 may stay"));
    }
}
