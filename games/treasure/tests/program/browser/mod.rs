//! The treasure game in a browser: creating, watching and finding games, with the view of spectators or of one of the players.

mod explorers;

use std::{
    net::SocketAddr,
    process::{Command, Stdio},
};

use serde_json::{Value, json};

use self::explorers::{Explorer, TO_THE_MOUNTAINS, go_along, play_2017};
use crate::{
    browser::{
        axe,
        crossing::{other_site, tries},
        exported, last,
        origins::fooled,
    },
    driver::{Browser, key},
    site::Site,
};

impl Site {
    /// Starts a host with the port of the treasure game.
    fn treasure_host() -> Self {
        Self::host_with(&["--treasure", "127.0.0.1:0"])
    }

    /// The address of the port of the treasure game.
    fn treasure(&self) -> SocketAddr {
        self.said("treasure on http://").parse().expect("an address")
    }
}

/// With the first seed, the halves are side by side. With the second, they are one above the other.
const WIDE: i64 = 3;
const HIGH: i64 = 1;

/// Creates a game with this seed and without a thinking time limit.
fn create(site: &Site, seed: i64) -> String {
    let scenario = json!({"year": 2022, "debug": true}).to_string();
    let body = json!({"rulebook": "treasure", "scenario": scenario, "seed": seed});
    site.post("/api/v1/games", &body)["game"].as_str().expect("a name").to_owned()
}

/// A finished game: both players went to the mountains, and then the first to move went into the water.
fn drowned(site: &Site, seed: i64) -> String {
    let game = create(site, seed);
    let two = Explorer::with_a_map(site.treasure(), &game);
    go_along(&two, &TO_THE_MOUNTAINS);
    assert_eq!(two[0].go("Down"), "IntoWater");
    site.games("finished", 1);
    game
}

/// The things on the map: `kind player x,y`, and `taken` or `invented`.
fn things(browser: &Browser) -> Vec<String> {
    let script = "return [...document.querySelectorAll('.treasure-map .thing')].map(({ dataset, parentNode }) => {
        const { x, y } = parentNode.parentNode.dataset;
        const more = (dataset.taken ? ' taken' : '') + (dataset.invented ? ' invented' : '');
        return `${dataset.kind} ${dataset.player} ${x},${y}${more}`;
    }).sort()";
    let told = browser.script(script, json!([]));
    told.as_array().expect("things").iter().map(|thing| thing.as_str().expect("a text").to_owned()).collect()
}

/// The rows of the map, with a letter for each field: seen, or in the fog.
fn seen(browser: &Browser) -> Value {
    let script = "const fields = [...document.querySelectorAll('.treasure-map .field')];
        const rows = [];
        for (const { dataset } of fields) rows[dataset.y] = (rows[dataset.y] ?? '') + { true: 's', false: '.' }[dataset.seen];
        return rows";
    browser.script(script, json!([]))
}

/// The host's picture of a step.
fn picture(site: &Site, game: &str, step: u64) -> Value {
    let lines = site.lines(&format!("/api/v1/games/{game}/chronicle?from={step}&steps=1"));
    let checkpoint = &lines[0]["checkpoint"];
    let mut picture = checkpoint["picture"].clone();
    for event in lines.iter().skip(1).filter_map(|line| line["entry"]["events"].as_array()).flatten() {
        if event["step"].as_u64().is_some_and(|told| told <= step) {
            for change in event["patch"].as_array().expect("a patch") {
                *picture.pointer_mut(change[0].as_str().expect("a pointer")).expect("a place") = change[2].clone();
            }
        }
    }
    picture
}

fn place(at: &Value) -> Option<String> {
    Some(format!("{},{}", at[0].as_u64()?, at[1].as_u64()?))
}

/// The things that a view should show of a picture.
fn expected(picture: &Value, sight: &str) -> Vec<String> {
    let secrets = &picture["hidden"]["players"];
    let mut things = Vec::new();
    let mut put = |kind: &str, player: usize, at: &Value, more: &str| {
        things.extend(place(at).map(|at| format!("{kind} {player} {at}{more}")));
    };
    let yes = |value: &Value| value.as_bool().expect("yes or no");
    let me = match sight {
        "first" => Some(0),
        "second" => Some(1),
        _ => None,
    };
    for player in 0..2 {
        let one = &secrets[player];
        let taken = if yes(&one["collected"]) { " taken" } else { "" };
        match me {
            None => {
                put("avatar", player, &one["at"], "");
                put("fort", player, &one["fort"], "");
                put("treasure", player, &one["treasure"], taken);
            }
            Some(me) if me == player => {
                put("avatar", player, &one["at"], "");
                put("fort", player, &one["fort"], "");
                if yes(&one["treasure_seen"]) && !yes(&one["collected"]) {
                    put("treasure", player, &one["treasure"], "");
                }
            }
            Some(me) => {
                let invented = if picture["players"][player]["at"].is_null() { " invented" } else { "" };
                put("avatar", player, &secrets[me]["shown_enemy"], invented);
                if yes(&secrets[me]["enemy_fort_seen"]) {
                    put("fort", player, &one["fort"], "");
                }
            }
        }
    }
    things.sort();
    things
}

#[test]
fn whoever_makes_a_game_plays_it_with_a_client_while_others_watch() {
    let (Some(ana), Some(bo)) = (Browser::start(), Browser::start()) else { return };
    let site = Site::treasure_host();
    ana.devtools("Browser.grantPermissions", json!({"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}));
    ana.open(&site.url("/treasure?account=ana1"));
    ana.until("document.body.dataset.ready === 'true' && !document.querySelector('#new button').disabled");
    ana.screenshot("treasure-page");
    ana.click("#new [name=dummy]");
    ana.click("#new [name=debug]");
    ana.click("#new button.primary");
    ana.until("!document.querySelector('#game').hidden");
    let game = ana.text("#id");
    assert!(game.len() == 5 && game.chars().all(|letter| letter.is_ascii_alphanumeric()), "{game}");
    assert!(ana.address().contains(&format!("game={game}")) && ana.address().contains("account=ana1"));
    let size = ana.script("return parseFloat(getComputedStyle(document.querySelector('#id')).fontSize)", json!([]));
    assert!(size.as_f64() >= Some(32.0), "it is big: {size}");
    ana.click("#copy-id");
    ana.until("document.querySelector('#copy-id').textContent === 'Copied'");
    assert_eq!(ana.promise("return navigator.clipboard.readText()", json!([])), json!(game));
    let command = ana.text("#command");
    assert_eq!(command, format!("holdfast treasure player http://{} {game}", site.treasure()));
    ana.until("document.querySelector('#state').textContent === 'It waits for two players.'");

    let watch = ana.script("return document.querySelector('#watch').href", json!([]));
    bo.open(watch.as_str().expect("an address"));
    bo.shows(0);
    bo.until("!document.querySelector('#play-page').hidden");
    // The command that the page shows works.
    let client = Command::new(env!("CARGO_BIN_EXE_holdfast"))
        .args(command.split(' ').skip(1))
        .args(["--first-name", "Ana", "--last-name", "Lee", "--account", "ana1", "--quiet"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a client");
    bo.until("Number(document.querySelector('[data-at=\"/actions\"]').textContent) > 2");
    assert_eq!(bo.shown("live"), "true");
    ana.until(&format!(
        "document.querySelector('#running [data-name=\"{game}\"] .result')?.textContent === 'is played'"
    ));
    assert!(things(&bo).iter().all(|thing| thing.starts_with("avatar")), "of a running game: {:?}", things(&bo));
    let ended = client.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&ended.stdout);
    assert!(said.starts_with("won after ") || said.starts_with("lost after "), "{ended:?}");

    bo.until(
        "document.body.dataset.live === 'false' && document.querySelector('.treasure-table .news-line').textContent",
    );
    let outcome = bo.text(".treasure-table .news-line").to_lowercase();
    ana.until(&format!("document.querySelector('#finished [data-name=\"{game}\"]')"));
    let result = ana.text(&format!("#finished [data-name=\"{game}\"] .result"));
    // The list tells the stored outcome, and the page names the winner.
    let (_, reason) = result.split_once(": ").expect("a winner and a reason");
    assert!(outcome.ends_with(&format!("{reason}.")), "{outcome} {result}");
    ana.until("document.querySelector('#state').textContent.startsWith('It is over: ')");
    bo.is_quiet();
    ana.is_quiet();
}

#[test]
fn a_finished_game_is_seen_with_the_eyes_of_either() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::treasure_host();
    let game = drowned(&site, WIDE);
    browser.open(&site.url(&format!("/games/{game}?step=0")));
    browser.shows(0);
    let last = last(&browser);
    let mut fogs = 0;
    // Steps forward with the keys, and checks each step in each view.
    for step in 0..=last {
        browser.shows(step);
        let told = picture(&site, &game, step);
        for (at, sight) in ["all", "first", "second"].iter().enumerate() {
            browser.click(&format!("input[name=sight][value={sight}]"));
            assert_eq!(
                things(&browser),
                if told["map"].is_null() { vec![] } else { expected(&told, sight) },
                "{sight} at {step}"
            );
            if at > 0 && !told["map"].is_null() {
                let rows = &told["hidden"]["players"][at - 1]["seen"];
                assert_eq!(&seen(&browser), rows, "{sight} at {step}");
                fogs += 1;
            }
        }
        browser.script("document.activeElement.blur()", json!([]));
        browser.press(&[key::RIGHT]);
    }
    assert!(fogs > 30, "only {fogs} moments have a map");
    assert!(expected(&picture(&site, &game, last), "all").iter().any(|thing| thing.ends_with(" taken")));
    browser.is_quiet();
    exported::open(&browser, &exported::download(&site, &game), last);
    browser.click("input[name=sight][value=second]");
    assert_eq!(things(&browser), expected(&picture(&site, &game, last), "second"), "in the exported page");
    browser.is_quiet();
}

#[test]
fn a_link_leads_to_the_moment_and_the_eyes() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::treasure_host();
    let game = drowned(&site, HIGH);
    browser.open(&site.url(&format!("/games/{game}?step=20&sight=second")));
    browser.shows(20);
    let told = picture(&site, &game, 20);
    assert_eq!(things(&browser), expected(&told, "second"));
    // With the keyboard, and the address follows.
    browser.script("document.querySelector('input[name=sight]:checked').focus()", json!([]));
    browser.press(&[key::UP]);
    browser.until("new URLSearchParams(location.search).get('sight') === 'first'");
    assert_eq!(browser.step(), 20, "the arrows belong to the choice");
    assert_eq!(things(&browser), expected(&told, "first"));
    // The progress of a player is secret.
    let mover = told["last"]["player"].as_u64().expect("a player");
    let words = |sight: &str| {
        browser.click(&format!("input[name=sight][value={sight}]"));
        browser.text("[data-at=\"/last\"]")
    };
    let (own, other) = if mover == 0 { ("first", "second") } else { ("second", "first") };
    assert!(words(own).contains("is on the way right"), "{}", words(own));
    assert_eq!(words("all"), words(own));
    assert!(!words(other).contains("way") && !words(other).contains("now at"), "{}", words(other));
    browser.click("input[name=sight][value=first]");
    browser.screenshot("treasure-first");
    browser.script("document.activeElement.blur()", json!([]));
    browser.press(&[key::RIGHT]);
    browser.shows(21);
    browser.until("location.search.includes('step=21') && location.search.includes('sight=first')");
    browser.reload();
    browser.shows(21);
    assert_eq!(things(&browser), expected(&picture(&site, &game, 21), "first"));
    browser.click("input[name=sight][value=all]");
    browser.until("!location.search.includes('sight')");
    browser.screenshot("treasure-all");
    // A screen reader reads the contents of the fields.
    let label = browser.script(
        "return document.querySelector('.things:has([data-kind=fort][data-player=\"0\"])').parentNode.innerText",
        json!([]),
    );
    assert!(label.as_str().is_some_and(|label| label.contains("fort of Ana Lee")), "{label}");
    browser.is_quiet();
}

#[test]
fn a_running_game_shows_what_all_may_know() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::treasure_host();
    let game = create(&site, HIGH);
    browser.open(&site.url(&format!("/games/{game}?sight=second")));
    browser.shows(0);
    let two = Explorer::with_a_map(site.treasure(), &game);
    go_along(&two, &TO_THE_MOUNTAINS[..6]);
    browser.until("document.querySelector('[data-at=\"/actions\"]').textContent === '14'");
    browser.until("document.body.dataset.ready === 'true'");
    assert_eq!(things(&browser), Vec::<String>::new(), "neither may see the other yet");
    let disabled = "return [...document.querySelectorAll('input[name=sight]')].map((radio) => radio.disabled)";
    assert_eq!(browser.script(disabled, json!([])), json!([false, true, true]));
    assert_eq!(seen(&browser)[0], json!("undefined".repeat(10)), "there is no fog");
    go_along(&two, &TO_THE_MOUNTAINS[6..]);
    browser.until("document.querySelector('[data-at=\"/actions\"]').textContent === '20'");
    browser.until("document.querySelectorAll('.treasure-map .thing').length === 2");
    assert!(things(&browser).iter().all(|thing| thing.starts_with("avatar") && !thing.contains("invented")));
    let text = browser.script("return document.querySelector('.treasure-table').innerText", json!([]));
    assert!(!text.as_str().expect("a text").contains("fort of"), "{text}");

    assert_eq!(two[0].go("Down"), "IntoWater");
    browser.until("document.body.dataset.live === 'false' && document.querySelector('[data-seen]')");
    let step = browser.step();
    assert_eq!(things(&browser), expected(&picture(&site, &game, step), "second"), "the choice has waited");
    assert!(browser.address().contains("sight=second"));
    browser.is_quiet();
}

/// After the end, each player's line says why it won or lost. Two players of the same name have numbers.
#[test]
fn the_end_is_explained() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::treasure_host();
    let game = create(&site, WIDE);
    let two = ["twin1", "twin2"].map(|account| Explorer::register(site.treasure(), &game, "Ana", account));
    let first = usize::from(!two[0].must_act());
    let [mover, other] = [&two[first], &two[1 - first]];
    for one in [mover, other] {
        assert_eq!(one.send_half(), "");
    }
    go_along(&[mover.clone(), other.clone()], &TO_THE_MOUNTAINS);
    assert_eq!(mover.go("Down"), "IntoWater");
    site.games("finished", 1);
    browser.open(&site.url(&format!("/games/{game}")));
    browser.until("document.body.dataset.ready === 'true'");
    let why = |player: usize| browser.text(&format!(".player-line[data-player=\"{player}\"] .why"));
    let name = |player: usize| browser.text(&format!(".player-line[data-player=\"{player}\"] .name"));
    assert_eq!((name(0), name(1)), ("Ana Lee (1)".into(), "Ana Lee (2)".into()));
    let lost = why(first);
    assert!(lost.starts_with("It went into water (IntoWater): Down of ("), "{lost}");
    assert!(lost.contains(" had not seen the other's fort, and knew ") && lost.ends_with(" of 100 fields."), "{lost}");
    assert_eq!(why(1 - first), format!("Ana Lee ({}) lost before it.", first + 1));
    let end = browser.text("[data-at=\"/outcome\"]");
    assert_eq!(end, format!("Ana Lee ({}) wins: Ana Lee ({}) went into water.", 2 - first, first + 1));
    // The list tells what was a secret of one player before.
    let list = browser.script("return document.querySelector('#events').innerText", json!([]));
    let list = list.as_str().expect("a text");
    assert!(list.contains(&format!("Ana Lee ({}) breaks a rule (IntoWater).", first + 1)), "{list}");
    assert!(list.contains("is on the way right, ") && !list.contains(" acts."), "{list}");
    browser.press(&[key::HOME]);
    browser.shows(0);
    assert_eq!(browser.script("return document.querySelector('.why').hidden", json!([])), true, "not before the end");
    browser.press(&[key::END]);
    browser.until("!document.querySelector('.why').hidden");
    let axe = axe::script();
    for (width, height) in [(1440, 900), (1920, 1080), (390, 844)] {
        browser.resize(width, height);
        for path in [format!("/games/{game}"), format!("/games/{game}?sight=first"), "/treasure".to_owned()] {
            browser.open(&site.url(&path));
            browser.until("document.body.dataset.ready === 'true'");
            let wide = browser.script("return document.documentElement.scrollWidth - innerWidth", json!([]));
            assert_eq!(wide, 0, "{path} at {width}");
            if let Some(axe) = &axe {
                axe::check(&browser, axe);
                browser.prefer("light");
            }
        }
        browser.open(&site.url(&format!("/games/{game}")));
        browser.until("document.body.dataset.ready === 'true'");
        browser.screenshot(&format!("treasure-why-{width}"));
    }
    browser.is_quiet();
}

#[test]
fn errors_are_found_by_account() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::treasure_host();
    // Errors of a running game are not shown. This game has a player who sends an unreadable move.
    let running = create(&site, HIGH);
    let early = Explorer::register(site.treasure(), &running, "Early", "early9");
    assert_eq!(early.go("Nowhere"), "Unreadable");
    let lost = drowned(&site, WIDE);
    let other = create(&site, HIGH);
    let two = Explorer::two(site.treasure(), &other);
    assert_eq!(two[1].send_half(), "NotYourTurn");
    site.games("finished", 2);

    browser.open(&site.url("/treasure"));
    browser.until("document.querySelectorAll('#errors tbody tr').length === 2");
    let rows = "return [...document.querySelectorAll('#errors tbody tr')].map(({ dataset, cells }) =>
        `${cells[1].innerText} ${dataset.account} ${dataset.exception}`).sort()";
    let all = browser.script(rows, json!([]));
    let all: Vec<&str> = all.as_array().expect("rows").iter().filter_map(Value::as_str).collect();
    let account = all.iter().find_map(|row| row.strip_prefix(&format!("{lost} "))?.strip_suffix(" IntoWater"));
    let account = account.unwrap_or_else(|| panic!("{all:?}"));
    assert!(all.iter().any(|row| row.starts_with(&format!("{other} ")) && row.ends_with(" NotYourTurn")), "{all:?}");

    browser.type_into("#find [name=account]", account);
    browser.until(&format!("document.querySelector('#errors').dataset.account === '{account}'"));
    let words = browser.text("#errors [data-exception=IntoWater]");
    assert!(words.contains("is water, which no player may enter"), "{words}");
    assert!(browser.address().contains(&format!("account={account}")));
    let found = browser.text("#found");
    assert!(found.ends_with(&format!(" in 2 games of {account}")), "{found}");
    browser.screenshot("treasure-errors");
    browser.reload();
    browser.until(&format!("document.querySelector('#errors').dataset.account === '{account}'"));
    browser.click("#errors [data-exception=IntoWater] a");
    browser.until(&format!("location.pathname === '/games/{lost}'"));
    browser.shows(last(&browser));
    for unknown in ["early9", "unknown", "a%26b%3C%2F"] {
        browser.open(&site.url(&format!("/treasure?account={unknown}")));
        browser.until("document.querySelector('#found').textContent.startsWith('0 errors in 0 games of ')");
        assert_eq!(browser.script("return document.querySelector('#errors').hidden", json!([])), json!(true));
    }
    browser.is_quiet();
}

#[test]
fn names_are_shown_and_never_run() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::treasure_host();
    let game = create(&site, HIGH);
    let name = "&lt;img src=x onerror=document.title=1&gt;";
    let two = ["&lt;b&gt;one", "&lt;b&gt;two"].map(|account| Explorer::register(site.treasure(), &game, name, account));
    let early = two.iter().find(|one| !one.must_act()).expect("one of them waits");
    assert_eq!(early.send_half(), "NotYourTurn");
    site.games("finished", 1);
    for path in [format!("/games/{game}"), format!("/games/{game}?sight=first"), "/treasure".to_owned()] {
        browser.open(&site.url(&path));
        browser.until("document.body.dataset.ready === 'true'");
        browser.until("document.body.innerText.includes('<img src=x onerror=document.title=1>')");
        assert_eq!(browser.script("return document.querySelectorAll('img[src=x], td b').length", json!([])), json!(0));
    }
    browser.until("document.querySelectorAll('#errors tbody tr').length === 1");
    let account = browser.script("return document.querySelector('#errors tbody tr').dataset.account", json!([]));
    browser.type_into("#find [name=account]", account.as_str().expect("an account"));
    browser.until(&format!("document.querySelector('#errors').dataset.account === {account}"));
    assert!(browser.text("#found").starts_with("1 error in 1 game of <b>"), "{}", browser.text("#found"));
    browser.is_quiet();
}

#[test]
fn maps_of_all_shapes_fit() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::treasure_host();
    let [wide, high] = [WIDE, HIGH].map(|seed| drowned(&site, seed));
    play_2017(site.treasure());
    let old = site.games("finished", 3).swap_remove(0);
    for (game, columns, rows) in [(wide, 20, 5), (high, 10, 10), (old, 8, 8)] {
        for (width, height) in [(360, 740), (1400, 1000)] {
            browser.resize(width, height);
            browser.open(&site.url(&format!("/games/{game}?step=0")));
            browser.shows(0);
            browser.press(&[key::END]);
            browser.until(&format!("document.querySelectorAll('.treasure-map .field').length === {}", columns * rows));
            browser.until("document.querySelectorAll('.treasure-map .thing').length >= 4");
            let size = browser.script(
                "const { width, height } = document.querySelector('.treasure-map .field').getBoundingClientRect();
                 return [Math.abs(width - height) < 1, width > 8, document.documentElement.scrollWidth <= innerWidth]",
                json!([]),
            );
            assert_eq!(size, json!([true, true, true]), "{columns} x {rows} on {width}");
            browser.screenshot(&format!("treasure-{columns}x{rows}-{width}"));
        }
        browser.prefer("dark");
        browser.screenshot(&format!("treasure-{columns}x{rows}-dark"));
        browser.prefer("light");
    }
    // Terrains can be told apart without colours, too.
    let lightness = "const light = (terrain) => {
            const [r, g, b] = getComputedStyle(document.querySelector(`.legend .field[data-terrain=${terrain}]`)).backgroundColor
                .match(/\\d+/g).map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
            return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
        };
        return [light('g') / light('m'), light('m') / light('w')]";
    let contrasts = browser.script(lightness, json!([]));
    assert!((0..2).all(|at| contrasts[at].as_f64() >= Some(1.9)), "{contrasts}");
    browser.resize(360, 740);
    browser.open(&site.url("/treasure"));
    browser.until("document.querySelectorAll('#errors tbody tr').length > 0");
    let wide = browser.script("return document.documentElement.scrollWidth", json!([]));
    assert!(wide.as_u64() <= Some(360), "{wide}");
    browser.is_quiet();
}

#[test]
fn a_host_without_the_port_says_so() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::host();
    browser.open(&site.url("/treasure?game=abcde"));
    browser.until("document.body.dataset.ready === 'true' && !document.querySelector('#no-port').hidden");
    let states = "return [document.querySelector('#new button').disabled, document.querySelector('#how').hidden]";
    assert_eq!(browser.script(states, json!([])), json!([true, true]));
    browser.until("document.querySelector('#no-running').innerText !== ''");
    browser.is_quiet();
}

/// A page of another site whose name resolves to this machine creates no game; a person at the same address does.
#[test]
fn a_page_of_another_site_creates_no_game() {
    let Some(browser) = fooled() else { return };
    let site = Site::treasure_host();
    for (name, expected) in [("evil.test", json!([421, 421])), ("127.0.0.1", json!([200, 200]))] {
        browser.open(&format!("http://{name}:{}/nothing", site.treasure().port()));
        let script = "const status = async (method) => (await fetch('/games', { method })).status;
             return [await status('GET'), await status('POST')]";
        assert_eq!(browser.promise(script, json!([])), expected, "{name}");
    }
}

/// A page of another site that uses the address of the port: every route of both protocols, in every way that a page has.
#[test]
fn no_route_of_the_port_is_for_other_sites() {
    let Some(browser) = other_site() else { return };
    let site = Site::treasure_host();
    let game = create(&site, WIDE);
    let ana = Explorer::register(site.treasure(), &game, "Ana", "ana1");
    let registration = "<playerRegistration><studentFirstName>Eve</studentFirstName><studentLastName>Lee</studentLastName>\
                        <studentUAccount>eve1</studentUAccount></playerRegistration>";
    let player = format!("<playerMove><uniquePlayerID>{}</uniquePlayerID><move>Right</move></playerMove>", ana.id);
    let state = || {
        let games = site.get("/api/v1/games").body;
        (games, site.get(&format!("/api/v1/games/{game}/chronicle")).body)
    };
    let before = state();
    for (path, method, body) in [
        ("/games".to_owned(), "GET", ""),
        ("/games/".to_owned(), "POST", ""),
        (format!("/games/{game}/players"), "POST", registration),
        (format!("/games/{game}/halfmaps"), "POST", &*player),
        (format!("/games/{game}/moves"), "POST", &*player),
        (format!("/games/{game}/states/{}", ana.id), "GET", ""),
        (format!("/games/{game}/result"), "GET", ""),
        ("/NewPlayer".to_owned(), "POST", registration),
        ("/MapCreation".to_owned(), "POST", &*player),
        ("/Updates".to_owned(), "POST", &*player),
        ("/Update".to_owned(), "POST", &*player),
        ("/Problem".to_owned(), "POST", &*player),
    ] {
        tries(&browser, &site.treasure().to_string(), &path, method, body);
        assert_eq!(state(), before, "{method} {path} has changed something");
    }
    // A program at the same address does what the page could not.
    Explorer::register(site.treasure(), &game, "Bo", "bo2");
    assert_ne!(state(), before);
}
