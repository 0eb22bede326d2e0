//! Generates scenarios: small worlds in which every rule is soon used.

use std::fmt::Write as _;

use colony_rules::Edition;
use engine::JavaRandom;

/// The text of a scenario for this edition. The same number gives the same text.
pub fn scenario(edition: Edition, number: i64) -> String {
    let mut random = JavaRandom::new(number);
    let r = &mut random;
    // One world in eight is small and has many rounds, so that its stacks run out.
    let lasting = number % 8 == 0;
    let players = if lasting { 1 } else { 1 + r.next_below(4) };
    let places = if lasting { 1 } else { 1 + r.next_below(3) };
    let rounds = if lasting { 16 } else { 2 + r.next_below(5) };
    let moral = if lasting { 200 } else { 4 + r.next_below(30) };
    // Identifiers are far apart, and some are negative, so that no rule can rely on small or ordered numbers.
    let location = |at: i32| (at * 7919) % 101 - 50;
    let locations = places + 1; // the last one is the colony

    let mut cards = Vec::new();
    let mut stack = |r: &mut JavaRandom| {
        let count = players * 5 + r.next_below(4);
        let ids: Vec<String> = (0..count)
            .map(|_| {
                let id = 1000 + cards.len() as i32 * 3;
                cards.push(card(edition, id, location(r.next_below(locations)), r));
                id.to_string()
            })
            .collect();
        ids.join(",")
    };
    let mut text = format!("{{\"maxPlayers\":{players},\"locations\":[");
    for at in 0..places {
        let (entrances, spaces) = (1 + r.next_below(2), 1 + r.next_below(3));
        write!(
            text,
            r#"{{"identifier":{},"name":"Place {at}","entrances":{entrances},"survivorSpaces":{spaces},"cards":[{}]}},"#,
            location(at),
            stack(r)
        )
        .expect("writing to a string");
    }
    let entrances = 1 + r.next_below(3);
    write!(
        text,
        r#"{{"colony":{{"identifier":{},"entrances":{entrances},"startCards":[{}]}}}}],"#,
        location(places),
        stack(r)
    )
    .expect("writing to a string");

    let count = players * 2 + 2 + r.next_below(6);
    let characters: Vec<String> = (0..count)
        .map(|at| {
            let (attack, search) = (1 + r.next_below(6), 1 + r.next_below(6));
            let ability = ability(location(r.next_below(locations)), r);
            let status = (at * 37) % 101;
            format!(
                r#"{{"name":"Survivor {at}","identifier":{},"status":{status},"attack":{attack},"search":{search},"ability":{ability}}}"#,
                at * 5 - 20
            )
        })
        .collect();
    let crises: Vec<String> = (0..rounds + r.next_below(3))
        .map(|at| {
            let kind = pick(&["food", "stuff", "medicine", "fuel"], r);
            let (required, moral) = (1 + r.next_below(2), 1 + r.next_below(2));
            format!(r#"{{"{kind}":{{"identifier":{at},"requiredCards":{required},"moralChange":{moral}}}}}"#)
        })
        .collect();
    let aim = match if lasting { 3 } else { r.next_below(4) } {
        0 => format!(r#""barricades":{}"#, 1 + r.next_below(6)),
        1 => format!(r#""locationWithZombies":{}"#, r.next_below(2)),
        _ => r#""survive":true"#.into(),
    };
    write!(
        text,
        r#""characters":[{}],"crises":[{}],"cards":[{}],"goal":{{"rounds":{rounds},"moral":{moral},"zombiesColony":{},"zombiesLocations":{},"childrenInColony":{},{aim}}}"#,
        characters.join(","),
        crises.join(","),
        cards.join(","),
        r.next_below(entrances * 3 + 1),
        r.next_below(4),
        r.next_below(5),
    )
    .expect("writing to a string");
    if edition == Edition::Fate {
        let fates: Vec<String> = (0..players * rounds)
            .map(|at| {
                let place = location(r.next_below(locations));
                fate(at, place, r)
            })
            .collect();
        write!(text, r#","crossroads":[{}]"#, fates.join(",")).expect("writing to a string");
    }
    text.push('}');
    text
}

fn card(edition: Edition, id: i32, location: i32, r: &mut JavaRandom) -> String {
    let plain = ["food", "fuel", "stuff", "medicine", "lock", "scissors"];
    let equipment = ["hammer", "colt", "snow_boots", "swab", "blueprint"];
    // In the group edition, equipment can only be given away, so there is less of it.
    let odds = if edition == Edition::Group { 5 } else { 3 };
    let kind = if r.next_below(odds) == 0 { pick(&equipment, r) } else { pick(&plain, r) };
    match kind {
        "food" => format!(r#"{{"food":{{"identifier":{id},"amount":{}}}}}"#, amount(3, r)),
        "blueprint" => format!(r#"{{"blueprint":{{"identifier":{id},"location":{location}}}}}"#),
        _ => format!(r#"{{"{kind}":{{"identifier":{id}}}}}"#),
    }
}

fn ability(location: i32, r: &mut JavaRandom) -> String {
    let times = 1 + r.next_below(2);
    match r.next_below(8) {
        0 => {
            let injuries = ["wound", "frostBite", "bite"];
            format!(r#"{{"wound":{{"before":"{}","after":"{}"}}}}"#, pick(&injuries, r), pick(&injuries, r))
        }
        1 => r#"{"no_infection":{}}"#.into(),
        2 => format!(r#"{{"search":{{"location":{location},"numCards":{},"maxActivations":{times}}}}}"#, amount(3, r)),
        3 => format!(r#"{{"trash":{{"numCards":{}}}}}"#, amount(6, r)),
        4 => r#"{"heal":{}}"#.into(),
        5 => format!(r#"{{"feed":{{"numFood":{}}}}}"#, amount(4, r)),
        6 => format!(r#"{{"barricade":{{"numBarricades":{},"maxActivations":{times}}}}}"#, amount(3, r)),
        _ => format!(
            r#"{{"kill":{{"locationId":{location},"dieValue":{},"numZombies":{},"maxActivations":{times},"infectionDie":{},"children":{}}}}}"#,
            1 + r.next_below(6),
            amount(3, r),
            r.next_boolean(),
            r.next_boolean()
        ),
    }
}

fn fate(id: i32, place: i32, r: &mut JavaRandom) -> String {
    let at = if r.next_boolean() { format!(r#""locationId":{place},"#) } else { String::new() };
    let consequence = consequence(place, 0, r);
    match r.next_below(5) {
        0 => format!(r#"{{"barricaded":{{"identifier":{id},{at}"consequence":{consequence}}}}}"#),
        1 => format!(r#"{{"moved":{{"identifier":{id},{at}"consequence":{consequence}}}}}"#),
        2 => format!(r#"{{"searched":{{"identifier":{id},{at}"consequence":{consequence}}}}}"#),
        3 => format!(
            r#"{{"wasteChanged":{{"identifier":{id},"amount":{},"consequence":{consequence}}}}}"#,
            r.next_below(5) - 2
        ),
        _ => format!(r#"{{"equip":{{"identifier":{id},"consequence":{consequence}}}}}"#),
    }
}

fn consequence(place: i32, depth: i32, r: &mut JavaRandom) -> String {
    match r.next_below(if depth < 2 { 6 } else { 4 }) {
        0 => format!(r#"{{"changeFood":{{"amount":{}}}}}"#, change(r)),
        1 => format!(r#"{{"changeMoral":{{"amount":{}}}}}"#, change(r)),
        2 => {
            format!(r#"{{"spawnSurvivors":{{"amount":{},"children":{}}}}}"#, 1 + r.next_below(3), r.next_boolean())
        }
        3 if r.next_boolean() => format!(r#"{{"spawnZombies":{{"amount":{}}}}}"#, 1 + r.next_below(4)),
        3 => format!(r#"{{"spawnZombies":{{"amount":{},"locationId":{place}}}}}"#, 1 + r.next_below(7)),
        _ => {
            let (first, second) = (consequence(place, depth + 1, r), consequence(place, depth + 1, r));
            format!(r#"{{"choice":{{"consequence1":{first},"consequence2":{second}}}}}"#)
        }
    }
}

/// A number from 1 to `most`, and sometimes the largest possible number.
fn amount(most: i32, r: &mut JavaRandom) -> i32 {
    if r.next_below(40) == 0 { i32::MAX } else { 1 + r.next_below(most) }
}

/// A small change, and sometimes the largest or smallest possible number.
fn change(r: &mut JavaRandom) -> i32 {
    match r.next_below(60) {
        0 => i32::MAX,
        1 => i32::MIN,
        _ => r.next_below(7) - 3,
    }
}

fn pick<T: Copy>(list: &[T], r: &mut JavaRandom) -> T {
    list[r.next_below(list.len() as i32) as usize]
}
