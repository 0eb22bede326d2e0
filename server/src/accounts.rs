//! Accounts of people, beside the log: who they are, their secrets, their games and standings, and who is banned.
//!
//! [`AccountStore`] reads and changes the documents of a [`HostStore`](crate::host_store::HostStore); the command line uses it, too.
//! `Accounts` is what a host adds: passwords, and what it keeps in memory so that no game waits for the store.

mod bans;
mod directory;
mod error;
mod name;
mod password;
mod played;
mod rating;
mod reports;
mod secret;
mod service;
mod standing;
mod store;

pub use bans::{Ban, BanTarget};
pub use error::AccountError;
pub use name::AccountName;
pub use played::PlayedGame;
pub use reports::Report;
pub use standing::Standing;
pub use store::{Account, AccountId, AccountState, AccountStore};

pub(crate) use name::folded;
pub(crate) use password::Passwords;
pub(crate) use played::OpenSeats;
pub(crate) use reports::CONTEXT;
pub(crate) use secret::{Secret, SecretKind, StoredSecret};
pub(crate) use service::{Accounts, SignedIn, account_required};
pub(crate) use store::DELETED_LINE;

/// Whether people can have accounts, and whether they need one to play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AccountsMode {
    /// There are no accounts.
    #[default]
    Off,
    /// People with and without accounts play. Names of accounts are protected.
    Optional,
    /// Only people with accounts create games and take seats.
    Required,
}
