//! Documents of the handshake.

use xml::{Element, Problem, quoted};

use super::{
    Guid, VERSION,
    address::is_address,
    begin, check_version,
    strict::{Parts, choice, int, one_of, text},
};

/// The role of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The Game Master.
    GameMaster,
    /// A player.
    Player,
    /// A player that leads its team.
    TeamLeader,
}

pub(super) const ROLES: [(&str, Role); 3] =
    [("GameMaster", Role::GameMaster), ("Player", Role::Player), ("TeamLeader", Role::TeamLeader)];

/// A document `Connection`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Connection {
    /// A client asks to join.
    Request {
        /// The hash of the client.
        hash: Guid,
        /// The address of the client, as `IPv4:port`.
        address: String,
        /// The role of the client.
        role: Role,
    },
    /// A client may join.
    Confirmation {
        /// The hash of the client.
        hash: String,
        /// The id of the client in the game.
        id: i32,
    },
    /// A client may not join.
    Refusal {
        /// The hash of the client.
        hash: String,
        /// The reason.
        description: String,
    },
}

impl Role {
    /// The name of the role in documents.
    pub fn as_str(self) -> &'static str {
        ROLES.iter().find(|(_, role)| *role == self).map_or("", |(word, _)| word)
    }
}

impl Connection {
    pub(super) fn from_element(root: &Element<'_>) -> Result<Self, Problem> {
        check_version(root)?;
        let kind = choice(root, &[VERSION], &["Request", "Confirmation", "Refusal"])?;
        let mut parts = Parts::new(kind, &[])?;
        let hash = parts.required("Hash")?;
        let connection = match kind.name {
            "Request" => {
                let hash_text = text(hash)?;
                let no_uuid =
                    || hash.problem(format!("<Hash> is {}, which is no UUID of version 4", quoted(hash_text)));
                let hash = Guid::parse(hash_text).ok_or_else(no_uuid)?;
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

    /// The document as text, without its end byte.
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
