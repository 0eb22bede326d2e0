//! A game of more than 100,000 events: a colony to which children come all the time.

use std::path::Path;

use colony_rules::{CharacterId, Command, Entrance, Game, LocationId, Setup};
use engine::{Audience, Cause, Chain, CommId, Emission, Header, Input, Outbox, Rulebook, Shown, Waiting};
use serde_json::{Value, json};
use server::log::{Acknowledge, Ending, EventLog, NewGame, Row, SqliteLog, StoreError};

const ROUNDS: u32 = 170;
const PLACE: i32 = 20;

/// Writes the game into a new log. Returns the number of its steps.
pub(crate) fn write(path: &Path, name: &str) -> u64 {
    let setup = Setup::new(&scenario().to_string(), None, None).expect("a good scenario");
    let header = Header::new::<Game>(name, 0, setup.clone(), SEED);
    let log = SqliteLog::open(path, server::log::Options::default()).expect("a log");
    let key = log.create(
        NewGame::new(name, &header, Some(setup.text.to_string()), 0),
        std::sync::Arc::new(IgnoreAcknowledgement),
    );
    let mut chain = Chain::new(&header.encode());
    let mut outbox = Outbox::new();
    let mut game = Game::start(&setup, SEED, &mut outbox);
    let mut steps = 0;
    while game.outcome().is_none() {
        let (client, command) = next(&game);
        let input = Input { elapsed_ms: 0, cause: Cause::Command { client, command } };
        outbox.clear();
        game.fold(&input, &mut outbox);
        let public = |emission: &&Emission<_>| {
            matches!(emission, Emission::Event { audience: Audience::All | Audience::Board, .. })
        };
        steps += outbox.emissions().iter().filter(public).count() as u64;
        let link = chain.append(0, &input, outbox.emissions());
        let row = Row { sequence: link.sequence, bytes: link.bytes.to_vec(), digest: link.digest };
        log.append(key, row, Vec::new());
    }
    let outcome = game.outcome().expect("it is over").to_string();
    let ending = Ending { outcome, at: 1, players: vec!["Ana".into(), "Bo".into()], results: game.results() };
    log.finish(key, ending, Box::new(|_| ()));
    log.close().expect("it is stored");
    steps
}

/// With this seed no survivor dies during the game.
const SEED: i64 = 4;

fn next(game: &Game) -> (CommId, Command) {
    let board = game.board();
    let asked = match game.waiting_for() {
        Waiting::One(client) => client,
        Waiting::Anyone | Waiting::GameOver => {
            let seat = board.players.len() as u32 + 1;
            return (CommId(seat), Command::Register { name: ["Ana", "Bo"][board.players.len()].into() });
        }
    };
    let command = match game.view(asked).asked {
        colony_rules::Asked::Characters([first, second, ..]) => Command::SelectCharacters { first, second },
        colony_rules::Asked::Act | colony_rules::Asked::Vote | colony_rules::Asked::Nothing => {
            let me = game.view(asked);
            let me = me.me().expect("a player");
            let scenario = &board.setup().scenario;
            let at_place = |&&own: &&colony_rules::CharacterIx| {
                scenario.location(board.survivor(own).location).id == LocationId(PLACE)
            };
            let id = |own: &colony_rules::CharacterIx| -> CharacterId { scenario.character(*own).id };
            let place = board.setup().location_ix(LocationId(PLACE)).expect("it is there");
            let zombies = board.entrances(place).iter().position(|entrance| entrance.zombies > 0);
            let zombies = zombies.map(|at| Entrance(at as i32));
            match me.survivors.iter().find(at_place) {
                Some(searcher) if !game.hidden()["omen"].is_null() && !me.dice.is_empty() => {
                    Command::Search { character: id(searcher) }
                }
                // A lone survivor is killed once zombies fill an entrance.
                Some(fighter) if !me.dice.is_empty() => match zombies {
                    Some(entrance) => Command::Attack { character: id(fighter), entrance },
                    None => Command::EndTurn {},
                },
                Some(_) => Command::EndTurn {},
                None if me.survivors.iter().all(|own| board.survivor(*own).moved) => Command::EndTurn {},
                None => Command::Move { character: id(&me.survivors[0]), location: LocationId(PLACE), fuel: None },
            }
        }
    };
    (asked, command)
}

fn scenario() -> Value {
    let cards = |from: i32, count: u32| (from..).take(count as usize).collect::<Vec<_>>();
    let stuff = |id: &i32| json!({"stuff": {"identifier": id}});
    let (start, found) = (cards(1, 10), cards(100, 3 * ROUNDS));
    let character = |id: i32| {
        json!({"identifier": id, "name": format!("Survivor {id}"), "status": id, "attack": 1, "search": 1,
            "ability": {"no_infection": {}}})
    };
    let crisis = |id: u32| json!({"food": {"identifier": id, "requiredCards": 1, "moralChange": 1}});
    let fate = |id: u32| json!({"searched": {"identifier": id, "consequence": {"spawnSurvivors": {"amount": 100, "children": true}}}});
    json!({
        "maxPlayers": 2,
        "cards": start.iter().chain(&found).map(stuff).collect::<Vec<_>>(),
        "characters": (1..=6).map(character).collect::<Vec<_>>(),
        "crises": (1..=ROUNDS).map(crisis).collect::<Vec<_>>(),
        "goal": {"rounds": ROUNDS, "moral": 1_000_000, "zombiesColony": 0, "zombiesLocations": 0, "childrenInColony": 1000,
            "survive": true},
        "locations": [
            {"colony": {"identifier": 10, "entrances": 1, "startCards": start}},
            {"identifier": PLACE, "name": "Harbour", "entrances": 100, "survivorSpaces": 6, "cards": found},
        ],
        "crossroads": (1..=2 * ROUNDS).map(fate).collect::<Vec<_>>(),
    })
}

struct IgnoreAcknowledgement;

impl Acknowledge for IgnoreAcknowledgement {
    fn durable(&self, _: u64) {}

    fn failed(&self, error: std::sync::Arc<StoreError>) {
        panic!("{error}");
    }
}
