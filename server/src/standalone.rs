//! A finished game as one HTML file that needs no host: the page of a game, its modules and styles, the drawing of the rulebook, and
//! the game's chronicle. The page runs from a disk, without a network.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

use engine::Digest;
use resources::ReferenceKind;
use serde_json::json;

use crate::{
    erased::GameTable,
    web_sources::{WebSources, as_served, content_type, whole_page},
};

/// Modules have addresses of this scheme instead of paths: the modules of a file have no folder, so that paths lead nowhere.
const SCHEME: &str = "holdfast:/web/";

/// Where the chronicle begins in the page: before this text.
const BODY_END: &str = "</body>";

/// A page around the lines of a chronicle. Files are written as [`before`](Self::before), the lines as [`inert`](Self::inert) gives
/// them, and [`after`](Self::after).
#[derive(Clone, Debug)]
pub struct StandalonePage {
    before: String,
    after: String,
}

impl StandalonePage {
    /// The page for a game of this rulebook.
    ///
    /// `digest` is that of the last entry of its log. The page allows scripts by it: it covers all that players sent, so no player
    /// could know it while writing a name.
    pub fn new(web: &WebSources, games: &GameTable, rulebook: &str, digest: Digest) -> Self {
        let files = Files { web, games };
        let nonce = &digest.to_string()[..32];
        let page =
            resources::web("game.html").map(|page| whole_page(&String::from_utf8_lossy(page))).unwrap_or_default();
        let modules = files.modules(&["game.js".to_owned(), format!("{rulebook}/draw.js")]);
        let imports: BTreeMap<String, String> = (modules.into_iter())
            .map(|(path, script)| (format!("{SCHEME}{path}"), data_address("text/javascript", script.as_bytes())))
            .collect();
        let policy = format!(
            "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}' data:; img-src data:; connect-src data:; \
             font-src data:; media-src data:; base-uri 'none'; form-action 'none'"
        );
        let mut whole = String::new();
        for line in page.lines() {
            let named = |before: &str, after: &str| {
                let path = line.trim().strip_prefix(before)?.strip_suffix(after)?;
                files.text(path)
            };
            if let Some(style) = named("<link rel=\"stylesheet\" href=\"/web/", "\">") {
                let _infallible = writeln!(whole, "<style nonce=\"{nonce}\">\n{style}</style>");
            } else if let Some(script) = named("<script src=\"/web/", "\"></script>") {
                let _infallible = writeln!(whole, "<script nonce=\"{nonce}\">\n{script}</script>");
            } else if line.contains("<script type=\"module\"") {
                let _infallible = writeln!(
                    whole,
                    "<script type=\"importmap\" nonce=\"{nonce}\">{}</script>\n<script type=\"module\" nonce=\"{nonce}\">import \"{SCHEME}game.js\";</script>",
                    json!({ "imports": imports })
                );
            } else if !line.contains("rel=\"modulepreload\"") {
                // There is no list of games beside a file.
                whole += &files.with_pictures(&line.replace(" href=\"/\"", ""));
                whole.push('\n');
                if line.contains("<meta charset=") {
                    let _infallible =
                        writeln!(whole, "<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">");
                }
            }
        }
        let end = whole.rfind(BODY_END).unwrap_or(whole.len());
        let after = format!("</script>\n{}", whole.split_off(end));
        Self { before: whole + "<script type=\"application/x-ndjson\" id=\"chronicle\">\n", after }
    }

    /// The page up to the first line of the chronicle.
    pub fn before(&self) -> &str {
        &self.before
    }

    /// Lines of the chronicle as they stand in the page. No text in them can end the element around them: JSON has `<` only in
    /// strings, where it can be escaped.
    pub fn inert(lines: &[u8]) -> Vec<u8> {
        let mut inert = Vec::with_capacity(lines.len() + lines.len() / 64);
        for byte in lines {
            match byte {
                b'<' => inert.extend_from_slice(b"\\u003c"),
                byte => inert.push(*byte),
            }
        }
        inert
    }

    /// The page after the last line of the chronicle.
    pub fn after(&self) -> &str {
        &self.after
    }
}

/// The files of the pages of a host.
#[derive(Clone, Copy)]
struct Files<'f> {
    web: &'f WebSources,
    games: &'f GameTable,
}

impl Files<'_> {
    fn bytes(self, path: &str) -> Option<Cow<'static, [u8]>> {
        let shared = resources::web(path).map(Cow::Borrowed);
        Some(as_served(path, shared.or_else(|| self.web.find(self.games, path))?))
    }

    fn text(self, path: &str) -> Option<String> {
        String::from_utf8(self.bytes(path)?.into_owned()).ok()
    }

    /// These modules and all that they import, with addresses that need no folder. A module that is not there is left out: the
    /// drawing that needs it fails, and the page shows a tree of values, as on the host.
    fn modules(self, entries: &[String]) -> BTreeMap<String, String> {
        let mut modules = BTreeMap::new();
        let mut wanted: BTreeSet<String> = entries.iter().cloned().collect();
        while let Some(path) = wanted.pop_first() {
            let Some(script) = self.text(&path).filter(|_| !modules.contains_key(&path)) else { continue };
            let mut written = String::with_capacity(script.len());
            let mut from = 0;
            for reference in resources::references(&script) {
                let named = &script[reference.at.clone()];
                let address = match reference.kind {
                    ReferenceKind::Computed => Some(format!("\"{}\"+", SCHEME.trim_end_matches("/web/"))),
                    ReferenceKind::Module => resolve(&path, named).map(|module| {
                        let address = format!("{SCHEME}{module}");
                        wanted.insert(module);
                        address
                    }),
                    ReferenceKind::File => resolve(&path, &format!("./{named}")).and_then(|file| self.data(&file)),
                };
                written += &script[from..reference.at.start];
                written += address.as_deref().unwrap_or(named);
                from = reference.at.end;
            }
            written += &script[from..];
            modules.insert(path, written);
        }
        modules
    }

    /// A file as an address that contains it.
    fn data(self, path: &str) -> Option<String> {
        let kind = content_type(path)?;
        if path.ends_with(".css") {
            return Some(data_address(kind, self.with_files(path, &self.text(path)?).as_bytes()));
        }
        Some(data_address(kind, &self.bytes(path)?))
    }

    /// A stylesheet in which `url(..)` contains the files that it names.
    fn with_files(self, path: &str, style: &str) -> String {
        let mut parts = style.split("url(");
        let mut written = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (named, rest) = part.split_once(')').unwrap_or((part, ""));
            let file = named.trim().trim_matches(['"', '\'']);
            let file =
                if file.starts_with('/') || file.starts_with('.') { file.to_owned() } else { format!("./{file}") };
            // A stylesheet cannot name itself this way, so this ends.
            let inside = resolve(path, &file).filter(|file| !file.ends_with(".css")).and_then(|file| self.data(&file));
            let _infallible = match inside {
                Some(address) => write!(written, "url(\"{address}\"){rest}"),
                None => write!(written, "url({part}"),
            };
        }
        written
    }

    /// A line of a page in which attributes contain the pictures that they name.
    fn with_pictures(self, line: &str) -> String {
        let mut parts = line.split("=\"/web/");
        let mut written = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (path, rest) = part.split_once('"').unwrap_or((part, ""));
            let address = self.data(path).unwrap_or_default();
            let _infallible = write!(written, "=\"{address}\"{rest}");
        }
        written
    }
}

/// The path below `/web/` that a module of this path names; `None` for an address elsewhere.
fn resolve(from: &str, named: &str) -> Option<String> {
    if let Some(path) = named.strip_prefix("/web/") {
        return Some(path.to_owned());
    }
    if !named.starts_with("./") && !named.starts_with("../") {
        return None;
    }
    let mut folders: Vec<&str> = from.split('/').collect();
    folders.pop();
    for part in named.split('/') {
        match part {
            "." => (),
            ".." => {
                folders.pop()?;
            }
            name => folders.push(name),
        }
    }
    Some(folders.join("/"))
}

/// An address that contains a file. It can stand in an attribute, in a string of JSON or JavaScript, and in a stylesheet.
fn data_address(kind: &str, bytes: &[u8]) -> String {
    // Browsers may leave out spaces of files that are not text.
    let spaces = kind.starts_with("text/");
    let mut address = format!("data:{},", kind.replace(' ', ""));
    if spaces && !kind.contains("charset") {
        address.insert_str(address.len() - 1, ";charset=utf-8");
    }
    for &byte in bytes {
        let is_plain = match byte {
            b'%' | b'#' | b'"' | b'\\' | b'<' | b'>' | b'&' => false,
            b' ' => spaces,
            _ => byte.is_ascii_graphic(),
        };
        if is_plain {
            address.push(byte.into());
        } else {
            let _infallible = write!(address, "%{byte:02X}");
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use engine::Digest;

    use super::{Files, StandalonePage, data_address, resolve};
    use crate::{WebSources, erased::GameTable};

    #[test]
    fn paths() {
        for (from, named, path) in [
            ("game.js", "./dom.js", Some("dom.js")),
            ("chess/draw.js", "/web/dom.js", Some("dom.js")),
            ("chess/draw.js", "./art.js", Some("chess/art.js")),
            ("draw/bind.js", "../dom.js", Some("dom.js")),
            ("game.js", "../secret.js", None),
            ("game.js", "https://elsewhere.example/a.js", None),
            ("game.js", "three", None),
        ] {
            assert_eq!(resolve(from, named).as_deref(), path, "{named} in {from}");
        }
    }

    #[test]
    fn addresses_contain_files() {
        assert_eq!(
            data_address("text/javascript", b"a < \"b\";\n"),
            "data:text/javascript;charset=utf-8,a %3C %22b%22;%0A"
        );
        assert_eq!(data_address("text/css; charset=utf-8", "é#".as_bytes()), "data:text/css;charset=utf-8,%C3%A9%23");
        assert_eq!(data_address("image/png", b"a b\0"), "data:image/png,a%20b%00");
    }

    #[test]
    fn text_of_players_cannot_end_the_element() {
        let lines = StandalonePage::inert(b"{\"name\":\"</script><!--<script>\"}\n");
        assert_eq!(lines, b"{\"name\":\"\\u003c/script>\\u003c!--\\u003cscript>\"}\n");
    }

    /// A page of the shared files alone; the drawing of a rulebook that does not exist is left out.
    #[test]
    fn a_page_names_no_file_outside() {
        let (web, games) = (WebSources::default(), GameTable::new(Vec::new()));
        let page = StandalonePage::new(&web, &games, "none", Digest([0xab; 32]));
        let text = page.before().to_owned() + page.after();
        assert!(text.starts_with("<!doctype html>") && text.trim_end().ends_with("</html>"), "{text}");
        for outside in ["=\"/web/", "modulepreload", "href=\"/\""] {
            assert!(!text.contains(outside), "{outside}");
        }
        let nonce = "ab".repeat(16);
        assert_eq!(
            text.matches("<script").count() - 1,
            text.matches(&format!("nonce=\"{nonce}\"")).count() - text.matches("<style").count()
        );
        assert!(text.contains(&format!("script-src 'nonce-{nonce}';")), "only scripts of this page run");
        // The script that knows no file by its name finds it by the same scheme.
        let modules = Files { web: &web, games: &games }.modules(&["game.js".into()]);
        assert!(modules["drawing.js"].contains("import(\"holdfast:\"+`/web/${"), "{}", modules["drawing.js"]);
        assert!(modules["drawing.js"].contains("import(\"holdfast:/web/tree.js\")") && modules.contains_key("tree.js"));
        assert!(!modules.contains_key("types.js"), "only what runs");
    }
}
