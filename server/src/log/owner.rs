//! Files that only their owner may read and write: a log has the secrets of running games, and hashes of tokens.

use std::{
    fs::{self, OpenOptions},
    io,
    path::Path,
};

/// Opens or creates a file with these options. A new file belongs to its owner alone.
pub(super) fn only(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// Takes the rights of all others from a file that may be older, if it exists.
pub(super) fn narrow(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = match fs::metadata(path) {
            Ok(about) => about.permissions().mode(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        if mode & 0o077 != 0 {
            return fs::set_permissions(path, fs::Permissions::from_mode(mode & 0o700));
        }
    }
    Ok(())
}
