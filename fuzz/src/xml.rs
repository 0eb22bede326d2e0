//! XML: the reader itself, and the documents of the games.

use xml::{Element, Limits, Writer, read};

use super::{GAMES, game::Document};

/// As large as the limits of the games.
const LIMITS: Limits = Limits { bytes: 1 << 20, depth: 32, elements: 65_536, attributes: 16 };

const TREE: &[Document] = &[(b'x', tree)];

/// The first byte of an input chooses the kind of document, the rest is the document.
pub fn run(input: &[u8]) {
    let Some((letter, bytes)) = input.split_first() else { return };
    let kinds = || GAMES.iter().flat_map(|(_, game)| game.documents).chain(TREE);
    let find = |letter: u8| kinds().find(|(known, _)| *known == letter);
    let found: Option<&Document> = find(*letter).or_else(|| kinds().nth(usize::from(*letter) % kinds().count()));
    if let Some((_, document)) = found {
        document(bytes);
    }
}

/// A tree that is written and read again is the same.
fn tree(bytes: &[u8]) {
    let small = Limits { bytes: 256, depth: 3, elements: 8, attributes: 2 };
    let is_small = read(bytes, &small).is_ok();
    let Ok(root) = read(bytes, &LIMITS) else {
        assert!(!is_small, "larger limits allow no less");
        return;
    };
    let mut writer = Writer::new(bytes.len());
    write(&root, &mut writer);
    let text = writer.finish();
    let again = read(text.as_bytes(), &Limits { bytes: usize::MAX, ..LIMITS }).expect("what was read can be written");
    assert_same(&root, &again);
}

fn write(element: &Element<'_>, writer: &mut Writer) {
    let name = full_name(element);
    if element.children.is_empty() && element.attributes.is_empty() {
        writer.leaf(&name, &element.raw);
        return;
    }
    writer.open(&name);
    for attribute in &element.attributes {
        writer.attribute(attribute.name, &attribute.value);
    }
    element.children.iter().for_each(|child| write(child, writer));
    writer.close(&name);
}

fn full_name(element: &Element<'_>) -> String {
    match element.prefix {
        "" => element.name.to_owned(),
        prefix => format!("{prefix}:{}", element.name),
    }
}

/// Compares everything but places, and texts beside children or attributes, which [`write`] leaves out.
fn assert_same(one: &Element<'_>, other: &Element<'_>) {
    assert_eq!((one.prefix, one.name), (other.prefix, other.name));
    assert_eq!(one.attributes, other.attributes);
    if one.children.is_empty() && one.attributes.is_empty() {
        assert_eq!(one.raw, other.raw);
    }
    assert_eq!(one.children.len(), other.children.len());
    one.children.iter().zip(&other.children).for_each(|(one, other)| assert_same(one, other));
}
