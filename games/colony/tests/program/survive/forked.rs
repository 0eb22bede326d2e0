//! A game that bots have finished is forked in the middle. The same commands then give exactly the same events.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use colony::{
    remote::{Plan, Player, RemoteTable, Tally},
    strategy,
};
use colony_rules::{Command, Event, Game, Setup};
use commlib::{ClientConnection, Form, Hello, PROTOCOL, ToClient, Want};
use engine::{Cause, CommId, Emission, Entry, EntryOf};
use server::{
    Gateway, Host, Options,
    log::{LogReader, SqliteLog, verify},
};
use slog::{Discard, Logger, o};
use tokio::sync::watch;

use crate::process::Scratch;

#[tokio::test]
async fn the_same_commands_give_the_same_events() {
    let scratch = Scratch::new("forked");
    let path = scratch.path("games.log");
    let log = Arc::new(SqliteLog::open(&path, server::log::Options::default()).expect("a log"));
    let logger = Logger::root(Discard, o!());
    let options = Options::new(holdfast::game_table(), log.clone(), logger);
    let host = Host::open(options).await.expect("a host");
    let gateway = Gateway::bind((Ipv4Addr::LOCALHOST, 0).into(), &host).await.expect("a port");
    let address = gateway.local_addr().expect("an address");
    let (_stop, stopped) = watch::channel(false);
    tokio::spawn(gateway.serve(host.clone(), stopped));

    for (scenario, seed) in [("first-night", 1), ("winter", 2), ("crossroads", 3)] {
        let text = colony::scenario(scenario).expect("it is built in");
        let setup = Setup::new(text, None, None).expect("it is sound");
        let bot = strategy("sensible").expect("a strategy").bot;
        let players = setup.scenario.max_players.min(3);
        let seats = (0..players).map(|seat| Player { name: format!("bot {seat}"), bot }).collect();
        let plan = Plan {
            address: address.into(),
            scenario: scenario.into(),
            setup,
            pace: Duration::ZERO,
            pause: Duration::ZERO,
        };
        let tally = Tally::default();
        let table = RemoteTable::enter(&plan, seats, seed, &tally).await.expect("a game");
        table.finish().await.expect("a game that ends");
        let parent = log.list().await.expect("a list").pop().expect("a game");
        let played = entries(&*log, &parent.name).await;
        let middle = played.len() / 2;
        assert!(middle > 20, "{scenario}: {} entries", played.len());

        let fork = host.fork(&parent.name, middle as u64).await.expect("a fork");
        let mut clients = Vec::new();
        for seat in 0..players {
            clients.push(claim(address, &fork, seat).await);
        }
        for (number, entry) in (0..).zip(&played[middle..]) {
            let Cause::Command { client: CommId(client), command } = &entry.input.cause else {
                panic!("{scenario}: a timer without a timeout: {:?}", entry.input)
            };
            let connection = &mut clients[*client as usize - 1];
            connection.send(command).await.expect("sent");
            connection.ping(number).await.expect("sent");
            // The last command ends the game, and the host closes the connection.
            while !matches!(connection.next().await, Ok(None | Some(ToClient::Pong(_) | ToClient::Closing(_))) | Err(_))
            {
            }
        }
        while host.list().iter().any(|open| open.game == fork) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }

        let again = entries(&*log, &fork).await;
        assert_eq!(again.len(), played.len(), "{scenario}");
        assert_eq!(again[..middle], played[..middle], "{scenario}: what it begins with");
        for (ours, theirs) in again.iter().zip(&played) {
            let (sequence, cause) = (ours.sequence, &ours.input.cause);
            assert_eq!((sequence, cause), (theirs.sequence, &theirs.input.cause), "{scenario}");
            assert_eq!(bits(&ours.emissions), bits(&theirs.emissions), "{scenario}, entry {sequence}");
        }
        let ended = log.list().await.expect("a list").pop().expect("the fork");
        assert_eq!((&ended.name, ended.parent.as_ref()), (&fork, Some(&parent.name)));
        assert_eq!(
            (ended.end.map(|end| end.outcome), ended.players),
            (parent.end.map(|end| end.outcome), parent.players)
        );
    }
    host.stop().await.expect("stopped");
    assert!(verify(&*log, |_| {}).await.expect("a report").is_sound());
}

async fn claim(address: SocketAddr, game: &str, seat: u16) -> ClientConnection<Command, Event> {
    let mut connection = ClientConnection::connect(address, Form::Binary).await.expect("a connection");
    let want = Want::Join { seat: Some(seat) };
    let hello = Hello { protocol: PROTOCOL, want, game: Some(game.into()), board: false };
    let welcome = connection.hello(hello).await.expect("a seat");
    assert_eq!((welcome.client, welcome.next), (Some(u32::from(seat) + 1), 1));
    connection
}

async fn entries(log: &dyn LogReader, game: &str) -> Vec<EntryOf<Game>> {
    let head = log.find(game).await.expect("a search").expect("a game");
    let rows = log.rows(head.record.key, 1).await.expect("entries");
    rows.iter().map(|row| Entry::decode(&row.bytes).expect("an entry")).collect()
}

/// The bytes of the emissions, as the log stores them.
fn bits(emissions: &[Emission<Event>]) -> Vec<u8> {
    let mut chain = engine::Chain::new(&[]);
    let nothing = engine::Input { elapsed_ms: 0, cause: Cause::<(), ()>::Timer { timer: () } };
    chain.append(0, &nothing, emissions).bytes.to_vec()
}
