//! Envelopes: the parts of a document that a router needs. They contain the sender, the receiver and the place of each message
//! in the bytes.
//!
//! The scanner builds no tree, and the receivers check the contents. Only a document that must be split has to be well-formed
//! as a whole, because no receiver gets all of it.

mod quick;

use std::ops::Range;

use xml::{
    Limits, Place, Problem, no_number, number, quoted,
    tag::{self, Attributes, Written},
};

use super::{
    Connection, Document, Guid, MAX_MESSAGES, NAMESPACE,
    markup::{Fault, Kind, Markup},
};

/// Limits for the documents of a handshake.
const LIMITS: Limits = Limits { bytes: 16 * 1024, depth: 4, elements: 16, attributes: 16 };

/// The children of a message, in this order.
const PARTS: [&str; 3] = ["Sender", "Receiver", "Content"];

/// The number of names in the kind of a message: `Action`, `Move`, `Request`.
const KIND: usize = 3;

/// The depth of the elements in a content.
const CONTENT: usize = 3;

/// The maximum length of a document's beginning that is cached.
const MAX_HEAD_BYTES: usize = 4096;

/// The envelope of a document.
#[derive(Clone, Debug, PartialEq)]
pub enum Envelope {
    /// A part of a handshake. It is parsed completely.
    Connection(Connection),
    /// Messages.
    Messages(Batch),
}

/// A document with messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// The hash of the sender, if the document has it.
    pub sender_hash: Option<Guid>,
    /// The place of the attribute with the hash, including the space before it.
    hash: Range<usize>,
    /// The number of bytes before the first message.
    head: usize,
    /// The offset of the root's closing tag.
    tail: usize,
}

/// One message of a batch, by its place in the bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Routed {
    /// The id of the sender.
    pub sender: i32,
    /// The id of the receiver.
    pub receiver: i32,
    /// The place of the whole message.
    pub bytes: Range<usize>,
    id: Range<usize>,
    /// The offset of the content.
    content: usize,
}

impl Batch {
    /// Appends a document with only the messages for one receiver, without the sender's hash.
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
    /// The id of the message, unchecked.
    pub fn id<'b>(&self, bytes: &'b [u8]) -> &'b str {
        std::str::from_utf8(&bytes[self.id.clone()]).unwrap_or_default()
    }

    /// The kind of the message, as in `Action`, `Move`, `Request`.
    pub fn kind<'b>(&self, bytes: &'b [u8]) -> impl Iterator<Item = &'b str> {
        let mut rest = &bytes[self.content..self.bytes.end];
        let names = std::iter::from_fn(move || {
            let begin = rest.iter().position(|byte| *byte == b'<')? + 1;
            rest = &rest[begin..];
            let length = rest.iter().position(|byte| matches!(byte, b'>' | b'/' | b'!' | b'?' | b' '))?;
            let (name, behind) = rest.split_at(length);
            // An empty element has no children.
            rest = if behind.starts_with(b"/") { &[] } else { behind };
            let local = name.iter().rposition(|byte| *byte == b':').map_or(0, |colon| colon + 1);
            std::str::from_utf8(&name[local..]).ok().filter(|name| !name.is_empty())
        });
        names.take(KIND)
    }
}

/// Reads envelopes. It reuses its memory.
#[derive(Debug, Default)]
pub struct Scanner {
    routed: Vec<Routed>,
    open: Vec<(usize, usize)>,
    /// The beginning of the last document that the slow path read, up to the root's tag. Most documents begin the same.
    head: Vec<u8>,
    /// The batch that belongs to this beginning.
    known: Option<Batch>,
}

impl Scanner {
    /// The messages of the last document, in their order.
    pub fn routed(&self) -> &[Routed] {
        &self.routed
    }

    /// Reads the envelope of a document.
    ///
    /// # Errors
    ///
    /// The first mismatch between the envelope and its schema.
    pub fn scan(&mut self, bytes: &[u8]) -> Result<Envelope, Problem> {
        if let Some(batch) = self.scan_quickly(bytes) {
            return Ok(Envelope::Messages(batch));
        }
        let envelope = self.scan_carefully(bytes)?;
        if let Envelope::Messages(batch) = &envelope {
            self.head.clear();
            self.known = (batch.head <= MAX_HEAD_BYTES).then(|| batch.clone());
            if self.known.is_some() {
                self.head.extend_from_slice(&bytes[..batch.head]);
            }
        }
        Ok(envelope)
    }

    fn scan_quickly(&mut self, bytes: &[u8]) -> Option<Batch> {
        self.routed.clear();
        let known = self.known.as_ref().filter(|_| bytes.starts_with(&self.head))?;
        let tail = quick::messages(bytes, known.head, &mut self.routed)?;
        let is_text = bytes.is_ascii() || std::str::from_utf8(bytes).is_ok();
        is_text.then(|| Batch { tail, ..known.clone() })
    }

    fn scan_carefully(&mut self, bytes: &[u8]) -> Result<Envelope, Problem> {
        self.routed.clear();
        let Ok(text) = std::str::from_utf8(bytes) else {
            return Err(Problem::new(Place::START, "the document is not UTF-8"));
        };
        let mark = if text.starts_with('\u{feff}') { 3 } else { 0 };
        let text = &text[mark..];
        let routed = &mut self.routed;
        let scan = Scan { text, mark, routed, root: "", root_attributes: "", message_attributes: "", parts: 0 };
        match scan.run(&mut self.open) {
            Ok(Some(batch)) => Ok(Envelope::Messages(batch)),
            Ok(None) => match Document::read(bytes, &LIMITS)? {
                Document::Connection(connection) => Ok(Envelope::Connection(connection)),
                Document::Messages(_) => Err(Problem::new(Place::START, "the root is not a Connection")),
            },
            Err((at, what)) => Err(Problem::new(Place::of(text, at), what)),
        }
    }
}

struct Scan<'x, 'r> {
    text: &'x str,
    /// The number of bytes before the text.
    mark: usize,
    routed: &'r mut Vec<Routed>,
    /// The name of the root in the document, and the rest of its tag.
    root: &'x str,
    root_attributes: &'x str,
    /// The rest of the tag of the last message.
    message_attributes: &'x str,
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
    /// Returns `None` if the document is a `Connection`, which is small enough for a tree.
    fn run(mut self, open: &mut Vec<(usize, usize)>) -> Result<Option<Batch>, Fault> {
        let mut markup = Markup::new(self.text, open);
        let mut batch = Batch { sender_hash: None, hash: 0..0, head: 0, tail: 0 };
        loop {
            let outside = markup.depth();
            let Some(piece) = markup.next()? else { break };
            match piece.kind {
                Kind::Start { name_end, is_empty } if outside < CONTENT => {
                    let name = &self.text[piece.at + 1..name_end];
                    let behind = if is_empty { piece.end - 2 } else { piece.end - 1 };
                    let tag = Tag { at: piece.at, name, attributes: &self.text[name_end..behind] };
                    match outside {
                        0 if self.begin(tag, piece.end, &mut batch)? => return Ok(None),
                        0 => {}
                        1 => self.begin_message(tag, is_empty)?,
                        _ => self.part(tag, piece.end)?,
                    }
                }
                Kind::End => match markup.depth() {
                    0 => batch.tail = self.mark + piece.at,
                    1 => self.end_message(piece.at, piece.end)?,
                    _ => {}
                },
                Kind::Text if outside < CONTENT && !self.is_blank(piece.at, piece.end) => {
                    return fault(piece.at, "there is text outside of a message's content");
                }
                Kind::Start { .. } | Kind::Text | Kind::Nothing => {}
            }
        }
        if self.root.is_empty() || markup.depth() > 0 {
            return fault(self.text.len(), "the document is not complete");
        }
        if self.routed.is_empty() {
            return fault(batch.head - self.mark, "<Message> is missing in <Messages>");
        }
        Ok(Some(batch))
    }

    fn is_blank(&self, from: usize, to: usize) -> bool {
        self.text[from..to].chars().all(tag::is_space)
    }

    /// Handles the root. Returns whether it is a `Connection`.
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
        self.check_prefixes(tag)?;
        let mut has_version = false;
        let behind_name = tag.at + 1 + tag.name.len();
        let mut attributes = Attributes::of(tag.attributes);
        loop {
            let begin = attributes.consumed();
            let Some(written) = attributes.next() else { break };
            let Written { name, value, at } =
                written.map_err(|error| (behind_name + error.at, error.kind.to_string()))?;
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
                    batch.sender_hash = Some(hash.ok_or_else(|| (behind_name + at, what.into()))?);
                    let offset = self.mark + behind_name;
                    batch.hash = offset + begin..offset + attributes.consumed();
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

    fn begin_message(&mut self, tag: Tag<'x>, is_empty: bool) -> Result<(), Fault> {
        self.message_attributes = tag.attributes;
        if self.local(tag)? != "Message" || is_empty {
            return fault(tag.at, "<Messages> has an element other than <Message>, or an empty <Message>");
        }
        if self.routed.len() == MAX_MESSAGES {
            return fault(tag.at, format!("there are more than {MAX_MESSAGES} messages"));
        }
        self.check_prefixes(tag)?;
        let id = self.attribute(tag, "id")?;
        let begin = self.mark + tag.at;
        self.parts = 0;
        self.routed.push(Routed { sender: 0, receiver: 0, bytes: begin..begin, id, content: begin });
        Ok(())
    }

    /// Handles a child of a message.
    fn part(&mut self, tag: Tag<'x>, end: usize) -> Result<(), Fault> {
        let name = self.local(tag)?;
        let Some(expected) = PARTS.get(self.parts) else {
            return fault(tag.at, format!("<{name}> in <Message> is one element too many"));
        };
        if name != *expected {
            return fault(tag.at, format!("<{name}> in <Message> is where <{expected}> has to be"));
        }
        self.check_prefixes(tag)?;
        let id = if name == "Content" { 0 } else { self.participant(tag, name)? };
        if let Some(message) = self.routed.last_mut() {
            match name {
                "Sender" => message.sender = id,
                "Receiver" => message.receiver = id,
                _ => message.content = self.mark + end,
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
        number(text.trim()).ok_or_else(|| (tag.at, what()))
    }

    /// The place of the value of a required attribute.
    fn attribute(&self, tag: Tag<'x>, wanted: &str) -> Result<Range<usize>, Fault> {
        let behind_name = tag.at + 1 + tag.name.len();
        let mut found = None;
        let mut attributes = Attributes::of(tag.attributes);
        while let Some(written) = attributes.next() {
            let written = written.map_err(|error| (behind_name + error.at, error.kind.to_string()))?;
            if written.name == wanted {
                // The closing quote is the last byte that was read.
                let end = self.mark + behind_name + attributes.consumed() - 1;
                let value = end - written.value.len()..end;
                if found.replace(value).is_some() {
                    return fault(behind_name + written.at, format!("attribute {wanted} is there twice"));
                }
            }
        }
        let name = tag::split_name(tag.name).1;
        found.ok_or_else(|| (tag.at, format!("attribute {wanted} is missing in <{name}>")))
    }

    /// The name of an element, which must be in the root's namespace.
    fn local(&self, tag: Tag<'x>) -> Result<&'x str, Fault> {
        let (prefix, name) = tag::split_name(tag.name);
        let root_prefix = tag::split_name(self.root).0;
        let here = bound(prefix, tag.attributes);
        let is_alike = (prefix.is_empty() && root_prefix.is_empty()) || prefix == root_prefix;
        if here.is_none() && is_alike {
            return Ok(name);
        }
        let wanted = bound(root_prefix, self.root_attributes).unwrap_or_default();
        let found = self.namespace_of(prefix, tag).unwrap_or_default();
        if found == wanted && (prefix.is_empty() || !found.is_empty()) {
            return Ok(name);
        }
        fault(tag.at, format!("<{name}> is in another namespace than <Messages>"))
    }

    /// The namespace that a prefix stands for in a tag.
    fn namespace_of(&self, prefix: &str, tag: Tag<'x>) -> Option<&'x str> {
        let outside = [tag.attributes, self.message_attributes, self.root_attributes];
        outside.into_iter().find_map(|attributes| bound(prefix, attributes))
    }

    /// Checks that the prefixes of attributes stand for a namespace. `xml` always does.
    fn check_prefixes(&self, tag: Tag<'x>) -> Result<(), Fault> {
        // Few tags have an attribute with a prefix.
        if !tag.attributes.as_bytes().contains(&b':') {
            return Ok(());
        }
        let behind_name = tag.at + 1 + tag.name.len();
        for written in Attributes::of(tag.attributes) {
            let Written { name, value, at } =
                written.map_err(|error| (behind_name + error.at, error.kind.to_string()))?;
            let is_known = match tag::split_name(name).0 {
                "" | "xml" => true,
                "xmlns" => !value.is_empty(),
                prefix => self.namespace_of(prefix, tag).is_some(),
            };
            if !is_known {
                return fault(behind_name + at, format!("the prefix of attribute {name} stands for no namespace"));
            }
        }
        Ok(())
    }
}

/// The namespace that a tag binds to a prefix.
fn bound<'x>(prefix: &str, attributes: &'x str) -> Option<&'x str> {
    // Few tags bind a namespace.
    if !attributes.as_bytes().windows(5).any(|part| matches!(part, [b'x', b'm', b'l', b'n', b's'])) {
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
    Err((at, what.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(root: &str, content: &str) -> String {
        let parts = format!("<Sender id='1'/><Receiver id='0'/><Content>{content}</Content>");
        format!("<Messages protocolVersion='1'{root}><Message id='1'>{parts}</Message></Messages>")
    }

    #[test]
    fn depth() {
        // The content is at depth three.
        let nested = |depth: usize| document("", &format!("{}{}", "<x>".repeat(depth), "</x>".repeat(depth)));
        let mut scanner = Scanner::default();
        assert!(scanner.scan_carefully(nested(29).as_bytes()).is_ok());
        let problem = scanner.scan_carefully(nested(30).as_bytes()).expect_err("too deep").to_string();
        assert!(problem.contains("more than 32 elements are inside of each other"), "{problem}");
        assert!(scanner.scan_carefully(nested(100_000).as_bytes()).is_err());
        assert!(scanner.open.capacity() <= 64, "{}", scanner.open.capacity());
    }

    #[test]
    fn long_beginnings_are_not_kept() {
        let mut scanner = Scanner::default();
        assert!(scanner.scan(document(&format!(" a='{}'", "x".repeat(500_000)), "").as_bytes()).is_ok());
        assert!(scanner.head.capacity() <= 2 * MAX_HEAD_BYTES, "{}", scanner.head.capacity());
        assert!(scanner.scan(document("", "").as_bytes()).is_ok());
        assert_eq!(scanner.routed().len(), 1);
    }
}
