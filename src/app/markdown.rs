//! Markdown from an agent, as a fixed set of elements. Text becomes text nodes; raw HTML is shown, never interpreted;
//! nothing is loaded from elsewhere; a link says where it leads. It must never write HTML by itself.

mod code_block;
mod comparison;
pub mod tree;

use crate::app::ui::untrusted::Untrusted;
use code_block::CodeBlock;
use leptos::prelude::*;
use tree::{Block, Inline, plain_text};

#[component]
pub fn Markdown(#[prop(into)] text: String) -> impl IntoView {
    view! { <div class="prose">{blocks(tree::parse(&text))}</div> }
}

fn blocks(list: Vec<Block>) -> Vec<AnyView> {
    list.into_iter().map(block).collect()
}

fn block(block: Block) -> AnyView {
    match block {
        Block::Paragraph(text) => view! { <p>{inlines(text)}</p> }.into_any(),
        Block::Heading { level, text } => heading(level, inlines(text)),
        Block::Code { language, text } => view! { <CodeBlock language text /> }.into_any(),
        Block::Quote(inner) => view! { <blockquote>{blocks(inner)}</blockquote> }.into_any(),
        Block::List { start: None, items } => view! { <ul>{list_items(items)}</ul> }.into_any(),
        Block::List {
            start: Some(start),
            items,
        } => view! { <ol start=start.to_string()>{list_items(items)}</ol> }.into_any(),
        Block::Rule => view! { <hr /> }.into_any(),
        Block::Table { head, rows } => table(head, rows),
    }
}

/// The page has its own first two levels.
fn heading(level: u8, text: Vec<AnyView>) -> AnyView {
    match level {
        1 => view! { <h3>{text}</h3> }.into_any(),
        2 => view! { <h4>{text}</h4> }.into_any(),
        3 => view! { <h5>{text}</h5> }.into_any(),
        _ => view! { <h6>{text}</h6> }.into_any(),
    }
}

fn list_items(items: Vec<Vec<Block>>) -> Vec<AnyView> {
    items
        .into_iter()
        .map(|mut item| match (item.len(), item.pop()) {
            // one line of text needs no paragraph of its own
            (1, Some(Block::Paragraph(text))) => view! { <li>{inlines(text)}</li> }.into_any(),
            (_, last) => {
                item.extend(last);
                view! { <li>{blocks(item)}</li> }.into_any()
            }
        })
        .collect()
}

fn table(head: Vec<Vec<Inline>>, rows: Vec<Vec<Vec<Inline>>>) -> AnyView {
    let head: Vec<_> = head
        .into_iter()
        .map(|cell| view! { <th scope="col">{inlines(cell)}</th> })
        .collect();
    let rows: Vec<_> = rows
        .into_iter()
        .map(|row| {
            let cells: Vec<_> = row
                .into_iter()
                .map(|cell| view! { <td>{inlines(cell)}</td> })
                .collect();
            view! { <tr>{cells}</tr> }
        })
        .collect();
    view! {
        <div class="table-scroll">
            <table>
                <thead>
                    <tr>{head}</tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}

fn inlines(list: Vec<Inline>) -> Vec<AnyView> {
    list.into_iter().map(inline).collect()
}

fn inline(inline: Inline) -> AnyView {
    match inline {
        Inline::Text(text) => text.into_any(),
        Inline::Code(text) => view! {
            <code>
                <Untrusted text />
            </code>
        }
        .into_any(),
        Inline::Emphasis(inner) => view! { <em>{inlines(inner)}</em> }.into_any(),
        Inline::Strong(inner) => view! { <strong>{inlines(inner)}</strong> }.into_any(),
        Inline::Struck(inner) => view! { <del>{inlines(inner)}</del> }.into_any(),
        Inline::Break => view! { <br /> }.into_any(),
        Inline::Link { url, text } => link(url, text),
    }
}

/// A link of a kind we know opens apart from this page; of any other kind only its words and its address are shown.
fn link(url: String, text: Vec<Inline>) -> AnyView {
    let says_where = tree::says_where_it_leads(&plain_text(&text), &url);
    let address = (!says_where).then(|| {
        view! {
            <span class="address">" (" <Untrusted text=url.clone() /> ")"</span>
        }
    });
    if tree::may_be_followed(&url) {
        view! {
            <a href=url rel="noopener noreferrer nofollow" target="_blank">
                {inlines(text)}
            </a>
            {address}
        }
        .into_any()
    } else {
        view! {
            <span>{inlines(text)}</span>
            {address}
        }
        .into_any()
    }
}
