//! What a host had told its clients at each step of a recording, from the bytes that it handed to its sockets.

use std::collections::HashMap;

use colony_rules::Event;
use commlib::{LONGEST_FRAME, ToClient, ToClientDecoder, Token, Welcome};
use engine::CommId;

use crate::{
    recording::{Recording, Step},
    websocket::{Texts, decode},
};

/// A client of a game, on all its connections.
#[derive(Debug)]
pub(super) struct Client {
    pub(super) game: String,
    pub(super) client: CommId,
    pub(super) token: Token,
    /// The step with the end of its first welcome.
    welcomed: usize,
    /// Its events, each with the step that sent its last byte.
    events: Vec<(usize, Event)>,
}

impl Client {
    /// Whether it had its welcome after this many steps.
    pub(super) fn has_welcome(&self, steps: usize) -> bool {
        self.welcomed < steps
    }

    /// The events that it was told in this many steps.
    pub(super) fn told(&self, steps: usize) -> impl ExactSizeIterator<Item = &Event> {
        let count = self.events.partition_point(|(step, _)| *step < steps);
        self.events[..count].iter().map(|(_, event)| event)
    }
}

/// All clients that were welcomed in a recording.
pub(super) fn clients(recording: &Recording) -> Vec<Client> {
    let mut sockets: HashMap<u64, Socket> = HashMap::new();
    let mut clients = Clients::default();
    for (index, step) in recording.steps.iter().enumerate() {
        if let Step::Sent { socket, bytes } = step {
            let socket = sockets.entry(*socket).or_default();
            for message in socket.messages(recording.bytes(bytes)) {
                match message {
                    ToClient::Welcome(welcome) => socket.client = Some(clients.welcome(&welcome, index)),
                    ToClient::Event(told) => {
                        let client = socket.client.expect("a welcome comes before the events");
                        clients.all[client].hear(index, told.number, told.event);
                    }
                    ToClient::Games(_)
                    | ToClient::Pong(_)
                    | ToClient::Offers(_)
                    | ToClient::Notice(_)
                    | ToClient::Managed(_)
                    | ToClient::Refused(_)
                    | ToClient::Closing(_) => {}
                }
            }
        }
    }
    clients.all
}

#[derive(Default)]
struct Clients {
    all: Vec<Client>,
    by_name: HashMap<(String, CommId), usize>,
}

impl Clients {
    fn welcome(&mut self, welcome: &Welcome, step: usize) -> usize {
        let client = CommId(welcome.client.expect("a player has a number"));
        *self.by_name.entry((welcome.game.clone(), client)).or_insert_with(|| {
            let token = welcome.token.expect("the first welcome has a token");
            let client = Client { game: welcome.game.clone(), client, token, welcomed: step, events: Vec::new() };
            self.all.push(client);
            self.all.len() - 1
        })
    }
}

impl Client {
    /// A client that resumes is told again what it had not read.
    fn hear(&mut self, step: usize, number: u64, event: Event) {
        match self.events.get(number as usize - 1) {
            Some((_, known)) => assert_eq!(*known, event, "{} is told something else", self.game),
            None => {
                assert_eq!(number, self.events.len() as u64 + 1, "no event is missing");
                self.events.push((step, event));
            }
        }
    }
}

/// The bytes that a host sent on one socket.
struct Socket {
    /// Only on a WebSocket.
    texts: Option<Texts>,
    decoder: ToClientDecoder<Event>,
    client: Option<usize>,
    is_new: bool,
}

impl Default for Socket {
    fn default() -> Self {
        Self { texts: None, decoder: ToClientDecoder::new(LONGEST_FRAME), client: None, is_new: true }
    }
}

impl Socket {
    /// The messages that are complete with these bytes.
    fn messages(&mut self, bytes: &[u8]) -> Vec<ToClient<Event>> {
        if std::mem::take(&mut self.is_new) && bytes.starts_with(b"H") {
            self.texts = Some(Texts::default());
        }
        let mut decode = |bytes: &[u8]| decode(&mut self.decoder, bytes).expect("a host sends messages");
        let Some(texts) = &mut self.texts else { return decode(bytes) };
        texts.feed(bytes);
        let mut messages = Vec::new();
        while let Some(mut text) = texts.next().expect("a sound WebSocket") {
            text.push(b'\n');
            messages.extend(decode(&text));
        }
        messages
    }
}
