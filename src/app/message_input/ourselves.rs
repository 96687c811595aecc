//! Commands that Countersign answers by itself: they cost the agent nothing.

use crate::api;
use crate::app::draft::Draft;
use crate::app::live::{Live, use_live};
use crate::app::new_session::NewSession;
use crate::app::session_page::about::ShownPart;
use crate::app::session_page::aside::{Aside, ShownAside};
use crate::app::session_page::more_menu::saved_at;
use crate::app::transcript::GoingBack;
use crate::app::ui::clipboard;
use crate::model::conversation::Body;
use crate::model::slash::Own;
use crate::model::{Code, PermissionMode, ProcessState, ProjectId, Refusal, SessionId};
use leptos::prelude::*;
use leptos::task::spawn_local;

/// Said under the input, as long as the same stands in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    pub of: String,
    pub words: String,
    /// It is about what would be sent: a second Enter sends it all the same.
    pub is_doubt: bool,
}

impl Remark {
    pub fn doubt(of: String, words: String) -> Self {
        let is_doubt = true;
        Self {
            of,
            words,
            is_doubt,
        }
    }
}

/// Where what they do is seen.
#[derive(Clone, Copy)]
pub struct Ourselves {
    pub session_id: SessionId,
    pub state: Memo<Option<ProcessState>>,
    pub draft: Draft,
    pub sending: RwSignal<bool>,
    pub refusal: RwSignal<Option<Refusal>>,
    pub remark: RwSignal<Option<Remark>>,
    live: Live,
    mode: Memo<Option<Option<PermissionMode>>>,
    effort: Memo<Option<Option<String>>>,
    is_asked: Memo<Option<bool>>,
    /// Another mode is on its way.
    changes_mode: StoredValue<bool>,
    shown_part: ShownPart,
    shown_aside: ShownAside,
    going_back: Option<GoingBack>,
    project: Memo<Option<ProjectId>>,
    new_session: Option<NewSession>,
}

impl Ourselves {
    pub fn new(
        session_id: SessionId,
        state: Memo<Option<ProcessState>>,
        draft: Draft,
        sending: RwSignal<bool>,
        refusal: RwSignal<Option<Refusal>>,
        remark: RwSignal<Option<Remark>>,
    ) -> Self {
        Self {
            session_id,
            state,
            draft,
            sending,
            refusal,
            remark,
            live: use_live(),
            mode: use_live().of_process(session_id, |process| process.permission_mode.clone()),
            effort: use_live().of_process(session_id, |process| process.effort.clone()),
            is_asked: use_live()
                .of_process(session_id, |process| process.pending_request().is_some()),
            changes_mode: StoredValue::new(false),
            shown_part: use_context().unwrap_or_default(),
            shown_aside: use_context().unwrap_or_default(),
            going_back: use_context(),
            project: use_live().of_session(session_id, |session| session.project_id.clone()),
            new_session: use_context(),
        }
    }

    /// To before the last message; from there a person may choose another.
    pub fn go_back(self) {
        let Some(GoingBack(going_back)) = self.going_back else {
            return;
        };
        if self.is_asked.get_untracked() == Some(true) {
            return self.refuse(ANSWER_FIRST);
        }
        if !rests(self.state.get_untracked()) {
            return self.refuse(STOP_FIRST);
        }
        match self.live.conversation(self.session_id).ways_back().first() {
            Some((message, _)) => going_back.set(Some(*message)),
            None => self.refuse(NOWHERE),
        }
    }

    /// As a key does in a terminal. Where it is now is said under the input, and in the head.
    pub fn next_mode(self) {
        if self.is_asked.get_untracked() == Some(true) {
            return self.say(ANSWER_BEFORE_MODE.to_owned());
        }
        if self.changes_mode.get_value() {
            return;
        }
        self.changes_mode.set_value(true);
        let next = self
            .mode
            .get_untracked()
            .flatten()
            .unwrap_or_default()
            .next();
        let words = format!("{}: {}", next.label(), next.explanation());
        spawn_local(async move {
            let done = api::set_permission_mode(self.session_id, next).await;
            let _ = self.changes_mode.try_set_value(false);
            match done {
                Ok(()) => self.say(words),
                Err(words) => drop(self.refusal.try_set(Some(words))),
            }
        });
    }

    pub fn answer(self, own: Own) {
        let typed = self.draft.text.get_untracked();
        self.refusal.set(None);
        self.remark.set(None);
        match own {
            Own::Shows(part) => {
                self.draft.was_sent(&typed);
                self.shown_part.open(part);
            }
            Own::ShowsChanges => {
                self.draft.was_sent(&typed);
                self.shown_aside.open(Aside::Changes);
            }
            Own::AsksAside(question) if question.is_empty() => self.refuse(NO_QUESTION),
            Own::AsksAside(question) => {
                self.draft.was_sent(&typed);
                self.shown_aside.open(Aside::Question(question));
            }
            Own::Copies => self.copy(typed),
            Own::Plans(_) if self.is_asked.get_untracked() == Some(true) => {
                self.say(ANSWER_BEFORE_MODE.to_owned());
            }
            Own::OffersEfforts => {
                self.draft.was_sent(&typed);
                let efforts = self.live.capabilities(self.session_id);
                let efforts = efforts.with_untracked(|known| known.all_efforts().join(", "));
                let now = self.effort.get_untracked().flatten();
                let now = now.map_or_else(String::new, |now| format!("The effort is {now}. "));
                self.say(format!("{now}Choose another in the head, or write it behind /effort: {efforts}, default."));
            }
            Own::TakesUp => {
                self.draft.was_sent(&typed);
                let project = self.project.get_untracked();
                if let (Some(dialog), Some(project)) = (self.new_session, project) {
                    dialog.open_earlier(Some(project));
                }
            }
            Own::Saves => {
                self.draft.was_sent(&typed);
                let _ = window().location().set_href(&saved_at(self.session_id));
            }
            Own::GoesBack => {
                self.draft.was_sent(&typed);
                self.go_back();
            }
            asked => {
                self.sending.set(true);
                spawn_local(async move {
                    let done = by_the_server(self.session_id, asked).await;
                    let _ = self.sending.try_set(false);
                    match done {
                        Ok(()) => self.draft.was_sent(&typed),
                        Err(words) => drop(self.refusal.try_set(Some(words))),
                    }
                });
            }
        }
    }

    /// What the agent itself said last; what its subagents said is in their answers.
    fn copy(self, typed: String) {
        let lines = self.live.conversation(self.session_id).items();
        let last = lines.with_untracked(|lines| {
            let mut texts = lines.iter().rev();
            texts.find_map(|line| match &line.item.read_untracked().body {
                Body::Text { text, agent: None } => Some(text.clone()),
                _ => None,
            })
        });
        let Some(last) = last else {
            return self.refuse(NO_ANSWER);
        };
        spawn_local(async move {
            if clipboard::give(&last).await.is_none() {
                return self.refuse(NO_CLIPBOARD);
            }
            self.draft.was_sent(&typed);
            self.say(COPIED.to_owned());
        });
    }

    pub fn say(self, words: String) {
        let remark = Remark {
            of: self.draft.trimmed().unwrap_or_default(),
            words,
            is_doubt: false,
        };
        let _ = self.remark.try_set(Some(remark));
    }

    /// What was said or refused while things stood otherwise.
    pub fn forget_what_is_over(self) {
        self.remark
            .update(|remark| *remark = remark.take().filter(|remark| remark.is_doubt));
        let is_over = |refusal: &Option<Refusal>| {
            let words = refusal.as_ref().map(|refusal| refusal.message.as_str());
            words.is_some_and(|words| [STOP_FIRST, ANSWER_FIRST].contains(&words))
        };
        if self.refusal.with_untracked(is_over) {
            self.refusal.set(None);
        }
    }

    fn refuse(self, words: &'static str) {
        let refusal = Refusal::new(Code::InvalidRequest, words);
        let _ = self.refusal.try_set(Some(refusal));
    }
}

const STOP_FIRST: &str = "The agent is at work. Stop it with Esc twice, and go back then.";
const ANSWER_FIRST: &str =
    "A request waits. Answer it, or deny it and stop the turn, and go back then.";
/// The agent takes a request back when the mode changes.
const ANSWER_BEFORE_MODE: &str = "A request waits, and would be taken back with the mode. Answer it first, or choose the mode above.";
const NOWHERE: &str = "There is no message to go back to.";
const NO_QUESTION: &str = "Write your question behind it, as in /btw what is that folder for?";
const NO_ANSWER: &str = "The agent has not said anything yet.";
const NO_CLIPBOARD: &str = "The browser did not let this page copy. It may over HTTPS, or on the machine itself, where you have not forbidden it. Save as text, under More, has all of it.";
const COPIED: &str = "The agent's last answer is in the clipboard.";

/// What a command asks of the server; the others are done here.
async fn by_the_server(session_id: SessionId, command: Own) -> Result<(), Refusal> {
    match command {
        Own::ChoosesModel(model) => api::set_model(session_id, Some(model)).await,
        Own::ChoosesEffort(effort) => api::set_effort(session_id, effort).await,
        Own::AddsFolder(path) => api::add_folder(session_id, path).await,
        Own::Plans(text) => {
            api::set_permission_mode(session_id, PermissionMode::Plan).await?;
            match text.is_empty() {
                true => Ok(()),
                false => api::send_message(session_id, text, None, None, None).await,
            }
        }
        Own::Ends => api::kill(session_id).await,
        _ => Ok(()),
    }
}

/// It waits for a message or has ended: there is nothing to be stopped.
pub fn rests(state: Option<ProcessState>) -> bool {
    matches!(
        state,
        None | Some(ProcessState::UserTurn | ProcessState::Dead)
    )
}
