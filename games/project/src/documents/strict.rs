//! Reads elements strictly: the children must be those of the schema, in the same order.

use project_rules::{Position, Team};
use xml::{Element, Problem, no_number, number, quoted, words};

use super::Guid;

pub(super) const TEAMS: [(&str, Team); 2] = [("Blue", Team::Blue), ("Red", Team::Red)];

/// The children of an element, one after the other.
#[derive(Debug)]
pub(super) struct Parts<'e, 'x> {
    element: &'e Element<'x>,
    left: &'e [Element<'x>],
}

impl<'e, 'x> Parts<'e, 'x> {
    /// Starts to read the children of an element. The element must have no text, and no other attributes than these.
    pub(super) fn new(element: &'e Element<'x>, attributes: &[&str]) -> Result<Self, Problem> {
        check_attributes(element, attributes)?;
        if !element.text().is_empty() {
            return Err(element.problem(format!("<{}> has text, and has to have elements only", element.name)));
        }
        Ok(Self { element, left: &element.children })
    }

    pub(super) fn optional(&mut self, name: &str) -> Option<&'e Element<'x>> {
        let (first, left) = self.left.split_first().filter(|(first, _)| first.name == name)?;
        self.left = left;
        Some(first)
    }

    pub(super) fn required(&mut self, name: &str) -> Result<&'e Element<'x>, Problem> {
        if let Some(found) = self.optional(name) {
            return Ok(found);
        }
        let within = self.element.name;
        Err(match self.left.first() {
            Some(other) => other.problem(format!("<{}> in <{within}> is where <{name}> has to be", other.name)),
            None => self.element.problem(format!("<{name}> is missing in <{within}>")),
        })
    }

    /// All children with this name: at least one, and at most `most`.
    pub(super) fn repeated(&mut self, name: &str, most: usize) -> Result<&'e [Element<'x>], Problem> {
        let count = self.left.iter().take_while(|child| child.name == name).count();
        if count == 0 {
            self.required(name)?;
        }
        let (found, left) = self.left.split_at(count);
        if let Some(excess) = found.get(most) {
            let within = self.element.name;
            return Err(excess.problem(format!("<{within}> has {count} <{name}>, and {most} are the most")));
        }
        self.left = left;
        Ok(found)
    }

    pub(super) fn end(self) -> Result<(), Problem> {
        match self.left.first() {
            Some(excess) => {
                Err(excess.problem(format!("<{}> in <{}> is one element too many", excess.name, self.element.name)))
            }
            None => Ok(()),
        }
    }
}

/// The only child of an element, which must have one of these names.
pub(super) fn choice<'e, 'x>(
    element: &'e Element<'x>,
    attributes: &[&str],
    names: &[&str],
) -> Result<&'e Element<'x>, Problem> {
    let parts = Parts::new(element, attributes)?;
    match parts.left {
        [child] if names.contains(&child.name) => Ok(child),
        [child] => {
            let (child_name, within, names) = (child.name, element.name, names.join(">, <"));
            Err(child.problem(format!("<{child_name}> is in <{within}>; what works: <{names}>")))
        }
        [] => Err(element.problem(format!("<{}> is empty; what works: <{}>", element.name, names.join(">, <")))),
        [_, second, ..] => {
            Err(second.problem(format!("<{}> in <{}> is one element too many", second.name, element.name)))
        }
    }
}

/// The only child of an element, which must have this name.
pub(super) fn only<'e, 'x>(element: &'e Element<'x>, name: &str) -> Result<&'e Element<'x>, Problem> {
    let mut parts = Parts::new(element, &[])?;
    let child = parts.required(name)?;
    parts.end()?;
    Ok(child)
}

/// The text of an element without attributes, including white space.
pub(super) fn text<'e>(element: &'e Element<'_>) -> Result<&'e str, Problem> {
    check_attributes(element, &[])?;
    element.only_text()?;
    Ok(&element.raw)
}

/// Looks up the text of an element in a table.
pub(super) fn one_of<T: Copy>(element: &Element<'_>, table: &[(&str, T)]) -> Result<T, Problem> {
    let text = text(element)?;
    let unknown = || element.problem(format!("<{}> is {}; what works: {}", element.name, quoted(text), words(table)));
    meaning(text, table).ok_or_else(unknown)
}

/// Looks up the value of a required attribute in a table.
pub(super) fn attribute_of<T: Copy>(element: &Element<'_>, name: &str, table: &[(&str, T)]) -> Result<T, Problem> {
    let text = required_attribute(element, name)?;
    let (within, text_quoted, known) = (element.name, quoted(text), words(table));
    let unknown = || element.problem(format!("attribute {name} of <{within}> is {text_quoted}; what works: {known}"));
    meaning(text, table).ok_or_else(unknown)
}

fn meaning<T: Copy>(text: &str, table: &[(&str, T)]) -> Option<T> {
    table.iter().find(|(word, _)| *word == text).map(|(_, meaning)| *meaning)
}

pub(super) fn int(element: &Element<'_>) -> Result<i32, Problem> {
    check_attributes(element, &[])?;
    element.int()
}

/// A required attribute that is a whole number.
pub(super) fn int_attribute(element: &Element<'_>, name: &str) -> Result<i32, Problem> {
    let text = required_attribute(element, name)?;
    let what = || no_number(&format!("attribute {name} of <{}>", element.name), text);
    number(text.trim()).ok_or_else(|| element.problem(what()))
}

/// An optional attribute that is a UUID.
pub(super) fn guid_attribute(element: &Element<'_>, name: &str) -> Result<Option<Guid>, Problem> {
    let Some(text) = element.attribute(name) else {
        return Ok(None);
    };
    let found = Guid::parse(text);
    found.map(Some).ok_or_else(|| {
        element.problem(format!(
            "attribute {name} of <{}> is {}, which is no UUID of version 4",
            element.name,
            quoted(text)
        ))
    })
}

pub(super) fn required_attribute<'e>(element: &'e Element<'_>, name: &str) -> Result<&'e str, Problem> {
    element.attribute(name).ok_or_else(|| element.problem(format!("attribute {name} is missing in <{}>", element.name)))
}

pub(super) fn position(element: &Element<'_>) -> Result<Position, Problem> {
    let mut parts = Parts::new(element, &[])?;
    let position = Position { x: int(parts.required("X")?)?, y: int(parts.required("Y")?)? };
    parts.end()?;
    Ok(position)
}

/// Checks that an element has no unknown attributes. Namespaces and attributes for validators are always allowed.
fn check_attributes(element: &Element<'_>, known: &[&str]) -> Result<(), Problem> {
    let is_known =
        |name: &str| known.contains(&name) || name == "xmlns" || name.starts_with("xmlns:") || name.starts_with("xsi:");
    match element.attributes.iter().find(|attribute| !is_known(attribute.name)) {
        Some(attribute) => {
            Err(element.problem(format!("attribute {} is not known in <{}>", attribute.name, element.name)))
        }
        None => Ok(()),
    }
}
