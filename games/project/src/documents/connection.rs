//! Shaking hands.

use xml::{Element, Problem, quoted};

use super::{
    Guid, VERSION,
    address::is_address,
    begin, check_version,
    strict::{Parts, choice, int, one_of, text},
};

/// What somebody is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    GameMaster,
    Player,
    TeamLeader,
}

pub(super) const ROLES: [(&str, Role); 3] =
    [("GameMaster", Role::GameMaster), ("Player", Role::Player), ("TeamLeader", Role::TeamLeader)];

/// A document `Connection`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Connection {
    /// Somebody wants to take part. The address is `IPv4:port`.
    Request {
        hash: Guid,
        address: String,
        role: Role,
    },
    /// Somebody takes part, under this id.
    Confirmation {
        hash: String,
        id: i32,
    },
    Refusal {
        hash: String,
        description: String,
    },
}

impl Role {
    pub fn as_str(self) -> &'static str {
        ROLES.iter().find(|(_, role)| *role == self).map_or("", |(word, _)| word)
    }
}

impl Connection {
    pub(super) fn of(root: &Element<'_>) -> Result<Self, Problem> {
        check_version(root)?;
        let kind = choice(root, &[VERSION], &["Request", "Confirmation", "Refusal"])?;
        let mut parts = Parts::of(kind, &[])?;
        let hash = parts.required("Hash")?;
        let connection = match kind.name {
            "Request" => {
                let hash_text = text(hash)?;
                let not_one =
                    || hash.problem(format!("<Hash> is {}, which is no UUID of version 4", quoted(hash_text)));
                let hash = Guid::parse(hash_text).ok_or_else(not_one)?;
                let address = parts.required("SenderAddress")?;
                let address_text = text(address)?;
                if !is_address(address_text) {
                    let what = format!("<SenderAddress> is {}; what works: 192.168.0.1:2000", quoted(address_text));
                    return Err(address.problem(what));
                }
                Self::Request { hash, address: address_text.to_owned(), role: one_of(parts.required("Role")?, &ROLES)? }
            }
            "Confirmation" => Self::Confirmation { hash: text(hash)?.to_owned(), id: int(parts.required("Id")?)? },
            _ => {
                let description = text(parts.required("Description")?)?.to_owned();
                Self::Refusal { hash: text(hash)?.to_owned(), description }
            }
        };
        parts.end()?;
        Ok(connection)
    }

    pub fn write(&self) -> String {
        let mut writer = begin("Connection", 384);
        match self {
            Self::Request { hash, address, role } => {
                writer.open("Request").leaf("Hash", hash).leaf("SenderAddress", address);
                writer.leaf("Role", role.as_str()).close("Request");
            }
            Self::Confirmation { hash, id } => {
                writer.open("Confirmation").leaf("Hash", hash).leaf("Id", id).close("Confirmation");
            }
            Self::Refusal { hash, description } => {
                writer.open("Refusal").leaf("Hash", hash).leaf("Description", description).close("Refusal");
            }
        }
        writer.close("Connection");
        writer.finish()
    }
}
