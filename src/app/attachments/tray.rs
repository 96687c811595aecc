//! How files come in and how they look: the button, the place they are dropped on, the list with its refusals.

use super::{Attachments, Chosen, reading};
use crate::app::ui::icon;
use crate::app::ui::show::Show;
use crate::app::ui::untrusted::Untrusted;
use crate::model::attachment::size;
use leptos::html;
use leptos::prelude::*;

/// The paper clip. Any file can be chosen: what cannot be sent is said in words.
#[component]
pub fn AttachButton(attachments: Attachments) -> impl IntoView {
    let input = NodeRef::<html::Input>::new();
    let open = move |_| {
        if let Some(input) = input.get_untracked() {
            input.click();
        }
    };
    let chosen = move |_| {
        if let Some(input) = input.get_untracked() {
            attachments.add(reading::list(input.files()));
            // the same file can be chosen again
            input.set_value("");
        }
    };
    view! {
        <button
            type="button"
            class="ghost icon-button attach"
            aria-label="Attach"
            title="Attach files: pictures, PDF or text. You can also paste or drop them."
            on:click=open
        >
            <icon::PaperClip />
        </button>
        <input
            node_ref=input
            type="file"
            multiple
            hidden
            tabindex="-1"
            aria-label="Files to attach"
            on:change=chosen
        />
    }
}

/// The list of what goes with the message, and why something does not.
#[component]
pub fn AttachedFiles(attachments: Attachments) -> impl IntoView {
    let Attachments {
        files,
        reading,
        refusal,
        ..
    } = attachments;
    view! {
        <Show when=move || refusal.read().is_some()>
            <p class="refusal" role="alert">
                {move || refusal.get()}
            </p>
        </Show>
        <Show when=move || !files.read().is_empty() || reading.get() != 0>
            <ul class="attached" aria-label="Attached files">
                <For each=move || files.get() key=|file| file.key let:file>
                    <Attached file attachments />
                </For>
                <Show when=move || reading.get() != 0>
                    <li class="reading">"Reading…"</li>
                </Show>
            </ul>
        </Show>
    }
}

#[component]
fn Attached(file: Chosen, attachments: Attachments) -> impl IntoView {
    let key = file.key;
    let remove = format!("Remove {}", file.name);
    // the name is said beside it
    let drawing = match file.is_image() {
        true => view! { <img src=file.address alt="" /> }.into_any(),
        false => view! { <icon::File /> }.into_any(),
    };
    view! {
        <li>
            {drawing}
            <span class="file-name">
                <Untrusted text=file.name />
            </span>
            <span class="file-size">{size(file.bytes)}</span>
            <button
                type="button"
                class="ghost icon-button"
                aria-label=remove
                on:click=move |_| attachments.forget(&[key])
            >
                <icon::Close />
            </button>
        </li>
    }
}

/// A place that takes files that are dropped on it or pasted into it.
#[component]
pub fn DropPlace(attachments: Attachments, children: Children) -> impl IntoView {
    // enter and leave come for every element inside, too
    let depth = RwSignal::new(0_i32);
    let over = move |event: web_sys::DragEvent| {
        if reading::carries_files(event.data_transfer()) {
            event.prevent_default();
        }
    };
    let dropped = move |event: web_sys::DragEvent| {
        depth.set(0);
        if reading::carries_files(event.data_transfer()) {
            event.prevent_default();
            attachments.add(reading::carried(event.data_transfer()));
        }
    };
    let pasted = move |event: web_sys::ClipboardEvent| {
        let files = reading::carried(event.clipboard_data());
        // text is pasted as ever
        if !files.is_empty() {
            event.prevent_default();
            attachments.add(files);
        }
    };
    view! {
        <div
            class="drop-place"
            class:dropping=move || { depth.get() > 0 }
            on:dragenter=move |event| {
                if reading::carries_files(event.data_transfer()) {
                    depth.update(|depth| *depth += 1);
                }
            }
            on:dragleave=move |_| depth.update(|depth| *depth = (*depth - 1).max(0))
            on:dragover=over
            on:drop=dropped
            on:paste=pasted
        >
            {children()}
        </div>
    }
}
