//! Reads a scenario from its text, or finds everything that is wrong with it.

use alloc::{borrow::ToOwned, collections::BTreeSet, format, string::String, vec::Vec};

use super::{
    Scenario,
    cards::Cards,
    characters, fates,
    findings::{AT_LEAST_1, Finding, Findings},
    goal,
    json::{self, Json, Value},
    locations::Locations,
    problem::{Problem, ProblemKind, outline, spell},
};

/// In bytes. Long enough for thousands of cards, and short enough that no file can keep anybody busy.
pub const LONGEST_TEXT: usize = 256 * 1024;

const KEYS: [&str; 6] = ["maxPlayers", "cards", "characters", "crises", "goal", "locations"];

/// The scenario that a text describes, or all its problems in the order of the text.
pub fn read(text: &str) -> Result<Scenario, Vec<Problem>> {
    Reading::of(text).finish()
}

/// A text that has been read: its tree, and what was found, to which others may add.
#[derive(Debug)]
pub struct Reading {
    json: Option<Json>,
    scenario: Option<Scenario>,
    findings: Vec<Finding>,
}

impl Reading {
    pub fn of(text: &str) -> Self {
        if text.len() > LONGEST_TEXT {
            let message = format!("a scenario has at most {LONGEST_TEXT} bytes");
            return Self::refused(0, format!("{} bytes", text.len()), message);
        }
        match json::parse(text) {
            Ok(parsed) => {
                let mut findings = Findings::new(&parsed.root);
                for duplicate in &parsed.duplicates {
                    findings.duplicate(duplicate);
                }
                let scenario = read_root(&mut findings, &parsed.root);
                let findings = findings.into_found();
                Self { json: Some(parsed.root), scenario, findings }
            }
            Err(error) => {
                let found = text[error.at..].chars().next();
                let found = found.map_or("end of text".to_owned(), |found| spell(found.encode_utf8(&mut [0; 4])));
                let (line, column) = json::line_and_column(text, error.at);
                Self::refused(error.at, found, format!("line {line}, column {column}: {}", error.message))
            }
        }
    }

    fn refused(at: usize, value: String, message: String) -> Self {
        let problem = Problem { kind: ProblemKind::Text, path: "$".to_owned(), value, message };
        Self { json: None, scenario: None, findings: [Finding { at, problem }].into() }
    }

    /// The tree, if the text is JSON.
    pub fn json(&self) -> Option<&Json> {
        self.json.as_ref()
    }

    /// Adds faults of shape that somebody else found, each at the value that begins there. A value of which a fault of
    /// shape is known already is passed over: our own messages say what stands there and what would do.
    pub fn add_shapes(&mut self, faults: impl IntoIterator<Item = (usize, String)>) {
        let Some(json) = &self.json else { return };
        let is_shape = |finding: &&Finding| finding.problem.kind == ProblemKind::Shape;
        let known: BTreeSet<usize> = self.findings.iter().filter(is_shape).map(|finding| finding.at).collect();
        for (at, message) in faults.into_iter().filter(|(at, _)| !known.contains(at)) {
            let (path, value) = json.locate(at);
            let problem = Problem { kind: ProblemKind::Shape, path, value: outline(value), message };
            self.findings.push(Finding { at, problem });
        }
    }

    /// The scenario, or all problems in the order of the text.
    pub fn finish(mut self) -> Result<Scenario, Vec<Problem>> {
        if self.findings.is_empty() {
            return Ok(self.scenario.expect("where nothing is wrong everything was read"));
        }
        self.findings.sort_by_key(|finding| finding.at);
        Err(self.findings.into_iter().map(|finding| finding.problem).collect())
    }
}

/// Locations first, because everything refers to them; the problems are put in order at the end.
fn read_root<'a>(findings: &mut Findings<'a>, root: &'a Json) -> Option<Scenario> {
    let object = findings.object(Some(root), &KEYS, &["crossroads"]);
    let max_players = findings.amount(object.get("maxPlayers"), AT_LEAST_1);
    let locations = Locations::read(findings, object.get("locations"));
    let mut cards = Cards::read(findings, &locations, object.get("cards"));
    let stacks = locations.deal(findings, &mut cards);
    let characters = characters::read(findings, &locations, object.get("characters"));
    let crises = goal::read_crises(findings, object.get("crises"));
    let (goal, rounds) = goal::read(findings, &locations, object.get("goal"));
    let (fates, consequences) = fates::read(findings, &locations, object.get("crossroads"));

    let mut count = |node: Option<&Json>, needed: i64, what: &str| {
        let Some(Json { value: Value::List(entries), .. }) = node else { return };
        let given = entries.len();
        if i64::try_from(given).is_ok_and(|given| given < needed)
            && let Some(node) = node
        {
            findings.rule(node, format!("at least {needed} {what}, here are {given}"));
        }
    };
    if let Some(players) = max_players.map(i64::from) {
        let for_players = format!("for {players} players");
        count(object.get("characters"), 2 * players + 2, &format!("characters are needed {for_players}"));
        for entry in locations.entries() {
            let what = if entry.is_colony { "start cards are needed" } else { "cards are needed at a location" };
            count(entry.stack.map(|(node, _)| node), 5 * players, &format!("{what} {for_players}"));
        }
    }
    if let Some(rounds) = rounds.map(i64::from) {
        count(object.get("crises"), rounds, &format!("crises are needed for {rounds} rounds"));
        if let Some(players) = max_players.map(i64::from) {
            let what = format!("fate cards are needed for {players} players and {rounds} rounds");
            count(object.get("crossroads"), players * rounds, &what);
        }
    }

    if !findings.is_empty() {
        return None;
    }
    Some(Scenario {
        max_players: max_players?.try_into().ok()?,
        colony: locations.colony()?,
        cards: cards.finish(&locations)?,
        characters: characters?,
        crises: crises?,
        goal: goal?,
        locations: locations.finish(stacks)?,
        fates,
        consequences,
    })
}
