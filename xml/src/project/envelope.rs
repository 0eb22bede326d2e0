//! As much of a document as whoever passes it on has to know: who sends what to whom, and where in the bytes.
//!
//! No tree is built, and contents are not looked at, except that they have to be well-formed.

use std::ops::Range;

use quick_xml::{Reader, events::Event};

use super::{Connection, Document, Guid, MOST_MESSAGES, NAMESPACE};
use crate::{
    Limits, Place, Problem,
    element::{no_number, number},
    problem::quoted,
    tag::{self, Attributes, Written},
};

/// A document to shake hands is never longer.
const LIMITS: Limits = Limits { bytes: 16 * 1024, depth: 4, elements: 16, attributes: 16 };

/// What a message has, in this order.
const PARTS: [&str; 3] = ["Sender", "Receiver", "Content"];

/// How much of a message's kind is kept: `Action`, `Move`, `Request`.
const KIND: usize = 3;

/// What came.
#[derive(Clone, Debug, PartialEq)]
pub enum Envelope {
    Connection(Connection),
    Messages(Batch),
}

/// A document with messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    pub sender_hash: Option<Guid>,
    /// The attribute with the hash, and the space before it.
    hash: Range<usize>,
    /// Everything before the first message, the root's tag included.
    head: usize,
    /// Where the root's closing tag begins.
    tail: usize,
}

/// One message of a batch, by its place in the bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Routed {
    pub sender: i32,
    pub receiver: i32,
    pub bytes: Range<usize>,
    id: Range<usize>,
    kind: [Range<usize>; KIND],
}

impl Batch {
    /// Appends the document with those messages that are for one receiver, without the sender's hash.
    pub fn write(&self, bytes: &[u8], routed: &[Routed], receiver: i32, out: &mut Vec<u8>) {
        if routed.iter().all(|message| message.receiver == receiver) {
            out.extend_from_slice(&bytes[..self.hash.start]);
            out.extend_from_slice(&bytes[self.hash.end..]);
            return;
        }
        out.extend_from_slice(&bytes[..self.hash.start]);
        out.extend_from_slice(&bytes[self.hash.end..self.head]);
        for message in routed.iter().filter(|message| message.receiver == receiver) {
            out.extend_from_slice(&bytes[message.bytes.clone()]);
        }
        out.extend_from_slice(&bytes[self.tail..]);
    }
}

impl Routed {
    /// The message's id as it is written, which nobody has checked.
    pub fn id<'b>(&self, bytes: &'b [u8]) -> &'b str {
        std::str::from_utf8(&bytes[self.id.clone()]).unwrap_or_default()
    }

    /// What kind of message it says it is: like `Action`, `Move`, `Request`.
    pub fn kind<'b>(&self, bytes: &'b [u8]) -> impl Iterator<Item = &'b str> {
        let names = self.kind.clone().into_iter().filter(|name| !name.is_empty());
        names.map(|name| std::str::from_utf8(&bytes[name]).unwrap_or_default())
    }
}

/// Reads an envelope; `routed` is emptied, and gets the messages in their order.
pub fn scan(bytes: &[u8], routed: &mut Vec<Routed>) -> Result<Envelope, Problem> {
    routed.clear();
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Err(Problem::new(Place::START, "the document is not UTF-8"));
    };
    // The tokenizer skips a mark and does not count it.
    let mark = if text.starts_with('\u{feff}') { 3 } else { 0 };
    if text[mark..].starts_with('\u{feff}') {
        return Err(Problem::new(Place::START, "there is text outside of the root"));
    }
    let scan = Scan { text: &text[mark..], mark, routed, root: "", root_attributes: "", depth: 0, parts: 0 };
    scan.run().map_err(|Fault { at, what }| Problem::new(Place::of(&text[mark..], at), what))?.map_or_else(
        || match Document::read(bytes, &LIMITS)? {
            Document::Connection(connection) => Ok(Envelope::Connection(connection)),
            Document::Messages(_) => Err(Problem::new(Place::START, "the root is a Connection and is not")),
        },
        |batch| Ok(Envelope::Messages(batch)),
    )
}

struct Fault {
    at: usize,
    what: String,
}

struct Scan<'x, 'r> {
    text: &'x str,
    /// How many bytes are before the text.
    mark: usize,
    routed: &'r mut Vec<Routed>,
    /// The root's name as it is written, and what follows in its tag.
    root: &'x str,
    root_attributes: &'x str,
    depth: usize,
    /// How many parts of the message have begun.
    parts: usize,
}

/// A tag that begins an element.
#[derive(Clone, Copy)]
struct Tag<'x> {
    at: usize,
    name: &'x str,
    attributes: &'x str,
}

impl<'x> Scan<'x, '_> {
    /// Nothing if the document is a `Connection`, which is small enough for a tree.
    fn run(mut self) -> Result<Option<Batch>, Fault> {
        let mut reader = Reader::from_str(self.text);
        let mut batch = Batch { sender_hash: None, hash: 0..0, head: 0, tail: 0 };
        loop {
            let at = position(reader.buffer_position());
            let event = reader.read_event();
            let end = position(reader.buffer_position());
            match event {
                Ok(Event::Start(start)) => {
                    let tag = self.tag(at, start.len(), start.name().as_ref().len())?;
                    if self.depth == 0 && self.begin(tag, end, &mut batch)? {
                        return Ok(None);
                    }
                    self.element(tag, false)?;
                    self.depth += 1;
                }
                Ok(Event::Empty(start)) => {
                    let tag = self.tag(at, start.len(), start.name().as_ref().len())?;
                    if self.depth == 0 && self.begin(tag, end, &mut batch)? {
                        return Ok(None);
                    }
                    self.element(tag, true)?;
                }
                Ok(Event::End(_)) => {
                    self.depth -= 1;
                    match self.depth {
                        0 => batch.tail = self.mark + at,
                        1 => self.end_message(at, end)?,
                        _ => {}
                    }
                }
                Ok(Event::Text(text)) if self.depth < 3 && !text.iter().all(u8::is_ascii_whitespace) => {
                    return fault(at, "there is text outside of a message's content");
                }
                Ok(Event::CData(_) | Event::GeneralRef(_)) if self.depth < 3 => {
                    return fault(at, "there is text outside of a message's content");
                }
                Ok(Event::DocType(_)) => return fault(at, "a document type (DTD) is not allowed"),
                Ok(Event::Decl(_)) if at != 0 => {
                    return fault(at, "the declaration <?xml?> is not at the very beginning");
                }
                Ok(
                    Event::Text(_)
                    | Event::CData(_)
                    | Event::GeneralRef(_)
                    | Event::Comment(_)
                    | Event::PI(_)
                    | Event::Decl(_),
                ) => {}
                Ok(Event::Eof) => break,
                Err(error) => return fault(position(reader.error_position()), error.to_string()),
            }
        }
        if self.root.is_empty() || self.depth > 0 {
            return fault(self.text.len(), "the document is not complete");
        }
        if self.routed.is_empty() {
            return fault(batch.head, "<Message> is missing in <Messages>");
        }
        Ok(Some(batch))
    }

    fn tag(&self, at: usize, length: usize, name: usize) -> Result<Tag<'x>, Fault> {
        let (name, attributes) = self.text[at + 1..at + 1 + length].split_at(name);
        if tag::is_name(name) { Ok(Tag { at, name, attributes }) } else { fault(at, "a tag has no name") }
    }

    /// The root; says whether it is a `Connection`.
    fn begin(&mut self, tag: Tag<'x>, end: usize, batch: &mut Batch) -> Result<bool, Fault> {
        if !self.root.is_empty() {
            return fault(tag.at, "a second root: a document has one");
        }
        (self.root, self.root_attributes) = (tag.name, tag.attributes);
        let (prefix, name) = tag::split_name(tag.name);
        match name {
            "Connection" => return Ok(true),
            "Messages" => {}
            _ => {
                let what = format!("the document is a <{name}>; what works: <Connection>, <Messages>");
                return fault(tag.at, what);
            }
        }
        let namespace = bound(prefix, tag.attributes).unwrap_or_default();
        if !(namespace == NAMESPACE || (namespace.is_empty() && prefix.is_empty())) {
            let what = format!(
                "<{name}> is in the namespace {}, and has to be in {NAMESPACE:?} or in none",
                quoted(namespace)
            );
            return fault(tag.at, what);
        }
        let mut has_version = false;
        let behind_name = tag.at + 1 + tag.name.len();
        let mut attributes = Attributes::of(tag.attributes);
        loop {
            let begin = attributes.position();
            let Some(written) = attributes.next() else { break };
            let Written { name, value, at } = written.map_err(|(at, what)| Fault { at: behind_name + at, what })?;
            match name {
                "protocolVersion" if has_version => {
                    return fault(behind_name + at, "attribute protocolVersion is there twice");
                }
                "protocolVersion" if number::<i64>(value.trim()) == Some(1) => has_version = true,
                "protocolVersion" => {
                    let what = format!("attribute protocolVersion of <Messages> is {}; what works: 1", quoted(value));
                    return fault(behind_name + at, what);
                }
                "senderHash" => {
                    let hash = Guid::parse(value).filter(|_| batch.sender_hash.is_none());
                    let what = "attribute senderHash of <Messages> is no UUID of version 4, or there twice";
                    batch.sender_hash = Some(hash.ok_or_else(|| Fault { at: behind_name + at, what: what.into() })?);
                    let offset = self.mark + behind_name;
                    batch.hash = offset + begin..offset + attributes.position();
                }
                _ => {}
            }
        }
        if !has_version {
            return fault(tag.at, "attribute protocolVersion is missing in <Messages>");
        }
        batch.head = self.mark + end;
        if batch.sender_hash.is_none() {
            batch.hash = batch.head..batch.head;
        }
        Ok(false)
    }

    /// An element begins, at the present depth.
    fn element(&mut self, tag: Tag<'x>, is_empty: bool) -> Result<(), Fault> {
        match self.depth {
            0 => Ok(()),
            1 => self.begin_message(tag, is_empty),
            2 => self.part(tag),
            _ => {
                let from = self.mark + tag.at + 1 + (tag.name.len() - tag::split_name(tag.name).1.len());
                let to = self.mark + tag.at + 1 + tag.name.len();
                let level = self.depth - 3;
                if let Some(message) = self.routed.last_mut()
                    && let Some(name) = message.kind.get_mut(level).filter(|name| name.end == 0)
                {
                    *name = from..to;
                }
                Ok(())
            }
        }
    }

    fn begin_message(&mut self, tag: Tag<'x>, is_empty: bool) -> Result<(), Fault> {
        if self.local(tag)? != "Message" || is_empty {
            return fault(tag.at, "<Messages> has something else than <Message>s with contents");
        }
        if self.routed.len() == MOST_MESSAGES {
            return fault(tag.at, format!("there are more than {MOST_MESSAGES} messages"));
        }
        let id = self.attribute(tag, "id")?;
        let begin = self.mark + tag.at;
        let kind = [const { 0..0 }; KIND];
        self.parts = 0;
        self.routed.push(Routed { sender: 0, receiver: 0, bytes: begin..begin, id, kind });
        Ok(())
    }

    /// Something directly inside a message.
    fn part(&mut self, tag: Tag<'x>) -> Result<(), Fault> {
        let name = self.local(tag)?;
        let Some(expected) = PARTS.get(self.parts) else {
            return fault(tag.at, format!("<{name}> in <Message> is one element too many"));
        };
        if name != *expected {
            return fault(tag.at, format!("<{name}> in <Message> is where <{expected}> has to be"));
        }
        let id = if name == "Content" { 0 } else { self.participant(tag, name)? };
        if let Some(message) = self.routed.last_mut() {
            match name {
                "Sender" => message.sender = id,
                "Receiver" => message.receiver = id,
                _ => {}
            }
        }
        self.parts += 1;
        Ok(())
    }

    fn end_message(&mut self, at: usize, end: usize) -> Result<(), Fault> {
        if let Some(missing) = PARTS.get(self.parts) {
            return fault(at, format!("<{missing}> is missing in <Message>"));
        }
        if let Some(message) = self.routed.last_mut() {
            message.bytes.end = self.mark + end;
        }
        Ok(())
    }

    fn participant(&self, tag: Tag<'x>, name: &str) -> Result<i32, Fault> {
        let at = self.attribute(tag, "id")?;
        let text = &self.text[at.start - self.mark..at.end - self.mark];
        let what = || no_number(&format!("attribute id of <{name}>"), text);
        number(text.trim()).ok_or_else(|| Fault { at: tag.at, what: what() })
    }

    /// Where the value of an attribute is that has to be there.
    fn attribute(&self, tag: Tag<'x>, wanted: &str) -> Result<Range<usize>, Fault> {
        let behind_name = tag.at + 1 + tag.name.len();
        let mut found = None;
        let mut attributes = Attributes::of(tag.attributes);
        while let Some(written) = attributes.next() {
            let written = written.map_err(|(at, what)| Fault { at: behind_name + at, what })?;
            if written.name == wanted {
                // The closing quote is the last that was read.
                let end = self.mark + behind_name + attributes.position() - 1;
                let value = end - written.value.len()..end;
                if found.replace(value).is_some() {
                    return fault(behind_name + written.at, format!("attribute {wanted} is there twice"));
                }
            }
        }
        let name = tag::split_name(tag.name).1;
        found.ok_or_else(|| Fault { at: tag.at, what: format!("attribute {wanted} is missing in <{name}>") })
    }

    /// The name of an element of the envelope, which is in the root's namespace.
    fn local(&self, tag: Tag<'x>) -> Result<&'x str, Fault> {
        let (prefix, name) = tag::split_name(tag.name);
        let root_prefix = tag::split_name(self.root).0;
        let here = bound(prefix, tag.attributes);
        if here.is_none() && prefix == root_prefix {
            return Ok(name);
        }
        let wanted = bound(root_prefix, self.root_attributes).unwrap_or_default();
        let found = here.or_else(|| bound(prefix, self.root_attributes)).unwrap_or_default();
        if found == wanted && (prefix.is_empty() || !found.is_empty()) {
            return Ok(name);
        }
        fault(tag.at, format!("<{name}> is in another namespace than <Messages>"))
    }
}

/// What a tag says that a prefix stands for.
fn bound<'x>(prefix: &str, attributes: &'x str) -> Option<&'x str> {
    if !attributes.contains("xmlns") {
        return None;
    }
    let binds = |name: &str| match name.strip_prefix("xmlns:") {
        Some(bound) => bound == prefix,
        None => name == "xmlns" && prefix.is_empty(),
    };
    let mut written = Attributes::of(attributes).map_while(Result::ok);
    written.find(|written| binds(written.name)).map(|written| written.value)
}

fn fault<T>(at: usize, what: impl Into<String>) -> Result<T, Fault> {
    Err(Fault { at, what: what.into() })
}

fn position(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}
