//! A store without a disk.

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    future::ready,
    sync::Mutex,
};

use commlib::{Channel, ChatLine};

use super::{DocumentChange, HostStore, NewChatLine};
use crate::{log::Reading, sync::lock};

/// Keeps everything in memory, for a host whose games are in memory.
#[derive(Debug, Default)]
pub struct MemoryHostStore {
    chats: Mutex<HashMap<String, VecDeque<ChatLine>>>,
    accesses: Mutex<BTreeMap<String, (bool, String)>>,
    documents: Mutex<BTreeMap<(&'static str, String), String>>,
}

impl HostStore for MemoryHostStore {
    fn add_chat<'a>(&'a self, game: &'a str, line: NewChatLine, keep: u32) -> Reading<'a, u64> {
        let mut chats = lock(&self.chats);
        let chat = chats.entry(game.to_owned()).or_default();
        let number = chat.back().map_or(0, |last| last.number) + 1;
        chat.push_back(line.numbered(number));
        while chat.len() > keep.max(1) as usize {
            chat.pop_front();
        }
        Box::pin(ready(Ok(number)))
    }

    fn chat<'a>(&'a self, game: &'a str, channel: Option<Channel>, most: u32) -> Reading<'a, Vec<ChatLine>> {
        let chats = lock(&self.chats);
        let is_wanted = |line: &&ChatLine| channel.is_none_or(|channel| line.channel == channel);
        let wanted = chats.get(game).into_iter().flatten().rev().filter(is_wanted).take(most as usize);
        let mut lines: Vec<ChatLine> = wanted.cloned().collect();
        lines.reverse();
        Box::pin(ready(Ok(lines)))
    }

    fn access<'a>(&'a self, game: &'a str) -> Reading<'a, Option<String>> {
        Box::pin(ready(Ok(lock(&self.accesses).get(game).map(|(_, rules)| rules.clone()))))
    }

    fn set_access<'a>(&'a self, game: &'a str, hidden: bool, rules: String) -> Reading<'a, ()> {
        lock(&self.accesses).insert(game.to_owned(), (hidden, rules));
        Box::pin(ready(Ok(())))
    }

    fn replace_chat<'a>(&'a self, game: &'a str, lines: Vec<(u64, String, String)>) -> Reading<'a, ()> {
        let mut chats = lock(&self.chats);
        for (number, by, text) in lines {
            let line = chats.get_mut(game).and_then(|chat| chat.iter_mut().find(|line| line.number == number));
            line.into_iter().for_each(|line| (line.by, line.text) = (by.clone(), text.clone()));
        }
        Box::pin(ready(Ok(())))
    }

    fn forget<'a>(&'a self, game: &'a str) -> Reading<'a, ()> {
        lock(&self.chats).remove(game);
        lock(&self.accesses).remove(game);
        Box::pin(ready(Ok(())))
    }

    fn hidden(&self) -> Reading<'_, Vec<String>> {
        let accesses = lock(&self.accesses);
        let hidden = accesses.iter().filter(|(_, (hidden, _))| *hidden).map(|(game, _)| game.clone()).collect();
        Box::pin(ready(Ok(hidden)))
    }

    fn replace_line<'a>(&'a self, game: &'a str, number: u64, text: &'a str) -> Reading<'a, bool> {
        let mut chats = lock(&self.chats);
        let line = chats.get_mut(game).into_iter().flatten().find(|line| line.number == number);
        let is_there = line.map(|line| text.clone_into(&mut line.text)).is_some();
        Box::pin(ready(Ok(is_there)))
    }

    fn document<'a>(&'a self, kind: &'static str, key: &'a str) -> Reading<'a, Option<String>> {
        Box::pin(ready(Ok(lock(&self.documents).get(&(kind, key.to_owned())).cloned())))
    }

    fn documents<'a>(
        &'a self,
        kind: &'static str,
        prefix: &'a str,
        after: &'a str,
        most: u32,
    ) -> Reading<'a, Vec<(String, String)>> {
        let documents = lock(&self.documents);
        let found = documents
            .range((kind, prefix.to_owned())..)
            .take_while(|((other, key), _)| *other == kind && key.starts_with(prefix))
            .filter(|((_, key), _)| key.as_str() > after)
            .take(most as usize)
            .map(|((_, key), text)| (key.clone(), text.clone()));
        Box::pin(ready(Ok(found.collect())))
    }

    fn change_documents(&self, changes: Vec<DocumentChange>) -> Reading<'_, bool> {
        let mut documents = lock(&self.documents);
        let is_expected =
            |change: &DocumentChange| documents.get(&(change.kind, change.key.clone())) == change.before.as_ref();
        let is_done = changes.iter().all(is_expected);
        if is_done {
            for DocumentChange { kind, key, after, .. } in changes {
                match after {
                    Some(text) => drop(documents.insert((kind, key), text)),
                    None => drop(documents.remove(&(kind, key))),
                }
            }
        }
        Box::pin(ready(Ok(is_done)))
    }
}
