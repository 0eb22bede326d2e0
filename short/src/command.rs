//! The commands of clients: those that every short game has, and the moves of the game.
//!
//! On the wire and in logs they are one enum: the common commands come first, then the moves. So a client sends
//! `["Join", "Ana"]` and `["Mark", 4]`.

use alloc::{string::String, sync::Arc};
use core::{fmt, marker::PhantomData};

use engine::{Kind, Message, messages};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{DeserializeSeed, EnumAccess, IntoDeserializer, VariantAccess, Visitor, value::StringDeserializer},
    forward_to_deserialize_any,
    ser::{Error, Impossible},
};

messages! {
    /// The commands that every short game has.
    #[allow(missing_docs, reason = "the fields are named after their types")]
    pub enum Common {
        /// Takes a free seat.
        Join { name: Arc<str> },
        /// Begins the game before all seats are taken.
        Start {},
        /// Gives up: the game is over, and all others win.
        Resign {},
    }
}

/// The number of common commands.
const COMMON: usize = Common::KINDS.len();
/// The most kinds of commands of a game.
const MOST: usize = 128;

/// A command of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command<M> {
    /// A command that every short game has.
    Common(Common),
    /// A move.
    Move(M),
}

impl<M: Message> Command<M> {
    const ALL: [Kind; MOST] = all::<M>();
}

/// The common kinds and those of the moves, and then repetitions of the first one.
const fn all<M: Message>() -> [Kind; MOST] {
    let mut all = [Common::KINDS[0]; MOST];
    assert!(COMMON + M::KINDS.len() <= MOST, "a short game has at most 125 kinds of moves");
    let mut at = 1;
    while at < COMMON + M::KINDS.len() {
        all[at] = if at < COMMON { Common::KINDS[at] } else { M::KINDS[at - COMMON] };
        let mut before = 0;
        while before < at {
            assert!(!is_same(all[at].name, all[before].name), "no move may be called Join, Start or Resign");
            before += 1;
        }
        at += 1;
    }
    all
}

const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

impl<M: Message> Message for Command<M> {
    const KINDS: &'static [Kind] = {
        let all: &'static [Kind] = &Self::ALL;
        all.split_at(COMMON + M::KINDS.len()).0
    };

    fn number(&self) -> usize {
        match self {
            Self::Common(common) => common.number(),
            Self::Move(play) => COMMON + play.number(),
        }
    }
}

impl<M: Message> Serialize for Command<M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Common(common) => common.serialize(serializer),
            Self::Move(play) => play.serialize(Behind(serializer)),
        }
    }
}

/// Serializes a move with a number behind those of the common commands.
struct Behind<S>(S);

/// The methods for everything but the variants of messages.
macro_rules! not_a_message {
    ($($method:ident($($form:ty),*) -> $result:ty;)+) => {
        $(fn $method(self, $(_: $form),*) -> Result<$result, S::Error> {
            Err(S::Error::custom("a move is declared by messages!"))
        })+
    };
}

impl<S: Serializer> Serializer for Behind<S> {
    type Ok = S::Ok;
    type Error = S::Error;
    type SerializeSeq = Impossible<S::Ok, S::Error>;
    type SerializeTuple = Impossible<S::Ok, S::Error>;
    type SerializeTupleStruct = Impossible<S::Ok, S::Error>;
    type SerializeTupleVariant = Impossible<S::Ok, S::Error>;
    type SerializeMap = Impossible<S::Ok, S::Error>;
    type SerializeStruct = Impossible<S::Ok, S::Error>;
    type SerializeStructVariant = S::SerializeStructVariant;

    fn serialize_struct_variant(
        self,
        name: &'static str,
        number: u32,
        variant: &'static str,
        fields: usize,
    ) -> Result<Self::SerializeStructVariant, S::Error> {
        self.0.serialize_struct_variant(name, number + COMMON as u32, variant, fields)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<S::Ok, S::Error> {
        self.serialize_unit()
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, _: &T) -> Result<S::Ok, S::Error> {
        self.serialize_unit()
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<S::Ok, S::Error> {
        self.serialize_unit()
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, _: &T) -> Result<S::Ok, S::Error> {
        self.serialize_unit()
    }

    not_a_message! {
        serialize_bool(bool) -> S::Ok;
        serialize_i8(i8) -> S::Ok;
        serialize_i16(i16) -> S::Ok;
        serialize_i32(i32) -> S::Ok;
        serialize_i64(i64) -> S::Ok;
        serialize_u8(u8) -> S::Ok;
        serialize_u16(u16) -> S::Ok;
        serialize_u32(u32) -> S::Ok;
        serialize_u64(u64) -> S::Ok;
        serialize_f32(f32) -> S::Ok;
        serialize_f64(f64) -> S::Ok;
        serialize_char(char) -> S::Ok;
        serialize_str(&str) -> S::Ok;
        serialize_bytes(&[u8]) -> S::Ok;
        serialize_none() -> S::Ok;
        serialize_unit() -> S::Ok;
        serialize_unit_struct(&'static str) -> S::Ok;
        serialize_unit_variant(&'static str, u32, &'static str) -> S::Ok;
        serialize_seq(Option<usize>) -> Self::SerializeSeq;
        serialize_tuple(usize) -> Self::SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Self::SerializeTupleVariant;
        serialize_map(Option<usize>) -> Self::SerializeMap;
        serialize_struct(&'static str, usize) -> Self::SerializeStruct;
    }
}

impl<'de, M: Message> Deserialize<'de> for Command<M> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_enum("Command", &[], Whole(PhantomData))
    }
}

struct Whole<M>(PhantomData<M>);

impl<'de, M: Message> Visitor<'de> for Whole<M> {
    type Value = Command<M>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a command")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<Command<M>, A::Error> {
        let (chosen, fields) = data.variant_seed(ReadChosen)?;
        let is_common = match &chosen {
            Chosen::Number(number) => (*number as usize) < COMMON,
            Chosen::Name(name) => Common::KINDS.iter().any(|kind| kind.name == name),
        };
        match chosen {
            _ if is_common => Common::deserialize(Variant { chosen, fields }).map(Command::Common),
            Chosen::Number(number) => {
                M::deserialize(Variant { chosen: Chosen::Number(number - COMMON as u32), fields }).map(Command::Move)
            }
            Chosen::Name(_) => M::deserialize(Variant { chosen, fields }).map(Command::Move),
        }
    }
}

/// A kind as formats write it: binary ones as a number, and JSON by its name.
enum Chosen {
    Number(u32),
    Name(String),
}

struct ReadChosen;

impl<'de> DeserializeSeed<'de> for ReadChosen {
    type Value = Chosen;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Chosen, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for ReadChosen {
    type Value = Chosen;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the kind of a command")
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Chosen, E> {
        u32::try_from(number).map(Chosen::Number).map_err(|_| E::custom("no command has this number"))
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Chosen, E> {
        Ok(Chosen::Name(name.into()))
    }
}

/// An enum whose variant is known and whose fields are not yet read.
struct Variant<F> {
    chosen: Chosen,
    fields: F,
}

impl<'de, F: VariantAccess<'de>> Deserializer<'de> for Variant<F> {
    type Error = F::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, F::Error> {
        visitor.visit_enum(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de, F: VariantAccess<'de>> EnumAccess<'de> for Variant<F> {
    type Error = F::Error;
    type Variant = F;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, F), F::Error> {
        let chosen = match self.chosen {
            Chosen::Number(number) => {
                let number: serde::de::value::U32Deserializer<F::Error> = number.into_deserializer();
                seed.deserialize(number)?
            }
            Chosen::Name(name) => {
                let name: StringDeserializer<F::Error> = name.into_deserializer();
                seed.deserialize(name)?
            }
        };
        Ok((chosen, self.fields))
    }
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::ToString};

    use engine::{Cause, Entry, Input, arguments, from_json};

    use super::*;

    messages! {
        /// The moves of a game that has no other rules.
        enum Move {
            /// Waits.
            Wait {},
            /// Goes somewhere.
            Go { to: i32, fast: Option<bool> },
        }
    }

    #[test]
    fn kinds_in_order() {
        let names = Command::<Move>::KINDS.iter().map(|kind| kind.name);
        assert!(names.eq(["Join", "Start", "Resign", "Wait", "Go"]));
    }

    #[test]
    fn commands_as_json() {
        let check = |text: &str, expected: &str| {
            let came = from_json::<Command<Move>>(text).map_or_else(
                |error| error.to_string(),
                |command| format!("{} {}", command.kind().name, serde_json::Value::from(arguments(&command))),
            );
            assert_eq!(came, expected, "{text}");
        };
        check(r#"["Join", "Ana"]"#, r#"Join ["Ana"]"#);
        check(r#"{"Join": {"name": "Ana"}}"#, r#"Join ["Ana"]"#);
        check(r#"["Resign"]"#, "Resign []");
        check(r#"["Go", -3]"#, "Go [-3]");
        check(r#"{"Go": {"to": 3, "fast": true}}"#, "Go [3,true]");
        check(r#"{"Go": {"fast": true, "to": 3}}"#, "Go [3,true]");
        check(r#"["Fly"]"#, "there is no command Fly; there are Join, Start, Resign, Wait, Go");
        check(r#"["Go"]"#, "wrong number of arguments; it is Go(to, fast)");
        check(r#"{"Wait": {"long": 1}}"#, "Wait has no field long; it is Wait()");
    }

    /// The binary form has the numbers of [`Message::number`].
    #[test]
    fn commands_as_bytes() {
        let commands = [
            Command::Common(Common::Join { name: "Ana".into() }),
            Command::Common(Common::Resign {}),
            Command::Move(Move::Wait {}),
            Command::Move(Move::Go { to: -1, fast: None }),
        ];
        for command in commands {
            let number = command.number();
            let input = Input { elapsed_ms: 0, cause: Cause::<_, ()>::Command { client: engine::CommId(7), command } };
            let mut chain = engine::Chain::new(b"");
            let link = chain.append(0, &input, &[] as &[engine::Emission<()>]);
            let entry: Entry<Command<Move>, (), ()> = Entry::decode(link.bytes).expect("an entry");
            assert_eq!(entry.input, input);
            let at = link.bytes.iter().position(|byte| *byte == 7).expect("the client") + 1;
            assert_eq!(usize::from(link.bytes[at]), number, "{:?}", link.bytes);
        }
    }
}
