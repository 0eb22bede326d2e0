//! Reads `crossroads`: the fate cards with their triggers and consequences.

use alloc::vec::Vec;
use core::ops::RangeInclusive;

use super::{
    Consequence, Fate, Trigger,
    findings::{ANY, Claims, Findings},
    json::Json,
    locations::Locations,
};
use crate::ids::{ConsequenceIx, FateId, LocationIx};

/// The fields of a fate card besides its identifier and consequence.
#[derive(Clone, Copy)]
enum Body {
    /// An optional location.
    Location(fn(Option<LocationIx>) -> Trigger),
    Amount,
    Nothing,
}

const TRIGGERS: [(&str, Body); 5] = [
    ("barricaded", Body::Location(Trigger::Barricaded)),
    ("moved", Body::Location(Trigger::Moved)),
    ("searched", Body::Location(Trigger::Searched)),
    ("wasteChanged", Body::Amount),
    ("equip", Body::Nothing),
];

/// Our own limit: a small file must not create a huge game.
const SPAWNED: RangeInclusive<i32> = 1..=100;

/// Reads the fate cards and all their consequences. The fate cards are `None` if there is no list, or if one of them is faulty.
pub(super) fn read<'a>(
    findings: &mut Findings<'a>,
    locations: &Locations<'a>,
    node: Option<&'a Json>,
) -> (Option<Vec<Fate>>, Vec<Consequence>) {
    let mut reader = Reader { findings, locations, consequences: Vec::new() };
    let fates = reader.fates(node);
    (fates, reader.consequences)
}

struct Reader<'r, 'a> {
    findings: &'r mut Findings<'a>,
    locations: &'r Locations<'a>,
    consequences: Vec<Consequence>,
}

/// Reads the body of a consequence.
type Read<'r, 'a> = fn(&mut Reader<'r, 'a>, &'a Json) -> Option<Consequence>;

impl<'r, 'a> Reader<'r, 'a> {
    const CONSEQUENCES: [(&'static str, Read<'r, 'a>); 5] = [
        ("changeFood", Self::change_food),
        ("changeMoral", Self::change_moral),
        ("spawnSurvivors", Self::spawn_survivors),
        ("spawnZombies", Self::spawn_zombies),
        ("choice", Self::choice),
    ];

    fn fates(&mut self, node: Option<&'a Json>) -> Option<Vec<Fate>> {
        let mut ids = Claims::new("fate card identifier");
        let mut fates = Vec::new();
        for owner in self.findings.list(node)? {
            let mut fate = None;
            for (body, node) in self.findings.variants(owner, &TRIGGERS) {
                fate = self.fate(&mut ids, owner, body, node);
            }
            fates.push(fate);
        }
        fates.into_iter().collect()
    }

    fn fate(&mut self, ids: &mut Claims<'a>, owner: &'a Json, body: Body, node: &'a Json) -> Option<Fate> {
        let (required, optional): (&[&str], &[&str]) = match body {
            Body::Location(_) => (&["identifier", "consequence"], &["locationId"]),
            Body::Amount => (&["identifier", "amount", "consequence"], &[]),
            Body::Nothing => (&["identifier", "consequence"], &[]),
        };
        let object = self.findings.object(Some(node), required, optional);
        let id = self.findings.number(object.get("identifier"), ANY);
        if let Some(id) = id {
            ids.claim(self.findings, id, owner);
        }
        let consequence = self.consequence(object.get("consequence"));
        let trigger = match body {
            Body::Location(trigger) => {
                self.locations.resolve_if_given(self.findings, object.get("locationId")).map(trigger)
            }
            Body::Amount => self.findings.amount(object.get("amount"), ANY).map(Trigger::WasteChanged),
            Body::Nothing => Some(Trigger::Equip),
        };
        Some(Fate { id: FateId(id?.value), trigger: trigger?, consequence: consequence? })
    }

    /// Recurses into choices. The limit on the depth of the text bounds the recursion.
    fn consequence(&mut self, node: Option<&'a Json>) -> Option<ConsequenceIx> {
        let mut index = None;
        for (read, body) in self.findings.variants(node?, &Self::CONSEQUENCES) {
            if let Some(consequence) = read(self, body) {
                index = Some(ConsequenceIx::from(self.consequences.len()));
                self.consequences.push(consequence);
            }
        }
        index
    }

    fn change_food(&mut self, node: &'a Json) -> Option<Consequence> {
        let body = self.findings.object(Some(node), &["amount"], &[]);
        self.findings.amount(body.get("amount"), ANY).map(Consequence::ChangeFood)
    }

    fn change_moral(&mut self, node: &'a Json) -> Option<Consequence> {
        let body = self.findings.object(Some(node), &["amount"], &[]);
        self.findings.amount(body.get("amount"), ANY).map(Consequence::ChangeMoral)
    }

    fn spawn_survivors(&mut self, node: &'a Json) -> Option<Consequence> {
        let body = self.findings.object(Some(node), &["amount"], &["children"]);
        let amount = self.findings.count(body.get("amount"), SPAWNED);
        let children = self.findings.flag(body.get("children"));
        Some(Consequence::SpawnSurvivors { amount: amount?, children: children? })
    }

    fn spawn_zombies(&mut self, node: &'a Json) -> Option<Consequence> {
        let body = self.findings.object(Some(node), &["amount"], &["locationId"]);
        let amount = self.findings.count(body.get("amount"), SPAWNED);
        let location = self.locations.resolve_if_given(self.findings, body.get("locationId"));
        Some(Consequence::SpawnZombies { amount: amount?, location: location? })
    }

    fn choice(&mut self, node: &'a Json) -> Option<Consequence> {
        let body = self.findings.object(Some(node), &["consequence1", "consequence2"], &[]);
        let first = self.consequence(body.get("consequence1"));
        let second = self.consequence(body.get("consequence2"));
        Some(Consequence::Choice { first: first?, second: second? })
    }
}
