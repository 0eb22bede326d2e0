//! Files with secrets: who may read them.

use std::{
    error::Error,
    fmt, fs, io,
    path::{Path, PathBuf},
};

use server::cluster::SecretTooShort;

/// Why a file is not a secret.
#[derive(Debug)]
pub enum SecretFileError {
    /// It cannot be read.
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        cause: io::Error,
    },
    /// Other users may read or write it.
    Open {
        /// The file.
        path: PathBuf,
        /// Its permissions.
        mode: u32,
    },
    /// It has no text.
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// It is too short.
    Short(SecretTooShort),
    /// Its token is too short.
    ShortToken {
        /// The file.
        path: PathBuf,
        /// The least number of characters.
        shortest: usize,
    },
}

impl fmt::Display for SecretFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read { path, cause } => write!(f, "cannot read {}: {cause}", path.display()),
            Self::Open { path, mode } => {
                let path = path.display();
                write!(f, "{path} has the permissions {mode:o}, so other users have access; chmod 600 {path}")
            }
            Self::Empty { path } => write!(f, "{} is empty", path.display()),
            Self::Short(error) => error.fmt(f),
            Self::ShortToken { path, shortest } => {
                write!(
                    f,
                    "{} has fewer than {shortest} characters; make a token with: openssl rand -hex 16",
                    path.display()
                )
            }
        }
    }
}

impl Error for SecretFileError {}

/// Reads a secret that is one line of text.
///
/// # Errors
///
/// The file cannot be read, is empty, or every user may read it.
pub fn read_text(path: &Path) -> Result<String, SecretFileError> {
    check_not_public(path)?;
    let read = fs::read_to_string(path).map_err(|cause| SecretFileError::Read { path: path.into(), cause })?;
    match read.trim() {
        "" => Err(SecretFileError::Empty { path: path.into() }),
        text => Ok(text.to_owned()),
    }
}

/// Checks that no other user may read a file.
///
/// # Errors
///
/// The file is not there, or other users have access to it.
pub fn check_private(path: &Path) -> Result<(), SecretFileError> {
    check_mode(path, 0o077)
}

/// Checks that not every user may read a file, and only its owner may write it. A group may read it: systemd gives the files of
/// `LoadCredential` to a service like that, and Debian the keys of the group `ssl-cert`.
///
/// # Errors
///
/// The file is not there, or others have access to it.
pub fn check_not_public(path: &Path) -> Result<(), SecretFileError> {
    check_mode(path, 0o027)
}

fn check_mode(path: &Path, forbidden: u32) -> Result<(), SecretFileError> {
    let about = fs::metadata(path).map_err(|cause| SecretFileError::Read { path: path.into(), cause })?;
    let mode = mode(&about);
    if mode & forbidden == 0 { Ok(()) } else { Err(SecretFileError::Open { path: path.into(), mode }) }
}

#[cfg(unix)]
fn mode(about: &fs::Metadata) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    about.permissions().mode() & 0o777
}

/// Other systems have no such permissions.
#[cfg(not(unix))]
fn mode(_about: &fs::Metadata) -> u32 {
    0o600
}
