//! A cache of the chronicles that were read most recently.

use std::sync::{Arc, Mutex, PoisonError, RwLock};

use commlib::{Reason, Refused};

use super::{
    Chronicle, Sight,
    viewer::{Turn, Viewer, unreadable},
};
use crate::{
    log::{GameHead, ReplayError, Row},
    sync::lock,
};

/// The maximum number of cached chronicles.
const MOST: usize = 64;

/// The maximum size of all cached chronicles together. The one in use may be larger.
const MOST_BYTES: usize = 256 << 20;

/// The chronicles that were read most recently.
#[derive(Default)]
pub(crate) struct ChronicleCache {
    /// In the order of use; the last one was used most recently.
    chronicles: Mutex<Vec<CachedChronicle>>,
}

/// A chronicle up to the entries read so far.
#[derive(Clone)]
pub(crate) struct CachedChronicle {
    name: Arc<str>,
    sight: Sight,
    /// The number of redacted entries. When a name is replaced, the chronicle is built again.
    redacted: u64,
    pub(crate) chronicle: Arc<RwLock<Box<dyn Chronicle>>>,
    bytes: usize,
}

impl CachedChronicle {
    fn entries(&self) -> u64 {
        self.chronicle.read().unwrap_or_else(PoisonError::into_inner).entries()
    }

    /// Adds the entries that follow. The caller holds a permit, so no other task adds them at the same time.
    fn extended(mut self, rows: Vec<Row>) -> Result<Self, ReplayError> {
        let mut chronicle = self.chronicle.write().unwrap_or_else(PoisonError::into_inner);
        chronicle.extend(rows)?;
        self.bytes = chronicle.bytes();
        drop(chronicle);
        Ok(self)
    }
}

impl ChronicleCache {
    /// The chronicle of a game as any client may see it, up to the last durable entry.
    pub(crate) async fn open(
        self: &Arc<Self>,
        viewer: &Viewer,
        turn: &Turn,
        name: &str,
    ) -> Result<(GameHead, CachedChronicle), Refused> {
        let found = viewer.log.find(name).await.map_err(unreadable)?;
        let head = found.ok_or_else(|| Refused::new(Reason::UnknownGame, format!("There is no game {name}.")))?;
        let cached = self.take(&head, viewer.sight(&head.record));
        let known = cached.as_ref().map_or(0, CachedChronicle::entries);
        let rows = if known < head.record.tail.entries || head.record.end.is_none() {
            viewer.log.rows(head.record.key, known + 1).await.map_err(unreadable)?
        } else {
            Vec::new()
        };
        let (cache, telling) = (self.clone(), viewer.clone());
        viewer
            .work(turn, move || {
                let cached = cached.map_or_else(|| begin(&telling, &head), Ok)?;
                let cached = cached.extended(rows).map_err(|why| telling.damaged(&head.record.name, &why))?;
                cache.put(cached.clone());
                Ok((head, cached))
            })
            .await
    }

    fn take(&self, head: &GameHead, sight: Sight) -> Option<CachedChronicle> {
        let chronicles = lock(&self.chronicles);
        let redacted = head.redacted.count();
        let is_of = |cached: &CachedChronicle| {
            *cached.name == *head.record.name && cached.sight == sight && cached.redacted == redacted
        };
        chronicles.iter().find(|cached| is_of(cached)).cloned()
    }

    fn put(&self, cached: CachedChronicle) {
        let mut chronicles = lock(&self.chronicles);
        // When the game is over, this also removes the chronicle with public facts only.
        chronicles.retain(|other| other.name != cached.name);
        chronicles.push(cached);
        while chronicles.len() > MOST
            || chronicles.len() > 1 && chronicles.iter().map(|cached| cached.bytes).sum::<usize>() > MOST_BYTES
        {
            chronicles.remove(0);
        }
    }
}

/// A chronicle without entries.
fn begin(viewer: &Viewer, head: &GameHead) -> Result<CachedChronicle, Refused> {
    let (sight, chronicle) = viewer.blank(head)?;
    let chronicle = Arc::new(RwLock::new(chronicle));
    let redacted = head.redacted.count();
    Ok(CachedChronicle { name: head.record.name.as_str().into(), sight, redacted, chronicle, bytes: 0 })
}
