//! Who may come into a game. This is kept beside the log, never in it.

use commlib::{Admission, Reason, Refused, Token};
use engine::CommId;
use serde::{Deserialize, Serialize};

use crate::world::World;

/// The number of random bytes in an invitation.
const SECRET_BYTES: usize = 16;

/// Between the name of a game and the secret of an invitation.
const SEPARATOR: char = '.';

/// The maximum number of invitations of a game.
const MOST_INVITATIONS: usize = 100;

/// The longest name that a seat can be reserved for.
const LONGEST_NAME: usize = 100;

/// Who asks to change something.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Manager {
    /// May do everything at any time.
    Operator,
    /// May do everything before the game has begun, if the secret is that of the creator.
    Creator(Token),
    /// May do the same, if this client has created the game over the wire; `None` is a spectator.
    Client(Option<CommId>),
}

/// Who may come into a game, and who was sent away.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct GameAccess {
    pub(crate) admission: Admission,
    /// Whether no new client may join. Watching is as before.
    pub(crate) closed: bool,
    /// The hash of the creator's secret, if it is not the token of the first client.
    pub(crate) creator: Option<String>,
    pub(crate) invitations: Vec<Invitation>,
    /// The accounts that seats are reserved for. They need no invitation.
    pub(crate) accounts: Vec<ReservedAccount>,
    /// The hashes of tokens that are void.
    pub(crate) removed: Vec<String>,
    /// The seats of removed clients that other clients have claimed: the number of a seat, and the hash of the new token. The log
    /// keeps the first token of a client.
    pub(crate) claims: Vec<(u16, String)>,
}

/// A secret that lets clients in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Invitation {
    hash: String,
    /// The name that a seat is reserved for. Only a client with this invitation may play under it.
    pub(crate) name: Option<String>,
}

/// An account that a seat is reserved for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ReservedAccount {
    pub(crate) id: String,
    /// Its name, for people.
    pub(crate) name: String,
}

impl GameAccess {
    /// Whether lists leave the game out.
    pub(crate) fn is_hidden(&self) -> bool {
        match self.admission {
            Admission::Open => false,
            Admission::Unlisted | Admission::Invited => true,
        }
    }

    /// The invitation with this secret.
    pub(crate) fn invitation(&self, secret: Option<&str>) -> Option<&Invitation> {
        let hash = hash_of(secret?.as_bytes());
        self.invitations.iter().find(|invitation| is_same(&invitation.hash, &hash))
    }

    /// Checks that a client may watch.
    ///
    /// # Errors
    /// As for a game that does not exist: a stranger does not learn which games there are.
    pub(crate) fn may_watch(&self, game: &str, secret: Option<&str>, account: Option<&str>) -> Result<(), Refused> {
        let is_free = match self.admission {
            Admission::Open | Admission::Unlisted => true,
            Admission::Invited => self.invitation(secret).is_some() || self.is_for(account),
        };
        if is_free { Ok(()) } else { Err(no_game(game)) }
    }

    /// Checks that a new client may join.
    ///
    /// # Errors
    /// If it may not even watch, or registration is closed.
    pub(crate) fn may_join(&self, game: &str, secret: Option<&str>, account: Option<&str>) -> Result<(), Refused> {
        self.may_watch(game, secret, account)?;
        if self.closed {
            return Err(Refused::new(Reason::Full, "Registration is closed; you can watch."));
        }
        Ok(())
    }

    /// Whether a seat is reserved for an account.
    pub(crate) fn is_for(&self, account: Option<&str>) -> bool {
        account.is_some_and(|account| self.accounts.iter().any(|reserved| reserved.id == account))
    }

    /// Reserves a seat for an account.
    ///
    /// # Errors
    /// If there are too many.
    pub(crate) fn invite_account(&mut self, id: String, name: String) -> Result<(), Refused> {
        if self.accounts.len() >= MOST_INVITATIONS {
            let words = format!("A game has seats for at most {MOST_INVITATIONS} accounts.");
            return Err(Refused::new(Reason::TooMany, words));
        }
        if !self.is_for(Some(&id)) {
            self.accounts.push(ReservedAccount { id, name });
        }
        Ok(())
    }

    /// Adds an invitation, and returns its code: the name of the game with a secret.
    ///
    /// # Errors
    /// If there are too many, or the name is not valid.
    pub(crate) fn invite(&mut self, world: &dyn World, game: &str, name: Option<String>) -> Result<String, Refused> {
        if self.invitations.len() >= MOST_INVITATIONS {
            let words = format!("A game has at most {MOST_INVITATIONS} invitations.");
            return Err(Refused::new(Reason::TooMany, words));
        }
        if name.as_ref().is_some_and(|name| name.is_empty() || name.chars().count() > LONGEST_NAME) {
            return Err(Refused::new(Reason::BadMessage, format!("A name has 1 to {LONGEST_NAME} characters.")));
        }
        let secret = random_secret(world)?;
        self.invitations.push(Invitation { hash: hash_of(secret.as_bytes()), name });
        Ok(format!("{game}{SEPARATOR}{secret}"))
    }

    /// The names of reserved seats.
    pub(crate) fn reserved(&self) -> impl Iterator<Item = &str> {
        self.invitations.iter().filter_map(|invitation| invitation.name.as_deref())
    }
}

/// A secret of letters and digits.
pub(crate) fn random_secret(world: &dyn World) -> Result<String, Refused> {
    let bytes: [u8; SECRET_BYTES] = world.random_bytes()?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The hash of a secret, as it is stored.
pub(crate) fn hash_of(secret: &[u8]) -> String {
    blake3::hash(secret).to_hex().to_string()
}

/// Compares stored hashes in constant time.
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    match (blake3::Hash::from_hex(one), blake3::Hash::from_hex(other)) {
        (Ok(one), Ok(other)) => one == other,
        (Ok(_) | Err(_), _) => false,
    }
}

/// The name of a game, and the secret of an invitation if it is the code of one.
pub(crate) fn split_code(code: &str) -> (&str, Option<&str>) {
    let is_secret = |text: &str| text.len() == 2 * SECRET_BYTES && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    match code.rsplit_once(SEPARATOR) {
        Some((name, secret)) if is_secret(secret) => (name, Some(secret)),
        Some(_) | None => (code, None),
    }
}

/// The code of an invitation.
pub(crate) fn code(game: &str, secret: Option<&str>) -> String {
    secret.map_or_else(|| game.to_owned(), |secret| format!("{game}{SEPARATOR}{secret}"))
}

fn no_game(game: &str) -> Refused {
    Refused::new(Reason::UnknownGame, format!("There is no game {game} that you may see without an invitation."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::RealWorld;

    #[test]
    fn codes() {
        let secret = "0123456789abcdef0123456789abcdef";
        assert_eq!(split_code(&format!("tea.{secret}")), ("tea", Some(secret)));
        for plain in ["tea", "tea.", "tea.2", "tea.0123456789abcdef0123456789abcdeg", ""] {
            assert_eq!(split_code(plain), (plain, None));
        }
        assert_eq!(code("tea", Some(secret)), format!("tea.{secret}"));
    }

    #[test]
    fn who_may_come_in() {
        let mut access = GameAccess::default();
        let code = access.invite(&RealWorld, "tea", Some("Ana".into())).expect("a code");
        let (_, secret) = split_code(&code);
        assert_eq!(access.invitation(secret).and_then(|invitation| invitation.name.as_deref()), Some("Ana"));
        assert_eq!(access.invitation(Some("0123456789abcdef0123456789abcdef")), None);
        let wrong = Some("0123456789abcdef0123456789abcdef");
        for (admission, closed, given, watch, join) in [
            (Admission::Open, false, None, true, true),
            (Admission::Open, true, None, true, false),
            (Admission::Unlisted, false, None, true, true),
            (Admission::Invited, false, None, false, false),
            (Admission::Invited, false, wrong, false, false),
            (Admission::Invited, false, secret, true, true),
            (Admission::Invited, true, secret, true, false),
        ] {
            let access = GameAccess { admission, closed, ..access.clone() };
            let got = (access.may_watch("tea", given, None).is_ok(), access.may_join("tea", given, None).is_ok());
            assert_eq!(got, (watch, join), "{admission:?} {closed} {given:?}");
        }
        access.invite_account("id".into(), "Bo".into()).expect("a seat");
        let invited = GameAccess { admission: Admission::Invited, ..access.clone() };
        assert!(invited.may_join("tea", None, Some("id")).is_ok(), "an account needs no code");
        assert!(invited.may_watch("tea", None, Some("other")).is_err());
        let stored = serde_json::to_string(&access).expect("JSON");
        assert!(!stored.contains(secret.expect("a secret")), "only hashes are stored");
        assert_eq!(serde_json::from_str::<GameAccess>(&stored).expect("the same"), access);
    }
}
