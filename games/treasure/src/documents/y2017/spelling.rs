//! How the names of a request are written, and so those of its answer.
//!
//! - The root keeps the case of the request's: `newplayerrequest` is answered with `newplayerresponse`.
//! - A field that the request has is written as there.
//! - Other names get the case that most of the request's fields have: as in the protocol (`FullMap`), with a small first
//!   letter (`fullMap`; but `ID` as it is, which is how Java makes names of properties), or all small, or all large.
//!
//! Two names of the same field, like `SurName` and `SecondName`, are in requests only, so that no answer has to choose.

use std::borrow::Cow;

use xml::Element;

/// How the names of a request are written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spelling {
    /// The root as it is written, or nothing where there is none.
    root: String,
    fields: Case,
    /// Fields with the names that the protocol and the request have for them.
    written: Vec<(&'static str, String)>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Case {
    #[default]
    Protocol,
    SmallFirst,
    Small,
    Large,
}

/// Where several fit, the first is it.
const CASES: [Case; 4] = [Case::Protocol, Case::SmallFirst, Case::Small, Case::Large];

const REQUEST: &str = "Request";
const RESPONSE: &str = "Response";

impl Spelling {
    /// That of a request which may have these fields.
    pub(super) fn of(root: &Element<'_>, fields: &[&'static str]) -> Self {
        let known = |child: &Element<'_>| fields.iter().find(|name| child.name.eq_ignore_ascii_case(name)).copied();
        let written = root.children.iter().filter_map(|child| Some((known(child)?, child.name.to_owned())));
        let written: Vec<_> = written.collect();
        let fits = |case: Case| written.iter().filter(|(name, written)| case.applied(name) == *written).count();
        let most = CASES.into_iter().map(fits).max().unwrap_or(0);
        let fields = CASES.into_iter().find(|case| fits(*case) == most).unwrap_or_default();
        Self { root: root.name.to_owned(), fields, written }
    }

    /// The name of an answer's root, which ends with `Response`.
    pub(super) fn root(&self, answer: &str) -> String {
        let stem = answer.trim_end_matches(RESPONSE);
        let request = format!("{stem}{REQUEST}");
        if self.root.eq_ignore_ascii_case(&request) {
            let (stem, end) = self.root.split_at(stem.len());
            let case = CASES.into_iter().find(|case| case.applied(REQUEST) == end).unwrap_or_default();
            return format!("{stem}{}", case.applied(RESPONSE));
        }
        // Another answer than usual: there is no name to repeat, but a case.
        let is_all = |is_it: fn(&char) -> bool| !self.root.is_empty() && self.root.chars().all(|c| is_it(&c));
        let case = match self.root.chars().next() {
            _ if is_all(char::is_ascii_lowercase) => Case::Small,
            _ if is_all(char::is_ascii_uppercase) => Case::Large,
            Some(first) if first.is_ascii_lowercase() => Case::SmallFirst,
            Some(_) | None => Case::Protocol,
        };
        case.applied(answer).into_owned()
    }

    pub(super) fn field<'n>(&'n self, name: &'n str) -> Cow<'n, str> {
        match self.written.iter().find(|(known, _)| *known == name) {
            Some((_, written)) => Cow::Borrowed(written),
            None => self.fields.applied(name),
        }
    }
}

impl Case {
    /// A name of the protocol in this case.
    fn applied(self, name: &str) -> Cow<'_, str> {
        match self {
            Self::Protocol => Cow::Borrowed(name),
            Self::Small => Cow::Owned(name.to_ascii_lowercase()),
            Self::Large => Cow::Owned(name.to_ascii_uppercase()),
            Self::SmallFirst if name.chars().take(2).all(|letter| letter.is_ascii_uppercase()) => Cow::Borrowed(name),
            Self::SmallFirst => {
                let mut name = name.to_owned();
                name[..1].make_ascii_lowercase();
                Cow::Owned(name)
            }
        }
    }
}
