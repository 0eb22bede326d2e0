//! Crazyhouse in a browser: people who play, positions without a game, and replays.

mod accounts;
mod analysing;
mod firefox;
mod planning;
mod talking;
mod undoing;

use std::{
    io::{BufRead, BufReader, Write},
    net::{SocketAddr, TcpStream},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{
    browser::{axe, exported, last, pages::policy_holds},
    driver::{Browser, key},
    site::Site,
};

impl Site {
    /// Plays these moves in a game over TCP. Ana is White, and Bo is Black.
    fn crazyhouse(&self, scenario: &str, moves: &[&str]) -> String {
        let create = json!({"create": {"rulebook": "crazyhouse", "scenario": scenario}});
        let (mut white, game) = Seat::take(self.port(), &create, None, "Ana", "white");
        let (black, _) = Seat::take(self.port(), &json!({"join": {}}), Some(&game), "Bo", "black");
        white.until("Began");
        let mut seats = [white, black];
        for (number, text) in moves.iter().enumerate() {
            seats[number % 2].say(&json!({"command": {"Move": {"text": text}}}));
            seats[number % 2].until("Moved");
            seats[1 - number % 2].until("Moved");
        }
        game
    }

    /// The answer of the host for a position text.
    fn position(&self, text: &str) -> Value {
        self.lines(&format!("/api/v1/rulebooks/crazyhouse/position?{}", text.replace(' ', "+"))).swap_remove(0)
    }
}

/// A player over TCP.
struct Seat {
    lines: std::io::Lines<BufReader<TcpStream>>,
    stream: TcpStream,
}

impl Seat {
    fn take(address: SocketAddr, want: &Value, game: Option<&str>, name: &str, side: &str) -> (Self, String) {
        Self::connect(address).enter(want, game, name, side)
    }

    fn connect(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).expect("a connection");
        let lines = BufReader::new(stream.try_clone().expect("the same")).lines();
        Self { lines, stream }
    }

    fn enter(mut self, want: &Value, game: Option<&str>, name: &str, side: &str) -> (Self, String) {
        self.say(&json!({"hello": {"protocol": 1, "want": want, "game": game}}));
        let welcome = self.next();
        let game = welcome["welcome"]["game"].as_str().unwrap_or_else(|| panic!("{welcome}")).to_owned();
        self.say(&json!({"command": {"Join": {"name": name, "side": side}}}));
        self.until("Seated");
        (self, game)
    }

    fn say(&mut self, message: &Value) {
        writeln!(self.stream, "{message}").expect("sent");
    }

    fn next(&mut self) -> Value {
        let line = self.lines.next().expect("not the end").expect("a line");
        serde_json::from_str(&line).expect("JSON")
    }

    /// Waits for an event of a kind.
    fn until(&mut self, kind: &str) {
        loop {
            let message = self.next();
            assert!(message.pointer("/event/event/Refused").is_none(), "{message}");
            if message["event"]["event"].get(kind).is_some() {
                return;
            }
        }
    }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/";

fn square(name: &str) -> String {
    format!("[data-square={name}]")
}

/// The board text as the page shows it, read from its squares and pockets.
fn shown(browser: &Browser) -> String {
    let script = "
        const at = (square) => document.querySelector(`[data-square=${square}] .piece`)?.dataset.piece ?? '1';
        const ranks = [...'87654321'].map((rank) => [...'abcdefgh'].map((file) => at(file + rank)).join(''));
        const held = [...document.querySelectorAll('.held')].map((held) =>
            held.dataset.drop.repeat(Number(held.querySelector('.count').textContent.slice(1)))).join('');
        const shortest = (rank) => rank.replace(/1+/g, (run) => run.length);
        return ranks.map(shortest).join('/') + '/' + [...held].sort().join('')";
    browser.script(script, json!([])).as_str().expect("a board").to_owned()
}

/// Creates a game in the lobby and returns its name.
fn create(browser: &Browser, site: &Site, name: &str, side: &str, more: impl FnOnce(&Browser)) -> String {
    browser.open(&site.url("/crazyhouse"));
    browser.until("document.body.dataset.ready === 'true'");
    browser.type_into("#new [name=name]", name);
    browser.click(&format!("#new label:has([name=side][value='{side}'])"));
    more(browser);
    browser.click("#new button.primary");
    browser.until("location.pathname.startsWith('/crazyhouse/play/') && document.body.dataset.ready === 'true'");
    browser.until("document.body.dataset.side !== 'none'");
    browser.address().rsplit('/').next().expect("a name").to_owned()
}

/// Opens the invitation link, and takes a side.
fn join(browser: &Browser, link: &str, name: &str, side: &str) {
    browser.open(link);
    browser.until("!document.querySelector('#join').hidden");
    browser.type_into("#join [name=name]", name);
    browser.click(&format!("#join [data-side={side}]"));
    browser.until(&format!("document.body.dataset.side === '{side}'"));
}

/// Waits until it is this player's turn and the page has its moves.
#[track_caller]
fn may_move(browser: &Browser, number: usize) {
    browser.until(&format!("document.body.dataset.move === '{number}' && Number(document.body.dataset.moves) > 0"));
}

#[track_caller]
fn sees_move(browser: &Browser, number: usize) {
    browser.until(&format!("Number(document.body.dataset.move) >= {number}"));
}

/// Makes a move by clicks.
#[track_caller]
fn click(browser: &Browser, number: usize, from: &str, to: &str) {
    may_move(browser, number - 1);
    browser.click(&square(from));
    browser.until(&format!("document.querySelector('[data-square={to}]').dataset.target"));
    browser.click(&square(to));
    sees_move(browser, number);
}

fn words(browser: &Browser) -> String {
    browser.text("#status")
}

/// A pair of moves in the list, each in both notations.
fn pair(browser: &Browser, number: usize) -> String {
    let moves = "return [...document.querySelectorAll(`#played li:nth-child(${arguments[0]}) button`)]
        .map((move) => move.innerText.replace(/\\s+/g, ' ')).join(', ')";
    browser.script(moves, json!([number])).as_str().expect("moves").to_owned()
}

#[test]
fn two_people_play_to_a_mate_and_a_third_watches() {
    let (Some(ana), Some(bo), Some(cyd)) = (Browser::start(), Browser::start(), Browser::start()) else { return };
    let site = Site::host();
    let game = create(&ana, &site, "Ana", "white", |ana| ana.click("#new label:has([value=blitz])"));
    ana.until("!document.querySelector('#invite').hidden");
    let link = ana.script("return document.querySelector('#link').value", json!([]));
    let link = link.as_str().expect("a link");
    assert_eq!(link, site.url(&format!("/crazyhouse/play/{game}")));
    assert_eq!(words(&ana), "Waiting for the other player.");

    bo.open(&site.url("/crazyhouse"));
    bo.until(&format!("document.querySelector('#games [data-name=\"{game}\"] a')?.textContent.startsWith('Join')"));
    join(&bo, link, "Bo", "black");
    cyd.open(link);
    cyd.until(
        "document.body.dataset.ready === 'true' && document.querySelector('#status').textContent.startsWith('Ana')",
    );
    for browser in [&ana, &bo] {
        browser.until("!document.querySelector('#actions').hidden && document.querySelector('.clock').textContent");
    }
    let controls =
        "return ['actions', 'join', 'offer', 'invite', 'after'].filter((id) => !document.getElementById(id).hidden)";
    assert_eq!(cyd.script(controls, json!([])), json!([]), "a spectator has no controls");

    // White clicks, Black drags with the mouse, White uses the keyboard, Black a finger.
    click(&ana, 1, "f2", "f3");
    assert_eq!(cyd.script("return document.querySelectorAll('[data-target], [data-can]').length", json!([])), json!(0));
    may_move(&bo, 1);
    assert!(words(&bo).starts_with("It is your move"), "{}", words(&bo));
    assert!(words(&ana).starts_with("Bo (black) is to move"), "{}", words(&ana));
    bo.drag("mouse", &square("e7"), &square("e5"));
    sees_move(&bo, 2);
    may_move(&ana, 2);
    ana.script("document.querySelector('[data-square][tabindex=\"0\"]').focus()", json!([]));
    keys_to(&ana, "g2");
    ana.press(&[key::ENTER]);
    ana.until("document.querySelector('[data-square=g4]').dataset.target");
    let label = ana.script("return document.querySelector('[data-square=g4]').getAttribute('aria-label')", json!([]));
    assert_eq!(label, json!("g4, empty, can be reached"));
    ana.press(&[key::UP, key::UP, ' ']);
    sees_move(&ana, 3);
    may_move(&bo, 3);
    // A piece does not move to a square that it cannot reach.
    bo.drag("mouse", &square("d8"), &square("d4"));
    assert_eq!(bo.script("return document.body.dataset.move", json!([])), json!("3"));
    bo.drag("touch", &square("d8"), &square("h4"));

    for browser in [&ana, &bo, &cyd] {
        browser.until("document.querySelector('#status').textContent === 'Black wins: checkmate.'");
        sees_move(browser, 4);
        assert_eq!(shown(browser), "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR/");
        browser.until("document.querySelector('[data-square=e1]').dataset.check");
        browser.until("document.querySelector('[data-square=h4]').dataset.last");
        browser.until("document.querySelector('[data-at=\"4\"] .san').textContent !== ''");
        assert_eq!(pair(browser, 2), "g4 g2-g4, Qh4# d8-h4+");
        assert_eq!(browser.text("#played .result"), "0-1");
        browser.is_quiet();
    }
    ana.until("!document.querySelector('#rematch').hidden");
    assert_eq!(cyd.script("return document.querySelector('#rematch').hidden", json!([])), json!(true));
    let told = site.get(&format!("/api/v1/games?q={game}")).body;
    assert!(told.contains("Black wins: checkmate"), "{told}");
}

/// Moves the focus with the arrow keys.
fn keys_to(browser: &Browser, to: &str) {
    let at = browser.script("return document.activeElement.dataset.square", json!([]));
    let at = at.as_str().expect("a square has the focus").as_bytes().to_vec();
    let [files, ranks] =
        [i16::from(to.as_bytes()[0]) - i16::from(at[0]), i16::from(to.as_bytes()[1]) - i16::from(at[1])];
    let mut keys = vec![if files < 0 { key::LEFT } else { key::RIGHT }; files.unsigned_abs().into()];
    keys.extend(vec![if ranks < 0 { key::DOWN } else { key::UP }; ranks.unsigned_abs().into()]);
    browser.press(&keys);
    browser.until(&format!("document.activeElement.dataset.square === '{to}'"));
}

/// A custom start position, drops by drag and click, a reload, looking back, a draw, and a rematch with changed sides.
#[test]
fn a_game_with_everything_that_is_said_in_it() {
    let (Some(ana), Some(bo)) = (Browser::start(), Browser::start()) else { return };
    let site = Site::host();
    let hostile = "<img src=x onerror=\"window.hacked=1\">";
    let game = create(&ana, &site, "Ana", "white", |ana| {
        ana.click("#new summary");
        ana.type_into("#new [name=board]", "4k3/8/8/8/8/8/8/4K3/PRRx");
        ana.until("document.querySelector('#wrong mark')?.dataset.column === '24'");
        ana.click("#new button.primary");
        ana.script("document.querySelector('#new [name=board]').value = ''", json!([]));
        // The page can draw this position, but the host refuses to play it and gives the reason.
        ana.type_into("#new [name=board]", "4R1k1/5ppp/8/8/8/8/8/6K1/ b");
        ana.until("document.querySelector('#preview [data-square=g8]')?.dataset.check");
        ana.click("#new button.primary");
        ana.until("document.querySelector('#new .error').textContent.includes('is mated')");
        ana.script("document.querySelector('#new [name=board]').value = ''", json!([]));
        ana.type_into("#new [name=board]", "4k3/8/8/8/8/8/8/4K3/RRPnn");
        ana.until("document.querySelectorAll('#preview .held:not([data-empty])').length === 3");
        // The browser's log has only the requests that were answered with an error.
        assert!(ana.console().iter().all(|line| line.contains("400")));
    });
    join(&bo, &site.url(&format!("/crazyhouse/play/{game}")), hostile, "black");
    ana.until("document.querySelector('.top-seat bdi')?.textContent.startsWith('<img')");
    assert_eq!(ana.script("return window.hacked ?? null", json!([])), json!(null));
    assert_eq!(shown(&ana), "4k3/8/8/8/8/8/8/4K3/PRRnn");
    let (top, bottom) = (
        bo.script("return document.querySelector('.crazyhouse-board > :first-child').dataset.side", json!([])),
        bo.script("return document.querySelector('.crazyhouse-board > :last-child').dataset.side", json!([])),
    );
    assert_eq!((top, bottom), (json!("white"), json!("black")), "each sees the own pocket below");

    may_move(&ana, 0);
    ana.drag("mouse", "[data-drop=R]", &square("a4"));
    sees_move(&ana, 1);
    may_move(&bo, 1);
    bo.click("[data-drop=n]");
    bo.until("document.querySelector('[data-square=c3]').dataset.target");
    bo.click(&square("c3"));
    sees_move(&bo, 2);
    click(&ana, 3, "a4", "c4");
    assert_eq!(shown(&ana), "4k3/8/8/8/2R5/2n5/8/4K3/PRn");

    // A reload keeps the seat, and the history has a way back to the current move.
    may_move(&bo, 3);
    bo.reload();
    may_move(&bo, 3);
    bo.until("document.body.dataset.side === 'black'");
    bo.click("#played [data-at='1']");
    bo.until("document.body.dataset.looked === '1' && !document.querySelector('#back').hidden");
    assert_eq!(shown(&bo), "4k3/8/8/8/R7/8/8/4K3/PRnn");
    assert_eq!(
        bo.script("return document.querySelectorAll('[data-can]').length", json!([])),
        json!(0),
        "not from there"
    );
    bo.press(&[key::LEFT]);
    bo.until("document.body.dataset.looked === '0'");
    bo.click("#now");
    bo.until("document.body.dataset.looked === '3' && document.querySelector('#back').hidden");
    click(&bo, 4, "c3", "e4");
    ana.click("#played [data-at='2']");
    ana.until("document.body.dataset.looked === '2'");
    ana.press(&[key::END]);
    ana.until("document.body.dataset.looked === '4'");

    bo.click("#draw");
    ana.until("!document.querySelector('#offer').hidden");
    ana.click("#decline");
    bo.until("document.querySelector('#status').textContent.includes('White declined the draw')");
    click(&ana, 5, "c4", "c7");
    ana.click("#draw");
    ana.until("document.querySelector('#status').textContent.includes('You have offered a draw')");
    bo.until("!document.querySelector('#offer').hidden");
    bo.click("#accept");
    for browser in [&ana, &bo] {
        browser.until("document.querySelector('#status').textContent === 'Draw: by agreement.'");
        browser.is_quiet();
    }

    ana.click("#rematch");
    ana.until(&format!("location.pathname === '/crazyhouse/play/{game}-2' && document.body.dataset.side === 'black'"));
    bo.until("document.querySelector('#rematch').textContent === 'Play the rematch'");
    bo.click("#rematch");
    bo.until("document.body.dataset.side === 'white'");
    may_move(&bo, 0);
    assert_eq!(shown(&ana), "4k3/8/8/8/8/8/8/4K3/PRRnn", "the same start");
    bo.click("#resign");
    bo.until("document.querySelector('#resign-dialog').open");
    if let Some(axe) = axe::script() {
        axe::check(&bo, &axe);
    }
    bo.click("#resign-dialog .cancel");
    bo.until("!document.querySelector('#resign-dialog').open");
    bo.click("#resign");
    bo.click("#resign-now");
    for browser in [&ana, &bo] {
        browser.until("document.querySelector('#status').textContent === 'Black wins: resignation.'");
        browser.is_quiet();
    }
}

#[test]
fn a_host_that_comes_back_has_the_seats() {
    let (Some(ana), Some(bo)) = (Browser::start(), Browser::start()) else { return };
    let site = Site::host();
    let game = create(&ana, &site, "Ana", "white", |_| ());
    join(&bo, &site.url(&format!("/crazyhouse/play/{game}")), "Bo", "black");
    click(&ana, 1, "e2", "e4");
    may_move(&bo, 1);
    for browser in [&ana, &bo] {
        browser.will_lose_connection();
    }
    let site = site.restarted();
    for browser in [&ana, &bo] {
        browser.reconnects();
        browser.until("document.querySelector('#connection').hidden");
    }
    may_move(&bo, 1);
    click(&bo, 2, "e7", "e5");
    sees_move(&ana, 2);
    // Another window of the same browser takes the seat. This window shows that, and does not take the seat back. It may be hidden
    // behind the other one, and plays on all the same.
    let there = ana.address();
    ana.script("window.open(arguments[0])", json!([there]));
    ana.until("document.querySelector('#message').textContent.includes('another window')");
    ana.click("#message button");
    may_move(&ana, 2);
    drop(site);
    ana.until("!document.querySelector('#connection').hidden");
}

#[test]
fn any_position_is_drawn() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::host();
    let page = |text: &str| site.url(&format!("/crazyhouse/board?{}", text.replace(' ', "%20")));
    for (text, board, facts, moves) in [
        ("", START, "White is to move: 20 legal moves.", 20),
        (START, START, "The text does not say whose move it is.", 0),
        ("4k3/8/8/8/8/8/8/4K3/ b", "4k3/8/8/8/8/8/8/4K3/", "Black is to move: 5 legal moves.", 5),
        ("4k3/44/8/8/8/8/8/4K3/pRbB w", "4k3/8/8/8/8/8/8/4K3/BRbp", "White is to move: 129 legal moves.", 129),
        ("6k1/5ppp/8/8/8/8/8/4R1K1/ b", "6k1/5ppp/8/8/8/8/8/4R1K1/", "Black is to move", 0),
        ("4R1k1/5ppp/8/8/8/8/8/6K1/ b", "4R1k1/5ppp/8/8/8/8/8/6K1/", "Black is mated.", 0),
    ] {
        browser.open(&page(text));
        browser.until("document.body.dataset.ready === 'true'");
        assert_eq!(shown(&browser), board, "{text}");
        let told = browser.text("#facts");
        assert!(told.starts_with(facts), "{text}: {told}");
        if moves > 0 {
            let listed = browser.script("return document.querySelectorAll('#moves li').length", json!([]));
            assert_eq!(listed, json!(moves), "{text}");
            let first =
                site.position(if text.is_empty() { "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/ w" } else { text });
            assert_eq!(json!(browser.text("#moves li")), first["moves"][0]);
        }
    }
    browser.is_quiet();
    for (text, column, words) in [
        ("4k3/8/8/8/8/8/8/4K3", 20, "eight ranks and the pockets"),
        ("4k3/8/8/8/7x/8/8/4K3/", 12, "no piece"),
        ("4k3/8/8/8/8/8/8/4K4/", 19, "more than 8 squares"),
        ("4k3/8/8/8/8/8/8/4K3/K", 21, "holds no king"),
        ("4k3/8/8/8/8/8/8/4K3/ x", 22, "neither w nor b"),
        ("<b>bold</b>", 1, "no piece"),
    ] {
        browser.open(&page(text));
        browser.until("!document.querySelector('#wrong').hidden");
        let told = browser.text("#wrong");
        assert!(told.contains(words) && told.contains(&format!("olumn {column}:")), "{text}: {told}");
        let mark = browser.script(
            "const code = document.querySelector('#wrong code');
             return [code.querySelector('mark').dataset.column, code.firstChild.data.length + 1, code.textContent.trimEnd()]",
            json!([]),
        );
        let expected = text.trim_end();
        assert_eq!(mark, json!([column.to_string(), column, expected]), "{text}");
    }
    // The user can correct the text in the page, and the address follows.
    browser.script("document.querySelector('#text').value = '4k3/8/8/8/8/8/8/4K3/ w'", json!([]));
    browser.click("#form button");
    browser.until("document.body.dataset.ready === 'true' && document.querySelector('#wrong').hidden");
    assert!(browser.address().ends_with("/crazyhouse/board?4k3/8/8/8/8/8/8/4K3/+w"), "{}", browser.address());
}

#[test]
fn a_finished_game_is_looked_at() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::host();
    let moves = ["e2-e4", "d7-d5", "e4-d5", "d8-d5", "P-e6", "p-e4", "e6-f7", "e8-d8", "f7-g8", "d5-d2", "d1-d2"];
    let scenario = format!("{{\"clock\":{{\"initial\":300}},\"most_moves\":{}}}", moves.len());
    let game = site.crazyhouse(&scenario, &moves);
    site.games("finished", 1);
    browser.open(&site.url(&format!("/games/{game}?step=0")));
    browser.shows(0);
    let end = last(&browser);
    assert_eq!(end, 3 + moves.len() as u64 + 1, "two join, it begins, the moves, the end");
    let path = format!("/api/v1/games/{game}/chronicle?from=0&steps=500");
    let lines = site.lines(&path);
    let mut board = lines[0]["checkpoint"]["picture"]["board"].clone();
    let events = lines.iter().filter_map(|line| line["entry"]["events"].as_array()).flatten();
    let mut boards = vec![board.clone()];
    for event in events.filter(|event| !event["step"].is_null()) {
        for change in event["patch"].as_array().expect("changes") {
            if change[0] == json!("/board") {
                board = change[2].clone();
            }
        }
        boards.push(board.clone());
    }
    assert_eq!(boards.len() as u64, end + 1);
    // The same game as a page, from the disk: with the pieces.
    let folder = exported::download(&site, &game);
    exported::open(&browser, &folder, 10);
    assert_eq!(json!(shown(&browser)), boards[10]);
    assert_eq!(
        browser.script("return document.querySelector('.piece use, .piece path') !== null", json!([])),
        json!(true)
    );
    exported::runs_nothing_else(&browser);
    browser.open(&site.url(&format!("/games/{game}?step=0")));
    browser.shows(0);
    for (step, board) in boards.iter().enumerate() {
        if step > 0 {
            browser.press(&[key::RIGHT]);
        }
        browser.shows(step as u64);
        assert_eq!(json!(shown(&browser)), *board, "step {step}");
        let values = browser.script(
            "return Object.fromEntries([...document.querySelectorAll('#board [data-at]')].map((node) => [node.dataset.at, JSON.parse(node.dataset.is)]))",
            json!([]),
        );
        assert_eq!(values["/board"], *board);
        assert_eq!(values.as_object().map(serde_json::Map::len), Some(13), "{values}");
    }
    assert!(browser.text("#board").contains("Draw: as many moves as this game may have"), "{}", browser.text("#board"));
    assert_eq!(browser.script("return document.querySelectorAll('.plot').length", json!([])), json!(6));
    assert!(browser.text("#events").contains("P-e6, drops a pawn on e6"), "{}", browser.text("#events"));

    // A link opens the moment, with plots, search and downloads as in every game.
    browser.open(&site.url(&format!("/games/{game}?step=6")));
    browser.shows(6);
    assert_eq!(json!(shown(&browser)), boards[6]);
    assert_eq!(browser.text("#now-round"), "2");
    browser.type_into("#search", "drops");
    browser.until("document.querySelector('#matches').textContent.includes('2 matches')");
    let hidden = "return ['jsonl', 'csv', 'script'].map((kind) => document.querySelector(`#download-${kind}`).hidden)";
    assert_eq!(browser.script(hidden, json!([])), json!([false, false, true]), "there are no scripts of it");
    let csv = site.get(&format!("/api/v1/games/{game}/export/csv"));
    assert_eq!(
        (csv.status, csv.body.lines().next()),
        (200, Some("round,step,material,white,black,W pocket,B pocket,moves"))
    );
    assert_eq!(browser.script("return document.querySelector('#play-page').hidden", json!([])), json!(true));
    browser.is_quiet();

    // A fork continues in the browser: a player who takes one of its seats plays on.
    browser.click("#fork");
    browser.click("#fork-seats label:has([value=''])");
    browser.click("#fork-form .primary");
    browser.until("location.pathname.startsWith('/crazyhouse/play/') && document.querySelector('#join') && !document.querySelector('#join').hidden");
    browser.click("#join [data-side=black]");
    browser.until("document.body.dataset.side === 'black'");
    click(&browser, 4, "d8", "d5");
    assert_eq!(json!(shown(&browser)), boards[7], "as it was before");
    browser.is_quiet();
}

#[test]
fn the_list_has_games_of_crazyhouse() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::host();
    browser.open(&site.url("/"));
    browser.until("document.querySelector('#rulebooks a')");
    assert_eq!(browser.text("#rulebooks a[href=\"/crazyhouse\"]"), "Play now");
    browser.click("#new-game");
    browser.until(
        "[...document.querySelectorAll('#new-form [name=scenario]')].some(({ value }) => value.includes('rapid'))",
    );
    browser.click("#new-form label:has([value*=rapid])");
    browser.click("#new-form .primary");
    // The page for every game leads to the one of the rulebook.
    browser.until("location.pathname.startsWith('/crazyhouse/play/') && document.body.dataset.ready === 'true'");
    let game = site.games("running", 1).swap_remove(0);
    browser.open(&site.url(&format!("/games/{game}")));
    browser.until("document.body.dataset.live === 'true' && !document.querySelector('#play-page').hidden");
    browser.until("document.body.dataset.ready === 'true'");
    assert_eq!(shown(&browser), START);
    browser.open(&site.url("/?rulebook=crazyhouse"));
    browser.until(&format!("document.querySelector('#games [data-name=\"{game}\"]')"));
    browser.click("#rulebooks a[href=\"/crazyhouse\"]");
    browser.until("location.pathname === '/crazyhouse'");
    browser.until(&format!("document.querySelector('#games [data-name=\"{game}\"] a')"));
    browser.is_quiet();
}

/// Light, dark and small screens, with all pieces on the board.
#[test]
fn the_pages_fit_and_have_both_colours() {
    let Some(browser) = Browser::start() else { return };
    let axe = axe::script();
    let site = Site::host();
    let moves = "e2-e4 d7-d5 e4-d5 d8-d5 b1-c3 d5-d4 g1-f3 d4-f4 P-e6 c8-e6 d2-d4 f4-c1 a1-c1 p-g3";
    let moves: Vec<&str> = moves.split(' ').collect();
    let game = site.crazyhouse("blitz", &moves);
    let pages = [
        ("lobby", "/crazyhouse".to_owned()),
        ("play", format!("/crazyhouse/play/{game}")),
        ("position", "/crazyhouse/board?rnbqkbnr/pp2pppp/8/3p4/8/5N2/PPPPPPPP/RNBQKB1R/BNPqr+w".to_owned()),
        ("wrong", "/crazyhouse/board?rnbqkbnr/pp2pppp/8/3p4/8/5N3/PPPPPPPP/RNBQKB1R/+w".to_owned()),
        ("replay", format!("/games/{game}?step=9")),
        ("analysis", format!("/crazyhouse/analysis?pgn={}", moves.join("+"))),
        ("import", "/crazyhouse/analysis".to_owned()),
    ];
    for (width, height) in [(360, 740), (740, 360), (800, 1000), (1400, 900)] {
        browser.resize(width, height);
        for (name, path) in &pages {
            for colours in ["light", "dark"] {
                browser.prefer(colours);
                browser.open(&site.url(path));
                browser.until("document.body.dataset.ready === 'true'");
                let wide = browser.script("return document.documentElement.scrollWidth", json!([]));
                assert!(wide.as_u64() <= Some(width.into()), "{path} is {wide} wide on {width}");
                if !["lobby", "wrong", "import"].contains(name) && width != 740 {
                    is_drawn(&browser, width);
                }
                browser.screenshot(&format!("crazyhouse-{name}-{width}-{colours}"));
            }
            if let Some(axe) = axe.as_ref().filter(|_| [360, 1400].contains(&width)) {
                axe::check(&browser, axe);
            }
        }
    }
}

/// A late spectator sees how long the side to move has been thinking.
#[test]
fn clocks_are_right_for_whoever_comes_late() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::host();
    let game = site.crazyhouse("blitz", &["e2-e4"]);
    let moved = Instant::now();
    std::thread::sleep(Duration::from_secs(8));
    browser.open(&site.url(&format!("/crazyhouse/play/{game}")));
    browser.until("document.querySelector('.clock')?.textContent");
    let left = "(side) => { const [m, s] = document.querySelector(`[data-side=${side}] .clock`).textContent.split(':'); return 60 * m + Number(s); }";
    browser.until(&format!("({left})('black') <= 173"));
    // A page that starts counting only when it is opened would be at least eight seconds behind.
    let thought = moved.elapsed().as_secs();
    let black = browser.script(&format!("return ({left})('black')"), json!([]));
    assert!(black.as_u64().is_some_and(|black| black + thought <= 182), "{black} s are left after {thought} s");
    let white = browser.script(&format!("return ({left})('white')"), json!([]));
    assert!(white.as_u64() >= Some(180), "{white} seconds: the waiting side loses no time");
}

/// The pieces are visible, each within its square, and the squares are square and large enough.
fn is_drawn(browser: &Browser, width: u32) {
    // The last move may still slide to its square.
    let wrong = browser.script(
        "document.getAnimations().filter(({ effect }) => effect.target.matches('.piece')).forEach((one) => one.finish());
        return [...document.querySelectorAll('[data-square]')].map((cell) => {
            const [box, piece] = [cell.getBoundingClientRect(), cell.querySelector('use')?.getBoundingClientRect()];
            const inside = !piece || (piece.width > box.width / 4 && piece.left >= box.left && piece.right <= box.right
                && piece.top >= box.top && piece.bottom <= box.bottom);
            const square = Math.abs(box.width - box.height) < 1 && box.width >= Math.min(40, (arguments[0] - 40) / 8);
            return inside && square ? null : [cell.dataset.square, box, piece];
        }).filter(Boolean)",
        json!([width]),
    );
    assert_eq!(wrong, json!([]), "at {}", browser.address());
    assert!(
        browser.script("return document.querySelectorAll('[data-square] use').length", json!([])).as_u64() > Some(20)
    );
}

/// Every element that can have the focus has a name.
#[test]
fn everything_has_a_name() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::host();
    let game = site.crazyhouse("standard", &["e2-e4", "d7-d5", "e4-d5", "d8-d5"]);
    let analysis = "/crazyhouse/analysis?pgn=1.+e4+d5+2.+exd5";
    for path in ["/crazyhouse", &format!("/crazyhouse/play/{game}"), "/crazyhouse/board", analysis] {
        browser.open(&site.url(path));
        browser.until("document.body.dataset.ready === 'true'");
        let unnamed: Value = browser.script(
            "const named = (node) => node.getAttribute('aria-label') || node.textContent.trim() || node.labels?.[0]?.textContent.trim() || node.title;
             return [...document.querySelectorAll('a, button, input, select, summary, [tabindex], [role=gridcell]')]
                .filter((node) => !named(node)).map((node) => node.outerHTML)",
            json!([]),
        );
        assert_eq!(unnamed, json!([]), "{path}");
    }
}

/// A game against a bot of the host: the bot takes its seat, answers, and plays again with changed sides.
#[test]
fn a_person_plays_against_a_bot() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::host();
    let game = create(&browser, &site, "Ana", "white", |browser| {
        browser.until("document.querySelectorAll('#opponents label').length > 1");
        browser.click("#opponents label:nth-child(2)");
    });
    let bots = site.lines("/api/v1/bots").swap_remove(0);
    let of_crazyhouse =
        bots["bots"].as_array().and_then(|bots| bots.iter().find(|bot| bot["rulebook"] == "crazyhouse"));
    let bot = of_crazyhouse.expect("a bot")["name"].clone();
    may_move(&browser, 0);
    assert_eq!(json!(browser.text(".top-seat bdi")), bot);
    click(&browser, 1, "e2", "e4");
    may_move(&browser, 2);
    // A bot allows takebacks, and answers the same move again.
    browser.click("#takeback");
    may_move(&browser, 0);
    click(&browser, 1, "e2", "e4");
    may_move(&browser, 2);
    browser.click("#resign");
    browser.click("#resign-now");
    browser.until("document.querySelector('#status').textContent === 'Black wins: resignation.'");
    browser.click("#rematch");
    browser
        .until(&format!("location.pathname === '/crazyhouse/play/{game}-2' && document.body.dataset.side === 'black'"));
    may_move(&browser, 1);
    browser.is_quiet();
}

#[test]
fn the_policy_holds() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::host();
    for path in ["/crazyhouse", "/crazyhouse/board", "/crazyhouse/analysis"] {
        policy_holds(&browser, &site, path);
    }
}
