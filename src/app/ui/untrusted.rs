//! Text that came from an agent, shown as text and nothing else. Characters that hide, reorder or imitate others
//! appear as chips. Nothing is cut: what is on screen is what is there, and in the order in which it acts.

use super::direction::stretches;
use crate::model::text::{self, Piece};
use leptos::prelude::*;

/// What is executed, opened or compared, and what is counted with it: from left to right, each word in its place. It can
/// reorder neither its surroundings nor itself.
#[component]
pub fn Untrusted(#[prop(into)] text: String) -> impl IntoView {
    view! {
        <bdi dir="ltr" class="untrusted">
            {shown(&text)}
        </bdi>
    }
}

/// What is only read, such as a title: as whoever writes that language writes it.
#[component]
pub fn Words(#[prop(into)] text: String) -> impl IntoView {
    let pieces = text::pieces(&text).into_iter();
    let pieces: Vec<_> = pieces
        .map(|piece| match piece {
            Piece::Plain(plain) => plain.into_any(),
            Piece::Odd(character) => chip(character),
        })
        .collect();
    view! {
        <bdi dir="auto" class="untrusted">
            {pieces}
        </bdi>
    }
}

/// The pieces alone, for a place that isolates by itself, from left to right.
pub fn shown(text: &str) -> Vec<AnyView> {
    let mut views = Vec::new();
    for piece in text::pieces(text) {
        match piece {
            Piece::Odd(character) => views.push(chip(character)),
            Piece::Plain(plain) => {
                let stretches = stretches(&plain).into_iter();
                views.extend(stretches.map(|stretch| {
                    let text = stretch.text.to_owned();
                    match stretch.is_leftward {
                        true => view! { <bdi>{text}</bdi> }.into_any(),
                        false => text.into_any(),
                    }
                }));
            }
        }
    }
    views
}

fn chip(character: char) -> AnyView {
    view! {
        <span class="chip" title="A character that cannot be seen, or looks like another">
            {text::code_point(character)}
        </span>
    }
    .into_any()
}
