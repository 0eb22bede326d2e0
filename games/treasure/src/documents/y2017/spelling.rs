//! The spelling of names in a request. Its answer uses the same.
//!
//! - The root keeps the case of the request's root: `newplayerrequest` is answered with `newplayerresponse`.
//! - A field that is in the request, too, is spelt as there.
//! - Other names get the case of most fields of the request: as in the protocol (`FullMap`), with a small first letter (`fullMap`;
//!   but `ID` stays, as in Java's property names), all lower case, or all upper case.
//! - If the fields fit several cases equally well, as `ID` alone does, the case of the root decides.
//!
//! Only fields of requests have two names, like `SurName` and `SecondName`, so an answer never has to choose.

use std::borrow::Cow;

use xml::Element;

/// The spelling of the names in a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spelling {
    /// The name of the root. Empty if the request has no root.
    root: String,
    fields: Case,
    /// The fields of the request: the protocol's name, and the request's.
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

const CASES: [Case; 4] = [Case::Protocol, Case::SmallFirst, Case::Small, Case::Large];

const REQUEST: &str = "Request";
const RESPONSE: &str = "Response";

impl Spelling {
    /// The spelling of a request that may have these fields.
    pub(super) fn from_element(root: &Element<'_>, fields: &[&'static str]) -> Self {
        let known = |child: &Element<'_>| fields.iter().find(|name| child.name.eq_ignore_ascii_case(name)).copied();
        let written = root.children.iter().filter_map(|child| Some((known(child)?, child.name.to_owned())));
        let written: Vec<_> = written.collect();
        let fits = |case: &Case| written.iter().filter(|(name, written)| case.applied(name) == *written).count();
        let most = CASES.iter().map(fits).max();
        let mut best = CASES.into_iter().filter(|case| Some(fits(case)) == most);
        let fields = match (best.next(), best.next()) {
            (Some(only), None) => only,
            _ => Case::from_root(root.name),
        };
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
        // The answer belongs to another request, so only the case can be kept.
        Case::from_root(&self.root).applied(answer).into_owned()
    }

    pub(super) fn field<'n>(&'n self, name: &'n str) -> Cow<'n, str> {
        match self.written.iter().find(|(known, _)| *known == name) {
            Some((_, written)) => Cow::Borrowed(written),
            None => self.fields.applied(name),
        }
    }
}

impl Case {
    /// The case of a request's root. A request without a root gets the protocol's own case.
    fn from_root(root: &str) -> Self {
        let is_all = |is_it: fn(&char) -> bool| !root.is_empty() && root.chars().all(|c| is_it(&c));
        match root.chars().next() {
            _ if is_all(char::is_ascii_lowercase) => Self::Small,
            _ if is_all(char::is_ascii_uppercase) => Self::Large,
            Some(first) if first.is_ascii_lowercase() => Self::SmallFirst,
            Some(_) | None => Self::Protocol,
        }
    }

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
