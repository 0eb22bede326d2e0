//! Clients of earlier versions decode every refusal. The bytes are those of the versions that they were built with.

use commlib::{Dialect, Form, Reason, Refused, ToClient, encode};
use serde::Deserialize;

/// A refusal as the first clients of protocol 3 read it.
#[derive(Debug, PartialEq, Deserialize)]
struct Refused3 {
    reason: Reason3,
    message: String,
}

/// The reasons of the first clients of protocol 3. Those of protocols 1 and 2 end with `Internal`.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Reason3 {
    BadMessage,
    WrongProtocol,
    UnknownGame,
    UnknownToken,
    GameOver,
    Full,
    BadScenario,
    TooLarge,
    TooSlow,
    TooFast,
    TooMany,
    Timeout,
    ShuttingDown,
    StoreFailed,
    Replaced,
    Internal,
    StoreUnavailable,
    Damaged,
}

/// The number of a reason in the frame that a client of this kind is sent.
fn sent(reason: Reason, dialect: Dialect) -> u8 {
    let refused = Refused::new(reason, "no").in_dialect(dialect);
    let mut frame = Vec::new();
    encode(Form::Binary, &ToClient::<()>::Refused(refused.clone()), &mut frame).expect("a short message");
    let [0, 0, 0, 5, 4, number, 2, b'n', b'o'] = frame[..] else { panic!("{reason:?}: {frame:?}") };
    let mut line = Vec::new();
    encode(Form::Json, &ToClient::<()>::Refused(refused), &mut line).expect("a short message");
    let name = Reason::ALL[usize::from(number)].name();
    let expected = format!("{{\"refused\":{{\"reason\":\"{name}\",\"message\":\"no\"}}}}\n");
    assert_eq!(String::from_utf8(line).as_deref(), Ok(&*expected), "both forms say the same");
    number
}

#[test]
fn clients_without_accounts_know_every_reason() {
    for (at, reason) in Reason::ALL.into_iter().enumerate() {
        let number = sent(reason, Dialect { protocol: 3, knows_accounts: false });
        let read: Refused3 = postcard::from_bytes(&[number, 2, b'n', b'o']).expect("a landed client decodes it");
        assert_eq!((read.reason as usize, &*read.message), (if at < 18 { at } else { 0 }, "no"), "{reason:?}");
        let name = format!("\"{}\"", Reason::ALL[usize::from(number)].name());
        assert_eq!(serde_json::from_str::<Reason3>(&name).ok(), Some(read.reason), "{reason:?}");
        for protocol in [1, 2] {
            for knows_accounts in [false, true] {
                let number = sent(reason, Dialect { protocol, knows_accounts });
                let read: Reason3 = postcard::from_bytes(&[number]).expect("a landed client decodes it");
                assert!(read <= Reason3::Internal, "protocol {protocol}: {reason:?}");
            }
        }
    }
    // The first client of protocol 3 cannot read the reasons of accounts.
    for number in 18..21 {
        assert!(postcard::from_bytes::<Reason3>(&[number]).is_err());
    }
}

#[test]
fn clients_with_accounts_get_the_exact_reason() {
    for (at, reason) in Reason::ALL.into_iter().enumerate() {
        assert_eq!(usize::from(sent(reason, Dialect { protocol: 3, knows_accounts: true })), at, "{reason:?}");
    }
}
