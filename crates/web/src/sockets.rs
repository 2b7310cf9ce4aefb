//! WebSockets. A slow client gets the latest message and none in between; one that stops reading is disconnected.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::{Instant, sleep_until, timeout};

use crate::error::ApiError;
use crate::lab::{Lab, blocking};
use crate::room::Room;

/// The largest message from a client, in bytes. Clients have nothing to send.
const LARGEST_MESSAGE: usize = 4 << 10;
/// A client that does not accept a message for this long is disconnected.
const SEND_TIMEOUT: Duration = Duration::from_secs(20);
/// The time between pings, which detect dead connections.
const PING_INTERVAL: Duration = Duration::from_secs(25);
/// The least time between two views of one client.
const VIEW_PAUSE: Duration = Duration::from_millis(50);

/// One client.
pub(crate) struct Client {
    socket: WebSocket,
    closing: watch::Receiver<bool>,
    _permit: OwnedSemaphorePermit,
}

/// What woke a client's task.
pub(crate) enum Event {
    /// The client has gone, or the lab closes.
    End,
    /// A ping is due.
    PingDue,
}

/// Accepts a WebSocket, up to the limit of the lab.
pub(crate) fn accept<F: Future<Output = ()> + Send + 'static>(
    lab: &Arc<Lab>,
    upgrade: WebSocketUpgrade,
    serve: impl FnOnce(Client) -> F + Send + 'static,
) -> Response {
    let Ok(permit) = Arc::clone(&lab.sockets).try_acquire_owned() else {
        return ApiError::busy("the lab has reached its limit of WebSockets").into_response();
    };
    let closing = lab.closing();
    upgrade
        .max_message_size(LARGEST_MESSAGE)
        .max_frame_size(LARGEST_MESSAGE)
        .on_upgrade(move |socket| serve(Client { socket, closing, _permit: permit }))
}

impl Client {
    /// Sends a text; `false` if the client is gone or takes too long.
    pub(crate) async fn send(&mut self, text: &str) -> bool {
        matches!(timeout(SEND_TIMEOUT, self.socket.send(Message::text(text))).await, Ok(Ok(())))
    }

    /// Waits for the end of the connection or the next ping; ignores messages of the client.
    pub(crate) async fn listen(&mut self) -> Event {
        let pulse = Instant::now() + PING_INTERVAL;
        loop {
            tokio::select! {
                message = self.socket.recv() => match message {
                    None | Some(Err(_) | Ok(Message::Close(_))) => return Event::End,
                    Some(Ok(_)) => {}
                },
                _ = self.closing.changed() => return Event::End,
                () = sleep_until(pulse) => return Event::PingDue,
            }
        }
    }

    /// Answers an event; `false` if the client is done.
    pub(crate) async fn answer(&mut self, event: Event) -> bool {
        match event {
            Event::End => false,
            Event::PingDue => {
                matches!(timeout(SEND_TIMEOUT, self.socket.send(Message::Ping(Vec::new().into()))).await, Ok(Ok(())))
            }
        }
    }

    /// Closes the connection.
    pub(crate) async fn close(mut self) {
        let closed = timeout(SEND_TIMEOUT, self.socket.send(Message::Close(None))).await;
        drop(closed);
    }
}

/// Sends a client the views of a match.
pub(crate) async fn watch_match(mut client: Client, room: Arc<Room>) {
    let (mut changes, mut thoughts) = (room.changes(), room.thoughts());
    changes.mark_changed();
    thoughts.mark_unchanged();
    let mut searched = true;
    let mut next_view = Instant::now();
    loop {
        tokio::select! {
            biased;
            event = client.listen() => {
                if !client.answer(event).await {
                    break;
                }
            }
            changed = async { sleep_until(next_view).await; changes.changed().await } => {
                if changed.is_err() {
                    break;
                }
                changes.mark_unchanged();
                let shown = Arc::clone(&room);
                let made = blocking(move || Ok((shown.shown()?, shown.searching()))).await;
                let Ok((view, searching)) = made else {
                    client.send(r#"{"type":"gone"}"#).await;
                    break;
                };
                let message = format!(r#"{{"type":"view","view":{view}}}"#);
                if !client.send(&message).await {
                    return;
                }
                if searched && !searching && !client.send(r#"{"type":"idle"}"#).await {
                    return;
                }
                searched = searching;
                next_view = Instant::now() + VIEW_PAUSE;
            }
            changed = thoughts.changed() => {
                if changed.is_err() {
                    break;
                }
                let thought = thoughts.borrow_and_update().clone();
                if let Some(thought) = thought && !client.send(&thought).await {
                    return;
                }
            }
        }
    }
    client.close().await;
}

/// Sends a client the latest value of a channel, until `last` returns true.
pub(crate) async fn watch_latest<T: Clone + Send + Sync + 'static>(
    mut client: Client,
    mut updates: watch::Receiver<T>,
    name: &'static str,
    text: impl Fn(&T) -> serde_json::Value,
    last: impl Fn(&T) -> bool,
) {
    updates.mark_changed();
    let mut next_view = Instant::now();
    loop {
        tokio::select! {
            biased;
            event = client.listen() => {
                if !client.answer(event).await {
                    break;
                }
            }
            changed = async { sleep_until(next_view).await; updates.changed().await } => {
                if changed.is_err() {
                    break;
                }
                let latest = updates.borrow_and_update().clone();
                let mut message = json!({ "type": name });
                if let (Some(message), serde_json::Value::Object(more)) = (message.as_object_mut(), text(&latest)) {
                    message.extend(more);
                }
                if !client.send(&message.to_string()).await {
                    return;
                }
                if last(&latest) {
                    break;
                }
                next_view = Instant::now() + VIEW_PAUSE;
            }
        }
    }
    client.close().await;
}
