//! A cache of the chronicles that were read last.

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

/// How many chronicles are kept at most.
const MOST: usize = 64;

/// How many bytes they may have together; the one that is looked at may have more.
const MOST_BYTES: usize = 256 << 20;

/// The chronicles that were looked at last.
#[derive(Default)]
pub(crate) struct ChronicleCache {
    /// The one that was looked at last is the last.
    chronicles: Mutex<Vec<CachedChronicle>>,
}

/// A chronicle, as far as it was read.
#[derive(Clone)]
pub(crate) struct CachedChronicle {
    name: Arc<str>,
    sight: Sight,
    pub(crate) chronicle: Arc<RwLock<Box<dyn Chronicle>>>,
    bytes: usize,
}

impl CachedChronicle {
    fn entries(&self) -> u64 {
        self.chronicle.read().unwrap_or_else(PoisonError::into_inner).entries()
    }

    /// Adds the entries after those that it has. The caller holds a turn, so no other task adds them at the same time.
    fn extended(mut self, rows: Vec<Row>) -> Result<Self, ReplayError> {
        let mut chronicle = self.chronicle.write().unwrap_or_else(PoisonError::into_inner);
        chronicle.extend(rows)?;
        self.bytes = chronicle.bytes();
        drop(chronicle);
        Ok(self)
    }
}

impl ChronicleCache {
    /// The chronicle of a game as strangers may see it, up to what is durable now.
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
        chronicles.iter().find(|cached| *cached.name == *head.record.name && cached.sight == sight).cloned()
    }

    fn put(&self, cached: CachedChronicle) {
        let mut chronicles = lock(&self.chronicles);
        // What was public while the game ran is of no more use when everything can be seen.
        chronicles.retain(|other| other.name != cached.name);
        chronicles.push(cached);
        while chronicles.len() > MOST
            || chronicles.len() > 1 && chronicles.iter().map(|cached| cached.bytes).sum::<usize>() > MOST_BYTES
        {
            chronicles.remove(0);
        }
    }
}

/// A chronicle without an entry.
fn begin(viewer: &Viewer, head: &GameHead) -> Result<CachedChronicle, Refused> {
    let (sight, chronicle) = viewer.blank(head)?;
    let chronicle = Arc::new(RwLock::new(chronicle));
    Ok(CachedChronicle { name: head.record.name.as_str().into(), sight, chronicle, bytes: 0 })
}
