//! Where the program is cut: everything that only this function leads to is in the second piece.
#![allow(unsafe_code, reason = "the macro's call from one piece into the other")]

use crate::app::on_demand::{NotLoaded, Part};
use futures::FutureExt;
use leptos::prelude::AnyView;
use std::sync::atomic::{AtomicBool, Ordering};
use wasm_split_helpers::{SplitLoaderError, wasm_split};

static IS_HERE: AtomicBool = AtomicBool::new(false);

#[wasm_split(later, fallible, preload(load_piece))]
fn draw_in_the_second_piece(part: Part) -> Result<AnyView, NotLoaded> {
    Ok(part.draw())
}

pub fn is_here() -> bool {
    IS_HERE.load(Ordering::Relaxed)
}

/// Nothing, if the piece is not here.
pub fn draw(part: Part) -> Option<AnyView> {
    let drawn = is_here().then(|| draw_in_the_second_piece(part).now_or_never());
    drawn.flatten()?.ok()
}

/// At once if it is here. What failed is tried again by the next call.
pub async fn load() -> Result<(), NotLoaded> {
    load_piece().await?;
    IS_HERE.store(true, Ordering::Relaxed);
    Ok(())
}

impl From<SplitLoaderError> for NotLoaded {
    fn from(_: SplitLoaderError) -> Self {
        NotLoaded
    }
}
