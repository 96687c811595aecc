//! Text while it is being written. The whole block comes as an item and takes its place.

use crate::app::markdown::Markdown;
use crate::app::ui::untrusted::Untrusted;
use crate::model::conversation::Partial;
use leptos::prelude::*;

/// Longer than this it is shown plain: reading it anew with every word would cost too much.
const LONGEST: usize = 20_000;

#[component]
pub fn BeingWritten(partial: Signal<Option<Partial>>) -> impl IntoView {
    // not announced word by word: the finished text is
    view! {
        <div class="writing" aria-live="off" hidden=move || partial.read().is_none()>
            {move || {
                partial
                    .get()
                    .map(|partial| match partial {
                        Partial { thinking: true, text } => {
                            view! {
                                <p class="thought-text">
                                    <Untrusted text />
                                </p>
                            }
                                .into_any()
                        }
                        Partial { text, .. } if text.len() > LONGEST => {
                            view! { <p class="plain">{text}</p> }.into_any()
                        }
                        Partial { text, .. } => view! { <Markdown text /> }.into_any(),
                    })
            }}
        </div>
    }
}
