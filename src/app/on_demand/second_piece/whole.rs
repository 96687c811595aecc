//! A program that is not cut, as on the server: all of it is always here.

use crate::app::on_demand::{NotLoaded, Part};
use leptos::prelude::AnyView;

pub fn is_here() -> bool {
    true
}

pub fn draw(part: Part) -> Option<AnyView> {
    Some(part.draw())
}

pub async fn load() -> Result<(), NotLoaded> {
    Ok(())
}
