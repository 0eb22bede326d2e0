//! Programs that are not in the path.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

/// The folder with the programs of the newest PostgreSQL.
pub(crate) fn postgres_folder() -> Option<PathBuf> {
    let has_server = |folder: &Path| folder.join("initdb").is_file() && folder.join("psql").is_file();
    let path = env::var_os("PATH").unwrap_or_default();
    if let Some(folder) = env::split_paths(&path).find(|folder| has_server(folder)) {
        return Some(folder);
    }
    let versions = fs::read_dir("/usr/lib/postgresql").ok()?;
    let folders = versions.flatten().map(|version| version.path().join("bin")).filter(|folder| has_server(folder));
    folders.max_by_key(|folder| folder.parent()?.file_name()?.to_str()?.parse::<u32>().ok())
}
