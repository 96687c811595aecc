//! Files that went with a message, and pictures that a tool brought: pictures as pictures, the rest by name and size.

use crate::app::ui::icon;
use crate::app::ui::untrusted::Untrusted;
use crate::model::Attachment;
use crate::model::attachment::size;
use leptos::prelude::*;

#[component]
pub fn Files(files: Vec<Attachment>) -> impl IntoView {
    let files: Vec<_> = files
        .into_iter()
        .map(|file| view! { <li>{shown(file)}</li> })
        .collect();
    (!files.is_empty()).then(|| view! { <ul class="files">{files}</ul> })
}

/// Each opens in a tab of its own: the conversation stays where it is.
fn shown(file: Attachment) -> AnyView {
    let address = file.address();
    let size = size(file.bytes);
    if file.media_type.is_image() {
        let name = format!("{}, {size}", file.name);
        let (picture, words) = (address.clone(), name.clone());
        return view! {
            <a class="picture" href=address target="_blank" rel="noopener" title=name>
                <img src=picture alt=words loading="lazy" decoding="async" />
            </a>
        }
        .into_any();
    }
    view! {
        <a class="file" href=address target="_blank" rel="noopener">
            <icon::File />
            <span class="file-name">
                <Untrusted text=file.name />
            </span>
            <span class="file-size">{size}</span>
        </a>
    }
    .into_any()
}
