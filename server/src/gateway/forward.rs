//! Passes a client on to the host that plays its game. This host keeps the client's connection and checks its limits.

use std::{
    io,
    sync::{Arc, OnceLock},
    time::Duration,
};

use commlib::{Form, Hello, Notice, Reason, Refused, ToClient};
use tokio::{
    io::{AsyncWriteExt, ReadHalf, WriteHalf, split},
    sync::mpsc,
    time::{Instant, sleep, timeout},
};

use super::{
    connection::Seated,
    link_frames::{FromOwner, Greeted, LinkMessage, LinkReader, ToOwner},
};
use crate::{
    cluster::Incarnation,
    host::{Host, Link},
    room::ToRoom,
    world::Stream,
};

/// The number of messages of a client that wait for the owner.
const WAITING: usize = 16;

/// The number of batches that wait for a client. The owner keeps more of them.
const BATCHES: usize = 4;

/// The time between two probes of an owner, and how long it may be silent. A dead owner is noticed sooner, by its beats. A probe
/// finds a network that separates two living hosts.
const PROBE_EVERY: Duration = Duration::from_secs(15);
const SILENCE: Duration = Duration::from_secs(40);

/// Sends a hello, which the client sent at `greeted`, to the owner of the game, and whether the client knows accounts. Returns the client's place in it; `None` if the owner
/// is declared dead meanwhile.
///
/// # Errors
/// If the owner refuses the hello, or ends before it answers.
pub(super) async fn enter(
    host: &Arc<Host>,
    link: Link,
    form: Form,
    account: Option<String>,
    (hello, knows_accounts, greeted): (Hello, bool, Instant),
) -> Result<Option<Seated>, Refused> {
    let Link { stream, owner } = link;
    let (reading, mut writer) = split(stream);
    let mut reader = LinkReader::new(reading);
    let greeted = async {
        if let Some(token) = account {
            send(&mut writer, &ToOwner::Account(token)).await?;
        }
        let waited_ms = u32::try_from(greeted.elapsed().as_millis()).unwrap_or(u32::MAX);
        send(&mut writer, &ToOwner::Hello(hello, Greeted { knows_notices: true, waited_ms, knows_accounts })).await?;
        let first = reader.next().await?;
        let (first, knows) = match first {
            Some(FromOwner::KnowsNotices { managing }) => (reader.next().await?, Knows { notices: true, managing }),
            first => (first, Knows { notices: false, managing: false }),
        };
        Ok::<_, io::Error>(first.map(|first| (first, knows)))
    };
    let patience = host.options.limits.store_patience + host.options.limits.wire.handshake;
    let answered = tokio::select! {
        biased;
        answered = timeout(patience, greeted) => answered.ok().and_then(Result::ok).flatten(),
        () = host.is_dead(owner) => return Ok(None),
    };
    let (first, knows) = match answered {
        Some((FromOwner::Messages(first), knows)) => (first, knows),
        Some((FromOwner::Refused(refused) | FromOwner::Closing(refused), _)) => return Err(refused),
        Some((FromOwner::Here | FromOwner::KnowsNotices { .. }, _)) | None => return Err(gone()),
    };
    let (inbox, messages) = mpsc::channel(WAITING);
    let (batches, queue) = mpsc::channel(BATCHES);
    batches.try_send(first).expect("the queue is empty");
    let farewell = Arc::new(OnceLock::new());
    let forwarded = Forwarded { host: host.clone(), owner, reader, writer, form, batches, knows };
    tokio::spawn(forwarded.run(messages, farewell.clone()));
    Ok(Some(Seated { inbox, queue, farewell, place: None }))
}

/// A client whose game another host plays.
struct Forwarded {
    host: Arc<Host>,
    owner: Incarnation,
    reader: LinkReader<ReadHalf<Box<dyn Stream>>>,
    writer: WriteHalf<Box<dyn Stream>>,
    form: Form,
    batches: mpsc::Sender<Vec<u8>>,
    knows: Knows,
}

/// What the owner takes; an earlier version does not.
#[derive(Clone, Copy)]
struct Knows {
    /// Notices and chat.
    notices: bool,
    /// Changes of who may come in.
    managing: bool,
}

impl Forwarded {
    /// Passes messages both ways until the client leaves, or the owner ends the connection.
    async fn run(self, messages: mpsc::Receiver<ToRoom>, farewell: Arc<OnceLock<Refused>>) {
        let Self { host, owner, mut reader, mut writer, form, batches, knows } = self;
        let client = batches.clone();
        // Neither direction waits for the other. Otherwise two full connections could wait for each other.
        let why = tokio::select! {
            biased;
            why = receive(&mut reader, &batches) => Some(why),
            left = pass_on(&mut writer, messages, form, knows, &client) => left.is_err().then(gone),
            () = host.is_dead(owner) => Some(gone()),
            () = host.services.stopping.cancelled() => {
                Some(Refused::new(Reason::ShuttingDown, "The server stops; resume with another one."))
            }
        };
        if let Some(why) = why {
            let _first_counts = farewell.set(why);
        }
        drop((batches, client));
        let closed = async {
            writer.shutdown().await?;
            // Closing a socket with unread bytes resets the connection, and the client's last messages may be lost.
            while reader.next::<FromOwner>().await?.is_some() {}
            Ok::<(), io::Error>(())
        };
        let _it_may_be_gone = timeout(host.options.limits.wire.farewell, closed).await;
    }
}

/// Queues the owner's messages for the client. Returns why the owner ends the connection.
async fn receive(reader: &mut LinkReader<ReadHalf<Box<dyn Stream>>>, batches: &mpsc::Sender<Vec<u8>>) -> Refused {
    loop {
        match timeout(SILENCE, reader.next()).await {
            Ok(Ok(Some(FromOwner::Messages(batch)))) => {
                if batches.send(batch).await.is_err() {
                    // The client has left. Its last messages are still on their way to the owner.
                    return std::future::pending().await;
                }
            }
            Ok(Ok(Some(FromOwner::Here | FromOwner::KnowsNotices { .. }))) => {}
            Ok(Ok(Some(FromOwner::Closing(refused) | FromOwner::Refused(refused)))) => return refused,
            Ok(Ok(None) | Err(_)) | Err(_) => return gone(),
        }
    }
}

/// Sends the client's messages to the owner until the client leaves. Messages that the owner does not know are refused.
async fn pass_on(
    writer: &mut WriteHalf<Box<dyn Stream>>,
    mut messages: mpsc::Receiver<ToRoom>,
    form: Form,
    knows: Knows,
    client: &mpsc::Sender<Vec<u8>>,
) -> io::Result<()> {
    loop {
        let message = tokio::select! {
            biased;
            message = messages.recv() => message,
            () = sleep(PROBE_EVERY) => {
                send(writer, &ToOwner::Probe).await?;
                continue;
            }
        };
        match message {
            Some(ToRoom::Command { raw, .. }) => {
                debug_assert_eq!(raw.form(), form, "a client keeps its form");
                send(writer, &ToOwner::Command(raw.bytes().to_vec())).await?;
            }
            Some(ToRoom::Ping { number, .. }) => send(writer, &ToOwner::Ping(number)).await?,
            Some(ToRoom::Offers { number, .. }) => send(writer, &ToOwner::Offers(number)).await?,
            Some(ToRoom::Notices { .. } | ToRoom::Chat { .. } | ToRoom::Mute { .. } | ToRoom::Report { .. })
                if !knows.notices =>
            {
                let words = "The server of this game has an earlier version, which has no notices.";
                let refused = Refused::new(Reason::BadMessage, words);
                tell(client, form, &ToClient::Notice(Notice::Refused(refused))).await;
            }
            Some(ToRoom::Manage { .. }) if !knows.managing => {
                let words = "The server of this game has an earlier version; manage the game over HTTP.";
                tell(client, form, &ToClient::Refused(Refused::new(Reason::BadMessage, words))).await;
            }
            Some(ToRoom::Manage { change }) => send(writer, &ToOwner::Manage(change)).await?,
            Some(ToRoom::Notices { wanted, .. }) => send(writer, &ToOwner::Notices(wanted)).await?,
            Some(ToRoom::Chat { text, .. }) => send(writer, &ToOwner::Chat(text)).await?,
            Some(ToRoom::Mute { mute, .. }) => send(writer, &ToOwner::Mute(mute)).await?,
            Some(ToRoom::Report { number, .. }) => send(writer, &ToOwner::Report(number)).await?,
            // A connection sends nothing else, and only rooms of this host are stopped.
            Some(
                ToRoom::Gone { .. }
                | ToRoom::Enter { .. }
                | ToRoom::Stored { .. }
                | ToRoom::AddBot { .. }
                | ToRoom::MayManage { .. }
                | ToRoom::Access { .. }
                | ToRoom::EndEarly { .. }
                | ToRoom::Turn { .. }
                | ToRoom::DeleteLine { .. }
                | ToRoom::Stop,
            )
            | None => {
                return Ok(());
            }
        }
    }
}

/// Answers the client itself.
async fn tell(client: &mpsc::Sender<Vec<u8>>, form: Form, answer: &ToClient<()>) {
    let mut bytes = Vec::new();
    commlib::encode(form, answer, &mut bytes).expect("a refusal is short");
    // If the client is gone, its next message says so.
    let _it_may_be_gone = client.send(bytes).await;
}

async fn send(writer: &mut WriteHalf<Box<dyn Stream>>, message: &ToOwner) -> io::Result<()> {
    let mut bytes = Vec::new();
    message.write(&mut bytes);
    writer.write_all(&bytes).await?;
    writer.flush().await
}

/// The end of a connection whose owner gave no reason.
fn gone() -> Refused {
    Refused::new(Reason::ShuttingDown, "The server of this game is gone; another one continues it. Resume.")
}
