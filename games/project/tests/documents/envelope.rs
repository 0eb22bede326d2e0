//! Envelopes of the project game: the sender, receiver and place of each message.

use project::documents::{
    Connection, Document,
    envelope::{Envelope, Scanner},
};

use xml::Problem;

use crate::support::Numbers;

const HASH: &str = "2707d2ff-e818-4ea9-be4b-fbce3486431e";
const ROOT: &str = "<Messages xmlns=\"http://messageSchema.something.com\" protocolVersion=\"1\">";

/// A message whose content is any text.
fn message(sender: i32, receiver: i32, content: &str) -> String {
    format!(
        "<Message id=\"{HASH}\"><Sender id=\"{sender}\"/><Receiver id=\"{receiver}\"></Receiver><Content>{content}</Content></Message>"
    )
}

fn test() -> String {
    message(1, 0, "<Action><Test><Request/></Test></Action>")
}

/// The documents for each receiver, or the problem.
fn forwarded(document: &str) -> Result<Vec<(i32, String)>, Problem> {
    let mut scanner = Scanner::default();
    let Envelope::Messages(batch) = scanner.scan(document.as_bytes())? else { panic!("a connection") };
    let routed = scanner.routed();
    let mut receivers: Vec<i32> = routed.iter().map(|message| message.receiver).collect();
    receivers.sort_unstable();
    receivers.dedup();
    let write = |receiver| {
        let mut out = Vec::new();
        batch.write(document.as_bytes(), routed, receiver, &mut out);
        (receiver, String::from_utf8(out).expect("text"))
    };
    Ok(receivers.into_iter().map(write).collect())
}

/// The problem of a document, as text.
fn problem(document: &str) -> String {
    forwarded(document).expect_err("a problem").what
}

#[test]
fn one_receiver_gets_the_same_bytes() {
    for document in [
        format!("{ROOT}{}</Messages>", test()),
        format!("\u{feff}<?xml version=\"1.0\"?>\n{ROOT} <!-- hello --> {}\n</Messages>\n", test()),
        format!("{ROOT}{}{}</Messages>", message(2, 3, "<a>&lt;<![CDATA[<]]></a>"), message(2, 3, "")),
        format!("{ROOT}{}</Messages>", test()).replace(" xmlns=\"http://messageSchema.something.com\"", ""),
    ] {
        let receiver = if document.contains("<a>") { 3 } else { 0 };
        assert_eq!(forwarded(&document), Ok(vec![(receiver, document.clone())]));
    }
}

#[test]
fn the_hash_is_removed() {
    let plain = format!("<?xml version=\"1.0\"?>{ROOT}{}</Messages>", test());
    for (change, to) in [
        ("<Messages ", format!("<Messages senderHash=\"{HASH}\" ")),
        ("=\"1\">", format!("=\"1\"\n senderHash = '{HASH}'>")),
    ] {
        let document = plain.replacen(change, &to, 1);
        assert_ne!(document, plain);
        let Ok(Envelope::Messages(batch)) = Scanner::default().scan(document.as_bytes()) else { panic!("{document}") };
        assert_eq!(batch.sender_hash.map(|hash| hash.to_string()).as_deref(), Some(HASH));
        assert_eq!(forwarded(&document), Ok(vec![(0, plain.clone())]));
        let split = document.replace("</Messages>", &format!("{}</Messages>", message(1, 2, "")));
        let expected =
            [(0, plain.clone()), (2, format!("<?xml version=\"1.0\"?>{ROOT}{}</Messages>", message(1, 2, "")))];
        assert_eq!(forwarded(&split), Ok(expected.to_vec()));
    }
}

#[test]
fn batches_are_split_in_order() {
    let root = ROOT.replace("<Messages xmlns=", "<m:Messages xmlns:m=");
    let prefixed = |text: &str| text.replace("</", "</m:").replace('<', "<m:").replace("<m:/m:", "</m:");
    let parts: Vec<String> =
        (0..7).map(|number| prefixed(&message(0, number % 3, &format!("<n>{number}</n>")))).collect();
    let document = format!("{root}\n{}\n</m:Messages>", parts.join("\n<!-- and -->\n"));
    let wrap = |numbers: &[usize]| {
        format!("{root}{}</m:Messages>", numbers.iter().map(|number| parts[*number].as_str()).collect::<String>())
    };
    assert_eq!(forwarded(&document), Ok(vec![(0, wrap(&[0, 3, 6])), (1, wrap(&[1, 4])), (2, wrap(&[2, 5]))]));
}

#[test]
fn kinds_and_ids() {
    let document = format!("{ROOT}{}{}</Messages>", test(), message(1, 2, "<m:GameState xmlns:m='urn:x'/>"));
    let mut scanner = Scanner::default();
    scanner.scan(document.as_bytes()).expect("an envelope");
    let routed = scanner.routed();
    let kinds: Vec<Vec<&str>> = routed.iter().map(|message| message.kind(document.as_bytes()).collect()).collect();
    assert_eq!(kinds, [vec!["Action", "Test", "Request"], vec!["GameState"]]);
    assert_eq!(routed[1].id(document.as_bytes()), HASH);
    assert_eq!((routed[1].sender, routed[1].receiver), (1, 2));
}

#[test]
fn connections() {
    let connection = Connection::Confirmation { hash: HASH.into(), id: 1 };
    let mut scanner = Scanner::default();
    assert_eq!(scanner.scan(connection.write().as_bytes()), Ok(Envelope::Connection(connection.clone())));
    let bad = connection.write().replace(">1<", ">one<");
    let problem = scanner.scan(bad.as_bytes()).expect_err("no number");
    assert_eq!(problem.what, "<Id> is \"one\", which is no whole number from -2147483648 to 2147483647");
}

#[test]
fn invalid_envelopes() {
    let check = |change: &str, to: &str, expected: &str| {
        let document = format!("{ROOT}{}</Messages>", test());
        assert!(document.contains(change), "{change}");
        let found = forwarded(&document.replacen(change, to, 1));
        assert_eq!(found.map_or_else(|problem| problem.what, |_| "passed".into()), expected, "{to}");
    };
    check("Version=\"1\"", "Version=\" 1 \"", "passed");
    check("Version=\"1\"", "Version=\"2\"", "attribute protocolVersion of <Messages> is \"2\"; what works: 1");
    check(" protocolVersion=\"1\"", "", "attribute protocolVersion is missing in <Messages>");
    check(
        "something",
        "else",
        "<Messages> is in the namespace \"http://messageSchema.else.com\", and has to be in \
         \"http://messageSchema.something.com\" or in none",
    );
    check("<Message id", "<Message xmlns=\"urn:x\" id", "<Message> is in another namespace than <Messages>");
    check("<Sender ", "<Sender xmlns=\"http://messageSchema.something.com\" ", "passed");
    check("<Message id", "<Message x:a=\"1\" id", "the prefix of attribute x:a stands for no namespace");
    check("<Message id", "<Message xml:lang=\"de\" id", "passed");
    check("<Message id", "<Message xmlns:x=\"urn:x\" x:a=\"1\" id", "passed");
    check("<Message id", "<Message xmlns:x=\"\" id", "the prefix of attribute xmlns:x stands for no namespace");
    check("<Sender ", "<Sender xsi:a=\"1\" ", "the prefix of attribute xsi:a stands for no namespace");
    check("<Messages ", "<Messages xsi:a=\"1\" ", "the prefix of attribute xsi:a stands for no namespace");
    check("<Messages ", "<?xml version=\"1.0\"?><Messages ", "passed");
    check("<Messages ", "<?xml?><Messages ", "<?xml?> has to begin with the version");
    check("<Messages ", "<?xml version=\"3\"?><Messages ", "the version of XML is \"3\"; what works: 1.0");
    check("<Messages ", "<?XML version=\"1.0\"?><Messages ", "\"XML\" is no name of an instruction");
    check("<Sender id=\"1\"/>", "", "<Receiver> in <Message> is where <Sender> has to be");
    check("<Sender id=\"1\"/>", "<Sender/>", "attribute id is missing in <Sender>");
    check(
        "<Sender id=\"1\"/>",
        "<Sender id=\"x\"/>",
        "attribute id of <Sender> is \"x\", which is no whole number from -2147483648 to 2147483647",
    );
    check("<Sender id=\"1\"/>", "<Sender id=\"1\" id=\"2\"/>", "attribute id is there twice");
    check("</Message>", "<Content/></Message>", "<Content> in <Message> is one element too many");
    check("</Message>", "x</Message>", "there is text outside of a message's content");
    check("</Messages>", "&amp;</Messages>", "there is text outside of a message's content");
    check(
        "</Messages>",
        "<Hello></Hello></Messages>",
        "<Messages> has an element other than <Message>, or an empty <Message>",
    );
    check("</Messages>", "", "the document is not complete");
    check("</Messages>", "</Messages><Messages/>", "a second root: a document has one");
    check("<Test>", "<Test", "a tag does not end");
    check("<Test>", "< Test>", "a tag has no name");
    check("<Test>", "<Test x=\"1>", "a tag does not end");
    check("</Test>", "</Text>", "<Test> is not closed");
    check("<Messages", "<!DOCTYPE x><Messages", "a document type (DTD) is not allowed");
    let none = format!("{ROOT}</Messages>");
    assert_eq!(problem(&none), "<Message> is missing in <Messages>");
    assert_eq!(problem(""), "the document is not complete");
    assert_eq!(problem("<x/>"), "the document is a <x>; what works: <Connection>, <Messages>");
}

#[test]
fn how_many() {
    let many = |count: usize| format!("{ROOT}{}</Messages>", test().repeat(count));
    assert!(forwarded(&many(100)).is_ok());
    assert_eq!(problem(&many(101)), "there are more than 100 messages");
}

/// Every valid document has an envelope, and no document makes the scanner panic.
#[test]
fn damaged() {
    let mut numbers = Numbers::new(4711);
    let document =
        format!("{ROOT}{}{}</Messages>", test(), message(1, 2, "<ExchangeKnowledge><Request/></ExchangeKnowledge>"));
    let mut scanner = Scanner::default();
    let (mut fitting, mut refused) = (0, 0);
    for _ in 0..100_000 {
        let mut bytes = document.clone().into_bytes();
        let at = numbers.below(bytes.len());
        let end = (at + 1 + numbers.below(9)).min(bytes.len());
        match numbers.below(3) {
            0 => drop(bytes.drain(at..end)),
            1 => bytes.extend_from_within(at..end),
            _ => bytes[at] = u8::try_from(numbers.below(256)).unwrap_or(0),
        }
        let envelope = scanner.scan(&bytes);
        let document = Document::read(&bytes, &Document::LIMITS);
        let shown = String::from_utf8_lossy(&bytes);
        match (envelope, document) {
            (Err(problem), Ok(_)) => panic!("{problem}\n{shown}"),
            (Ok(_), Ok(_)) => fitting += 1,
            (Err(_), Err(_)) => refused += 1,
            (Ok(_), Err(_)) => {}
        }
    }
    assert!(fitting > 100 && refused > 100, "{fitting} {refused}");
}

/// A full parser finds the same messages, even if a sender tries to hide one.
#[test]
fn nothing_is_hidden() {
    let forged = message(2, 0, "");
    let pieces = [
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<?a",
        "?>",
        "</Message>",
        "<Message>",
        "</Content>",
        "<Content>",
        "</Messages>",
        "</Message >",
        "<m>",
        "</m>",
        "<a b='",
        "'>",
        "<a b=\"",
        "\">",
        "<Sender id=\"2\"/>",
        "<Sender id=\"1\"/>",
        "<Receiver id=\"0\"/>",
        " xmlns=\"\"",
        " id=\"1\"",
        "&lt;",
        "ä",
        "\n",
        &forged,
        ROOT,
        "<!-- </Message> -->",
        "<![CDATA[</Message>]]>",
        "<?a </Message>?>",
        "<!-- <Message> -->",
    ];
    let mut numbers = Numbers::new(815);
    let mut warm = Scanner::default();
    let good = format!("{ROOT}{}</Messages>", test());
    let (mut alike, mut careful) = (0, 0);
    for _ in 0..200_000 {
        let mut document = format!("{ROOT}{}{}</Messages>", test(), message(1, 0, "<x y=\"z\">t</x>"));
        for _ in 0..1 + numbers.below(4) {
            let mut at = numbers.below(document.len());
            while !document.is_char_boundary(at) || numbers.below(4) > 0 && !document[at..].starts_with('<') {
                at = numbers.below(document.len());
            }
            document.insert_str(at, pieces[numbers.below(pieces.len())]);
        }
        warm.scan(good.as_bytes()).expect("a document as usual");
        let Ok(Envelope::Messages(batch)) = warm.scan(document.as_bytes()) else { continue };
        let Ok(tree) = xml::read(document.as_bytes(), &Document::LIMITS) else { continue };
        let named = |message: &xml::Element<'_>, name: &str| {
            message.child(name).ok()?.attribute("id").map(|id| id.trim().to_owned())
        };
        let seen: Vec<_> =
            tree.all("Message").map(|found| (named(found, "Sender"), named(found, "Receiver"))).collect();
        let looked_at =
            warm.routed().iter().map(|found| (Some(found.sender.to_string()), Some(found.receiver.to_string())));
        assert_eq!(seen, looked_at.collect::<Vec<_>>(), "{document}");
        let mut cold = Scanner::default();
        match cold.scan(document.as_bytes()) {
            Ok(found) => {
                assert_eq!(found, Envelope::Messages(batch), "{document}");
                assert_eq!(cold.routed(), warm.routed(), "{document}");
            }
            // The problem is in a content, which the receiver checks.
            Err(_) => assert!(Document::read(document.as_bytes(), &Document::LIMITS).is_err(), "{document}"),
        }
        if document.contains("<!") { careful += 1 } else { alike += 1 }
    }
    assert!(alike > 1000 && careful > 100, "{alike} {careful}");
}
