//! What commands have written while they still run.

use crate::support::{Place, Server, allow, scripted_agent, until};
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

#[tokio::test]
async fn an_agent_that_cannot_tell_it_is_no_error() {
    let place = Place::new();
    let body = r#"ready; hear
line '{"type":"system","subtype":"task_started","task_id":"b1","tool_use_id":"toolu_1","task_type":"local_bash"}'
say begun
hear
id=${heard#*'"request_id":"'}; id=${id%%'"'*}
case $heard in *'"get_task_output"'*'"b1"'*)
  line '{"type":"control_response","response":{"subtype":"error","request_id":"'"$id"'","error":"what?","error_code":"unsupported_request"}}';;
esac
hear"#;
    let agent = scripted_agent(&place, "agent", body);
    let server = place.server().agent(agent).start().await;
    let session = server.start_session("hello").await;
    until("its call has begun", async || {
        let events = server.events(&session).await;
        let is_it = |event: &Value| event["text"] == "begun";
        events.iter().any(is_it).then_some(())
    })
    .await;
    let call = json!({"session_id": session, "tool_use_id": "toolu_1"});
    assert_eq!(so_far(&server, "call_output", &call).await, Value::Null);
}
