//! How a socket ends: with a code that says why, and with time for the other side to say goodbye.

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use std::time::Duration;
use tokio::time::timeout;
use tungstenite::Error;

/// For the last frame to leave, and for the answer to it.
const PATIENCE: Duration = Duration::from_secs(1);

pub const LOGGED_OUT: CloseFrame = frame(close_code::POLICY, "logged out");
pub const STOPPING: CloseFrame = frame(close_code::AWAY, "the server stops");

const fn frame(code: u16, reason: &'static str) -> CloseFrame {
    let reason = Utf8Bytes::from_static(reason);
    CloseFrame { code, reason }
}

/// What came is no frame of a WebSocket, or one that is not read. None: there is nobody to tell.
pub fn of_error(error: axum::Error) -> Option<CloseFrame> {
    match *error.into_inner().downcast::<Error>().ok()? {
        Error::Capacity(_) => Some(frame(close_code::SIZE, "too large to be read")),
        Error::Utf8(_) => Some(frame(close_code::INVALID, "text that is not UTF-8")),
        Error::Protocol(_) => Some(frame(close_code::PROTOCOL, "not a frame of a WebSocket")),
        _ => None,
    }
}

pub async fn say(socket: &mut WebSocket, farewell: CloseFrame) {
    let said = timeout(PATIENCE, socket.send(Message::Close(Some(farewell)))).await;
    if matches!(said, Ok(Ok(()))) {
        wait_for_the_end(socket).await;
    }
}

/// Reading on sends the answer to a farewell, and hears the one to ours.
pub async fn wait_for_the_end(socket: &mut WebSocket) {
    let end = async { while let Some(Ok(_)) = socket.recv().await {} };
    let _ = timeout(PATIENCE, end).await;
}
