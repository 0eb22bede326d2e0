//! The Game Master's page: the whole state, live and later, and the knowledge of each player.

#[path = "../line.rs"]
mod line;

use serde_json::json;

use self::line::{Line, ROOT, uuid};
use crate::{
    Scratch,
    browser::{axe, exported},
    driver::{Browser, key},
    site::{Site, two_ports},
};

impl Site {
    /// Starts a Communication Server with a Game Master, whose page shows the game.
    fn project(configuration: &str) -> Self {
        let folder = Scratch::new("project");
        let file = folder.path("game.xml");
        std::fs::write(&file, configuration).expect("a configuration");
        let words = [
            "project",
            "serve",
            "--trace-file",
            "off",
            "--cs-trace-file",
            "off",
            "--config",
            &file.display().to_string(),
        ]
        .map(ToOwned::to_owned);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        Self::start_on(&words, two_ports(), "view on http://", "", folder)
    }
}

const CONFIGURATION: &str = "<GameConfiguration><BoardWidth>10</BoardWidth><BoardHeight>20</BoardHeight>
    <ServerAddress>127.0.0.1</ServerAddress>
    <ReconnectionAttemptsCount>1</ReconnectionAttemptsCount><ReconnectionAttemptInterval>2</ReconnectionAttemptInterval>
    <PlayersPerTeam>2</PlayersPerTeam><Pieces>20</Pieces><ShamsPercentage>25</ShamsPercentage>
    <GoalsPositions><Position><X>1</X><Y>2</Y></Position><Position><X>8</X><Y>4</Y></Position>
    <Position><X>5</X><Y>0</Y></Position></GoalsPositions></GameConfiguration>";

const RUNS: &str = "document.querySelector('.project .phase b')?.textContent === 'Running'";

fn count(browser: &Browser, selector: &str) -> u64 {
    let count = browser.script(&format!("return document.querySelectorAll('{selector}').length"), json!([]));
    count.as_u64().expect("a number")
}

/// Four players in a running game.
fn players(site: &Site) -> Vec<Line> {
    let mut lines: Vec<Line> = (1..=4).map(|number| Line::to(site.port(), number)).collect();
    for (number, line) in (1..).zip(&mut lines) {
        let team = if number % 2 == 1 { "Blue" } else { "Red" };
        let content = format!("<GameState><Setup><Request><Team>{team}</Team></Request></Setup></GameState>");
        line.ask(&uuid(number, 1), &content, "<Confirmation>");
    }
    for line in &mut lines {
        line.until(&["<Start>"]).expect("the start");
    }
    lines
}

fn act(line: &mut Line, number: u32, action: &str) -> String {
    let (kind, content) = match action.split_once(' ') {
        Some((kind, direction)) => (kind, format!("<Direction>{direction}</Direction>")),
        None => (action, String::new()),
    };
    let content = format!("<Action><{kind}><Request>{content}</Request></{kind}></Action>");
    let id = uuid(line.player, number);
    line.ask(&id, &content, "<Response>")
}

fn tile(x: u32, y: u32, object: &str) -> String {
    format!(
        "<Data><Tiles><Tile timestamp=\"2026-01-02T03:04:05Z\"><Position><X>{x}</X><Y>{y}</Y></Position>\
         <Distance>0</Distance><TileObject>{object}</TileObject></Tile></Tiles></Data>"
    )
}

/// Sends a step of an exchange from one player to another, and waits until it arrives.
fn tell(from: &mut Line, to: &mut Line, [id, context]: [&str; 2], content: &str) {
    let context = if context.is_empty() { String::new() } else { format!(" contextId=\"{context}\"") };
    let (sender, receiver) = (from.player, to.player);
    from.say(&format!(
        "<Messages {ROOT}><Message id=\"{id}\"{context}><Sender id=\"{sender}\"/><Receiver id=\"{receiver}\"/>\
         <Content><ExchangeKnowledge>{content}</ExchangeKnowledge></Content></Message></Messages>"
    ));
    let heard = (0..100).any(|_| to.until(&[&format!("id=\"{id}\"")]).is_some());
    assert!(heard, "{id} does not come");
}

/// The signs that are explained now.
fn legend(browser: &Browser) -> String {
    browser.text(".project .legend:not([hidden])")
}

/// Moves the pointer over a tile.
fn point_at(browser: &Browser, x: u32, y: u32) {
    let script = "const board = document.querySelector('.project-board');
        const spot = new DOMPoint(arguments[0] + 0.5, 20 - arguments[1] - 0.5).matrixTransform(board.getScreenCTM());
        board.dispatchEvent(new PointerEvent('pointermove', { clientX: spot.x, clientY: spot.y, bubbles: true }));";
    browser.script(script, json!([x, y]));
}

#[test]
fn the_page_shows_the_state_live() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::project(CONFIGURATION);
    let game = site.games("running", 1).swap_remove(0);
    browser.resize(1920, 1080);
    browser.open(&site.url(&format!("/games/{game}")));
    browser.until("document.querySelector('.project .phase b')?.textContent === 'Lobby'");
    browser.script("window.remembered = 'yes'", json!([]));
    let mut lines = players(&site);
    browser.until(RUNS);
    assert_eq!(count(&browser, ".project .band"), 3, "three bands");
    assert_eq!(count(&browser, ".project-board .goal.open"), 6);
    assert_eq!((count(&browser, ".project-board .piece"), count(&browser, ".project-board .piece.sham")), (20, 5));
    assert_eq!(count(&browser, ".project-board .pawn"), 4, "a pawn for each");
    assert_eq!(count(&browser, ".project-players tbody tr"), 4);
    assert!(browser.text("#facts").contains("seed"), "the Game Master may know it");

    for step in 0..12 {
        for (number, line) in lines.iter_mut().enumerate() {
            let toward = if number % 2 == 0 { "Move Up" } else { "Move Down" };
            act(line, 100 + step, if step % 4 == 3 { "Discover" } else { toward });
        }
    }
    browser.until("document.querySelector('.project .actions b').textContent === '48'");
    let row = |key: &str| browser.text(&format!(".project-players tr[data-player=\"1\"] .{key}"));
    assert_eq!((row("moves"), row("discovers"), row("connection")), ("9".into(), "3".into(), String::new()));
    assert!(row("response").contains('·'), "{}", row("response"));
    browser.screenshot("project-1920-light");
    // Actions are told in words, in the list and beside each player.
    browser.until("document.querySelector('#events .row[aria-selected=true]')?.innerText.includes(') discovers ')");
    assert_eq!(
        browser.script("return document.querySelector('#events').innerText.includes(' acts.')", json!([])),
        false
    );
    assert!(row("doing").contains("discovers "), "{}", row("doing"));
    // The configuration, and the borders between the areas.
    let cards = browser.text(".project .cards");
    for words in
        ["10 × 20 tiles", "2 players each, 3 goals each", "20 at the start, 25 % shams", "have 2 s to come back"]
    {
        assert!(cards.contains(words), "{words}: {cards}");
    }
    let wide = browser.script(
        "const style = (one) => parseFloat(getComputedStyle(document.querySelector(one)).strokeWidth);
        return style('.project .borders') / style('.project .lines')",
        json!([]),
    );
    assert!(wide.as_f64() > Some(3.0), "{wide}");
    // A piece is seen under a pawn.
    let sizes = browser.script("return ['.piece rect', '.pawn circle'].map((one) => document.querySelector(`.project-board ${one}`).getBoundingClientRect().width)", json!([]));
    assert!(sizes[0].as_f64() > sizes[1].as_f64(), "{sizes}");
    assert!(legend(&browser).contains("sham") && !legend(&browser).contains("told by"), "{}", legend(&browser));

    // The whole page fits on the screen.
    let high = browser.script("return [document.documentElement, document.querySelector('#board'), document.querySelector('.project-side')].map((box) => box.scrollHeight - box.clientHeight)", json!([]));
    assert_eq!(high, json!([0, 0, 0]), "nothing scrolls");

    // The knowledge of the first player.
    browser.click(".project-players tr[data-player=\"1\"]");
    browser.until("document.querySelectorAll('.project-board .tile').length > 0");
    assert_eq!(
        count(&browser, ".project-board .goal, .project-board .piece.sham"),
        0,
        "goals and shams are not among it"
    );
    assert_eq!(count(&browser, ".project-board .pawn"), 1, "it stands somewhere");
    assert!(browser.text(".whose").starts_with("What player 1 knows"), "{}", browser.text(".whose"));
    for words in ["seen in the last 3 s", "seen earlier", "no goal here", "told by another player"] {
        assert!(legend(&browser).contains(words), "{words}: {}", legend(&browser));
    }

    // At once, another player's message adds tiles that are too far away for this player to see.
    assert_eq!(count(&browser, ".project-board .heard"), 0);
    let (id, [first, _, third, _]) = (uuid(1, 500), &mut lines[..]) else { panic!("four players") };
    tell(first, third, [&id, ""], "<Request/>");
    tell(third, first, [&uuid(3, 500), &id], "<Response><Result>Allow</Result></Response>");
    tell(first, third, [&uuid(1, 501), &id], &tile(9, 19, "NonGoal"));
    tell(third, first, [&uuid(3, 501), &id], &tile(7, 18, "Piece"));
    browser.until("document.querySelectorAll('.project-board .heard').length === 1");
    point_at(&browser, 7, 18);
    let note = browser.text(".tile-note");
    assert!(note.starts_with("(7, 18): a piece") && note.ends_with("s ago and told by player 3"), "{note}");
    browser.screenshot("project-player-1920-light");
    browser.click(".truth");
    browser.until("document.querySelectorAll('.project-board .goal').length === 6");

    // The page shows a lost connection, and the search finds the events of one player.
    drop(lines.pop());
    browser
        .until("document.querySelector('.project-players tr[data-player=\"4\"] .connection').textContent === ' lost'");
    browser.type_into("#search", "discovers");
    browser.until("document.querySelector('#matches').textContent.includes('24')");
    assert_eq!(browser.script("return window.remembered", json!([])), json!("yes"), "all of it without a reload");

    // Back to the start, and forward step by step.
    browser.click("#first");
    browser.until("document.querySelector('.project .phase b')?.textContent === 'Lobby'");
    assert_eq!(count(&browser, ".project-board .pawn"), 0);
    browser.click("#last");
    browser.until(RUNS);
    browser.is_quiet();

    // Red has no players left. The game is over, and any host shows its whole state.
    lines.clear();
    browser.until("document.querySelector('.project .phase b')?.textContent === 'Over'");
    let site = site.into_host();
    browser.open(&site.url(&format!("/games/{game}?step=30")));
    browser.until("document.body.dataset.ready === 'true'");
    assert_eq!(count(&browser, ".project-board .goal.open"), 6, "the truth of a game that is over");
    browser.press(&[key::END]);
    browser.until("document.querySelector('.project .phase b')?.textContent === 'Over'");
    browser.click(".project-players tr[data-player=\"3\"]");
    browser.until("document.querySelectorAll('.project-board .heard').length === 1");
    browser.until("document.querySelector('.project .outcome')?.textContent.startsWith('Timeout')");
    browser.is_quiet();
    exported::open(&browser, &exported::download(&site, &game), 30);
    assert_eq!(count(&browser, ".project-board .goal.open"), 6, "in the exported page");
}

/// At all widths nothing is cut off, and no part of a wide screen stays empty.
#[test]
fn the_page_fits_at_all_widths() {
    let Some(browser) = Browser::start() else { return };
    let folder = Scratch::new("project-widths");
    let words = ["project", "demo", "--config", "team", "--pace", "40", "--games", "1", "--seed", "1"];
    let site = Site::start_pages(&words, "view on http://", folder);
    let game = site.games("finished", 1).swap_remove(0);
    let axe = axe::script();
    for (width, height) in [(1440, 900), (1920, 1080), (390, 844)] {
        browser.resize(width, height);
        browser.open(&site.url(&format!("/games/{game}?step=400")));
        browser.until("document.body.dataset.ready === 'true'");
        for looked in [false, true] {
            if looked {
                let row = ".project-players tr[data-player=\"2\"]";
                // The controls stay at the lower edge of a small page.
                browser
                    .script("document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })", json!([row]));
                browser.click(row);
                browser.until("document.querySelectorAll('.project-board .tile').length > 0");
            }
            let cut = browser.script(
                "const boxes = [document.documentElement, ...document.querySelectorAll('.project, .project-side, .project-players, .cards')];
                 return boxes.filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.className)",
                json!([]),
            );
            assert_eq!(cut, json!([]), "at {width}");
            browser.screenshot(&format!("project-{}-{width}", if looked { "known" } else { "truth" }));
            if let Some(axe) = &axe {
                axe::check(&browser, axe);
                browser.prefer("light");
            }
        }
        if width == 1920 {
            let filled = browser.script(
                "const side = document.querySelector('.project-side').getBoundingClientRect();
                 return (document.querySelector('.cards').getBoundingClientRect().bottom - side.top) / side.height",
                json!([]),
            );
            assert!(filled.as_f64() > Some(0.67), "only {filled} of the side is used");
        }
    }
    browser.is_quiet();
}

/// Another host shows only the public board of a running game, without positions.
#[test]
fn another_host_shows_no_secrets() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::project(CONFIGURATION);
    let _lines = players(&site);
    let site = site.into_host();
    let game = site.games("running", 1).swap_remove(0);
    browser.open(&site.url(&format!("/games/{game}")));
    browser.until(RUNS);
    assert_eq!(count(&browser, ".project-players tbody tr"), 4);
    assert_eq!(
        count(&browser, ".project-board .goal, .project-board .piece, .project-board .pawn, .project-board .tile"),
        0
    );
    assert!(browser.text(".whose").starts_with("What everybody may know"), "{}", browser.text(".whose"));
    browser.is_quiet();
}
