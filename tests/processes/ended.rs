//! Nothing outlives its process.

use crate::support::{Place, Server, allow, scripted_agent, until};
use serde_json::json;

/// All that runs in the place besides the server.
fn others(server: &Server) -> Vec<(i32, String)> {
    let mut all = server.place.processes();
    all.retain(|(id, _)| *id != server.id());
    all
}

async fn nothing_is_left(server: &Server) {
    until("the server is alone", async || {
        others(server).is_empty().then_some(())
    })
    .await;
}

#[tokio::test]
async fn killing_a_process_takes_along_everything_it_started() {
    let place = Place::new();
    let body = "sleep 86399 & sh -c 'trap \"\" TERM INT HUP; sleep 86398; sleep 86398' &\nready; hear; while :; do hear; done";
    let agent = scripted_agent(&place, "agent", body);
    let server = place.server().agent(agent).start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("hello").await;
    socket.state(&session, "assistant_turn").await;
    until("its children run", async || {
        (!place.running("sleep 86399").is_empty() && !place.running("sleep 86398").is_empty())
            .then_some(())
    })
    .await;
    server.kill(&session).await;
    let process = socket.state(&session, "dead").await;
    assert_eq!(process["kill_reason"], "Ended by you.");
    nothing_is_left(&server).await;
}

#[tokio::test]
async fn killing_the_demo_agent_ends_the_command_it_runs() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: sleep 86397").await;
    let request = socket.pending(&session).await;
    server.respond(&session, &request, allow()).await.done();
    until("the command runs", async || {
        (!server.place.running("sleep 86397").is_empty()).then_some(())
    })
    .await;
    server.kill(&session).await;
    socket.state(&session, "dead").await;
    nothing_is_left(&server).await;
}

#[tokio::test]
async fn what_an_agent_leaves_behind_when_it_ends_by_itself_is_ended() {
    let place = Place::new();
    let body = "sleep 86396 &\nready; hear; exit 0";
    let agent = scripted_agent(&place, "agent", body);
    let server = place.server().agent(agent).start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("hello").await;
    let process = socket.state(&session, "dead").await;
    assert!(
        process["error"]
            .as_str()
            .is_some_and(|error| error.contains("ended by itself")),
        "{process}"
    );
    nothing_is_left(&server).await;
}

#[tokio::test]
async fn a_process_that_has_ended_can_neither_be_killed_nor_interrupted() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("stream markdown").await;
    socket.turn(&session).await;
    server.kill(&session).await;
    socket.state(&session, "dead").await;
    for name in ["kill", "interrupt"] {
        server
            .call(name, json!({"session_id": session}))
            .await
            .is_refused(404, "unknown_session");
    }
}

#[tokio::test]
async fn agents_of_a_server_that_was_cut_off_are_ended_by_the_next_one() {
    let place = Place::new();
    let body = "ready; hear; sleep 86395; sleep 86395";
    let agent = scripted_agent(&place, "agent", body);
    let mut server = place.server().agent(&agent).start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("hello").await;
    socket.state(&session, "assistant_turn").await;
    until("it works", async || {
        (!place.running("sleep 86395").is_empty()).then_some(())
    })
    .await;
    until("it is noted", async || {
        std::fs::read_dir(place.data().join("agents"))
            .ok()?
            .next()
            .map(drop)
    })
    .await;
    server.signal(rustix::process::Signal::KILL);
    server.ended().await;
    assert!(
        !place.running("sleep 86395").is_empty(),
        "it outlived its server"
    );

    let next = place.server().agent(&agent).start().await;
    nothing_is_left(&next).await;
}

#[tokio::test]
async fn one_that_closes_its_output_and_goes_on_is_ended_and_that_is_what_is_said() {
    let place = Place::new();
    let agent = scripted_agent(&place, "agent", "ready; hear; exec >&-; sleep 86395");
    let server = place.server().agent(agent).start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("hello").await;
    let process = socket.state(&session, "dead").await;
    let error = process["error"].as_str().unwrap_or_default();
    assert!(
        error.contains("closed its output") && !error.contains("signal"),
        "{error}"
    );
    nothing_is_left(&server).await;
}
