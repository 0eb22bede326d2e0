//! Reads `locations`, which everything else refers to, and builds the stacks.

use alloc::{boxed::Box, collections::BTreeMap, format, vec::Vec};
use core::ops::RangeInclusive;

use super::{
    Location,
    cards::Cards,
    findings::{ANY, AT_LEAST_1, Claims, Findings, Number},
    json::Json,
};
use crate::ids::{CardIx, LocationId, LocationIx};

/// Our own limit: a small file must not create a huge board.
const ENTRANCES: RangeInclusive<i32> = 1..=100;

const PLACE_KEYS: [&str; 5] = ["identifier", "name", "entrances", "survivorSpaces", "cards"];
const COLONY_KEYS: [&str; 3] = ["identifier", "entrances", "startCards"];

/// The locations that could be read.
pub(super) struct Locations<'a> {
    /// The locations in the order of the file; `None` if there is no list.
    entries: Option<Vec<Entry<'a>>>,
    /// The index of each location by its identifier. Indices ascend with identifiers.
    by_id: BTreeMap<i32, LocationIx>,
}

/// A location as it is read from the file.
pub(super) struct Entry<'a> {
    pub(super) node: &'a Json,
    pub(super) is_colony: bool,
    /// The identifier; `None` if it is faulty or if an earlier location has the same.
    id: Option<i32>,
    name: Option<Box<str>>,
    pub(super) entrances: Option<u16>,
    survivor_spaces: Option<u32>,
    pub(super) stack: Option<(&'a Json, &'a [Json])>,
}

impl<'a> Locations<'a> {
    pub(super) fn read(findings: &mut Findings<'a>, node: Option<&'a Json>) -> Self {
        let Some(list) = findings.list(node) else { return Self { entries: None, by_id: BTreeMap::new() } };
        let mut claims = Claims::new("location identifier");
        let mut entries = Vec::with_capacity(list.len());
        let mut colony: Option<&Json> = None;
        for node in list {
            let entry = Entry::read(findings, &mut claims, node);
            if entry.is_colony {
                match colony {
                    None => colony = Some(node),
                    Some(first) => {
                        let message = format!("there must be exactly one colony, and {} is one", findings.path(first));
                        findings.rule(node, message);
                    }
                }
            }
            entries.push(entry);
        }
        if let (None, Some(node)) = (colony, node) {
            findings.rule(node, "there must be exactly one colony, here is none");
        }
        let mut ids: Vec<i32> = entries.iter().filter_map(|entry| entry.id).collect();
        ids.sort_unstable();
        let by_id = ids.into_iter().enumerate().map(|(index, id)| (id, LocationIx::from(index))).collect();
        Self { entries: Some(entries), by_id }
    }

    pub(super) fn entries(&self) -> &[Entry<'a>] {
        self.entries.as_deref().unwrap_or_default()
    }

    /// The number of locations in the file, including faulty ones; `None` if there is no list.
    pub(super) fn count(&self) -> Option<usize> {
        self.entries.as_ref().map(Vec::len)
    }

    /// Finds the location whose identifier is the value of `node`.
    pub(super) fn resolve(&self, findings: &mut Findings<'a>, node: Option<&'a Json>) -> Option<LocationIx> {
        let Number { value, node } = findings.number(node, ANY)?;
        let location = self.by_id.get(&value).copied();
        // A missing list has been reported already.
        if location.is_none() && self.entries.is_some() {
            findings.rule(node, "no location has this identifier");
        }
        location
    }

    /// Like [`resolve`](Self::resolve), for an optional reference.
    pub(super) fn resolve_if_given(
        &self,
        findings: &mut Findings<'a>,
        node: Option<&'a Json>,
    ) -> Option<Option<LocationIx>> {
        match node {
            None => Some(None),
            Some(_) => self.resolve(findings, node).map(Some),
        }
    }

    /// Assigns each card to the location whose stack holds it. Returns the stack of each location, in the order of the file, as
    /// indices of cards.
    pub(super) fn deal(&self, findings: &mut Findings<'a>, cards: &mut Cards) -> Vec<Vec<usize>> {
        let mut stacks = Vec::with_capacity(self.entries().len());
        for (index, entry) in self.entries().iter().enumerate() {
            let mut stack = Vec::new();
            for node in entry.stack.map_or(&[][..], |(_, list)| list) {
                let Some(card) = cards.resolve(findings, node) else { continue };
                stack.push(card);
                match cards.homes[card] {
                    None => cards.homes[card] = Some(index),
                    Some(first) => findings.rule(node, self.dealt_already(findings, first, index)),
                }
            }
            stacks.push(stack);
        }
        stacks
    }

    fn dealt_already(&self, findings: &Findings<'a>, first: usize, now: usize) -> Box<str> {
        let entry = &self.entries()[first];
        match (first == now, entry.is_colony) {
            (true, _) => "the card is already in this stack".into(),
            (false, true) => "the card is already in the start cards".into(),
            (false, false) => format!("the card is already in the stack of {}", findings.path(entry.node)).into(),
        }
    }

    pub(super) fn colony(&self) -> Option<LocationIx> {
        self.index(self.entries().iter().find(|entry| entry.is_colony)?)
    }

    /// The index of the location at position `entry` in the file.
    pub(super) fn index_of(&self, entry: usize) -> Option<LocationIx> {
        self.index(self.entries().get(entry)?)
    }

    fn index(&self, entry: &Entry<'_>) -> Option<LocationIx> {
        self.by_id.get(&entry.id?).copied()
    }

    /// The locations by ascending identifier, if all could be read.
    pub(super) fn finish(&self, stacks: Vec<Vec<usize>>) -> Option<Vec<Location>> {
        let entries = self.entries.as_ref()?.iter();
        let mut locations: Vec<_> =
            entries.zip(stacks).map(|(entry, stack)| entry.finish(stack)).collect::<Option<_>>()?;
        locations.sort_unstable_by_key(|location| location.id);
        Some(locations)
    }
}

impl<'a> Entry<'a> {
    fn read(findings: &mut Findings<'a>, claims: &mut Claims<'a>, node: &'a Json) -> Self {
        let is_colony = node.member("colony").is_some();
        let (object, stack, name, survivor_spaces);
        if is_colony {
            let outer = findings.object(Some(node), &["colony"], &PLACE_KEYS);
            if PLACE_KEYS.iter().any(|key| outer.get(key).is_some()) {
                findings.shape(node, "beside `colony` no other key is allowed");
            }
            object = findings.object(outer.get("colony"), &COLONY_KEYS, &[]);
            stack = object.get("startCards");
            name = Some("colony");
            survivor_spaces = None;
        } else {
            object = findings.object(Some(node), &PLACE_KEYS, &[]);
            stack = object.get("cards");
            name = findings.text(object.get("name"));
            survivor_spaces = findings.count(object.get("survivorSpaces"), AT_LEAST_1);
        }
        let id = findings.number(object.get("identifier"), ANY);
        let entrances = findings.count(object.get("entrances"), ENTRANCES);
        Self {
            node,
            is_colony,
            id: id.filter(|id| claims.claim(findings, *id, node)).map(|id| id.value),
            name: name.map(Into::into),
            entrances: entrances.and_then(|entrances| u16::try_from(entrances).ok()),
            survivor_spaces,
            stack: stack.zip(findings.list(stack)),
        }
    }

    fn finish(&self, stack: Vec<usize>) -> Option<Location> {
        Some(Location {
            id: LocationId(self.id?),
            name: self.name.clone()?,
            entrances: self.entrances?,
            survivor_spaces: self.survivor_spaces,
            cards: stack.into_iter().map(CardIx::from).collect(),
        })
    }
}
