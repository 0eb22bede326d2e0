//! Checks the worked examples of RULES.md, and that the page has every command, event and refusal.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use engine::{Audience, Cause, CommId, Input, JavaRandom, Message, Outbox, Rulebook, arguments};

use crate::{CharacterId, Command, Event, Game, Refusal, Setup};

const PAGE: &str = include_str!("../../../RULES.md");
const SCENARIO: &str = include_str!("../../../scenarios/first-night.json");
const SEED: i64 = 42;

#[track_caller]
fn has(text: &str) {
    assert!(PAGE.contains(text), "RULES.md lacks this:\n{text}");
}

fn list<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    items.join(" ")
}

#[test]
fn the_generator() {
    let draws = |draw: fn(&mut JavaRandom) -> i32| {
        let mut random = JavaRandom::new(SEED);
        list((0..8).map(|_| draw(&mut random)))
    };
    has(&format!("state         {:#x}\n", (SEED ^ 0x5_DEEC_E66D) & ((1 << 48) - 1)));
    has(&format!("next(31)      {}\n", draws(|random| random.next(31))));
    has(&format!("nextInt(6)    {}\n", draws(|random| random.next_below(6))));
    has(&format!("nextInt(12)   {}\n", draws(|random| random.next_below(12))));
    has(&format!("nextInt(4)    {}\n", draws(|random| random.next_below(4))));
    let mut items = [0, 1, 2, 3, 4, 5];
    JavaRandom::new(SEED).shuffle(&mut items);
    has(&format!("shuffle of 0 1 2 3 4 5 gives {}\n", list(items)));
}

/// Plays the opening of the page: two players, each of whom takes the first two characters of its offer.
#[test]
fn the_opening() {
    let setup = Setup::new(SCENARIO, None, None).expect("it is built in");
    let mut outbox = Outbox::new();
    let mut game = Game::start(&setup, SEED, &mut outbox);
    for (at, location) in setup.scenario.locations.iter().enumerate() {
        let cards = &game.stacks[setup.first_card[at]..setup.first_card[at + 1]];
        let cards = list(cards.iter().map(|card| setup.scenario.card(*card).id));
        has(&format!("cards of {}   {cards}\n", location.id));
    }
    has(&format!("crises        {}\n", list(game.crises.iter().map(|crisis| setup.scenario.crisis(*crisis).id))));

    let mut told = Vec::new();
    let mut offered = None;
    let mut send = |client, command: Command, offered: &mut Option<[CharacterId; 2]>| {
        outbox.clear();
        game.fold(&Input { elapsed_ms: 0, cause: Cause::Command { client: CommId(client), command } }, &mut outbox);
        for (audience, event) in outbox.events() {
            let to = match audience {
                Audience::All => "all",
                Audience::Only(CommId(1)) => "Ana",
                Audience::Only(_) => "Bo",
                Audience::Board => continue,
            };
            if let Event::Characters { c0, c1, .. } = event {
                *offered = Some([*c0, *c1]);
            }
            let values = arguments(event).into_iter().map(|value| value.to_string().trim_matches('"').to_string());
            told.push(format!("{to}: {} {}", event.kind().name, list(values)).trim_end().to_string());
        }
    };
    send(1, Command::Register { name: "Ana".into() }, &mut offered);
    send(2, Command::Register { name: "Bo".into() }, &mut offered);
    for client in [1, 2] {
        let [first, second] = offered.expect("four characters are offered");
        send(client, Command::SelectCharacters { first, second }, &mut offered);
    }
    has(&format!("```\n{}\n```\n", told.join("\n")));
}

#[test]
fn every_message_is_explained() {
    let kinds = Command::KINDS.iter().chain(Event::KINDS).chain(Refusal::KINDS);
    for kind in kinds {
        assert!(PAGE.contains(&format!("`{}", kind.name)), "RULES.md does not name {}", kind.name);
    }
}
