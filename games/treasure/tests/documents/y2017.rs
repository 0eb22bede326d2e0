//! Protocol 2017 of the treasure game.

use std::fmt::Debug;

use treasure::documents::y2017::{
    Spelling,
    answer::{Answer, Updated},
    map_text::{self, Coding},
    request::{Garbled, NewMap, NewPlayer, Parsed, Trouble, Update},
};
use treasure_rules::Terrain;

use crate::support::{complaint, validate};

const SCHEMA: &str = "2017.xsd";

const HALF: &str = "0101020301040201010201030201020301020101020203030102010201010101";

const UPDATED: Updated = Updated { x: 6, y: 1, enemy_x: 2, enemy_y: 8, treasure: false, win: false, loss: true };

fn round<T: PartialEq + Debug>(request: &T, document: &str, read: impl Fn(&[u8]) -> Result<Parsed<T>, Garbled>) {
    validate(SCHEMA, document);
    assert_eq!(&read(document.as_bytes()).expect(document).request, request);
}

#[test]
fn requests() {
    let player = NewPlayer { first_name: "R&B".into(), last_name: "Nancu".into(), number: "01502339".into() };
    round(&player, &player.write(), NewPlayer::read);
    let map = NewMap { id: 1, half: HALF.into() };
    round(&map, &map.write(), NewMap::read);
    let update = Update { id: 7, x: 6, y: 1, wanted_x: 6, wanted_y: 2, turns: 4 };
    round(&update, &update.write(), Update::read);
    round(&Trouble { id: i32::MAX }, &Trouble { id: i32::MAX }.write(), Trouble::read);
}

#[test]
fn answers() {
    for answer in [
        Answer::NewPlayer { id: i32::MAX },
        Answer::NewMap { full: HALF.repeat(2) },
        Answer::NewMap { full: "0G0M0W0C".repeat(16) },
        Answer::Update(UPDATED),
        Answer::Trouble { loss: true },
    ] {
        let document = answer.write(&Spelling::default());
        validate(SCHEMA, &document);
        assert_eq!(Answer::read(document.as_bytes()).expect("readable"), answer);
    }
    assert!(complaint(SCHEMA, &Answer::NewPlayer { id: 0 }.write(&Spelling::default())).contains("ID"));
    assert!(complaint(SCHEMA, &Answer::NewMap { full: HALF.into() }.write(&Spelling::default())).contains("FullMap"));
    assert_eq!(
        Answer::read(b"<x/>").expect_err("no answer").to_string(),
        "line 1, column 1: the document is a <x>; what works: <NewPlayerResponse>, <CreateNewMapResponse>, \
         <UpdateResponse>, <ConnectionProblemResponse>"
    );
}

/// The protocol's own examples, with their line breaks.
#[test]
fn examples() {
    let document = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<NewPlayerRequest>\n  <FirstName>Razvan</FirstName>\n  \
        <SurName>Nancu</SurName>\n  <MatriculationNumber>01502339</MatriculationNumber>\n</NewPlayerRequest>\n";
    let player = NewPlayer { first_name: "Razvan".into(), last_name: "Nancu".into(), number: "01502339".into() };
    assert_eq!(NewPlayer::read(document.as_bytes()).expect("readable").request, player);
    let document = "<UpdateResponse>\n  <PlayerPositionX>6</PlayerPositionX>\n  <PlayerPositionY>1</PlayerPositionY>\n  \
        <EnemyPositionX>2</EnemyPositionX>\n  <EnemyPositionY>8</EnemyPositionY>\n  <Treasure>false</Treasure>\n  \
        <Win>0</Win>\n  <Loss>1</Loss>\n</UpdateResponse>";
    assert_eq!(Answer::read(document.as_bytes()).expect("readable"), Answer::Update(UPDATED));
}

fn trimmed(document: &str) -> &str {
    document.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>").expect("a declaration")
}

/// An answer uses the spelling of its request.
#[track_caller]
fn check_spelling(request: &str, answer: &Answer, expected: &str) {
    let bytes = request.as_bytes();
    let spelling = match answer {
        Answer::NewPlayer { .. } => NewPlayer::read(bytes).expect(request).spelling,
        Answer::NewMap { .. } => NewMap::read(bytes).expect(request).spelling,
        Answer::Update(_) => Update::read(bytes).expect(request).spelling,
        Answer::Trouble { .. } => {
            Trouble::read(bytes).map_or_else(|garbled| garbled.spelling, |parsed| parsed.spelling)
        }
    };
    let document = answer.write(&spelling);
    assert_eq!(trimmed(&document), expected, "{request}");
    assert_eq!(&Answer::read(document.as_bytes()).expect("readable"), answer);
}

#[test]
fn spellings() {
    let check = check_spelling;
    let player = |root: &str, names: [&str; 3]| {
        let [first, last, number] = names;
        format!("<{root}><{first}>A</{first}><{number}>1</{number}><{last}>B</{last}></{root}>")
    };
    let joined = Answer::NewPlayer { id: 1 };
    for (root, names, expected) in [
        (
            "NewPlayerRequest",
            ["FirstName", "SurName", "MatriculationNumber"],
            "<NewPlayerResponse><ID>1</ID></NewPlayerResponse>",
        ),
        (
            "NewPlayerRequest",
            ["FirstName", "SecondName", "Matrikelnummer"],
            "<NewPlayerResponse><ID>1</ID></NewPlayerResponse>",
        ),
        (
            "newplayerrequest",
            ["firstname", "surname", "matrikelnummer"],
            "<newplayerresponse><id>1</id></newplayerresponse>",
        ),
        (
            "newPlayerRequest",
            ["firstName", "secondName", "matrikelnummer"],
            "<newPlayerResponse><ID>1</ID></newPlayerResponse>",
        ),
        (
            "NEWPLAYERREQUEST",
            ["FIRSTNAME", "SURNAME", "MATRIKELNUMMER"],
            "<NEWPLAYERRESPONSE><ID>1</ID></NEWPLAYERRESPONSE>",
        ),
        (
            "NewplayerREQUEST",
            ["firstname", "SurName", "Matrikelnummer"],
            "<NewplayerRESPONSE><ID>1</ID></NewplayerRESPONSE>",
        ),
    ] {
        check(&player(root, names), &joined, expected);
    }
    let map = Answer::NewMap { full: "01".into() };
    check(
        "<createNewMapRequest><mapHalf>01</mapHalf><ID>1</ID></createNewMapRequest>",
        &map,
        "<createNewMapResponse><fullMap>01</fullMap></createNewMapResponse>",
    );
    check(
        "<createnewmaprequest><maphalf>01</maphalf><id>1</id></createnewmaprequest>",
        &map,
        "<createnewmapresponse><fullmap>01</fullmap></createnewmapresponse>",
    );
    let lost = Answer::Trouble { loss: false };
    check(
        "<ConnectionProblemRequest><ID>1</ID></ConnectionProblemRequest>",
        &lost,
        "<ConnectionProblemResponse><Loss>false</Loss></ConnectionProblemResponse>",
    );
    check(
        "<connectionproblemrequest><id>1</id></connectionproblemrequest>",
        &lost,
        "<connectionproblemresponse><loss>false</loss></connectionproblemresponse>",
    );
    // Every error has the same answer, in the spelling of the request.
    check(
        "<updaterequest><id>1</id></updaterequest>",
        &lost,
        "<connectionproblemresponse><loss>false</loss></connectionproblemresponse>",
    );
    check(
        "<updateRequest><id>1</id></updateRequest>",
        &lost,
        "<connectionProblemResponse><loss>false</loss></connectionProblemResponse>",
    );
    check(
        "<UPDATEREQUEST><PLAYERPOSITIONX/></UPDATEREQUEST>",
        &lost,
        "<CONNECTIONPROBLEMRESPONSE><LOSS>false</LOSS></CONNECTIONPROBLEMRESPONSE>",
    );
    check("nonsense", &lost, "<ConnectionProblemResponse><Loss>false</Loss></ConnectionProblemResponse>");
    check(
        "<UpdateRequest><ID>1</ID><playerpositionX>6</playerpositionX><PlayerPositionY>1</PlayerPositionY>\
         <WantedPositionX>6</WantedPositionX><WantedPositionY>1</WantedPositionY><TurnsLeft>0</TurnsLeft></UpdateRequest>",
        &Answer::Update(UPDATED),
        "<UpdateResponse><playerpositionX>6</playerpositionX><PlayerPositionY>1</PlayerPositionY>\
         <EnemyPositionX>2</EnemyPositionX><EnemyPositionY>8</EnemyPositionY><Treasure>false</Treasure><Win>false</Win>\
         <Loss>true</Loss></UpdateResponse>",
    );
}

/// `ID` alone fits several spellings, and an unknown field none, so the root decides.
#[test]
fn spellings_of_the_root() {
    for (root, id, answer, loss) in [
        ("connectionProblemRequest", "ID", "connectionProblemResponse", "loss"),
        ("ConnectionProblemRequest", "ID", "ConnectionProblemResponse", "Loss"),
        ("connectionproblemrequest", "ID", "connectionproblemresponse", "loss"),
        ("CONNECTIONPROBLEMREQUEST", "ID", "CONNECTIONPROBLEMRESPONSE", "LOSS"),
        ("connectionProblemRequest", "Id", "connectionProblemResponse", "loss"),
        ("ConnectionProblemRequest", "Id", "ConnectionProblemResponse", "Loss"),
        ("ConnectionProblemRequest", "id", "ConnectionProblemResponse", "loss"),
        ("updateRequest", "ID", "connectionProblemResponse", "loss"),
        ("createNewMapRequest", "ID", "connectionProblemResponse", "loss"),
    ] {
        check_spelling(
            &format!("<{root}><{id}>1</{id}></{root}>"),
            &Answer::Trouble { loss: true },
            &format!("<{answer}><{loss}>true</{loss}></{answer}>"),
        );
    }
    let lost = Answer::Trouble { loss: false };
    check_spelling("<what/>", &lost, "<connectionproblemresponse><loss>false</loss></connectionproblemresponse>");
}

#[test]
fn garbled() {
    let check = |document: &str, id: Option<i32>, expected: &str| {
        let garbled = Update::read(document.as_bytes()).expect_err(document);
        assert_eq!((garbled.problem.what.as_str(), garbled.id), (expected, id));
    };
    check("", None, "the document has no element");
    check("<UpdateRequest/>", None, "<ID> is missing in <UpdateRequest>");
    check("<UpdateRequest><id>7</id></UpdateRequest>", Some(7), "<PlayerPositionX> is missing in <UpdateRequest>");
    check(
        "<UpdateRequest><id>7</id><PlayerPositionX>x</PlayerPositionX></UpdateRequest>",
        Some(7),
        "<PlayerPositionX> is \"x\", which is no whole number from -2147483648 to 2147483647",
    );
    check(
        "<UpdateRequest><ID>1</ID><id>1</id></UpdateRequest>",
        None,
        "<ID> is in <UpdateRequest> 2 times, and has to be there once",
    );
    check(
        "<NewPlayerRequest><ID>3</ID></NewPlayerRequest>",
        Some(3),
        "the document is a <NewPlayerRequest>, and has to be a <UpdateRequest>",
    );
    let turns = Update { id: 7, x: 6, y: 1, wanted_x: 6, wanted_y: 2, turns: 4 }.write();
    let twice = turns.replace("</UpdateRequest>", "<turnsleft>4</turnsleft></UpdateRequest>");
    check(
        &twice,
        Some(7),
        "<TurnsUntilMovement> or <TurnsLeft> is in <UpdateRequest> 2 times, and has to be there once",
    );

    let long = NewPlayer { first_name: "n".repeat(31), last_name: String::new(), number: String::new() };
    let problem = NewPlayer::read(long.write().as_bytes()).expect_err("too long").problem;
    assert_eq!(problem.what, "<FirstName> has 31 characters, and has to have 0 to 30");
    let long = NewPlayer { first_name: "n".repeat(30), last_name: String::new(), number: "0123456789".into() };
    let problem = NewPlayer::read(long.write().as_bytes()).expect_err("too long").problem;
    assert_eq!(problem.what, "<MatriculationNumber> has 10 characters, and has to have 0 to 9");
}

#[test]
fn maps() {
    let check = |text: &str, coding: Coding| {
        let (fields, found) = map_text::read(text).expect(text);
        assert_eq!(found, coding);
        assert_eq!(map_text::write(fields.iter().map(|field| (field.terrain, field.fort)), coding), text);
    };
    check(HALF, Coding::Digits4);
    check(&HALF.replace("04", "00"), Coding::Digits0);
    check(&HALF.replace("04", "01"), Coding::Digits0);
    check("0G0M0W0C", Coding::Letters);
    check("", Coding::Digits0);
    check(&HALF.repeat(2), Coding::Digits4);

    let (fields, _) = map_text::read(HALF).expect("a half");
    assert_eq!(fields.len(), 32);
    assert_eq!((fields[3].at.x, fields[3].at.y, fields[3].terrain), (3, 0, Terrain::Water));
    assert_eq!((fields[31].at.x, fields[31].at.y), (7, 3));
    assert_eq!(
        fields.iter().filter(|field| field.fort).map(|field| field.at.to_string()).collect::<Vec<_>>(),
        ["(5, 0)"]
    );
    assert_eq!(map_text::read("0101\n 0203").expect("spaces").0.len(), 4);
    assert_eq!(map_text::read("0g0c").expect("small").1, Coding::Letters);

    let words = |text: &str| map_text::read(text).expect_err(text).to_string();
    assert_eq!(words("010"), "the map has 3 characters, and has to have two for each of its fields");
    assert_eq!(words(&"01".repeat(65)), "the map has 130 characters, and has to have two for each of its fields");
    assert_eq!(words("0105"), "the field in column 2, row 1 is \"05\"; what works: 01, 02, 03, 00, 04, 0G, 0M, 0W, 0C");
    assert_eq!(words("P1"), "the field in column 1, row 1 is \"P1\"; what works: 01, 02, 03, 00, 04, 0G, 0M, 0W, 0C");
    assert_eq!(words("0ä"), "the field in column 1, row 1 is \"0ä\"; what works: 01, 02, 03, 00, 04, 0G, 0M, 0W, 0C");
}
