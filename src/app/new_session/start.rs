//! Starting a session: the call, its spinner, its refusal in words, and the way to the new page.

use crate::api;
use crate::app::draft;
use crate::app::live::{Live, use_live};
use crate::model::{NewAttachment, PermissionMode, ProjectId, Refusal, SessionId};
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_router::NavigateOptions;
use leptos_router::hooks::use_navigate;
use uuid::Uuid;

/// What a session begins with.
pub struct First {
    pub text: String,
    pub mode: PermissionMode,
    pub model: Option<String>,
    pub effort: Option<String>,
    pub files: Vec<NewAttachment>,
}

/// Must be made inside the router.
#[derive(Clone, Copy)]
pub struct Start {
    busy: RwSignal<bool>,
    refusal: RwSignal<Option<String>>,
    /// The last one that was begun in this tab.
    begun: StoredValue<Option<SessionId>>,
    open: Callback<String>,
    live: Live,
}

impl Start {
    pub fn new() -> Self {
        let navigate = use_navigate();
        Self {
            busy: RwSignal::new(false),
            refusal: RwSignal::new(None),
            begun: StoredValue::new(None),
            live: use_live(),
            open: Callback::new(move |path: String| navigate(&path, NavigateOptions::default())),
        }
    }

    pub fn is_busy(self) -> Signal<bool> {
        self.busy.into()
    }

    /// Whoever opens it does so to answer.
    pub fn opens(self, session_id: SessionId) {
        self.begun.set_value(Some(session_id));
    }

    /// To another page of ours, also when the place that asks for it is gone by then.
    pub fn go(self, path: String) {
        self.open.try_run(path);
    }

    /// It was begun in this tab, or opened to be answered, a moment ago: true once.
    pub fn has_just_begun(self, session_id: SessionId) -> bool {
        let is_it = self.begun.get_value() == Some(session_id);
        if is_it {
            self.begun.set_value(None);
        }
        is_it
    }

    pub fn refusal(self) -> Signal<Option<String>> {
        self.refusal.into()
    }

    /// Said in the same place, before anything is asked of the server.
    pub fn refuse(self, words: String) {
        let _ = self.refusal.try_set(Some(words));
    }

    pub fn forget_refusal(self) {
        let _ = self.refusal.try_set(None);
    }

    /// Makes a conversation that was held elsewhere a session, says the first words in it, if there are any, and opens it.
    /// `begun` is told the session when those words were not taken: they and their files are to be sent from there.
    pub fn take_up(
        self,
        project: ProjectId,
        conversation_id: Uuid,
        first: First,
        begun: impl FnOnce(Option<SessionId>) + 'static,
    ) {
        if self.busy.get_untracked() {
            return;
        }
        self.busy.set(true);
        self.refusal.set(None);
        spawn_local(async move {
            let First {
                text,
                mode,
                model,
                effort,
                files,
            } = first;
            let mut not_taken = None;
            let taken_up = api::take_up(project, conversation_id, Some(mode), model, effort).await;
            if let (Ok(taken_up), false) = (&taken_up, text.trim().is_empty() && files.is_empty()) {
                let id = taken_up.session_id;
                let files = (!files.is_empty()).then_some(files);
                let sent = api::send_message(id, text.clone(), None, files, None).await;
                // the page that opens says why when it is sent from there
                if sent.is_err() {
                    draft::keep_for_message(id, &text);
                    not_taken = Some(id);
                }
            }
            self.go_on(taken_up, move || begun(not_taken)).await;
        });
    }

    /// `begun` runs when there is a session, right before its page is opened.
    pub fn run(self, project: ProjectId, first: First, begun: impl FnOnce() + 'static) {
        let First {
            text,
            mode,
            model,
            effort,
            files,
        } = first;
        if self.busy.get_untracked() || (text.trim().is_empty() && files.is_empty()) {
            return;
        }
        self.busy.set(true);
        self.refusal.set(None);
        spawn_local(async move {
            let files = (!files.is_empty()).then_some(files);
            let mode = Some(mode);
            let started = api::start_session(project, text, mode, model, effort, files).await;
            self.go_on(started, begun).await;
        });
    }

    async fn go_on(
        self,
        started: Result<api::StartedSession, Refusal>,
        begun: impl FnOnce() + 'static,
    ) {
        match started {
            Ok(started) => {
                self.live.make_sure_of(started.session_id).await;
                begun();
                let _ = self.begun.try_set_value(Some(started.session_id));
                self.open
                    .try_run(format!("/session/{}", started.session_id));
            }
            Err(refusal) => {
                let _ = self.refusal.try_set(Some(refusal.message));
            }
        }
        let _ = self.busy.try_set(false);
    }
}

impl Default for Start {
    fn default() -> Self {
        Self::new()
    }
}
