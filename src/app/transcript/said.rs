//! What a person wrote to the agent, and what became of it: a queued message can be taken back, one that was never read
//! can be sent again.

use super::Around;
use super::files::Files;
use super::go_back::{GoBack, GoBackButton, GoingBack};
use crate::api;
use crate::app::attachments::Trays;
use crate::app::live::use_live;
use crate::app::refused_send::RefusedSend;
use crate::app::ui::show::Show;
use crate::app::ui::untrusted::Words;
use crate::model::conversation::{Body, Delivery, Item};
use crate::model::{Attachment, MessageId, Refusal};
use leptos::prelude::*;
use leptos::task::spawn_local;

#[component]
pub fn Said(item: RwSignal<Item>) -> impl IntoView {
    let Body::Said {
        text,
        message_id,
        attachments,
        ..
    } = item.get_untracked().body
    else {
        return ().into_any();
    };
    let delivery = Memo::new(move |_| match item.read().body {
        Body::Said { delivery, .. } => delivery,
        _ => Delivery::Sent,
    });
    let is_pending = move || matches!(delivery.get(), Delivery::Queued);
    let is_void = move || {
        matches!(
            delivery.get(),
            Delivery::Cancelled | Delivery::NotRead | Delivery::SentAgain
        )
    };
    let around = expect_context::<Around>();
    let GoingBack(going_back) = expect_context();
    // what it was told before it cleared its memory, or what was taken back, it does not know
    let is_known = Memo::new(move |_| {
        let item = item.read();
        item.is_way_back() && item.place() > around.cleared_at.get()
    });
    let can_go_back = Memo::new(move |_| is_known.get() && !around.is_at_work.get());
    let is_going_back =
        Memo::new(move |_| can_go_back.get() && going_back.get() == Some(message_id));
    let text = StoredValue::new(text);
    let files = StoredValue::new(attachments.clone());
    view! {
        <div class="said" class:queued=is_pending class:void=is_void>
            <span class="visually-hidden">"You: "</span>
            <Files files=attachments />
            <Words text=text.get_value() />
            <Show when=move || can_go_back.get()>
                <GoBackButton message_id />
            </Show>
            {move || match delivery.get() {
                Delivery::Sent => ().into_any(),
                Delivery::Queued => view! { <Queued message_id text files /> }.into_any(),
                Delivery::NotRead => view! { <NotRead message_id text /> }.into_any(),
                Delivery::Cancelled => {
                    view! { <span class="delivery">"Taken back: the agent never saw it"</span> }
                        .into_any()
                }
                Delivery::SentAgain => {
                    view! { <span class="delivery">"Not read; sent again below"</span> }.into_any()
                }
            }}
        </div>
        <Show when=move || is_going_back.get()>
            <GoBack message_id />
        </Show>
    }
    .into_any()
}

#[component]
fn Queued(
    message_id: MessageId,
    text: StoredValue<String>,
    files: StoredValue<Vec<Attachment>>,
) -> impl IntoView {
    let trays = expect_context::<Trays>();
    let session_id = expect_context::<Around>().session_id;
    let live = use_live();
    let busy = RwSignal::new(false);
    let refusal = RwSignal::new(None::<String>);
    let cancel = move |_| {
        busy.set(true);
        refusal.set(None);
        // this line may be drawn anew before the answer comes
        let (text, files) = (text.get_value(), files.get_value());
        spawn_local(async move {
            match api::cancel_message(session_id, message_id).await {
                Ok(()) => {
                    trays.of(session_id).give_back(&files);
                    live.give_back(session_id, text);
                }
                Err(words) => {
                    let _ = refusal.try_set(Some(words.message));
                }
            }
            let _ = busy.try_set(false);
        });
    };
    view! {
        <span class="delivery">
            "Queued: the agent takes it when it is ready"
            <button
                type="button"
                class="small"
                title="Takes the message back"
                disabled=move || busy.get()
                on:click=cancel
            >
                "Cancel"
            </button>
        </span>
        {move || refusal.get().map(|words| view! { <span class="refusal" role="alert">{words}</span> })}
    }
}

#[component]
fn NotRead(message_id: MessageId, text: StoredValue<String>) -> impl IntoView {
    let session_id = expect_context::<Around>().session_id;
    let busy = RwSignal::new(false);
    let refusal = RwSignal::new(None::<Refusal>);
    let send = move |anyway: bool| {
        if busy.get_untracked() {
            return;
        }
        busy.set(true);
        refusal.set(None);
        let text = text.get_value();
        spawn_local(async move {
            let sent =
                api::send_message(session_id, text, Some(message_id), None, Some(anyway)).await;
            if let Err(words) = sent {
                let _ = refusal.try_set(Some(words));
            }
            let _ = busy.try_set(false);
        });
    };
    view! {
        <span class="delivery">
            "Not read: the agent ended before it read this"
            <button
                type="button"
                class="small"
                disabled=move || busy.get()
                on:click=move |_| send(false)
            >
                "Send again"
            </button>
        </span>
        <RefusedSend
            session_id
            text=Callback::new(move |()| text.get_value())
            refusal
            on_anyway=Callback::new(move |()| send(true))
        />
    }
}
