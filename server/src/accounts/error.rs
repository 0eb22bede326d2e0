//! Why something about an account is refused.

use std::{error::Error, fmt, sync::Arc};

use commlib::{Reason, Refused};

use crate::log::StoreError;

/// Why something about an account is refused.
#[derive(Clone, Debug)]
pub enum AccountError {
    /// This host has no accounts.
    Off,
    /// The name cannot be that of an account.
    BadName {
        /// Why.
        problem: &'static str,
    },
    /// An account has this name.
    NameTaken {
        /// The name.
        name: String,
    },
    /// No account has this name.
    NoAccount {
        /// The name.
        name: String,
    },
    /// The password is too short or too long.
    BadPassword {
        /// The fewest characters.
        fewest: usize,
        /// The most bytes.
        most: usize,
    },
    /// No account has this name and this password. The answer is the same for both, so that strangers do not learn which names exist.
    WrongPassword,
    /// There is no session or token with this secret.
    UnknownSecret,
    /// The operator has locked or banned the account.
    Locked {
        /// Whether it is banned.
        is_banned: bool,
    },
    /// The account has too many tokens.
    TooManyTokens {
        /// The most.
        most: usize,
    },
    /// Too many passwords are being checked.
    Busy,
    /// The text is no account and no address.
    NoTarget {
        /// The text.
        text: String,
    },
    /// There is no such document.
    Missing {
        /// What is missing.
        what: String,
    },
    /// The store beside the log does not answer, or another host changes the same again and again.
    Unavailable,
    /// The store beside the log failed.
    Store(Arc<StoreError>),
    /// The system gives no random numbers, or the password could not be hashed.
    Internal,
}

impl fmt::Display for AccountError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Off => f.write_str("This host has no accounts."),
            Self::BadName { problem } => write!(f, "This name cannot be that of an account: {problem}."),
            Self::NameTaken { name } => write!(f, "An account has the name {name} already."),
            Self::NoAccount { name } => write!(f, "No account has the name {name}."),
            Self::BadPassword { fewest, most } => {
                write!(f, "A password has at least {fewest} characters and at most {most} bytes.")
            }
            Self::WrongPassword => f.write_str("No account has this name and this password."),
            Self::UnknownSecret => f.write_str("You are not signed in, or your session or token is no longer valid."),
            Self::Locked { is_banned: true } => f.write_str("The operator has banned this account."),
            Self::Locked { is_banned: false } => f.write_str("The operator has locked this account."),
            Self::TooManyTokens { most } => write!(f, "An account has at most {most} tokens; revoke one first."),
            Self::Busy => f.write_str("Too many people sign in at the moment; try again."),
            Self::NoTarget { text } => write!(f, "{text:?} is neither an account nor an address or network."),
            Self::Missing { what } => write!(f, "There is no {what}."),
            Self::Unavailable => f.write_str("Accounts cannot be read or changed now; try again later."),
            Self::Store(error) => write!(f, "{error}"),
            Self::Internal => f.write_str("The password cannot be checked now."),
        }
    }
}

impl Error for AccountError {}

impl From<StoreError> for AccountError {
    fn from(error: StoreError) -> Self {
        Self::Store(Arc::new(error))
    }
}

impl From<AccountError> for Refused {
    fn from(error: AccountError) -> Self {
        let reason = match &error {
            AccountError::Off
            | AccountError::BadName { .. }
            | AccountError::BadPassword { .. }
            | AccountError::NoTarget { .. }
            | AccountError::NoAccount { .. }
            | AccountError::Missing { .. } => Reason::BadMessage,
            AccountError::NameTaken { .. } => Reason::NameTaken,
            AccountError::WrongPassword | AccountError::UnknownSecret => Reason::AccountRequired,
            AccountError::Locked { .. } => Reason::Denied,
            AccountError::TooManyTokens { .. } | AccountError::Busy => Reason::TooMany,
            AccountError::Unavailable | AccountError::Store(_) => {
                return Self::new(Reason::StoreUnavailable, AccountError::Unavailable.to_string());
            }
            AccountError::Internal => Reason::Internal,
        };
        Self::new(reason, error.to_string())
    }
}
