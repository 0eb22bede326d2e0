//! Owners that die, freeze, stop, or are not owners any more.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use commlib::{Form, Reason};
use server::cluster::{
    Addresses, Answering, Claim, Claimed, HandOver, HostInfo, HostState, Incarnation, ListedGame, Member, Membership,
    MemoryCluster, MemoryMember, Owner, PeerHost, SharedText, Sighting,
};
use server::log::GameKey;
use testkit::Events;

use super::{Plan, Site};
use crate::{
    clock::Clock,
    cluster::{Cuttable, pass},
    counter::Command,
    support::{Rejection, join, resume},
};

/// An owner whose process ends, as with a power cut: its runtime is dropped with all its sockets.
#[tokio::test]
async fn a_client_of_a_killed_owner_plays_on_through_its_host() {
    let cluster = MemoryCluster::new();
    let process = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("threads");
    let shared = cluster.clone();
    let owner = process.spawn(async move { Site::new(&shared, "owner").await }).await.expect("a host");
    let first = Site::new(&cluster, "first").await;
    let mut ana = owner.served.creator("100").await;
    let (game, token) = (ana.game().to_owned(), ana.token());
    let mut bo = first.served.enter(Form::Json, join(&game)).await.expect("a place");
    bo.send(Command::Join { name: "Bo".into() }).await;
    assert_eq!(bo.hears().await, "1 Greeted; 2 Joined Bo");
    ana.add(3).await;
    assert_eq!(ana.hears().await, "3 Joined Bo; 4 Counted 3");
    assert_eq!(bo.hears().await, "3 Counted 3");
    // Long enough for the others to know its beats.
    tokio::time::sleep(Duration::from_millis(1500)).await;

    let killed = Instant::now();
    process.shutdown_background();
    assert_eq!(bo.rest().await, "closing ShuttingDown");
    assert!(killed.elapsed() < Duration::from_secs(3), "a closed socket is noticed at once");
    // The next hello waits until the game has another owner.
    let mut again = first.served.enter(Form::Binary, resume(&game, token, 3)).await.expect("the place");
    assert_eq!(again.hears().await, "4 Counted 3");
    again.add(4).await;
    assert_eq!(again.hears().await, "5 Counted 7");
    assert!(killed.elapsed() < Duration::from_secs(10), "three seconds of silence, and a busy machine");
    assert_eq!(first.games(), 1);
    std::mem::forget(owner);
}

#[tokio::test]
async fn a_frozen_owner_is_left_as_soon_as_it_is_buried() {
    let clock = Clock::stop();
    let cluster = MemoryCluster::new();
    let owner = clock.until(Site::new(&cluster, "owner")).await;
    let first = clock.until(Site::new(&cluster, "first")).await;
    let mut ana = clock.until(owner.served.creator("100")).await;
    let (game, token) = (ana.game().to_owned(), ana.token());
    ana.add(3).await;
    assert_eq!(clock.until(ana.hears()).await, "3 Counted 3");
    let mut again = clock.until(first.served.enter(Form::Binary, resume(&game, token, 3))).await.expect("the place");
    let mut live = clock.until(Events::open(first.port.address, &format!("/api/v1/games/{game}/live"))).await;
    clock.until(live.next_of("entry")).await;
    pass(&clock, 2).await;

    // Its sockets stay open, but its beats end.
    owner.membership.cut(true);
    assert_eq!(clock.until(again.rest()).await, "closing ShuttingDown");
    while clock.until(live.next(Duration::from_secs(5))).await.is_some() {}
    let mut again = clock.until(first.served.enter(Form::Json, resume(&game, token, 3))).await.expect("the place");
    again.add(4).await;
    assert_eq!(clock.until(again.hears()).await, "4 Counted 7");
    assert_eq!(first.games(), 1);
}

#[tokio::test]
async fn a_client_hears_that_its_host_or_the_owner_stops() {
    let cluster = MemoryCluster::new();
    let owner = Site::new(&cluster, "owner").await;
    let first = Site::new(&cluster, "first").await;
    let third = Site::new(&cluster, "third").await;
    let mut ana = owner.served.creator("100").await;
    let (game, token) = (ana.game().to_owned(), ana.token());
    let mut bo = first.served.enter(Form::Binary, join(&game)).await.expect("a place");
    bo.send(Command::Join { name: "Bo".into() }).await;
    assert_eq!(bo.hears().await, "1 Greeted; 2 Joined Bo");

    first.served.stop().await;
    assert_eq!(bo.rest().await, "closing ShuttingDown", "the host that took it");
    let mut bo = third.served.enter(Form::Binary, resume(&game, bo.token(), 2)).await.expect("the place");
    ana.add(3).await;
    assert_eq!(ana.hears().await, "3 Joined Bo; 4 Counted 3", "the game went on");
    assert_eq!(bo.hears().await, "3 Counted 3");

    owner.served.stop().await;
    assert_eq!(bo.rest().await, "closing ShuttingDown", "the owner");
    let mut again = third.served.enter(Form::Binary, resume(&game, token, 4)).await.expect("the place");
    again.add(4).await;
    assert_eq!(again.hears().await, "5 Counted 7");
}

/// A membership that names a wrong owner the first few times.
#[derive(Debug)]
struct Misled {
    inner: Arc<MemoryMember>,
    wrong: PeerHost,
    times: AtomicUsize,
}

macro_rules! passed_on {
    ($($name:ident($($argument:ident: $type:ty),*) -> $answer:ty;)*) => {
        $(fn $name(&self, $($argument: $type),*) -> Answering<'_, $answer> {
            self.inner.$name($($argument),*)
        })*
    };
}

impl Membership for Misled {
    passed_on! {
        register(host: HostInfo) -> Incarnation;
        beat(state: HostState) -> Vec<Member>;
        members() -> Vec<Member>;
        bury(seen: Sighting) -> bool;
        claim(which: Claim, limit: usize) -> Vec<Claimed>;
        owned() -> Vec<Claimed>;
        hand_over(games: Vec<HandOver>) -> ();
        publish(players: Vec<(GameKey, Vec<String>)>) -> ();
        open_games(limit: usize) -> Vec<ListedGame>;
        shared_text(name: String) -> SharedText;
        replace_text(name: String, version: u64, text: String) -> bool;
        leave() -> ();
    }

    fn owner<'a>(&'a self, game: &'a str) -> Answering<'a, Option<Owner>> {
        Box::pin(async move {
            let is_misled = self.times.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |times| times.checked_sub(1));
            if is_misled.is_ok() {
                return Ok(Some(Owner::Host(self.wrong.clone())));
            }
            self.inner.owner(game).await
        })
    }
}

#[tokio::test]
async fn a_stale_owner_sends_the_client_back_and_nothing_goes_in_circles() {
    let cluster = MemoryCluster::new();
    let owner = Site::new(&cluster, "owner").await;
    let other = Site::new(&cluster, "other").await;
    let ana = owner.served.creator("100").await;
    let members = owner.membership.members().await.expect("the table");
    let incarnation = |name: &str| members.iter().find(|member| member.info.name == name).expect("a row").incarnation;
    let peer = |name: &str, incarnation: Incarnation, site: &Site| PeerHost {
        name: name.into(),
        incarnation,
        addresses: Addresses { cluster: Some(site.cluster.to_string()), ..Addresses::default() },
    };
    let not_owner = peer("other", incarnation("other"), &other);
    // The right process, but an incarnation of it that is gone.
    let earlier = peer("owner", Incarnation(-1), &owner);
    for (name, wrong, times, expected) in [
        ("d", &not_owner, 1, None),
        ("e", &not_owner, 2, None),
        ("f", &not_owner, 1000, Some(Rejection::Closing(Reason::ShuttingDown))),
        ("g", &earlier, 2, None),
        ("h", &earlier, 1000, Some(Rejection::Closing(Reason::ShuttingDown))),
    ] {
        let member = cluster.open();
        let misled = Misled { inner: member.clone(), wrong: wrong.clone(), times: AtomicUsize::new(times) };
        let unused = Arc::new(Cuttable::new(member.clone()));
        let first = Site::of(member, unused, Arc::new(misled), Plan::new(name)).await;
        let entered = first.served.enter(Form::Binary, join(ana.game())).await;
        assert_eq!(entered.err(), expected, "{name}");
    }
    assert_eq!(other.games(), 0, "a forward opens no second room");
}
