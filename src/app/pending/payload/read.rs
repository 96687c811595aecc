//! Reading a file: its path, and which lines.

use super::generic::extras;
use super::whereabouts;
use crate::app::ui::icon;
use crate::app::ui::untrusted::Untrusted;
use crate::model::ToolInput;
use crate::model::insight::file::FilePath;
use leptos::prelude::*;

pub fn view(input: &ToolInput) -> AnyView {
    let path = input.text("file_path").unwrap_or_default().to_owned();
    with_path(input, view! { <Untrusted text=path /> }.into_any())
}

/// The same, with where the path really leads.
pub fn understood(input: &ToolInput, place: &FilePath) -> AnyView {
    with_path(input, whereabouts::path(place.clone()))
}

fn with_path(input: &ToolInput, path: AnyView) -> AnyView {
    view! {
        <div class="code">
            <div class="file last">
                <icon::File />
                {path}
                <span class="why">{range(input.number("offset"), input.number("limit"))}</span>
            </div>
        </div>
        {extras(input, &["file_path", "offset", "limit"])}
    }
    .into_any()
}

fn range(offset: Option<i64>, limit: Option<i64>) -> String {
    match (offset, limit) {
        (None, None) => String::new(),
        (None, Some(limit)) => format!("the first {limit} lines"),
        (Some(offset), None) => format!("from line {offset}"),
        (Some(offset), Some(limit)) => {
            let last = offset.saturating_add(limit).saturating_sub(1);
            format!("lines {offset}–{last}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_are_said_in_words() {
        assert_eq!(range(None, None), "");
        assert_eq!(range(Some(10), Some(5)), "lines 10–14");
        assert_eq!(range(None, Some(5)), "the first 5 lines");
        assert_eq!(
            range(Some(i64::MAX), Some(i64::MAX)),
            format!("lines {}–{}", i64::MAX, i64::MAX - 1)
        );
    }
}
