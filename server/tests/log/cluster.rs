//! Stores that several hosts share keep the promises of membership.

use std::sync::Arc;

use server::{
    cluster::{Membership, MemoryCluster},
    log::EventLog,
};

use crate::{
    membership::{self, SharedStore},
    support::wait,
};

impl SharedStore for Arc<MemoryCluster> {
    fn open(&self) -> (Arc<dyn Membership>, Arc<dyn EventLog>) {
        let member = MemoryCluster::open(self);
        (member.clone(), member)
    }
}

#[cfg(feature = "postgres")]
impl SharedStore for server::log::PostgresAddress {
    fn open(&self) -> (Arc<dyn Membership>, Arc<dyn EventLog>) {
        let log = Arc::new(server::log::PostgresLog::open(self).expect("a store"));
        (log.clone(), log)
    }
}

#[cfg(feature = "postgres")]
#[test]
fn in_postgres() {
    let Some(shared) = testkit::Postgres::shared() else { return };
    let store = async || {
        let address = server::log::PostgresAddress::parse(&shared.store()).expect("an address");
        Box::new(address) as Box<dyn SharedStore>
    };
    wait(membership::check_all(store));
}

#[test]
fn in_memory() {
    wait(membership::check_all(async || Box::new(MemoryCluster::new()) as Box<dyn SharedStore>));
}

/// Hosts that start at the same moment on an empty database do not disturb each other.
#[cfg(feature = "postgres")]
#[test]
fn starting_together() {
    use server::log::{PostgresAddress, PostgresLog};

    let Some(shared) = testkit::Postgres::shared() else { return };
    for _ in 0..4 {
        let address = PostgresAddress::parse(&shared.store()).expect("an address");
        std::thread::scope(|scope| {
            let hosts: Vec<_> = (0..4).map(|_| scope.spawn(|| PostgresLog::open(&address).map(drop))).collect();
            for host in hosts {
                host.join().expect("no panic").expect("a store");
            }
        });
    }
}
