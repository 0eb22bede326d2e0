//! Live games: one task per watched game follows its log and sends the same bytes to all watchers.
//!
//! It reads durable entries only. A room has no reference to watchers; it only wakes the task.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::body::Bytes;
use commlib::{Reason, Refused};
use serde_json::json;
use tokio::{
    sync::{Notify, mpsc},
    time::{MissedTickBehavior, interval, sleep},
};
use tokio_util::sync::CancellationToken;

use super::{
    Chronicle, Detail, EntryLine, Line,
    viewer::{Viewer, unreadable},
};
use crate::{log::GameKey, sync::lock};

/// How long the task collects entries before it sends them.
const GATHERING: Duration = Duration::from_millis(20);

/// The maximum number of batches that wait for a slow watcher. With more, the watcher is disconnected; a browser reconnects and
/// sends its position.
const LONGEST_QUEUE: usize = 64;

/// The maximum number of steps that a new watcher may be behind; with more, it must read the chronicle first.
const FARTHEST: u64 = 1_000;

/// An index of at least this length is sent once per round, a shorter one once per turn.
const LONG_INDEX: usize = 5_000;

/// The interval of keep-alive comments, so that no proxy closes an idle connection.
const STILL_HERE: Duration = Duration::from_secs(15);

/// The feeds of all watched games.
#[derive(Default)]
pub(crate) struct Feeds {
    open: Mutex<HashMap<Arc<str>, mpsc::Sender<Watcher>>>,
}

/// A spectator, and the last step that it has received.
struct Watcher {
    from: u64,
    queue: mpsc::Sender<Bytes>,
}

impl Feeds {
    /// Subscribes to an open game: the receiver yields server-sent events.
    pub(crate) async fn watch(
        &self,
        viewer: &Viewer,
        name: &str,
        followed: &Followed,
        from: u64,
    ) -> Result<mpsc::Receiver<Bytes>, Refused> {
        let (queue, told) = mpsc::channel(LONGEST_QUEUE);
        let mut watcher = Watcher { from, queue };
        // The feed may end at this moment because its last watcher left; then the loop tries again.
        for _ in 0..100 {
            let joining = self.joining(viewer, name, followed);
            match joining.send(watcher).await {
                Ok(()) => return Ok(told),
                Err(mpsc::error::SendError(back)) => watcher = back,
            }
        }
        Err(Refused::new(Reason::Internal, "The game cannot be watched just now; try again."))
    }

    fn joining(&self, viewer: &Viewer, name: &str, followed: &Followed) -> mpsc::Sender<Watcher> {
        let mut open = lock(&self.open);
        open.retain(|_, joining| !joining.is_closed());
        if let Some(joining) = open.get(name) {
            return joining.clone();
        }
        let (joining, joined) = mpsc::channel(16);
        open.insert(name.into(), joining.clone());
        let feed = Feed {
            viewer: viewer.clone(),
            name: name.into(),
            followed: followed.clone(),
            watchers: Vec::new(),
            recent: Recent::default(),
        };
        tokio::spawn(feed.run(joined));
        joining
    }
}

/// A running game, as the readers of its log need it.
#[derive(Clone, Debug)]
pub(crate) struct Followed {
    pub(crate) key: GameKey,
    /// Wakes the feed of the game.
    pub(crate) progress: Arc<Notify>,
    /// Cancelled when the room is gone.
    pub(crate) gone: CancellationToken,
}

/// The task that follows one watched game.
struct Feed {
    viewer: Viewer,
    name: Arc<str>,
    followed: Followed,
    watchers: Vec<mpsc::Sender<Bytes>>,
    recent: Recent,
}

/// The most recent messages, so that a new watcher needs no folding.
#[derive(Default)]
struct Recent {
    /// `entries` has everything after this step.
    since: u64,
    /// Each entry as it is sent, with its last step.
    entries: VecDeque<(u64, Vec<u8>)>,
}

impl Recent {
    /// Skips entries without a step; they are in the chronicle only.
    fn push(&mut self, entry: &EntryLine) {
        let Some(last) = last_step(entry) else { return };
        let mut bytes = Vec::new();
        message("entry", &Line::Entry(entry), last, &mut bytes);
        self.entries.push_back((last, bytes));
    }

    /// Drops entries that are too old for a new watcher.
    fn trim(&mut self, steps: u64) {
        while let Some((last, _)) = self.entries.front()
            && last + FARTHEST < steps
        {
            self.since = *last;
            self.entries.pop_front();
        }
    }

    /// Everything after a step, if `entries` still has it.
    fn after(&self, from: u64, steps: u64) -> Option<Vec<u8>> {
        let here = self.since <= from && from <= steps;
        here.then(|| {
            let missed = self.entries.iter().filter(|(last, _)| *last > from);
            missed.flat_map(|(_, bytes)| bytes).copied().collect()
        })
    }
}

impl Feed {
    async fn run(mut self, mut joined: mpsc::Receiver<Watcher>) {
        let mut still_here = interval(STILL_HERE);
        still_here.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut story = match self.begin().await {
            Ok(story) => story,
            Err(refused) => {
                return self.viewer.cannot_be_watched(&self.name, &refused);
            }
        };
        loop {
            tokio::select! {
                watcher = joined.recv() => {
                    let Some(watcher) = watcher else { return };
                    // A watcher that has just read the log may be ahead of this feed.
                    if watcher.from > story.index().steps {
                        let Some(told) = self.news(story).await else { return };
                        story = told;
                    }
                    self.join(&*story, watcher);
                }
                () = self.followed.progress.notified() => {
                    sleep(GATHERING).await;
                    // This is read before the log: a room that is gone has written everything.
                    let over = self.followed.gone.is_cancelled();
                    let Some(told) = self.news(story).await else { return };
                    story = told;
                    if over {
                        return self.end(joined).await;
                    }
                }
                _ = still_here.tick() => self.send(&Bytes::from_static(b": still here\n\n")),
            }
            self.watchers.retain(|watcher| !watcher.is_closed());
            if self.watchers.is_empty() && joined.is_empty() {
                joined.close();
                if joined.is_empty() {
                    return;
                }
            }
        }
    }

    async fn begin(&mut self) -> Result<Box<dyn Chronicle>, Refused> {
        let (viewer, key, name) = (self.viewer.clone(), self.followed.key, self.name.clone());
        let turn = self.viewer.turn().await?;
        let head = self.viewer.log.head(key).await.map_err(unreadable)?;
        let rows = self.viewer.log.rows(key, 1).await.map_err(unreadable)?;
        let begun = self.viewer.work(&turn, move || {
            let (_, mut story) = viewer.blank(&head)?;
            story.extend(rows).map_err(|why| viewer.damaged(&name, &why))?;
            let mut recent = Recent::default();
            let from = story.index().steps.saturating_sub(FARTHEST);
            story.lines(from, u64::MAX, Detail::Patches, &mut |line| {
                match line {
                    Line::Checkpoint { step, .. } => recent.since = step,
                    Line::Entry(entry) => recent.push(entry),
                    Line::Game(_) | Line::Index(_) => {}
                }
                true
            });
            Ok((story, recent))
        });
        let (story, recent) = begun.await?;
        self.recent = recent;
        Ok(story)
    }

    /// Sends a new watcher the steps that it has not seen.
    fn join(&mut self, story: &dyn Chronicle, watcher: Watcher) {
        let Watcher { from, queue } = watcher;
        let steps = story.index().steps;
        let Some(mut missed) = self.recent.after(from, steps) else {
            let _gone_meanwhile = queue.try_send(Bytes::from_static(b"event: behind\ndata: {}\n\n"));
            return;
        };
        message("index", &Line::Index(story.index()), steps, &mut missed);
        if queue.try_send(missed.into()).is_ok() {
            self.watchers.push(queue);
        }
    }

    /// Reads new entries and sends them to all watchers; `None` if that fails.
    async fn news(&mut self, mut story: Box<dyn Chronicle>) -> Option<Box<dyn Chronicle>> {
        let (viewer, key, name) = (self.viewer.clone(), self.followed.key, self.name.clone());
        let mut recent = std::mem::take(&mut self.recent);
        let turn = self.viewer.turn().await.ok()?;
        let rows = self.viewer.log.rows(key, story.entries() + 1).await.ok()?;
        // Players join only before the first round.
        let head = match story.index().rounds.is_empty() && !rows.is_empty() {
            true => Some(self.viewer.log.head(key).await.ok()?),
            false => None,
        };
        let told = self.viewer.work(&turn, move || {
            let (turns, rounds) = (story.index().turns.len(), story.index().rounds.len());
            let known = recent.entries.len();
            let told = story.tell(rows, &mut |entry| recent.push(entry));
            let mut news: Vec<u8> = recent.entries.iter().skip(known).flat_map(|(_, bytes)| bytes).copied().collect();
            recent.trim(story.index().steps);
            told.map_err(|why| viewer.damaged(&name, &why))?;
            if let Some(head) = head
                && !news.is_empty()
            {
                message("game", &Line::Game(&story.game(&head.record)), story.index().steps, &mut news);
            }
            let new_turn = turns != story.index().turns.len() && story.index().entries.len() < LONG_INDEX;
            if new_turn || rounds != story.index().rounds.len() {
                message("index", &Line::Index(story.index()), story.index().steps, &mut news);
            }
            Ok((story, recent, news))
        });
        let (story, recent, news) = told.await.ok()?;
        self.recent = recent;
        if !news.is_empty() {
            self.send(&news.into());
        }
        Some(story)
    }

    /// Ends the feed after its room has ended. If the game is over, watchers receive its outcome.
    async fn end(mut self, mut joined: mpsc::Receiver<Watcher>) {
        joined.close();
        while let Some(watcher) = joined.recv().await {
            self.watchers.push(watcher.queue);
        }
        let head = self.viewer.log.head(self.followed.key).await;
        if let Ok(Some(end)) = head.map(|head| head.record.end) {
            self.send(&farewell(&end.outcome));
        }
    }

    fn send(&mut self, bytes: &Bytes) {
        self.watchers.retain(|watcher| watcher.try_send(bytes.clone()).is_ok());
    }
}

/// The last event for watchers of a game that is over.
pub(crate) fn farewell(outcome: &str) -> Bytes {
    format!("event: end\ndata: {}\n\n", json!({"outcome": outcome})).into()
}

fn last_step(entry: &EntryLine) -> Option<u64> {
    entry.events.iter().rev().find_map(|event| event.step)
}

/// A server-sent event. A browser sends its id when it reconnects.
fn message(kind: &str, line: &Line<'_>, id: u64, out: &mut Vec<u8>) {
    out.extend_from_slice(format!("event: {kind}\nid: {id}\ndata: ").as_bytes());
    line.write(out);
    out.push(b'\n');
}
