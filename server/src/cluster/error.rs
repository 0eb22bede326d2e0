//! Errors of membership.

use std::{error::Error, fmt};

use crate::{cluster::Incarnation, log::StoreError};

/// Why a membership operation fails.
#[derive(Debug)]
pub enum MembershipError {
    /// This host has not registered, or it has left.
    NotRegistered,
    /// Another host declared this incarnation dead. The host must end its rooms, and can register again.
    Buried {
        /// The dead incarnation.
        incarnation: Incarnation,
    },
    /// A later process registered with the name of this host. Registering again would end that one in turn.
    Replaced {
        /// The name of both.
        name: String,
        /// The incarnation of the later one.
        by: Incarnation,
    },
    /// The store fails. The outcome is unknown, and the cause may pass.
    Store(StoreError),
}

impl fmt::Display for MembershipError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotRegistered => f.write_str("this host is not registered"),
            Self::Buried { incarnation } => write!(f, "incarnation {incarnation} of this host was declared dead"),
            Self::Replaced { name, by } => {
                write!(f, "another process took the name {name} of this host, with incarnation {by}")
            }
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl Error for MembershipError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Store(error) => Some(error),
            Self::NotRegistered | Self::Buried { .. } | Self::Replaced { .. } => None,
        }
    }
}

impl From<StoreError> for MembershipError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}
