//! A connection between a client and a host, or between two hosts: bytes arrive later, slowly, never, or the connection is cut.

use std::{
    collections::VecDeque,
    fmt, io,
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll, Waker},
    time::Duration,
};

use server::sync::lock;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, Sleep, sleep_until},
};

use crate::{freeze::Freeze, random::Random};

/// The bytes that a slow reader takes at once.
const SLOW_BITE: usize = 48;

/// The properties of a link.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quality {
    /// The shortest and the longest delay of a piece, in milliseconds. Pieces stay in order.
    pub(crate) delay_ms: (u64, u64),
    /// The bytes in one direction that wait to be read. A writer waits for more room.
    pub(crate) capacity: usize,
}

impl Quality {
    /// The quality of a client's link.
    pub(crate) fn draw(random: &mut Random) -> Self {
        const DELAYS_MS: [(u64, u64); 4] = [(0, 2), (1, 20), (5, 60), (20, 200)];
        const CAPACITIES: [usize; 3] = [2048, 8192, 65536];
        let delay_ms = random.pick(&DELAYS_MS).copied().unwrap_or(DELAYS_MS[0]);
        Self { delay_ms, capacity: random.pick(&CAPACITIES).copied().unwrap_or(CAPACITIES[0]) }
    }
}

/// What stops an end of a link for a while.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stops {
    /// The process of this end gets no processor time: it neither reads nor writes.
    pub(crate) freeze: Option<Arc<Freeze>>,
    /// No byte arrives at this end.
    pub(crate) unreachable: Option<Arc<Freeze>>,
}

impl Stops {
    /// When the end goes on, if it stands still now.
    fn until(&self, is_read: bool) -> Option<Instant> {
        let unreachable = self.unreachable.as_ref().filter(|_| is_read);
        self.freeze.iter().chain(unreachable).filter_map(|freeze| freeze.until()).max()
    }
}

/// Creates a link of a client; the first end is the host's.
pub(crate) fn link(quality: Quality, random: Random, freeze: Arc<Freeze>) -> (End, End, Control) {
    link_between(quality, random, [Stops { freeze: Some(freeze), unreachable: None }, Stops::default()])
}

/// Creates a link with what stops its ends.
pub(crate) fn link_between(quality: Quality, random: Random, stops: [Stops; 2]) -> (End, End, Control) {
    let [one, other] = stops;
    let state = Arc::new(Mutex::new(State {
        pipes: [Pipe::new(), Pipe::new()],
        quality,
        random,
        is_cut: false,
        is_stuck: false,
        slow: None,
        is_watched: false,
    }));
    let first = End { state: state.clone(), side: 0, stops: one, sleeps: [None, None] };
    let second = End { state: state.clone(), side: 1, stops: other, sleeps: [None, None] };
    (first, second, Control(state))
}

/// Both directions of a link. `pipes[side]` has the bytes that this side wrote.
struct State {
    pipes: [Pipe; 2],
    quality: Quality,
    random: Random,
    is_cut: bool,
    /// Half open: nothing arrives any more, and neither end learns of it.
    is_stuck: bool,
    /// The pause of the client between two small bites.
    slow: Option<Duration>,
    /// Its ends find out at once if it is half open.
    is_watched: bool,
}

struct Pipe {
    pieces: VecDeque<Piece>,
    waiting: usize,
    last_due: Instant,
    next_bite: Instant,
    /// The writer has said its last.
    is_ended: bool,
    /// The reader is gone.
    is_deserted: bool,
    reader: Option<Waker>,
    writer: Option<Waker>,
}

/// Bytes that were written together.
struct Piece {
    due: Instant,
    bytes: Vec<u8>,
    /// How many of them were read.
    read: usize,
}

impl Pipe {
    fn new() -> Self {
        let now = Instant::now();
        Self {
            pieces: VecDeque::new(),
            waiting: 0,
            last_due: now,
            next_bite: now,
            is_ended: false,
            is_deserted: false,
            reader: None,
            writer: None,
        }
    }

    fn wake(&mut self) {
        self.reader.take().into_iter().chain(self.writer.take()).for_each(Waker::wake);
    }
}

/// What a read or a write finds.
enum Found {
    Bytes(usize),
    Failed(io::ErrorKind),
    /// Nothing before this time.
    Later(Instant),
    /// Nothing before another end acts.
    Nothing,
}

impl State {
    fn read(&mut self, side: usize, buffer: &mut ReadBuf<'_>, waker: &Waker) -> Found {
        if self.is_cut {
            return Found::Failed(io::ErrorKind::ConnectionReset);
        }
        let slow = self.slow.filter(|_| side == 1);
        let pipe = &mut self.pipes[1 - side];
        pipe.reader = Some(waker.clone());
        if self.is_stuck {
            return Found::Nothing;
        }
        let now = Instant::now();
        let Some(piece) = pipe.pieces.front_mut() else {
            return if pipe.is_ended { Found::Bytes(0) } else { Found::Nothing };
        };
        let due = slow.map_or(piece.due, |_| piece.due.max(pipe.next_bite));
        if due > now {
            return Found::Later(due);
        }
        let most = if slow.is_some() { SLOW_BITE } else { usize::MAX };
        let unread = &piece.bytes[piece.read..];
        let count = unread.len().min(buffer.remaining()).min(most);
        buffer.put_slice(&unread[..count]);
        piece.read += count;
        if piece.read == piece.bytes.len() {
            pipe.pieces.pop_front();
        }
        pipe.waiting -= count;
        pipe.next_bite = now + slow.unwrap_or_default();
        pipe.writer.take().into_iter().for_each(Waker::wake);
        Found::Bytes(count)
    }

    fn write(&mut self, side: usize, bytes: &[u8], waker: &Waker) -> Found {
        let (from, to) = self.quality.delay_ms;
        let delay = Duration::from_micros(self.random.within(from * 1000..=to * 1000));
        let pipe = &mut self.pipes[side];
        if self.is_cut || pipe.is_ended || pipe.is_deserted && !self.is_stuck {
            return Found::Failed(io::ErrorKind::BrokenPipe);
        }
        let room = self.quality.capacity.saturating_sub(pipe.waiting);
        if room == 0 {
            pipe.writer = Some(waker.clone());
            return Found::Nothing;
        }
        let count = bytes.len().min(room);
        let due = (Instant::now() + delay).max(pipe.last_due);
        pipe.last_due = due;
        pipe.pieces.push_back(Piece { due, bytes: bytes[..count].to_vec(), read: 0 });
        pipe.waiting += count;
        pipe.reader.take().into_iter().for_each(Waker::wake);
        Found::Bytes(count)
    }
}

/// One end of a link.
pub(crate) struct End {
    state: Arc<Mutex<State>>,
    side: usize,
    stops: Stops,
    /// The pending times of reading and writing.
    sleeps: [Option<Pin<Box<Sleep>>>; 2],
}

impl End {
    /// Breaks this link, and tells its state.
    pub(crate) fn control(&self) -> Control {
        Control(self.state.clone())
    }

    /// Waits until this time; true if it is over.
    fn wait(&mut self, which: usize, until: Instant, cx: &mut Context<'_>) -> bool {
        let sleep = match &mut self.sleeps[which] {
            Some(sleep) => {
                if sleep.deadline() != until {
                    sleep.as_mut().reset(until);
                }
                sleep
            }
            empty @ None => empty.insert(Box::pin(sleep_until(until))),
        };
        sleep.as_mut().poll(cx).is_ready()
    }

    /// Tries again as long as the time that the attempt waits for is over already.
    fn poll(
        &mut self,
        which: usize,
        cx: &mut Context<'_>,
        mut attempt: impl FnMut(&mut State, &Waker) -> Found,
    ) -> Poll<io::Result<usize>> {
        loop {
            let until = match self.stops.until(which == 0) {
                Some(thaw) => thaw,
                None => match attempt(&mut lock(&self.state), cx.waker()) {
                    Found::Bytes(count) => return Poll::Ready(Ok(count)),
                    Found::Failed(kind) => return Poll::Ready(Err(kind.into())),
                    Found::Nothing => return Poll::Pending,
                    Found::Later(until) => until,
                },
            };
            if !self.wait(which, until, cx) {
                return Poll::Pending;
            }
        }
    }
}

impl AsyncRead for End {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let side = self.side;
        let read = self.poll(0, cx, |state, waker| state.read(side, buffer, waker));
        read.map_ok(|_| ())
    }
}

impl AsyncWrite for End {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let side = self.side;
        self.poll(1, cx, |state, waker| state.write(side, bytes, waker))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut state = lock(&self.state);
        state.pipes[self.side].is_ended = true;
        state.pipes[self.side].wake();
        Poll::Ready(Ok(()))
    }
}

impl Drop for End {
    fn drop(&mut self) {
        let mut state = lock(&self.state);
        state.pipes[self.side].is_ended = true;
        state.pipes[1 - self.side].is_deserted = true;
        state.pipes.iter_mut().for_each(Pipe::wake);
    }
}

impl fmt::Debug for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("End").field("side", &self.side).finish_non_exhaustive()
    }
}

/// Breaks a link.
#[derive(Clone)]
pub(crate) struct Control(Arc<Mutex<State>>);

impl Control {
    /// Cuts the connection: both ends fail at once, and bytes on the way are lost.
    pub(crate) fn cut(&self) {
        let mut state = lock(&self.0);
        state.is_cut = true;
        state.pipes.iter_mut().for_each(Pipe::wake);
    }

    /// Leaves the connection half open: no byte arrives, and neither end learns of it.
    pub(crate) fn stick(&self) {
        if lock(&self.0).is_watched {
            return self.cut();
        }
        lock(&self.0).is_stuck = true;
    }

    /// From now on, both ends find out at once if the connection is half open: it is cut instead. Programs need longer to find
    /// that out than a simulation lasts.
    pub(crate) fn watch(&self) {
        lock(&self.0).is_watched = true;
    }

    /// The client reads a few bytes, then pauses, until this is called with `None`.
    pub(crate) fn slow(&self, pause: Option<Duration>) {
        let mut state = lock(&self.0);
        state.slow = pause;
        state.pipes.iter_mut().for_each(Pipe::wake);
    }

    /// Whether the host still has its end. The client of a half-open link cannot know.
    pub(crate) fn is_open_at_host(&self) -> bool {
        let state = lock(&self.0);
        !state.is_cut && !state.pipes[1].is_deserted
    }

    /// Whether the host has written something that the client has not read.
    pub(crate) fn has_unread(&self) -> bool {
        lock(&self.0).pipes[0].waiting > 0
    }

    /// Whether both ends are still there.
    pub(crate) fn is_open(&self) -> bool {
        let state = lock(&self.0);
        !state.is_cut && state.pipes.iter().all(|pipe| !pipe.is_ended && !pipe.is_deserted)
    }
}

impl fmt::Debug for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Control")
    }
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        time::timeout,
    };

    use super::*;

    fn pair(capacity: usize) -> (End, End, Control, Arc<Freeze>) {
        let freeze = Arc::new(Freeze::default());
        let quality = Quality { delay_ms: (10, 10), capacity };
        let (host, client, control) = link(quality, Random::new(1, 1), freeze.clone());
        (host, client, control, freeze)
    }

    /// What a read gives within a minute, and when.
    async fn read(end: &mut End) -> (String, u128) {
        let (since, mut buffer) = (Instant::now(), [0; 100]);
        let read = timeout(Duration::from_secs(60), end.read(&mut buffer)).await;
        let text = match read {
            Ok(Ok(count)) => String::from_utf8_lossy(&buffer[..count]).into_owned(),
            Ok(Err(error)) => error.kind().to_string(),
            Err(_) => "nothing".into(),
        };
        (text, since.elapsed().as_millis())
    }

    #[tokio::test(start_paused = true)]
    async fn bytes_arrive_later_and_in_order() {
        let (mut host, mut client, ..) = pair(100);
        client.write_all(b"one").await.expect("room");
        client.write_all(b"two").await.expect("room");
        drop(client);
        assert_eq!(read(&mut host).await, ("one".into(), 10));
        assert_eq!(read(&mut host).await, ("two".into(), 0));
        assert_eq!(read(&mut host).await, (String::new(), 0), "the end");
    }

    #[tokio::test(start_paused = true)]
    async fn a_link_breaks() {
        let (mut host, mut client, control, _) = pair(100);
        client.write_all(b"one").await.expect("room");
        control.cut();
        assert_eq!(read(&mut host).await.0, "connection reset");
        assert!(client.write_all(b"two").await.is_err());

        let (mut host, mut client, control, _) = pair(4);
        control.stick();
        client.write_all(b"four").await.expect("room");
        assert_eq!(read(&mut host).await, ("nothing".into(), 60_000));
        assert!(timeout(Duration::from_secs(60), client.write_all(b"more")).await.is_err(), "no room");

        let (mut host, _client, _, freeze) = pair(100);
        freeze.freeze(Instant::now() + Duration::from_secs(5));
        drop(_client);
        assert_eq!(read(&mut host).await, (String::new(), 5000), "a frozen host hears nothing");
    }

    #[tokio::test(start_paused = true)]
    async fn the_client_of_a_half_open_link_does_not_hear_of_its_end() {
        let (host, mut client, control, _) = pair(100);
        control.stick();
        assert!(client.control().is_open_at_host());
        drop(host);
        assert_eq!(read(&mut client).await, ("nothing".into(), 60_000));
        assert!(!client.control().is_open_at_host());
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_client_takes_small_bites() {
        let (mut host, mut client, control, _) = pair(100);
        control.slow(Some(Duration::from_secs(1)));
        host.write_all(&[b'x'; SLOW_BITE + 2]).await.expect("room");
        assert_eq!(read(&mut client).await, ("x".repeat(SLOW_BITE), 10));
        assert_eq!(read(&mut client).await, ("xx".into(), 1000));
    }
}
