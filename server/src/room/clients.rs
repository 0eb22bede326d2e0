//! The clients of a game and their tokens.

use commlib::Token;
use engine::CommId;

/// The clients of a game. The clients of a fork's parent are in the log, but have no token until a new client claims their
/// seat.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clients {
    tokens: Vec<(CommId, blake3::Hash)>,
    /// The highest client number.
    last: u32,
    /// The number of commands in the log for each client, by client number.
    commands: Vec<u64>,
    /// Clients whose token in the log is void.
    removed: Vec<CommId>,
}

impl Clients {
    /// Adds a client that is in the log, with or without a token.
    pub(crate) fn mention(&mut self, client: CommId) {
        self.last = self.last.max(client.0);
    }

    /// Counts a command of a client.
    pub(crate) fn said(&mut self, client: CommId) {
        self.mention(client);
        let at = client.0 as usize;
        if self.commands.len() <= at {
            self.commands.resize(at + 1, 0);
        }
        self.commands[at] += 1;
    }

    /// The number of commands of a client in the log.
    pub(crate) fn commands(&self, client: CommId) -> u64 {
        self.commands.get(client.0 as usize).copied().unwrap_or_default()
    }

    /// Adds a client and the hash of its token.
    pub(crate) fn add(&mut self, client: CommId, token: blake3::Hash) {
        self.mention(client);
        self.tokens.push((client, token));
    }

    /// The number for a new client.
    pub(crate) fn next(&self) -> CommId {
        CommId(self.last + 1)
    }

    /// The client with this token.
    pub(crate) fn of(&self, token: Token) -> Option<CommId> {
        let hash = blake3::hash(token.bytes());
        // blake3 compares hashes in constant time.
        self.tokens.iter().find(|(_, known)| *known == hash).map(|(client, _)| *client)
    }

    /// The first client with a token that is wanted.
    pub(crate) fn first(&self, wanted: impl Fn(CommId) -> bool) -> Option<CommId> {
        self.tokens.iter().map(|(client, _)| *client).filter(|client| wanted(*client)).min()
    }

    /// The hash of a client's token.
    pub(crate) fn token_hash(&self, client: CommId) -> Option<String> {
        self.tokens.iter().find(|(known, _)| *known == client).map(|(_, hash)| hash.to_hex().to_string())
    }

    /// Whether the token of the client in the log is void.
    pub(crate) fn is_removed(&self, client: CommId) -> bool {
        self.removed.contains(&client)
    }

    /// Makes a token void, and returns its client.
    pub(crate) fn void(&mut self, hash: &str) -> Option<CommId> {
        let hash = blake3::Hash::from_hex(hash).ok()?;
        let at = self.tokens.iter().position(|(_, known)| *known == hash)?;
        let client = self.tokens.remove(at).0;
        self.removed.push(client);
        Some(client)
    }

    /// Whether the client exists and has a token.
    pub(crate) fn is_taken(&self, client: CommId) -> bool {
        self.tokens.iter().any(|(known, _)| *known == client)
    }
}
