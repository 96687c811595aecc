//! The server functions: what a page, a script or another client may ask of the server. Fixed paths, JSON both ways.
//! Each is a few lines: the rules are in [`crate::desk`], the work in the hub.

pub mod first_picture;

use crate::model::insight::file::{Gap, Row};
use crate::model::policy::{OwnPolicies, SessionPolicies};
use crate::model::{
    AboutPart, AnswerId, Capabilities, ClientId, Code, Digest, Event, FolderTrust, HistoryFilter,
    HistoryPage, Insight, KeptConversation, MemoryText, MessageId, NewAttachment, PermissionMode,
    PermissionRule, ProcessInfo, ProjectId, Refusal, RequestId, Response, RewindPreview,
    ServerAction, SessionId, SessionSummary, SoFar, Suggestion, ToolUseId,
};
use leptos::prelude::*;
use leptos::server_fn::codec::{Json, JsonEncoding};
use leptos::server_fn::error::{FromServerFnError, ServerFnErrorErr};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

impl FromServerFnError for Refusal {
    type Encoder = JsonEncoding;

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        match error {
            ServerFnErrorErr::Args(detail)
            | ServerFnErrorErr::MissingArg(detail)
            | ServerFnErrorErr::Deserialization(detail) => Refusal::new(
                Code::InvalidRequest,
                format!("A field is missing or malformed: {detail}."),
            ),
            ServerFnErrorErr::Request(_) => Refusal::new(
                Code::Unreachable,
                "The server could not be reached. Is it still running? Nothing was sent; try again when it is.",
            ),
            other => Refusal::new(
                Code::Internal,
                format!("The server could not do this: {other}."),
            ),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StartedSession {
    pub session_id: SessionId,
}

/// Starts an agent in a project and gives it the first message.
#[server(prefix = "/api", endpoint = "start_session", input = Json, output = Json)]
pub async fn start_session(
    project: ProjectId,
    prompt: String,
    permission_mode: Option<PermissionMode>,
    model: Option<String>,
    effort: Option<String>,
    attachments: Option<Vec<NewAttachment>>,
) -> Result<StartedSession, Refusal> {
    let files = attachments.unwrap_or_default();
    let chosen = crate::server::hub::Chosen {
        permission_mode,
        model,
        effort,
    };
    let session_id = crate::server::hub()?
        .start_with(project, prompt, chosen, files)
        .await?;
    Ok(StartedSession { session_id })
}

/// Sends a message; a process that has ended is resumed. The same `message_id` twice is one message. `anyway`: also when
/// another process has the conversation open.
#[server(prefix = "/api", endpoint = "send_message", input = Json, output = Json)]
pub async fn send_message(
    session_id: SessionId,
    text: String,
    message_id: Option<MessageId>,
    attachments: Option<Vec<NewAttachment>>,
    anyway: Option<bool>,
) -> Result<(), Refusal> {
    let files = attachments.unwrap_or_default();
    crate::server::hub()?
        .send_with(session_id, text, message_id, files, anyway.unwrap_or(false))
        .await
}

/// Takes back a message that the agent has not taken from its queue yet.
#[server(prefix = "/api", endpoint = "cancel_message", input = Json, output = Json)]
pub async fn cancel_message(session_id: SessionId, message_id: MessageId) -> Result<(), Refusal> {
    crate::server::hub()?
        .cancel_message(session_id, message_id)
        .await
}

/// Files and folders of a session's project, or of one that has no session yet, that fit what is typed, the best first; a
/// folder ends with a slash.
#[server(prefix = "/api", endpoint = "find_files", input = Json, output = Json)]
pub async fn find_files(
    session_id: Option<SessionId>,
    project: Option<ProjectId>,
    typed: String,
) -> Result<Vec<String>, Refusal> {
    crate::server::hub()?
        .find_files(session_id, project, typed)
        .await
}

/// Conversations of a project that were held elsewhere, perhaps in a terminal, the newest first.
#[server(prefix = "/api", endpoint = "list_conversations", input = Json, output = Json)]
pub async fn list_conversations(project: ProjectId) -> Result<Vec<KeptConversation>, Refusal> {
    crate::server::hub()?.conversations(project).await
}

/// Makes such a conversation a session, for its next process to begin in this mode, with this model and effort.
#[server(prefix = "/api", endpoint = "take_up", input = Json, output = Json)]
pub async fn take_up(
    project: ProjectId,
    conversation_id: Uuid,
    permission_mode: Option<PermissionMode>,
    model: Option<String>,
    effort: Option<String>,
) -> Result<StartedSession, Refusal> {
    let chosen = crate::server::hub::Chosen {
        permission_mode,
        model,
        effort,
    };
    let session_id = crate::server::hub()?
        .take_up(project, conversation_id, chosen)
        .await?;
    Ok(StartedSession { session_id })
}

/// Gives a session another title.
#[server(prefix = "/api", endpoint = "rename_session", input = Json, output = Json)]
pub async fn rename_session(session_id: SessionId, title: String) -> Result<(), Refusal> {
    crate::server::hub()?.rename_session(session_id, &title)
}

/// A new session that begins as a copy of this one.
#[server(prefix = "/api", endpoint = "fork_session", input = Json, output = Json)]
pub async fn fork_session(session_id: SessionId) -> Result<StartedSession, Refusal> {
    let session_id = crate::server::hub()?.fork_session(session_id).await?;
    Ok(StartedSession { session_id })
}

/// Puts a session away: it stands in no list any more. What runs in it is ended.
#[server(prefix = "/api", endpoint = "archive_session", input = Json, output = Json)]
pub async fn archive_session(session_id: SessionId) -> Result<(), Refusal> {
    crate::server::hub()?.archive_session(session_id).await
}

#[server(prefix = "/api", endpoint = "bring_back_session", input = Json, output = Json)]
pub async fn bring_back_session(session_id: SessionId) -> Result<(), Refusal> {
    crate::server::hub()?.bring_back_session(session_id)
}

/// Deletes an archived session with its transcript and files. Its requests stay in the history.
#[server(prefix = "/api", endpoint = "delete_session", input = Json, output = Json)]
pub async fn delete_session(session_id: SessionId) -> Result<(), Refusal> {
    crate::server::hub()?.delete_session(session_id).await
}

/// The archived sessions, the last one that was archived first.
#[server(prefix = "/api", endpoint = "list_archived", input = Json, output = Json)]
pub async fn list_archived() -> Result<Vec<SessionSummary>, Refusal> {
    Ok(crate::server::hub()?.archived())
}

/// Somebody has seen what was cut off when the server stopped: in one session, or in all.
#[server(prefix = "/api", endpoint = "dismiss_cut_off", input = Json, output = Json)]
pub async fn dismiss_cut_off(session_id: Option<SessionId>) -> Result<(), Refusal> {
    crate::server::hub()?.dismiss_cut_off(session_id)
}

/// Answers a pending request. Returns after the answer is stored and on its way to the agent.
#[server(prefix = "/api", endpoint = "respond", input = Json, output = Json)]
pub async fn respond(
    session_id: SessionId,
    request_id: RequestId,
    digest: Option<Digest>,
    shown: Option<String>,
    answer_id: Option<AnswerId>,
    /// The tab it comes from, whose socket is closed at the moment.
    client: Option<ClientId>,
    response: Response,
) -> Result<(), Refusal> {
    let answer = crate::model::Answer {
        session_id,
        request_id,
        digest,
        shown,
        answer_id,
        response,
    };
    crate::server::hub()?.answer_from(answer, client).await
}

/// Where answers come from one client at a time: from here on from this tab, or from calls like this one.
#[server(prefix = "/api", endpoint = "take_over", input = Json, output = Json)]
pub async fn take_over(session_id: SessionId, client: Option<ClientId>) -> Result<(), Refusal> {
    crate::server::hub()?.take_over(session_id, client)
}

/// What becomes of requests that nobody answers, and who may answer.
#[server(prefix = "/api", endpoint = "policies", input = Json, output = Json)]
pub async fn get_policies(session_id: SessionId) -> Result<SessionPolicies, Refusal> {
    crate::server::hub()?.session_policies(session_id)
}

/// All that the session has of its own; what is left out is as in the settings.
#[server(prefix = "/api", endpoint = "set_policies", input = Json, output = Json)]
pub async fn set_policies(session_id: SessionId, own: OwnPolicies) -> Result<(), Refusal> {
    crate::server::hub()?.set_policies(session_id, own)
}

/// What a request that waits would do: the parts and dangers of its command, or the change of its file. None when it waits no
/// more: that is no error of who asks, for it may be answered elsewhere at any moment.
#[server(prefix = "/api", endpoint = "insight", input = Json, output = Json)]
pub async fn get_insight(
    session_id: SessionId,
    request_id: RequestId,
    /// Another command or content than the one that was asked: what it would do in the same place.
    edited: Option<String>,
) -> Result<Option<Insight>, Refusal> {
    match crate::server::hub()?
        .insight(session_id, request_id, edited)
        .await
    {
        Err(refusal) if refusal.code == Code::UnknownRequest => Ok(None),
        found => found.map(Some),
    }
}

/// Requests that wait and that these rules would have allowed, where they are to be kept. The request itself is among them
/// unless the rules would not have covered it.
#[server(prefix = "/api", endpoint = "covered", input = Json, output = Json)]
pub async fn covered(
    session_id: SessionId,
    request_id: RequestId,
    remember: Vec<Suggestion>,
) -> Result<Vec<RequestId>, Refusal> {
    crate::server::hub()?.covered(session_id, request_id, &remember)
}

/// Rows that the insight left out, as long as the file is the one it was made of.
#[server(prefix = "/api", endpoint = "open_gap", input = Json, output = Json)]
pub async fn open_gap(
    session_id: SessionId,
    request_id: RequestId,
    version: String,
    gap: Gap,
    /// As for the insight that it belongs to.
    edited: Option<String>,
) -> Result<Vec<Row>, Refusal> {
    crate::server::hub()?
        .open_gap(session_id, request_id, version, gap, edited)
        .await
}

/// Which files would change for one who goes back to before this message. A process that has ended is resumed for it.
#[server(prefix = "/api", endpoint = "preview_rewind", input = Json, output = Json)]
pub async fn preview_rewind(
    session_id: SessionId,
    message_id: MessageId,
) -> Result<RewindPreview, Refusal> {
    crate::server::hub()?
        .preview_rewind(session_id, message_id)
        .await
}

/// Goes back to before this message: the agent forgets it and all after it, and puts its files back as they were. What began
/// since and still runs in the background is ended with the conversation, unless `end_tasks` is false.
#[server(prefix = "/api", endpoint = "rewind", input = Json, output = Json)]
pub async fn rewind(
    session_id: SessionId,
    message_id: MessageId,
    conversation: bool,
    files: bool,
    end_tasks: Option<bool>,
) -> Result<(), Refusal> {
    let end_tasks = end_tasks.unwrap_or(true);
    crate::server::hub()?
        .rewind(session_id, message_id, conversation, files, end_tasks)
        .await
}

/// Stops the turn; the process goes on and waits for a message.
#[server(prefix = "/api", endpoint = "interrupt", input = Json, output = Json)]
pub async fn interrupt(session_id: SessionId) -> Result<(), Refusal> {
    crate::server::hub()?.interrupt(session_id)
}

/// Runs a command as the person who asks for it, in the session's project, and returns when it has ended. The agent reads of it
/// with the next message.
#[server(prefix = "/api", endpoint = "run_command", input = Json, output = Json)]
pub async fn run_command(session_id: SessionId, command: String) -> Result<(), Refusal> {
    crate::server::hub()?.run_command(session_id, command).await
}

/// Ends such a command.
#[server(prefix = "/api", endpoint = "stop_command", input = Json, output = Json)]
pub async fn stop_command(session_id: SessionId) -> Result<(), Refusal> {
    crate::server::hub()?.stop_command(session_id)
}

/// Lets the agent work in another folder, too, in this session.
#[server(prefix = "/api", endpoint = "add_folder", input = Json, output = Json)]
pub async fn add_folder(session_id: SessionId, path: String) -> Result<(), Refusal> {
    crate::server::hub()?.add_folder(session_id, path).await
}

/// Takes back a rule or a folder that was allowed for this session; says what came of it.
#[server(prefix = "/api", endpoint = "take_back", input = Json, output = Json)]
pub async fn take_back(session_id: SessionId, grant: String) -> Result<String, Refusal> {
    crate::server::hub()?.take_back(session_id, grant).await
}

/// Lets what the settings of the project's folder allow count.
#[server(prefix = "/api", endpoint = "trust_folder", input = Json, output = Json)]
pub async fn trust_folder(session_id: SessionId, root: Option<String>) -> Result<(), Refusal> {
    crate::server::hub()?.trust_folder(session_id, root).await
}

/// What that would be: rules and folders, and the repository that is trusted with it.
#[server(prefix = "/api", endpoint = "folder_allows", input = Json, output = Json)]
pub async fn folder_allows(session_id: SessionId) -> Result<FolderTrust, Refusal> {
    crate::server::hub()?.folder_allows(session_id).await
}

/// What has changed in the project since its last commit, as Markdown.
#[server(prefix = "/api", endpoint = "changes", input = Json, output = Json)]
pub async fn changes(session_id: SessionId) -> Result<String, Refusal> {
    crate::server::hub()?.changes(session_id).await
}

/// Asks the agent something that it does not remember, and that no turn waits for; its answer is Markdown.
#[server(prefix = "/api", endpoint = "ask_aside", input = Json, output = Json)]
pub async fn ask_aside(session_id: SessionId, question: String) -> Result<String, Refusal> {
    crate::server::hub()?.ask_aside(session_id, question).await
}

/// Ends what a call began and what goes on in the background.
#[server(prefix = "/api", endpoint = "stop_task", input = Json, output = Json)]
pub async fn stop_task(session_id: SessionId, tool_use_id: ToolUseId) -> Result<(), Refusal> {
    crate::server::hub()?
        .stop_task(session_id, tool_use_id)
        .await
}

/// The end of what a command of the agent has written while it runs, also in the background. None: the agent cannot tell it.
#[server(prefix = "/api", endpoint = "call_output", input = Json, output = Json)]
pub async fn call_output(
    session_id: SessionId,
    tool_use_id: ToolUseId,
) -> Result<Option<SoFar>, Refusal> {
    crate::server::hub()?
        .call_output(session_id, tool_use_id)
        .await
}

/// The same of the command that a person runs themselves; nothing when none runs.
#[server(prefix = "/api", endpoint = "command_output", input = Json, output = Json)]
pub async fn command_output(session_id: SessionId) -> Result<SoFar, Refusal> {
    crate::server::hub()?.command_output(session_id)
}

/// Lets a call that takes long go on in the background, and the turn without its result.
#[server(prefix = "/api", endpoint = "move_to_background", input = Json, output = Json)]
pub async fn move_to_background(
    session_id: SessionId,
    tool_use_id: ToolUseId,
) -> Result<(), Refusal> {
    crate::server::hub()?
        .move_to_background(session_id, tool_use_id)
        .await
}

/// Ends the process. The conversation stays and can be resumed with a message.
#[server(prefix = "/api", endpoint = "kill", input = Json, output = Json)]
pub async fn kill(session_id: SessionId) -> Result<(), Refusal> {
    crate::server::hub()?.kill(session_id)
}

#[server(prefix = "/api", endpoint = "set_permission_mode", input = Json, output = Json)]
pub async fn set_permission_mode(
    session_id: SessionId,
    mode: PermissionMode,
) -> Result<(), Refusal> {
    crate::server::hub()?
        .set_permission_mode(session_id, mode)
        .await
}

/// Requests of all times with their ends, newest first, a page at a time.
#[server(prefix = "/api", endpoint = "history", input = Json, output = Json)]
pub async fn history(filter: Option<HistoryFilter>) -> Result<HistoryPage, Refusal> {
    crate::server::hub()?
        .history(filter.unwrap_or_default())
        .await
}

/// No model, or "default": the agent's own choice.
#[server(prefix = "/api", endpoint = "set_model", input = Json, output = Json)]
pub async fn set_model(session_id: SessionId, model: Option<String>) -> Result<(), Refusal> {
    crate::server::hub()?.set_model(session_id, model).await
}

/// No effort, or "default": the agent's own choice. Refused when another one applies all the same.
#[server(prefix = "/api", endpoint = "set_effort", input = Json, output = Json)]
pub async fn set_effort(session_id: SessionId, effort: Option<String>) -> Result<(), Refusal> {
    crate::server::hub()?.set_effort(session_id, effort).await
}

/// The models and slash commands of a session's agent, or of the one that started last.
#[server(prefix = "/api", endpoint = "capabilities", input = Json, output = Json)]
pub async fn get_capabilities(session_id: Option<SessionId>) -> Result<Capabilities, Refusal> {
    Ok(crate::server::hub()?.capabilities(session_id))
}

/// What the session's agent tells of itself, part by part; a part that it cannot tell says why.
#[server(prefix = "/api", endpoint = "about_session", input = Json, output = Json)]
pub async fn about_session(session_id: SessionId) -> Result<Vec<AboutPart>, Refusal> {
    crate::server::hub()?.about(session_id).await
}

/// Reconnects an MCP server of the session, or switches it on or off.
#[server(prefix = "/api", endpoint = "act_on_server", input = Json, output = Json)]
pub async fn act_on_server(
    session_id: SessionId,
    server: String,
    action: ServerAction,
) -> Result<(), Refusal> {
    crate::server::hub()?
        .act_on_server(session_id, server, action)
        .await
}

/// Adds a permission rule to the settings file of its place, or takes it out; says what came of it.
#[server(prefix = "/api", endpoint = "change_rule", input = Json, output = Json)]
pub async fn change_rule(
    session_id: SessionId,
    rule: PermissionRule,
    keep: bool,
) -> Result<String, Refusal> {
    crate::server::hub()?
        .change_rule(session_id, rule, keep)
        .await
}

/// A memory file that the session's agent lists.
#[server(prefix = "/api", endpoint = "read_memory", input = Json, output = Json)]
pub async fn read_memory(session_id: SessionId, path: String) -> Result<MemoryText, Refusal> {
    crate::server::hub()?.read_memory(session_id, path).await
}

/// `digest`: of what was read; refused when the file holds something else by now.
#[server(prefix = "/api", endpoint = "save_memory", input = Json, output = Json)]
pub async fn save_memory(
    session_id: SessionId,
    path: String,
    text: String,
    digest: Option<Digest>,
) -> Result<String, Refusal> {
    crate::server::hub()?
        .save_memory(session_id, path, text, digest)
        .await
}

/// Up to 500 events right before one, oldest first; none when it is the first.
#[server(prefix = "/api", endpoint = "events_before", input = Json, output = Json)]
pub async fn events_before(session_id: SessionId, seq: u64) -> Result<Vec<Event>, Refusal> {
    crate::server::hub()?.events_before(session_id, seq).await
}

#[server(prefix = "/api", endpoint = "list_sessions", input = Json, output = Json)]
pub async fn list_sessions() -> Result<Vec<SessionSummary>, Refusal> {
    Ok(crate::server::hub()?.sessions())
}

#[server(prefix = "/api", endpoint = "list_processes", input = Json, output = Json)]
pub async fn list_processes() -> Result<Vec<ProcessInfo>, Refusal> {
    Ok(crate::server::hub()?.processes())
}
