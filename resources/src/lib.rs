//! The web pages that all games share, and the description of the HTTP API.

mod condense;
mod references;
mod shorten;

use std::borrow::Cow;

pub use condense::{condense_page, condense_script, condense_style};
pub use references::{Reference, ReferenceKind, references};

/// The HTTP API as an OpenAPI document.
pub const OPENAPI: &str = include_str!("../api/openapi.json");

/// The head of all pages, with placeholders for each page's own head and body.
const TEMPLATE: &str = include_str!("../page.html");

/// Returns a file of the web pages by its path below `web/`.
pub fn web(path: &str) -> Option<&'static [u8]> {
    WEB.iter().find(|(known, _)| *known == path).map(|(_, bytes)| *bytes)
}

/// The paths of all files that [`web`] returns.
pub fn web_paths() -> impl Iterator<Item = &'static str> {
    WEB.iter().map(|(path, _)| *path)
}

/// Completes the source of a page to an HTML document. The page may be shared or belong to a game.
///
/// The source has the title and the links of the page, and then its `<body>`. The shared head (character set, viewport, colour
/// scheme, icon, theme and stylesheet) comes from `page.html`. A source that is already a whole document stays unchanged.
///
/// ```
/// let page = resources::complete_page(b"<title>Chess</title>\n<body>Hello</body>\n");
/// let page = std::str::from_utf8(&page).unwrap();
/// assert!(page.starts_with("<!doctype html>") && page.contains("<title>Chess</title>\n</head>\n<body>Hello</body>\n</html>"));
/// ```
pub fn complete_page(source: &[u8]) -> Cow<'_, [u8]> {
    let Some((head, body)) = std::str::from_utf8(source).ok().and_then(split_page) else {
        return Cow::Borrowed(source);
    };
    // In this order, the first match is always the placeholder of the template, even if the page contains the same text.
    let page = TEMPLATE.replacen("{body}", body.trim_end(), 1);
    let page = page.replacen("{head}", head.trim_end(), 1);
    Cow::Owned(condense::without_indentation(&page).into_bytes())
}

/// The head and the body of a page that is not a whole document.
fn split_page(source: &str) -> Option<(&str, &str)> {
    if source.trim_start().get(..9).is_some_and(|start| start.eq_ignore_ascii_case("<!doctype")) {
        return None;
    }
    source.find("<body").map(|body| source.split_at(body))
}

// `const WEB: &[(&str, &[u8])]`, sorted by path.
include!(concat!(env!("OUT_DIR"), "/web.rs"));

#[cfg(test)]
mod tests {
    use super::{complete_page, web, web_paths};

    fn complete(source: &str) -> String {
        String::from_utf8(complete_page(source.as_bytes()).into_owned()).expect("UTF-8")
    }

    #[test]
    fn a_page_gets_the_shared_head_once() {
        for path in web_paths().filter(|path| path.ends_with(".html")) {
            let source = str::from_utf8(web(path).expect("it is there")).expect("UTF-8");
            assert!(source.starts_with("<title>"), "{path} has no head of its own");
            let page = complete(source);
            for once in
                ["<!doctype html>", "<meta charset=", "<title>", "/web/style.css", "</head>", "<body", "</html>"]
            {
                assert_eq!(page.matches(once).count(), 1, "{path}: {once}");
            }
            assert!(!page.contains("{head}") && !page.contains("{body}"), "{path}");
        }
    }

    #[test]
    fn other_sources_stay_as_they_are() {
        for source in ["<!doctype html><title>a</title><body>b</body>", "\n<!DOCTYPE html><body>", "no page", ""] {
            assert_eq!(complete(source), source);
        }
        assert_eq!(&*complete_page(b"<body>\xff"), b"<body>\xff");
    }

    #[test]
    fn braces_in_a_page_are_text() {
        let page = complete("<title>{body}</title>\n<body>{head} {body}</body>\n");
        assert!(page.contains("\n<title>{body}</title>\n</head>\n<body>{head} {body}</body>\n</html>"), "{page}");
    }
}
