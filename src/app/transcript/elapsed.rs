//! How long something has been at work: a number that grows. Nobody is read it out each second.

use crate::app::live::{Connection, use_live};
use crate::app::ui::age::at_work;
use crate::app::ui::show::Show;
use crate::model::UnixTime;
use leptos::prelude::*;

/// Sooner than this it is not worth a number.
pub const WORTH_IT: f64 = 3.0;

/// None: it does not run, and the clock is not listened to.
#[component]
pub fn Elapsed(#[prop(into)] since: Signal<Option<UnixTime>>) -> impl IntoView {
    let live = use_live();
    let (now, connection) = (live.now(), live.connection());
    let words = Memo::new(move |before: Option<&Option<String>>| {
        let seconds = since.get().map(|since| now.get().since(since));
        words(before, connection.get(), seconds)
    });
    let is_there = Memo::new(move |_| words.read().is_some());
    view! {
        <Show when=move || is_there.get()>
            <span class="elapsed" aria-hidden="true">
                {move || words.get()}
            </span>
        </Show>
    }
}

/// Nobody knows whether it still runs while nothing is heard of it: until then it is as it was.
fn words(
    before: Option<&Option<String>>,
    connection: Connection,
    seconds: Option<f64>,
) -> Option<String> {
    let is_heard = matches!(connection, Connection::Live | Connection::Connecting);
    match before {
        Some(before) if !is_heard => before.clone(),
        _ => seconds.filter(|seconds| *seconds >= WORTH_IT).map(at_work),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_grows_only_while_something_is_heard() {
        let begun = words(None, Connection::Connecting, Some(4.0));
        assert_eq!(begun.as_deref(), Some("4 s"));
        assert_eq!(words(None, Connection::Live, Some(2.0)), None, "too soon");
        for away in [Connection::Reconnecting, Connection::Offline] {
            assert_eq!(words(Some(&begun), away, Some(60.0)), begun);
            assert_eq!(words(Some(&None), away, Some(60.0)), None);
        }
        let back = words(Some(&begun), Connection::Live, Some(62.0));
        assert_ne!(back, begun);
        assert_eq!(
            words(Some(&begun), Connection::Live, None),
            None,
            "it ended"
        );
    }
}
