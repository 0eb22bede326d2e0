//! Several hosts on one store: any of them answers for any game.

use std::{net::Ipv4Addr, ops::Deref, sync::Arc};

use server::{
    ClusterOptions, ClusterPort, Options,
    cluster::{Addresses, ClusterSecret, MemoryCluster},
};
use tokio::sync::watch;
use treasure::documents::y2017::answer::Answer;
use treasure_rules::Direction;

use crate::{
    support::{HALF, HALF_2017, Served, options},
    y2017::Old,
};

/// A host of a cluster.
struct Site {
    served: Served,
    _stop: watch::Sender<bool>,
}

impl Deref for Site {
    type Target = Served;

    fn deref(&self) -> &Served {
        &self.served
    }
}

impl Site {
    async fn new(cluster: &Arc<MemoryCluster>, name: &str) -> Self {
        let member = cluster.open();
        let secret = Some(ClusterSecret::new(b"correct horse battery").expect("long enough"));
        let membership =
            ClusterOptions { membership: member.clone(), name: name.into(), version: "1".into(), secret, tls: None };
        let served = Served::open(Options { cluster: Some(membership), ..options(member) }, false).await;
        let links = ClusterPort::bind((Ipv4Addr::LOCALHOST, 0).into()).await.expect("a port");
        let address = links.local_addr().expect("an address").to_string();
        let (stop, stopped) = watch::channel(false);
        tokio::spawn(links.serve(served.host.clone(), stopped));
        served.host.join(Addresses { cluster: Some(address), ..Addresses::default() }).await.expect("a registration");
        Self { served, _stop: stop }
    }

    fn games(&self) -> usize {
        self.host.list().len()
    }
}

async fn three() -> [Site; 3] {
    let cluster = MemoryCluster::new();
    [Site::new(&cluster, "a").await, Site::new(&cluster, "b").await, Site::new(&cluster, "c").await]
}

#[tokio::test]
async fn a_game_of_2022_is_played_through_any_host() {
    let [a, b, c] = three().await;
    let game = a.create("").await;
    let (ana, bo) = (b.register(&game, "ana").await, c.register(&game, "bo").await);
    let (first, second) = if ana.must_act(&c).await { (ana, bo) } else { (bo, ana) };
    assert_eq!(first.half(&b, &HALF).await, "");
    assert_eq!(second.half(&a, &HALF).await, "");
    assert!(first.must_act(&c).await);
    assert!(second.go(&b, Direction::Up).await.starts_with("NotYourTurn"), "the refusal of the rules");
    assert_eq!(first.standing(&b).await, "Won", "and its consequence");
    assert_eq!((a.games(), b.games(), c.games()), (0, 0, 0));
    // It is over, and every host tells how.
    for site in [&a, &b, &c] {
        assert_eq!((first.standing(site).await, second.standing(site).await), ("Won".into(), "Lost".into()));
        assert!(first.go(site, Direction::Up).await.starts_with("GameOver"));
    }
    let unknown = b.ask("GET", "/games/zzzzz/states/x", "").await.outcome();
    assert!(unknown.starts_with("UnknownGame"), "{unknown}");
}

#[tokio::test]
async fn a_game_goes_on_when_its_host_stops() {
    let [a, b, c] = three().await;
    let (first, second) = a.two("").await;
    assert_eq!(first.half(&b, &HALF).await, "");
    a.served.stop().await;
    assert_eq!(second.half(&b, &HALF).await, "");
    assert!(first.must_act(&c).await);
    assert_eq!(b.games() + c.games(), 1);
}

#[tokio::test]
async fn players_of_2017_meet_through_different_hosts() {
    let [a, b, c] = three().await;
    let ana = Old::new(&a, "Ana").await;
    let held = ana.half(&b, HALF_2017);
    let later = async {
        let bo = Old::new(&c, "Bo").await;
        (bo, bo.half(&a, HALF_2017).await)
    };
    let (first, (bo, second)) = tokio::join!(held, later);
    assert!(matches!((first, second), (Answer::NewMap { .. }, Answer::NewMap { .. })));
    assert_eq!((a.games(), b.games(), c.games()), (1, 0, 0), "one game");
    // A player that says something wrong loses, and hears so from every host.
    assert!(matches!(ana.update(&c, (1, 1), (8, 8), 0).await, Answer::Trouble { loss: true }));
    for site in [&a, &b, &c] {
        assert!(matches!(ana.update(site, (1, 1), (1, 1), 0).await, Answer::Update(updated) if updated.loss));
        assert!(matches!(bo.update(site, (1, 1), (1, 1), 0).await, Answer::Update(updated) if updated.win));
    }
}

#[tokio::test]
async fn players_of_2017_who_register_at_the_same_moment_meet() {
    let sites = three().await;
    let [a, b, c] = &sites;
    for round in 1..=5 {
        let registered = tokio::join!(
            Old::new(a, "Ana"),
            Old::new(b, "Bo"),
            Old::new(c, "Cy"),
            Old::new(b, "Di"),
            Old::new(c, "Ed"),
            Old::new(a, "Flo")
        );
        let (ana, bo, cy, di, ed, flo) = registered;
        // Every half is answered, so all have an opponent.
        let halves = tokio::join!(
            ana.half(b, HALF_2017),
            bo.half(c, HALF_2017),
            cy.half(a, HALF_2017),
            di.half(b, HALF_2017),
            ed.half(a, HALF_2017),
            flo.half(c, HALF_2017)
        );
        let answers: [Answer; 6] = halves.into();
        assert!(answers.iter().all(|answer| matches!(answer, Answer::NewMap { .. })), "{answers:?}");
        let games: usize = sites.iter().map(Site::games).sum();
        // Each host may keep an empty game for its next player.
        assert!((3 * round..=3 * round + 3).contains(&games), "round {round}: {games} games");
    }
}

#[tokio::test]
async fn requests_that_register_no_player_of_2017_do_not_come_between_two() {
    let sites = three().await;
    let [a, b, c] = &sites;
    for (method, body) in [("GET", ""), ("POST", "no XML"), ("POST", "<Register><Broken/></Register>")] {
        assert!(!a.ask(method, "/NewPlayer", body).await.body.is_empty());
        let (ana, bo) = (Old::new(b, "Ana").await, Old::new(c, "Bo").await);
        let (of_ana, of_bo) = tokio::join!(ana.half(c, HALF_2017), bo.half(a, HALF_2017));
        for answer in [of_ana, of_bo] {
            assert!(matches!(answer, Answer::NewMap { .. }), "after {method} {body}: {answer:?}");
        }
    }
}

#[tokio::test]
async fn the_limit_of_running_games_holds_for_all_hosts_together() {
    let sites = three().await;
    let mut games = Vec::new();
    for number in 0..99 {
        games.push(sites[number % 3].create("").await);
    }
    let running = || sites.iter().map(Site::games).sum::<usize>();
    assert_eq!(running(), 99);
    // The oldest is on the first host, and the second one creates the next.
    games.push(sites[1].create("").await);
    while running() > 99 {
        tokio::task::yield_now().await;
    }
    let removed = sites[2].ask("GET", &format!("/games/{}/states/x", games[0]), "").await.outcome();
    assert!(removed.starts_with("UnknownGame"), "{removed}");
    let kept = sites[2].register(&games[1], "ana").await;
    assert!(!kept.must_act(&sites[0]).await, "it waits for its opponent");
    // A game that is over makes room for another.
    let (ana, bo) = (sites[0].register(&games[2], "ana").await, sites[1].register(&games[2], "bo").await);
    let first = if ana.must_act(&sites[2]).await { ana } else { bo };
    assert_ne!(first.go(&sites[0], Direction::Up).await, "", "a move without a map is a mistake, and the end");
    while running() > 98 {
        tokio::task::yield_now().await;
    }
    games.push(sites[0].create("").await);
    assert_eq!(running(), 99);
    sites[2].register(&games[3], "bo").await;
}
