//! Finds the text of a scenario by its name or in a file.

use std::{
    fmt,
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use colony_rules::scenario::LONGEST_TEXT;

use super::{scenario, scenario_names};

/// A scenario's text and what to call it.
///
/// A name of an built-in scenario goes before a file of the same name, which is still there as `./NAME`. No more of a
/// file is read than a scenario may be long.
pub fn load(file_or_name: &str) -> Result<(String, String), LoadError> {
    if let Some(text) = scenario(file_or_name) {
        return Ok((file_or_name.to_owned(), text.to_owned()));
    }
    let path = Path::new(file_or_name);
    let failed = |error: io::Error| {
        if error.kind() == io::ErrorKind::NotFound {
            LoadError::NotFound { asked: file_or_name.to_owned() }
        } else {
            LoadError::Unreadable { path: path.to_owned(), error }
        }
    };
    // Asked before it is opened: opening a pipe would wait for somebody to write.
    if !path.metadata().map_err(failed)?.is_file() {
        return Err(LoadError::NotAFile { path: path.to_owned() });
    }
    let mut bytes = Vec::new();
    let one_too_many = LONGEST_TEXT as u64 + 1;
    File::open(path).and_then(|file| file.take(one_too_many).read_to_end(&mut bytes)).map_err(failed)?;
    if bytes.len() > LONGEST_TEXT {
        return Err(LoadError::TooLong { path: path.to_owned() });
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok((file_or_name.to_owned(), text)),
        Err(error) => Err(LoadError::NotUtf8 { path: path.to_owned(), at: error.utf8_error().valid_up_to() }),
    }
}

/// Why there is no text.
#[derive(Debug)]
pub enum LoadError {
    NotFound {
        asked: String,
    },
    /// A directory, a pipe, a device ..
    NotAFile {
        path: PathBuf,
    },
    TooLong {
        path: PathBuf,
    },
    NotUtf8 {
        path: PathBuf,
        /// The first byte that is wrong, from 0.
        at: usize,
    },
    Unreadable {
        path: PathBuf,
        error: io::Error,
    },
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound { asked } => {
                let names: Vec<_> = scenario_names().collect();
                write!(f, "{asked}: no such file, and no scenario of that name; there are {}", names.join(", "))
            }
            Self::NotAFile { path } => write!(f, "{}: not a regular file", path.display()),
            Self::TooLong { path } => {
                write!(f, "{}: longer than a scenario may be, which is {LONGEST_TEXT} bytes", path.display())
            }
            Self::NotUtf8 { path, at } => write!(f, "{}: not UTF-8: byte {at} is wrong", path.display()),
            Self::Unreadable { path, error } => write!(f, "{}: cannot be read: {error}", path.display()),
        }
    }
}

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unreadable { error, .. } => Some(error),
            Self::NotFound { .. } | Self::NotAFile { .. } | Self::TooLong { .. } | Self::NotUtf8 { .. } => None,
        }
    }
}
