//! Commands: approved, edited, denied, denied with a stop.

use crate::support::{Claude, allow};

#[tokio::test]
async fn an_approved_command_runs() {
    let (server, claude) = Claude::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("[[bash echo hello > made.txt]]").await;
    let request = socket.pending(&session).await;
    assert_eq!(request["tool_name"], "Bash");
    assert_eq!(request["tool_input"]["command"], "echo hello > made.txt");
    assert_eq!(claude.place.project_file("made.txt"), None);
    server.respond(&session, &request, allow()).await.done();
    socket.state(&session, "user_turn").await;
    assert_eq!(
        claude.place.project_file("made.txt").as_deref(),
        Some("hello\n")
    );
    assert_eq!(claude.api.unexpected(), Vec::<String>::new());
}
