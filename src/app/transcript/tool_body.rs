//! What is behind a line: the input as it was asked, as it was edited, and the result.

use super::long_text::LongText;
use super::todos::Todos;
use crate::app::markdown::Markdown;
use crate::app::pending::payload::Payload;
use crate::model::conversation::ToolItem;
use crate::model::todo::keeps_a_list;
use crate::model::{Response, ToolInput};
use leptos::prelude::*;

#[component]
pub fn ToolBody(tool: Memo<ToolItem>) -> impl IntoView {
    let first = tool.get_untracked();
    let input = match first.tool_input.text("plan") {
        Some(plan) if first.tool_name == "ExitPlanMode" => view! {
            <div class="document">
                <Markdown text=plan />
            </div>
        }
        .into_any(),
        _ if keeps_a_list(&first) => view! { <Todos tool /> }.into_any(),
        _ => view! {
            <Payload tool_name=first.tool_name.clone() input=first.tool_input.clone() />
        }
        .into_any(),
    };
    let tool_name = StoredValue::new(first.tool_name);
    let edited = Memo::new(move |_| edited(&tool.read()));
    // what a list says about itself is no news
    let result = Memo::new(move |_| {
        let tool = tool.read();
        let result = tool.result.clone();
        result.filter(|result| result.is_error || !(keeps_a_list(&tool) || result.text.is_empty()))
    });
    view! {
        <div class="tool-body">
            {input}
            {move || match edited.get()? {
                Edited::Input(input) => {
                    Some(
                        view! {
                            <p class="why">"You changed it to:"</p>
                            <Payload tool_name=tool_name.get_value() input />
                        }
                            .into_any(),
                    )
                }
                Edited::Plan(plan) => {
                    Some(
                        view! {
                            <p class="why">"You changed it to:"</p>
                            <div class="document">
                                <Markdown text=plan />
                            </div>
                        }
                            .into_any(),
                    )
                }
            }}
            {move || {
                result
                    .get()
                    .map(|result| {
                        let class = if result.is_error { "result failed" } else { "result" };
                        view! { <LongText text=result.text class /> }
                    })
            }}
        </div>
    }
}

#[derive(Clone, PartialEq)]
enum Edited {
    Input(ToolInput),
    Plan(String),
}

fn edited(tool: &ToolItem) -> Option<Edited> {
    match tool.resolution.as_ref()?.response.as_ref()? {
        Response::ToolApproval(decision) => decision.updated_input.clone().map(Edited::Input),
        Response::PlanApproval(decision) => decision.plan.clone().map(Edited::Plan),
        Response::AskUserQuestion(_) => None,
    }
}
