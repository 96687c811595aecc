//! What commands have written while they still run.

use crate::support::{Server, allow, until};
use serde_json::{Value, json};

async fn so_far(server: &Server, name: &str, arguments: &Value) -> Value {
    server.call(name, arguments.clone()).await.done()
}

#[tokio::test]
async fn what_a_command_of_the_agent_writes_is_told_while_it_runs() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let command = "printf '\\033[32mgreen\\033[0m\\n1 %%\\r2 %%\\n'; until [ -e go.txt ]; do sleep 0.1; done; echo over";
    let session = server.start_session(&format!("run: {command}")).await;
    let request = socket.pending(&session).await;
    let call = json!({"session_id": session, "tool_use_id": request["tool_use_id"]});
    let nothing = json!({"text": "", "is_cut": false});
    assert_eq!(
        so_far(&server, "call_output", &call).await,
        nothing,
        "not before it is allowed"
    );
    server.respond(&session, &request, allow()).await.done();
    let told = until("what it wrote", async || {
        let told = so_far(&server, "call_output", &call).await;
        (told != nothing).then_some(told)
    });
    assert_eq!(
        told.await,
        json!({"text": "green\n2 %\n", "is_cut": false}),
        "as in a terminal"
    );
    std::fs::write(format!("{}/go.txt", server.project()), "").expect("written");
    socket.state(&session, "user_turn").await;
    assert_eq!(
        so_far(&server, "call_output", &call).await,
        nothing,
        "its result has it now"
    );
    server.kill(&session).await;
    socket.state(&session, "dead").await;
    assert_eq!(so_far(&server, "call_output", &call).await, Value::Null);
    let unknown = json!({"session_id": uuid::Uuid::new_v4(), "tool_use_id": "x"});
    let refused = server.call("call_output", unknown).await;
    refused.is_refused(404, "unknown_session");
}

#[tokio::test]
async fn what_a_person_runs_is_told_too() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("stream markdown").await;
    socket.turn(&session).await;
    let of_session = json!({"session_id": session});
    let command = "echo one; until [ -e go.txt ]; do sleep 0.1; done; echo two";
    let running = async {
        let arguments = json!({"session_id": session, "command": command});
        server.call("run_command", arguments).await.done();
    };
    let looking = async {
        let told = until("what it wrote", async || {
            let told = so_far(&server, "command_output", &of_session).await;
            (!told["text"].as_str()?.is_empty()).then_some(told)
        });
        assert_eq!(told.await["text"], "one\n");
        std::fs::write(format!("{}/go.txt", server.project()), "").expect("written");
    };
    tokio::join!(running, looking);
    assert_eq!(
        so_far(&server, "command_output", &of_session).await["text"],
        "",
        "none runs"
    );
}
