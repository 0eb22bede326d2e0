//! Files as browsers get them: without what only people who read the sources need.

use crate::{
    references::{is_word, tokens},
    shorten::short_names,
};

/// What is left of a module of types, which are comments.
const TYPES_ALONE: &str = "export{};";

/// A script without comments, without spaces, line ends and signs that mean nothing, and with short names for what only it can see.
///
/// ```
/// let script = resources::condense_script("// A number.\n/** @type {number} */\nexport const one = 1; // exactly\n");
/// assert_eq!(script, "export let one=1;");
/// ```
pub fn condense_script(script: &str) -> String {
    let tokens = tokens(script);
    let text = |at: usize| tokens.get(at).map_or("", |token| &script[token.clone()]);
    let renamed = short_names(script, &tokens);
    let mut kept = String::with_capacity(script.len());
    // What stands before each open bracket, and before the last closed one.
    let (mut open, mut header) = (Vec::new(), "");
    for (at, token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).map_or("", text);
        match text(at) {
            "(" => open.push(before),
            ")" => header = open.pop().unwrap_or_default(),
            _ => (),
        }
        // `(a) => b` is `a => b`.
        let is_arrow = |open: usize| {
            text(open) == "("
                && text(open + 2) == ")"
                && text(open + 3) == "="
                && text(open + 4) == ">"
                && is_plain(text(open + 1))
        };
        if is_arrow(at) || at.checked_sub(2).is_some_and(is_arrow) {
            continue;
        }
        // A statement that ends its block needs no semicolon, unless it is an empty one.
        let ended = at.checked_sub(2).map_or("", text);
        let is_empty = ended == "else" || ended == ":" || ended == ")" && ["for", "while", "if"].contains(&header);
        if text(at) == "}" && before == ";" && !is_empty && kept.ends_with(';') {
            kept.pop();
        }
        let text = match text(at) {
            // What is never assigned again may as well be a variable.
            "const" if before != "." && (text(at + 1).starts_with(['{', '[']) || is_plain(text(at + 1))) => "let",
            text => renamed.get(&at).map_or(text, String::as_str),
        };
        if let (Some(last), Some(&first)) = (kept.bytes().last(), text.as_bytes().first()) {
            let gap = &script[at.checked_sub(1).map_or(0, |before| tokens[before].end)..token.start];
            // A line end may stand for a semicolon, but not beside these.
            if gap.contains('\n') && !b"{;,([".contains(&last) && !b"})]".contains(&first) {
                kept.push('\n');
            } else if is_word(last) && is_word(first) && !before.starts_with('/')
                || !gap.is_empty()
                    && (last == first && b"+-/".contains(&first) || last.is_ascii_digit() && first == b'.')
            {
                kept.push(' ');
            }
        }
        kept += text;
    }
    // A module of types alone is for people and editors, who read its comments.
    if kept == TYPES_ALONE { script.to_owned() } else { kept }
}

fn is_plain(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_alphabetic()) && word.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// A stylesheet without comments, and without spaces that mean nothing.
///
/// ```
/// let style = resources::condense_style("/* All. */\nbody > p {\n  margin: 0 auto;\n  color: red;\n}\n");
/// assert_eq!(style, "body>p{margin:0 auto;color:red}");
/// ```
pub fn condense_style(style: &str) -> String {
    let mut kept = String::with_capacity(style.len());
    let mut rest = style;
    while let Some(sign) = rest.chars().next() {
        if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.split_once("*/").map_or("", |(_, after)| after);
            continue;
        }
        let length = if sign == '"' || sign == '\'' {
            rest[1..].find(sign).map_or(rest.len(), |end| end + 2)
        } else {
            sign.len_utf8()
        };
        let (text, after) = rest.split_at(length);
        rest = after;
        if sign.is_whitespace() {
            if !kept.is_empty() && !kept.ends_with([' ', '{', '}', ';', ':', ',', '>']) {
                kept.push(' ');
            }
            continue;
        }
        if matches!(sign, '{' | '}' | ';' | '>') && kept.ends_with(' ') {
            kept.pop();
        }
        if sign == '}' && kept.ends_with(';') {
            kept.pop();
        }
        kept += text;
    }
    kept.truncate(kept.trim_end().len());
    kept
}

/// A page without the indentation of its lines. One with preformatted text stays as it is.
pub(crate) fn without_indentation(page: &str) -> String {
    if ["<pre", "<textarea"].iter().any(|tag| page.match_indices(tag).any(|(at, _)| is_filled(&page[at..]))) {
        return page.to_owned();
    }
    page.lines().map(str::trim_start).filter(|line| !line.is_empty()).flat_map(|line| [line, "\n"]).collect()
}

/// A complete page without quotes around attributes that need none.
///
/// ```
/// let page = resources::condense_page("<a class=\"b c\" href=\"/d\">e</a>");
/// assert_eq!(page, "<a class=\"b c\" href=/d>e</a>");
/// ```
pub fn condense_page(page: &str) -> String {
    let mut kept = String::with_capacity(page.len());
    let mut rest = page;
    let mut in_tag = false;
    while let Some(sign) = rest.chars().next() {
        let quoted = rest.strip_prefix("=\"").filter(|_| in_tag).and_then(|rest| rest.split_once('"'));
        if let Some((value, after)) = quoted {
            let needs_quotes = |sign: char| sign.is_whitespace() || "'=<>`".contains(sign);
            let is_plain = !value.is_empty() && !value.contains(needs_quotes) && after.starts_with([' ', '>', '\n']);
            let quote = if is_plain { "" } else { "\"" };
            kept.extend(["=", quote, value, quote]);
            rest = after;
            continue;
        }
        in_tag = match sign {
            '<' => rest[1..].starts_with(|next: char| next.is_ascii_alphabetic()),
            '>' => false,
            _ => in_tag,
        };
        kept.push(sign);
        rest = &rest[sign.len_utf8()..];
    }
    kept
}

/// Whether the element that begins here has text.
fn is_filled(element: &str) -> bool {
    element.split_once('>').is_none_or(|(_, inside)| !inside.starts_with("</"))
}

#[cfg(test)]
mod tests {
    use super::{condense_page, condense_script, condense_style, without_indentation};

    #[test]
    fn scripts() {
        let check = |source: &str, left: &str| assert_eq!(condense_script(source), left, "{source}");
        check("", "");
        check("a();\n  // why\n  b(); // here\n\n", "a();b();");
        check("/** one */\na();\n/**\n * two\n * lines\n */\nb();", "a();b();");
        check("a(`\n  // text\n/* text */\n`);\n// why\n", "a(`\n  // text\n/* text */\n`);");
        check("a(\"//  \", '/*');\n", "a(\"//  \",'/*');");
        check(
            "const one = 1\nlet two = one + +one - -one\nreturn\none",
            "let one=1\nlet two=one+ +one- -one\nreturn\none",
        );
        check(
            "if (a) {\n  return /a  b/g.test(c) ? 1 : 2;\n}\nelse d = e / f / g;",
            "if(a){return/a  b/g.test(c)?1:2}\nelse d=e/f/g;",
        );
        check(
            "class A {\n  #a = 1;\n  get #b() {\n    return `${ this.#a  } b`;\n  }\n}",
            "class A{#a=1;get #b(){return`${this.#a} b`}}",
        );
        check("f(() => { for (;;); })", "f(()=>{for(;;);})");
        check("async (x) => x; ((x) => x); (x, y) => {}", "async x=>x;(x=>x);(x,y)=>{}");
        check("x = a\n++b\n(c)", "x=a\n++b\n(c)");
        check("1 .toFixed(); a in b; async () => await c", "1 .toFixed();a in b;async()=>await c");
    }

    #[test]
    fn styles() {
        let check = |source: &str, left: &str| assert_eq!(condense_style(source), left, "{source}");
        check("", "");
        check("a b, c > d { margin: 0 1px; }\n/* e */ f { }", "a b,c>d{margin:0 1px}f{}");
        check("a :hover { content: \"a;  b }\"; }", "a :hover{content:\"a;  b }\"}");
        check("a { width: calc(100% - 2px + 1px); b: url(x.png) }", "a{width:calc(100% - 2px + 1px);b:url(x.png)}");
        check("@media (max-width: 9px) and (a) {\n  b { c: d }\n}", "@media (max-width:9px) and (a){b{c:d}}");
        check(".a {\n  b: c;\n  > d { e: f; }\n  &:hover g, h { i: j; }\n}", ".a{b:c;>d{e:f}&:hover g,h{i:j}}");
    }

    #[test]
    fn pages() {
        assert_eq!(without_indentation("<p>\n  a\n\n  <b>c</b> d\n</p>\n"), "<p>\na\n<b>c</b> d\n</p>\n");
        for kept in ["<pre>\n  a\n</pre>", "<textarea>\n a</textarea>"] {
            assert_eq!(without_indentation(kept), kept);
        }
        assert_eq!(
            without_indentation("<p>\n  <textarea rows=\"3\"></textarea>"),
            "<p>\n<textarea rows=\"3\"></textarea>\n"
        );
        let page = "<a class=\"b c\" href=\"/d?e=f\" id=\"g\" title=\"\">h=\"i\"</a><br class=\"j\"/>\n";
        assert_eq!(condense_page(page), page.replace("\"g\"", "g"));
    }
}
