//! The shape of a type in both forms, as the description has it.

use std::{collections::BTreeMap, fmt::Write as _};

use serde::Serialize;

/// The type of a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Type {
    Option(Box<Type>),
    List(Box<Type>),
    /// A primitive type, or the name of a described type.
    #[serde(untagged)]
    Named(&'static str),
    /// A fixed number of values, in binary without a length.
    #[serde(untagged)]
    Array {
        array: Box<Type>,
        length: usize,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    #[serde(rename = "type")]
    pub(crate) form: Type,
    /// Whether the field may be missing in JSON.
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) optional: bool,
}

/// A variant of an enum: its name alone, with a value, or with fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Variant {
    pub(crate) number: usize,
    pub(crate) name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<Type>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fields: Option<Vec<Field>>,
    /// The audience of an event.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) audience: Vec<&'static str>,
    /// Whether a text comes with the event, in addition to its fields.
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) text: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Another name for a type.
    Same(Type),
    Struct(Vec<Field>),
    /// The variants by their numbers.
    Enum(BTreeMap<usize, Variant>),
}

/// Types by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Types(pub(crate) BTreeMap<&'static str, Shape>);

impl Types {
    /// # Panics
    /// When another type has this name.
    pub(crate) fn add(&mut self, name: &'static str, shape: Shape) {
        match (self.0.get_mut(name), shape) {
            (None, shape) => {
                self.0.insert(name, shape);
            }
            (Some(Shape::Enum(known)), Shape::Enum(more)) => {
                for (number, variant) in more {
                    let known = known.entry(number).or_insert_with(|| variant.clone());
                    assert_eq!(*known, variant, "two types are called {name}");
                }
            }
            (Some(known), shape) => assert_eq!(*known, shape, "two types are called {name}"),
        }
    }

    /// # Panics
    /// When two types have the same name.
    pub(crate) fn join(&mut self, other: Self) {
        other.0.into_iter().for_each(|(name, shape)| self.add(name, shape));
    }

    pub(crate) fn variants(&self, name: &str) -> Vec<&Variant> {
        match &self.0[name] {
            Shape::Enum(variants) => variants.values().collect(),
            Shape::Same(_) | Shape::Struct(_) => panic!("{name} is no enum"),
        }
    }

    /// Combines the descriptions of the two forms.
    pub(crate) fn both(binary: Self, json: Self) -> Self {
        assert!(binary.0.keys().eq(json.0.keys()), "the same types in both forms");
        let shapes = binary.0.into_iter().zip(json.0.into_values());
        Self(shapes.map(|((name, binary), json)| (name, both_shapes(name, binary, json))).collect())
    }

    /// Prints one line for each field of a struct and each variant of an enum, so that the diff of a change is small.
    pub(crate) fn text(&self, indent: &str) -> String {
        let mut text = String::new();
        for (at, (name, shape)) in self.0.iter().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            write!(text, "{comma}\n{indent}\"{name}\": ").expect("a string");
            match shape {
                Shape::Same(form) => write!(text, r#"{{"same": {}}}"#, json(form)).expect("a string"),
                Shape::Struct(fields) => {
                    text += &lines("struct", fields.iter().map(json), indent);
                }
                Shape::Enum(variants) => text += &lines("enum", variants.values().map(json), indent),
            }
        }
        text
    }
}

fn lines(kind: &str, rows: impl Iterator<Item = String>, indent: &str) -> String {
    let rows: Vec<String> = rows.map(|row| format!("\n{indent}  {row}")).collect();
    format!("{{\"{kind}\": [{}\n{indent}]}}", rows.join(","))
}

fn both_shapes(name: &str, binary: Shape, json: Shape) -> Shape {
    match (binary, json) {
        (Shape::Same(binary), Shape::Same(json)) => Shape::Same(both_types(name, binary, json)),
        (Shape::Struct(binary), Shape::Struct(json)) => Shape::Struct(both_fields(name, binary, json)),
        (Shape::Enum(binary), Shape::Enum(json)) => {
            let both = binary.into_values().zip(json.into_values()).map(|(binary, json)| {
                assert_eq!((binary.number, binary.name), (json.number, json.name), "{name}");
                let value = binary.value.zip(json.value).map(|(binary, json)| both_types(name, binary, json));
                let fields = binary.fields.zip(json.fields).map(|(binary, json)| both_fields(name, binary, json));
                (json.number, Variant { value, fields, ..json })
            });
            Shape::Enum(both.collect())
        }
        (binary, json) => panic!("{name} is {binary:?} in binary and {json:?} in JSON"),
    }
}

fn both_fields(name: &str, binary: Vec<Field>, json: Vec<Field>) -> Vec<Field> {
    assert_eq!(binary.len(), json.len(), "{name}");
    let both = binary.into_iter().zip(json).map(|(binary, json)| {
        assert_eq!(binary.name, json.name, "{name}");
        Field { form: both_types(name, binary.form, json.form), ..json }
    });
    both.collect()
}

/// Combines the types of two forms. They differ only for a token.
fn both_types(name: &str, binary: Type, json: Type) -> Type {
    let bytes = Type::Array { array: Box::new(Type::Named("u8")), length: 16 };
    match (binary, json) {
        (Type::Option(binary), Type::Option(json)) => Type::Option(Box::new(both_types(name, *binary, *json))),
        (Type::List(binary), Type::List(json)) => Type::List(Box::new(both_types(name, *binary, *json))),
        (binary, Type::Named("string")) if binary == bytes => Type::Named("token"),
        (binary, json) => {
            assert_eq!(binary, json, "{name} has a type of two forms");
            json
        }
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("a description has a form in JSON")
}

fn is_false(flag: &bool) -> bool {
    !flag
}
