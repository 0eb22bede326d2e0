//! Messages reach their receivers.

use project::documents::CONNECTION_LOST;

use crate::support::{ROOT, Running, hash, message, one, refusal};

#[tokio::test]
async fn all_pairs_exchange_messages() {
    let (running, mut master) = Running::with_master().await;
    let mut first = running.player(&mut master, 1).await;
    let mut second = running.player(&mut master, 2).await;
    for content in ["", "<Action><Test><Request/></Test></Action>", "<a b='&amp;'>ä<![CDATA[<]]></a>"] {
        let to_master = one(1, 0, content);
        first.say(&to_master).await;
        master.hears(&to_master).await;
        let to_player = one(0, 2, content);
        master.say(&to_player).await;
        second.hears(&to_player).await;
        let to_other = one(2, 1, content);
        second.say(&to_other).await;
        first.hears(&to_other).await;
    }
    let plain = one(1, 0, "").replace(" xmlns=\"http://messageSchema.something.com\"", "");
    first.say(&plain).await;
    master.hears(&plain).await;
    let log = running.stopped().await;
    assert!(log.contains(" 1 -> 0 Action/Test/Request 4d4d4d4d-4d4d-4d4d-8d4d-4d4d4d4d4d4d"), "{log}");
}

#[tokio::test]
async fn hashes_are_checked_and_removed() {
    let (running, mut master) = Running::with_master().await;
    let mut player = running.player(&mut master, 1).await;
    let plain = one(1, 0, "<x/>");
    let signed =
        |number| plain.replace(" protocolVersion", &format!(" senderHash=\"{}\" protocolVersion", hash(number)));
    player.say(&signed(1)).await;
    master.hears(&plain).await;
    player.say(&signed(1).replace(hash(1).as_str(), &hash(1).as_str().to_uppercase())).await;
    master.hears(&plain).await;
    player.say(&signed(2)).await;
    player.say(&signed(0)).await;
    player.say(&signed(1).replace(hash(1).as_str(), "mine")).await;
    player.say(&one(1, 0, "last")).await;
    master.hears(&one(1, 0, "last")).await;
    let log = running.stopped().await;
    assert_eq!(log.matches("discarded: senderHash is not that of 1").count(), 2, "{log}");
}

#[tokio::test]
async fn batches_are_split() {
    let (running, mut master) = Running::with_master().await;
    let mut first = running.player(&mut master, 1).await;
    let mut second = running.player(&mut master, 2).await;
    let parts: Vec<String> = (0..10).map(|number| message(0, 1 + number % 3, &format!("<n>{number}</n>"))).collect();
    let wrap = |numbers: &[usize]| {
        format!("{ROOT}{}</Messages>", numbers.iter().map(|number| parts[*number].as_str()).collect::<String>())
    };
    // No client has the id 3, so the server discards the messages to it.
    master.say(&wrap(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9])).await;
    first.hears(&wrap(&[0, 3, 6, 9])).await;
    second.hears(&wrap(&[1, 4, 7])).await;
    let signed = wrap(&[0, 1]).replacen('>', &format!(" senderHash='{}'>", hash(0)), 1);
    master.say(&signed).await;
    first.hears(&wrap(&[0])).await;
    second.hears(&wrap(&[1])).await;
    let log = running.stopped().await;
    assert_eq!(log.matches("no client has that id").count(), 3, "{log}");
}

#[tokio::test]
async fn a_hundred_and_one() {
    let (running, mut master) = Running::with_master().await;
    let mut player = running.player(&mut master, 1).await;
    let many = |count: usize| format!("{ROOT}{}</Messages>", message(1, 0, "<x/>").repeat(count));
    player.say(&many(101)).await;
    player.say(&many(100)).await;
    master.hears(&many(100)).await;
    let log = running.stopped().await;
    assert!(log.contains("there are more than 100 messages"), "{log}");
}

#[tokio::test]
async fn invalid_messages_are_discarded() {
    let (running, mut master) = Running::with_master().await;
    let mut player = running.player(&mut master, 1).await;
    let good = one(1, 0, "<x/>");
    let bad = [
        one(2, 0, "<x/>"),
        one(0, 0, "<x/>"),
        format!("{ROOT}{}{}</Messages>", message(1, 0, ""), message(2, 0, "")),
        format!("{ROOT}{}<Message id=\"1\"><Receiver id=\"0\"/><Content/></Message></Messages>", message(1, 0, "")),
        one(1, 99, "<x/>"),
        one(1, -1, "<x/>"),
        good.replace("something", "else"),
        good.replace("Version=\"1\"", "Version=\"2\""),
        good.replace("</Content>", ""),
        good.replace("</Message>", ""),
        good.replace("</Messages>", ""),
        format!("<!DOCTYPE x [<!ENTITY y \"z\">]>{good}"),
        "nonsense".to_owned(),
        "<Hello/>".to_owned(),
        "\0\u{1}\u{feff}".to_owned(),
    ];
    for (number, document) in bad.iter().enumerate() {
        player.say(document).await;
        let next = one(1, 0, &format!("<n>{number}</n>"));
        player.say(&next).await;
        master.hears(&next).await;
    }
    player.raw(b"\xff\xfe\x80\x17").await;
    player.settles().await;
    let log = running.stopped().await;
    assert_eq!(log.matches("discarded: ").count(), bad.len() + 1, "{log}");
    assert!(log.contains("discarded: Sender is 2 and not 1"), "{log}");
    assert!(log.contains("discarded: line 1, column "), "{log}");
}

/// The receiver of a whole document can check it. If a document must be split, only the server sees all of it.
#[tokio::test]
async fn contents_are_not_checked() {
    let (running, mut master) = Running::with_master().await;
    let mut first = running.player(&mut master, 1).await;
    let mut second = running.player(&mut master, 2).await;
    first.say(&one(1, 0, "")).await;
    master.hears(&one(1, 0, "")).await;
    for content in ["<Nonsense/>", "<x>", "&x;", "<Action><Move>"] {
        first.say(&one(1, 0, content)).await;
        master.hears(&one(1, 0, content)).await;
    }
    let two = |content: &str| format!("{ROOT}{}{}</Messages>", message(0, 1, content), message(0, 2, "<y/>"));
    for content in ["<x>", "<Action><Move>", "</x>"] {
        master.say(&two(content)).await;
    }
    master.say(&two("<Nonsense/>")).await;
    first.hears(&one(0, 1, "<Nonsense/>")).await;
    second.hears(&one(0, 2, "<y/>")).await;
    running.stopped().await;
}

/// Two players send at the same time. The messages of each player stay in order.
#[tokio::test(flavor = "multi_thread")]
async fn order() {
    const COUNT: usize = 3000;
    let (running, mut master) = Running::with_master().await;
    let first = running.player(&mut master, 1).await;
    let second = running.player(&mut master, 2).await;
    let mut senders = Vec::new();
    for (number, mut player) in [(1, first), (2, second)] {
        senders.push(tokio::spawn(async move {
            for count in 0..COUNT {
                player.say(&one(number, 0, &count.to_string())).await;
            }
            player
        }));
    }
    let mut expected = [0, 0];
    while expected.iter().any(|count| *count < COUNT) {
        let heard = master.next().await.expect("a message");
        let from = usize::from(heard.contains("<Sender id=\"2\"/>"));
        let number = i32::try_from(from).expect("small") + 1;
        assert_eq!(heard, one(number, 0, &expected[from].to_string()));
        expected[from] += 1;
    }
    for sender in senders {
        drop(sender.await.expect("no panic"));
    }
    let mut lost = [master.next().await, master.next().await];
    lost.sort();
    assert_eq!(lost, [Some(refusal(1, CONNECTION_LOST)), Some(refusal(2, CONNECTION_LOST))]);
    running.stopped().await;
}
