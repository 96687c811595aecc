//! What a command has written while it still runs: its last lines, asked for once a second and only while somebody looks.
//! When it ends, its result takes their place.

use super::Around;
use crate::app::live::{Connection, use_live};
use crate::app::ui::show::Show;
use crate::app::ui::untrusted;
use crate::model::{Code, Refusal, SoFar};
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;

/// As many as are read at a glance; the styles give them room.
const LINES: usize = 12;

/// What the server said. None: asking again is of no use.
pub type Told = std::pin::Pin<Box<dyn Future<Output = Result<Option<SoFar>, Refusal>>>>;

/// There only while the command runs.
#[component]
pub fn WrittenSoFar(ask: Callback<(), Told>) -> impl IntoView {
    let place = NodeRef::<html::Div>::new();
    let shown = RwSignal::new(None::<SoFar>);
    keep_asking(ask, place, shown);
    let around = use_context::<Around>();
    Effect::new(move |_| {
        if let Some(around) = around
            && shown.read().is_some()
        {
            around.grown.update(|count| *count += 1);
        }
    });
    let is_there = Memo::new(move |_| shown.read().is_some());
    let lines = Memo::new(move |_| {
        let shown = shown.read();
        let (lines, has_more) = shown.as_ref().map(|so_far| so_far.last_lines(LINES))?;
        Some((lines.to_owned(), has_more))
    });
    let caption = move || match lines.get() {
        Some((_, true)) => "So far, its last lines",
        _ => "So far",
    };
    let text = move || lines.get().map(|(text, _)| untrusted::shown(&text));
    // not announced line by line: the result is
    view! {
        <div class="so-far" aria-live="off" node_ref=place>
            <Show when=move || is_there.get()>
                <p class="caption">{caption}</p>
                <pre class="code">
                    <span class="lines">
                        <bdi dir="ltr" class="untrusted">
                            {text}
                        </bdi>
                    </span>
                </pre>
            </Show>
        </div>
    }
}

/// With each second of the page's clock.
fn keep_asking(ask: Callback<(), Told>, place: NodeRef<html::Div>, shown: RwSignal<Option<SoFar>>) {
    let (now, connection) = (use_live().now(), use_live().connection());
    let is_asking = StoredValue::new(false);
    let is_of_no_use = StoredValue::new(false);
    Effect::new(move |_| {
        if connection.get() != Connection::Live || is_of_no_use.get_value() {
            return;
        }
        now.track();
        if is_asking.get_value() || document().hidden() || !is_in_view(place) {
            return;
        }
        is_asking.set_value(true);
        let told = ask.run(());
        spawn_local(async move {
            let told = told.await;
            let _ = is_asking.try_set_value(false);
            match told {
                Ok(Some(so_far)) => {
                    // of what has just ended nothing is told any more
                    let is_news = |shown: &Option<SoFar>| {
                        !so_far.text.trim().is_empty() && shown.as_ref() != Some(&so_far)
                    };
                    if shown.try_with_untracked(is_news) == Some(true) {
                        let _ = shown.try_set(Some(so_far));
                    }
                }
                Err(refusal) if refusal.code == Code::Unreachable => {}
                Ok(None) | Err(_) => {
                    let _ = is_of_no_use.try_set_value(true);
                }
            }
        });
    });
}

/// Neither scrolled away nor folded.
fn is_in_view(place: NodeRef<html::Div>) -> bool {
    let Some(place) = place.get_untracked() else {
        return false;
    };
    let height = window()
        .inner_height()
        .ok()
        .and_then(|height| height.as_f64());
    let rectangle = place.get_bounding_client_rect();
    rectangle.width() > 0.0
        && rectangle.bottom() >= 0.0
        && height.is_some_and(|height| rectangle.top() <= height)
}
