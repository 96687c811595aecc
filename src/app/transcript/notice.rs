//! A sentence from us or from the agent's program, not from the model. One of them can be answered: that a folder is not
//! trusted.

use super::Around;
use crate::api;
use crate::app::ui::focus;
use crate::app::ui::inert::Inert;
use crate::app::ui::show::Show;
use crate::app::ui::untrusted::Untrusted;
use crate::model::conversation::{Body, Item};
use crate::model::transcript::Level;
use crate::model::{AllowedBy, FolderTrust};
use leptos::prelude::*;
use leptos::task::spawn_local;

pub const TRUSTED: &str = "You trust this folder: what its own settings allow counts, at the latest when its agent is started again.";
/// As Claude Code says it when it leaves out what a folder's own settings allow.
const NOT_TRUSTED: &str = "has not been trusted";

pub fn asks_for_trust(text: &str) -> bool {
    text.contains(NOT_TRUSTED)
}

#[component]
pub fn Notice(level: Level, text: String) -> impl IntoView {
    let (class, word) = match level {
        Level::Info => ("notice", ""),
        Level::Warning => ("notice warning", "Warning: "),
        Level::Error => ("notice error", "Error: "),
    };
    view! {
        <p class=class>
            <span class="visually-hidden">{word}</span>
            <Untrusted text />
        </p>
    }
}

/// With the way to trust it, until that was done.
#[component]
pub fn AsksForTrust(item: RwSignal<Item>, level: Level, text: String) -> impl IntoView {
    let around = expect_context::<Around>();
    let session_id = around.session_id;
    let seq = item.with_untracked(|item| item.seq);
    let lines = around.conversation.items();
    let is_trusted = Memo::new(move |_| {
        lines.read().iter().any(|line| {
            let item = line.item.read_untracked();
            item.seq > seq && item.body == Body::FolderTrusted
        })
    });
    let busy = RwSignal::new(false);
    let refusal = RwSignal::new(None::<String>);
    // what is trusted is read before it is, also by whoever presses Enter twice
    let fresh = Inert::not_yet();
    let allows = RwSignal::new(None::<FolderTrust>);
    let look = move |_| {
        busy.set(true);
        refusal.set(None);
        spawn_local(async move {
            match api::folder_allows(session_id).await {
                Ok(found) => drop(allows.try_set(Some(found))),
                Err(words) => drop(refusal.try_set(Some(words.message))),
            }
            let _ = busy.try_set(false);
            fresh.begin();
            focus::go_on(ALLOWED);
        });
    };
    let trust = move |_| {
        if fresh.is_now() {
            return;
        }
        busy.set(true);
        refusal.set(None);
        spawn_local(async move {
            let root = allows
                .try_get_untracked()
                .flatten()
                .and_then(|read| read.root);
            let done = api::trust_folder(session_id, root).await;
            let _ = busy.try_set(false);
            let _ = refusal.try_set(done.err().map(|refusal| refusal.message));
            // the button is gone with its work
            focus::go_on(focus::TRANSCRIPT);
        });
    };
    view! {
        <div class="asks-for-trust">
            <Notice level text />
            <Show when=move || !is_trusted.get()>
                <Show
                    when=move || allows.read().is_some()
                    fallback=move || {
                        view! {
                            <p class="trust">
                                <button
                                    type="button"
                                    class="small"
                                    disabled=move || busy.get()
                                    on:click=look
                                >
                                    "Trust this folder…"
                                </button>
                            </p>
                        }
                    }
                >
                    <div class="trust">
                        {move || whole_repository(allows.get().and_then(|read| read.root))}
                        <p>{move || would(allows.read().as_ref().is_none_or(|read| read.allows.is_empty()))}</p>
                        // it may be longer than its place: then the arrow keys scroll it
                        <div class="would-allow" tabindex="0" role="group" aria-label="What would be allowed">
                            {move || files(allows.get().unwrap_or_default().allows)}
                        </div>
                        <button
                            type="button"
                            class="small"
                            aria-disabled=move || fresh.get().to_string()
                            disabled=move || busy.get()
                            on:click=trust
                        >
                            {move || if busy.get() { "Trusting it…" } else { "Trust it" }}
                        </button>
                        <button
                            type="button"
                            class="small ghost"
                            disabled=move || busy.get()
                            on:click=move |_| {
                                allows.set(None);
                                focus::go_on(".trust button");
                            }
                        >
                            "Not now"
                        </button>
                    </div>
                </Show>
            </Show>
            {move || refusal.get().map(|words| view! { <p class="refusal" role="alert">{words}</p> })}
        </div>
    }
}

/// What is read first.
const ALLOWED: &str = ".would-allow";

fn whole_repository(root: Option<String>) -> impl IntoView {
    root.map(|text| {
        view! {
            <p>
                "The folder is part of a repository, and all of it is trusted with it, each of its folders and work trees: "
                <code>
                    <Untrusted text />
                </code>
            </p>
        }
    })
}

/// Each with what it allows.
fn files(all: Vec<AllowedBy>) -> impl IntoView {
    let one = |allowed: AllowedBy| {
        let rules = allowed.rules.into_iter().map(|text| ("", text));
        let folders = allowed.folders.into_iter();
        let folders = folders.map(|text| ("may work in ", text));
        let row = |(may, text)| view! { <li>{may} <code><Untrusted text /></code></li> };
        view! {
            <p class="of-file">
                <Untrusted text=allowed.file />
            </p>
            <ul>{rules.chain(folders).map(row).collect::<Vec<_>>()}</ul>
        }
    };
    all.into_iter().map(one).collect::<Vec<_>>()
}

fn would(nothing: bool) -> &'static str {
    match nothing {
        true => {
            "Its settings allow nothing now; what they allow later would run without a question, here and in a terminal."
        }
        false => {
            "This would then be allowed without a question, here and in a terminal, with all that its settings allow later:"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_folder_that_is_not_trusted_is_asked_about() {
        assert!(asks_for_trust(
            "Ignoring 1 permissions.allow entry from .claude/settings.json: this workspace has not been trusted."
        ));
        assert!(!asks_for_trust(TRUSTED));
    }
}
