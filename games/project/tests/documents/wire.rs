//! Documents on the wire.

use std::{fs, path::PathBuf};

use project::documents::{
    Connection, Content, Document, Guid, Message, Messages, Role, Timestamp,
    action::Action,
    exchange::{Exchange, KnownTile},
    game_state::{End, GameState, Start},
    is_address,
};
use project_rules::{Direction, EndReason, Placed, Position, Team, Tested, Tile, TileObject};
use xml::Problem;

use crate::support::{Numbers, complaint, validate};

const HASH: &str = "2707d2ff-e818-4ea9-be4b-fbce3486431e";
const OTHER: &str = "be62283e-5ae4-49cc-85CE-C967C03A53E5";

fn guid(text: &str) -> Guid {
    Guid::parse(text).expect("a UUID")
}

fn read(document: &str) -> Result<Document, Problem> {
    Document::read(document.as_bytes(), &Document::LIMITS)
}

fn schema(document: &Document) -> &'static str {
    match document {
        Document::Connection(_) => "Connection.xsd",
        Document::Messages(_) => "Messages.xsd",
    }
}

/// Checks that a document, when written, is valid and parses to the same document.
fn round(document: &Document) {
    let text = document.write();
    validate(schema(document), &text);
    assert_eq!(&read(&text).expect("readable"), document);
}

fn tile(x: i32, object: TileObject) -> Tile {
    let player = (x % 2 == 0).then_some((u32::try_from(x).unwrap_or(0), Team::Red));
    Tile { position: Position { x, y: 7 }, distance: x - 1, player, object }
}

fn known(x: i32, pursued: Option<bool>) -> KnownTile {
    let objects = [TileObject::Nothing, TileObject::Piece, TileObject::CompletedGoal, TileObject::NonGoal];
    let object = objects[usize::try_from(x % 4).unwrap_or(0)];
    let timestamp = (x != 3).then(|| Timestamp::from_millis(1_794_846_000_123 + i64::from(x)));
    KnownTile { tile: tile(x, object), pursued, timestamp }
}

/// One content of each kind.
fn contents() -> Vec<Content> {
    let position = Position { x: 2, y: 5 };
    let mut contents: Vec<Content> = [
        Action::Moved { success: true, position: Some(position), distance: Some(-1) },
        Action::Moved { success: false, position: Some(position), distance: None },
        Action::Moved { success: false, position: None, distance: None },
        Action::Discover,
        Action::Discovered((0..8).map(|x| tile(x, TileObject::Piece)).collect()),
        Action::Discovered(vec![tile(1, TileObject::Nothing)]),
        Action::PickUp,
        Action::PickedUp { success: true },
        Action::PickedUp { success: false },
        Action::Test,
        Action::Tested(Tested::Piece),
        Action::Tested(Tested::Sham),
        Action::Place,
        Action::Placed(Placed::Completed),
        Action::Placed(Placed::Meaningless),
        Action::Placed(Placed::Disallowed),
    ]
    .into_iter()
    .chain([Direction::Left, Direction::Up, Direction::Right, Direction::Down].map(Action::Move))
    .map(Content::Action)
    .collect();
    contents.extend(
        [
            Exchange::Request,
            Exchange::Response { allow: true },
            Exchange::Response { allow: false },
            Exchange::Data(vec![known(0, Some(true)), known(1, Some(false)), known(2, None), known(3, None)]),
        ]
        .map(Content::Exchange),
    );
    let start = Start { players: vec![(3, Team::Blue), (4, Team::Red)], width: 12, height: 14, position };
    let end = |reason| End { reason, winner: Team::Red, goals: [(Team::Blue, 3), (Team::Red, 20)] };
    contents.extend(
        [
            GameState::SetupRequest { team: Team::Blue },
            GameState::SetupConfirmation { role: Role::TeamLeader, team: Team::Red },
            GameState::SetupConfirmation { role: Role::Player, team: Team::Blue },
            GameState::Start(start),
            GameState::End(end(EndReason::Success)),
            GameState::End(end(EndReason::Failure)),
            GameState::End(end(EndReason::Timeout)),
        ]
        .map(Content::GameState),
    );
    contents
}

fn message(content: Content) -> Message {
    Message { id: guid(HASH), context: Some(guid(OTHER)), sender: 1, receiver: 0, content }
}

#[test]
fn round_trips() {
    for role in [Role::GameMaster, Role::Player, Role::TeamLeader] {
        round(&Document::Connection(Connection::Request {
            hash: guid(HASH),
            address: "192.168.0.0:2000".into(),
            role,
        }));
    }
    round(&Document::Connection(Connection::Confirmation { hash: HASH.into(), id: 1 }));
    round(&Document::Connection(Connection::Refusal { hash: "x & <y>".into(), description: "full".into() }));
    round(&Document::Connection(Connection::Refusal { hash: String::new(), description: " a\u{a}b ".into() }));
    for content in contents() {
        round(&Document::Messages(Messages::one(Message { context: None, ..message(content) })));
    }
    let all = contents().into_iter().map(message).collect();
    round(&Document::Messages(Messages { sender_hash: Some(guid(OTHER)), messages: all }));
}

#[test]
fn bytes() {
    assert_eq!(
        Connection::Confirmation { hash: HASH.into(), id: 1 }.write(),
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Connection xmlns=\"http://messageSchema.something.com\" \
             protocolVersion=\"1\"><Confirmation><Hash>{HASH}</Hash><Id>1</Id></Confirmation></Connection>"
        )
    );
    assert_eq!(
        Messages::one(message(Content::Action(Action::PickUp))).write(),
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Messages xmlns=\"http://messageSchema.something.com\" \
             protocolVersion=\"1\"><Message id=\"{HASH}\" contextId=\"{OTHER}\"><Sender id=\"1\"/><Receiver id=\"0\"/>\
             <Content><Action><Pickup><Request/></Pickup></Action></Content></Message></Messages>"
        )
    );
}

#[test]
fn how_many_messages() {
    let many = |count: usize| {
        let messages = vec![message(Content::Action(Action::Test)); count];
        Document::Messages(Messages { sender_hash: None, messages }).write()
    };
    assert!(read(&many(1)).is_ok() && read(&many(100)).is_ok());
    assert_eq!(read(&many(101)).expect_err("101").what, "<Messages> has 101 <Message>, and 100 are the most");
    assert_eq!(read(&many(0)).expect_err("none").what, "<Message> is missing in <Messages>");
}

/// A player's whole knowledge of the usual board is well within the limits.
#[test]
fn a_whole_board() {
    let tiles = (0..800).map(|x| known(x, None)).collect();
    let document = Document::Messages(Messages::one(message(Content::Exchange(Exchange::Data(tiles)))));
    let length = document.write().len();
    assert!((100_000..160_000).contains(&length), "{length} bytes");
    round(&document);
}

/// The reader and xmllint agree on documents that are changed in many ways. In each row, `to` replaces `change`.
#[test]
#[expect(clippy::too_many_lines, reason = "a table of changes")]
fn invalid_documents() {
    let check = |document: &Document, change: &str, to: &str, expected: &str| {
        let text = document.write();
        assert!(text.contains(change), "{change} is in {text}");
        let text = text.replacen(change, to, 1);
        let found = read(&text).map_or_else(|problem| problem.what, |_| "fits".into());
        assert_eq!(found, expected, "{text}");
        let judged = if complaint(schema(document), &text).is_empty() { "fits" } else { "does not fit" };
        assert_eq!(judged == "fits", expected == "fits", "xmllint: {judged}\n{text}");
    };

    let request = Document::Connection(Connection::Request {
        hash: guid(HASH),
        address: "192.168.0.1:2000".into(),
        role: Role::Player,
    });
    check(&request, HASH, OTHER, "fits");
    check(&request, HASH, "", "<Hash> is \"\", which is no UUID of version 4");
    check(
        &request,
        "-4ea9-",
        "-1ea9-",
        "<Hash> is \"2707d2ff-e818-1ea9-be4b-fbce3486431e\", which is no UUID of version 4",
    );
    check(
        &request,
        "-be4b-",
        "-ce4b-",
        "<Hash> is \"2707d2ff-e818-4ea9-ce4b-fbce3486431e\", which is no UUID of version 4",
    );
    check(&request, ">192.", "> 192.", "<SenderAddress> is \" 192.168.0.1:2000\"; what works: 192.168.0.1:2000");
    check(&request, ":2000", "", "<SenderAddress> is \"192.168.0.1\"; what works: 192.168.0.1:2000");
    check(&request, "192.", "256.", "<SenderAddress> is \"256.168.0.1:2000\"; what works: 192.168.0.1:2000");
    check(&request, ">Player<", ">Boss<", "<Role> is \"Boss\"; what works: GameMaster, Player, TeamLeader");
    check(&request, ">Player<", "> Player<", "<Role> is \" Player\"; what works: GameMaster, Player, TeamLeader");
    check(&request, "<Role>Player</Role>", "", "<Role> is missing in <Request>");
    check(&request, "</Request>", "<Role>Player</Role></Request>", "<Role> in <Request> is one element too many");
    check(&request, "</Request>", "x</Request>", "<Request> has text, and has to have elements only");
    check(&request, "<Request>", "<Request x=\"1\">", "attribute x is not known in <Request>");
    check(&request, " protocolVersion=\"1\"", "", "attribute protocolVersion is missing in <Connection>");
    check(
        &request,
        "Version=\"1\"",
        "Version=\"2\"",
        "attribute protocolVersion of <Connection> is \"2\"; what works: 1",
    );
    check(&request, "Version=\"1\"", "Version=\" 01 \"", "fits");
    check(&request, "</Connection>", " <!-- hello --> </Connection>", "fits");

    let confirmation = Document::Connection(Connection::Confirmation { hash: HASH.into(), id: 1 });
    check(&confirmation, HASH, "anything", "fits");
    check(&confirmation, ">1<", ">-1<", "fits");
    check(&confirmation, ">1<", ">+1<", "fits");
    check(
        &confirmation,
        ">1<",
        ">4294967296<",
        "<Id> is \"4294967296\", which is no whole number from -2147483648 to 2147483647",
    );

    let moved = Action::Moved { success: true, position: Some(Position { x: 1, y: 2 }), distance: Some(3) };
    let moved = Document::Messages(Messages::one(message(Content::Action(moved))));
    check(&moved, "<Distance>3</Distance>", "", "fits");
    check(&moved, "<Result>Success</Result>", "", "<Position> in <Response> is where <Result> has to be");
    check(&moved, "<X>1</X><Y>2</Y>", "<Y>2</Y><X>1</X>", "<Y> in <Position> is where <X> has to be");
    check(&moved, ">Success<", ">Maybe<", "<Result> is \"Maybe\"; what works: Success, Failure");
    check(&moved, "Move>", "Jump>", "expected `</Jump>`, but `</Move>` was found");
    check(&moved, "<Sender id=\"1\"/>", "<Sender/>", "attribute id is missing in <Sender>");
    check(&moved, "<Sender id=\"1\"/>", "<Sender id=\"1\"></Sender>", "fits");
    check(&moved, "<Sender id=\"1\"/>", "", "<Receiver> in <Message> is where <Sender> has to be");
    check(
        &moved,
        "<Sender id=\"1\"/>",
        "<Sender id=\"one\"/>",
        "attribute id of <Sender> is \"one\", which is no whole number from -2147483648 to 2147483647",
    );
    check(&moved, &format!(" id=\"{HASH}\""), "", "attribute id is missing in <Message>");
    check(&moved, &format!(" contextId=\"{OTHER}\""), "", "fits");
    check(&moved, OTHER, "1", "attribute contextId of <Message> is \"1\", which is no UUID of version 4");

    let discovered = (0..8).map(|x| tile(x, TileObject::Piece)).collect();
    let discovered = Document::Messages(Messages::one(message(Content::Action(Action::Discovered(discovered)))));
    check(&discovered, ">Piece<", ">NonGoal<", "<TileObject> is \"NonGoal\"; what works: Nothing, Piece");
    check(
        &discovered,
        "<Tile>",
        "<Tile timestamp=\"2002-05-30T09:00:00\">",
        "attribute timestamp is not known in <Tile>",
    );
    let one_more = "<Tiles><Tile><Position><X>1</X><Y>1</Y></Position><Distance>1</Distance>\
        <TileObject>Piece</TileObject></Tile>";
    check(&discovered, "<Tiles>", one_more, "<Tiles> has 9 <Tile>, and 8 are the most");
    check(&discovered, "<Team>Red</Team>", "<Team>Green</Team>", "<Team> is \"Green\"; what works: Blue, Red");

    let data =
        Document::Messages(Messages::one(message(Content::Exchange(Exchange::Data(vec![known(1, Some(true))])))));
    check(&data, ">true<", "> 1 <", "fits");
    check(&data, ">true<", ">yes<", "<IsPursued> is \"yes\"; what works: true, false, 1, 0");
    check(&data, "<Tile ", "<Tile when=\"now\" ", "attribute when is not known in <Tile>");
    let request = Document::Messages(Messages::one(message(Content::Exchange(Exchange::Request))));
    check(&request, "<Request/>", "<Request> <Anything/> </Request>", "fits");
    check(&request, "<Request/>", "", "<ExchangeKnowledge> is empty; what works: <Request>, <Response>, <Data>");
    check(
        &request,
        "<Request/>",
        "<Hello/>",
        "<Hello> is in <ExchangeKnowledge>; what works: <Request>, <Response>, <Data>",
    );
    check(&request, "<Request/>", "<Request/><Request/>", "<Request> in <ExchangeKnowledge> is one element too many");

    let end = End { reason: EndReason::Success, winner: Team::Blue, goals: [(Team::Blue, 1), (Team::Red, 0)] };
    let end = Document::Messages(Messages::one(message(Content::GameState(GameState::End(end)))));
    check(&end, "name=\"Red\"", "name=\"Blue\"", "fits");
    check(&end, " name=\"Red\"", "", "attribute name is missing in <Team>");
    check(&end, "name=\"Red\"", "name=\"Green\"", "attribute name of <Team> is \"Green\"; what works: Blue, Red");
    check(&end, "<Team name=\"Red\"><GoalsCompleted>0</GoalsCompleted></Team>", "", "<Team> is missing in <Result>");
}

#[test]
fn namespaces() {
    let document = Connection::Confirmation { hash: HASH.into(), id: 1 }.write();
    let check = |change: &str, to: &str, expected: &str| {
        let text = document.replace(change, to);
        let found = read(&text).map_or_else(|problem| problem.what, |_| "fits".into());
        assert_eq!(found, expected, "{text}");
    };
    let ours = " xmlns=\"http://messageSchema.something.com\"";
    check(ours, "", "fits");
    check(ours, " xmlns=\"\"", "fits");
    check(
        ours,
        " xmlns=\"urn:other\"",
        "<Connection> is in the namespace \"urn:other\", and has to be in \"http://messageSchema.something.com\" or in none",
    );
    check(
        "<Hash>",
        "<Hash xmlns=\"urn:other\">",
        "<Hash> is in the namespace \"urn:other\", and the root is in \"http://messageSchema.something.com\"",
    );
    check(
        "<Hash>",
        "<Hash xmlns=\"\">",
        "<Hash> is in the namespace \"\", and the root is in \"http://messageSchema.something.com\"",
    );
    check(ours, " xmlns:m=\"http://messageSchema.something.com\"", "fits");
    check(ours, " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:noNamespaceSchemaLocation=\"x\"", "fits");
    check(
        ours,
        " xsi:noNamespaceSchemaLocation=\"x\"",
        "the prefix of attribute xsi:noNamespaceSchemaLocation stands for no namespace",
    );
    check("<Hash>", "<Hash xmlns:m=\"\">", "the prefix m is bound to an empty namespace");
    check("<Hash>", "<Hash xmlns:xsi=\"urn:x\" xsi:a=\"1\">", "fits");
    let prefixed = document.replace(ours, " xmlns:m=\"http://messageSchema.something.com\"");
    let prefixed = prefixed.replace("</", "</m:").replace('<', "<m:").replace("<m:/m:", "</m:").replace("<m:?", "<?");
    assert!(read(&prefixed).is_ok(), "{prefixed}");
    validate("Connection.xsd", &prefixed);
    let half = prefixed.replace("m:Hash", "Hash");
    assert!(read(&half).is_err(), "{half}");
    assert_eq!(
        read("<m:Connection/>").expect_err("no prefix").what,
        "the prefix of <m:Connection> stands for no namespace"
    );
    assert_eq!(
        read("<Hello/>").expect_err("unknown").what,
        "the document is a <Hello>; what works: <Connection>, <Messages>"
    );
}

#[test]
fn guids() {
    assert_eq!(Guid::of_random([0xff; 16]).as_str(), "ffffffff-ffff-4fff-bfff-ffffffffffff");
    assert_eq!(Guid::of_random([0; 16]).as_str(), "00000000-0000-4000-8000-000000000000");
    let bytes = std::array::from_fn(|index| u8::try_from(index * 16 + index).unwrap_or(0));
    let guid = Guid::of_random(bytes);
    assert_eq!(guid.as_str(), "00112233-4455-4677-8899-aabbccddeeff");
    assert_eq!(Guid::parse(guid.as_str()), Some(guid));
    assert!(guid.is_same("00112233-4455-4677-8899-AABBCCDDEEFF"));
    assert_eq!(Guid::parse("00112233-4455-4677-8899-aabbccddeef"), None);
    assert_eq!(Guid::parse("00112233-4455-4677-8899-aabbccddeefg"), None);
    assert_eq!(Guid::parse("00112233x4455-4677-8899-aabbccddeeff"), None);
}

#[test]
fn addresses() {
    for good in ["0.0.0.0:0", "255.255.255.255:65535", "192.168.1.1:8000", "10.0.0.1:99999"] {
        assert!(is_address(good), "{good}");
    }
    for bad in [
        "",
        "1.2.3.4",
        "1.2.3.4:",
        ":80",
        "1.2.3:80",
        "1.2.3.4.5:80",
        "256.1.1.1:80",
        "01.2.3.4:80",
        "1.2.3.4:8a",
        "1.2.3.+4:80",
        "localhost:80",
    ] {
        assert!(!is_address(bad), "{bad}");
    }
}

#[test]
fn timestamps() {
    let check = |text: &str, millis: i64| {
        let found = Timestamp::parse(text).unwrap_or_else(|| panic!("{text}"));
        assert_eq!((found.millis(), found.to_string().as_str()), (millis, text));
    };
    check("1970-01-01T00:00:00", 0);
    check("1970-01-01T00:00:00Z", 0);
    check("1969-12-31T23:59:59.999Z", -1);
    check("1970-01-01T24:00:00Z", 86_400_000);
    check("2002-05-30T09:00:00", 1_022_749_200_000);
    check("2002-05-30T09:00:00+02:00", 1_022_742_000_000);
    check("2002-05-30T09:00:00.5-14:00", 1_022_799_600_500);
    check("2002-05-30T09:00:00.1239999", 1_022_749_200_123);
    check("2000-02-29T00:00:00Z", 951_782_400_000);
    check("-0001-01-01T00:00:00Z", -62_198_755_200_000);
    for bad in [
        "",
        "T",
        "2002-05-30",
        "09:00:00",
        "2002-05-30 09:00:00",
        "2002-5-30T09:00:00",
        "2002-13-01T09:00:00",
        "2001-02-29T09:00:00",
        "1900-02-29T09:00:00",
        "2002-05-30T25:00:00",
        "2002-05-30T24:00:01",
        "2002-05-30T09:60:00",
        "2002-05-30T09:00:60",
        "2002-05-30T09:00",
        "2002-05-30T09:00:00.",
        "2002-05-30T09:00:00+15:00",
        "2002-05-30T09:00:00+2:00",
        "2002-05-30T09:00:00ZZ",
        "0000-01-01T00:00:00",
        "02002-05-30T09:00:00",
        "2002-05-30T09:00:00:00",
        "2002-05-30-01T09:00:00",
        "+2002-05-30T09:00:00",
    ] {
        assert_eq!(Timestamp::parse(bad), None, "{bad}");
    }
    let mut numbers = Numbers::new(7);
    for _ in 0..20_000 {
        let millis = i64::try_from(numbers.below(1 << 31) * 9000).unwrap_or(0) - 9_000_000_000_000 + 7;
        let written = Timestamp::from_millis(millis);
        assert_eq!(Timestamp::parse(&written.to_string()), Some(written));
    }
    assert_eq!(Timestamp::from_millis(1_022_749_200_123).to_string(), "2002-05-30T09:00:00.123Z");
}

/// Documents with parts cut out, doubled and swapped never make the reader panic.
#[test]
fn damaged() {
    let mut numbers = Numbers::new(99);
    let document =
        Document::Messages(Messages { sender_hash: None, messages: contents().into_iter().map(message).collect() });
    let document = document.write().into_bytes();
    for _ in 0..3_000 {
        let mut bytes = document.clone();
        for _ in 0..=numbers.below(3) {
            let at = numbers.below(bytes.len());
            let end = (at + numbers.below(60)).min(bytes.len());
            match numbers.below(3) {
                0 => drop(bytes.drain(at..end)),
                1 => bytes.extend_from_within(at..end),
                _ => bytes[at] = u8::try_from(numbers.below(256)).unwrap_or(0),
            }
        }
        let _ = Document::read(&bytes, &Document::LIMITS);
    }
}

/// The examples from the original authors of the protocol.
#[test]
fn examples_of_others() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/seeds/003_53c09ba90a2aca98.txt");
    let Ok(text) = fs::read_to_string(path) else {
        println!("skipped: ../shared is missing");
        return;
    };
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("```")).collect();
    let text = lines.join("\n");
    let mut counts = (0, 0);
    for piece in text.split("<?xml").skip(1) {
        let piece = format!("<?xml{piece}");
        if let Some((document, _)) = piece.split_once("</Connection>") {
            assert!(matches!(read(&format!("{document}</Connection>")), Ok(Document::Connection(_))), "{document}");
            counts.0 += 1;
        } else if let Some((document, _)) = piece.split_once("</Messages>") {
            let document = format!("{document}</Messages>");
            if let Ok(found) = read(&document) {
                round(&found);
                counts.1 += 1;
            }
        }
    }
    // The document has three batches, but a page break splits one of them.
    assert_eq!(counts, (2, 2));
}
