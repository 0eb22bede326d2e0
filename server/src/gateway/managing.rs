//! A client changes who may come into its game.

use std::{pin::Pin, sync::Arc};

use commlib::{AccessChange, Dialect, ToClient};
use engine::CommId;

use crate::{access::Manager, host::Host, stream::Subscriber};

/// A change that the host makes, and the answer to the client.
pub(super) type Managing = Pin<Box<dyn Future<Output = ToClient<()>> + Send>>;

/// The place of a connection in a room of this host.
pub(super) struct Place {
    game: String,
    /// `None` for a spectator.
    client: Option<CommId>,
}

impl Place {
    pub(super) fn new(game: &str, subscriber: Subscriber) -> Self {
        let client = match subscriber {
            Subscriber::Client { client, .. } => Some(client),
            Subscriber::Watcher => None,
        };
        Self { game: game.to_owned(), client }
    }

    /// Makes a change. If it ends the game, the end comes instead of the answer.
    pub(super) fn manage(&self, host: &Arc<Host>, dialect: Dialect, change: AccessChange) -> Managing {
        let (host, game, by) = (host.clone(), self.game.clone(), Manager::Client(self.client));
        Box::pin(async move {
            match host.manage(&game, by, change).await {
                Ok(managed) => ToClient::Managed(managed.into_answer()),
                Err(refused) => ToClient::Refused(refused.in_dialect(dialect)),
            }
        })
    }
}

/// The answer, when the change is made. Cancel-safe.
pub(super) async fn answered(managing: &mut Option<Managing>) -> ToClient<()> {
    match managing {
        Some(managing) => managing.await,
        None => std::future::pending().await,
    }
}
