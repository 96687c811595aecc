//! A button that shows that it works: the spinner appears in the button that was pressed, and it cannot be pressed twice.

use leptos::prelude::*;

/// The main button of a form.
#[component]
pub fn SubmitButton(
    /// What was pressed is being done.
    #[prop(into)]
    busy: Signal<bool>,
    #[prop(optional, into)] disabled: Signal<bool>,
    children: Children,
) -> impl IntoView {
    view! {
        <button
            type="submit"
            class="primary"
            class:busy=move || busy.get()
            disabled=move || busy.get() || disabled.get()
            aria-busy=move || busy.get().to_string()
        >
            <Spinner visible=busy />
            {children()}
        </button>
    }
}

/// Turns while `visible`. It is always there, so that nothing moves when it appears.
#[component]
pub fn Spinner(#[prop(into)] visible: Signal<bool>) -> impl IntoView {
    view! { <span class="spinner" aria-hidden="true" hidden=move || !visible.get()></span> }
}
