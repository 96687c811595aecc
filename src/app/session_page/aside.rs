//! What a person asks for beside the conversation, in a dialog: what has changed in the project, and a question by the way.
//! Both are told as Markdown, and asked for anew whenever they are opened.

use crate::api;
use crate::app::draft;
use crate::app::live::use_live;
use crate::app::markdown::Markdown;
use crate::app::ui::button::Spinner;
use crate::app::ui::dialog_head::DialogHead;
use crate::app::ui::focus;
use crate::app::ui::show::Show;
use crate::app::ui::untrusted::Words;
use crate::model::{Refusal, SessionId};
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Aside {
    Changes,
    Question(String),
}

/// What is to be shown, from wherever it is asked for.
#[derive(Clone, Copy, Default)]
pub struct ShownAside(RwSignal<Option<Aside>>);

impl ShownAside {
    pub fn open(self, aside: Aside) {
        self.0.set(Some(aside));
    }
}

#[component]
pub fn AsideDialog(session_id: SessionId) -> impl IntoView {
    let live = use_live();
    let shown = expect_context::<ShownAside>().0;
    let told = RwSignal::new(None::<Result<String, Refusal>>);
    let is_awaited = Memo::new(move |_| told.read().is_none());
    let element = NodeRef::<html::Dialog>::new();
    let ask = move |aside: Aside| {
        told.set(None);
        spawn_local(async move {
            let answer = match aside.clone() {
                Aside::Changes => api::changes(session_id).await,
                Aside::Question(question) => api::ask_aside(session_id, question).await,
            };
            // it may have been closed meanwhile, and something else been asked
            let is_shown = shown.try_get_untracked().flatten().as_ref() == Some(&aside);
            if let (Aside::Question(question), Err(refusal)) = (aside, &answer) {
                // the words belong into the message input again
                let typed = format!("/btw {question}");
                draft::keep_for_message(session_id, &typed);
                live.give_back(session_id, typed);
                if !is_shown {
                    live.tell(refusal.message.clone());
                }
            }
            if is_shown {
                let _ = told.try_set(Some(answer));
            }
        });
    };
    Effect::new(move |_| {
        let Some(element) = element.get() else { return };
        match (shown.get(), element.open()) {
            (Some(aside), is_open) => {
                ask(aside);
                if !is_open {
                    drop(element.show_modal());
                }
            }
            (None, true) => element.close(),
            _ => {}
        }
    });
    let title = Signal::derive(move || match shown.read().as_ref() {
        Some(Aside::Question(_)) => "By the way",
        _ => "Changes in the project",
    });
    let question = move || match shown.get() {
        Some(Aside::Question(question)) => view! {
            <p class="asked">
                <Words text=question />
            </p>
        }
        .into_any(),
        _ => ().into_any(),
    };
    let answer = move || match told.get() {
        None => ().into_any(),
        Some(Ok(text)) => view! { <Markdown text /> }.into_any(),
        Some(Err(refusal)) => view! {
            <p class="refusal" role="alert">
                {refusal.message}
            </p>
        }
        .into_any(),
    };
    view! {
        <dialog
            class="dialog aside-dialog"
            node_ref=element
            aria-labelledby="aside-title"
            on:close=move |_| {
                shown.set(None);
                focus::come_back_from(element);
            }
        >
            <DialogHead id="aside-title" title on_close=Callback::new(move |()| shown.set(None)) />
            <div class="aside-told" tabindex="0" autofocus aria-live="polite" aria-busy=move || is_awaited.get().to_string()>
                {question}
                <Show when=move || is_awaited.get()>
                    <p class="hint">
                        <Spinner visible=is_awaited />
                        "Asking…"
                    </p>
                </Show>
                {answer}
            </div>
        </dialog>
    }
}
