//! Loads the text of a scenario by its name or from a file.

use std::{
    fmt,
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use colony_rules::scenario::LONGEST_TEXT;

use super::{scenario, scenario_names};

/// Loads a scenario. Returns its label and its text.
///
/// The name of a built-in scenario takes precedence over a file of the same name; use `./NAME` for the file. At most the length
/// of the longest allowed scenario is read from a file.
///
/// # Errors
/// If the scenario does not exist, or if the file cannot be read or is too long.
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
    // This check comes before opening, because opening a pipe would block until another process writes.
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

/// Why a scenario cannot be loaded.
#[derive(Debug)]
pub enum LoadError {
    /// Neither a file nor a built-in scenario has this name.
    NotFound {
        /// The name.
        asked: String,
    },
    /// The path is a directory, a pipe or a device.
    NotAFile {
        /// Its path.
        path: PathBuf,
    },
    /// The file is longer than a scenario may be.
    TooLong {
        /// Its path.
        path: PathBuf,
    },
    /// The file is not UTF-8.
    NotUtf8 {
        /// Its path.
        path: PathBuf,
        /// The position of the first wrong byte, from 0.
        at: usize,
    },
    /// The file cannot be read.
    Unreadable {
        /// Its path.
        path: PathBuf,
        /// The error of the system.
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
