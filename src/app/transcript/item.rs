//! Which view shows which kind of item. The kind of an item never changes, only its content.

use super::notice::{self, AsksForTrust, Notice};
use super::own_command::OwnCommand;
use super::rewound::Rewound;
use super::said::Said;
use super::text::Text;
use super::thought::Thought;
use super::tool::Tool;
use super::turn_end::TurnEnd;
use crate::model::conversation::{Body, Item};
use crate::model::transcript::Level;
use leptos::prelude::*;

#[component]
pub fn TranscriptItem(item: ArcRwSignal<Item>) -> impl IntoView {
    let item = RwSignal::from(item);
    match item.get_untracked().body {
        Body::Said { .. } => view! { <Said item /> }.into_any(),
        Body::Text { text, agent } => view! { <Text text agent /> }.into_any(),
        Body::Thought { text, .. } => view! { <Thought text /> }.into_any(),
        Body::Summary { text } => view! { <Thought text title="Summary: what the agent knows of all that is above" /> }.into_any(),
        Body::Tool(_) => view! { <Tool item /> }.into_any(),
        Body::TurnEnd { .. } => view! { <TurnEnd item /> }.into_any(),
        Body::Cleared => view! { <p class="turn-end cleared">"Conversation cleared: the agent no longer knows what is above"</p> }.into_any(),
        Body::Rewound { .. } => view! { <Rewound item /> }.into_any(),
        Body::OwnCommand {
            command,
            output,
            code,
        } => view! { <OwnCommand command output code /> }.into_any(),
        Body::Notice { level, text } if notice::asks_for_trust(&text) => view! { <AsksForTrust item level text /> }.into_any(),
        Body::Notice { level, text } => view! { <Notice level text /> }.into_any(),
        Body::FolderTrusted => view! { <Notice level=Level::Info text=notice::TRUSTED.to_owned() /> }.into_any(),
    }
}
