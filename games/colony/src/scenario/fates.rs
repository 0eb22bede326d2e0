//! Reads `crossroads`: the fate cards with their triggers and consequences.

use alloc::vec::Vec;
use core::ops::RangeInclusive;

use super::{
    Consequence, Fate, Trigger,
    findings::{ANY, Claims, Findings},
    json::Json,
    locations::Locations,
};
use crate::ids::{ConsequenceIx, FateId};

const TRIGGERS: [&str; 5] = ["barricaded", "moved", "searched", "wasteChanged", "equip"];
const CONSEQUENCES: [&str; 5] = ["changeFood", "changeMoral", "spawnSurvivors", "spawnZombies", "choice"];

/// A limit of ours: a small file must not make a huge game.
const SPAWNED: RangeInclusive<i32> = 1..=100;

/// The fate cards, if there is a list of them and all could be read, and every consequence that could be.
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

impl<'a> Reader<'_, 'a> {
    fn fates(&mut self, node: Option<&'a Json>) -> Option<Vec<Fate>> {
        let mut ids = Claims::new("fate card identifier");
        let mut fates = Vec::new();
        for node in self.findings.list(node)? {
            let mut fate = None;
            for (key, body) in self.findings.variants(node, &TRIGGERS) {
                fate = self.fate(&mut ids, node, key, body);
            }
            fates.push(fate);
        }
        fates.into_iter().collect()
    }

    fn fate(&mut self, ids: &mut Claims<'a>, node: &'a Json, key: &str, body: &'a Json) -> Option<Fate> {
        let (required, optional): (&[&str], &[&str]) = match key {
            "wasteChanged" => (&["identifier", "amount", "consequence"], &[]),
            "equip" => (&["identifier", "consequence"], &[]),
            _ => (&["identifier", "consequence"], &["locationId"]),
        };
        let body = self.findings.object(Some(body), required, optional);
        let id = self.findings.number(body.get("identifier"), ANY);
        if let Some(id) = id {
            ids.claim(self.findings, id, node);
        }
        let consequence = self.consequence(body.get("consequence"));
        let mut location = || self.locations.resolve_if_given(self.findings, body.get("locationId"));
        let trigger = match key {
            "barricaded" => location().map(Trigger::Barricaded),
            "moved" => location().map(Trigger::Moved),
            "searched" => location().map(Trigger::Searched),
            "wasteChanged" => self.findings.amount(body.get("amount"), ANY).map(Trigger::WasteChanged),
            "equip" => Some(Trigger::Equip),
            _ => unreachable!("{key} is not in the list of triggers"),
        };
        Some(Fate { id: FateId(id?.value), trigger: trigger?, consequence: consequence? })
    }

    /// Goes down into choices; the depth that the text may have bounds it.
    fn consequence(&mut self, node: Option<&'a Json>) -> Option<ConsequenceIx> {
        let mut index = None;
        for (key, body) in self.findings.variants(node?, &CONSEQUENCES) {
            if let Some(consequence) = self.variant(key, body) {
                index = Some(ConsequenceIx::from(self.consequences.len()));
                self.consequences.push(consequence);
            }
        }
        index
    }

    fn variant(&mut self, key: &str, body: &'a Json) -> Option<Consequence> {
        let (required, optional): (&[&str], &[&str]) = match key {
            "spawnSurvivors" => (&["amount"], &["children"]),
            "spawnZombies" => (&["amount"], &["locationId"]),
            "choice" => (&["consequence1", "consequence2"], &[]),
            _ => (&["amount"], &[]),
        };
        let body = self.findings.object(Some(body), required, optional);
        match key {
            "changeFood" => self.findings.amount(body.get("amount"), ANY).map(Consequence::ChangeFood),
            "changeMoral" => self.findings.amount(body.get("amount"), ANY).map(Consequence::ChangeMoral),
            "spawnSurvivors" => {
                let amount = self.findings.count(body.get("amount"), SPAWNED);
                let children = self.findings.flag(body.get("children"));
                Some(Consequence::SpawnSurvivors { amount: amount?, children: children? })
            }
            "spawnZombies" => {
                let amount = self.findings.count(body.get("amount"), SPAWNED);
                let location = self.locations.resolve_if_given(self.findings, body.get("locationId"));
                Some(Consequence::SpawnZombies { amount: amount?, location: location? })
            }
            "choice" => {
                let first = self.consequence(body.get("consequence1"));
                let second = self.consequence(body.get("consequence2"));
                Some(Consequence::Choice { first: first?, second: second? })
            }
            _ => unreachable!("{key} is not in the list of consequences"),
        }
    }
}
