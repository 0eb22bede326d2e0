//! The connection to PostgreSQL is lost at every message of a commit, or does not answer: every outcome is found out.

use std::{
    io::{Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
        mpsc,
    },
    thread,
};

use server::log::{EventLog, LogReader, PostgresAddress, PostgresLog, open_reader, verify};
use testkit::Postgres;

use crate::support::{Room, client, finish, wait};

/// Stands between a store and its server, and can end or hold up the connection at a message.
struct Proxy {
    port: u16,
    plan: Arc<Mutex<Option<Plan>>>,
    messages: Arc<AtomicU64>,
}

/// What happens at the message with this number, counted from the moment when the plan is made.
#[derive(Clone, Copy, Debug)]
struct Plan {
    at: u64,
    side: Side,
    fate: Fate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    ToServer,
    ToClient,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// The connection ends, and the message is lost.
    Cut,
    /// Nothing is passed on any more in this direction, and the connection stays open.
    Freeze,
}

impl Proxy {
    fn start(socket: PathBuf) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let (plan, messages) = (Arc::<Mutex<Option<Plan>>>::default(), Arc::<AtomicU64>::default());
        let proxy = Self { port, plan: plan.clone(), messages: messages.clone() };
        thread::spawn(move || {
            for accepted in listener.incoming() {
                let Ok(store) = accepted else { return };
                pass(store, &socket, &plan, &messages);
            }
        });
        proxy
    }

    fn address(&self, schema: &str) -> PostgresAddress {
        let port = self.port;
        let text = format!("postgres://postgres@127.0.0.1:{port}/postgres?options=-csearch_path%3D{schema}");
        PostgresAddress::parse(&text).expect("an address")
    }

    fn plan(&self, plan: Plan) {
        self.messages.store(0, Ordering::SeqCst);
        *self.plan.lock().expect("not poisoned") = Some(plan);
    }

    /// Whether the plan was carried out. There is none afterwards.
    fn end_plan(&self) -> bool {
        self.plan.lock().expect("not poisoned").take().is_none()
    }
}

type Direction = (Side, Box<dyn Read + Send>, Box<dyn Write + Send>);

/// Passes the messages of one connection, in both directions.
fn pass(store: TcpStream, socket: &Path, plan: &Arc<Mutex<Option<Plan>>>, messages: &Arc<AtomicU64>) {
    let server = UnixStream::connect(socket).expect("the server");
    let twin = |stream: &TcpStream| stream.try_clone().expect("a stream");
    store.set_nodelay(true).expect("a setting");
    let (from_store, to_store) = (twin(&store), twin(&store));
    let (from_server, to_server) = (server.try_clone().expect("a stream"), server.try_clone().expect("a stream"));
    let end = move || {
        let _ended = store.shutdown(Shutdown::Both);
        let _ended = server.shutdown(Shutdown::Both);
    };
    let end = Arc::new(end);
    let directions: [Direction; 2] = [
        (Side::ToServer, Box::new(from_store), Box::new(to_server)),
        (Side::ToClient, Box::new(from_server), Box::new(to_store)),
    ];
    for (side, mut from, mut to) in directions {
        let (plan, messages, end) = (plan.clone(), messages.clone(), end.clone());
        thread::spawn(move || {
            // The first message of a client has no kind.
            let mut has_kind = side == Side::ToClient;
            while let Some(message) = read_message(&mut *from, has_kind) {
                has_kind = true;
                let fate = {
                    let mut plan = plan.lock().expect("not poisoned");
                    let mine = plan.filter(|plan| plan.side == side);
                    let number = if mine.is_some() { messages.fetch_add(1, Ordering::SeqCst) + 1 } else { 0 };
                    let due = mine.filter(|plan| plan.at == number);
                    if due.is_some() {
                        *plan = None;
                    }
                    due.map(|plan| plan.fate)
                };
                match fate {
                    Some(Fate::Cut) => break,
                    // Reads on, so that the sender can send.
                    Some(Fate::Freeze) => {
                        let mut lost = [0; 4096];
                        while from.read(&mut lost).is_ok_and(|read| read > 0) {}
                        break;
                    }
                    None if to.write_all(&message).is_ok() => {}
                    None => break,
                }
            }
            end();
        });
    }
}

fn read_message(from: &mut dyn Read, has_kind: bool) -> Option<Vec<u8>> {
    let mut message = vec![0; if has_kind { 5 } else { 4 }];
    from.read_exact(&mut message).ok()?;
    let length = u32::from_be_bytes(message[message.len() - 4..].try_into().ok()?) as usize;
    let start = message.len();
    message.resize(start + length.checked_sub(4)?, 0);
    from.read_exact(&mut message[start..]).ok()?;
    Some(message)
}

/// Writes everything that a commit can have, while the plan is carried out. Returns whether it was.
fn check(server: &Postgres, proxy: &Proxy, plan: Plan) -> bool {
    let direct = server.store();
    let schema = direct.rsplit("%3D").next().expect("a schema");
    let log = PostgresLog::open_alone(&proxy.address(schema), "test").expect("a store");
    let [mut one, mut over] = ["one", "over"].map(|name| Room::create(&log, name));
    one.append(&log);
    over.append(&log);
    assert_eq!((one.ear.wait_for(1).durable, over.ear.wait_for(1).durable), (Some(1), Some(1)));

    proxy.plan(plan);
    one.append(&log);
    let (sender, added) = mpsc::channel();
    log.add_client(one.key, client(7), Box::new(move |result| sender.send(result).expect("the test waits")));
    let new = Room::create(&log, "new");
    over.append(&log);
    finish(&log, over.key, "won", 9);
    one.append(&log);
    let one_heard = one.ear.wait_for(3);
    assert_eq!((one_heard.durable, one_heard.failed), (Some(3), None), "{plan:?}");
    added.recv().expect("an answer").expect("a client that is stored");
    let over_heard = over.ear.wait_for(2);
    assert_eq!((over_heard.durable, over_heard.failed), (Some(2), None), "{plan:?}");
    let new_heard = new.ear.wait_for(0);
    let was_carried_out = proxy.end_plan();
    log.close().expect("a clean end");

    let reader = wait(open_reader(Path::new(&direct))).expect("a reader");
    let report = wait(verify(&*reader, |_| {})).expect("a report");
    assert!(report.is_sound(), "{plan:?}: {report}");
    let entries = |room: &Room| wait(reader.rows(room.key, 1)).expect("entries").len();
    assert_eq!((entries(&one), entries(&over)), (3, 2), "{plan:?}");
    assert_eq!(wait(reader.clients(one.key)).expect("clients"), [client(7)], "{plan:?}");
    let outcome = wait(reader.head(over.key)).expect("a head").record.end.map(|end| end.outcome);
    assert_eq!(outcome.as_deref(), Some("won"), "{plan:?}");
    // Only a new game may be refused, and then it is not there.
    let is_there = wait(reader.find("new")).expect("an answer").is_some();
    assert_eq!(is_there, new_heard.durable.is_some(), "{plan:?}: {new_heard:?}");
    assert_ne!(is_there, new_heard.failed.is_some(), "{plan:?}: {new_heard:?}");
    was_carried_out
}

#[test]
fn a_connection_that_is_cut_at_every_message() {
    let Some(server) = Postgres::shared() else { return };
    let proxy = Proxy::start(server.socket());
    for side in [Side::ToServer, Side::ToClient] {
        let mut at = 1;
        // The writes are in one commit or in a few, so the number of messages varies.
        while check(server, &proxy, Plan { at, side, fate: Fate::Cut }) {
            at += 1;
        }
        assert!(at > 20, "only {at} messages were cut: {side:?}");
    }
}

#[test]
fn a_server_that_does_not_answer() {
    let Some(server) = Postgres::shared() else { return };
    let proxy = Proxy::start(server.socket());
    for (side, at) in [(Side::ToServer, 2), (Side::ToClient, 1), (Side::ToClient, 12)] {
        assert!(check(server, &proxy, Plan { at, side, fate: Fate::Freeze }), "{side:?} {at}");
    }
}

/// Another process with the name of this host takes its place: this one writes nothing more.
#[test]
fn a_host_that_is_replaced() {
    let Some(server) = Postgres::shared() else { return };
    let address = PostgresAddress::parse(&server.store()).expect("an address");
    let first = PostgresLog::open_alone(&address, "test").expect("a store");
    let [mut one, mut other] = ["one", "other"].map(|name| Room::create(&first, name));
    one.append(&first);
    other.append(&first);
    one.ear.wait_for(1);
    other.ear.wait_for(1);
    let second = PostgresLog::open_alone(&address, "test").expect("a store");
    one.append(&first);
    let fenced = |key| Some(format!("another host owns game {key}"));
    assert_eq!(one.ear.wait_for(2).failed, fenced(one.key));
    assert_eq!(other.ear.wait_for(2).failed, fenced(other.key), "all games of the host hear it");
    assert!(Room::create(&first, "new").ear.wait_for(0).failed.is_some());
    one.resume(&second, 2);
    assert_eq!(one.ear.wait_for(1).durable, Some(1));
    assert_eq!(wait(second.rows(one.key, 1)).expect("entries").len(), 1, "nothing was stored");
}
