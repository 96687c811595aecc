//! Text while it is being written. The whole block comes as an item and takes its place.

use crate::app::markdown::Markdown;
use crate::app::ui::untrusted::Words;
use crate::model::conversation::Partial;
use leptos::html;
use leptos::prelude::*;

/// Longer than this it is shown plain: reading it anew with every word would cost too much.
const LONGEST: usize = 20_000;

#[component]
pub fn BeingWritten(partial: Signal<Option<Partial>>) -> impl IntoView {
    let place = NodeRef::<html::Div>::new();
    follow_code(place, partial);
    // not announced word by word: the finished text is
    view! {
        <div class="writing" node_ref=place aria-live="off" hidden=move || partial.read().is_none()>
            {move || {
                partial
                    .get()
                    .map(|partial| match partial {
                        Partial { thinking: true, text } => {
                            view! {
                                <p class="thought-text">
                                    <Words text />
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

/// As far from where it was put as counts for being there, in pixels.
const NEAR: i32 = 8;

/// A block of code that is longer than its box shows its end while it grows, unless the reader has scrolled in it.
fn follow_code(place: NodeRef<html::Div>, partial: Signal<Option<Partial>>) {
    // where it was put last
    let was_at = StoredValue::new(0);
    Effect::new(move |_| {
        partial.track();
        // when it is drawn
        request_animation_frame(move || {
            let Some(place) = place.try_get_untracked().flatten() else {
                return;
            };
            let code = place.query_selector(".prose > .code-frame:last-child > .code-block");
            let Some(code) = code.ok().flatten() else {
                let _ = was_at.try_set_value(0);
                return;
            };
            // another block than before has less above it than that
            let most = code.scroll_height() - code.client_height();
            let before = was_at.try_get_value().unwrap_or_default();
            if before > most || code.scroll_top() >= before - NEAR {
                code.set_scroll_top(code.scroll_height());
                let _ = was_at.try_set_value(code.scroll_top());
            }
        });
    });
}
