//! Where a path really leads, in the row that names it, and a mark when that is outside the project.

use super::generic;
use crate::app::ui::icon;
use crate::app::ui::untrusted::Untrusted;
use crate::model::ToolInput;
use crate::model::insight::file::FilePath;
use leptos::prelude::*;

pub fn path(path: FilePath) -> AnyView {
    let mark = path.place.mark();
    let link = path.real.map(|real| {
        view! { <span class="why">"really " <code><Untrusted text=real /></code></span> }
    });
    view! {
        <Untrusted text=path.shown />
        {link}
        {mark.map(|mark| view! { <span class="place-mark">{mark}</span> })}
    }
    .into_any()
}

/// A search: its fields, and above them where it looks, if that is not as a matter of course in the project.
pub fn search(input: &ToolInput, place: &FilePath) -> Option<AnyView> {
    if place.place.mark().is_none() && place.real.is_none() {
        return None;
    }
    let view = view! {
        <div class="code">
            <div class="file last">
                <icon::File />
                {path(place.clone())}
            </div>
        </div>
        {generic::view(input)}
    };
    Some(view.into_any())
}
