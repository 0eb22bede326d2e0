//! Colours on a terminal.

/// Colours texts, or leaves them unchanged if false.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paint(pub bool);

impl Paint {
    /// A heading.
    pub fn heading(self, text: &str) -> String {
        self.with("1;36", text)
    }

    /// An important text.
    pub fn strong(self, text: &str) -> String {
        self.with("1", text)
    }

    /// A refusal or an error.
    pub fn bad(self, text: &str) -> String {
        self.with("31", text)
    }

    /// A detail.
    pub fn faint(self, text: &str) -> String {
        self.with("2", text)
    }

    fn with(self, code: &str, text: &str) -> String {
        if self.0 { format!("\x1b[{code}m{text}\x1b[0m") } else { text.into() }
    }
}
