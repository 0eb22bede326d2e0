//! Two games side by side.

use serde_json::{Value, json};

use super::playing::{PLAYERS, finished};
use crate::browser::axe;

/// The steps that the page shows.
fn steps(browser: &crate::driver::Browser) -> Vec<u64> {
    let shown = browser.shown("steps");
    shown.split(' ').map(|step| step.parse().expect("a number")).collect()
}

#[test]
fn a_fork_and_its_parent_part_at_the_fork() {
    let Some((browser, site, game)) = finished() else { return };
    let index = site.lines(&format!("/api/v1/games/{game}")).swap_remove(1);
    let entries = index["index"]["entries"].as_array().expect("a list");
    let shared: u64 = entries[..30].iter().filter_map(Value::as_u64).sum();
    let fork = site.post(&format!("/api/v1/games/{game}/fork"), &json!({"entry": 30}));
    let fork = fork["game"].as_str().expect("a name");

    browser.open(&site.url(&format!("/games/{fork}")));
    browser.until("document.body.dataset.ready === 'true'");
    browser.click("#facts a[href^='/compare']");
    browser.until("location.pathname === '/compare'");
    assert_eq!(steps(&browser), [shared, shared], "it opens where they part");
    assert_eq!(browser.text("#where"), format!("{fork} was forked after event {shared}, at command #30."));
    assert!(browser.text("#next li:last-child").ends_with("ends here"), "the fork waits for its players");
    let boards = "const of = (side) => [...document.querySelectorAll(`.side.${side} [data-at]`)].map((node) => `${node.dataset.at} ${node.dataset.is}`).join('\\n');
        return [of('A') === of('B'), of('A').length > 100]";
    assert_eq!(browser.script(boards, json!([])), json!([true, true]), "both show the same board");
    // The parent goes on, the fork stays.
    browser.click("#last");
    browser.until("document.body.dataset.moment !== document.body.dataset.parting");
    let end = steps(&browser);
    assert!(end[0] > shared && end[1] == shared, "{end:?}");
    assert_eq!(browser.script(boards, json!([])), json!([false, true]));
    browser.click("#part");
    browser.until("document.body.dataset.moment === document.body.dataset.parting");
    assert_eq!(steps(&browser), [shared, shared]);
    browser.is_quiet();
}

#[test]
fn any_two_games_are_compared_by_their_turns() {
    let (Some((browser, site, game)), axe) = (finished(), axe::script()) else { return };
    let other = site.play(&PLAYERS, 8);
    // Without the second game, the page asks for it.
    browser.open(&site.url(&format!("/compare?a={game}")));
    browser.until("document.querySelectorAll('#games option').length === 2");
    if let Some(axe) = &axe {
        axe::check(&browser, axe);
    }
    browser.type_into("#b", &other);
    browser.click("#choose button");
    browser.until("document.body.dataset.steps");
    let parted = steps(&browser);
    assert_eq!(parted[0], parted[1]);
    // The events of both games at the step before and after.
    let event = |game: &str, step: u64| {
        let lines = site.lines(&format!("/api/v1/games/{game}/chronicle?from={}&steps=1", step - 1));
        let mut events = lines.iter().flat_map(|line| line["entry"]["events"].as_array().into_iter().flatten());
        events.find(|event| event["step"] == json!(step)).map(|event| event["event"].clone())
    };
    assert_eq!(event(&game, parted[0]), event(&other, parted[0]));
    assert_ne!(event(&game, parted[0] + 1), event(&other, parted[0] + 1));
    assert_eq!(browser.text("#where"), format!("They are the same up to event {}.", parted[0]));

    // At every moment, both games have the same round while both are played.
    let rounds = |game: &str| {
        let index = site.lines(&format!("/api/v1/games/{game}")).swap_remove(1);
        let rounds = index["index"]["rounds"].as_array().expect("a list").clone();
        move |step: u64| rounds.iter().filter(|round| round[1].as_u64() <= Some(step)).count().min(rounds.len())
    };
    let (a, b) = (rounds(&game), rounds(&other));
    let (most_a, most_b) = (a(u64::MAX), b(u64::MAX));
    browser.click("#first");
    browser.until("document.body.dataset.moment === '0'");
    let mut moments = 0;
    loop {
        let at = steps(&browser);
        if a(at[0]) < most_a && b(at[1]) < most_b {
            assert_eq!(a(at[0]), b(at[1]), "{at:?}");
            moments += 1;
        }
        let before = browser.shown("moment");
        browser.script("document.activeElement.blur()", json!([]));
        browser.press(&[crate::driver::key::RIGHT]);
        if browser.script("return document.querySelector('#slider').max", json!([])).as_str() == Some(&*before) {
            break;
        }
        browser.until(&format!("document.body.dataset.moment > {before}"));
    }
    assert!(moments > 5, "{moments} moments");
    let last = |game: &str| site.lines(&format!("/api/v1/games/{game}")).swap_remove(1)["index"]["steps"].as_u64();
    assert_eq!(steps(&browser).into_iter().map(Some).collect::<Vec<_>>(), [last(&game), last(&other)]);
    // A line for each game in each plot.
    let lines = browser.script(
        "return [...document.querySelectorAll('.plot')].map((plot) => plot.querySelectorAll('.line').length)",
        json!([]),
    );
    assert!(lines.as_array().is_some_and(|plots| plots.len() == 7 && plots.iter().all(|lines| lines == 2)), "{lines}");
    browser.screenshot("compare-1400");
    if let Some(axe) = &axe {
        axe::check(&browser, axe);
    }
    browser.resize(390, 844);
    let wide = browser.script("return document.documentElement.scrollWidth", json!([]));
    assert!(wide.as_u64() <= Some(390), "{wide}");
    let stacked = "const [a, b] = [...document.querySelectorAll('.side')].map((side) => side.getBoundingClientRect()); return a.bottom <= b.top";
    assert_eq!(browser.script(stacked, json!([])), json!(true));
    browser.screenshot("compare-390");
    if let Some(axe) = &axe {
        axe::check(&browser, axe);
    }
    browser.is_quiet();
}

#[test]
fn a_game_that_is_not_there_is_said() {
    let Some((browser, site, game)) = finished() else { return };
    browser.open(&site.url(&format!("/compare?a={game}&b=nothere")));
    browser.until("!document.querySelector('#message').hidden");
    assert!(browser.text("#message").contains("no game nothere"), "{}", browser.text("#message"));
}
