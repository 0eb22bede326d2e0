//! Where a store is: a file, or a database.

use std::path::{Path, PathBuf};

/// Whether a text is the address of a PostgreSQL store, and not a path.
pub fn is_postgres(text: &str) -> bool {
    ["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme))
}

/// The address of a PostgreSQL store, or `None` for a file.
pub fn postgres_address(store: &Path) -> Option<&str> {
    store.to_str().filter(|text| is_postgres(text))
}

/// The place of a store for people: an address has no password in it.
pub fn shown(store: &Path) -> PathBuf {
    postgres_address(store).map_or_else(|| store.into(), |address| without_password(address).into())
}

/// What follows the user's name is left out, up to the host.
pub(super) fn without_password(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else { return text.into() };
    let (rest, query) = match rest.split_once('?') {
        Some((rest, query)) => (rest, Some(query)),
        None => (rest, None),
    };
    let rest = match rest.rsplit_once('@') {
        Some((user, host)) => format!("{}@{host}", user.split(':').next().unwrap_or_default()),
        None => rest.into(),
    };
    let options = query.into_iter().flat_map(|query| query.split('&'));
    let options: Vec<&str> = options.filter(|option| !option.starts_with("password=")).collect();
    let query = if options.is_empty() { String::new() } else { format!("?{}", options.join("&")) };
    format!("{scheme}://{rest}{query}")
}
