//! The wire protocol: messages, their binary and JSON forms, and TCP connections. It contains no game.
//!
//! [`wire`] has all messages, and `docs/protocol.md` specifies their bytes. [`Decoder`] and [`encode()`] convert between bytes
//! and messages without a socket. [`TextDecoder`] decodes texts that come one by one, for example over a WebSocket.
//! [`ServerConnection`] and [`ClientConnection`] send messages over TCP. A game's commands and events are type parameters; a
//! server keeps a command as bytes ([`Raw`]) until it knows the game. [`Delimited`] is for games with their own protocol:
//! frames that end with a certain byte.
//!
//! A client and a server in one process:
//!
//! ```
//! use commlib::{
//!     ClientConnection, Form, GameInfo, Limits, ServerConnection, ToClient, Want,
//! };
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
//! let server = ServerConnection::bind("127.0.0.1:0", Limits::default()).await?;
//! let address = server.local_addr()?;
//!
//! let serve = async {
//!     let (mut reader, mut writer) = server.accept().await.unwrap().split();
//!     let Some(commlib::Greeting::Hello(hello)) = reader.greeting().await.unwrap() else { panic!("no hello") };
//!     assert_eq!(hello.want, Want::List);
//!     let games = vec![GameInfo {
//!         game: "g1".into(),
//!         rulebook: "chess".into(),
//!         edition: "standard".into(),
//!         players: vec!["Ana".into()],
//!         status: "open".into(),
//!     }];
//!     writer.send_message(reader.form(), &ToClient::<()>::Games(games)).await.unwrap();
//! };
//! let ask = async {
//!     let mut client = ClientConnection::<(), ()>::connect(address, Form::Json).await.unwrap();
//!     client.games().await.unwrap()
//! };
//! let ((), games) = tokio::join!(serve, ask);
//! assert_eq!(games[0].players, ["Ana"]);
//! # std::io::Result::Ok(()) })?;
//! # std::io::Result::Ok(())
//! ```

mod binary;
mod client;
mod decode;
mod delimited;
mod encode;
mod fingerprint;
mod frames;
mod json;
mod limits;
mod malformed;
mod peer;
mod raw;
mod server;
mod server_address;
mod stream;
mod text;
#[cfg(feature = "tls")]
mod tls;
pub mod wire;
#[cfg(not(feature = "tls"))]
mod without_tls;

pub use client::{ClientConnection, ClientError};
pub use decode::{Decoder, Greeting, Incoming, ToClientDecoder};
pub use delimited::{Delimited, Frame};
pub use encode::{EncodeError, encode, encode_from_client, encode_welcome, json_messages};
pub use fingerprint::{Fingerprint, NoFingerprint};
pub use limits::{DEEPEST_JSON, LONGEST_FRAME, Limits};
pub use peer::{ReadError, Reader, WriteError, Writer, split_stream, turn_away};
pub use raw::{Form, Raw};
pub use server::{ConnectionId, Peer, ServerConnection};
pub use server_address::ServerAddress;
pub use stream::Stream;
pub use text::TextDecoder;
pub use tls::{ClientTls, ClientTlsError, Pins, TlsFault};
pub use wire::{
    Access, AccessChange, Admission, Channel, ChatLine, Create, Dialect, FIRST_PROTOCOL, FromClient, GameInfo, Hello,
    Mute, Notice, NumberedEvent, Offered, PROTOCOL, Presence, Reason, Refused, Snapshot, ToClient, Token, Want,
    Welcome,
};

#[cfg(not(feature = "tls"))]
use without_tls as tls;
