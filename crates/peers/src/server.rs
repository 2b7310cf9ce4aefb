//! A server socket with one thread per connection: bounded in number, and stopped when its owner is dropped.

use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tesuji_arena::InputError;

/// The most connections at once; more are closed immediately.
const MOST_CONNECTIONS: usize = 64;
/// The pause after a failed accept, which does not end the server.
const AFTER_TROUBLE: Duration = Duration::from_millis(50);

/// Opens a listening socket.
pub(crate) fn listen(host: &str, port: u16) -> Result<TcpListener, InputError> {
    TcpListener::bind((host, port)).map_err(|error| {
        InputError::new(format!("cannot listen on {host}:{port}: {error}"))
            .with_help("port 0 takes a free one; a host other than 127.0.0.1 opens the port to others")
    })
}

/// A server that runs until it is dropped.
pub(crate) struct Server {
    address: SocketAddr,
    stopping: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Serves connections with `serve`, each on its own thread.
    pub(crate) fn start(
        listener: TcpListener,
        serve: impl Fn(TcpStream) + Send + Sync + 'static,
    ) -> io::Result<Server> {
        let address = listener.local_addr()?;
        let stopping = Arc::new(AtomicBool::new(false));
        let asked = Arc::clone(&stopping);
        let serve = Arc::new(serve);
        let busy = Arc::new(AtomicUsize::new(0));
        let accept = move || {
            while let Ok((stream, _)) = accept(&listener, &asked) {
                if busy.fetch_add(1, Ordering::SeqCst) >= MOST_CONNECTIONS {
                    busy.fetch_sub(1, Ordering::SeqCst);
                    continue;
                }
                let (serve, busy) = (Arc::clone(&serve), Arc::clone(&busy));
                let labour = move || {
                    // A connection whose thread panics must still free its place.
                    let place = Place(busy);
                    serve(stream);
                    drop(place);
                };
                // Without a thread the connection is closed and its place freed.
                drop(thread::Builder::new().name("peer".to_owned()).spawn(labour));
            }
        };
        let thread = thread::Builder::new().name("listener".to_owned()).spawn(accept)?;
        Ok(Server { address, stopping, thread: Some(thread) })
    }

    /// The address it listens on.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }
}

struct Place(Arc<AtomicUsize>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// The next connection; an error when it is time to stop.
fn accept(listener: &TcpListener, stopping: &AtomicBool) -> io::Result<(TcpStream, SocketAddr)> {
    loop {
        let accepted = listener.accept();
        if stopping.load(Ordering::SeqCst) {
            return Err(io::Error::other("stopped"));
        }
        match accepted {
            Ok(accepted) => return Ok(accepted),
            Err(_) => thread::sleep(AFTER_TROUBLE),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stopping.store(true, Ordering::SeqCst);
        // A connection wakes the waiting listener.
        let woken = TcpStream::connect_timeout(&self.address, Duration::from_secs(1));
        if let (Ok(_), Some(thread)) = (woken, self.thread.take()) {
            drop(thread.join());
        }
    }
}
