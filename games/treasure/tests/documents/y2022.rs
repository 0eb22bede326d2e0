//! Protocol 2022 of the treasure game.

use std::{fmt::Debug, fs, path::PathBuf};

use treasure::documents::y2022::{
    answer::{Answer, GameIdentifier, registration_error},
    request::{self, HalfMap, HalfNode, Move, Registration},
    state::{FortState, GameState, Node, Player, PlayersState, Standing, TreasureState},
};
use treasure_rules::{Direction, Terrain};
use xml::Problem;

use crate::support::{complaint, validate};

const SCHEMA: &str = "2022.xsd";

fn registration() -> Registration {
    Registration { first_name: "Max".into(), last_name: "Muster & Söhne <1>".into(), account: "musterm87".into() }
}

fn half() -> HalfMap {
    let terrains = [Terrain::Grass, Terrain::Mountain, Terrain::Water];
    let node = |index: i32| HalfNode {
        x: index % 10,
        y: index / 10,
        fort: index == 0,
        terrain: terrains[usize::try_from(index).unwrap_or(0) % 3],
    };
    HalfMap { player: "3560ca14-5bfa-48f3-949b-da0029caf3c8".into(), nodes: (0..50).map(node).collect() }
}

fn state(nodes: i32, players: usize) -> GameState {
    let node = |index: i32| Node {
        x: index % 20,
        y: index / 20,
        terrain: [Terrain::Water, Terrain::Grass, Terrain::Mountain][usize::try_from(index % 3).unwrap_or(0)],
        players: match index {
            0 => PlayersState::MyPlayerPosition,
            1 => PlayersState::EnemyPlayerPosition,
            2 => PlayersState::BothPlayerPosition,
            _ => PlayersState::NoPlayerPresent,
        },
        treasure: if index == 4 { TreasureState::MyTreasureIsPresent } else { TreasureState::NoOrUnknownTreasureState },
        fort: match index {
            0 => FortState::MyFortPresent,
            9 => FortState::EnemyFortPresent,
            _ => FortState::NoOrUnknownFortState,
        },
    };
    let player = |standing, collected_treasure| Player {
        id: "6c4362b5-5636-41b8-aaae-6daba4aea91b".into(),
        first_name: "Max".into(),
        last_name: "\"M\" & <N>".into(),
        account: "musterm55".into(),
        standing,
        collected_treasure,
    };
    let both = [player(Standing::MustAct, false), player(Standing::MustWait, true)];
    GameState {
        id: "430bdf29-5e61-4950-8408-ac40e9fb1176".into(),
        players: both.into_iter().take(players).collect(),
        nodes: (0..nodes).map(node).collect(),
    }
}

/// A written document is valid, and reading it returns the same value.
fn round<T: PartialEq + Debug>(thing: &T, document: &str, read: impl Fn(&[u8]) -> Result<T, Problem>) {
    validate(SCHEMA, document);
    assert_eq!(&read(document.as_bytes()).expect(document), thing);
}

#[test]
fn round_trips() {
    round(&registration(), &registration().write(), Registration::read);
    round(&half(), &half().write(), HalfMap::read);
    for direction in [Direction::Up, Direction::Down, Direction::Left, Direction::Right] {
        let step = Move { player: "1c44419e".into(), direction };
        round(&step, &step.write(), Move::read);
    }
    let game = GameIdentifier("Ss8Zc".into());
    round(&game, &game.write(), GameIdentifier::read);
    for answer in [
        Answer::Okay,
        Answer::Player("702ecdb6-b363-462c-a63a-5d0a39222c4e".into()),
        Answer::Error { name: "TooMuchWaterOnEdge".into(), message: "5 of 10 & more than 4 < \"5\"".into() },
        Answer::State(state(0, 1)),
        Answer::State(state(50, 2)),
        Answer::State(state(100, 2)),
    ] {
        round(&answer, &answer.write(), Answer::read);
    }
    for standing in [Standing::Won, Standing::Lost] {
        let mut over = state(1, 2);
        over.players[0].standing = standing;
        round(&Answer::State(over.clone()), &over.write(), Answer::read);
    }
}

/// The exact bytes that foreign clients were written for.
#[test]
fn bytes() {
    assert_eq!(
        Answer::Okay.write(),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><responseEnvelope><exceptionName/><exceptionMessage/>\
         <state>Okay</state></responseEnvelope>"
    );
    assert_eq!(
        Answer::Player("702e".into()).write(),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><responseEnvelope><exceptionName/><exceptionMessage/>\
         <state>Okay</state><data xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" \
         xsi:type=\"uniquePlayerIdentifier\"><uniquePlayerID>702e</uniquePlayerID></data></responseEnvelope>"
    );
    assert_eq!(
        Answer::Error { name: "Late".into(), message: "a < b".into() }.write(),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><responseEnvelope><exceptionName>Late</exceptionName>\
         <exceptionMessage>a &lt; b</exceptionMessage><state>Error</state></responseEnvelope>"
    );
    let refused = registration_error("GameFull", "two are there");
    assert_eq!(
        refused,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><responseEnvelope><exceptionName>GameFull</exceptionName>\
         <exceptionMessage>two are there</exceptionMessage><state>Error</state>\
         <data xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:type=\"uniquePlayerIdentifier\">\
         <uniquePlayerID/></data></responseEnvelope>"
    );
    validate(SCHEMA, &refused);
    let expected = Answer::Error { name: "GameFull".into(), message: "two are there".into() };
    assert_eq!(Answer::read(refused.as_bytes()), Ok(expected));
    let mut small = state(1, 1);
    small.players[0].last_name = "Muster".into();
    assert_eq!(
        small.write(),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><responseEnvelope><exceptionName/><exceptionMessage/>\
         <state>Okay</state><data xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:type=\"gameState\">\
         <players><player><uniquePlayerID>6c4362b5-5636-41b8-aaae-6daba4aea91b</uniquePlayerID>\
         <firstName>Max</firstName><lastName>Muster</lastName><uaccount>musterm55</uaccount><state>MustAct</state>\
         <collectedTreasure>false</collectedTreasure></player></players><map><mapNodes><mapNode>\
         <playerPositionState>MyPlayerPosition</playerPositionState><terrain>Water</terrain>\
         <treasureState>NoOrUnknownTreasureState</treasureState><fortState>MyFortPresent</fortState>\
         <X>0</X><Y>0</Y></mapNode></mapNodes></map>\
         <gameStateId>430bdf29-5e61-4950-8408-ac40e9fb1176</gameStateId></data></responseEnvelope>"
    );
}

/// The schema rejects invalid documents.
#[test]
fn the_schema_refuses() {
    let few = HalfMap { nodes: half().nodes[..49].to_vec(), ..half() };
    assert!(complaint(SCHEMA, &few.write()).contains("playerHalfMapNode"));
    let untyped = Answer::Player("a".into()).write().replace(" xsi:type=\"uniquePlayerIdentifier\"", "");
    assert!(complaint(SCHEMA, &untyped).contains("abstract"));
    assert!(complaint(SCHEMA, &GameIdentifier("Ss8Zcx".into()).write()).contains("uniqueGameID"));
}

fn half_with(change: &str, to: &str) -> String {
    let half = HalfMap { nodes: half().nodes[..1].to_vec(), ..half() }.write();
    assert!(half.contains(change), "{change} is in {half}");
    half.replacen(change, to, 1)
}

fn words<T: Debug>(found: Result<T, Problem>) -> String {
    match found {
        Ok(found) => format!("{found:?}"),
        Err(problem) => problem.what,
    }
}

#[test]
fn halves_that_cannot_be_read() {
    let check = |change: &str, to: &str, expected: &str| {
        assert_eq!(words(HalfMap::read(half_with(change, to).as_bytes())), expected);
    };
    check("<X>0</X>", "", "<X> is missing in <playerHalfMapNode>");
    check("<X>0</X>", "<x>0</x>", "<X> is missing in <playerHalfMapNode>");
    check("<X>0</X>", "<X>0</X><X>1</X>", "<X> is in <playerHalfMapNode> 2 times, and has to be there once");
    check("<X>0</X>", "<X/>", "<X> is \"\", which is no whole number from -2147483648 to 2147483647");
    check("<X>0</X>", "<X>1.5</X>", "<X> is \"1.5\", which is no whole number from -2147483648 to 2147483647");
    check(
        "<X>0</X>",
        "<X>2147483648</X>",
        "<X> is \"2147483648\", which is no whole number from -2147483648 to 2147483647",
    );
    check("<X>0</X>", "<X><a/></X>", "<a> is in <X>, which has only text");
    check(">true<", ">yes<", "<fortPresent> is \"yes\"; what works: true, false, 1, 0");
    check(">Grass<", ">grass<", "<terrain> is \"grass\"; what works: Grass, Mountain, Water");
    check("uniquePlayerID>", "playerID>", "expected `</playerID>`, but `</uniquePlayerID>` was found");
    check(
        "<playerHalfMapNodes>",
        "<playerHalfMapNodes/><playerHalfMapNodes>",
        "<playerHalfMapNodes> is in <playerHalfMap> 2 times, and has to be there once",
    );
    assert_eq!(
        words(HalfMap::read(registration().write().as_bytes())),
        "the document is a <playerRegistration>, and has to be a <playerHalfMap>"
    );
    assert_eq!(
        HalfMap::read(b"<playerHalfMap>\n <uniquePlayerID/>\n</playerHalfMap>").expect_err("no nodes").to_string(),
        "line 1, column 1: <playerHalfMapNodes> is missing in <playerHalfMap>"
    );
}

/// Unusual but readable documents: any order, unknown elements, prefixes, numbers that the rules will refuse.
#[test]
fn halves_that_can_be_read() {
    let check = |change: &str, to: &str, x: i32| {
        let half = HalfMap::read(half_with(change, to).as_bytes()).expect("readable");
        assert_eq!(half.nodes[0], HalfNode { x, y: 0, fort: true, terrain: Terrain::Grass });
    };
    check("<X>0</X>", "<X> 7\n</X>", 7);
    check("<X>0</X>", "<X>-7</X>", -7);
    check("<X>0</X>", "<X>400</X>", 400);
    check("<X>0</X>", "<Z>9<X>3</X></Z><X>+8</X>", 8);
    check("<X>0</X>", "<n:X xmlns:n='urn:n'>8</n:X>", 8);
    check(">true<", ">1<", 0);
    check("<X>0</X><Y>0</Y>", "<Y>0</Y><X>0</X>", 0);
    check("<playerHalfMapNodes>", "<playerHalfMapNodes xmlns=''>", 0);
    let none =
        HalfMap::read(b"<playerHalfMap><playerHalfMapNodes/><uniquePlayerID> p </uniquePlayerID></playerHalfMap>");
    assert_eq!(none.expect("no nodes at all"), HalfMap { player: "p".into(), nodes: Vec::new() });
}

#[test]
fn names() {
    let check = |first_name: String, expected: &str| {
        let document = Registration { first_name, ..registration() }.write();
        let found = Registration::read(document.as_bytes());
        assert_eq!(found.map_or_else(|problem| problem.what, |_| "taken".into()), expected);
    };
    check("M".into(), "taken");
    check("ä".repeat(50), "taken");
    check(String::new(), "<studentFirstName> has 0 characters, and has to have 1 to 50");
    check("  ".into(), "<studentFirstName> has 0 characters, and has to have 1 to 50");
    check("ä".repeat(51), "<studentFirstName> has 51 characters, and has to have 1 to 50");
    assert_eq!(
        words(Registration::read(b"<playerRegistration/>")),
        "<studentFirstName> is missing in <playerRegistration>"
    );
}

#[test]
fn moves() {
    let check = |document: &str, expected: &str| assert_eq!(words(Move::read(document.as_bytes())), expected);
    check(
        "<playerMove><move>Up</move><uniquePlayerID>a</uniquePlayerID></playerMove>",
        "Move { player: \"a\", direction: Up }",
    );
    check(
        "<playerMove><uniquePlayerID>a</uniquePlayerID><move>up</move></playerMove>",
        "<move> is \"up\"; what works: Up, Down, Left, Right",
    );
    check("<playerMove><move>Up</move></playerMove>", "<uniquePlayerID> is missing in <playerMove>");
    check("<move>Up</move>", "the document is a <move>, and has to be a <playerMove>");
    assert_eq!(request::sender(b"<playerMove><uniquePlayerID>a</uniquePlayerID></playerMove>"), Some("a".into()));
    assert_eq!(request::sender(b"<playerMove><uniquePlayerID>a</uniquePlayerID>"), None);
}

/// The protocol's own examples, with their line breaks.
#[test]
fn examples() {
    let registration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\n<playerRegistration>\n\n\
        <studentFirstName>Max</studentFirstName>\n\n<studentLastName>Muster</studentLastName>\n\n\
        <studentUAccount>musterm87</studentUAccount>\n\n</playerRegistration>";
    let expected = Registration { first_name: "Max".into(), last_name: "Muster".into(), account: "musterm87".into() };
    assert_eq!(Registration::read(registration.as_bytes()).expect("readable"), expected);
    let answer = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<responseEnvelope>\n <exceptionName/>\n <exceptionMessage />\n \
        <state>Okay</state> <data xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" \
        xsi:type=\"uniquePlayerIdentifier\">\n <uniquePlayerID>702ecdb6\n </uniquePlayerID>\n</data>\n</responseEnvelope>";
    assert_eq!(Answer::read(answer.as_bytes()).expect("readable"), Answer::Player("702ecdb6".into()));
    let okay =
        "<responseEnvelope>\n\n<exceptionName />\n\n<exceptionMessage />\n\n<state>Okay</state>\n\n</responseEnvelope>";
    assert_eq!(Answer::read(okay.as_bytes()).expect("readable"), Answer::Okay);
    let nothing_yet = state(0, 1).write().replace("<map><mapNodes></mapNodes></map>", "<map/>");
    assert_eq!(Answer::read(nothing_yet.as_bytes()).expect("readable"), Answer::State(state(0, 1)));
}

/// Halves that foreign clients have built.
#[test]
fn halves_of_others() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors/treasure");
    let Ok(files) = fs::read_dir(folder) else {
        println!("skipped: ../shared is missing");
        return;
    };
    let mut count = 0;
    for file in files.map(|file| file.expect("a file").path()) {
        let text = fs::read_to_string(&file).expect("text");
        let half = HalfMap::read(text.as_bytes()).expect("readable");
        assert_eq!(half.nodes.len(), 50, "{}", file.display());
        assert_eq!(half.nodes.iter().filter(|node| node.fort).count(), 1, "{}", file.display());
        round(&half, &half.write(), HalfMap::read);
        validate(SCHEMA, &text);
        count += 1;
    }
    assert!(count > 0, "there are halves");
}
