//! The limit for `durable`: a server with one thread that commits a row for every frame and then sends the frame back.
//!
//! It has no games: it folds, chains and checks nothing, and sends nothing to other clients. It has the same rows, table, index
//! and durability as the host.

use std::{path::Path, sync::mpsc, thread};

use rusqlite::{Connection, params};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    sync::oneshot,
};

pub(crate) fn serve(path: &str, row: &str) {
    let row: usize = row.parse().expect("a number");
    let rows = writer(Path::new(path));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        println!("listening on {}", listener.local_addr().expect("an address"));
        for game in 1.. {
            let Ok((stream, _)) = listener.accept().await else { break };
            tokio::spawn(produce(stream, game, row, rows.clone()));
        }
    });
}

struct Row {
    game: i64,
    sequence: i64,
    bytes: Vec<u8>,
    done: oneshot::Sender<()>,
}

/// Starts one thread that commits all frames that were received during the previous commit.
fn writer(path: &Path) -> mpsc::Sender<Row> {
    let connection = Connection::open(path).expect("a file");
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000;
             CREATE TABLE entries (id INTEGER PRIMARY KEY, game INTEGER NOT NULL, sequence INTEGER NOT NULL,
                                   digest BLOB NOT NULL, bytes BLOB NOT NULL) STRICT;
             CREATE UNIQUE INDEX entries_of_game ON entries (game, sequence);",
        )
        .expect("a table");
    let (rows, received) = mpsc::channel::<Row>();
    thread::spawn(move || {
        let sql = "INSERT INTO entries (game, sequence, digest, bytes) VALUES (?1, ?2, ?3, ?4)";
        let mut insert = connection.prepare(sql).expect("a statement");
        while let Ok(first) = received.recv() {
            connection.execute_batch("BEGIN IMMEDIATE").expect("a transaction");
            let mut waiting = Vec::new();
            for Row { game, sequence, bytes, done } in std::iter::once(first).chain(received.try_iter()) {
                insert.execute(params![game, sequence, [7_u8; 32], bytes]).expect("a row");
                waiting.push(done);
            }
            connection.execute_batch("COMMIT").expect("a commit");
            for done in waiting {
                let _nobody_waits = done.send(());
            }
        }
    });
    rows
}

/// Sends a row to the writer for every frame of a connection.
async fn produce(stream: TcpStream, game: i64, row: usize, rows: mpsc::Sender<Row>) {
    stream.set_nodelay(true).expect("a socket");
    let (reading, mut writing) = stream.into_split();
    let mut reading = BufReader::new(reading);
    let mut frame = Vec::new();
    let mut sequence = 0;
    while let Ok(length) = reading.read_u32().await {
        frame.clear();
        frame.extend_from_slice(&length.to_be_bytes());
        frame.resize(4 + length as usize, 0);
        if reading.read_exact(&mut frame[4..]).await.is_err() {
            return;
        }
        sequence += 1;
        let (done, stored) = oneshot::channel();
        let sent = rows.send(Row { game, sequence, bytes: vec![7; row], done });
        if sent.is_err() || stored.await.is_err() || writing.write_all(&frame).await.is_err() {
            return;
        }
    }
}
