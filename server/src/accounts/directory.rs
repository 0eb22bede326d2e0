//! What a host keeps in memory of all accounts, so that no game waits for the store: protected names, and banned networks.

use std::{collections::HashMap, net::IpAddr, sync::Mutex, time::Duration};

use tokio::time::Instant;

use super::{AccountError, AccountId, AccountStore, name::folded};
use crate::{client_address::Network, sync::lock};

/// How old it may be. Other hosts and the command line change the store, too.
const FRESH: Duration = Duration::from_secs(5);

/// Names and bans in memory.
#[derive(Debug, Default)]
pub(super) struct Directory {
    known: Mutex<Known>,
    /// Held while it is read again.
    reading: tokio::sync::Mutex<()>,
}

#[derive(Debug, Default)]
struct Known {
    read: Option<Instant>,
    names_version: Option<String>,
    names: HashMap<String, AccountId>,
    bans: Vec<Network>,
}

impl Directory {
    /// The account that a name of a player belongs to.
    pub(super) fn owner(&self, name: &str) -> Option<AccountId> {
        lock(&self.known).names.get(&folded(name)).cloned()
    }

    pub(super) fn is_banned(&self, address: IpAddr) -> bool {
        lock(&self.known).bans.iter().any(|network| network.contains(address))
    }

    /// Reads what others have changed, if that is some time ago. If the store does not answer, what is known stays.
    pub(super) async fn refresh(&self, store: &AccountStore, with_names: bool) {
        let is_fresh = || lock(&self.known).read.is_some_and(|read| read.elapsed() < FRESH);
        if is_fresh() {
            return;
        }
        // The first time, everyone waits. Later, one reads and the others go on with what is known.
        let _reading = if lock(&self.known).read.is_none() {
            self.reading.lock().await
        } else {
            let Ok(reading) = self.reading.try_lock() else { return };
            reading
        };
        if !is_fresh() {
            let _unknown_stays = self.read(store, with_names).await;
            lock(&self.known).read = Some(Instant::now());
        }
    }

    /// Reads the names at once, after a change of this host.
    pub(super) async fn read(&self, store: &AccountStore, with_names: bool) -> Result<(), AccountError> {
        let bans = store.bans().await?;
        let bans = bans.iter().filter_map(|ban| ban.network.parse().ok()).collect();
        lock(&self.known).bans = bans;
        if !with_names {
            return Ok(());
        }
        let version = store.names_version().await?;
        if version.is_some() && lock(&self.known).names_version == version {
            return Ok(());
        }
        let names = store.names().await?.into_iter().collect();
        let mut known = lock(&self.known);
        (known.names, known.names_version) = (names, version);
        Ok(())
    }
}
