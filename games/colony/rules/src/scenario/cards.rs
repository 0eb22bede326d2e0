//! Reads the top-level `cards`.

use alloc::{collections::BTreeMap, vec::Vec};

use super::{
    Card, CardKind,
    findings::{ANY, AT_LEAST_1, Claims, Findings},
    json::Json,
    locations::Locations,
};
use crate::ids::CardId;

/// What the body of a card has beside its identifier.
#[derive(Clone, Copy)]
enum Body {
    Amount,
    Location,
    Nothing(CardKind),
}

const KINDS: [(&str, Body); 11] = [
    ("food", Body::Amount),
    ("fuel", Body::Nothing(CardKind::Fuel)),
    ("stuff", Body::Nothing(CardKind::Stuff)),
    ("medicine", Body::Nothing(CardKind::Medicine)),
    ("lock", Body::Nothing(CardKind::Lock)),
    ("scissors", Body::Nothing(CardKind::Scissors)),
    ("hammer", Body::Nothing(CardKind::Hammer)),
    ("colt", Body::Nothing(CardKind::Colt)),
    ("snow_boots", Body::Nothing(CardKind::SnowBoots)),
    ("swab", Body::Nothing(CardKind::Swab)),
    ("blueprint", Body::Location),
];

/// The cards as far as they could be read. Plain numbers here: a faulty list may be longer than an index can count.
pub(super) struct Cards {
    /// In the order of the file; `None` when there is no list of them.
    entries: Option<Vec<Option<(CardId, CardKind)>>>,
    by_id: BTreeMap<i32, usize>,
    /// For every card the place in the file of the location that holds it.
    pub(super) homes: Vec<Option<usize>>,
}

impl Cards {
    pub(super) fn read<'a>(findings: &mut Findings<'a>, locations: &Locations<'a>, node: Option<&'a Json>) -> Self {
        let Some(list) = findings.list(node) else {
            return Self { entries: None, by_id: BTreeMap::new(), homes: Vec::new() };
        };
        let mut claims = Claims::new("card identifier");
        let mut by_id = BTreeMap::new();
        let mut entries = Vec::with_capacity(list.len());
        for (index, owner) in list.iter().enumerate() {
            let mut card = None;
            for (body, node) in findings.variants(owner, &KINDS) {
                let (id, kind) = read_kind(findings, locations, body, node);
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

    /// The card with the identifier that stands at `node`.
    pub(super) fn resolve<'a>(&self, findings: &mut Findings<'a>, node: &'a Json) -> Option<usize> {
        let number = findings.number(Some(node), ANY)?;
        let card = self.by_id.get(&number.value).copied();
        // Without a list nothing can be known, and its absence has been found already.
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

/// Where the identifier stands, and the kind if it could be read.
fn read_kind<'a>(
    findings: &mut Findings<'a>,
    locations: &Locations<'a>,
    body: Body,
    node: &'a Json,
) -> (Option<&'a Json>, Option<CardKind>) {
    let required: &[&str] = match body {
        Body::Amount => &["identifier", "amount"],
        Body::Location => &["identifier", "location"],
        Body::Nothing(_) => &["identifier"],
    };
    let object = findings.object(Some(node), required, &[]);
    let kind = match body {
        Body::Amount => findings.amount(object.get("amount"), AT_LEAST_1).map(|amount| CardKind::Food { amount }),
        Body::Location => {
            locations.resolve(findings, object.get("location")).map(|location| CardKind::Blueprint { location })
        }
        Body::Nothing(kind) => Some(kind),
    };
    (object.get("identifier"), kind)
}
