//! The simulated store passes the rows of every store that several hosts share.

#[path = "../../../server/tests/shared/membership.rs"]
mod membership;

use std::sync::Arc;

use engine::{Cause, CommId};
use server::{
    cluster::Membership,
    log::{EventLog, GameHead, Row},
};

use super::{Disk, SimStore};
use crate::{
    ledger::{Book, Cursor, Finding, Ledger, Listener},
    observer::{Observer, Recording},
    random::Random,
};

/// A book of a game that no rulebook knows: it has the number of its entries.
#[derive(Default)]
struct Counted(u64);

impl Book for Counted {
    fn store(&mut self, _: &Row) -> Result<Cause<(), ()>, Finding> {
        self.0 += 1;
        Ok(Cause::Command { client: CommId(1), command: () })
    }

    fn begin(&mut self, _: i64, rows: &[Row]) -> Result<(), Finding> {
        self.0 += rows.len() as u64;
        Ok(())
    }

    fn reopen(&mut self, _: i64) {}

    fn close(&mut self) {}

    fn check_timers(&self, _: u64, _: u64) -> Result<(), Finding> {
        Ok(())
    }

    fn last_at(&self) -> i64 {
        0
    }

    fn stall(&mut self, _: i64, _: i64) {}

    fn hear(&self, _: &mut Cursor, _: Listener, _: u64, _: &[u8]) -> Result<(), Finding> {
        Ok(())
    }

    fn has_heard_all(&self, _: &Cursor, _: Listener) -> bool {
        true
    }

    fn commands(&self, _: CommId) -> &[Vec<u8>] {
        &[]
    }

    fn is_over(&self) -> bool {
        false
    }

    fn has_own_entries(&self) -> bool {
        self.entries() > 0
    }

    fn entries(&self) -> u64 {
        self.0
    }
}

fn open_book(_: &GameHead) -> Result<Box<dyn Book>, Finding> {
    Ok(Box::new(Counted::default()))
}

struct Shared {
    disk: Arc<Disk>,
    observer: Arc<Observer>,
}

impl membership::SharedStore for Shared {
    fn open(&self) -> (Arc<dyn Membership>, Arc<dyn EventLog>) {
        let store = SimStore::open(&self.disk, Arc::default(), Arc::default(), self.observer.clone());
        (store.clone(), store)
    }
}

#[tokio::test(start_paused = true)]
async fn rows_of_shared_stores() {
    for seed in 0..20 {
        membership::check_all(async || {
            let observer = Arc::new(Observer::new(Recording::Checks));
            let ledger = Arc::new(Ledger::default());
            let disk = Disk::new(Random::new(seed, 1), ledger, open_book, observer.clone(), None, 0, 2).calm();
            Box::new(Shared { disk: Arc::new(disk), observer }) as Box<dyn membership::SharedStore>
        })
        .await;
    }
}
