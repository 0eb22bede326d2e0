//! Clients of a host over each of its wire forms.

use std::net::SocketAddr;

use commlib::{ClientConnection, ClientError, Form, FromClient, Hello, ToClient, Welcome};
use serde::{Serialize, de::DeserializeOwned};

use crate::websocket::WebSocketClient;

/// A wire form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wire {
    Binary,
    Json,
    WebSocket,
}

impl Wire {
    pub(crate) const ALL: [Self; 3] = [Self::Binary, Self::Json, Self::WebSocket];

    /// Tables take turns with all forms.
    pub(crate) fn of_table(table: usize) -> Self {
        Self::ALL[table % Self::ALL.len()]
    }
}

/// The addresses of a host.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Addresses {
    pub(crate) games: SocketAddr,
    pub(crate) http: SocketAddr,
}

/// A connection to a host.
pub(crate) enum Connection<C, E> {
    Tcp(ClientConnection<C, E>),
    Web(WebSocketClient<C, E>),
}

impl<C: Serialize, E: DeserializeOwned> Connection<C, E> {
    pub(crate) async fn connect(host: Addresses, wire: Wire) -> Result<Self, ClientError> {
        Ok(match wire {
            Wire::Binary => Self::Tcp(ClientConnection::connect(host.games, Form::Binary).await?),
            Wire::Json => Self::Tcp(ClientConnection::connect(host.games, Form::Json).await?),
            Wire::WebSocket => Self::Web(WebSocketClient::connect(host.http).await?),
        })
    }

    pub(crate) async fn hello(&mut self, hello: Hello) -> Result<Welcome, ClientError> {
        match self {
            Self::Tcp(connection) => connection.hello(hello).await,
            Self::Web(connection) => connection.hello(hello).await,
        }
    }

    pub(crate) async fn send(&mut self, command: &C) -> Result<(), ClientError> {
        match self {
            Self::Tcp(connection) => connection.send(command).await,
            Self::Web(connection) => connection.send_message(FromClient::Command(command)).await,
        }
    }

    pub(crate) async fn ping(&mut self, number: u64) -> Result<(), ClientError> {
        match self {
            Self::Tcp(connection) => connection.ping(number).await,
            Self::Web(connection) => connection.send_message(FromClient::Ping(number)).await,
        }
    }

    pub(crate) async fn next(&mut self) -> Result<Option<ToClient<E>>, ClientError> {
        match self {
            Self::Tcp(connection) => connection.next().await,
            Self::Web(connection) => connection.next().await,
        }
    }
}
