//! Reads a message in one pass over its text, without a tree of values in between.
//!
//! It accepts less than [`super::from_json`], and its errors explain little.

use core::{fmt, marker::PhantomData};

use serde::{
    Deserializer,
    de::{
        DeserializeSeed, EnumAccess, Error, IgnoredAny, IntoDeserializer, MapAccess, SeqAccess, VariantAccess, Visitor,
        value::StrDeserializer,
    },
    forward_to_deserialize_any,
};

use crate::{Kind, Message};

/// Reads a message of one of the accepted kinds.
pub(super) fn read<M: Message>(text: &str, takes: &dyn Fn(&Kind) -> bool) -> Result<M, serde_json::Error> {
    let mut json = serde_json::Deserializer::from_str(text);
    let message = json.deserialize_any(Whole { kind: KindOf::<M> { takes, message: PhantomData } })?;
    json.end()?;
    Ok(message)
}

/// A whole message, in either form.
struct Whole<'a, M> {
    kind: KindOf<'a, M>,
}

impl<'de, M: Message> Visitor<'de> for Whole<'_, M> {
    type Value = M;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a message")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<M, A::Error> {
        let kind = map.next_key_seed(self.kind)?.ok_or_else(|| A::Error::custom("no kind"))?;
        let message = map.next_value_seed(Named { kind, message: PhantomData })?;
        match map.next_key::<IgnoredAny>()? {
            None => Ok(message),
            Some(_) => Err(A::Error::custom("more than one kind")),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<M, A::Error> {
        let kind = list.next_element_seed(self.kind)?.ok_or_else(|| A::Error::custom("no kind"))?;
        let message = M::deserialize(Tagged { kind, fields: Positional { kind, at: 0, list: &mut list } })?;
        match list.next_element::<IgnoredAny>()? {
            None => Ok(message),
            Some(_) => Err(A::Error::custom("too many arguments")),
        }
    }
}

/// Reads the name of an accepted kind.
struct KindOf<'a, M> {
    takes: &'a dyn Fn(&Kind) -> bool,
    message: PhantomData<M>,
}

impl<'de, M: Message> DeserializeSeed<'de> for KindOf<'_, M> {
    type Value = &'static Kind;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<M: Message> Visitor<'_> for KindOf<'_, M> {
    type Value = &'static Kind;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the name of a kind")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        let found = M::KINDS.iter().find(|kind| kind.name == name && (self.takes)(kind));
        found.ok_or_else(|| E::custom("no such kind"))
    }
}

/// Reads the fields of a kind by their names, and returns the message.
struct Named<M> {
    kind: &'static Kind,
    message: PhantomData<M>,
}

impl<'de, M: Message> DeserializeSeed<'de> for Named<M> {
    type Value = M;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<M, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, M: Message> Visitor<'de> for Named<M> {
    type Value = M;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the fields of {}", self.kind)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<M, A::Error> {
        M::deserialize(Tagged { kind: self.kind, fields: Known { kind: self.kind, map } })
    }
}

/// A message as serde's enum: the name of its kind, and its fields.
struct Tagged<F> {
    kind: &'static Kind,
    fields: F,
}

impl<'de, F: MapAccess<'de>> Deserializer<'de> for Tagged<F> {
    type Error = F::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, F::Error> {
        visitor.visit_enum(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de, F: MapAccess<'de>> EnumAccess<'de> for Tagged<F> {
    type Error = F::Error;
    type Variant = Fields<F>;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Fields<F>), F::Error> {
        let name: StrDeserializer<'_, F::Error> = self.kind.name.into_deserializer();
        Ok((seed.deserialize(name)?, Fields(self.fields)))
    }
}

/// A struct variant; messages have no other variants.
struct Fields<F>(F);

impl<'de, F: MapAccess<'de>> VariantAccess<'de> for Fields<F> {
    type Error = F::Error;

    fn unit_variant(self) -> Result<(), F::Error> {
        Err(F::Error::custom("a message has fields"))
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, _: S) -> Result<S::Value, F::Error> {
        Err(F::Error::custom("a message has fields"))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, F::Error> {
        Err(F::Error::custom("a message has fields"))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, F::Error> {
        visitor.visit_map(self.0)
    }
}

/// Reads fields by their names. Rejects unknown fields, which serde would ignore.
struct Known<A> {
    kind: &'static Kind,
    map: A,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Known<A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        match self.map.next_key_seed(NameOf(self.kind))? {
            Some(name) => named(name, seed).map(Some),
            None => Ok(None),
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}

/// Reads the name of one of a kind's fields.
struct NameOf(&'static Kind);

impl<'de> DeserializeSeed<'de> for NameOf {
    type Value = &'static str;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<&'static str, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for NameOf {
    type Value = &'static str;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a field of {}", self.0)
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<&'static str, E> {
        let found = self.0.fields.iter().find(|field| field.name == name);
        found.map(|field| field.name).ok_or_else(|| E::custom("no such field"))
    }
}

fn named<'de, S: DeserializeSeed<'de>, E: Error>(name: &'static str, seed: S) -> Result<S::Value, E> {
    let name: StrDeserializer<'_, E> = name.into_deserializer();
    seed.deserialize(name)
}

/// Arguments in the order of the fields. Optional ones at the end may be left out.
struct Positional<'a, A> {
    kind: &'static Kind,
    at: usize,
    list: &'a mut A,
}

impl<'de, A: SeqAccess<'de>> MapAccess<'de> for Positional<'_, A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        match self.kind.fields.get(self.at) {
            Some(field) => named(field.name, seed).map(Some),
            None => Ok(None),
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        let optional = self.kind.fields.get(self.at).is_some_and(|field| field.is_optional());
        self.at += 1;
        let mut seed = Some(seed);
        if let Some(value) = self.list.next_element_seed(Lent(&mut seed))? {
            return Ok(value);
        }
        match seed {
            Some(seed) if optional => seed.deserialize(LeftOut(PhantomData)),
            Some(_) | None => Err(A::Error::custom("too few arguments")),
        }
    }
}

/// A seed that stays usable if the list has no next element.
struct Lent<'a, S>(&'a mut Option<S>);

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Lent<'_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        self.0.take().ok_or_else(|| D::Error::custom("a seed is used once"))?.deserialize(deserializer)
    }
}

/// A missing argument: only an `Option` can be read from it.
struct LeftOut<E>(PhantomData<E>);

impl<'de, E: Error> Deserializer<'de> for LeftOut<E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, E> {
        Err(E::custom("too few arguments"))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_none()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
