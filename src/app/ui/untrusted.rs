//! Text that came from an agent, shown as text and nothing else. Characters that hide, reorder or imitate others
//! appear as chips. Nothing is cut: what is on screen is what is there.

use crate::model::text::{self, Piece};
use leptos::prelude::*;

/// Isolated left to right, so that no text can reorder its surroundings.
#[component]
pub fn Untrusted(#[prop(into)] text: String) -> impl IntoView {
    view! {
        <bdi dir="ltr" class="untrusted">
            {shown(&text)}
        </bdi>
    }
}

/// The pieces alone, for a place that isolates by itself.
pub fn shown(text: &str) -> Vec<AnyView> {
    text::pieces(text)
        .into_iter()
        .map(|piece| match piece {
            Piece::Plain(plain) => plain.into_any(),
            Piece::Odd(character) => view! {
                <span class="chip" title="A character that cannot be seen, or looks like another">
                    {text::code_point(character)}
                </span>
            }
            .into_any(),
        })
        .collect()
}
