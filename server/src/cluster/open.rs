//! Opens stores that several hosts share.

use std::{path::Path, sync::Arc};

use super::Membership;
use crate::log::{EventLog, StoreError, postgres_address};
#[cfg(feature = "postgres")]
use crate::log::{PostgresAddress, PostgresLog};

/// A store that several hosts share, as one of them has it. Both parts are the same store.
#[derive(Clone, Debug)]
pub struct SharedStore {
    /// Its games.
    pub log: Arc<dyn EventLog>,
    /// Its hosts, and the owners of games.
    pub membership: Arc<dyn Membership>,
}

/// Opens a store for one of several hosts: the database at an address. `None` for a file, which one host has for itself.
/// Nothing can be written before the host [registers](Membership::register).
///
/// # Errors
/// If the store cannot be opened, or is not a log of a supported version.
pub fn open_shared(store: &Path) -> Result<Option<SharedStore>, StoreError> {
    match postgres_address(store) {
        #[cfg(feature = "postgres")]
        Some(address) => {
            let log = Arc::new(PostgresLog::open(&PostgresAddress::parse(address)?)?);
            Ok(Some(SharedStore { log: log.clone(), membership: log }))
        }
        // The error says that this program has no PostgreSQL.
        #[cfg(not(feature = "postgres"))]
        Some(_) => crate::log::open_store(store, crate::log::Options::default()).map(|_| None),
        None => Ok(None),
    }
}
