//! The parts of a generated value: items, fields, and the variant of an enum.

use serde::de::{
    DeserializeSeed, EnumAccess, Error as _, IntoDeserializer as _, MapAccess, SeqAccess, VariantAccess, Visitor,
    value::{Error, StrDeserializer, U32Deserializer},
};

use super::{
    pass::Pass,
    types::{Field, Shape, Type, Variant},
};

/// The items of a list or an array.
pub(crate) struct Items<'p, 'c> {
    pub(crate) pass: &'p mut Pass<'c>,
    pub(crate) form: &'p mut Option<Type>,
    pub(crate) left: usize,
}

impl<'de> SeqAccess<'de> for Items<'_, '_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        let before = self.form.take();
        let value = seed.deserialize(self.pass.value(self.form))?;
        if self.pass.random.is_none() && before.is_some() && before != *self.form {
            return Err(Error::custom("the description has no type for a tuple"));
        }
        Ok(Some(value))
    }
}

/// The fields of a struct or of a variant. `done` has the fields that were read.
pub(crate) struct Fields<'p, 'c> {
    pub(crate) owner: (&'static str, Option<usize>),
    pub(crate) names: &'static [&'static str],
    pub(crate) at: usize,
    pub(crate) done: Vec<Field>,
    pub(crate) pass: &'p mut Pass<'c>,
}

impl Fields<'_, '_> {
    fn read<'de, T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Error> {
        let mut form = None;
        let value = seed.deserialize(self.pass.value(&mut form))?;
        let form = self.pass.known(form)?;
        self.done.push(Field { name: self.names[self.at], form, optional: false });
        self.at += 1;
        Ok(value)
    }
}

impl<'de> SeqAccess<'de> for &mut Fields<'_, '_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        if self.at == self.names.len() { Ok(None) } else { self.read(seed).map(Some) }
    }
}

impl<'de> MapAccess<'de> for &mut Fields<'_, '_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        if self.pass.left_out == Some((self.owner.0, self.owner.1, self.at)) {
            self.at += 1;
        }
        let Some(name) = self.names.get(self.at) else { return Ok(None) };
        let name: StrDeserializer<'_, Error> = (*name).into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Error> {
        self.read(seed)
    }
}

/// The chosen variant of an enum.
pub(crate) struct Chosen<'p, 'c> {
    pub(crate) pass: &'p mut Pass<'c>,
    pub(crate) name: &'static str,
    pub(crate) variant: Variant,
}

impl Chosen<'_, '_> {
    fn add(self) {
        let variants = [(self.variant.number, self.variant)].into_iter().collect();
        self.pass.note(self.name, Shape::Enum(variants));
    }
}

impl<'de> EnumAccess<'de> for Chosen<'_, '_> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self), Error> {
        let number = u32::try_from(self.variant.number).expect("a small number");
        let number: U32Deserializer<Error> = number.into_deserializer();
        Ok((seed.deserialize(number)?, self))
    }
}

impl<'de> VariantAccess<'de> for Chosen<'_, '_> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        self.add();
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(mut self, seed: T) -> Result<T::Value, Error> {
        let value = seed.deserialize(self.pass.value(&mut self.variant.value))?;
        self.add();
        Ok(value)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Error> {
        Err(Error::custom(format_args!("the description has no type for the tuple {}", self.variant.name)))
    }

    fn struct_variant<V: Visitor<'de>>(
        mut self,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let (value, fields) = self.pass.fields((self.name, Some(self.variant.number)), names, visitor)?;
        self.variant.fields = Some(fields);
        self.add();
        Ok(value)
    }
}
