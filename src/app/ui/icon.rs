//! Icons as inline drawings: one stroke, the colour of the text, hidden from screen readers (the words beside them speak).

use leptos::prelude::*;

macro_rules! icon {
    ($(#[$doc:meta])* $name:ident { $($path:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[component]
        pub fn $name() -> impl IntoView {
            view! {
                <svg class="icon-drawing" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
                    $(<path d=$path />)+
                </svg>
            }
        }
    };
}

/// A signature in a box: the pen stroke that countersigns.
#[component]
pub fn Logo() -> impl IntoView {
    view! {
        <svg class="icon-drawing logo" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
            <rect x="3" y="3" width="18" height="18" rx="5" />
            <path class="pen-stroke" d="M7.5 13.5c2-5 3.5-5 3 .5 1.5-3.5 3-3 2.5 0 1-1.5 2-1.5 3.5 0" />
        </svg>
    }
}

icon!(
    /// Being called.
    Bell { "M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15z", "M10 21h4" }
);
icon!(
    /// Permission.
    Shield { "M12 3l7 3v6c0 4.5-3 7.5-7 9-4-1.5-7-4.5-7-9V6z", "M9 12l2 2 4-4" }
);
icon!(
    /// A question.
    QuestionMark { "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4", "M12 17.5v.01" }
);
icon!(
    /// A plan.
    Plan { "M9 6h11", "M9 12h11", "M9 18h11", "M4.5 6h.01", "M4.5 12h.01", "M4.5 18h.01" }
);
icon!(Inbox { "M4 13l2.5-8h11L20 13v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1z", "M4 13h5l1.5 2.5h3L15 13h5" });
icon!(Box { "M4 5h16v4H4z", "M5.5 9v10h13V9", "M10 13h4" });
icon!(History { "M4 12a8 8 0 1 0 2.5-5.8", "M4 4.5V8h3.5", "M12 8v4.5l3 1.8" });
icon!(Plus { "M12 5v14", "M5 12h14" });
icon!(Menu { "M4 7h16", "M4 12h16", "M4 17h16" });
icon!(Close { "M6 6l12 12", "M18 6L6 18" });
icon!(Check { "M5 12.5l4.5 4.5L19 7.5" });
icon!(ChevronDown { "M6 9l6 6 6-6" });
icon!(ChevronLeft { "M15 6l-6 6 6 6" });
icon!(ChevronRight { "M9 6l6 6-6 6" });
icon!(ArrowRight { "M5 12h14", "M13 6l6 6-6 6" });
icon!(ArrowDown { "M12 5v14", "M6 13l6 6 6-6" });
icon!(More { "M6 12h.01", "M12 12h.01", "M18 12h.01" });
icon!(Stop { "M7 7h10v10H7z" });
icon!(Send { "M12 19V5", "M6 11l6-6 6 6" });
icon!(PaperClip { "M20 11.5l-8 8a5 5 0 0 1-7-7l8.5-8.5a3.3 3.3 0 0 1 4.7 4.7L9.7 17a1.7 1.7 0 0 1-2.4-2.4l7.7-7.7" });
icon!(Undo { "M9 7L4.5 11.5 9 16", "M5 11.5h9a5 5 0 0 1 0 10h-2" });
icon!(Pencil { "M4 20h4L19 9l-4-4L4 16z" });
icon!(Terminal { "M5 7l5 5-5 5", "M12.5 17H19" });
icon!(File { "M7 3h7l4 4v14H7z", "M14 3v4h4" });
icon!(Globe { "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z", "M3 12h18", "M12 3c3.5 3.5 3.5 14.5 0 18", "M12 3c-3.5 3.5-3.5 14.5 0 18" });
icon!(Warning { "M12 4l9 16H3z", "M12 10v4.5", "M12 17.5v.01" });
icon!(Sun { "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z", "M12 3v1.5", "M12 19.5V21", "M3 12h1.5", "M19.5 12H21", "M5.6 5.6l1 1", "M17.4 17.4l1 1", "M18.4 5.6l-1 1", "M6.6 17.4l-1 1" });
icon!(Moon { "M19.5 14.5A8 8 0 1 1 9.5 4.5a6.5 6.5 0 0 0 10 10z" });

/// Light and dark at once: as the system has it.
#[component]
pub fn HalfMoon() -> impl IntoView {
    view! {
        <svg class="icon-drawing" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
            <path d="M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16z" />
            <path class="filled" d="M12 4a8 8 0 0 1 0 16z" />
        </svg>
    }
}
