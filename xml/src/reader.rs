//! Reads a document as a tree, within limits.

use std::borrow::Cow;

use quick_xml::{Reader, events::Event};

use crate::{
    declaration::{check_declaration, is_instruction_name},
    element::Element,
    error::{Place, XmlError, quoted, tagged},
    tag,
};

/// The limits of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of bytes.
    pub bytes: usize,
    /// The maximum depth of elements.
    pub depth: usize,
    /// The maximum number of elements.
    pub elements: usize,
    /// The maximum number of attributes in one tag.
    pub attributes: usize,
}

/// Reads a document, and returns its root.
///
/// # Errors
/// If the bytes are not a document, or exceed a limit.
pub fn read<'x>(bytes: &'x [u8], limits: &Limits) -> Result<Element<'x>, XmlError> {
    if bytes.len() > limits.bytes {
        let what = format!("the document has {} bytes, and {} are the most", bytes.len(), limits.bytes);
        return Err(XmlError::new(Place::START, what));
    }
    let text = text_of(bytes)?;
    Tree { text, limits, open: Vec::new(), root: None, elements: 0, seen: 0, place: Place::START }.read()
}

/// Decodes UTF-8, removes a byte order mark, and checks for characters that XML does not allow.
fn text_of(bytes: &[u8]) -> Result<&str, XmlError> {
    if bytes.starts_with(&[0xfe, 0xff]) || bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0, b'<']) {
        return Err(XmlError::new(Place::START, "the document is UTF-16, and only UTF-8 is read"));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let good = std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default();
        XmlError::new(Place::of(good, good.len()), "a byte is not UTF-8")
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // The tokenizer would also skip a second mark, and report wrong places.
    if text.starts_with('\u{feff}') {
        return Err(XmlError::new(Place::START, "there is text outside of the root"));
    }
    if bytes.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r')) {
        return Ok(text);
    }
    match text.char_indices().find(|(_, character)| !tag::is_legal(*character)) {
        Some((at, character)) => {
            let what = format!("the character U+{:04X} is not allowed in XML", u32::from(character));
            Err(XmlError::new(Place::of(text, at), what))
        }
        None => Ok(text),
    }
}

/// Builds the tree.
struct Tree<'x, 'l> {
    text: &'x str,
    limits: &'l Limits,
    /// The open elements, from the root to the innermost.
    open: Vec<Element<'x>>,
    root: Option<Element<'x>>,
    elements: usize,
    /// The offset of `place`.
    seen: usize,
    place: Place,
}

impl<'x> Tree<'x, '_> {
    fn read(mut self) -> Result<Element<'x>, XmlError> {
        let mut reader = Reader::from_str(self.text);
        reader.config_mut().check_comments = true;
        loop {
            let begin = offset(reader.buffer_position());
            let event = match reader.read_event() {
                Ok(event) => event,
                Err(error) => return Err(self.problem(offset(reader.error_position()), words(&error))),
            };
            match event {
                Event::Start(start) => {
                    let element = self.element(begin, start.len(), start.name().as_ref().len())?;
                    self.open.push(element);
                }
                Event::Empty(start) => {
                    let element = self.element(begin, start.len(), start.name().as_ref().len())?;
                    self.close(element);
                }
                Event::End(_) => {
                    if let Some(element) = self.open.pop() {
                        self.close(element);
                    }
                }
                Event::Text(text) => {
                    let text = text.xml10_content().map_err(|error| self.problem(begin, error.to_string()))?;
                    if text.contains("]]>") {
                        return Err(self.problem(begin, "`]]>` is not allowed in text"));
                    }
                    self.add(begin, text)?;
                }
                Event::CData(text) => {
                    let text = text.xml10_content().map_err(|error| self.problem(begin, error.to_string()))?;
                    self.add(begin, text)?;
                }
                Event::GeneralRef(name) => {
                    let name = String::from_utf8_lossy(&name);
                    let character = tag::referred(&name).map_err(|error| self.problem(begin, error.to_string()))?;
                    self.add(begin, Cow::Owned(character.to_string()))?;
                }
                Event::Decl(declaration) => self.declared(begin, declaration.len())?,
                Event::DocType(_) => return Err(self.problem(begin, "a document type (DTD) is not allowed")),
                Event::PI(instruction) => {
                    let name = String::from_utf8_lossy(instruction.target());
                    if !is_instruction_name(&name) {
                        return Err(self.problem(begin, format!("{} is no name of an instruction", quoted(&name))));
                    }
                }
                Event::Comment(_) => {}
                Event::Eof => return self.end(),
            }
        }
    }

    /// Reads a start tag; `begin` is the offset of its `<`.
    fn element(&mut self, begin: usize, length: usize, name: usize) -> Result<Element<'x>, XmlError> {
        self.elements += 1;
        if self.elements > self.limits.elements {
            return Err(self.problem(begin, format!("there are more than {} elements", self.limits.elements)));
        }
        if self.open.len() == self.limits.depth {
            let what = format!("elements are inside each other more than {} deep", self.limits.depth);
            return Err(self.problem(begin, what));
        }
        if self.root.is_some() {
            return Err(self.problem(begin, "a second root: a document has one"));
        }
        let inside = &self.text[begin + 1..begin + 1 + length];
        let (name, rest) = inside.split_at(name);
        if !tag::is_name(name) {
            return Err(self.problem(begin, format!("{} is no name of an element", quoted(name))));
        }
        let behind = begin + 1 + name.len();
        let attributes = tag::attributes(rest, self.limits.attributes)
            .map_err(|error| self.problem(behind + error.at, format!("{}: {}", tagged(name), error.kind)))?;
        let (prefix, name) = tag::split_name(name);
        let at = self.place_of(begin);
        Ok(Element { prefix, name, attributes, children: Vec::new(), raw: Cow::Borrowed(""), at })
    }

    fn close(&mut self, element: Element<'x>) {
        match self.open.last_mut() {
            Some(parent) => parent.children.push(element),
            None => self.root = Some(element),
        }
    }

    /// Adds text to the innermost element.
    fn add(&mut self, begin: usize, text: Cow<'x, str>) -> Result<(), XmlError> {
        match self.open.last_mut() {
            Some(element) if element.raw.is_empty() => element.raw = text,
            Some(element) => element.raw.to_mut().push_str(&text),
            None if text.chars().all(tag::is_space) => {}
            None => return Err(self.problem(begin, "there is text outside of the root")),
        }
        Ok(())
    }

    /// Checks a declaration; `length` is that of the text between `<?` and `?>`.
    fn declared(&self, begin: usize, length: usize) -> Result<(), XmlError> {
        if begin != 0 {
            return Err(self.problem(begin, "the declaration <?xml?> is not at the very beginning"));
        }
        let inside = &self.text["<?xml".len()..2 + length];
        check_declaration(inside).map_err(|error| self.problem(begin, error.to_string()))
    }

    fn end(mut self) -> Result<Element<'x>, XmlError> {
        if let Some(open) = self.open.pop() {
            return Err(XmlError::new(open.at, format!("{} is not closed", tagged(open.name))));
        }
        let end = self.text.len();
        self.root.take().ok_or_else(|| self.problem(end, "the document has no element"))
    }

    /// The place of an offset. The offset must not be smaller than in the last call.
    fn place_of(&mut self, offset: usize) -> Place {
        self.place = self.place.after(&self.text[self.seen..offset]);
        self.seen = offset;
        self.place
    }

    fn problem(&self, offset: usize, what: impl Into<String>) -> XmlError {
        XmlError::new(Place::of(self.text, offset), what)
    }
}

fn offset(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}

fn words(error: &quick_xml::Error) -> String {
    let words = error.to_string();
    // Remove the kind of error from the start of the text.
    let plain = ["syntax error: ", "ill-formed document: "].into_iter().find_map(|kind| words.strip_prefix(kind));
    plain.unwrap_or(&words).to_owned()
}
