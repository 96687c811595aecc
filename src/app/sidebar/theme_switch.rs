//! Light, dark, or as the system has it. Remembered in this browser: a line in the head puts it on the page before
//! the first paint, so that nothing flashes; the switch changes it.

use crate::app::ui::icon::{HalfMoon, Moon, Sun};
use leptos::prelude::*;

const REMEMBERED_AS: &str = "countersign-theme";

/// For the head, with the nonce of the page. A browser that forbids storage shows the system's theme.
pub const BEFORE_FIRST_PAINT: &str = "try{const t=localStorage.getItem('countersign-theme');\
if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}";

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Theme {
    #[default]
    Auto,
    Light,
    Dark,
}

impl Theme {
    fn next(self) -> Self {
        match self {
            Theme::Auto => Theme::Light,
            Theme::Light => Theme::Dark,
            Theme::Dark => Theme::Auto,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Theme::Auto => "auto",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    fn from_word(word: &str) -> Self {
        match word {
            "light" => Theme::Light,
            "dark" => Theme::Dark,
            _ => Theme::Auto,
        }
    }
}

#[component]
pub fn ThemeSwitch() -> impl IntoView {
    let theme = RwSignal::new(Theme::default());
    Effect::new(move |_| {
        if let Some(word) =
            storage().and_then(|storage| storage.get_item(REMEMBERED_AS).ok().flatten())
        {
            theme.set(Theme::from_word(&word));
        }
    });
    let switch = move |_| {
        let chosen = theme.get_untracked().next();
        theme.set(chosen);
        put_on_the_page(chosen);
    };
    view! {
        <button
            type="button"
            class="ghost icon-button theme-switch"
            aria-label=move || format!("Theme: {}", theme.get().word())
            title=move || format!("Theme: {}", theme.get().word())
            on:click=switch
        >
            {move || match theme.get() {
                Theme::Auto => view! { <HalfMoon /> }.into_any(),
                Theme::Light => view! { <Sun /> }.into_any(),
                Theme::Dark => view! { <Moon /> }.into_any(),
            }}
        </button>
    }
}

fn put_on_the_page(theme: Theme) {
    if let Some(storage) = storage() {
        let _ = storage.set_item(REMEMBERED_AS, theme.word());
    }
    if let Some(root) = document().document_element() {
        let _ = match theme {
            Theme::Auto => root.remove_attribute("data-theme"),
            chosen => root.set_attribute("data-theme", chosen.word()),
        };
    }
}

/// Absent where the browser forbids it; then the choice lasts as long as the page.
fn storage() -> Option<web_sys::Storage> {
    window().local_storage().ok().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_in_the_head_reads_what_the_switch_remembers() {
        assert!(BEFORE_FIRST_PAINT.contains(&format!("'{REMEMBERED_AS}'")));
        for theme in [Theme::Light, Theme::Dark] {
            assert!(BEFORE_FIRST_PAINT.contains(&format!("'{}'", theme.word())));
            assert_eq!(Theme::from_word(theme.word()), theme);
        }
    }

    #[test]
    fn three_presses_come_back_to_the_first_theme() {
        assert_eq!(Theme::Auto.next().next().next(), Theme::Auto);
    }
}
