//! The options of `holdfast host` about people: accounts and chat.

use std::{
    error::Error,
    fmt, fs, io,
    path::{Path, PathBuf},
};

use server::{Moderation, accounts::AccountsMode};

/// The options about people.
#[derive(Debug, clap::Args)]
pub(crate) struct HostPeople {
    /// Whether people can have accounts: off; optional, then guests play, too; required to create games and to take a seat. Names of
    /// accounts are protected. Accounts need HTTP.
    #[arg(long, value_enum, default_value = "off")]
    accounts: AccountsOption,
    /// Open the ports of games with a protocol of their own even if accounts are required. Their players have no accounts, so everyone who
    /// reaches such a port plays.
    #[arg(long)]
    guest_ports: bool,
    /// Whether players and spectators can chat.
    #[arg(long, value_enum, default_value = "on")]
    chat: ChatOption,
    /// Refuse lines of chat with a word or phrase of this file, which has one on each line. Case does not matter.
    #[arg(long, value_name = "FILE")]
    chat_words: Option<PathBuf>,
}

/// The values of `--accounts`.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum AccountsOption {
    /// There are no accounts.
    Off,
    /// Guests play, too.
    Optional,
    /// Only people with accounts play.
    Required,
}

/// The values of `--chat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ChatOption {
    /// Everyone in a game can chat.
    On,
    /// There is no chat.
    Off,
}

/// The list of words cannot be read.
#[derive(Debug)]
pub(crate) struct WordListError {
    path: PathBuf,
    cause: io::Error,
}

impl fmt::Display for WordListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "--chat-words: cannot read {}: {}", self.path.display(), self.cause)
    }
}

impl Error for WordListError {}

/// An option asks for a port whose players have no accounts, and the host requires accounts.
#[derive(Debug)]
pub(crate) struct GuestPortError {
    option: &'static str,
}

impl fmt::Display for GuestPortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let option = self.option;
        write!(
            f,
            "{option} opens a port whose players have no accounts, and --accounts requires them; --guest-ports allows it"
        )
    }
}

impl Error for GuestPortError {}

impl HostPeople {
    /// Whether there are accounts.
    pub(crate) fn accounts(&self) -> AccountsMode {
        match self.accounts {
            AccountsOption::Off => AccountsMode::Off,
            AccountsOption::Optional => AccountsMode::Optional,
            AccountsOption::Required => AccountsMode::Required,
        }
    }

    /// Checks that a port may be opened whose players have no accounts.
    ///
    /// # Errors
    /// If accounts are required, and the operator has not allowed such ports.
    pub(crate) fn allow(&self, guest_port: Option<&'static str>) -> Result<(), GuestPortError> {
        match (guest_port, self.accounts()) {
            (Some(option), AccountsMode::Required) if !self.guest_ports => Err(GuestPortError { option }),
            (Some(_) | None, AccountsMode::Off | AccountsMode::Optional | AccountsMode::Required) => Ok(()),
        }
    }

    /// What may be written in chat.
    ///
    /// # Errors
    /// If the list of words cannot be read.
    pub(crate) fn moderation(&self) -> Result<Moderation, WordListError> {
        let read = |path: &Path| fs::read_to_string(path).map_err(|cause| WordListError { path: path.into(), cause });
        let text = self.chat_words.as_deref().map(read).transpose()?.unwrap_or_default();
        let mut moderation = Moderation::with_words(&text);
        moderation.is_off = self.chat == ChatOption::Off;
        Ok(moderation)
    }
}
