//! Random games over the session of the pages: what is offered is accepted, and what is not possible is refused for the reason that the
//! offer gave.

use std::collections::BTreeMap;

use serde_json::json;

use crate::{driver::Browser, show, site::Site};

/// The games of an ordinary run; `HOLDFAST_LONG` plays a hundred.
const FEW: i64 = 4;
const MANY: i64 = 100;

/// The editions, each with a scenario that has few rounds.
fn scenarios() -> [(&'static str, String); 3] {
    let short = |name| colony::scenario(name).expect("it is built in").replace("\"rounds\": 10", "\"rounds\": 3");
    [("group", short("first-night")), ("equipment", short("first-night")), ("fate", short("crossroads"))]
}

/// Plays a game with two players in the browser. Every second time it first tries something that is not possible.
const PLAY: &str = "
    const [game, seed] = arguments;
    const { Session } = await import('/web/session.js');
    const { joining, leaves } = await import('/web/offers.js');
    let luck = seed * 7919 + 1;
    const any = (all) => all[(luck = (luck * 48271) % 2147483647) % all.length];
    const [wrong, reasons] = [[], []];
    let [taken, refused, over] = [0, 0, false];
    const player = () => {
        const one = { events: [], session: null };
        return new Promise((resolve) => {
            one.session = new Session({
                welcome: () => resolve(one),
                event: (event, text) => one.events.push([event, text]),
                refused: (why) => wrong.push(['refused', why]),
                closing: ({ reason }) => { over = over || reason === 'game_over'; },
                connected: () => {},
            });
            one.session.open({ join: {} }, game);
        });
    };
    const players = [await player(), await player()];
    for (const [at, one] of players.entries()) {
        one.session.command(joining(await one.session.offers(), ['Ana', 'Bo'][at]));
        await one.session.offers();
    }
    const failure = ([event]) => event === 'CommandFailed' || event?.CommandFailed !== undefined || event?.[0] === 'CommandFailed';
    for (let turns = 0; !over && turns < 1500; turns += 1) {
        for (const one of players) {
            const offers = await one.session.offers().catch(() => null);
            if (!offers || over) continue;
            const all = [...leaves(offers)].filter((offer) => !offer.uncertain && !offer.arguments);
            // No player leaves the game; one of the players begins it.
            const begins = all.filter((offer) => offer.aside && !offer.impossible && offer.command.StartGame);
            const no = all.filter((offer) => offer.impossible);
            const yes = begins.length > 0 && one === players[0] ? begins : all.filter((offer) => !offer.impossible && !offer.aside);
            const end = yes.filter((offer) => offer.command.EndTurn);
            for (const offer of no.length > 0 && turns % 2 === 0 ? [any(no)] : []) {
                one.events.length = 0;
                one.session.command(offer.command);
                const same = JSON.stringify({ ...(await one.session.offers().catch(() => null)), table: null });
                const failed = one.events.filter(failure);
                const fact = Object.keys(failed[0]?.[0].CommandFailed?.refusal ?? {})[0] ?? failed[0]?.[0].CommandFailed?.refusal;
                if (failed.length !== 1 || !fact) wrong.push(['is not refused', offer, [...one.events]]);
                if (same !== JSON.stringify({ ...offers, table: null })) wrong.push(['refused, but changes the offers', offer]);
                reasons.push([offer.impossible, fact]);
                refused += 1;
            }
            if (yes.length === 0) continue;
            const offer = end.length > 0 && turns % 3 === 0 ? end[0] : any(yes);
            one.events.length = 0;
            one.session.command(offer.command);
            await one.session.offers().catch(() => null);
            if (one.events.some(failure)) wrong.push(['refuses an offer', offer, [...one.events]]);
            taken += 1;
        }
        if (wrong.length > 5) break;
    }
    players.forEach((one) => one.session.close());
    return { wrong, reasons, taken, refused, over };";

#[test]
fn offers_are_kept() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::host_with(&["--messages-per-second", "1000000"]);
    let games = if std::env::var_os("HOLDFAST_LONG").is_some() { MANY } else { FEW };
    browser.open(&site.url("/open"));
    let (mut taken, mut refused) = (0, 0);
    // The words of an offer, and the fact of the refusal: the same words always stand for the same fact.
    let mut facts: BTreeMap<String, String> = BTreeMap::new();
    for seed in 0..games {
        let (edition, scenario) = &scenarios()[seed as usize % 3];
        let create = json!({"rulebook": "colony", "scenario": scenario, "edition": edition, "seed": seed});
        let game = site.post("/api/v1/games", &create);
        let found = browser.promise(PLAY, json!([game["game"], seed]));
        assert_eq!(found["wrong"], json!([]), "game {seed} of {edition}: {found:#}");
        assert_eq!(found["over"], json!(true), "game {seed} of {edition} does not end: {found}");
        for reason in found["reasons"].as_array().into_iter().flatten() {
            let [words, fact] = [&reason[0], &reason[1]].map(|text| text.as_str().unwrap_or_default().to_owned());
            assert!(words.ends_with('.'), "{words}");
            let known = facts.entry(words.clone()).or_insert_with(|| fact.clone());
            assert_eq!(*known, fact, "{words}");
        }
        taken += found["taken"].as_u64().expect("a number");
        refused += found["refused"].as_u64().expect("a number");
    }
    assert!(refused > 0);
    show(&format!("offers: {games} games, {taken} offers accepted, {refused} refused as they said"));
    browser.is_quiet();
}
