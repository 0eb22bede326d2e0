//! Chronicles that somebody looked at lately, so that the next look is quick.

use std::sync::{Arc, Mutex, PoisonError, RwLock};

use commlib::{Reason, Refused};

use super::{
    Chronicle, Sight,
    viewer::{Viewer, unreadable},
};
use crate::{log::GameHead, sync::lock};

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

impl ChronicleCache {
    /// The chronicle of a game as strangers may see it, up to what is durable now. Reads the disk.
    pub(crate) fn open(&self, viewer: &Viewer, name: &str) -> Result<(GameHead, CachedChronicle), Refused> {
        let found = viewer.log.find(name).map_err(unreadable)?;
        let head = found.ok_or_else(|| Refused::new(Reason::UnknownGame, format!("There is no game {name}.")))?;
        let mut cached = self.take(&head, viewer.sight(&head.record)).map_or_else(|| begin(viewer, &head), Ok)?;
        {
            let mut chronicle = cached.chronicle.write().unwrap_or_else(PoisonError::into_inner);
            let known = chronicle.entries();
            if known < head.record.tail.entries || head.record.end.is_none() {
                let rows = viewer.log.read(head.record.key, known + 1).map_err(unreadable)?;
                chronicle.extend(rows).map_err(|why| viewer.damaged(name, &why))?;
            }
            cached.bytes = chronicle.bytes();
        }
        self.put(cached.clone());
        Ok((head, cached))
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
