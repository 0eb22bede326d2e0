//! Reads the top-level `cards`.

use alloc::{collections::BTreeMap, vec::Vec};

use super::{
    Card, CardKind,
    findings::{ANY, AT_LEAST_1, Claims, Findings},
    json::Json,
    locations::Locations,
};
use crate::ids::CardId;

/// The cards that could be read. Indices are plain numbers here, because a faulty list may be too long for `CardIx`.
pub(super) struct Cards {
    /// The cards in the order of the file; `None` if there is no list.
    entries: Option<Vec<Option<(CardId, CardKind)>>>,
    by_id: BTreeMap<i32, usize>,
    /// For each card, the position in the file of the location that holds it.
    pub(super) homes: Vec<Option<usize>>,
}

impl Cards {
    pub(super) fn read<'a>(findings: &mut Findings<'a>, locations: &Locations<'a>, node: Option<&'a Json>) -> Self {
        let Some(list) = findings.list(node) else {
            return Self { entries: None, by_id: BTreeMap::new(), homes: Vec::new() };
        };
        let kinds = CardKind::ALL.map(|kind| (kind.key(), kind));
        let mut claims = Claims::new("card identifier");
        let mut by_id = BTreeMap::new();
        let mut entries = Vec::with_capacity(list.len());
        for (index, owner) in list.iter().enumerate() {
            let mut card = None;
            for (kind, node) in findings.variants(owner, &kinds) {
                let (id, kind) = read_kind(findings, locations, kind, node);
                let Some(id) = findings.number(id, ANY) else { continue };
                if claims.claim(findings, id, owner) {
                    by_id.insert(id.value, index);
                    card = kind.map(|kind| (CardId(id.value), kind));
                }
            }
            entries.push(card);
        }
        Self { entries: Some(entries), by_id, homes: alloc::vec![None; list.len()] }
    }

    /// Finds the card whose identifier is the value of `node`.
    pub(super) fn resolve<'a>(&self, findings: &mut Findings<'a>, node: &'a Json) -> Option<usize> {
        let number = findings.number(Some(node), ANY)?;
        let card = self.by_id.get(&number.value).copied();
        // A missing list has been reported already.
        if card.is_none() && self.entries.is_some() {
            findings.rule(node, "no card has this identifier");
        }
        card
    }

    pub(super) fn finish(self, locations: &Locations<'_>) -> Option<Vec<Card>> {
        let cards = self.entries?.into_iter().zip(self.homes).map(|(card, home)| {
            let (id, kind) = card?;
            Some(Card { id, kind, home: home.and_then(|entry| locations.index_of(entry)) })
        });
        cards.collect()
    }
}

/// Returns the node of the identifier, and the kind with its amount or location if it could be read.
fn read_kind<'a>(
    findings: &mut Findings<'a>,
    locations: &Locations<'a>,
    kind: CardKind,
    node: &'a Json,
) -> (Option<&'a Json>, Option<CardKind>) {
    if matches!(kind, CardKind::Food { .. }) {
        let object = findings.object(Some(node), &["identifier", "amount"], &[]);
        let amount = findings.amount(object.get("amount"), AT_LEAST_1);
        return (object.get("identifier"), amount.map(|amount| CardKind::Food { amount }));
    }
    if matches!(kind, CardKind::Blueprint { .. }) {
        let object = findings.object(Some(node), &["identifier", "location"], &[]);
        let location = locations.resolve(findings, object.get("location"));
        return (object.get("identifier"), location.map(|location| CardKind::Blueprint { location }));
    }
    let object = findings.object(Some(node), &["identifier"], &[]);
    (object.get("identifier"), Some(kind))
}
