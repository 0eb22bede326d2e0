//! The declaration at the beginning of a document: `<?xml version="1.0" encoding="utf-8" standalone="yes"?>`.

use std::fmt;

use crate::{
    error::quoted,
    tag::{Attributes, TagErrorKind, Written, is_name},
};

/// What is wrong with a declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeclarationError {
    /// It is not written as attributes are.
    Written(TagErrorKind),
    /// It does not begin with the version.
    NoVersion,
    /// The version is not 1.0 or another 1.x.
    Version(String),
    /// This attribute does not belong there, or not at that place.
    Attribute(String),
    /// Only UTF-8 is read.
    Encoding(String),
    /// The value of `standalone` is not `yes` or `no`.
    Standalone(String),
}

impl fmt::Display for DeclarationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Written(error) => write!(f, "<?xml?>: {error}"),
            Self::NoVersion => f.write_str("<?xml?> has to begin with the version"),
            Self::Version(version) => write!(f, "the version of XML is {version}; what works: 1.0"),
            Self::Attribute(name) => {
                write!(f, "<?xml?> has {name}; what works, in this order: version, encoding, standalone")
            }
            Self::Encoding(name) => write!(f, "the encoding is {name}, and only UTF-8 is read"),
            Self::Standalone(value) => write!(f, "standalone is {value}; what works: yes, no"),
        }
    }
}

impl std::error::Error for DeclarationError {}

/// Checks a declaration. `inside` is the text between `<?xml` and `?>`.
///
/// # Errors
/// The first mistake.
pub fn check_declaration(inside: &str) -> Result<(), DeclarationError> {
    let mut attributes = Attributes::of(inside);
    let mut next = || attributes.next().transpose().map_err(|error| DeclarationError::Written(error.kind));
    match next()? {
        Some(Written { name: "version", value, .. }) if is_version(value) => {}
        Some(Written { name: "version", value, .. }) => return Err(DeclarationError::Version(quoted(value))),
        Some(_) | None => return Err(DeclarationError::NoVersion),
    }
    let mut following = next()?;
    if let Some(Written { name: "encoding", value, .. }) = following {
        if !is_utf_8(value) {
            return Err(DeclarationError::Encoding(quoted(value)));
        }
        following = next()?;
    }
    if let Some(Written { name: "standalone", value, .. }) = following {
        if !matches!(value, "yes" | "no") {
            return Err(DeclarationError::Standalone(quoted(value)));
        }
        following = next()?;
    }
    match following {
        Some(excess) => Err(DeclarationError::Attribute(quoted(excess.name))),
        None => Ok(()),
    }
}

/// Whether a processing instruction may have this name: `xml` is only for the declaration, in any case.
pub fn is_instruction_name(name: &str) -> bool {
    is_name(name) && !name.eq_ignore_ascii_case("xml")
}

fn is_version(value: &str) -> bool {
    let minor = value.strip_prefix("1.");
    minor.is_some_and(|minor| !minor.is_empty() && minor.bytes().all(|byte| byte.is_ascii_digit()))
}

fn is_utf_8(encoding: &str) -> bool {
    ["utf-8", "us-ascii"].iter().any(|known| encoding.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::{check_declaration, is_instruction_name};

    #[track_caller]
    fn check(inside: &str, expected: &str) {
        let found = check_declaration(inside).map_or_else(|error| error.to_string(), |()| "fine".to_owned());
        assert_eq!(found, expected, "<?xml{inside}?>");
    }

    #[test]
    fn declarations() {
        let order = "what works, in this order: version, encoding, standalone";
        check(" version='1.0'", "fine");
        check(" version = \"1.1\"\n encoding='UTF-8' standalone=\"no\" ", "fine");
        check(" version='1.0' standalone='yes'", "fine");
        check("", "<?xml?> has to begin with the version");
        check(" encoding='utf-8'", "<?xml?> has to begin with the version");
        check(" encoding='utf-8' version='1.0'", "<?xml?> has to begin with the version");
        check(" version='2.0'", "the version of XML is \"2.0\"; what works: 1.0");
        check(" version='1.'", "the version of XML is \"1.\"; what works: 1.0");
        check(" version='1.0'encoding='utf-8'", "<?xml?>: a space is missing before an attribute");
        check(" version=1.0", "<?xml?>: the value of attribute version is not in quotes");
        check(" version", "<?xml?>: an attribute has no value");
        check(" version='1.0' encoding='koi8-r'", "the encoding is \"koi8-r\", and only UTF-8 is read");
        check(" version='1.0' standalone='maybe'", "standalone is \"maybe\"; what works: yes, no");
        check(" version='1.0' standalone='no' encoding='utf-8'", &format!("<?xml?> has \"encoding\"; {order}"));
        check(" version='1.0' version='1.0'", &format!("<?xml?> has \"version\"; {order}"));
        check(" version='1.0' language='de'", &format!("<?xml?> has \"language\"; {order}"));
    }

    #[test]
    fn instructions() {
        assert!(is_instruction_name("xml-stylesheet") && is_instruction_name("a:b"));
        for name in ["xml", "XML", "Xml", "", "1", "-x"] {
            assert!(!is_instruction_name(name), "{name}");
        }
    }
}
