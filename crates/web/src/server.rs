//! The HTTP server: accepts connections within limits and closes those that send nothing.
//!
//! Limits hold before a request is authenticated: a number of connections in all and for each address, and a time in
//! which a connection must send the header of its next request. The body has a time of its own (`extract`).

use std::collections::HashMap;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::limits::Limits;

/// The pause after the system refuses to accept a connection: it is out of files or memory.
const PAUSE_AFTER_ERROR: Duration = Duration::from_millis(200);

/// Serves until `stopped` becomes true, then until all open requests are answered.
pub(crate) async fn serve(listener: TcpListener, router: Router, limits: &Limits, mut stopped: watch::Receiver<bool>) {
    let all = Arc::new(Semaphore::new(limits.connections));
    let addresses = Addresses::new(limits.connections_per_address);
    let header_time = Duration::from_secs(limits.header_seconds);
    let mut connections = JoinSet::new();
    loop {
        // The semaphore is never closed, so waiting for a permit cannot fail.
        let accepted = async {
            let permit = Arc::clone(&all).acquire_owned().await.ok();
            (permit, listener.accept().await)
        };
        let (permit, accepted) = tokio::select! {
            accepted = accepted => accepted,
            _ = stopped.wait_for(|stopped| *stopped) => break,
        };
        let Ok((stream, peer)) = accepted else {
            sleep(PAUSE_AFTER_ERROR).await;
            continue;
        };
        // A connection beyond the limit of its address is closed at once.
        if let Some(counted) = addresses.enter(peer.ip()) {
            let (router, stopped) = (router.clone(), stopped.clone());
            connections.spawn(async move {
                answer(stream, router, header_time, stopped).await;
                drop((permit, counted));
            });
        }
        while connections.try_join_next().is_some() {}
    }
    drop(listener);
    while connections.join_next().await.is_some() {}
}

/// Answers the requests of one connection.
async fn answer(stream: TcpStream, router: Router, header_time: Duration, mut stopped: watch::Receiver<bool>) {
    // Answers are small and awaited. A stream that refuses the option is only slower.
    drop(stream.set_nodelay(true));
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(header_time)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
        .with_upgrades();
    let mut served = pin!(served);
    // An error of a connection concerns its client only.
    let ended = tokio::select! {
        ended = served.as_mut() => Some(ended),
        _ = stopped.wait_for(|stopped| *stopped) => None,
    };
    if ended.is_none() {
        served.as_mut().graceful_shutdown();
        drop(served.await);
    }
}

/// The number of open connections of each address.
#[derive(Clone)]
struct Addresses {
    open: Arc<Mutex<HashMap<IpAddr, usize>>>,
    most: usize,
}

impl Addresses {
    fn new(most: usize) -> Addresses {
        Addresses { open: Arc::default(), most }
    }

    /// Counts a connection; `None` if its address has as many as it may.
    fn enter(&self, address: IpAddr) -> Option<CountedConnection> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(address).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(CountedConnection { addresses: self.clone(), address })
    }
}

/// A counted connection.
struct CountedConnection {
    addresses: Addresses,
    address: IpAddr,
}

impl Drop for CountedConnection {
    fn drop(&mut self) {
        let mut open = self.addresses.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    #[test]
    fn each_address_has_a_number_of_connections_of_its_own() {
        let addresses = Addresses::new(2);
        let (one, two) = (IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1)), IpAddr::V4(Ipv4Addr::new(10, 0, 0, 2)));
        let first = addresses.enter(one);
        let second = addresses.enter(one);
        assert!(first.is_some() && second.is_some() && addresses.enter(one).is_none());
        assert!(addresses.enter(two).is_some());
        drop(first);
        assert!(addresses.enter(one).is_some());
        drop(second);
        assert!(addresses.open.lock().unwrap().is_empty());
    }
}
