//! The page agrees with the rules: at random steps of finished games, every value on the board equals the value that folding
//! the log gives.

use std::collections::BTreeMap;

use colony_rules::{Board, Game};
use engine::{Audience, Emission, Entry, EntryOf, Header, JavaRandom, Projection, Replay, Shown};
use serde_json::{Value, json};
use server::log::LogReader;

use crate::{
    browser::last,
    driver::Browser,
    show,
    site::Site,
    stored::{self, wait},
};

const GAMES: i64 = 20;
const MOMENTS: usize = 10;

/// Values by their path in the picture.
type Shows = BTreeMap<String, Value>;

#[test]
fn the_board_is_the_one_of_the_rules() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::host();
    let strategies = ["sensible", "random"];
    for seed in 1..=GAMES {
        let names = ["Ana", "Bo", "Cyd", "Dee", "Eli"];
        let count = 1 + (seed % 5) as usize;
        let players = names.iter().zip(strategies.iter().cycle()).map(|(name, bot)| (*name, *bot));
        site.play(&players.take(count).collect::<Vec<_>>(), seed);
    }

    let mut random = JavaRandom::new(20);
    let mut seen: Vec<(String, u64, Shows)> = Vec::new();
    for game in site.games("finished", GAMES as usize) {
        browser.open(&site.url(&format!("/games/{game}?step=0")));
        browser.shows(0);
        let last = last(&browser);
        for _ in 0..MOMENTS {
            let step = random.next_below(last as i32 + 1) as u64;
            seen.push((game.clone(), step, look(&browser, step)));
        }
    }
    browser.is_quiet();

    let (file, _folder) = site.into_log();
    let log = stored::open(&file).expect("the log of the host");
    let mut values = 0;
    for (game, step, shows) in &seen {
        let expected = picture(&*log, game, *step);
        assert!(shows.len() > 40, "only {} values are shown at {step} of {game}", shows.len());
        for (pointer, shown) in shows {
            let is = expected.pointer(pointer);
            assert_eq!(is, Some(shown), "{pointer} at step {step} of {game}");
            values += 1;
        }
        for pointer in ["/round", "/morale", "/food", "/waste", "/phase", "/crisis", "/places/1/cards"] {
            assert!(shows.contains_key(pointer), "{pointer} is not shown at step {step} of {game}");
        }
    }
    assert!(values > 60 * seen.len(), "only {values} values are shown at {} moments", seen.len());
    show(&format!("replay: {values} values at {} moments of {GAMES} games are those of the rules", seen.len()));
}

/// The values that the page shows at a step.
fn look(browser: &Browser, step: u64) -> Shows {
    browser.script(
        "const slider = document.querySelector('#slider'); slider.value = arguments[0]; slider.dispatchEvent(new Event('input'))",
        json!([step]),
    );
    browser.shows(step);
    let values = browser.script(
        "return [...document.querySelectorAll('[data-at]')].map((node) => [node.dataset.at, node.dataset.is ?? null])",
        json!([]),
    );
    let values: Vec<(String, Option<String>)> = serde_json::from_value(values).expect("pairs");
    let mut shows = Shows::new();
    for (pointer, is) in values {
        // The page does not show values that no event has set.
        let Some(is) = is else { continue };
        let is = serde_json::from_str(&is).expect("JSON");
        if let Some(other) = shows.insert(pointer.clone(), is) {
            assert_eq!(shows[&pointer], other, "{pointer} is shown twice, differently");
        }
    }
    shows
}

/// The picture after a step, folded from the log.
fn picture(log: &dyn LogReader, game: &str, step: u64) -> Value {
    let head = wait(log.find(game)).expect("the log can be read").expect("the game is there");
    let header: Header<colony_rules::Setup> = Header::decode(&head.header).expect("a header");
    let mut board = Board::new(&header.setup);
    let mut replay: Replay<Game> = Replay::new(&header).expect("the rules of today");
    let mut steps = 0;
    for row in wait(log.rows(head.record.key, 1)).expect("entries") {
        if steps == step {
            break;
        }
        let entry: EntryOf<Game> = Entry::decode(&row.bytes).expect("an entry");
        replay.step(&entry).expect("the rules give what they gave");
        for emission in &entry.emissions {
            if let Emission::Event { audience: Audience::All | Audience::Board, event } = emission
                && steps < step
            {
                board.apply(event);
                steps += 1;
            }
        }
    }
    assert_eq!(steps, step, "the log has that step");
    let mut picture = Game::picture(&board);
    picture["hidden"] = replay.game().hidden();
    picture
}
