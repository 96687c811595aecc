//! Agents written as a few lines of shell: they misbehave in ways the demo agent cannot.

use super::Place;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// What every scripted agent can do. Answers it hears are kept in `heard.jsonl` of the project.
const WORDS: &str = r#"
line() { printf '%s\n' "$1"; }
hear() { IFS= read -r heard || exit 0; }
# the greeting is answered under the id it came with
ready() {
  hear
  id=${heard#*'"request_id":"'}
  id=${id%%'"'*}
  line '{"type":"control_response","response":{"subtype":"success","request_id":"'"$id"'","response":{}}}'
}
# ask ID COMMAND: for the permission to run a command
ask() {
  line '{"type":"control_request","request_id":"'"$1"'","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"'"$2"'"},"tool_use_id":"toolu_'"$1"'"}}'
}
cancel() { line '{"type":"control_cancel_request","request_id":"'"$1"'"}'; }
answered() { hear; printf '%s\n' "$heard" >> heard.jsonl; }
say() { line '{"type":"assistant","parent_tool_use_id":null,"message":{"role":"assistant","content":[{"type":"text","text":"'"$1"'"}]}}'; }
finish() { line '{"type":"result","subtype":"success","is_error":false,"duration_ms":1,"result":""}'; }
"#;

/// Asks for one thing, waits for the answer, says so and goes on to the next message.
pub const ASKS_ONCE: &str =
    "ready; hear; while :; do ask same-id 'touch x'; answered; say answered; finish; hear; done";

pub fn scripted_agent(place: &Place, name: &str, body: &str) -> PathBuf {
    executable(place, name, &format!("#!/bin/sh\n{WORDS}\n{body}\n"))
}

/// The demo agent as a program by itself, for a server inside the test.
pub fn demo_agent(place: &Place) -> PathBuf {
    let (binary, home) = (env!("CARGO_BIN_EXE_countersign"), place.home());
    let text = format!(
        "#!/bin/sh\nexport COUNTERSIGN_DEMO_SPEED=0 HOME='{home}' CLAUDE_CONFIG_DIR='{home}/agent'\nexec '{binary}' demo-agent \"$@\"\n",
        home = home.display()
    );
    executable(place, "demo-agent", &text)
}

/// Written by a child: were this process to hold the file open while another test starts a program, the copy of the
/// descriptor in that program would make the file busy for a moment, and it could not be run.
fn executable(place: &Place, name: &str, text: &str) -> PathBuf {
    let path = place.root().join(name);
    let mut child = Command::new("/bin/sh")
        .args(["-c", "cat > \"$0\" && chmod 700 \"$0\""])
        .arg(&path)
        .stdin(Stdio::piped())
        .spawn()
        .expect("a shell");
    let mut stdin = child.stdin.take().expect("stdin");
    stdin.write_all(text.as_bytes()).expect("written");
    drop(stdin);
    assert!(child.wait().expect("a status").success());
    path
}
