//! The cluster port of a simulated host: connections on which other hosts pass clients on to it.

use std::sync::{Arc, Mutex};

use server::{ClusterLinks, Host, sync::lock};
use tokio::{
    sync::{mpsc, watch},
    task::JoinHandle,
};

use crate::{
    link::Control,
    network::{ArrivedLink, cluster_address},
};

/// The connections that a host has accepted from others. Its end cuts them, and no other is accepted.
#[derive(Debug)]
pub(crate) struct HostLinks {
    accepting: JoinHandle<()>,
    accepted: Arc<Mutex<Vec<Accepted>>>,
}

#[derive(Debug)]
struct Accepted {
    control: Control,
    /// One for each connection, so that they hear of the stop in the order in which they came.
    stop: watch::Sender<bool>,
}

impl HostLinks {
    /// Serves what arrives.
    pub(crate) fn serve(host: Arc<Host>, mut arrivals: mpsc::UnboundedReceiver<ArrivedLink>) -> Self {
        let accepted: Arc<Mutex<Vec<Accepted>>> = Arc::default();
        let kept = accepted.clone();
        let accepting = tokio::spawn(async move {
            // Each connection has a stop of its own.
            let links = ClusterLinks::new(host, watch::channel(false).1);
            while let Some((stream, control)) = arrivals.recv().await {
                let (stop, stopped) = watch::channel(false);
                {
                    let mut kept = lock(&kept);
                    kept.retain(|accepted| accepted.control.is_open());
                    kept.push(Accepted { control, stop });
                }
                let links = links.stopped_by(stopped);
                tokio::spawn(async move { links.serve_stream(cluster_address(0), stream).await });
            }
        });
        Self { accepting, accepted }
    }

    /// Tells all connections that the host stops.
    pub(crate) fn stop(&self) {
        for accepted in &*lock(&self.accepted) {
            accepted.stop.send_replace(true);
        }
    }
}

impl Drop for HostLinks {
    fn drop(&mut self) {
        self.accepting.abort();
        lock(&self.accepted).iter().for_each(|accepted| accepted.control.cut());
    }
}
