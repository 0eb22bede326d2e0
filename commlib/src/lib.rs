//! The wire: messages, frames and JSON lines, and connections that carry them. Knows no game.
//!
//! [`wire`] has every message; `docs/protocol.md` describes their bytes. [`Decoder`] and [`encode()`] turn bytes into
//! messages and back and touch no socket; [`TextDecoder`] does the same for texts that come one by one, as over a WebSocket.
//! [`ServerConnection`] and [`ClientConnection`] put messages on TCP. A game's own commands and events are type parameters, or
//! bytes ([`Raw`]) where nobody knows the game yet. For games that have a wire of their own there are frames that end with a
//! byte ([`Delimited`]).

mod binary;
mod client;
mod decode;
mod delimited;
mod encode;
mod frames;
mod json;
mod limits;
mod peer;
mod raw;
mod server;
mod text;
pub mod wire;

pub use client::{ClientConnection, ClientError};
pub use decode::{Decoder, Incoming, ToClientDecoder};
pub use delimited::{Delimited, Frame};
pub use encode::{EncodeError, encode, encode_from_client, encode_welcome, json_messages};
pub use limits::{DEEPEST_JSON, LONGEST_FRAME, Limits};
pub use peer::{ReadError, Reader, WriteError, Writer, turn_away};
pub use raw::{Form, Raw};
pub use server::{ConnectionId, Peer, ServerConnection};
pub use text::TextDecoder;
pub use wire::{
    Create, FIRST_PROTOCOL, FromClient, GameInfo, Hello, NumberedEvent, PROTOCOL, Reason, Refused, ToClient, Token,
    Want, Welcome,
};
