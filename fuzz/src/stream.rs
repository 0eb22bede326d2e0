//! Bytes that arrive in pieces.

/// The bytes of a connection, and how they arrive.
pub(super) struct Stream<'a> {
    pub(super) bytes: &'a [u8],
    /// The limit of a message.
    pub(super) longest: usize,
    /// Decides the lengths of the pieces.
    pub(super) cuts: u8,
}

impl<'a> Stream<'a> {
    /// All bytes in pieces of 1 to 16 bytes, or of up to 128.
    pub(super) fn pieces(&self) -> impl Iterator<Item = &'a [u8]> {
        let most = if self.cuts.is_multiple_of(2) { 16 } else { 128 };
        let (mut rest, mut state) = (self.bytes, u32::from(self.cuts));
        std::iter::from_fn(move || {
            // The generator of Numerical Recipes: the pieces only have to vary.
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let length = (state >> 16) as usize % most + 1;
            let (piece, behind) = rest.split_at(length.min(rest.len()));
            rest = behind;
            (!piece.is_empty()).then_some(piece)
        })
    }
}
