//! The membership of one simulated host: operations take time, fail, and have unknown outcomes.

use std::sync::Arc;

use server::{
    cluster::{
        Answering, Claim, Claimed, HandOver, HostInfo, HostState, Incarnation, ListedGame, Member, Membership,
        MembershipError, Owner, SharedText, Sighting,
    },
    log::{GameKey, StoreError},
    sync::lock,
};
use tokio::time::sleep;

use super::{SimStore, disk::Outcome, fault, members::Members, writes::Write};
use crate::coverage::Covered;

impl SimStore {
    /// The registration of the host.
    pub(crate) fn incarnation(&self) -> Option<Incarnation> {
        self.queue().incarnation
    }

    /// Whether the host does not reach the store.
    pub(crate) fn is_cut_off(&self) -> bool {
        self.partition.until().is_some()
    }

    /// An operation on the table of hosts.
    fn operate<'s, T: Send + 's>(
        &'s self,
        operate: impl FnOnce(&mut Members) -> Result<T, MembershipError> + Send + 's,
    ) -> Answering<'s, T> {
        Box::pin(async move {
            self.pause().await;
            let outcome = loop {
                match self.disk.next_operation() {
                    Ok(outcome) => break outcome,
                    Err(until) => tokio::time::sleep_until(until).await,
                }
                self.reached().await;
            };
            if self.queue().is_gone {
                return Err(StoreError::Closed.into());
            }
            if outcome == Outcome::Lost {
                return Err(StoreError::Unavailable(Arc::new(fault())).into());
            }
            let Some(members) = &self.disk.members else { return Err(MembershipError::NotRegistered) };
            let done = operate(&mut lock(members));
            sleep(self.disk.read_pause()).await;
            let is_cut = self.partition.until().is_some();
            self.reached().await;
            if self.queue().is_gone {
                return Err(StoreError::Closed.into());
            }
            if is_cut || outcome == Outcome::Unknown {
                self.observer.cover(Covered::MembershipUnknown);
                return Err(StoreError::Unavailable(Arc::new(fault())).into());
            }
            done
        })
    }

    fn operate_as<'s, T: Send + 's>(
        &'s self,
        operate: impl FnOnce(&mut Members, Incarnation) -> Result<T, MembershipError> + Send + 's,
    ) -> Answering<'s, T> {
        let me = self.queue().incarnation;
        self.operate(move |members| operate(members, me.ok_or(MembershipError::NotRegistered)?))
    }

    /// Closes games for writing, and drops what waits for them.
    fn close(&self, is_closed: impl Fn(GameKey) -> bool) {
        let (writes, rooms) = {
            let mut queue = self.queue();
            let (closed, kept): (Vec<Write>, Vec<Write>) =
                queue.writes.drain(..).partition(|write| is_closed(write.game()));
            queue.writes = kept.into();
            let (rooms, open) = std::mem::take(&mut queue.open).into_iter().partition(|(game, _)| is_closed(*game));
            queue.open = open;
            let rooms: std::collections::BTreeMap<GameKey, Arc<dyn server::log::Acknowledge>> = rooms;
            (closed, rooms)
        };
        for write in writes {
            let error = Arc::new(StoreError::Fenced { game: write.game() });
            // The rooms hear of it below.
            if !matches!(write, Write::Create { .. } | Write::Resume { .. }) {
                write.refuse(&error);
            }
        }
        for (game, room) in rooms {
            room.failed(Arc::new(StoreError::Fenced { game }));
        }
    }
}

impl Membership for SimStore {
    fn register(&self, host: HostInfo) -> Answering<'_, Incarnation> {
        Box::pin(async move {
            if self.queue().incarnation.is_some() {
                self.observer.cover(Covered::Reborn);
            }
            let registered = self.operate(|members| {
                let incarnation = members.table.register(host);
                // No host runs as it before it has heard of it, and it may never do.
                members.disturb(incarnation, None);
                Ok(incarnation)
            });
            let incarnation = registered.await?;
            self.disk.is_heard_of(incarnation);
            self.close(|_| true);
            self.queue().incarnation = Some(incarnation);
            Ok(incarnation)
        })
    }

    fn beat(&self, state: HostState) -> Answering<'_, Vec<Member>> {
        self.operate_as(move |members, me| {
            members.table.beat(me, state)?;
            self.disk.beaten(members, me);
            Ok(members.table.members())
        })
    }

    fn members(&self) -> Answering<'_, Vec<Member>> {
        self.operate(|members| Ok(members.table.members()))
    }

    fn bury(&self, seen: Sighting) -> Answering<'_, bool> {
        self.operate_as(move |members, me| {
            let is_buried = members.table.bury(me, seen)?;
            if is_buried {
                self.disk.check_burial(members, seen);
            }
            Ok(is_buried)
        })
    }

    fn claim(&self, which: Claim, limit: usize) -> Answering<'_, Vec<Claimed>> {
        self.operate_as(move |members, me| {
            self.disk.before_claim(members, me);
            let claimed = members.table.claim(me, &which, limit)?;
            for game in &claimed {
                self.observer.step(|| format!("incarnation {me} claims game {}", game.name));
                self.observer.cover(match which {
                    Claim::Any => Covered::Claim,
                    Claim::Named(_) => Covered::ClaimByName,
                });
                if game.elapsed_ms.is_some() {
                    self.observer.cover(Covered::ClaimHandedOver);
                }
            }
            Ok(claimed)
        })
    }

    fn owned(&self) -> Answering<'_, Vec<Claimed>> {
        self.operate_as(|members, me| members.table.owned(me))
    }

    fn hand_over(&self, games: Vec<HandOver>) -> Answering<'_, ()> {
        Box::pin(async move {
            let keys: Vec<GameKey> = games.iter().map(|game| game.key).collect();
            let handed = self.operate_as(move |members, me| {
                games.iter().for_each(|_| self.observer.cover(Covered::HandedOver));
                members.table.hand_over(me, &games)
            });
            handed.await?;
            self.close(|game| keys.contains(&game));
            Ok(())
        })
    }

    fn publish(&self, players: Vec<(GameKey, Vec<String>)>) -> Answering<'_, ()> {
        self.operate_as(move |members, me| members.table.publish(me, players))
    }

    fn owner<'a>(&'a self, game: &'a str) -> Answering<'a, Option<Owner>> {
        let me = self.queue().incarnation;
        self.operate(move |members| Ok(self.disk.told_owner(members, me, game)))
    }

    fn open_games(&self, limit: usize) -> Answering<'_, Vec<ListedGame>> {
        self.operate(move |members| Ok(members.table.open_games(limit)))
    }

    fn shared_text(&self, name: String) -> Answering<'_, SharedText> {
        self.operate(move |members| Ok(members.table.shared_text(&name)))
    }

    fn replace_text(&self, name: String, version: u64, text: String) -> Answering<'_, bool> {
        self.operate_as(move |members, me| members.table.replace_text(me, name, version, text))
    }

    fn leave(&self) -> Answering<'_, ()> {
        Box::pin(async move {
            // The host ends, also if the store does not hear that it leaves.
            if let Some(me) = self.incarnation() {
                self.disk.disturb(me, None);
            }
            let left = self.operate_as(|members, me| members.table.leave(me)).await;
            self.close(|_| true);
            self.queue().incarnation = None;
            left
        })
    }
}
