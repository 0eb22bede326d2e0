//! Replaces words in everything that is a text of a value, and in nothing else: a serializer in front of another one.

use std::borrow::Cow;

use serde::{
    Serialize, Serializer,
    ser::{
        SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple, SerializeTupleStruct,
        SerializeTupleVariant,
    },
};

/// A word or several, and what takes their place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// What is replaced where it stands alone: not within a longer word.
    pub old: String,
    /// What takes its place.
    pub new: String,
}

impl Replacement {
    /// A text with the replacement.
    pub fn apply<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut replaced = String::new();
        let mut copied = 0;
        for (start, found) in text.match_indices(self.old.as_str()) {
            let end = start + found.len();
            let is_part = |next: Option<char>| next.is_some_and(char::is_alphanumeric);
            if found.is_empty() || is_part(text[..start].chars().next_back()) || is_part(text[end..].chars().next()) {
                continue;
            }
            replaced.push_str(&text[copied..start]);
            replaced.push_str(&self.new);
            copied = end;
        }
        if copied == 0 {
            return Cow::Borrowed(text);
        }
        replaced.push_str(&text[copied..]);
        Cow::Owned(replaced)
    }
}

/// A text with all replacements.
pub(crate) fn replace<'t>(text: &'t str, words: &[Replacement]) -> Cow<'t, str> {
    words.iter().fold(Cow::Borrowed(text), |text, word| match word.apply(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(replaced) => Cow::Owned(replaced),
    })
}

/// A value whose texts are replaced when it is serialized.
pub(crate) struct Replaced<'r, T: ?Sized> {
    pub(crate) value: &'r T,
    pub(crate) words: &'r [Replacement],
}

impl<T: Serialize + ?Sized> Serialize for Replaced<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(Replacing { inner: serializer, words: self.words })
    }
}

/// The serializer in front of another one.
struct Replacing<'r, S> {
    inner: S,
    words: &'r [Replacement],
}

impl<'r, S> Replacing<'r, S> {
    fn parts<C, E>(self, begin: impl FnOnce(S) -> Result<C, E>) -> Result<Replacing<'r, C>, E> {
        Ok(Replacing { inner: begin(self.inner)?, words: self.words })
    }
}

macro_rules! pass_on {
    ($($method:ident $type:ty),* $(,)?) => {
        $(fn $method(self, value: $type) -> Result<Self::Ok, Self::Error> {
            self.inner.$method(value)
        })*
    };
}

impl<'r, S: Serializer> Serializer for Replacing<'r, S> {
    type Error = S::Error;
    type Ok = S::Ok;
    type SerializeMap = Replacing<'r, S::SerializeMap>;
    type SerializeSeq = Replacing<'r, S::SerializeSeq>;
    type SerializeStruct = Replacing<'r, S::SerializeStruct>;
    type SerializeStructVariant = Replacing<'r, S::SerializeStructVariant>;
    type SerializeTuple = Replacing<'r, S::SerializeTuple>;
    type SerializeTupleStruct = Replacing<'r, S::SerializeTupleStruct>;
    type SerializeTupleVariant = Replacing<'r, S::SerializeTupleVariant>;

    pass_on!(
        serialize_bool bool, serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64,
        serialize_i128 i128, serialize_u8 u8, serialize_u16 u16, serialize_u32 u32, serialize_u64 u64,
        serialize_u128 u128, serialize_f32 f32, serialize_f64 f64, serialize_char char, serialize_bytes &[u8],
        serialize_unit_struct &'static str,
    );

    fn serialize_str(self, text: &str) -> Result<S::Ok, S::Error> {
        self.inner.serialize_str(&replace(text, self.words))
    }

    fn serialize_none(self) -> Result<S::Ok, S::Error> {
        self.inner.serialize_none()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        self.inner.serialize_some(&Replaced { value, words: self.words })
    }

    fn serialize_unit(self) -> Result<S::Ok, S::Error> {
        self.inner.serialize_unit()
    }

    fn serialize_unit_variant(self, name: &'static str, index: u32, variant: &'static str) -> Result<S::Ok, S::Error> {
        self.inner.serialize_unit_variant(name, index, variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<S::Ok, S::Error> {
        self.inner.serialize_newtype_struct(name, &Replaced { value, words: self.words })
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        self.inner.serialize_newtype_variant(name, index, variant, &Replaced { value, words: self.words })
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Self::SerializeSeq, S::Error> {
        self.parts(|inner| inner.serialize_seq(length))
    }

    fn serialize_tuple(self, length: usize) -> Result<Self::SerializeTuple, S::Error> {
        self.parts(|inner| inner.serialize_tuple(length))
    }

    fn serialize_tuple_struct(self, name: &'static str, length: usize) -> Result<Self::SerializeTupleStruct, S::Error> {
        self.parts(|inner| inner.serialize_tuple_struct(name, length))
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Self::SerializeTupleVariant, S::Error> {
        self.parts(|inner| inner.serialize_tuple_variant(name, index, variant, length))
    }

    fn serialize_map(self, length: Option<usize>) -> Result<Self::SerializeMap, S::Error> {
        self.parts(|inner| inner.serialize_map(length))
    }

    fn serialize_struct(self, name: &'static str, length: usize) -> Result<Self::SerializeStruct, S::Error> {
        self.parts(|inner| inner.serialize_struct(name, length))
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Self::SerializeStructVariant, S::Error> {
        self.parts(|inner| inner.serialize_struct_variant(name, index, variant, length))
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

/// The parts of a value, one after the other.
macro_rules! elements {
    ($($kind:ident $method:ident),* $(,)?) => {
        $(impl<C: $kind> $kind for Replacing<'_, C> {
            type Error = C::Error;
            type Ok = C::Ok;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), C::Error> {
                self.inner.$method(&Replaced { value, words: self.words })
            }

            fn end(self) -> Result<C::Ok, C::Error> {
                self.inner.end()
            }
        })*
    };
}

/// The same with the names of fields.
macro_rules! fields {
    ($($kind:ident),*) => {
        $(impl<C: $kind> $kind for Replacing<'_, C> {
            type Error = C::Error;
            type Ok = C::Ok;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), C::Error> {
                self.inner.serialize_field(name, &Replaced { value, words: self.words })
            }

            fn end(self) -> Result<C::Ok, C::Error> {
                self.inner.end()
            }
        })*
    };
}

elements!(
    SerializeSeq serialize_element,
    SerializeTuple serialize_element,
    SerializeTupleStruct serialize_field,
    SerializeTupleVariant serialize_field,
);
fields!(SerializeStruct, SerializeStructVariant);

impl<C: SerializeMap> SerializeMap for Replacing<'_, C> {
    type Error = C::Error;
    type Ok = C::Ok;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), C::Error> {
        self.inner.serialize_key(&Replaced { value, words: self.words })
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), C::Error> {
        self.inner.serialize_value(&Replaced { value, words: self.words })
    }

    fn end(self) -> Result<C::Ok, C::Error> {
        self.inner.end()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    use super::*;

    #[test]
    fn words_that_stand_alone() {
        let check = |old: &str, text: &str, expected: &str| {
            let word = Replacement { old: old.into(), new: "anon-1".into() };
            assert_eq!(word.apply(text), expected, "{old} in {text}");
        };
        check("Ana", "Ana", "anon-1");
        check("Ana", "Ana, Anabel and (Ana)!", "anon-1, Anabel and (anon-1)!");
        check("Ana", "Banana ana", "Banana ana");
        check("Ana B", "Ana B wins", "anon-1 wins");
        check("Zoë", "ZoëZoë Zoë", "ZoëZoë anon-1");
        check("\u{1f9df}", "a\u{1f9df}", "a\u{1f9df}");
        check("\u{1f9df}", "\u{1f9df}\n", "anon-1\n");
        check("", "Ana", "Ana");
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum Said {
        Ana,
        Name(String),
        Both { one: (u8, String), other: Option<String> },
        Many(Vec<Said>, BTreeMap<String, i64>, char),
    }

    #[test]
    fn texts_and_nothing_else() {
        let value = |name: &str, number: u8| {
            Said::Many(
                vec![
                    Said::Ana,
                    Said::Name(format!("{name} is here")),
                    Said::Both { one: (number, "Banana".into()), other: Some(name.into()) },
                ],
                [(name.to_owned(), -3)].into(),
                'A',
            )
        };
        let words = [Replacement { old: "Ana".into(), new: "other words".into() }];
        let (before, after) = (value("Ana", b'A'), value("other words", b'A'));
        let bytes = postcard::to_allocvec(&Replaced { value: &before, words: &words }).expect("bytes");
        assert_eq!(bytes, postcard::to_allocvec(&after).expect("bytes"));
        assert_eq!(postcard::from_bytes::<Said>(&bytes).expect("the value"), after);
    }
}
