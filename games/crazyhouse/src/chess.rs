//! The notations of chess players: SAN for moves, FEN for positions, PGN for games.
//!
//! A promoted piece has no mark, and no position has castling rights or a square for en passant, because these rules have neither.

pub mod fen;
pub mod pgn;
pub mod san;
