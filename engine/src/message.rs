//! Commands and events: enums that list their kinds, and the positional form of a message.

mod json;

use alloc::{string::String, vec::Vec};
use core::fmt::{self, Debug};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

pub use json::{JsonError, from_json, from_json_by};

/// A command or an event: an enum whose variants all have named fields.
///
/// [`messages!`](crate::messages) implements it.
pub trait Message: Clone + Debug + Eq + Serialize + DeserializeOwned {
    /// All kinds, in the order of the enum. A kind's number is its index in this list and is part of every log, so append new
    /// kinds at the end.
    const KINDS: &'static [Kind];

    /// The index of this message's kind in [`Self::KINDS`].
    fn number(&self) -> usize;

    /// The description of this message's kind.
    fn kind(&self) -> &'static Kind {
        &Self::KINDS[self.number()]
    }
}

/// The description of one variant of a message enum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The name of the variant.
    pub name: &'static str,
    /// The text of its doc comment.
    pub about: &'static str,
    /// Its fields, in the order of the positional form.
    pub fields: &'static [Field],
}

/// A field of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name of the field.
    pub name: &'static str,
    /// The type of the field, as written in the source, for example `Option<u32>`.
    pub form: &'static str,
}

/// Declares an enum of messages and implements [`Message`] for it. Every variant has a doc comment and named fields.
///
/// ```
/// use engine::{Message, from_json, messages};
///
/// messages! {
///     /// The commands of a small game.
///     pub enum Command {
///         /// Takes a seat.
///         Join { name: String },
///         /// Rolls dice.
///         Roll { dice: u8, twice: Option<bool> },
///     }
/// }
///
/// assert_eq!(Command::KINDS[1].to_string(), "Roll(dice, twice)");
/// let roll = Command::Roll { dice: 2, twice: None };
/// assert_eq!(roll.number(), 1);
///
/// // Both JSON forms: fields by name, and arguments in order.
/// assert_eq!(from_json::<Command>(r#"{"Roll": {"dice": 2}}"#).as_ref(), Ok(&roll));
/// assert_eq!(from_json::<Command>(r#"["Roll", 2]"#).as_ref(), Ok(&roll));
/// assert_eq!(
///     from_json::<Command>(r#"["Rol", 2]"#).unwrap_err().to_string(),
///     "there is no command Rol; there are Join, Roll",
/// );
/// ```
#[macro_export]
macro_rules! messages {
    (
        $(#[$outer:meta])*
        $vis:vis enum $name:ident {
            $(
                $(#[doc = $about:literal])+
                $kind:ident { $( $(#[$inner:meta])* $field:ident : $form:ty ),* $(,)? }
            ),+ $(,)?
        }
    ) => {
        $(#[$outer])*
        #[derive(Clone, Debug, PartialEq, Eq, $crate::macros::serde::Serialize, $crate::macros::serde::Deserialize)]
        $vis enum $name {
            $(
                $(#[doc = $about])+
                $kind { $( $(#[$inner])* $field: $form ),* }
            ),+
        }

        impl $crate::Message for $name {
            const KINDS: &'static [$crate::Kind] = &[
                $( $crate::Kind {
                    name: stringify!($kind),
                    about: concat!($($about),+),
                    fields: &[ $( $crate::Field { name: stringify!($field), form: stringify!($form) } ),* ],
                } ),+
            ];

            fn number(&self) -> usize {
                // An enum without fields turns each kind into its number without a table.
                #[derive(Clone, Copy)]
                enum Number { $($kind),+ }
                (match self { $( Self::$kind { .. } => Number::$kind ),+ }) as usize
            }
        }
    };
}

/// The positional form of a message: its fields in order, without `None`s at the end.
///
/// # Panics
/// If the type was not declared by [`messages!`](crate::messages).
pub fn arguments<M: Message>(message: &M) -> Vec<Value> {
    let Ok(Value::Object(mut tagged)) = serde_json::to_value(message) else {
        panic!("a message is one tagged object: {message:?}");
    };
    let Some(Value::Object(mut named)) = tagged.remove(message.kind().name) else {
        panic!("a message is tagged with its kind: {message:?}");
    };
    let mut arguments: Vec<Value> =
        message.kind().fields.iter().map(|field| named.remove(field.name).unwrap_or(Value::Null)).collect();
    while arguments.last().is_some_and(Value::is_null) {
        arguments.pop();
    }
    arguments
}

/// Reads the positional form: the message of the kind `name` with these arguments.
///
/// # Errors
/// If there is no such kind, or the arguments do not fit it.
pub fn from_arguments<M: Message>(name: &str, arguments: &[Value]) -> Result<M, ArgumentError> {
    let Some(kind) = M::KINDS.iter().find(|kind| kind.name == name) else {
        return Err(ArgumentError::UnknownKind);
    };
    if arguments.len() < kind.least() || arguments.len() > kind.fields.len() {
        return Err(ArgumentError::WrongNumber { kind });
    }
    let named: Map<String, Value> =
        kind.fields.iter().map(|field| field.name.into()).zip(arguments.iter().cloned()).collect();
    let tagged: Map<String, Value> = [(name.into(), Value::Object(named))].into_iter().collect();
    serde_json::from_value(Value::Object(tagged))
        .map_err(|error| ArgumentError::WrongForm { kind, error: alloc::format!("{error}") })
}

/// Why a name with arguments is not a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgumentError {
    /// No kind has this name.
    UnknownKind,
    /// There are too few or too many arguments.
    WrongNumber {
        /// The kind.
        kind: &'static Kind,
    },
    /// An argument has the wrong type.
    WrongForm {
        /// The kind.
        kind: &'static Kind,
        /// The error message of serde.
        error: String,
    },
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownKind => write!(f, "no message has this name"),
            Self::WrongNumber { kind } => write!(f, "wrong number of arguments; it is {kind}"),
            Self::WrongForm { kind, error } => write!(f, "{error}; it is {kind}"),
        }
    }
}

impl core::error::Error for ArgumentError {}

impl Kind {
    /// The minimum number of arguments: optional ones at the end may be left out.
    pub fn least(&self) -> usize {
        self.fields.iter().rposition(|field| !field.is_optional()).map_or(0, |last| last + 1)
    }
}

impl Field {
    /// Whether the field's type is an `Option`.
    pub fn is_optional(&self) -> bool {
        self.form.starts_with("Option<")
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.name)?;
        for (at, field) in self.fields.iter().enumerate() {
            write!(f, "{}{}", if at == 0 { "" } else { ", " }, field.name)?;
        }
        write!(f, ")")
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    messages! {
        /// Messages of a game that has no other rules.
        pub(super) enum Word {
            /// Says nothing.
            Silence {},
            /// Goes somewhere.
            Go { to: i32, fast: Option<bool> },
            /// Greets one or two.
            Greet { who: String, other: Option<String> },
        }
    }

    #[track_caller]
    fn check(line: &str, expected: &str) {
        let Value::Array(values) = serde_json::from_str(line).expect("a JSON array") else { panic!("an array") };
        let name = values[0].as_str().expect("a name");
        let came = match from_arguments::<Word>(name, &values[1..]) {
            Ok(word) => Value::Array(arguments(&word)).to_string(),
            Err(error) => error.to_string(),
        };
        assert_eq!(came, expected);
    }

    #[test]
    fn positional_form() {
        check(r#"["Silence"]"#, "[]");
        check(r#"["Silence", 1]"#, "wrong number of arguments; it is Silence()");
        check(r#"["Go", -7]"#, "[-7]");
        check(r#"["Go", -7, true]"#, "[-7,true]");
        check(r#"["Go"]"#, "wrong number of arguments; it is Go(to, fast)");
        check(r#"["Go", 1, true, 2]"#, "wrong number of arguments; it is Go(to, fast)");
        check(r#"["Greet", "Ana"]"#, r#"["Ana"]"#);
        check(r#"["Greet", "Ana", "Bo"]"#, r#"["Ana","Bo"]"#);
        check(r#"["Wave"]"#, "no message has this name");
        check(r#"["Go", 2147483647]"#, "[2147483647]");
        check(r#"["Go", "x", true, 2]"#, "wrong number of arguments; it is Go(to, fast)");
        assert!(matches!(
            from_arguments::<Word>("Go", &[Value::from(2_147_483_648_i64)]),
            Err(ArgumentError::WrongForm { .. })
        ));
        assert!(matches!(from_arguments::<Word>("Go", &["x".into()]), Err(ArgumentError::WrongForm { .. })));
    }

    #[test]
    fn kinds_are_listed_in_order() {
        assert_eq!(Word::KINDS.iter().map(|kind| kind.name).collect::<Vec<_>>(), ["Silence", "Go", "Greet"]);
        assert_eq!(Word::Go { to: 1, fast: Some(true) }.kind().about, " Goes somewhere.");
        assert_eq!(Word::KINDS[1].fields[1], Field { name: "fast", form: "Option<bool>" });
    }
}
