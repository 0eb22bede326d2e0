//! An element of a document, and functions that read its content.

use std::{borrow::Cow, fmt::Display, str::FromStr};

use crate::{
    error::{Place, XmlError, quoted, tagged},
    tag::{Attribute, is_space},
};

/// An element with its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element<'x> {
    /// The prefix of the name, before the colon; empty if the name has no prefix.
    pub prefix: &'x str,
    /// The name without the prefix.
    pub name: &'x str,
    /// The attributes.
    pub attributes: Vec<Attribute<'x>>,
    /// The child elements.
    pub children: Vec<Element<'x>>,
    /// The text directly inside the element, unchanged.
    pub raw: Cow<'x, str>,
    /// The place of the element's tag.
    pub at: Place,
}

impl<'x> Element<'x> {
    /// The text directly inside the element, without white space around it.
    pub fn text(&self) -> &str {
        self.raw.trim_matches(is_space)
    }

    /// The value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|attribute| attribute.name == name).map(|attribute| &*attribute.value)
    }

    /// All children with this name.
    pub fn all<'e>(&'e self, name: &'e str) -> impl Iterator<Item = &'e Self> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The child with this name; `None` if no child has it.
    ///
    /// # Errors
    /// If several children have this name.
    pub fn optional(&self, name: &str) -> Result<Option<&Self>, XmlError> {
        self.at_most_one(name, |child| child.name == name)
    }

    /// The child with this name.
    ///
    /// # Errors
    /// If no child or several children have this name.
    pub fn child(&self, name: &str) -> Result<&Self, XmlError> {
        self.optional(name)?.ok_or_else(|| self.missing(name))
    }

    /// The child with one of these names, in upper or lower case.
    ///
    /// # Errors
    /// If no child or several children match.
    pub fn child_in_any_case(&self, names: &[&str]) -> Result<&Self, XmlError> {
        let is_one = |child: &Self| names.iter().any(|name| child.name.eq_ignore_ascii_case(name));
        let names = names.join("> or <");
        self.at_most_one(&names, is_one)?.ok_or_else(|| self.missing(&names))
    }

    fn at_most_one(&self, name: &str, is_it: impl Fn(&Self) -> bool) -> Result<Option<&Self>, XmlError> {
        let mut found = self.children.iter().filter(|child| is_it(child));
        let first = found.next();
        match found.next() {
            Some(second) => {
                let count = 2 + found.count();
                Err(second.problem(format!("<{name}> is in <{}> {count} times, and has to be there once", self.name)))
            }
            None => Ok(first),
        }
    }

    /// The text of an element without children.
    ///
    /// # Errors
    /// If the element has children.
    pub fn only_text(&self) -> Result<&str, XmlError> {
        match self.children.first() {
            Some(child) => {
                Err(child.problem(format!("{} is in <{}>, which has only text", tagged(child.name), self.name)))
            }
            None => Ok(self.text()),
        }
    }

    /// The text of an element without children, with a limited number of characters.
    ///
    /// # Errors
    /// If the element has children, or the text is too short or too long.
    pub fn text_of(&self, least: usize, most: usize) -> Result<&str, XmlError> {
        let text = self.only_text()?;
        let length = text.chars().count();
        if (least..=most).contains(&length) {
            return Ok(text);
        }
        Err(self.problem(format!("<{}> has {length} characters, and has to have {least} to {most}", self.name)))
    }

    /// The text as a whole number.
    ///
    /// # Errors
    /// If the text is not a number.
    pub fn int(&self) -> Result<i32, XmlError> {
        let text = self.only_text()?;
        number(text).ok_or_else(|| self.problem(no_number(&format!("<{}>", self.name), text)))
    }

    /// The text as a bool: `true`, `false`, `1` or `0`.
    ///
    /// # Errors
    /// If the text is none of these.
    pub fn boolean(&self) -> Result<bool, XmlError> {
        self.one_of(&[("true", true), ("false", false), ("1", true), ("0", false)])
    }

    /// Looks up the text in a table.
    ///
    /// # Errors
    /// If the table does not contain the text.
    pub fn one_of<T: Copy>(&self, table: &[(&str, T)]) -> Result<T, XmlError> {
        let text = self.only_text()?;
        let found = table.iter().find(|(word, _)| *word == text);
        found
            .map(|(_, meaning)| *meaning)
            .ok_or_else(|| self.problem(format!("<{}> is {}; what works: {}", self.name, quoted(text), words(table))))
    }

    /// A mistake at this element.
    pub fn problem(&self, what: impl Into<String>) -> XmlError {
        XmlError::new(self.at, what)
    }

    fn missing(&self, name: impl Display) -> XmlError {
        self.problem(format!("<{name}> is missing in <{}>", self.name))
    }
}

/// Reads a whole number as XML Schema defines it.
pub fn number<T: FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}

/// The message for a text that is not a whole number.
pub fn no_number(what: &str, text: &str) -> String {
    format!("{what} is {}, which is no whole number from {} to {}", quoted(text), i32::MIN, i32::MAX)
}

/// The words of a table, for a message.
pub fn words<T>(table: &[(&str, T)]) -> String {
    table.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ")
}
