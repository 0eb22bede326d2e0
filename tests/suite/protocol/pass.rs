//! Generates one value, and records the calls of its type.

use std::fmt;

use commlib::Form;
use engine::JavaRandom;
use serde::{
    Deserializer,
    de::{Error as _, Visitor, value::Error},
    forward_to_deserialize_any,
};

use super::{
    parts::{Chosen, Fields, Items},
    trace::Choices,
    types::{Field, Shape, Type, Types, Variant},
};

/// A field: the name of its type, the number of the variant if the type is an enum, and its position.
pub(crate) type Target = (&'static str, Option<usize>, usize);

pub(crate) struct Pass<'c> {
    form: Form,
    choices: &'c Choices,
    /// The generator for values and for enums without a choice. Without it, all values are as simple as possible.
    pub(crate) random: Option<JavaRandom>,
    /// The field that is left out, in JSON only.
    pub(crate) left_out: Option<Target>,
    pub(crate) types: Types,
    /// Every enum that was read: its name, the number of its variants, and the generated variant.
    pub(crate) met: Vec<(&'static str, usize, usize)>,
    pub(crate) targets: Vec<Target>,
    /// The name of the newtype around the text that is generated.
    named: Option<&'static str>,
}

/// Types that accept only certain texts, with examples.
const TEXTS_OF: &[(&str, &[&str])] = &[
    ("Square", &["a1", "e4", "h8"]),
    ("Piece", &["P", "q", "k"]),
    ("Position", &["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/ w", "4k3/8/8/8/8/8/8/4K3/NPqr b"]),
];

impl<'c> Pass<'c> {
    pub(crate) fn new(form: Form, choices: &'c Choices) -> Self {
        let (types, met, targets) = (Types::default(), Vec::new(), Vec::new());
        Self { form, choices, random: None, left_out: None, types, met, targets, named: None }
    }

    /// A deserializer for the next value. It stores the type in `form`.
    pub(crate) fn value<'p>(&'p mut self, form: &'p mut Option<Type>) -> Value<'p, 'c> {
        Value { pass: self, form }
    }

    /// The bits of a number: zero, all ones, a single one, or random bits.
    fn bits(&mut self) -> u64 {
        let Some(random) = &mut self.random else { return 0 };
        match random.next_below(4) {
            0 => 0,
            1 => u64::MAX,
            2 => 1 << random.next_below(64),
            _ => random.next_long().cast_unsigned(),
        }
    }

    fn below(&mut self, bound: usize) -> Option<usize> {
        let bound = i32::try_from(bound).expect("a small number");
        self.random.as_mut().map(|random| random.next_below(bound) as usize)
    }

    /// A text. Without a generator, it is also a valid token.
    fn text(&mut self) -> &'static str {
        if let Some((_, texts)) = TEXTS_OF.iter().find(|(name, _)| Some(*name) == self.named) {
            return texts[self.below(texts.len()).unwrap_or(0)];
        }
        const TEXTS: [&str; 5] = ["", "Ana", "two\nlines\t\"quoted\" \\ \u{1}\u{7f}", "ä € \u{1F600} \u{2028}", LONG];
        const LONG: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
        self.below(TEXTS.len()).map_or(&LONG[..32], |at| TEXTS[at])
    }

    /// Fails if no type was recorded. Random values may contain empty lists and missing options, which record none.
    pub(crate) fn known(&self, form: Option<Type>) -> Result<Type, Error> {
        match form {
            Some(form) => Ok(form),
            None if self.random.is_some() => Ok(Type::Named("unknown")),
            None => Err(Error::custom("a type that asked for nothing")),
        }
    }

    pub(crate) fn note(&mut self, name: &'static str, shape: Shape) {
        if self.random.is_none() {
            self.types.add(name, shape);
        }
    }

    /// Reads fields by position in binary, and by name in JSON.
    pub(crate) fn fields<'de, V: Visitor<'de>>(
        &mut self,
        (name, variant): (&'static str, Option<usize>),
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<(V::Value, Vec<Field>), Error> {
        self.targets.extend((0..names.len()).map(|at| (name, variant, at)));
        let mut fields = Fields { owner: (name, variant), names, at: 0, done: Vec::new(), pass: self };
        let value = match fields.pass.form {
            Form::Binary => visitor.visit_seq(&mut fields)?,
            Form::Json => visitor.visit_map(&mut fields)?,
        };
        Ok((value, fields.done))
    }
}

/// The deserializer of one value.
pub(crate) struct Value<'p, 'c> {
    pass: &'p mut Pass<'c>,
    form: &'p mut Option<Type>,
}

impl Value<'_, '_> {
    fn inner<T>(
        &mut self,
        read: impl FnOnce(&mut Pass<'_>, &mut Option<Type>) -> Result<T, Error>,
    ) -> Result<(T, Type), Error> {
        let mut form = None;
        let value = read(self.pass, &mut form)?;
        Ok((value, self.pass.known(form)?))
    }
}

macro_rules! numbers {
    ($($deserialize:ident $visit:ident $number:ident),+) => {$(
        fn $deserialize<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            *self.form = Some(Type::Named(stringify!($number)));
            visitor.$visit(self.pass.bits() as $number)
        }
    )+};
}

impl<'de> Deserializer<'de> for Value<'_, '_> {
    type Error = Error;

    numbers! {
        deserialize_u8 visit_u8 u8, deserialize_u16 visit_u16 u16, deserialize_u32 visit_u32 u32,
        deserialize_u64 visit_u64 u64, deserialize_i32 visit_i32 i32, deserialize_i64 visit_i64 i64
    }

    forward_to_deserialize_any! { i8 i16 i128 u128 f32 f64 char bytes byte_buf unit map tuple_struct identifier ignored_any }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        struct Expected<V>(V);
        impl<'de, V: Visitor<'de>> fmt::Display for Expected<V> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.expecting(f)
            }
        }
        Err(Error::custom(format_args!("the description has no type for {}", Expected(visitor))))
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        *self.form = Some(Type::Named("bool"));
        visitor.visit_bool(self.pass.bits() & 1 == 1)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        *self.form = Some(Type::Named("string"));
        visitor.visit_str(self.pass.text())
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        if self.pass.below(2) == Some(0) {
            return visitor.visit_none();
        }
        let (value, form) = self.inner(|pass, form| visitor.visit_some(pass.value(form)))?;
        *self.form = Some(Type::Option(Box::new(form)));
        Ok(value)
    }

    fn deserialize_seq<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        let count = self.pass.below(7).unwrap_or(1);
        let (value, form) = self.inner(|pass, form| visitor.visit_seq(Items { pass, form, left: count }))?;
        *self.form = Some(Type::List(Box::new(form)));
        Ok(value)
    }

    fn deserialize_tuple<V: Visitor<'de>>(mut self, length: usize, visitor: V) -> Result<V::Value, Error> {
        let (value, form) = self.inner(|pass, form| visitor.visit_seq(Items { pass, form, left: length }))?;
        *self.form = Some(Type::Array { array: Box::new(form), length });
        Ok(value)
    }

    /// A unit struct is a placeholder for a type of each game.
    fn deserialize_unit_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Error> {
        *self.form = Some(Type::Named(name));
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        let (value, form) = self.inner(|pass, form| {
            pass.named = Some(name);
            let value = visitor.visit_newtype_struct(pass.value(form));
            pass.named = None;
            value
        })?;
        self.pass.note(name, Shape::Same(form));
        *self.form = Some(Type::Named(name));
        Ok(value)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let (value, fields) = self.pass.fields((name, None), names, visitor)?;
        self.pass.note(name, Shape::Struct(fields));
        *self.form = Some(Type::Named(name));
        Ok(value)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let at_random = self.pass.below(variants.len()).unwrap_or(0);
        let number = self.pass.choices.get(name).copied().unwrap_or(at_random);
        self.pass.met.push((name, variants.len(), number));
        *self.form = Some(Type::Named(name));
        let variant =
            Variant { number, name: variants[number], value: None, fields: None, audience: Vec::new(), text: false };
        visitor.visit_enum(Chosen { pass: self.pass, name, variant })
    }

    fn is_human_readable(&self) -> bool {
        self.pass.form == Form::Json
    }
}
