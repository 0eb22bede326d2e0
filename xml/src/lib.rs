//! Reads and writes XML documents. The reader limits the size, depth and number of everything that it reads.
//!
//! [`read`] returns a document as a tree of [`Element`]s, or an [`XmlError`] with the place of the mistake. [`Writer`] writes
//! documents. The games define the meaning of their documents.
//!
//! ```
//! use xml::{Limits, read};
//!
//! let limits = Limits { bytes: 1000, depth: 4, elements: 10, attributes: 2 };
//! let root = read(b"<move><x>3</x></move>", &limits)?;
//! assert_eq!(root.child("x")?.int()?, 3);
//!
//! let error = root.child("y").unwrap_err();
//! assert_eq!(error.to_string(), "line 1, column 1: <y> is missing in <move>");
//! # Ok::<(), xml::XmlError>(())
//! ```

mod declaration;
mod element;
mod encoding;
mod error;
mod reader;
pub mod tag;
mod writer;

pub use declaration::{DeclarationError, check_declaration, is_instruction_name};
pub use element::{Element, no_number, number, words};
pub use encoding::to_utf8;
/// The former name of [`XmlError`].
#[doc(hidden)]
pub use error::XmlError as Problem;
pub use error::{Place, XmlError, quoted, tagged};
pub use reader::{Limits, read};
pub use tag::Attribute;
pub use writer::Writer;
