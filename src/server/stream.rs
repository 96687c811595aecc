//! The WebSocket: hub → browser, browser → hub. A slow client holds up nobody: it falls behind, and then gets a new
//! snapshot instead of what it missed.

mod farewell;

use super::auth::{Auth, Viewer};
use super::hub::{Frame, Hub, Topic, Visitor};
use super::router::Shared;
use crate::model::{ClientId, ClientMessage, Code, Refusal, ServerMessage, SessionId};
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Extension, State};
use axum::response::Response;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, broadcast::error::RecvError, mpsc, watch};
use tokio::time::{Instant, Interval, interval, timeout};

/// How often an idle connection is tried.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// Nothing heard for this long: the client is gone.
const SILENCE: Duration = Duration::from_secs(45);
/// A client that does not take a frame for this long is let go; it comes back when it can.
const STUCK: Duration = Duration::from_secs(20);
/// Small, for many connections: most frames from a client are an answer of a few hundred bytes.
const READ_BUFFER: usize = 4 * 1024;
/// A frame beyond the limit is refused in words; one so many times larger is not even read, and ends the socket.
const MUCH_TOO_LARGE: usize = 8;

/// The places for sockets, and the end of all of them.
#[derive(Clone)]
pub struct Sockets {
    places: Arc<Semaphore>,
    is_over: watch::Sender<bool>,
}

impl Sockets {
    pub fn new(limit: usize) -> Self {
        Self {
            places: Arc::new(Semaphore::new(limit.min(Semaphore::MAX_PERMITS))),
            is_over: watch::Sender::new(false),
        }
    }

    /// Each is told what was on its way, and that the server stops.
    pub fn close_all(&self) {
        self.is_over.send_replace(true);
    }
}

pub async fn open(
    upgrade: WebSocketUpgrade,
    State(shared): State<Shared>,
    Extension(auth): Extension<Arc<Auth>>,
    Extension(viewer): Extension<Viewer>,
) -> Response {
    let Ok(place) = shared.sockets.places.clone().try_acquire_owned() else {
        return super::auth::refused(&Refusal::new(
            Code::TooMany,
            "Too many connections are open. Close some tabs, or raise limits.sockets.",
        ));
    };
    let limit = shared.hub.settings().limits.message_bytes.saturating_mul(2);
    let most = limit.saturating_mul(MUCH_TOO_LARGE);
    upgrade
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(0)
        .max_message_size(most)
        .max_frame_size(most)
        .on_upgrade(async move |socket| {
            let ended = async { auth.until_ended(viewer).await };
            let mut is_over = shared.sockets.is_over.subscribe();
            let over = async { drop(is_over.wait_for(|is_over| *is_over).await) };
            let visitor = shared.hub.arrive(ClientId::random());
            Connection::new(socket, shared.hub, visitor, limit, place)
                .run(ended, over)
                .await;
        })
}

struct Connection {
    socket: WebSocket,
    hub: Hub,
    /// Gone with the connection.
    visitor: Visitor,
    /// The sessions that are watched, and up to which frame each was told when it was caught up with.
    watched: HashMap<SessionId, u64>,
    /// Bytes that a frame may have.
    limit: usize,
    last_heard: Instant,
    heartbeat: Interval,
    _place: OwnedSemaphorePermit,
}

/// The connection cannot go on.
struct Gone;

impl Connection {
    fn new(
        socket: WebSocket,
        hub: Hub,
        visitor: Visitor,
        limit: usize,
        place: OwnedSemaphorePermit,
    ) -> Self {
        Self {
            socket,
            visitor,
            hub,
            watched: HashMap::new(),
            limit,
            last_heard: Instant::now(),
            heartbeat: interval(HEARTBEAT),
            _place: place,
        }
    }

    async fn run(mut self, login_ended: impl Future<Output = ()>, over: impl Future<Output = ()>) {
        tokio::pin!(login_ended, over);
        // answers are stored before they are accepted; meanwhile frames go on
        let (refusals, mut refused) = mpsc::unbounded_channel::<ServerMessage>();
        let mut subscription = self.hub.subscribe();
        if self.send(&subscription.snapshot).await.is_err() {
            return;
        }
        loop {
            let result = tokio::select! {
                frame = subscription.frames.recv() => match frame {
                    Ok(frame) => self.forward(&frame).await,
                    Err(RecvError::Lagged(_)) => {
                        subscription = self.hub.subscribe();
                        self.resync(&subscription.snapshot).await
                    }
                    Err(RecvError::Closed) => Err(Gone),
                },
                Some(refusal) = refused.recv() => self.send(&refusal).await,
                message = self.socket.recv() => {
                    self.last_heard = Instant::now();
                    match message {
                        Some(Ok(Message::Text(text))) if text.len() > self.limit => self.send(&ServerMessage::Error {
                            code: Code::TooLarge,
                            message: format!("The frame has {} bytes; at most {} are taken.", text.len(), self.limit),
                            request_id: None,
                        }).await,
                        Some(Ok(Message::Text(text))) => self.take(&text, &refusals).await,
                        Some(Ok(Message::Binary(_))) => self.send(&ServerMessage::Error {
                            code: Code::InvalidMessage,
                            message: "Frames are text, not bytes.".to_owned(),
                            request_id: None,
                        }).await,
                        Some(Ok(Message::Ping(_) | Message::Pong(_))) => Ok(()),
                        Some(Ok(Message::Close(_))) => {
                            farewell::wait_for_the_end(&mut self.socket).await;
                            Err(Gone)
                        }
                        Some(Err(error)) => {
                            if let Some(words) = farewell::of_error(error) {
                                farewell::say(&mut self.socket, words).await;
                            }
                            Err(Gone)
                        }
                        None => Err(Gone),
                    }
                }
                _ = self.heartbeat.tick() => match self.last_heard.elapsed() > SILENCE {
                    true => Err(Gone),
                    false => self.send_frame(Message::Ping(Default::default())).await,
                },
                () = &mut login_ended => {
                    farewell::say(&mut self.socket, farewell::LOGGED_OUT).await;
                    Err(Gone)
                }
                () = &mut over => {
                    while let Ok(frame) = subscription.frames.try_recv()
                        && self.forward(&frame).await.is_ok() {}
                    farewell::say(&mut self.socket, farewell::STOPPING).await;
                    Err(Gone)
                }
            };
            if result.is_err() {
                return;
            }
        }
    }

    async fn forward(&mut self, frame: &Frame) -> Result<(), Gone> {
        let wanted = match frame.topic {
            Topic::Everyone => true,
            Topic::Session(session_id) => {
                let told = self.watched.get(&session_id);
                told.is_some_and(|told| *told < frame.number)
            }
        };
        match wanted {
            true => {
                self.send_frame(Message::Text(frame.text.as_str().into()))
                    .await
            }
            false => Ok(()),
        }
    }

    /// After a gap: everything anew.
    async fn resync(&mut self, snapshot: &ServerMessage) -> Result<(), Gone> {
        self.send(snapshot).await?;
        for session_id in self.watched.keys().copied().collect::<Vec<_>>() {
            self.catch_up(session_id, None).await?;
        }
        Ok(())
    }

    async fn catch_up(&mut self, session_id: SessionId, after: Option<u64>) -> Result<(), Gone> {
        let Some(caught_up) = self.hub.catch_up(session_id, after) else {
            self.watched.remove(&session_id);
            return self
                .send(&ServerMessage::Error {
                    code: Code::UnknownSession,
                    message: "There is no such session.".to_owned(),
                    request_id: None,
                })
                .await;
        };
        self.watched.insert(session_id, caught_up.told);
        for message in &caught_up.messages {
            self.send(message).await?;
        }
        Ok(())
    }

    async fn take(
        &mut self,
        text: &str,
        refusals: &mpsc::UnboundedSender<ServerMessage>,
    ) -> Result<(), Gone> {
        match ClientMessage::read(text) {
            Ok(ClientMessage::Hello { client }) => {
                self.visitor = self.hub.arrive(client);
                Ok(())
            }
            Ok(ClientMessage::Ping) => self.send(&ServerMessage::Pong).await,
            Ok(ClientMessage::Subscribe { session_id, after }) => {
                self.hub.look(session_id, self.visitor.id);
                self.catch_up(session_id, after).await
            }
            Ok(ClientMessage::Unsubscribe { session_id }) => {
                self.watched.remove(&session_id);
                Ok(())
            }
            Ok(ClientMessage::PendingRequestResponse(answer)) => {
                let (hub, refusals) = (self.hub.clone(), refusals.clone());
                let from = Some(self.visitor.id);
                tokio::spawn(async move {
                    let request_id = answer.request_id;
                    if let Err(refusal) = hub.answer_from(answer, from).await {
                        let _ = refusals.send(ServerMessage::refused(refusal, Some(request_id)));
                    }
                });
                Ok(())
            }
            Ok(ClientMessage::TakeOver { session_id }) => {
                match self.hub.take_over(session_id, Some(self.visitor.id)) {
                    Ok(()) => Ok(()),
                    Err(refusal) => self.send(&ServerMessage::refused(refusal, None)).await,
                }
            }
            Err(error) => self.send(&error).await,
        }
    }

    async fn send(&mut self, message: &ServerMessage) -> Result<(), Gone> {
        self.send_frame(Message::Text(message.to_json().into()))
            .await
    }

    async fn send_frame(&mut self, message: Message) -> Result<(), Gone> {
        match timeout(STUCK, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Gone),
        }
    }
}
