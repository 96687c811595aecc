//! Going back to before a message.

use crate::support::{Server, allow};
use serde_json::{Value, json};

fn messages(events: &[Value]) -> Vec<Value> {
    let sent = events
        .iter()
        .filter(|event| event["kind"] == "message_sent");
    sent.map(|event| event["message_id"].clone()).collect()
}

async fn rewind(server: &Server, session: &str, to: &Value, what: [bool; 2]) {
    let [conversation, files] = what;
    let arguments = json!({
        "session_id": session, "message_id": to, "conversation": conversation, "files": files,
    });
    server.call("rewind", arguments).await.done();
}

#[tokio::test]
async fn the_files_and_the_conversation_are_as_they_were() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("stream markdown").await;
    socket.turn(&session).await;
    server.send(&session, "write a file").await;
    let request = socket.pending(&session).await;
    server.respond(&session, &request, allow()).await.done();
    socket.turn(&session).await;
    let events = server.events(&session).await;
    let said = messages(&events);

    let asked = json!({"session_id": session, "message_id": said[1]});
    let preview = server.call("preview_rewind", asked.clone()).await.done();
    let changed = preview["files"].as_array().expect("files").clone();
    assert_eq!(changed.len(), 1, "{preview}");
    assert!(preview["removed"].as_u64() > Some(0), "{preview}");
    let file = std::path::PathBuf::from(changed[0].as_str().expect("a path"));
    assert!(file.exists());

    rewind(&server, &session, &said[1], [true, true]).await;
    assert!(!file.exists(), "it was not there before");
    let events = server.events(&session).await;
    let rewound = events.last().expect("an event");
    assert_eq!(rewound["kind"], "rewound");
    assert_eq!(
        (&rewound["before"], &rewound["conversation"]),
        (&said[1], &json!(true))
    );
    assert_eq!(rewound["files"], json!(changed));

    // it no longer knows the message, and a later process does not either
    let again = server.call("preview_rewind", asked).await;
    again.is_refused(400, "invalid_request");
    server.kill(&session).await;
    socket.state(&session, "dead").await;
    server.send(&session, "help").await;
    socket.turn(&session).await;
    let events = server.events(&session).await;
    let texts = events.iter().filter_map(|event| event["text"].as_str());
    let welcomes = texts
        .filter(|text| text.starts_with("Welcome back."))
        .count();
    assert_eq!(welcomes, 1);
    let remembers = |event: &Value| {
        event["text"] == "Welcome back. I remember the one message you sent before."
    };
    assert!(events.iter().any(remembers), "{events:?}");
}

#[tokio::test]
async fn either_can_be_chosen_and_a_process_that_has_ended_is_resumed_for_it() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("stream markdown").await;
    socket.turn(&session).await;
    server.send(&session, "help").await;
    socket.turn(&session).await;
    let said = messages(&server.events(&session).await);
    server.kill(&session).await;
    socket.state(&session, "dead").await;
    rewind(&server, &session, &said[0], [true, false]).await;
    let events = server.events(&session).await;
    let rewound = events.last().expect("an event");
    assert_eq!(
        (&rewound["kind"], &rewound["before"]),
        (&json!("rewound"), &said[0])
    );
    assert!(rewound.get("files").is_none(), "{rewound}");
    let process = server.process(&session).await.expect("a process");
    assert_ne!(process["state"], "dead");
}

#[tokio::test]
async fn it_is_refused_in_words_while_the_agent_works_and_without_a_choice() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run a command").await;
    socket.pending(&session).await;
    let said = messages(&server.events(&session).await);
    for [conversation, files] in [[true, true], [false, false]] {
        let arguments = json!({
            "session_id": session, "message_id": said[0], "conversation": conversation, "files": files,
        });
        let refused = server.call("rewind", arguments).await;
        refused.is_refused(400, "invalid_request");
    }
    let unknown = json!({"session_id": session, "message_id": said[0]});
    let unknown = server.call("preview_rewind", unknown).await;
    unknown.is_refused(400, "invalid_request");
}
