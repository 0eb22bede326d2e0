//! The accounts of clients of this host's games.

use std::time::Duration;

use commlib::Refused;
use engine::CommId;
use tokio::{sync::oneshot, time::timeout};

use super::Host;
use crate::{
    accounts::{AccountError, AccountId, OpenSeats},
    room::ToRoom,
};

/// How long a room may take to say whose turn it is.
const TURN: Duration = Duration::from_millis(500);

impl Host {
    /// The accounts of the clients of a game.
    pub(crate) async fn account_seats(&self, game: &str) -> Result<OpenSeats, Refused> {
        let accounts = &self.services.accounts;
        if !accounts.are_on() {
            return Ok(OpenSeats::default());
        }
        Ok(accounts.store.open_seats(game).await?)
    }

    /// Stores the account of a client that has joined. Without one, checks that the account of a client that has resumed is not locked.
    pub(crate) async fn is_account_of(
        &self,
        game: &str,
        client: CommId,
        account: Option<AccountId>,
    ) -> Result<(), Refused> {
        let accounts = &self.services.accounts;
        if !accounts.are_on() {
            return Ok(());
        }
        if let Some(account) = account {
            let rulebook = self.games().get(game).map_or("", |game| game.rulebook);
            accounts.store.take_seat(game, rulebook, client.0, &account).await?;
            return Ok(());
        }
        let seats = accounts.store.open_seats(game).await?;
        let Some(owner) = seats.clients.get(&client.0) else { return Ok(()) };
        if let Some(account) = accounts.store.account(owner).await? {
            account.check()?;
        }
        Ok(())
    }

    /// The client whose turn it is in a game of this host, if it is that of one.
    pub(crate) async fn turn(&self, game: &str) -> Option<CommId> {
        let room = self.room(game)?;
        let asking = async {
            let (answer, turn) = oneshot::channel();
            room.inbox.send(ToRoom::Turn { answer }).await.ok()?;
            turn.await.ok().flatten()
        };
        timeout(TURN, asking).await.ok().flatten()
    }

    /// Deletes a line of chat: in the store, and for clients of this host that come later.
    pub(crate) async fn delete_line(&self, game: &str, number: u64) -> Result<(), AccountError> {
        self.services.accounts.store.delete_line(game, number).await?;
        if let Some(room) = self.room(game) {
            let _room_is_gone = room.inbox.send(ToRoom::DeleteLine { number }).await;
        }
        Ok(())
    }
}
