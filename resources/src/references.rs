//! What a script refers to: modules that it imports, and files beside it.

use std::ops::Range;

/// A place in a script that names another file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// What it is.
    pub kind: ReferenceKind,
    /// Where it is in the script, in bytes: the text between the quotes, or for [`ReferenceKind::Computed`] an empty range before
    /// the expression.
    pub at: Range<usize>,
}

/// The ways to name another file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReferenceKind {
    /// `from "./a.js"`, `import "./a.js"` or `import("./a.js")`.
    Module,
    /// `import(expression)`.
    Computed,
    /// `new URL("a.css", import.meta.url)`.
    File,
}

/// Words after which a slash begins a regular expression.
const BEFORE_EXPRESSION: [&str; 14] = [
    "return",
    "typeof",
    "case",
    "in",
    "of",
    "delete",
    "void",
    "instanceof",
    "new",
    "do",
    "else",
    "yield",
    "await",
    "throw",
];

/// The references of a script, in their order.
///
/// ```
/// use resources::{ReferenceKind, references};
/// let script = r#"import { a } from "./a.js"; const b = "from './b.js'";"#;
/// let found = references(script);
/// assert_eq!(found.len(), 1);
/// assert_eq!((found[0].kind, &script[found[0].at.clone()]), (ReferenceKind::Module, "./a.js"));
/// ```
pub fn references(script: &str) -> Vec<Reference> {
    let tokens = tokens(script);
    let word = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map_or("", |token| &script[token.clone()]);
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let before = |by: usize| word(at.checked_sub(by));
        let text = &script[token.clone()];
        let inside = |token: &Range<usize>| token.start + 1..token.end - 1;
        let is_call = text == "(" && before(1) == "import" && before(2) != ".";
        if is_call && !is_string(word(Some(at + 1))) {
            found.push(Reference { kind: ReferenceKind::Computed, at: token.end..token.end });
        } else if is_string(text)
            && (["from", "import"].contains(&before(1))
                || before(1) == "(" && before(2) == "import" && before(3) != ".")
        {
            found.push(Reference { kind: ReferenceKind::Module, at: inside(token) });
        } else if is_string(text)
            && [before(3), before(2), before(1)] == ["new", "URL", "("]
            && (1..7).map(|by| word(Some(at + by))).eq([",", "import", ".", "meta", ".", "url"])
        {
            found.push(Reference { kind: ReferenceKind::File, at: inside(token) });
        }
    }
    found
}

/// Whether a token is a whole string without escapes.
fn is_string(token: &str) -> bool {
    let quote = token.chars().next().filter(|quote| ['"', '\''].contains(quote));
    quote.is_some_and(|quote| token.len() >= 2 && token.ends_with(quote) && !token.contains('\\'))
}

/// The tokens of a script: words, strings, parts of templates, regular expressions, and single signs. Comments are left out.
///
/// A slash after `)`, `]` or `}` counts as a division. Only a parser could know better, and a regular expression stands there only
/// at the start of a statement.
pub(crate) fn tokens(script: &str) -> Vec<Range<usize>> {
    let bytes = script.as_bytes();
    let mut tokens: Vec<Range<usize>> = Vec::new();
    // For each template around this place, how many braces are open inside of its expression.
    let mut templates: Vec<usize> = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let rest = &bytes[at..];
        let end = if byte.is_ascii_whitespace() {
            at += 1;
            continue;
        } else if rest.starts_with(b"//") {
            at += rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
            continue;
        } else if rest.starts_with(b"/*") {
            at += rest[2..].windows(2).position(|two| two == b"*/").map_or(rest.len(), |end| end + 4);
            continue;
        } else if is_word(byte) {
            at + rest.iter().position(|byte| !is_word(*byte)).unwrap_or(rest.len())
        } else if byte == b'"' || byte == b'\'' {
            at + quoted(rest, byte)
        } else if byte == b'`' || byte == b'}' && templates.last() == Some(&0) {
            if byte == b'}' {
                templates.pop();
            }
            let (length, opens) = template(rest);
            if opens {
                templates.push(0);
            }
            at + length
        } else if byte == b'/' && begins_expression(tokens.last().map(|token| &script[token.clone()])) {
            at + regular_expression(rest)
        } else {
            match (byte, templates.last_mut()) {
                (b'{', Some(open)) => *open += 1,
                (b'}', Some(open)) => *open -= 1,
                _ => (),
            }
            at + 1
        };
        tokens.push(at..end);
        at = end;
    }
    tokens
}

/// Letters, digits, and everything beyond ASCII, so that no token ends inside of a character.
pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'#') || !byte.is_ascii()
}

fn begins_expression(before: Option<&str>) -> bool {
    let Some(before) = before else { return true };
    let last = before.bytes().last().unwrap_or(b' ');
    if is_word(last) { BEFORE_EXPRESSION.contains(&before) } else { !b")]}\"'`/".contains(&last) }
}

/// The length of a string. One without an end ends with its line.
fn quoted(rest: &[u8], quote: u8) -> usize {
    length_until(rest, |byte| byte == quote)
}

/// The length of a regular expression without its flags.
fn regular_expression(rest: &[u8]) -> usize {
    let mut in_class = false;
    length_until(rest, |byte| {
        in_class = byte == b'[' || in_class && byte != b']';
        byte == b'/' && !in_class
    })
}

/// The length up to and with the first byte after the opening one that `ends` and has no backslash before it.
fn length_until(rest: &[u8], mut ends: impl FnMut(u8) -> bool) -> usize {
    let mut at = 1;
    while let Some(&byte) = rest.get(at) {
        match byte {
            b'\n' => return at,
            b'\\' => at += 2,
            _ if ends(byte) => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// The length of a part of a template, and whether an expression follows.
fn template(rest: &[u8]) -> (usize, bool) {
    let mut at = 1;
    while let Some(&byte) = rest.get(at) {
        match byte {
            b'\\' => at += 2,
            b'`' => return (at + 1, false),
            b'$' if rest.get(at + 1) == Some(&b'{') => return (at + 2, true),
            _ => at += 1,
        }
    }
    (rest.len(), false)
}

#[cfg(test)]
mod tests {
    use super::{ReferenceKind, references};
    use crate::{web, web_paths};

    #[track_caller]
    fn check(script: &str, expected: &[&str]) {
        let found: Vec<String> =
            references(script).into_iter().map(|found| format!("{:?} {}", found.kind, &script[found.at])).collect();
        assert_eq!(found, expected, "{script}");
    }

    #[test]
    fn imports() {
        check("import { a, b as c } from \"./a.js\";\nimport './b.js';", &["Module ./a.js", "Module ./b.js"]);
        check("import{a}from\"./a.js\";export*from'/web/b.js'", &["Module ./a.js", "Module /web/b.js"]);
        check("const late = () => import(\"./c.js\");", &["Module ./c.js"]);
        check("import(`/web/${name}/draw.js`).catch(tree)", &["Computed "]);
        check("loader.import(\"./c.js\"); loader.import(c)", &[]);
        check("", &[]);
    }

    #[test]
    fn files() {
        check("await css(new URL(\"draw.css\", import.meta.url));", &["File draw.css"]);
        check("new URL('a.svg',import.meta.url)", &["File a.svg"]);
        check("new URL(name, import.meta.url); new URL(\"a.css\", location.href)", &[]);
    }

    #[test]
    fn text_is_no_code() {
        check("// from \"./a.js\"\n/* import \"./b.js\" */ a(\"import './c.js'\")", &[]);
        check("a(`from \"./a.js\" ${b(`from \"./b.js\"`)} from \"./c.js\"`); import \"./d.js\"", &["Module ./d.js"]);
        check("a(`${ { b: 1 }.b } \"`); import \"./d.js\"", &["Module ./d.js"]);
        check("a(/[\"/]from \"/); import \"./d.js\"", &["Module ./d.js"]);
        check("x = a / b; y = \"/\" / 2; import \"./d.js\"", &["Module ./d.js"]);
        check("return /'/.test(a) ? 1 / 2 : 3; import \"./d.js\"", &["Module ./d.js"]);
        check("a(\"\\\" from './b.js'\"); import \"./d.js\"", &["Module ./d.js"]);
        check("a(\"é ∑\"); é(); import \"./d.js\"", &["Module ./d.js"]);
        check("a = 'it ends with its line\nimport \"./d.js\"", &["Module ./d.js"]);
        check("a(`never ends ${", &[]);
    }

    /// Every import of the pages begins a line, so a search for lines finds the same ones.
    #[test]
    fn the_pages_refer_to_files_that_exist() {
        let mut modules = 0;
        for path in web_paths().filter(|path| path.ends_with(".js")) {
            let script = str::from_utf8(web(path).expect("it is there")).expect("UTF-8");
            let found = references(script);
            let lines = script.lines().filter(|line| {
                (line.starts_with("import ") || line.starts_with("export {")) && line.contains(" from \"")
            });
            // One module of each is loaded only when it is needed.
            let late = usize::from(["drawing.js", "play-waiting.js"].contains(&path));
            let named: Vec<&str> = (found.iter().filter(|found| found.kind == ReferenceKind::Module))
                .map(|found| &script[found.at.clone()])
                .collect();
            assert_eq!(named.len(), lines.count() + late, "{path}: {named:?}");
            for name in &named {
                let file = name.trim_start_matches("/web/").trim_start_matches("../").trim_start_matches("./");
                assert!(web(file).is_some(), "{path} imports {name}");
            }
            modules += named.len();
        }
        assert!(modules > 50, "{modules} imports");
    }
}
