//! A text that may be long: its beginning, and all of it when asked for.

use crate::app::ui::show::Show;
use crate::app::ui::untrusted::Untrusted;
use leptos::prelude::*;

const LINES: usize = 20;
const BYTES: usize = 4000;

#[component]
pub fn LongText(text: String, #[prop(optional)] class: &'static str) -> impl IntoView {
    let beginning = beginning(&text).map(str::to_owned);
    let is_short = beginning.is_none();
    let line_count = text.lines().count();
    let shows_all = RwSignal::new(is_short);
    let text = StoredValue::new(text);
    let beginning = StoredValue::new(beginning.unwrap_or_default());
    let shown = move || match shows_all.get() {
        true => text.get_value(),
        false => beginning.get_value(),
    };
    view! {
        <pre class=format!("code {class}")>{move || view! { <Untrusted text=shown() /> }}</pre>
        <Show when=move || !shows_all.get()>
            <button type="button" class="show-all" on:click=move |_| shows_all.set(true)>
                {format!("Show all ({line_count} lines)")}
            </button>
        </Show>
    }
}

/// The part shown at first; none when the whole is short.
fn beginning(text: &str) -> Option<&str> {
    let end_of_lines = text
        .match_indices('\n')
        .nth(LINES - 1)
        .map_or(text.len(), |(index, _)| index);
    let end = end_of_lines.min(text.floor_char_boundary(BYTES));
    // a few more lines are no reason to hide them
    let is_worth_it = text.len() > BYTES + BYTES / 4 || text.lines().count() > LINES + LINES / 4;
    (end < text.len() && is_worth_it).then(|| &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_text_is_shown_whole() {
        assert_eq!(beginning("a\nb\n"), None);
        assert_eq!(beginning(&"line\n".repeat(LINES + 2)), None);
    }

    #[test]
    fn a_long_text_begins_with_whole_lines() {
        let text = "line\n".repeat(100);
        assert_eq!(
            beginning(&text).map(|text| text.lines().count()),
            Some(LINES)
        );
    }

    #[test]
    fn one_endless_line_is_cut_between_characters() {
        let text = "ä".repeat(100_000);
        let beginning = beginning(&text).expect("cut");
        assert!(beginning.len() <= BYTES && text.starts_with(beginning));
    }
}
