//! Every message of the wire, tried by each person. A message of docs/protocol.json without a row fails.

use commlib::{AccessChange, Admission, Form, Token, Want};
use serde_json::Value;

use super::{Accounts, rows, serve};
use crate::{
    counter::Command,
    support::{Connection, Player, Rejection, Served, create, greet, hello, join, next, resume, watch},
};

/// The people who send, in the order of the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sender {
    /// Knows the name of the game.
    Stranger,
    /// Has an invitation.
    Guest,
    /// Plays for an account, and knows the name of the game.
    Account,
    /// Watches the game.
    Spectator,
    /// A client of the game.
    Player,
    /// Created the game.
    Creator,
}

const SENDERS: [Sender; 6] =
    [Sender::Stranger, Sender::Guest, Sender::Account, Sender::Spectator, Sender::Player, Sender::Creator];

/// A game by invitation that waits, and its people.
struct Table {
    served: Served,
    game: String,
    invitation: String,
    account: String,
    spectator: Player,
    player: Player,
    creator: Player,
}

impl Table {
    async fn new(accounts: &Accounts) -> Self {
        let (served, _port) = serve(accounts.store.clone()).await;
        let Want::Create(made) = create("9").want else { panic!("another wish") };
        let want = Want::Private { create: made, admission: Admission::Invited };
        let mut creator = served.enter(Form::Json, hello(want, None)).await.expect("a game");
        creator.manage(AccessChange::Invite { name: None, account: None }).await;
        let (_, invitation) =
            creator.next().await.split_once("invitation ").map(|(a, b)| (a.to_owned(), b.to_owned())).expect("a code");
        let spectator = served.enter(Form::Json, watch(&invitation, 0)).await.expect("a place");
        let player = served.enter(Form::Json, join(&invitation)).await.expect("a place");
        let game = creator.game().to_owned();
        Self { served, game, invitation, account: accounts.token.clone(), spectator, player, creator }
    }

    /// A new connection of a person.
    async fn connect(&self, sender: Sender) -> Connection {
        let mut connection = self.served.connect(Form::Json).await;
        if sender == Sender::Account {
            connection.account(&self.account).await.expect("sent");
        }
        connection
    }

    /// Whether a hello on a new connection is taken.
    async fn greets(&self, sender: Sender, want: &str) -> bool {
        let name = if sender == Sender::Guest { &self.invitation } else { &self.game };
        let token = match sender {
            Sender::Player => self.player.token(),
            Sender::Creator => self.creator.token(),
            Sender::Stranger | Sender::Guest | Sender::Account | Sender::Spectator => Token::new([7; 16]),
        };
        let mut connection = self.connect(sender).await;
        let hello = match want {
            "list" => return connection.games().await.is_ok(),
            "create" => create("9"),
            "private" => {
                let Want::Create(made) = create("9").want else { panic!("another wish") };
                hello(Want::Private { create: made, admission: Admission::Unlisted }, None)
            }
            "join" => join(name),
            "watch" => watch(name, 0),
            "resume" => resume(name, token, 0),
            other => panic!("this test does not know the wish {other}"),
        };
        match greet(&mut connection, hello).await {
            Ok(_) => true,
            Err(Rejection::Refused(_) | Rejection::Closing(_)) => false,
        }
    }

    /// Whether a message is taken: outside of the game as the first one, inside of it on the connection of the person.
    async fn takes(&mut self, sender: Sender, message: &str) -> bool {
        let mut outside = self.connect(sender).await;
        let connection = match sender {
            Sender::Stranger | Sender::Guest | Sender::Account => &mut outside,
            Sender::Spectator => &mut self.spectator.connection,
            Sender::Player => &mut self.player.connection,
            Sender::Creator => &mut self.creator.connection,
        };
        // A chat and what follows from it are for those who receive notices.
        let needs_notices = ["chat", "mute", "report"].contains(&message);
        let is_inside = ![Sender::Stranger, Sender::Guest, Sender::Account].contains(&sender);
        if needs_notices && is_inside {
            connection.ask_notices(true).await.expect("sent");
            while !next(connection).await.contains("snapshot") {}
            // A report needs a line. Chat is limited, so a chat does not.
            if message != "chat" {
                let hello = format!("hello of {sender:?}");
                connection.chat(&hello).await.expect("sent");
                while !next(connection).await.contains(&hello) {}
            }
        }
        let answer = match message {
            "command" => {
                connection.send(&Command::Join { name: "Ana".into() }).await.expect("sent");
                "Joined"
            }
            "ping" => "pong 7",
            "offers" => {
                connection.ask_offers(1).await.expect("sent");
                "offers 1"
            }
            "notices" => {
                connection.ask_notices(true).await.expect("sent");
                "snapshot"
            }
            "chat" => {
                connection.chat(&format!("gl hf, says {sender:?}")).await.expect("sent");
                "gl hf"
            }
            "mute" => {
                connection.mute("Eve", true).await.expect("sent");
                "pong 7"
            }
            "report" => {
                connection.report(1).await.expect("sent");
                "reported"
            }
            "manage" => {
                connection.manage(AccessChange::Closed(true)).await.expect("sent");
                "managed"
            }
            other => panic!("this test does not know the message {other}"),
        };
        // A message without an answer has one to the ping behind it, unless it was refused.
        connection.ping(7).await.expect("sent");
        loop {
            let heard = next(connection).await;
            if heard.contains(answer) {
                return true;
            }
            if heard.contains("refused") || heard.contains("closing") || heard == "end" {
                return false;
            }
        }
    }
}

/// The messages of docs/protocol.json, as the table names them.
fn messages() -> Vec<String> {
    let document: Value = serde_json::from_str(include_str!("../../../../docs/protocol.json")).expect("JSON");
    let names = |name: &str| -> Vec<String> {
        let variants = document["types"][name]["enum"].as_array().expect("an enum").iter();
        variants.map(|variant| variant["name"].as_str().expect("a name").to_owned()).collect()
    };
    let wants = names("Want").into_iter().map(|want| format!("hello: {want}"));
    wants.chain(names("FromClient").into_iter().filter(|name| name != "hello")).collect()
}

#[tokio::test]
async fn every_message() {
    let document = include_str!("../../../../docs/protocol.md");
    let table = rows(document, "| message | stranger | guest | account | spectator | player | creator |\n");
    let rows: Vec<&str> = table.iter().map(|row| &*row[0]).collect();
    let (mut listed, mut known) = (rows.clone(), messages());
    listed.sort_unstable();
    known.sort_unstable();
    assert_eq!(listed, known, "docs/protocol.md has a row for every message");
    let accounts = Accounts::new().await;
    for row in table {
        let (message, cells) = row.split_first().expect("a message");
        assert_eq!(cells.len(), SENDERS.len(), "{row:?}");
        let mut world = Table::new(&accounts).await;
        for (sender, cell) in SENDERS.into_iter().zip(cells) {
            let may = match (message.strip_prefix("hello: "), &**message) {
                (Some(want), _) => world.greets(sender, want).await,
                (None, "account") => {
                    let mut connection = world.connect(sender).await;
                    connection.account("").await.expect("sent");
                    connection.games().await.is_ok()
                }
                (None, message) => world.takes(sender, message).await,
            };
            assert_eq!(if may { "yes" } else { "no" }, cell, "{message} of {sender:?}");
        }
    }
}
