//! The tokens of a wish: the tokens of a script, and the signs `( ) : ,`.

use script::{Line, Token, TokenKind, Unreadable};

const SIGNS: [char; 4] = ['(', ')', ':', ','];

pub(super) fn tokens(text: &str) -> Result<Vec<Token>, Unreadable> {
    let mut tokens = Vec::new();
    for part in parts(text) {
        let at = text[..text.len() - part.rest.len()].chars().count();
        if part.text.starts_with(SIGNS) {
            tokens.push(Token { at, width: 1, kind: TokenKind::Word, raw: part.text.into() });
            continue;
        }
        let line = Line::read(part.text).map_err(|bad| Unreadable { at: at + bad.at, ..bad })?;
        if let Some(comment) = line.comment {
            let message = "a wish has no comments".into();
            return Err(Unreadable { at: at + part.text.chars().count() - comment.chars().count(), width: 1, message });
        }
        tokens.extend(line.tokens.into_iter().map(|token| Token { at: at + token.at, ..token }));
    }
    Ok(tokens)
}

struct Part<'t> {
    text: &'t str,
    /// The text from this part on.
    rest: &'t str,
}

/// Splits a text at signs that are not in quotation marks.
fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let (mut begin, mut quoted, mut escaped) = (0, false, false);
    for (at, c) in text.char_indices() {
        if quoted {
            quoted = c != '"' || escaped;
            escaped = c == '\\' && !escaped;
        } else if SIGNS.contains(&c) {
            parts.push(Part { text: &text[begin..at], rest: &text[begin..] });
            parts.push(Part { text: &text[at..=at], rest: &text[at..] });
            begin = at + 1;
        } else {
            quoted = c == '"';
        }
    }
    parts.push(Part { text: &text[begin..], rest: &text[begin..] });
    parts
}
