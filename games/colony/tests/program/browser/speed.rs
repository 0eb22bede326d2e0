//! Prints timings. Nothing depends on them, because the machine may be busy. With `HOLDFAST_PROFILES=folder`, saves profiles that the
//! developer tools of Chromium open.

use std::{collections::BTreeMap, fs, path::Path};

use serde_json::{Value, json};

use super::{
    long,
    playing::{PLAYERS, driven_host, finished},
};
use crate::{browser::last, driver::Browser, show, site::Site};

/// Measures the time from the click on a link until the board can be used, as the page reports it.
#[test]
fn opening_a_finished_game() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::host();
    let game = site.play(&PLAYERS, 7);
    let watch = "new MutationObserver(() => {
            if (document.body?.dataset.ready === 'true') window.usable ??= performance.now();
        }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-ready'] })";
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", json!({"source": watch}));
    let mut times = Vec::new();
    for _ in 0..9 {
        browser.open("about:blank");
        browser.open(&site.url(&format!("/games/{game}?step=100")));
        browser.shows(100);
        times.push(browser.script("return window.usable", json!([])).as_f64().expect("a time"));
    }
    let steps = last(&browser);
    let first = times[0];
    times.sort_by(f64::total_cmp);
    show(&format!(
        "speed: a finished game of {steps} steps is usable after {:.0} ms (median of {}; the first time {first:.0} ms)",
        times[times.len() / 2],
        times.len()
    ));
}

#[test]
fn scrubbing() {
    let Some((browser, _site, _)) = finished() else { return };
    scrub(&browser);
}

/// Opens a game that is too long to load as a whole.
#[test]
fn scrubbing_a_long_game() {
    let Some(browser) = Browser::start() else { return };
    let mut steps = 0;
    let site = Site::host_of(|log| steps = long::write(log, "long"));
    assert!(steps > 100_000, "{steps} steps");
    browser.open(&site.url("/games/long?step=0"));
    browser.shows(0);
    assert_eq!(last(&browser), steps);
    scrub(&browser);
    // Every opened step equals the host's picture of it.
    for step in [steps, 1, 54_321, steps - 1, 99_999] {
        browser.script(
            "const slider = document.querySelector('#slider'); slider.value = arguments[0];
            slider.dispatchEvent(new Event('input', { bubbles: true }))",
            json!([step]),
        );
        browser.shows(step);
        let told = site.lines(&format!("/api/v1/games/long/chronicle?from={step}&steps=0"));
        let mut picture = told[0]["checkpoint"]["picture"].clone();
        let events = told[1..].iter().flat_map(|line| line["entry"]["events"].as_array().into_iter().flatten());
        for change in events
            .filter(|event| event["step"].as_u64().is_some_and(|at| at <= step))
            .flat_map(|event| event["patch"].as_array().into_iter().flatten())
        {
            let at = change[0].as_str().and_then(|at| picture.pointer_mut(at)).expect("a place");
            *at = change[2].clone();
        }
        for at in ["/children", "/morale", "/round"] {
            let shown = browser
                .script("return document.querySelector(`[data-at=\"${arguments[0]}\"]`).dataset.is", json!([at]));
            assert_eq!(shown.as_str(), picture.pointer(at).map(Value::to_string).as_deref(), "{at} at {step}");
        }
    }
    browser.is_quiet();
}

/// A game that plays by itself, as fast as the page can.
#[test]
fn in_motion() {
    let Some((browser, _site, _)) = finished() else { return };
    let play = "const speed = document.querySelector('#speed');
        speed.value = speed.options[speed.options.length - 1].value;
        speed.dispatchEvent(new Event('change'));";
    browser.script(play, json!([]));
    // It begins again at the end.
    let again = "const play = document.querySelector('#play');
        if (play.getAttribute('aria-label') === 'Play') play.click();";
    measure(&browser, "in motion", again);
    browser.is_quiet();
}

/// Drags over the whole game, forth and back, one move per frame, and prints figures.
fn scrub(browser: &Browser) {
    let drag = "
        const part = ((now - start) / 1000) % 2;
        slider.value = Math.round(slider.max * (part < 1 ? part : 2 - part));
        slider.dispatchEvent(new Event('input', { bubbles: true }));";
    measure(browser, "scrubbing", drag);
    browser.is_quiet();
}

/// Prints the intervals of frames and the longest task while `each` runs in every frame for some seconds.
fn measure(browser: &Browser, what: &str, each: &str) {
    let watch = "
        const slider = document.querySelector('#slider');
        const times = [];
        const start = performance.now();
        let before = start;
        let shown = 0;
        let step = null;
        let task = 0;
        const seen = new MutationObserver(() => {
            shown += step !== document.body.dataset.step;
            step = document.body.dataset.step;
        });
        seen.observe(document.body, { attributes: true, attributeFilter: ['data-step'] });
        // The browser reports tasks of more than 50 ms.
        const tasks = new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => (task = Math.max(task, duration))));
        tasks.observe({ type: 'longtask' });
        while (performance.now() - start < 4000) {
            const now = await new Promise(requestAnimationFrame);
            times.push(now - before);
            before = now;
            EACH
        }
        await new Promise((done) => setTimeout(done));
        seen.disconnect();
        tasks.disconnect();
        times.shift();
        times.sort((a, b) => a - b);
        return { frames: times.length, shown, seconds: (performance.now() - start) / 1000, task,
            median: times[times.length >> 1], p95: times[Math.floor(times.length * 0.95)], longest: times.at(-1) };"
        .replace("EACH", each);
    browser.promise(&watch, json!([]));
    let profiles = std::env::var_os("HOLDFAST_PROFILES");
    if profiles.is_some() {
        browser.devtools("Profiler.enable", json!({}));
        browser.devtools("Profiler.start", json!({}));
    }
    let found = browser.promise(&watch, json!([]));
    if let Some(folder) = profiles {
        let profile = browser.devtools("Profiler.stop", json!({}));
        let file = Path::new(&folder).join(format!("{what} {}.cpuprofile", last(browser)));
        fs::write(file, profile["profile"].to_string()).expect("the profile can be written");
    }
    let figure = |name: &str| found[name].as_f64().unwrap_or_else(|| panic!("{name} in {found}"));
    let steps = last(browser);
    show(&format!(
        "speed: {what} over {steps} steps at {:.0} frames a second, {:.0} moments a second; a frame takes {:.1} ms (median), {:.1} ms (p95), {:.1} ms (longest); {}",
        figure("frames") / figure("seconds"),
        figure("shown") / figure("seconds"),
        figure("median"),
        figure("p95"),
        figure("longest"),
        if figure("task") > 0.0 {
            format!("the longest task takes {:.0} ms", figure("task"))
        } else {
            "no task takes 50 ms".to_owned()
        },
    ));
    assert!(figure("frames") > 0.0 && figure("shown") > 0.0, "{found}");
}

/// Measures the time from an entry in the log until the page shows it.
#[test]
fn live_events() {
    let Some(browser) = Browser::start() else { return };
    let site = driven_host();
    let mut driven = site.driven(11);
    let game = driven.name.clone();
    driven.play(10);
    browser.open(&site.url(&format!("/games/{game}")));
    browser.until("document.body.dataset.live === 'true'");
    browser.script(
        "window.seen = {};
         new MutationObserver(() => (window.seen[document.body.dataset.step] ??= Date.now()))
            .observe(document.body, { attributes: true, attributeFilter: ['data-step'] })",
        json!([]),
    );
    for shown in 1..=40 {
        assert!(driven.play(1), "the game goes on");
        browser.until(&format!("Object.keys(window.seen).length >= {shown}"));
    }
    let seen: BTreeMap<u64, f64> =
        serde_json::from_value(browser.script("return window.seen", json!([]))).expect("moments");
    let first = *seen.keys().next().expect("a step");
    let lines = site.lines(&format!("/api/v1/games/{game}/chronicle?from={first}&steps=2000"));
    let mut waits = Vec::new();
    for entry in lines.iter().map(|line| &line["entry"]) {
        let steps = entry["events"].as_array().into_iter().flatten().filter_map(|event| event["step"].as_u64());
        let shown = steps.filter_map(|step| seen.get(&step)).next();
        if let (Some(shown), Some(at)) = (shown, entry["at"].as_f64()) {
            waits.push(shown - at);
        }
    }
    waits.sort_by(f64::total_cmp);
    assert!(waits.len() > 10, "{} entries: {:?}", waits.len(), lines.last().map(Value::to_string));
    show(&format!(
        "speed: an event is in the page {:.0} ms after it happened (median of {}), p95 {:.0} ms, at most {:.0} ms",
        waits[waits.len() / 2],
        waits.len(),
        waits[waits.len() * 95 / 100],
        waits[waits.len() - 1]
    ));
}
