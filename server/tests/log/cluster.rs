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

#[test]
fn in_memory() {
    wait(membership::check_all(async || Box::new(MemoryCluster::new()) as Box<dyn SharedStore>));
}
