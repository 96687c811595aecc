//! Another folder for a session.

use crate::support::Server;
use serde_json::json;

#[tokio::test]
async fn a_folder_that_is_there_is_added_and_it_is_said() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("stream markdown").await;
    socket.turn(&session).await;
    let beside = std::path::Path::new(&server.project()).with_file_name("beside");
    std::fs::create_dir_all(&beside).expect("made");

    for (path, status) in [("../none", 400), ("", 400), ("../beside", 200)] {
        let arguments = json!({"session_id": session, "path": path});
        let reply = server.call("add_folder", arguments).await;
        assert_eq!(reply.status, status, "{}", reply.body);
    }
    let events = server.events(&session).await;
    let told = events.last().expect("an event");
    assert_eq!(told["kind"], "noticed");
    let text = told["text"].as_str().expect("words");
    assert!(text.ends_with("/beside"), "{text}");

    let arguments = json!({"session_id": session, "grant": beside});
    let taken = server.call("take_back", arguments.clone()).await;
    assert_eq!(taken.done(), format!("{} is taken back.", beside.display()));
    let again = server.call("take_back", arguments).await;
    assert_eq!(again.status, 400, "{}", again.body);
}
