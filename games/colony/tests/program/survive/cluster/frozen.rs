//! A host is frozen (SIGSTOP) for 10 seconds. The others take its games over, and its clients play on there. When it is thawed, it
//! still has connections, and commands that came meanwhile. It must store and tell nothing of them.

use std::time::{Duration, Instant};

use colony_rules::{Command, Event};
use commlib::{Create, Reason, ToClient, Token, Want};

use super::{Cluster, Playing, spread, wait_for_metric};
use crate::{
    colony::{kill::wait_for, player::enter},
    show,
    wire::{Addresses, Connection, Wire},
};

const TABLES: usize = 12;
/// The games whose players stay connected to the frozen host.
const STALE: usize = 9;
const FROZEN: Duration = Duration::from_secs(10);

/// A client that stays with the frozen host.
struct Stale {
    connection: Connection<Command, Event>,
    game: String,
    token: Token,
    seen: u64,
    wire: Wire,
}

#[test]
fn a_frozen_host_writes_nothing_and_tells_nothing() {
    let Some(server) = testkit::Postgres::shared() else { return };
    let cluster = Cluster::start("frozen", &server.store(), &["a", "b", "c"]);
    // Half of the players of the first host's games reach it through the second one.
    let playing = Playing::begin(TABLES, Duration::from_millis(50), |table| cluster.seen_from(table).apart());
    let [a, b] = [cluster.hosts[0].addresses(), cluster.hosts[1].addresses()];
    let mut stale: Vec<Stale> =
        (0..STALE).map(|game| playing.runtime.block_on(Stale::begin(a, Wire::of_table(game)))).collect();
    wait_for("players play", &playing.shared.events, TABLES * 40);

    let since = Instant::now();
    cluster.hosts[0].freeze();
    // The system takes these commands for the frozen host.
    playing.runtime.block_on(async {
        for client in &mut stale {
            client.connection.send(&Command::Register { name: "Late".into() }).await.expect("the system takes it");
        }
    });
    // The same clients play elsewhere, so both hosts have a version of the next entry.
    playing.runtime.block_on(async {
        for client in &stale {
            client.play_on(b).await;
        }
    });
    std::thread::sleep(FROZEN.saturating_sub(since.elapsed()));
    let waited = playing.wait_until_all_play_on(since);
    cluster.hosts[0].thaw();
    let (frozen, clients) = (since.elapsed(), waited.len());
    let told = playing.runtime.block_on(async {
        let mut told = Vec::new();
        for client in stale {
            told.extend(client.hear_everything().await);
        }
        told
    });
    assert!(told.is_empty(), "the thawed host told {told:?}");
    wait_for_metric(&cluster.hosts[0], "holdfast_cluster_burials_total", 1.0);
    wait_for_metric(&cluster.hosts[0], "holdfast_cluster_hosts_alive", 3.0);
    // It works again.
    playing.runtime.block_on(Stale::begin(a, Wire::Binary));
    let (fenced, (games, events, _)) = cluster.end_and_count(playing, "holdfast_cluster_games_fenced_total");
    show(&format!(
        "a host was frozen for {:.1} s: {clients} clients played on elsewhere after {}; thawed, it told \
         nothing and stored nothing of {fenced} games; {games} games, {events} told events, all in the log",
        frozen.as_secs_f64(),
        spread(waited)
    ));
    // A third of the games have both players at the frozen host, directly or through another; of another third, one player is.
    assert!(clients >= TABLES * 2 / 3, "{clients} clients of the frozen host played on elsewhere");
    assert!(fenced >= STALE as f64, "{fenced} games were fenced");
}

impl Stale {
    /// Creates a game, and registers its first player.
    async fn begin(host: Addresses, wire: Wire) -> Self {
        let create = Create { rulebook: None, scenario: "winter".into(), edition: None, seed: Some(1), timeout: None };
        let (mut connection, welcome) = enter(host, wire, None, Want::Create(create)).await.expect("a new game");
        connection.send(&Command::Register { name: "Ana".into() }).await.expect("sent");
        connection.ping(1).await.expect("sent");
        let mut seen = 0;
        loop {
            match connection.next().await.expect("an answer") {
                Some(ToClient::Event(told)) => seen = told.number,
                Some(ToClient::Pong(_)) => break,
                other => panic!("{other:?}"),
            }
        }
        let token = welcome.token.expect("a token");
        Self { connection, game: welcome.game, token, seen, wire }
    }

    /// Resumes through another host, and acts there: the second registration of a client is refused by an event.
    async fn play_on(&self, host: Addresses) {
        let want = Want::Resume { token: self.token, seen: self.seen };
        let entered = enter(host, self.wire, Some(&self.game), want).await;
        let (mut connection, welcome) = entered.unwrap_or_else(|error| panic!("{}: {error}", self.game));
        assert_eq!(welcome.next, self.seen + 1, "the command to the frozen host was not stored");
        connection.send(&Command::Register { name: "Elsewhere".into() }).await.expect("sent");
        match connection.next().await.expect("an answer") {
            Some(ToClient::Event(told)) => assert_eq!(told.number, self.seen + 1),
            other => panic!("{other:?}"),
        }
    }

    /// Everything but the farewell that the host sends on the old connection.
    async fn hear_everything(mut self) -> Vec<ToClient<Event>> {
        let mut told = Vec::new();
        while let Ok(Some(message)) = self.connection.next().await {
            let is_farewell = matches!(&message, ToClient::Closing(refused) if refused.reason == Reason::ShuttingDown);
            if !is_farewell {
                told.push(message);
            }
        }
        told
    }
}
