//! The row of the page that is open stands where it is seen, in a sidebar with more rows than fit.

use super::groups::Group;
use leptos::prelude::*;
use leptos_router::hooks::use_location;

/// Once for each page, when its row is there. Only the sidebar scrolls: neither the page nor the focus moves.
pub fn keep_in_view(groups: Memo<Vec<Group>>) {
    let path = use_location().pathname;
    let listed = Memo::new(move |_| {
        let path = path.get();
        let groups = groups.read();
        let mut sessions = groups.iter().flat_map(|group| &group.sessions);
        let is_listed = sessions.any(|(id, _)| path.ends_with(&id.to_string()));
        (path, is_listed)
    });
    Effect::new(move |_| {
        listed.track();
        // when the row is marked
        request_animation_frame(show);
    });
}

fn show() {
    let find = |what: &str| document().query_selector(what).ok().flatten();
    let (Some(sidebar), Some(row)) = (find(".sidebar"), find(".sidebar [aria-current]")) else {
        return;
    };
    let (room, place) = (
        sidebar.get_bounding_client_rect(),
        row.get_bounding_client_rect(),
    );
    let away = way(
        (room.top(), room.bottom()),
        (place.top(), place.bottom()),
        place.height(),
    );
    if away != 0 {
        sidebar.set_scroll_top(sidebar.scroll_top() + away);
    }
}

/// How far to scroll, in pixels, so that the row is in the room, with a row's height of what is next to it. Nothing for one that is
/// partly in it: it may have just been pressed.
fn way(room: (f64, f64), row: (f64, f64), beside: f64) -> i32 {
    let way = if row.0 >= room.1 {
        row.1 + beside - room.1
    } else if row.1 <= room.0 {
        row.0 - beside - room.0
    } else {
        0.0
    };
    way.round() as i32
}

#[cfg(test)]
mod tests {
    use super::way;

    #[test]
    fn only_a_row_that_is_out_of_sight_moves_and_no_further_than_it_must() {
        let room = (50.0, 500.0);
        assert_eq!(way(room, (60.0, 94.0), 34.0), 0);
        assert_eq!(way(room, (490.0, 524.0), 34.0), 0, "it was just pressed");
        assert_eq!(way(room, (500.0, 534.0), 34.0), 68);
        assert_eq!(way(room, (10.0, 44.0), 34.0), -74);
        assert_eq!(way(room, (50.0, 84.0), 34.0), 0);
    }
}
