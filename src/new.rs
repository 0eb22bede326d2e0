//! `holdfast new`: writes the crate of a new game.

use std::{
    error::Error,
    fmt, fs, io,
    path::{Path, PathBuf},
};

use cli::Out;

use crate::hosted::{GameNameError, check_name};

/// Writes the beginnings of something new.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    thing: Thing,
}

#[derive(Debug, clap::Subcommand)]
enum Thing {
    Game(GameArguments),
}

/// Writes the crate of a new game: a small game that compiles, with its tests, to change into yours.
///
/// The guide is docs/write-a-game.md.
#[derive(Debug, clap::Args)]
struct GameArguments {
    /// The name of the game and of the folder: lower-case letters, digits and hyphens.
    name: String,
    /// Begin with a game in which players have secrets.
    #[arg(long)]
    hidden_information: bool,
    /// Take Holdfast from this folder. [default: the folder that this program was built from, or else the registry]
    #[arg(long, value_name = "DIR")]
    holdfast: Option<PathBuf>,
}

/// The sources from which this program was built. They may be gone.
const BUILT_FROM: &str = env!("CARGO_MANIFEST_DIR");
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The files of a crate, with `{{name}}`, `{{type}}` and `{{holdfast}}` to be replaced.
const MANIFEST: &str = include_str!("new/manifest.txt");
const README: &str = include_str!("new/readme.txt");
const OPEN: [&str; 3] =
    [include_str!("new/open.txt"), include_str!("new/open-draw.js"), include_str!("new/open-draw.css")];
const HIDDEN: [&str; 3] =
    [include_str!("new/hidden.txt"), include_str!("new/hidden-draw.js"), include_str!("new/hidden-draw.css")];

/// Names that cargo or the compiler keep for themselves, or that a dependency of the crate has.
const TAKEN: &[&str] = &[
    "alloc",
    "as",
    "async",
    "await",
    "break",
    "build",
    "const",
    "continue",
    "core",
    "crate",
    "deps",
    "dyn",
    "else",
    "enum",
    "examples",
    "extern",
    "false",
    "fn",
    "for",
    "holdfast",
    "if",
    "impl",
    "in",
    "incremental",
    "let",
    "loop",
    "match",
    "mod",
    "move",
    "mut",
    "proc-macro",
    "pub",
    "ref",
    "return",
    "self",
    "serde",
    "static",
    "std",
    "struct",
    "super",
    "test",
    "trait",
    "true",
    "type",
    "unsafe",
    "use",
    "where",
    "while",
    "yield",
];

pub(crate) fn run(arguments: &Arguments, out: &mut Out) -> Result<bool, NewError> {
    let Thing::Game(game) = &arguments.thing;
    let name = game.name.as_str();
    check_name(name).map_err(NewError::Name)?;
    if TAKEN.contains(&name) || name.ends_with('-') {
        return Err(NewError::Taken { name: name.into() });
    }
    let holdfast = dependency(game.holdfast.as_deref())?;
    let [source, drawing, style] = if game.hidden_information { HIDDEN } else { OPEN };
    let folder = Path::new(name);
    // It must be new: nothing of the author is written over.
    fs::create_dir(folder).map_err(|cause| {
        if cause.kind() == io::ErrorKind::AlreadyExists {
            NewError::Exists { folder: folder.into() }
        } else {
            NewError::Unwritable { path: folder.into(), cause }
        }
    })?;
    let files = [
        ("Cargo.toml", MANIFEST),
        ("README.md", README),
        (".gitignore", "/target\n"),
        ("src/main.rs", source),
        ("web/draw.js", drawing),
        ("web/draw.css", style),
    ];
    for (file, text) in files {
        let path = folder.join(file);
        let text =
            text.replace("{{name}}", name).replace("{{type}}", &type_name(name)).replace("{{holdfast}}", &holdfast);
        let parent = path.parent().unwrap_or(folder);
        let written = fs::create_dir_all(parent).and_then(|()| fs::write(&path, text));
        written.map_err(|cause| NewError::Unwritable { path, cause })?;
    }
    out.write(format!(
        "{name}/ has a small game. Its rules are in {name}/src/main.rs, its drawing in {name}/web.\n\n  cd {name}\n  cargo test         # plays random games and checks every promise\n  cargo run -- dev   # hosts it, and prints where to play; follows your changes\n"
    ));
    Ok(true)
}

/// The dependency of the crate on Holdfast, in its manifest.
fn dependency(chosen: Option<&Path>) -> Result<String, NewError> {
    let is_source = |folder: &Path| folder.join("Cargo.toml").is_file() && folder.join("engine").is_dir();
    let built_from = Some(Path::new(BUILT_FROM)).filter(|folder| is_source(folder));
    let Some(folder) = chosen.or(built_from) else {
        return Ok(format!("version = \"{VERSION}\""));
    };
    let absolute = fs::canonicalize(folder).ok().filter(|folder| is_source(folder));
    let absolute = absolute.ok_or_else(|| NewError::NoSources { folder: folder.into() })?;
    Ok(format!("path = {:?}", absolute.to_string_lossy()))
}

/// The name of a game as a type: `connect-four` is `ConnectFour`.
fn type_name(name: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect::<String>()
    };
    name.split('-').map(word).collect()
}

/// The reasons why nothing is written.
#[derive(Debug)]
pub(crate) enum NewError {
    Name(GameNameError),
    Taken { name: String },
    Exists { folder: PathBuf },
    NoSources { folder: PathBuf },
    Unwritable { path: PathBuf, cause: io::Error },
}

impl fmt::Display for NewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(error) => error.fmt(f),
            Self::Taken { name } => write!(f, "a crate cannot be called {name}; choose another name"),
            Self::Exists { folder } => write!(f, "{} exists already; nothing was written", folder.display()),
            Self::NoSources { folder } => write!(f, "{} does not have the sources of Holdfast", folder.display()),
            Self::Unwritable { path, cause } => write!(f, "cannot write {}: {cause}", path.display()),
        }
    }
}

impl Error for NewError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Name(error) => Some(error),
            Self::Unwritable { cause, .. } => Some(cause),
            Self::Taken { .. } | Self::Exists { .. } | Self::NoSources { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_games() {
        assert_eq!(["go", "connect-four", "g2"].map(type_name), ["Go", "ConnectFour", "G2"]);
    }

    #[test]
    fn sources() {
        let check = |folder: &str, expected: &str| {
            let came = dependency(Some(Path::new(folder))).unwrap_or_else(|error| error.to_string());
            assert!(came.contains(expected), "{folder}: {came}");
        };
        check(BUILT_FROM, "path = \"/");
        check("/nowhere", "does not have the sources");
        check("src", "does not have the sources");
    }
}
