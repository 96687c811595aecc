//! Where things stand on the page is worked out in the frame that shows them, and that frame is late by as much. What
//! somebody waits for can have it worked out at once, in the time until the next frame.

use leptos::prelude::*;

/// After the changes that are under way.
pub fn work_out_early() {
    queue_microtask(|| {
        if let Some(body) = document().body() {
            // asking is enough
            let _ = body.offset_height();
        }
    });
}
