//! Squares, pieces and positions as texts in messages and logs. A type for each of them parses its text, so that the
//! description of all messages can name the kind of a text.

use alloc::string::String;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use crate::{piece::Piece, position::Position, square::Square};

#[derive(Deserialize)]
#[serde(rename = "Square")]
struct SquareText(String);

#[derive(Deserialize)]
#[serde(rename = "Piece")]
struct PieceText(String);

#[derive(Deserialize)]
#[serde(rename = "Position")]
struct PositionText(String);

impl Serialize for Square {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Square {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let SquareText(text) = SquareText::deserialize(deserializer)?;
        Self::read(text.as_bytes()).ok_or_else(|| D::Error::custom("a square is a1 to h8"))
    }
}

impl Serialize for Piece {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.letter())
    }
}

impl<'de> Deserialize<'de> for Piece {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let PieceText(text) = PieceText::deserialize(deserializer)?;
        let piece = if let [letter] = *text.as_bytes() { Self::from_letter(letter) } else { None };
        piece.ok_or_else(|| D::Error::custom("a piece is one of KQBNRPkqbnrp"))
    }
}

impl Serialize for Position {
    /// Some formats would write the text twice, to find its length first.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text())
    }
}

impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let PositionText(text) = PositionText::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}
