//! Text while it is written.

use crate::support::{Place, Server};
use serde_json::{Value, json};

/// What a client has put together of the block that is being written.
#[derive(Default)]
struct Written {
    thinking: bool,
    text: String,
    pieces: usize,
}

impl Written {
    /// Each piece follows on what was there, or begins anew.
    fn take(&mut self, delta: &Value) {
        let offset = delta["offset"].as_u64().expect("an offset") as usize;
        if offset == 0 {
            *self = Self::default();
            self.thinking = delta["thinking"] == true;
        }
        assert_eq!(offset, self.text.len(), "without a gap");
        assert_eq!(delta["thinking"] == true, self.thinking);
        self.text += delta["text"].as_str().expect("a text");
        self.pieces += 1;
    }
}

#[tokio::test]
async fn the_pieces_are_the_text() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("stream markdown").await;
    socket.turn(&session).await;
    socket.subscribe(&session, None).await;
    server.send(&session, "think long").await;
    let mut written = Written::default();
    let (mut texts, mut thoughts) = (0, 0);
    loop {
        let frame = socket.next().await.expect("a frame");
        match frame["type"].as_str() {
            Some("session_delta") => written.take(&frame),
            Some("session_events") => {
                for event in frame["events"].as_array().expect("a list") {
                    let is_thought = match event["kind"].as_str() {
                        Some("text_written") => false,
                        Some("thought") => true,
                        Some("turn_finished") => {
                            assert!(
                                texts >= 2 && thoughts >= 1,
                                "{texts} texts, {thoughts} thoughts"
                            );
                            return;
                        }
                        _ => continue,
                    };
                    assert_eq!(written.text, event["text"].as_str().expect("a text"));
                    assert_eq!(written.thinking, is_thought);
                    assert!(written.pieces > 1, "it came in pieces");
                    *(if is_thought {
                        &mut thoughts
                    } else {
                        &mut texts
                    }) += 1;
                }
            }
            _ => {}
        }
    }
}

#[tokio::test]
async fn who_comes_in_the_middle_of_a_text_gets_its_beginning() {
    let server = Place::new()
        .server()
        .variable("COUNTERSIGN_DEMO_SPEED", "1")
        .start()
        .await;
    let mut early = server.connect().await;
    let session = server.start_session("think long").await;
    early.subscribe(&session, None).await;
    let mut written = Written::default();
    while written.pieces < 5 {
        let delta = early
            .until("a piece", |frame| frame["type"] == "session_delta")
            .await;
        written.take(&delta);
    }
    let mut late = server.connect().await;
    late.subscribe(&session, None).await;
    let delta = late
        .until("the beginning", |frame| frame["type"] == "session_delta")
        .await;
    assert_eq!(delta["offset"], 0);
    let text = delta["text"].as_str().expect("a text");
    assert!(
        text.starts_with(&written.text),
        "{text:?} does not begin with {:?}",
        written.text
    );
    let mut both = Written::default();
    both.take(&delta);
    let next = late
        .until("the next piece", |frame| frame["type"] == "session_delta")
        .await;
    both.take(&next);
    server
        .call("interrupt", json!({"session_id": session}))
        .await
        .done();
}

#[tokio::test]
async fn no_piece_comes_behind_the_end_of_its_text_whenever_one_begins_to_watch() {
    let server = Server::start().await;
    let session = server.start_session("stream markdown").await;
    server.connect().await.turn(&session).await;
    let mut sockets = Vec::new();
    for _ in 0..16 {
        sockets.push(server.connect().await);
    }
    server.send(&session, "think long").await;
    let watching = sockets
        .into_iter()
        .enumerate()
        .map(async |(index, mut socket)| {
            // each begins at another moment of the texts
            for _ in 0..index {
                tokio::task::yield_now().await;
            }
            let mut ended: Vec<String> = Vec::new();
            let mut turns = 0;
            let mut take = |event: &Value, ended: &mut Vec<String>| {
                turns += usize::from(event["kind"] == "turn_finished");
                ended.extend(event["text"].as_str().map(str::to_owned));
                // the first one was over before
                turns == 2
            };
            for event in socket.subscribe(&session, None).await {
                if take(&event, &mut ended) {
                    return;
                }
            }
            let mut written = Written::default();
            loop {
                let frame = socket.next().await.expect("a frame");
                if frame["type"] == "session_delta" {
                    written.take(&frame);
                    let begins_like_it = |text: &String| text.starts_with(&written.text);
                    assert!(
                        !ended.iter().any(begins_like_it),
                        "{:?} was over",
                        written.text
                    );
                }
                for event in frame["events"].as_array().into_iter().flatten() {
                    if take(event, &mut ended) {
                        return;
                    }
                }
            }
        });
    futures::future::join_all(watching).await;
}
