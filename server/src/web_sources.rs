//! Files of pages and drawings from outside: embedded ones of an author's program, and a folder of an operator.

use std::{
    borrow::Cow,
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
    sync::{LazyLock, Mutex, PoisonError},
};

use crate::{adapter::WebFile, erased::GameTable};

/// The largest file of a folder, in bytes.
const LARGEST: u64 = 16 << 20;
/// The deepest path below the folder of a rulebook.
const DEEPEST: usize = 8;

/// Files of pages besides those that games bring by their [`Adapter`](crate::Adapter). They are served below `/web/RULEBOOK/`, for
/// rulebooks that the host has, with the same content policy as all pages.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct WebSources {
    /// Embedded files, each list with the name of its rulebook.
    pub files: Vec<(String, &'static [WebFile])>,
    /// A folder with a folder for each rulebook. If the host has one rulebook, its files may also lie in the folder itself. The files are
    /// read for every request, so a changed file shows after a reload. They come before all others of the rulebook. Only files that pages
    /// are made of are served: the folder may also have a log, or sources.
    pub folder: Option<PathBuf>,
}

impl WebSources {
    /// A file of a rulebook's pages by its path `RULEBOOK/FILE`. A rulebook without a drawing has one that shows a tree of values.
    pub(crate) fn find(&self, games: &GameTable, path: &str) -> Option<Cow<'static, [u8]>> {
        let (rulebook, file) = path.split_once('/')?;
        let game = games.named(rulebook)?;
        if let Some(bytes) = self.read(rulebook, file, games.iter().count() == 1) {
            return Some(Cow::Owned(bytes));
        }
        let named = |(known, _): &&WebFile| *known == file;
        let mut own = self.files.iter().filter(|(name, _)| name == rulebook).flat_map(|(_, files)| files.iter());
        if let Some((_, bytes)) = own.find(named) {
            // No test of ours has seen the scripts of an author, so they are served as they are.
            return Some(Cow::Owned(bytes.to_vec()));
        }
        let found = game.web().iter().find(named).map(|(_, bytes)| *bytes);
        found.or_else(|| if file == "draw.js" { resources::web("draw/default.js") } else { None }).map(Cow::Borrowed)
    }

    /// Whether [`find`](Self::find) may read a file.
    pub(crate) fn may_block(&self) -> bool {
        self.folder.is_some()
    }

    /// Reads a file of the folder. Anything that is not an ordinary file of a page inside of the folder does not exist.
    fn read(&self, rulebook: &str, file: &str, is_only: bool) -> Option<Vec<u8>> {
        content_type(file)?;
        let folder = self.folder.as_ref().filter(|_| is_plain(file))?;
        let own = read_inside(&folder.join(rulebook), file);
        own.or_else(|error| if is_only { read_inside(folder, file) } else { Err(error) }).ok()
    }
}

/// A file as browsers get it: pages with their head, scripts and styles without what only their readers need. Files of an author's
/// program and of a folder keep all of that.
pub(crate) fn as_served(path: &str, bytes: Cow<'static, [u8]>) -> Cow<'static, [u8]> {
    match bytes {
        Cow::Borrowed(file) => Cow::Borrowed(embedded_as_served(path, file)),
        Cow::Owned(file) if path.ends_with(".html") => Cow::Owned(resources::complete_page(&file).into_owned()),
        file @ Cow::Owned(_) => file,
    }
}

/// A page with its head, before anything is left out.
pub(crate) fn whole_page(page: &str) -> String {
    String::from_utf8_lossy(&resources::complete_page(page.as_bytes())).into_owned()
}

/// Condensed files by the address and the length of their sources.
type Condensed = Mutex<HashMap<(usize, usize), &'static [u8]>>;

/// Embedded files never change, so each is condensed once for the whole process.
fn embedded_as_served(path: &str, file: &'static [u8]) -> &'static [u8] {
    static CONDENSED: LazyLock<Condensed> = LazyLock::new(Mutex::default);
    let condense: fn(&str) -> String = match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("js") => resources::condense_script,
        Some("css") => resources::condense_style,
        Some("html") => |page| resources::condense_page(&whole_page(page)),
        _ => return file,
    };
    let Ok(text) = str::from_utf8(file) else { return file };
    let mut condensed = CONDENSED.lock().unwrap_or_else(PoisonError::into_inner);
    condensed.entry((file.as_ptr().addr(), file.len())).or_insert_with(|| condense(text).into_bytes().leak())
}

/// The type of a file that pages are made of, by its ending.
pub(crate) fn content_type(path: &str) -> Option<&'static str> {
    Some(match path.rsplit_once('.')?.1 {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "json" => "application/json",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "mp3" => "audio/mpeg",
        "ogg" => "audio/ogg",
        "woff2" => "font/woff2",
        _ => return None,
    })
}

/// Whether a path has only ordinary names: no `..`, no hidden files, no separators of other systems.
fn is_plain(path: &str) -> bool {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-' | '_');
    let is_name = |part: &str| !part.is_empty() && !part.starts_with('.') && part.chars().all(is_letter);
    path.split('/').count() <= DEEPEST && path.split('/').all(is_name)
}

fn read_inside(folder: &Path, file: &str) -> io::Result<Vec<u8>> {
    let path = fs::canonicalize(folder.join(file))?;
    // A link may lead outside, to files that are not meant for the public.
    if !path.starts_with(fs::canonicalize(folder)?) {
        return Err(io::ErrorKind::NotFound.into());
    }
    let about = fs::metadata(&path)?;
    if !about.is_file() || about.len() > LARGEST {
        return Err(io::ErrorKind::NotFound.into());
    }
    fs::read(path)
}

#[cfg(test)]
mod tests {
    use super::is_plain;

    #[test]
    fn plain_paths() {
        for path in ["draw.js", "pieces/white-king_2.svg", "a/b/c/d/e/f/g/h"] {
            assert!(is_plain(path), "{path}");
        }
        for path in [
            "",
            "/etc/passwd",
            "../a",
            "a/../b",
            "a//b",
            ".git",
            "a/.env",
            "a\\b",
            "a%2fb",
            "a/b/c/d/e/f/g/h/i",
            "\u{f6}",
        ] {
            assert!(!is_plain(path), "{path}");
        }
    }
}
