//! An element of a document, and ways to ask for what should be in it.

use std::{borrow::Cow, fmt::Display, str::FromStr};

use crate::{
    problem::{Place, Problem, quoted, tagged},
    tag::{Attribute, is_space},
};

/// An element with everything in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element<'x> {
    /// What is before the colon of its name, or nothing.
    pub prefix: &'x str,
    /// Its name without the prefix.
    pub name: &'x str,
    pub attributes: Vec<Attribute<'x>>,
    pub children: Vec<Element<'x>>,
    /// All text directly inside, as it is.
    pub raw: Cow<'x, str>,
    pub at: Place,
}

impl<'x> Element<'x> {
    /// The text directly inside, without white space around it.
    pub fn text(&self) -> &str {
        self.raw.trim_matches(is_space)
    }

    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|attribute| attribute.name == name).map(|attribute| &*attribute.value)
    }

    /// The children of that name.
    pub fn all<'e>(&'e self, name: &'e str) -> impl Iterator<Item = &'e Self> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The child of that name, which may be missing but not repeated.
    pub fn optional(&self, name: &str) -> Result<Option<&Self>, Problem> {
        self.at_most_one(name, |child| child.name == name)
    }

    /// The one child of that name.
    pub fn child(&self, name: &str) -> Result<&Self, Problem> {
        self.optional(name)?.ok_or_else(|| self.missing(name))
    }

    /// The one child that has one of these names, in whatever case.
    pub fn child_in_any_case(&self, names: &[&str]) -> Result<&Self, Problem> {
        let is_one = |child: &Self| names.iter().any(|name| child.name.eq_ignore_ascii_case(name));
        let names = names.join("> or <");
        self.at_most_one(&names, is_one)?.ok_or_else(|| self.missing(&names))
    }

    fn at_most_one(&self, name: &str, is_it: impl Fn(&Self) -> bool) -> Result<Option<&Self>, Problem> {
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

    /// Text and nothing else.
    pub fn only_text(&self) -> Result<&str, Problem> {
        match self.children.first() {
            Some(child) => {
                Err(child.problem(format!("{} is in <{}>, which has only text", tagged(child.name), self.name)))
            }
            None => Ok(self.text()),
        }
    }

    /// Text of so many characters.
    pub fn text_of(&self, least: usize, most: usize) -> Result<&str, Problem> {
        let text = self.only_text()?;
        let length = text.chars().count();
        if (least..=most).contains(&length) {
            return Ok(text);
        }
        Err(self.problem(format!("<{}> has {length} characters, and has to have {least} to {most}", self.name)))
    }

    /// A whole number.
    pub fn int(&self) -> Result<i32, Problem> {
        let text = self.only_text()?;
        number(text).ok_or_else(|| self.problem(no_number(&format!("<{}>", self.name), text)))
    }

    pub fn boolean(&self) -> Result<bool, Problem> {
        self.one_of(&[("true", true), ("false", false), ("1", true), ("0", false)])
    }

    /// What the text stands for in a table.
    pub fn one_of<T: Copy>(&self, table: &[(&str, T)]) -> Result<T, Problem> {
        let text = self.only_text()?;
        let found = table.iter().find(|(word, _)| *word == text);
        found
            .map(|(_, meaning)| *meaning)
            .ok_or_else(|| self.problem(format!("<{}> is {}; what works: {}", self.name, quoted(text), words(table))))
    }

    pub fn problem(&self, what: impl Into<String>) -> Problem {
        Problem::new(self.at, what)
    }

    fn missing(&self, name: impl Display) -> Problem {
        self.problem(format!("<{name}> is missing in <{}>", self.name))
    }
}

/// A whole number as XML Schema has it.
pub fn number<T: FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}

/// What is said of a text that is no whole number.
pub fn no_number(what: &str, text: &str) -> String {
    format!("{what} is {}, which is no whole number from {} to {}", quoted(text), i32::MIN, i32::MAX)
}

/// The words of a table, in a sentence.
pub fn words<T>(table: &[(&str, T)]) -> String {
    table.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ")
}
