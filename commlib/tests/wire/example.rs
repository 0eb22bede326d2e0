//! The example game: players talk and roll dice.

use commlib::{
    Access, AccessChange, Admission, Channel, ChatLine, Create, FromClient, GameInfo, Hello, Mute, Notice,
    NumberedEvent, Offered, PROTOCOL, Presence, Reason, Refused, Snapshot, ToClient, Token, Want, Welcome,
};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Command {
    Say { words: String },
    Roll { dice: i32 },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Event {
    Rules {},
    Said { by: u32, words: String },
    Rolled { by: u32, eyes: Vec<i32> },
}

pub(crate) fn hello(want: Want) -> Hello {
    Hello { protocol: PROTOCOL, want, game: None, board: false }
}

/// At least one message of every kind.
pub(crate) fn from_client() -> Vec<FromClient<Command>> {
    let token = Token::new(*b"0123456789abcdef");
    let create = Create {
        rulebook: Some("table".into()),
        scenario: "{\"dice\": 2}\n".into(),
        edition: Some("loud".into()),
        seed: Some(i64::MIN),
        timeout: Some(30_000),
    };
    let plain = Create { rulebook: None, scenario: "x".into(), edition: None, seed: None, timeout: None };
    let in_game = |want| Hello { game: Some("g1".into()), board: true, ..hello(want) };
    vec![
        FromClient::Hello(hello(Want::List)),
        FromClient::Hello(hello(Want::Create(create))),
        FromClient::Hello(hello(Want::Create(plain.clone()))),
        FromClient::Hello(hello(Want::Private { create: plain, admission: Admission::Unlisted })),
        FromClient::Hello(in_game(Want::Join { seat: None })),
        FromClient::Hello(in_game(Want::Join { seat: Some(u16::MAX) })),
        FromClient::Hello(in_game(Want::Watch { seen: 128 })),
        FromClient::Hello(in_game(Want::Resume { token, seen: u64::MAX })),
        FromClient::Command(Command::Say { words: "ä \"quoted\" \u{1F600}".into() }),
        FromClient::Command(Command::Roll { dice: -1 }),
        FromClient::Ping(0),
        FromClient::Ping(u64::MAX),
        FromClient::Offers(0),
        FromClient::Offers(u64::MAX),
        FromClient::Notices(true),
        FromClient::Notices(false),
        FromClient::Chat("gl \u{1F600}".into()),
        FromClient::Account("hfa_0123456789abcdef_00".into()),
        FromClient::Mute(Mute { by: "Eve".into(), muted: true }),
        FromClient::Report(300),
        FromClient::Manage(AccessChange::Look),
        FromClient::Manage(AccessChange::Admit(Admission::Invited)),
        FromClient::Manage(AccessChange::Closed(true)),
        FromClient::Manage(AccessChange::Invite { name: Some("Bo".into()), account: None }),
        FromClient::Manage(AccessChange::Remove { client: 128 }),
        FromClient::Manage(AccessChange::End),
    ]
}

/// At least one message of every kind.
pub(crate) fn to_client() -> Vec<ToClient<Event>> {
    let refused = |reason| Refused::new(reason, "because");
    let told = |number, event| ToClient::Event(NumberedEvent { number, event, text: None });
    let here = Presence { client: 1, player: "Ana".into(), away_ms: None };
    let line = |number, channel| ChatLine {
        number,
        channel,
        client: (channel == Channel::Players).then_some(1),
        by: "Ana".into(),
        text: "hi".into(),
        at: 1_700_000_000_000,
    };
    vec![
        ToClient::Welcome(Welcome {
            protocol: PROTOCOL,
            game: "g1".into(),
            client: Some(3),
            token: Some(Token::new([255; 16])),
            next: 1,
            rulebook: "table".into(),
            edition: "loud".into(),
            commands: 128,
            scenario: None,
        }),
        ToClient::Welcome(Welcome {
            protocol: PROTOCOL,
            game: "g1".into(),
            client: None,
            token: None,
            next: 300,
            rulebook: "table".into(),
            edition: "loud".into(),
            commands: 0,
            scenario: Some("{\"dice\":2}\n".into()),
        }),
        ToClient::Games(vec![]),
        ToClient::Games(vec![GameInfo {
            game: "g1".into(),
            rulebook: "table".into(),
            edition: "loud".into(),
            players: vec!["Ana".into(), "Bo".into()],
            status: "open".into(),
        }]),
        ToClient::Event(NumberedEvent { number: 1, event: Event::Rules {}, text: Some("{}\n".into()) }),
        told(127, Event::Said { by: 0, words: String::new() }),
        told(128, Event::Rolled { by: u32::MAX, eyes: vec![0, 1, -1, i32::MAX, i32::MIN] }),
        ToClient::Pong(7),
        ToClient::Refused(refused(Reason::BadMessage)),
        ToClient::Closing(refused(Reason::Internal)),
        ToClient::Offers(Offered { number: 128, after: 0, offers: "{\"title\":\"\",\"offers\":[]}".into() }),
        ToClient::Notice(Notice::Snapshot(Snapshot {
            players: vec![here.clone(), Presence { client: 128, player: "Bo".into(), away_ms: Some(60_000) }],
            spectators: 3,
            thinks: Some("Ana".into()),
            writes: Channel::Spectators,
            chat: Some(vec![line(1, Channel::Players), line(300, Channel::Spectators)]),
        })),
        ToClient::Notice(Notice::Snapshot(Snapshot {
            players: vec![],
            spectators: 0,
            thinks: None,
            writes: Channel::Players,
            chat: None,
        })),
        ToClient::Notice(Notice::Presence(here)),
        ToClient::Notice(Notice::Spectators(u32::MAX)),
        ToClient::Notice(Notice::Thinks(None)),
        ToClient::Notice(Notice::Chat(line(u64::MAX, Channel::Players))),
        ToClient::Notice(Notice::Refused(refused(Reason::TooFast))),
        ToClient::Notice(Notice::Reported(300)),
        ToClient::Managed(Access {
            admission: Admission::Invited,
            closed: false,
            invitations: 128,
            reserved: vec!["Bo".into()],
            invitation: Some("g1.0123456789abcdef0123456789abcdef".into()),
        }),
    ]
}
