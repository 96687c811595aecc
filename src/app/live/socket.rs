//! The one WebSocket of this tab: opened at the root, kept open for ever, every frame handed to [`Live::take`].
//! It must never interpret a frame, and never give up while the tab is there.

use super::backoff::delay_ms;
use super::pulse::{Beat, Pulse};
use super::{Connection, Live};
use crate::api;
use crate::model::{ClientMessage, Code, ServerMessage, UnixTime};
use futures::channel::mpsc::{self, UnboundedReceiver};
use futures::future::{self, Either};
use futures::{SinkExt, StreamExt, stream};
use gloo_net::websocket::{Message, futures::WebSocket};
use gloo_timers::future::{IntervalStream, TimeoutFuture};
use leptos::ev;
use leptos::prelude::*;
use leptos::task::spawn_local;

/// After so many failures in a row it is worth asking the server why.
const FAILURES_BEFORE_ASKING: u32 = 3;

/// Begins to connect. Only for the browser; what comes in is kept until somebody listens.
pub fn open() -> Option<WebSocket> {
    WebSocket::open(&address()?).ok()
}

/// Starts the clock and the socket, with one that is opening already. Only for the browser: call it from an effect.
pub fn start(live: Live, opened: Option<WebSocket>) {
    spawn_local(tick(live));
    spawn_local(stay_connected(live, opened));
}

/// One second after the other, on the server's clock. Its difference to ours is known from the first picture, which
/// was made right after the page was asked for; a small one is only the way of the page to us.
async fn tick(live: Live) {
    let asked_at = window()
        .performance()
        .map_or_else(js_sys::Date::now, |performance| performance.time_origin());
    let first = live.now.try_get_untracked().unwrap_or_default();
    let difference = match first.0 - asked_at / 1000.0 {
        _ if first.0 == 0.0 => 0.0,
        small if small.abs() < 2.0 => 0.0,
        difference => difference,
    };
    loop {
        let now = UnixTime(js_sys::Date::now() / 1000.0 + difference);
        if live.now.try_set(now).is_some() {
            return;
        }
        TimeoutFuture::new(1000).await;
    }
}

async fn stay_connected(live: Live, mut opened: Option<WebSocket>) {
    let mut woken = wake_ups();
    let mut failures = 0;
    let mut was_open_before = false;
    loop {
        let ended = match opened.take().or_else(open) {
            Some(socket) => converse(live, socket, &mut woken, was_open_before).await,
            None => Ended::BeforeOpen,
        };
        match ended {
            Ended::AfterOpen => {
                failures = 0;
                was_open_before = true;
            }
            Ended::BeforeOpen => failures += 1,
        }
        let connection = match live.connection.try_get_untracked() {
            None => return,
            Some(Connection::Offline) if failures > 0 => Connection::Offline,
            Some(_) => Connection::Reconnecting,
        };
        live.disconnected(connection);
        if failures >= FAILURES_BEFORE_ASKING {
            live.set_connection(ask_why().await);
        }
        let pause = TimeoutFuture::new(delay_ms(failures, js_sys::Math::random()));
        if let Either::Right(_) = future::select(pause, woken.next()).await {
            // someone looks, or the network is back: try at once
            failures = failures.min(1);
        }
    }
}

enum Ended {
    AfterOpen,
    BeforeOpen,
}

enum Happened {
    Frame(String),
    Closed,
    ToSend(ClientMessage),
    Second,
    Woken,
}

/// One connection, from opening to its end.
async fn converse(
    live: Live,
    socket: WebSocket,
    woken: &mut UnboundedReceiver<()>,
    again: bool,
) -> Ended {
    let (mut to_server, from_server) = socket.split();
    let (outbox, outgoing) = mpsc::unbounded();
    let mut outbox = Some(outbox);
    let frames = from_server.map(|frame| match frame {
        Ok(Message::Text(text)) => Happened::Frame(text),
        Ok(Message::Bytes(_)) => Happened::Frame(String::new()),
        Err(_) => Happened::Closed,
    });
    let mut happenings = stream::select(
        stream::select(
            frames.chain(stream::once(future::ready(Happened::Closed))),
            outgoing.map(Happened::ToSend),
        ),
        stream::select(
            IntervalStream::new(1000).map(|_| Happened::Second),
            woken.map(|()| Happened::Woken),
        ),
    );
    let mut pulse = Pulse::opening(js_sys::Date::now());
    while let Some(happened) = happenings.next().await {
        let now = js_sys::Date::now();
        let beat = match happened {
            Happened::Closed => break,
            Happened::Frame(text) => {
                pulse.heard(now);
                // only the first frame can miss one out
                let ran = match outbox {
                    Some(_) => live.running(),
                    None => Vec::new(),
                };
                let archived = live.archive.count.try_get_untracked();
                let message = ServerMessage::read(&text);
                let is_snapshot = matches!(message, Some(ServerMessage::ActiveProcesses { .. }));
                match message {
                    Some(message) => live.take(message),
                    None => leptos::logging::warn!("A frame could not be read."),
                }
                let is_put_away = live.archive.count.try_get_untracked() != archived;
                // the first frame is the whole state, so from here on the page is live
                if let Some(outbox) = outbox.take() {
                    live.connected(outbox);
                    // what ended between the first picture and the first frame is in neither
                    let running = live.running();
                    if again || is_put_away || ran.iter().any(|id| !running.contains(id)) {
                        spawn_local(catch_up(live));
                    }
                } else if is_snapshot {
                    // we were too slow, and something was left out
                    spawn_local(catch_up(live));
                }
                Beat::Nothing
            }
            Happened::ToSend(message) => {
                if to_server
                    .send(Message::Text(message.to_json()))
                    .await
                    .is_err()
                {
                    break;
                }
                Beat::Nothing
            }
            Happened::Second => pulse.tick(now),
            Happened::Woken => pulse.hurry(now),
        };
        match beat {
            Beat::Nothing => {}
            Beat::Dead => break,
            // before the first frame the socket may still be opening; its deadline runs anyway
            Beat::Ping if outbox.is_some() => {}
            Beat::Ping => {
                let ping = Message::Text(ClientMessage::Ping.to_json());
                if to_server.send(ping).await.is_err() {
                    break;
                }
            }
        }
    }
    match outbox {
        None => Ended::AfterOpen,
        Some(_) => Ended::BeforeOpen,
    }
}

async fn catch_up(live: Live) {
    if let Ok(sessions) = api::list_sessions().await {
        live.learn_all(sessions);
    }
}

/// A refused upgrade looks like a dead server to a browser; an ordinary call tells them apart.
async fn ask_why() -> Connection {
    match api::list_processes().await {
        Err(refusal) if refusal.code == Code::Unauthorized => {
            let _ = window().location().set_href("/login");
            Connection::Reconnecting
        }
        Err(refusal) if refusal.code == Code::Unreachable => Connection::Offline,
        _ => Connection::Reconnecting,
    }
}

fn address() -> Option<String> {
    let location = window().location();
    let scheme = match location.protocol().ok()?.as_str() {
        "https:" => "wss",
        _ => "ws",
    };
    Some(format!("{scheme}://{}/ws", location.host().ok()?))
}

/// The moments when waiting longer would be silly. The listeners stay as long as the tab.
fn wake_ups() -> UnboundedReceiver<()> {
    let (sender, woken) = mpsc::unbounded();
    let visible = sender.clone();
    let _ = window_event_listener(ev::online, move |_| {
        let _ = sender.unbounded_send(());
    });
    let _ = window_event_listener_untyped("visibilitychange", move |_| {
        if !document().hidden() {
            let _ = visible.unbounded_send(());
        }
    });
    woken
}
