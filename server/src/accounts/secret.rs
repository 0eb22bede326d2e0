//! Sessions of browsers, and tokens for bots and the command line. Only hashes of them are stored.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{AccountError, AccountId};
use crate::{
    access::{hash_of, random_secret},
    world::World,
};

/// What a secret is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SecretKind {
    /// A browser that signed in. It is in a cookie, and ends after a while.
    Session,
    /// For bots and the command line. It stays until it is revoked.
    Token,
}

impl SecretKind {
    fn start(self) -> &'static str {
        match self {
            Self::Session => "hfs",
            Self::Token => "hfa",
        }
    }
}

/// A secret of an account: `hfa_ACCOUNT_RANDOM`. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Secret {
    pub(crate) account: AccountId,
    text: String,
}

/// What a store has of a secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredSecret {
    pub(crate) kind: SecretKind,
    /// What its owner calls it.
    #[serde(default)]
    pub(crate) label: String,
    pub(crate) created: i64,
    /// Milliseconds since 1970.
    #[serde(default)]
    pub(crate) expires: Option<i64>,
}

impl Secret {
    pub(crate) fn new(world: &dyn World, kind: SecretKind, account: &AccountId) -> Result<Self, AccountError> {
        let random = random_secret(world).map_err(|_| AccountError::Internal)?;
        Ok(Self { account: account.clone(), text: format!("{}_{account}_{random}", kind.start()) })
    }

    /// Reads a secret; `None` if the text cannot be one.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (start, rest) = text.split_once('_')?;
        let (account, random) = rest.split_once('_')?;
        let is_known = [SecretKind::Session, SecretKind::Token].iter().any(|kind| kind.start() == start);
        let is_hex = random.len() == 32 && random.bytes().all(|byte| byte.is_ascii_hexdigit());
        let account = AccountId::parse(account)?;
        (is_known && is_hex).then(|| Self { account, text: text.to_owned() })
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The name of the secret in lists, which tells nothing about it.
    pub(crate) fn id(&self) -> String {
        hash_of(self.text.as_bytes())[..16].to_owned()
    }

    /// The key of its document.
    pub(crate) fn key(&self) -> String {
        format!("{}/{}", self.account, hash_of(self.text.as_bytes()))
    }

    /// What a page sends with each change, so that no other page can make it. It is computed from the session.
    pub(crate) fn csrf(&self) -> String {
        blake3::derive_key("holdfast 2026-11 csrf token of a session", self.text.as_bytes())
            .iter()
            .take(16)
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Secret").field("account", &self.account).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::RealWorld;

    #[test]
    fn secrets() {
        let account = AccountId::parse("0123456789abcdef").expect("an id");
        let secret = Secret::new(&RealWorld, SecretKind::Token, &account).expect("a secret");
        assert_eq!(Secret::parse(secret.text()).as_ref(), Some(&secret));
        assert!(!format!("{secret:?}").contains(secret.text()));
        assert!(!secret.key().contains(&secret.text()[21..]) && !secret.csrf().contains(&secret.text()[21..]));
        let random = "0".repeat(32);
        for bad in [
            "",
            "hfa",
            "hfa_0123456789abcdef",
            &format!("hfx_0123456789abcdef_{random}"),
            &format!("hfa_0123456789abcde_{random}"),
            &format!("hfa_0123456789abcde/_{random}"),
            &format!("hfa_0123456789abcdef_{random}0"),
            &format!("hfa_0123456789abcdef_{}", "g".repeat(32)),
        ] {
            assert_eq!(Secret::parse(bad), None, "{bad}");
        }
    }
}
