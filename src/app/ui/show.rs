//! Shows something while a condition holds. Leptos has one of its own that is compiled once for each place where it is used; this
//! is one for all of them, and the page that much smaller.

use leptos::prelude::*;

#[component(transparent)]
pub fn Show(
    children: ChildrenFn,
    #[prop(into)] when: Signal<bool>,
    /// What is shown instead.
    #[prop(optional, into)]
    fallback: ViewFn,
) -> impl IntoView {
    let when = Memo::new(move |_| when.get());
    move || match when.get() {
        true => children(),
        false => fallback.run(),
    }
}
