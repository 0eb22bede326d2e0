//! The JSON form of offers, for pages and for clients without the types of a game.

use alloc::{string::String, vec::Vec};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _, ser::SerializeMap};

use super::{Answer, Argument, Offer, Offers, Template, Then};

impl<C: Serialize, E> Serialize for Offers<C, E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("title", &self.title)?;
        map.serialize_entry("offers", &self.offers)?;
        map.end()
    }
}

impl<C: Serialize, E> Serialize for Offer<C, E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("label", &self.label)?;
        if self.aside {
            map.serialize_entry("aside", &true)?;
        }
        match &self.then {
            Then::Send(Template { command, arguments, answer }) => {
                map.serialize_entry("command", command)?;
                if !arguments.is_empty() {
                    map.serialize_entry("arguments", arguments)?;
                }
                if matches!(answer, Answer::Uncertain | Answer::Untried) {
                    map.serialize_entry("uncertain", &true)?;
                }
            }
            Then::Choose(offers) => {
                map.serialize_entry("title", &offers.title)?;
                map.serialize_entry("offers", &offers.offers)?;
            }
        }
        if let Some(reason) = self.why_not() {
            map.serialize_entry("impossible", reason)?;
        }
        map.end()
    }
}

/// The fields of [`Offers`] and [`Offer`] in JSON. A group has a title and offers, a command has the other fields.
#[derive(Deserialize)]
struct Fields<C> {
    #[serde(default)]
    title: String,
    #[serde(default = "Vec::new")]
    offers: Vec<Offer<C, ()>>,
    #[serde(default)]
    label: String,
    #[serde(default)]
    aside: bool,
    #[serde(default = "Option::default")]
    command: Option<C>,
    #[serde(default)]
    arguments: Vec<Argument>,
    #[serde(default)]
    uncertain: bool,
    #[serde(default)]
    impossible: Option<String>,
}

impl<'de, C: Deserialize<'de>> Deserialize<'de> for Offers<C, ()> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Fields { title, offers, command, .. } = Fields::<C>::deserialize(deserializer)?;
        if command.is_some() {
            return Err(D::Error::custom("a list of offers has no command"));
        }
        Ok(Self { title, offers })
    }
}

impl<'de, C: Deserialize<'de>> Deserialize<'de> for Offer<C, ()> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Fields { title, offers, label, aside, command, arguments, uncertain, impossible } =
            Fields::deserialize(deserializer)?;
        let answer = match impossible {
            Some(words) => Answer::Impossible { refusal: (), words },
            None if uncertain => Answer::Uncertain,
            None => Answer::Possible,
        };
        let then = match command {
            Some(command) => Then::Send(Template { command, arguments, answer }),
            None => Then::Choose(Offers { title, offers }),
        };
        Ok(Self { label, aside, then })
    }
}
